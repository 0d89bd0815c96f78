"""What people bring, taken into a workspace: recognised by content, planned, then written. Nothing is overwritten.

`sources` lists what was brought, `plan` holds what goes where, `kinds` recognises, `record` writes and keeps `import.json`.
"""
