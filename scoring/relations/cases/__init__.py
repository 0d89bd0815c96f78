"""Doubtful gold labels as cases, and the gold under the verdicts."""
