"""What the pages promise, tried as a person would: on the screens, in the commands, on real files."""
