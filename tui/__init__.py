"""The terminal interface: the command, and the Textual screens. Stands on `scoring/`."""

import os

# Textual gathers what is to be drawn and draws it at most so many times a second, 60 unless told otherwise, which a key
# press would wait for. It reads this when it is imported, and draws nothing more often than it changes.
os.environ.setdefault("TEXTUAL_FPS", "240")
