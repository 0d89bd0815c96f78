"""Figures over all runs: levels, gates, instruments, consistency, bootstrap intervals."""
