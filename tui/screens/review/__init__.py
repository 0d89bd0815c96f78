"""The Review screen and what opens from it."""
