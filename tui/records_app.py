"""The Records app: one database, one verifier. A factory and wiring."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text
from textual import events
from textual.app import App

from tui.actions import ACCURACY, DOCUMENTS, RECORD, of_screen, shown, with_keymap
from tui.records_sitting import RecordsSitting
from tui.screens.accuracy import AccuracyScreen
from tui.screens.base import with_keys
from tui.screens.dialogs import Pages
from tui.screens.record import RecordScreen
from tui.screens.records import DocumentsScreen
from tui.screens.typing_ahead import TypedInto


class RecordsDesk(App[None]):
    """Review of one database."""

    TITLE = "adjudicate records"
    DEFAULT_MODE = DOCUMENTS

    def __init__(self, sitting: RecordsSitting, *, keymap: Mapping[str, str] | None = None) -> None:
        self.sitting = sitting
        self.action_keys = with_keymap(keymap or {})
        super().__init__()
        for screen in (DocumentsScreen, RecordScreen, AccuracyScreen):
            self.add_mode(screen.kind, with_keys(screen, self.action_keys))

    def on_mount(self) -> None:
        """Begin with the list."""
        self.theme = "textual-dark"

    def on_key(self, event: events.Key) -> None:
        """A key read before a dialog opened, which nothing there is bound to, is typed into the dialog."""
        screen = self.screen
        if isinstance(screen, TypedInto) and screen.focused is None and event.key not in ("escape", "ctrl+s", "f2"):
            screen.take_ahead(event)
            event.prevent_default()

    def action_help(self) -> None:
        """All keys of the screen."""
        kind = getattr(self.screen, "kind", DOCUMENTS)
        lines = [Text(f"  {' '.join(shown(key) for key in self.action_keys[action.id]):<16}{action.help}") for action in of_screen(kind)]
        self.push_screen(Pages("Keys", lines))

    def action_change_mode(self) -> None:
        """Between dark and light."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"

    def show_record(self) -> None:
        """The document that was opened."""
        self.switch_mode(RECORD)

    def show_accuracy(self) -> None:
        """The accuracy read from the edits so far."""
        self.switch_mode(ACCURACY)

    def action_leave(self) -> None:
        """Leave. Every verdict given is in the log and in the database."""
        self.exit()


def make_records_app(sitting: RecordsSitting, *, keymap: Mapping[str, str] | None = None) -> RecordsDesk:
    """The app on a sitting: the same for the command and for tests.

    Raises:
        InputError: the key map is faulty.
    """
    return RecordsDesk(sitting, keymap=keymap)
