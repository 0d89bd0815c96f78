"""A campaign's files: gold, submissions, information files, settings, validation."""
