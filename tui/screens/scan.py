"""The page scan, or the line of it, in terminals that can show pictures (optional extra `adjudicate[images]`)."""

from __future__ import annotations

import sys
from pathlib import Path

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

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


class ScanScreen(ModalScreen[None]):
    """A picture in front of the screen; any of escape, q, o, enter closes it."""

    DEFAULT_CSS = """
    ScanScreen { align: center middle; }
    ScanScreen > Vertical { width: 96%; height: 90%; border: round $primary; background: $surface; padding: 0 1; }
    ScanScreen Image { width: 100%; height: auto; }
    """
    BINDINGS = [Binding("escape,q,o,enter", "close", "close")]  # noqa: RUF012

    def __init__(self, picture: Path, title: str) -> None:
        super().__init__()
        self._picture, self._title = picture, title

    @staticmethod
    def possible(picture: Path) -> bool:
        """Whether this terminal session can show it."""
        return MODULE in sys.modules and picture.suffix.lower() != ".pdf"

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(f"{self._title}   (Escape closes)", markup=False)
            yield sys.modules[MODULE].Image(self._picture)

    def action_close(self) -> None:
        """Close."""
        self.dismiss(None)
