"""The Rules screen and what opens from it."""
