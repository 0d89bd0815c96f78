"""Cases, verdicts, decisions and the log. Knows no task."""
