"""The palette, places to go by name, and the help text."""
