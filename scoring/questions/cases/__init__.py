"""The cases of the questions task and what is shown of them."""
