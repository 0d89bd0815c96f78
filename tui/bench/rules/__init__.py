"""The rules of a workspace as commands and screens show them."""
