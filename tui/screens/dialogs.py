"""Small questions in front of a screen: a line of text, a choice, a page of help."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from scoring.text import visible
from tui.widgets.drawing import wrapped
from tui.widgets.entry import Entry
from tui.widgets.lines import LineView

_BOX = """
{name} {{ align: center middle; }}
{name} > Vertical {{ width: 76; max-width: 96%; height: auto; max-height: 90%; }}
{name} > Vertical {{ border: round $primary; background: $surface; padding: 0 1; }}
{name} Static {{ height: auto; }}
"""


class AskText(ModalScreen[str | None]):
    """Asks for a line of text; escape gives `None`."""

    DEFAULT_CSS = _BOX.format(name="AskText")
    BINDINGS = [Binding("escape", "cancel", "leave")]  # noqa: RUF012

    def __init__(self, question: str, value: str = "", hint: str = "") -> None:
        super().__init__()
        self._question, self._value, self._hint = question, value, hint

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._question), markup=False)
            yield Entry(self._value, select_on_focus=False)
            yield Static(visible(self._hint or "Enter takes it, Escape leaves it."), markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter takes the text."""
        self.dismiss(event.value)

    def action_cancel(self) -> None:
        """Leave without an answer."""
        self.dismiss(None)


class Choose(ModalScreen[int | None]):
    """Offers up to nine choices by digit; escape gives `None`."""

    DEFAULT_CSS = _BOX.format(name="Choose")
    BINDINGS = [Binding("escape,q", "cancel", "leave"), *(Binding(str(n), f"take({n})", show=False) for n in range(1, 10))]  # noqa: RUF012

    def __init__(self, question: str, choices: Sequence[str]) -> None:
        super().__init__()
        self._question, self._choices = question, tuple(choices)

    def compose(self) -> ComposeResult:
        lines = [
            visible(self._question),
            "",
            *(f" {n}  {visible(choice)}" for n, choice in enumerate(self._choices, 1)),
            "",
            "Its digit takes a choice, Escape leaves it.",
        ]
        with Vertical():
            yield Static("\n".join(lines), markup=False)

    def action_take(self, number: int) -> None:
        """Take the choice of that number."""
        if number <= len(self._choices):
            self.dismiss(number - 1)

    def action_cancel(self) -> None:
        """Leave without a choice."""
        self.dismiss(None)


class Pages(ModalScreen[None]):
    """A page of lines to read, with a title; any of escape, q, ? closes it."""

    DEFAULT_CSS = _BOX.format(name="Pages") + "Pages > Vertical { width: 96%; height: 90%; } Pages LineView { height: 1fr; }"
    BINDINGS = [  # noqa: RUF012
        Binding("escape,q,question_mark,enter", "cancel", "close"),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[Text], indent: int = 0) -> None:
        super().__init__()
        self._title, self._lines, self._indent = title, lines, indent

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._title) + "   (Escape closes)", markup=False)
            yield LineView(lambda width: [part for line in self._lines for part in wrapped(line, width, self._indent)])

    def action_scroll(self, by: int) -> None:
        """Scroll a line."""
        view = self.query_one(LineView)
        view.scroll_to(y=view.scroll_offset.y + by, animate=False, immediate=True)

    def action_page(self, by: int) -> None:
        """Scroll a screenful."""
        self.query_one(LineView).scroll_pages(by)

    def action_cancel(self) -> None:
        """Close."""
        self.dismiss(None)


class Confirm(ModalScreen[bool]):
    """A list of what is going to happen, and a yes or no. Only `y` is a yes."""

    DEFAULT_CSS = _BOX.format(name="Confirm") + "Confirm > Vertical { width: 96%; height: 90%; } Confirm LineView { height: 1fr; }"
    BINDINGS = [  # noqa: RUF012
        Binding("y", "answer(True)", "yes"),
        Binding("n,escape,q", "answer(False)", "no"),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
    ]

    def __init__(self, question: str, lines: Sequence[Text]) -> None:
        super().__init__()
        self._question, self._lines = question, lines

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(visible(self._question), markup=False)
            yield LineView(lambda width: [part for line in self._lines for part in wrapped(line, width, 4)])
            yield Static("y does it, n or Escape leaves it", markup=False)

    def action_answer(self, answer: bool) -> None:
        """Answer."""
        self.dismiss(answer)

    def action_scroll(self, by: int) -> None:
        """Scroll a line."""
        view = self.query_one(LineView)
        view.scroll_to(y=view.scroll_offset.y + by, animate=False, immediate=True)
