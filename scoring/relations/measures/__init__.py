"""Scores of runs, rankings, votes, ensembles, diagnostics, intervals."""
