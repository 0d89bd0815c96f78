"""`adjudicate records`."""
