"""The questions task: answers to a fixed list of questions about a document (`docs/questions.md`)."""
