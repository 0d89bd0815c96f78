"""The terminal interface: the command, and the Textual screens. Stands on `scoring/`."""
