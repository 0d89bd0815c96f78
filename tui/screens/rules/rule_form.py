"""A row of EQUIVALENCES.md as a form: a line for each column, checked before it is written, open until it is sound."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from scoring.rules import COLUMNS
from scoring.texts.forms import visible
from tui.keys.actions import VALUE
from tui.screens.dialogs import dialog_bindings
from tui.widgets.entry import SafeInput


@dataclass(frozen=True, slots=True)
class Column:
    """A column to fill in: its name, what goes there, and the words it takes where it takes no others."""

    name: str
    about: str
    choices: tuple[str, ...] = ()


_ABOUT = {
    "token": "the word to step over; {field} stands for the row's own value",
    "form": "the writing",
    "canonical": "what it is rewritten to, on both sides",
    "not": "what the form must never come to equal; blank: no rule may touch it",
    "field": "one field or several, with commas",
    "position": "leading, trailing or anywhere",
    "side": "model or both",
    "witness": "page and reading, or a ROW; blank: one is looked for",
    "note": "for the reader",
    "why": "why no rule may cover it",
}
_CHOICES = {"position": ("leading", "trailing", "anywhere"), "side": ("model", "both")}
KINDS = {"equivalence": "equivalence", "ignore": "ignore", "nearmiss": "near miss"}
"""Kind of a row as the commands name it -> its section of the file."""


def columns_of(kind: str) -> tuple[Column, ...]:
    """The columns a person fills in, by kind; the status is set by settling and reopening."""
    names = COLUMNS[KINDS[kind]]  # type: ignore[index]
    return tuple(Column(name, _ABOUT[name], _CHOICES.get(name, ())) for name in names if name != "status")


class RowForm(ModalScreen[None]):
    """The columns of a row to be written. Enter has it checked and written; refused, the form stays open and says why."""

    DEFAULT_CSS = """
    RowForm { align: center middle; }
    RowForm > Vertical { width: 100; max-width: 98%; height: auto; max-height: 96%; }
    RowForm > Vertical { border: round $primary; background: $surface; padding: 0 1; }
    RowForm Horizontal { height: 1; }
    RowForm .name { width: 11; }
    RowForm Entry { width: 1fr; }
    RowForm .about { height: 1; color: $text-muted; }
    RowForm #said { height: auto; max-height: 5; text-style: bold; }
    """
    AUTO_FOCUS = "SafeInput"
    BINDINGS = [  # noqa: RUF012
        *dialog_bindings(VALUE),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]

    def __init__(
        self,
        title: str,
        columns: Sequence[Column],
        values: Mapping[str, str],
        write: Callable[[dict[str, str]], Awaitable[str | None]],
    ) -> None:
        """`write` is given the values when they are entered, and says why it refuses them, or nothing when all is done."""
        super().__init__()
        self._title, self._columns, self._values, self._write = title, tuple(columns), dict(values), write
        self._writing = False

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._title), markup=False)
            for column in self._columns:
                with Horizontal():
                    yield Static(column.name, markup=False, classes="name")
                    yield SafeInput(self._values.get(column.name, ""), select_on_focus=False, compact=True, id=f"column-{column.name}")
            yield Static("", markup=False, classes="about")
            yield Static("", markup=False, id="said")
            yield Static("Enter writes it, after the checks; Tab goes on, Escape leaves it.", markup=False)

    def on_descendant_focus(self) -> None:
        """Say what goes into the line under the cursor."""
        column = next((one for one in self._columns if self.focused is not None and self.focused.id == f"column-{one.name}"), None)
        if column is not None:
            self.query_one(".about", Static).update(f"{column.name}: {column.about}")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter: have the row checked and written, unless that is going on already."""
        event.stop()
        if self._writing:
            return
        values = {column.name: self.query_one(f"#column-{column.name}", SafeInput).value.strip() for column in self._columns}
        for column in self._columns:
            if column.choices:
                found = [choice for choice in column.choices if values[column.name] and choice.startswith(values[column.name].casefold())]
                if len(found) != 1:
                    self._say(f"`{values[column.name]}` is no {column.name}: write {' or '.join(column.choices)}.")
                    self.query_one(f"#column-{column.name}", SafeInput).focus()
                    return
                values[column.name] = found[0]
        self._writing = True
        self._say("checking …")
        self._send(values)

    @work(group="rules-write", exit_on_error=False)
    async def _send(self, values: dict[str, str]) -> None:
        try:
            refusal = await self._write(values)
        finally:
            self._writing = False
        if refusal is None:
            self.dismiss(None)
        else:
            self._say(refusal)
            self.app.bell()

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(visible(text))

    def action_cancel(self) -> None:
        """Leave without writing; what is being written is waited for."""
        if not self._writing:
            self.dismiss(None)
