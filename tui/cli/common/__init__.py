"""Shared by the commands: output, tables, groups imported on demand."""
