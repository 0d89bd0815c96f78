"""Commands on cases, verdicts and the log."""
