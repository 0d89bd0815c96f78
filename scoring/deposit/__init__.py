"""A data package to deposit: ground truth as agreed, figures, decisions, rules and settings, described for machines."""
