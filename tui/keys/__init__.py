"""Keys: the registry of actions, names of keys, key maps of users."""
