"""What the tables task reads: ground truth, runs, rows."""
