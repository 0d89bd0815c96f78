"""Any row of the page, found by typing: a verdict can point to rows that are none of the claimants."""

from __future__ import annotations

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from scoring.adjudication.cases import Grid
from scoring.adjudication.cases import Line as GridLine
from tui.keys.actions import VALUE
from tui.screens.dialogs import dialog_bindings
from tui.screens.key_buffer import TextDialog
from tui.widgets.drawing import cells_of, fitted, squeezed
from tui.widgets.entry import SafeInput
from tui.widgets.lines import LineList


class RowChooser(TextDialog, ModalScreen[str | None]):
    """Offers the lines of a grid by their ROW; what is typed narrows them, escape gives `None`.

    `veiled` says that ROWs of models are not to be found by their names, since those tell which model it is.
    """

    DEFAULT_CSS = """
    RowChooser { align: center middle; }
    RowChooser > Vertical { width: 96%; height: 90%; border: round $primary; background: $surface; padding: 0 1; }
    RowChooser LineList { height: 1fr; }
    RowChooser Static { height: 1; }
    """
    BINDINGS = [  # noqa: RUF012
        *dialog_bindings(VALUE),
        Binding("down", "move(1)", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
    ]

    def __init__(self, rows: Grid, *, veiled: bool = False) -> None:
        super().__init__()
        self._rows, self._veiled = rows, veiled
        self._listed: tuple[GridLine, ...] = rows.lines
        self._at = 0

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static("Point the verdict to a row: type a part of its name, its number, or a ROW such as gt:28:4", markup=False)
            yield SafeInput("", select_on_focus=False)
            yield LineList(self._line)
            yield Static("↑ ↓ move, Enter points to the row, Escape leaves it.", markup=False)

    def on_mount(self) -> None:
        """All rows first."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        self.query_one(LineList).show(len(self._listed), self._at if self._listed else -1)

    def _line(self, index: int, width: int) -> Text:
        cells = self._listed[index].cells
        widths = [max(cells_of(line.cells[at]) for line in self._rows.lines) for at in range(len(cells))]
        return Text("  ".join(map(fitted, cells, squeezed(widths, width - 2 * (len(cells) - 1)))))

    def _says(self, line: GridLine) -> str:
        hidden = self._veiled and not (line.target or "").startswith("gt:")
        return " ".join((*line.cells, "" if hidden else line.target or "")).casefold()

    def _holds(self, line: GridLine, word: str) -> bool:
        return word == line.cells[1] if word.isdigit() else word in self._says(line)

    def follow(self, text: str) -> None:
        """Narrow the list to the rows that hold every word typed; a number alone is the number of a row."""
        words = text.casefold().split()
        self._listed = tuple(line for line in self._rows.lines if all(self._holds(line, word) for word in words))
        self._at = 0
        self._show()

    def entered(self, text: str) -> None:
        """Enter takes the row under the cursor."""
        if self._listed:
            self.dismiss(self._listed[self._at].target)

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click puts the cursor there, a double click takes the row."""
        self._at = message.position
        self._show()
        if message.times > 1:
            self.dismiss(self._listed[self._at].target)

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self._at = max(0, min(len(self._listed) - 1, self._at + by))
        self._show()

    def action_page(self, by: int) -> None:
        """Move a screenful."""
        self.action_move(by * max(1, self.query_one(LineList).size.height - 1))

    def action_cancel(self) -> None:
        """Leave without a row."""
        self.dismiss(None)
