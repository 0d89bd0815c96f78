"""The Records desk without Textual: its session and what it shows. Its screens are `screens/`."""
