"""New verdicts on an answer, and doubts about ground truth."""
