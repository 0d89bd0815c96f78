"""The questions task: answers to a fixed list of questions about a document (`2-questions`)."""
