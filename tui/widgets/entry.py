"""A line of text to type into, in which text from data (a proposal, a paste) cannot drive the terminal."""

from __future__ import annotations

from rich.text import Text
from textual.widgets import Input

from scoring.texts.forms import visible


def shown_cells(text: str) -> str:
    """The text with a visible mark for each character that could drive the terminal, one for one, so that the cursor stays right."""
    return "".join(mark if len(mark := visible(character)) == 1 else "⍰" for character in text)


class SafeInput(Input):
    """An `Input` that draws what was typed or pasted, and never sends a control, zero-width or direction character on."""

    @property
    def _value(self) -> Text:
        return Text(shown_cells(self.value), no_wrap=True, overflow="ignore", end="")
