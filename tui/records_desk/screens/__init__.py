"""The screens of the Records desk."""
