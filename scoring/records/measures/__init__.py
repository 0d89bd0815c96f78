"""Edits of a review and the accuracy figures made of them."""
