"""EcoExtract databases as files: opened, created, split, combined, written."""
