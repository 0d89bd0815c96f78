"""EQUIVALENCES.md on disk: read whole, edited in place, replaced whole."""
