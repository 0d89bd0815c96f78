"""What is in an EcoExtract database, as values: fields, records, documents, operations."""
