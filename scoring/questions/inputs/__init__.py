"""What the questions task reads: ground truth, responses, runs."""
