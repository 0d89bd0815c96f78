"""`adjudicate rules`."""
