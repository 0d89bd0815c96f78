"""Small questions in front of a screen: a line of text, a choice, a yes or no, a page to read. Keys or mouse answer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from scoring.texts.forms import visible
from tui.keys.actions import BY_ID, CHOICE, CHOICES, CONFIRM, PAGES, TEXT, Action, by_need, of_screen
from tui.screens.base import bindings_of
from tui.screens.key_buffer import TextDialog
from tui.widgets.drawing import fitted, wrapped
from tui.widgets.entry import SafeInput
from tui.widgets.keyline import KeyLine
from tui.widgets.lines import LineList, LineView

_BOX = """
{name} {{ align: center middle; }}
{name} > Vertical {{ width: 76; max-width: 96%; height: auto; max-height: 90%; }}
{name} > Vertical {{ border: round $primary; background: $surface; padding: 0 1; }}
{name} Static {{ height: auto; }}
{name} KeyLine {{ background: $surface; link-background: $surface; }}
"""
_TALL = "{name} > Vertical {{ width: 96%; height: 90%; }} {name} LineView {{ height: 1fr; }}"
_KEYS = {action.id: action.keys for action in BY_ID.values()}
Answer = TypeVar("Answer")


def keys_of(app: Any) -> Mapping[str, tuple[str, ...]]:
    """The keys of the app's user; those of the registry where the app has none."""
    keys: Mapping[str, tuple[str, ...]] = getattr(app, "action_keys", _KEYS)
    return keys


def dialog_bindings(kind: str) -> list[BindingType]:
    """The bindings of a dialog as the registry has them; the app lays the user's over them by their ids (`keymap.changed`)."""
    return bindings_of(kind, _KEYS)


class Dialog(ModalScreen[Answer]):
    """What the questions share; `kind` names one in the registry, whose keys are shown at its foot and answer to a click."""

    kind: ClassVar[str] = ""

    def acts(self) -> tuple[Action, ...]:
        """What can be done in it, most needed first."""
        return by_need(of_screen(self.kind))

    def key_line(self) -> KeyLine:
        """The keys of the question, at its foot."""
        return KeyLine(self.acts, keys_of(self.app))

    def action_cancel(self) -> None:
        """Leave without an answer."""
        self.dismiss(None)


class AskText(TextDialog, Dialog[str | None]):
    """Asks for a line of text; left, it gives `None`."""

    kind = TEXT
    DEFAULT_CSS = _BOX.format(name="AskText")
    BINDINGS = dialog_bindings(TEXT)

    def __init__(self, question: str, value: str = "", hint: str = "") -> None:
        super().__init__()
        self._question, self._value, self._hint = question, value, hint

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._question), markup=False)
            yield SafeInput(self._value, select_on_focus=False)
            yield Static(visible(self._hint), markup=False)
            yield self.key_line()

    def entered(self, text: str) -> None:
        """Enter takes the text."""
        self.dismiss(text)

    def action_take(self) -> None:
        """Take the text as it is."""
        self.dismiss(self.query_one(Input).value)


class Choose(Dialog[int | None]):
    """Offers up to nine choices by digit, by cursor or by a click; left, it gives `None`."""

    kind = CHOICE
    DEFAULT_CSS = _BOX.format(name="Choose") + "Choose LineList { height: auto; min-height: 1; max-height: 12; margin: 1 0; }"
    BINDINGS = dialog_bindings(CHOICE)

    def __init__(self, question: str, choices: Sequence[str]) -> None:
        super().__init__()
        self._question, self._choices = question, tuple(choices)
        self._at = 0

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._question), markup=False)
            yield LineList(self._line)
            yield self.key_line()

    def on_mount(self) -> None:
        """The list is as high as the choices are many."""
        choices = self.query_one(LineList)
        choices.styles.height = len(self._choices)
        choices.show(len(self._choices), self._at)

    def acts(self) -> tuple[Action, ...]:
        return (*CHOICES[: len(self._choices)], *(action for action in super().acts() if action not in CHOICES))

    def _line(self, index: int, width: int) -> Text:
        keys = keys_of(self.app)
        key = keys[f"choice.{index + 1}"][0] if f"choice.{index + 1}" in keys else ""
        return Text(fitted(f" {key:<2} {visible(self._choices[index])}", width))

    def action_move(self, by: int) -> None:
        """Move over the choices."""
        self._at = min(max(self._at + by, 0), len(self._choices) - 1)
        self.query_one(LineList).put(self._at)

    def action_take(self, number: int) -> None:
        """Take the choice of that number."""
        if number <= len(self._choices):
            self.dismiss(number - 1)

    def action_take_here(self) -> None:
        """Take the choice under the cursor."""
        self.action_take(self._at + 1)

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click takes the choice."""
        self.action_take(message.position + 1)


class _Reading(Dialog[Answer]):
    """A dialog with lines to scroll through."""

    def action_move(self, by: int) -> None:
        """Scroll so many lines."""
        view = self.query_one(LineView)
        view.scroll_to(y=view.scroll_offset.y + by, animate=False, immediate=True)

    def action_page(self, by: int) -> None:
        """Scroll a screenful."""
        self.query_one(LineView).scroll_pages(by)


class Pages(_Reading[None]):
    """A page of lines to read, with a title."""

    kind = PAGES
    DEFAULT_CSS = _BOX.format(name="Pages") + _TALL.format(name="Pages")
    BINDINGS = dialog_bindings(PAGES)

    def __init__(self, title: str, lines: Sequence[Text], indent: int = 0) -> None:
        super().__init__()
        self._title, self._lines, self._indent = title, lines, indent

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._title), markup=False)
            yield LineView(lambda width: [part for line in self._lines for part in wrapped(line, width, self._indent)])
            yield self.key_line()


class Confirm(_Reading[bool]):
    """A list of what is going to happen, and a yes or no. Only the key or the word of the yes is a yes."""

    kind = CONFIRM
    DEFAULT_CSS = _BOX.format(name="Confirm") + _TALL.format(name="Confirm")
    BINDINGS = dialog_bindings(CONFIRM)

    def __init__(self, question: str, lines: Sequence[Text]) -> None:
        super().__init__()
        self._question, self._lines = question, lines

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._question), markup=False)
            yield LineView(lambda width: [part for line in self._lines for part in wrapped(line, width, 4)])
            yield self.key_line()

    def action_answer(self, answer: bool) -> None:
        """Answer."""
        self.dismiss(answer)
