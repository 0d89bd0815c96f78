"""Totals, breakdowns, and their tables and report."""
