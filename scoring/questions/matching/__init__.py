"""Question sets, and scores of single answers. Pure."""
