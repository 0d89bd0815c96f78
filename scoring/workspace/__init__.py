"""The workspace: where its parts lie, its settings, its schema, and where figures come from."""
