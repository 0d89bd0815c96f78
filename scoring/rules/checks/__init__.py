"""Checks of the rules: conflicts, near misses, reach, witnesses."""
