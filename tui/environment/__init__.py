"""Settings of the user, theme, new workspaces, and commands in processes of their own."""
