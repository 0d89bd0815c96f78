"""Widgets: the list of cases, the case itself, and what both are drawn with."""
