"""The page scan, or the line of it, in terminals that can show pictures (optional extra `images`)."""

from __future__ import annotations

import sys
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from scoring.text import visible
from tui.actions import PICTURE
from tui.screens.dialogs import Dialog, dialog_bindings

MODULE = "textual_image.widget"


def prepare_pictures() -> bool:
    """Load the library that draws pictures, if it is installed; whether it is.

    It asks the terminal for its abilities when it is loaded, so this comes before the app starts, and only where there are scans.
    """
    try:
        __import__(MODULE)
    except ImportError:
        return False
    return True


class ScanScreen(Dialog[None]):
    """A picture in front of the screen."""

    kind = PICTURE

    DEFAULT_CSS = """
    ScanScreen { align: center middle; }
    ScanScreen > Vertical { width: 96%; height: 90%; border: round $primary; background: $surface; padding: 0 1; }
    ScanScreen Image { width: 100%; height: auto; }
    ScanScreen KeyLine { dock: bottom; background: $surface; link-background: $surface; }
    """
    BINDINGS = dialog_bindings(PICTURE)

    def __init__(self, picture: Path, title: str) -> None:
        super().__init__()
        self._picture, self._title = picture, title

    @staticmethod
    def possible(picture: Path) -> bool:
        """Whether this terminal session can show it."""
        return MODULE in sys.modules and picture.suffix.lower() != ".pdf"

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._title), markup=False)
            yield sys.modules[MODULE].Image(self._picture)
            yield self.key_line()
