"""The records task: review an EcoExtract database, accuracy from the edits, ground truth out of the review (`docs/records.md`)."""
