"""The bench without Textual: session, case list, positions, verdict texts."""
