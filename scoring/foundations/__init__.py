"""Ground floor of the engine: problems, hashes, files, incremental work. Knows no format and no task."""
