"""New verdicts on a case: checked, with their targets, their basis in the log, and doubts about ground truth."""
