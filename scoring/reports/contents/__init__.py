"""What the report and the score files hold."""
