"""A review session on one database, and reviewed documents turned into ground truth."""
