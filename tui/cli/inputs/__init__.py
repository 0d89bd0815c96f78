"""Commands on inputs: init, example, check, import."""
