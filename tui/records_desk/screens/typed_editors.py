"""Editors of a value, by its JSON Schema type: choices to pick from, yes or no, a line, or lines for lists and long texts.

What is typed is checked at every key, and a value of the wrong type is not taken: the editor stays open and says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from scoring.foundations.problems import InputError
from scoring.records.inputs.fields import Field
from scoring.texts.forms import visible
from tui.keys.actions import LINES, VALUE
from tui.screens.dialogs import Dialog, dialog_bindings
from tui.screens.key_buffer import TextDialog
from tui.widgets.drawing import fitted
from tui.widgets.entry import SafeInput, shown_cells
from tui.widgets.lines import LineList

EMPTY = "(empty)"
_BOX = """
{name} {{ align: center middle; }}
{name} > Vertical {{ width: 96; max-width: 96%; height: auto; max-height: 96%; }}
{name} > Vertical {{ border: round $primary; background: $surface; padding: 0 1; }}
{name} Static {{ height: auto; max-height: 6; }}
{name} KeyLine {{ background: $surface; link-background: $surface; }}
"""


class LinesEntry(TextArea):
    """Lines to type into, in which text from data cannot drive the terminal."""

    def get_line(self, line_index: int) -> Text:
        return Text(shown_cells(self.document.get_line(line_index)), end="", no_wrap=True)


class TypeLine(TextDialog, Dialog[str | None]):
    """A value typed on one line; taken by Enter when `check` does not refuse it, `None` by Escape."""

    DEFAULT_CSS = _BOX.format(name="TypeLine")
    kind = VALUE
    BINDINGS = dialog_bindings(VALUE)

    def __init__(self, title: str, text: str, about: str, check: Callable[[str], str], said: str = "") -> None:
        super().__init__()
        self._title, self._text, self._about, self._check, self._said = title, text, about, check, said
        self._first: str | None = None

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._title), markup=False, id="title")
            yield self.entry()
            yield Static(visible(self._said), markup=False, id="said")
            yield Static(visible(self._about), markup=False)
            yield self.key_line()

    def entry(self) -> Input | TextArea:
        """What is typed into."""
        return SafeInput(self._text, select_on_focus=False)

    def typed(self) -> str:
        """What was typed."""
        return self.query_one(SafeInput).value

    def on_mount(self) -> None:
        """Say at once how the value is taken."""
        if not self._said:
            self.judge(self.typed())

    def judge(self, text: str) -> bool:
        """Say how a text would be stored, or why not; whether it would."""
        try:
            said, good = f"✓ {self._check(text)}", True
        except InputError as fault:
            said, good = f"✗ {fault}", False
        self.query_one("#said", Static).update(visible(said))
        return good

    def follow(self, text: str) -> None:
        """Every key is judged."""
        self.judge(self.typed())

    def entered(self, text: str) -> None:
        """Take the value, unless it is refused."""
        if not self.is_current:
            return
        if self.judge(text):
            self.dismiss(text)
        else:
            self.app.bell()

    def action_take(self) -> None:
        """Take what was typed."""
        self.entered(self.typed())

    def action_cancel(self) -> None:
        """Leave the value as it was."""
        self.dismiss(None)


class TypeLines(TypeLine):
    """A value typed on several lines: a line an element of a list, or a long text."""

    DEFAULT_CSS = _BOX.format(name="TypeLines") + "TypeLines LinesEntry { height: 10; max-height: 60%; }"
    kind = LINES
    BINDINGS = dialog_bindings(LINES)

    def entry(self) -> TextArea:
        return LinesEntry(self._text, soft_wrap=True, tab_behavior="focus", show_line_numbers=False)

    def typed(self) -> str:
        # A text area may write line ends anew; what nobody touched stays as it was, to the character.
        text = self.query_one(LinesEntry).text
        return self._text if text == self._first else text

    def on_mount(self) -> None:
        area = self.query_one(LinesEntry)
        self._first = area.text
        area.move_cursor(area.document.end)


class Pick(TextDialog, Dialog[str | None]):
    """A choice among values: letters narrow the list, arrows move, Enter takes, Escape gives `None`, the empty choice the empty text."""

    DEFAULT_CSS = _BOX.format(name="Pick") + "Pick LineList { height: auto; min-height: 3; max-height: 14; }"
    kind = VALUE
    BINDINGS = [  # noqa: RUF012
        *dialog_bindings(VALUE),
        *(Binding(key, f"move({by})", show=False) for key, by in (("up", -1), ("down", 1), ("pageup", -10), ("pagedown", 10))),
    ]

    def __init__(self, title: str, choices: Sequence[str], now: str, about: str, *, empty: bool, said: str = "") -> None:
        super().__init__()
        self._title, self._about, self._said = title, about, said
        self._all = (*choices, *((EMPTY,) if empty else ()))
        self._shown: Sequence[str] = self._all
        self._at = self._all.index(now) if now in choices else len(self._all) - 1 if empty and not now else 0

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._title), markup=False)
            yield SafeInput("", placeholder="letters narrow the list", select_on_focus=False)
            yield LineList(lambda at, width: Text(fitted(f" {self._shown[at]}", width)))
            yield Static(visible(self._said), markup=False, id="said")
            yield Static(visible(self._about), markup=False)
            yield Static("Arrows choose, letters narrow the list.", markup=False)
            yield self.key_line()

    def on_mount(self) -> None:
        """Begin at the value that stands."""
        self.query_one(LineList).styles.height = min(14, max(3, len(self._all)))
        self._list()

    def _list(self) -> None:
        self.query_one(LineList).show(len(self._shown), self._at if self._shown else -1)

    def follow(self, text: str) -> None:
        """Narrow the list."""
        if not text and self._shown is self._all:
            return
        wanted = text.casefold()
        found = [choice for choice in self._all if wanted in choice.casefold()]
        self._shown = sorted(found, key=lambda choice: not choice.casefold().startswith(wanted)) if wanted else self._all
        self._at = 0
        self._list()

    def action_move(self, by: int) -> None:
        """Arrows move over the choices while letters are typed."""
        self._at = min(max(self._at + by, 0), max(0, len(self._shown) - 1))
        self._list()

    def entered(self, text: str) -> None:
        """Take the choice of the cursor."""
        if not self.is_current:
            return
        if not self._shown:
            self.app.bell()
            return
        choice = self._shown[self._at]
        self.dismiss("" if choice == EMPTY and self._at == len(self._shown) - 1 and choice not in self._all[:-1] else choice)

    def action_take(self) -> None:
        """Take the choice of the cursor."""
        self.entered("")

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click chooses, a double click takes."""
        self._at = message.position
        self._list()
        if message.times > 1:
            self.entered("")

    def action_cancel(self) -> None:
        """Leave the value as it was."""
        self.dismiss(None)


def editor(declared: Field, text: str, about: str, check: Callable[[str], str], *, empty: bool, said: str = "") -> ModalScreen[str | None]:
    """The editor of a field with its value as typed: its result is the new text, or `None`."""
    title = f"{declared.name}{'' if empty else ' *'}"
    if declared.choices:
        return Pick(title, declared.choices, text, about, empty=empty, said=said)
    if declared.types == ("boolean",):
        return Pick(title, ("yes", "no"), text, about, empty=empty, said=said)
    if {"array", "object"} & set(declared.types) or "\n" in text or "\r" in text:
        return TypeLines(title, text, about, check, said)
    return TypeLine(title, text, about, check, said)
