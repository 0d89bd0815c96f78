"""`adjudicate campaign`."""
