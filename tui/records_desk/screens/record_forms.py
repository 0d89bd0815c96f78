"""A form of fields that opens into typed editors: a record to be added, the description of a document."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from scoring.foundations.problems import InputError
from scoring.texts.forms import visible
from tui.keys.actions import FORM
from tui.records_desk.screens.typed_editors import TypeLine, editor
from tui.records_desk.session import RecordsSitting
from tui.screens.dialogs import Confirm, Dialog, dialog_bindings
from tui.widgets.drawing import fitted
from tui.widgets.lines import LineList


class FieldsForm(Dialog[str | None]):
    """Fields and values, a line each; Enter edits one. The result is what was done, in words, or `None`."""

    DEFAULT_CSS = """
    FieldsForm { align: center middle; }
    FieldsForm > Vertical { width: 100; max-width: 98%; height: auto; max-height: 96%; }
    FieldsForm > Vertical { border: round $primary; background: $surface; padding: 0 1; }
    FieldsForm Static { height: auto; max-height: 4; }
    FieldsForm LineList { height: 12; }
    """
    kind = FORM
    BINDINGS = dialog_bindings(FORM)
    TITLE_TEXT = ""
    HINT = ""

    def __init__(self, sitting: RecordsSitting, names: Sequence[str], values: dict[str, str]) -> None:
        super().__init__()
        self.sitting, self.names, self.values = sitting, tuple(names), values
        self._at = 0

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self.TITLE_TEXT), markup=False)
            yield LineList(self._line)
            yield Static("", markup=False, id="said")
            yield Static(self.HINT, markup=False)
            yield self.key_line()

    def on_mount(self) -> None:
        """Show the fields; the list is no higher than they need."""
        self.query_one(LineList).styles.height = min(max(3, len(self.names)), max(3, self.size.height - 8))
        self.redraw()

    def redraw(self, said: str | None = None) -> None:
        """Show the values as they are now, and what there is to say of the field."""
        self.query_one(LineList).show(len(self.names), self._at if self.names else -1)
        self.query_one("#said", Static).update(visible(self.about(self.names[self._at]) if said is None and self.names else said or ""))

    def _line(self, at: int, width: int) -> Text:
        name = self.names[at]
        label = min(max(map(len, self.names), default=0) + 2, max(10, width // 2))
        value = self.values.get(name, "").replace("\n", " ⏎ ")
        return Text(fitted(f"{self.mark(name)} {name}", label) + " " + fitted(value, width - label - 1))

    def mark(self, name: str) -> str:
        """The sign before a field."""
        return " "

    def about(self, name: str) -> str:
        """What the field takes."""
        return ""

    def action_move(self, by: int) -> None:
        """Move over the fields."""
        if self.names:
            self._at = min(max(self._at + by, 0), len(self.names) - 1)
            self.redraw()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click edits."""
        self.action_move(message.position - self._at)
        if message.times > 1:
            self.action_edit()

    def action_edit(self) -> None:
        """Edit the field."""

    def action_save(self) -> None:
        """Take it."""

    def action_cancel(self) -> None:
        """Leave without."""
        self.dismiss(None)


class NewRecord(FieldsForm):
    """A record the model missed. It is written when it is saved, as one verdict."""

    TITLE_TEXT = "New record: what the model missed (* must be filled)"
    HINT = "Saved, the record is one verdict; left, it is given up."

    def mark(self, name: str) -> str:
        return " " if self.sitting.may_be_empty(name) else "*"

    def about(self, name: str) -> str:
        return self.sitting.kind_of(name)

    def action_edit(self) -> None:
        """Edit the field by its type."""
        name, sitting = self.names[self._at], self.sitting

        def answered(text: str | None) -> None:
            if text is not None:
                self.values[name] = text
                self._at = min(self._at + 1, len(self.names) - 1)
            self.redraw()

        declared, free = sitting.field_of(name), self.mark(name) == " "
        dialog = editor(declared, self.values.get(name, ""), sitting.kind_of(name), lambda text: sitting.check(name, text), empty=free)
        self.app.push_screen(dialog, answered)

    def action_save(self) -> None:
        """Add the record, or say what it lacks."""
        try:
            said = self.sitting.add(self.values)
        except InputError as fault:
            self.redraw(f"✗ {fault}")
            self.app.bell()
            return
        self.dismiss(said)

    def action_cancel(self) -> None:
        """Leave; what was filled in is lost only after a question."""
        filled = [Text(visible(f"{name}: {value}")) for name, value in self.values.items() if value]
        if not filled:
            self.dismiss(None)
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self.dismiss(None)

        self.app.push_screen(Confirm("Give this record up?", filled), answered)


class Description(FieldsForm):
    """The description of the document. Each field is a verdict of its own, written at once; nothing else is rewritten."""

    TITLE_TEXT = "Description of the document"
    HINT = "Ids of records stay as they are."

    def __init__(self, sitting: RecordsSitting, refused: Callable[[InputError], None]) -> None:
        seen = sitting.description()
        super().__init__(sitting, tuple(seen), dict(seen))
        self._refused = refused
        self._done: list[str] = []

    def about(self, name: str) -> str:
        return "names parted by semicolons" if name == "authors" else "a whole number" if name == "publication_year" else "text"

    def action_edit(self) -> None:
        """Edit the field; it is written at once."""
        if not self.names:
            return
        name = self.names[self._at]
        seen = self.values[name]

        def answered(text: str | None) -> None:
            if text is None:
                return
            try:
                done = self.sitting.describe(name, text, seen)
            except InputError as fault:
                self.values |= self.sitting.description()
                self._refused(fault)
                self.redraw(f"✗ {fault}")
                return
            self._done.append(done)
            self.values |= self.sitting.description()
            self.redraw(done)

        self.app.push_screen(TypeLine(name, seen, self.about(name), self._check(name)), answered)

    def _check(self, name: str) -> Callable[[str], str]:
        def check(text: str) -> str:
            if name == "publication_year" and text.strip() and not text.strip().isdecimal():
                raise InputError("the publication year must be a whole number")
            return "will be empty" if not text.strip() else "text"

        return check

    def action_save(self) -> None:
        """Everything is saved already."""
        self.action_cancel()

    def action_cancel(self) -> None:
        """Back, with what was mended."""
        self.dismiss(", ".join(self._done) or None)
