"""The scoring engine: everything that is computed. Knows nothing of terminals; `tui/` stands on it."""

__version__ = "0.1.0"
