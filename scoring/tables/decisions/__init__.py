"""Verdicts of the log on the current data: anchored, weighed by precedence, applied to pages."""
