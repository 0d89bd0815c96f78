"""Runs: where they lie, names of pages, run files, pages of a run."""
