"""The cases of the records task: queues, flags, evidence in the text."""
