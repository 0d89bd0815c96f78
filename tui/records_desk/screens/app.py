"""The Records app: one database, one verifier. A factory and wiring."""

from __future__ import annotations

from collections.abc import Mapping

from tui.environment.theme import change_mode, wanted_theme
from tui.keys.actions import ACCURACY, DOCUMENTS, RECORD
from tui.keys.user_keys import changed, with_keymap
from tui.navigation.help_text import INDENT, help_lines
from tui.navigation.palette import ActionCommands
from tui.records_desk.screens.accuracy import AccuracyScreen
from tui.records_desk.screens.record import RecordScreen
from tui.records_desk.screens.records import DocumentsScreen
from tui.records_desk.session import RecordsSitting
from tui.screens.base import with_keys
from tui.screens.dialogs import Pages
from tui.screens.key_buffer import KeyBufferApp


class RecordsDesk(KeyBufferApp):
    """Review of one database."""

    TITLE = "adjudicate records"
    DEFAULT_MODE = DOCUMENTS

    # As at the workbench: the registry names the palette's keys, and what it lists.
    ENABLE_COMMAND_PALETTE = False
    COMMANDS = {ActionCommands}  # noqa: RUF012

    def __init__(self, sitting: RecordsSitting, *, keymap: Mapping[str, str] | None = None, theme: str | None = None) -> None:
        self.sitting = sitting
        self.action_keys = with_keymap(keymap or {})
        super().__init__()
        self.use_command_palette = True
        self.set_keymap(changed(self.action_keys))
        self._theme_wanted = wanted_theme(self, theme)
        for screen in (DocumentsScreen, RecordScreen, AccuracyScreen):
            self.add_mode(screen.kind, with_keys(screen, self.action_keys))

    def on_mount(self) -> None:
        """Begin with the list."""
        self.theme = self._theme_wanted

    def action_help(self) -> None:
        """All keys of the screen."""
        kind = getattr(self.screen, "kind", DOCUMENTS)
        self.push_screen(Pages("Keys", help_lines(kind, self.action_keys), indent=INDENT))

    def action_change_mode(self) -> None:
        """Between dark and light; the next start is so too."""
        change_mode(self)

    async def action_quit(self) -> None:
        """Textual's own key to quit leaves in the same way."""
        self.action_leave()

    def show_record(self) -> None:
        """The document that was opened."""
        self.switch_mode(RECORD)

    def show_accuracy(self) -> None:
        """The accuracy read from the edits so far."""
        self.switch_mode(ACCURACY)

    def action_leave(self) -> None:
        """Leave. Every verdict given is in the log and in the database."""
        self.exit()


def make_records_app(sitting: RecordsSitting, *, keymap: Mapping[str, str] | None = None, theme: str | None = None) -> RecordsDesk:
    """The app on a sitting: the same for the command and for tests.

    Raises:
        InputError: the key map is faulty, or there is no such theme.
    """
    return RecordsDesk(sitting, keymap=keymap, theme=theme)
