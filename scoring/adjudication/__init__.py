"""Cases, verdicts, decisions and agreement. Knows no task. The log on disk is `log/`."""
