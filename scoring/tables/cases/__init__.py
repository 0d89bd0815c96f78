"""The cases of the tables task: queues, status, majority readings, F1 bands."""
