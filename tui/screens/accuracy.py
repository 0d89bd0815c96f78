"""Accuracy read from the edits: the heat map of documents by fields, whose cells open into the edits, and all figures below."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.problems import InputError
from scoring.records.accuracy import Accuracy, accuracy
from scoring.records.tables import Table, edit_list, heat_map, tables
from tui.actions import ACCURACY, DOCUMENTS
from tui.screens.dialogs import Pages
from tui.screens.records import RecordsScreen
from tui.widgets.drawing import drawn, fitted
from tui.widgets.lines import LineList, LineView

CELL = 8
SHADES = " ░▒▓█"


class AccuracyScreen(RecordsScreen):
    """Rows are documents, columns fields, both worst first; a cell is edits a model record, a number and a shade."""

    kind = ACCURACY
    DEFAULT_CSS = """
    AccuracyScreen #columns { height: 1; }
    AccuracyScreen #map { height: 40%; }
    AccuracyScreen #figures { height: 1fr; border-top: solid $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._found: Accuracy | None = None
        self._map: Table | None = None
        self._row, self._column = 0, 0
        self._figures: Sequence[Block] = ()

    def body(self) -> ComposeResult:
        yield Static("", id="columns", markup=False)
        yield LineList(self._line, id="map")
        yield LineView(lambda width: drawn(self._figures, width, self.look), id="figures")

    def refresh_all(self) -> None:
        try:
            self._found = accuracy(self.sitting.review.store.path)
        except InputError as fault:
            self.say(str(fault))
            return
        self._map = heat_map(self._found)
        names = ("detection", "ecoextract", "schema_only", "columns", "kinds", "documents")
        self._figures = [Facts("Notes", tuple(("", note) for note in self._found.notes))] if self._found.notes else []
        self._figures = [*map(grid_of, tables(self._found, names)), *self._figures]
        self._row = min(self._row, max(0, len(self._map.rows) - 1))
        self.head("Accuracy from the edits of reviewed documents   documents by fields, worst first; Enter shows the edits")
        self._draw()
        self.query_one("#figures", LineView).renew(keep_place=True)

    @property
    def _fields(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._map.columns[2:]) if self._map is not None else ()

    def _draw(self) -> None:
        assert self._map is not None
        names = " ".join(fitted(("▸" if at == self._column else "") + name, CELL) for at, name in enumerate(self._fields))
        self.query_one("#columns", Static).update(fitted(f"{'document':<24} {names}", self.size.width or 80), layout=False)
        self.query_one("#map", LineList).show(len(self._map.rows), self._row if self._map.rows else -1)
        self.say(
            f"document {self._map.rows[self._row][0]}, {self._fields[self._column]}"
            if self._map.rows and self._fields
            else "No document is reviewed."
        )

    def _line(self, index: int, width: int) -> Text:
        assert self._map is not None
        document, name, *values = self._map.rows[index]
        cells = []
        for value in values:
            shade = (
                "" if not isinstance(value, float | int) else SHADES[min(len(SHADES) - 1, round(float(value) * (len(SHADES) - 1) + 0.49))]
            )
            cells.append(fitted("" if value is None else f"{value:.2f} {shade}", CELL))
        return Text(fitted(f"{document} {name}", 24) + " " + " ".join(cells))

    def action_move(self, by: int) -> None:
        """Move over the documents."""
        if self._map is not None and self._map.rows:
            self._row = min(max(self._row + by, 0), len(self._map.rows) - 1)
            self._draw()

    def action_field(self, by: int) -> None:
        """Move over the fields."""
        if self._fields:
            self._column = min(max(self._column + by, 0), len(self._fields) - 1)
            self._draw()
            self.query_one("#map", LineList).refresh()

    def action_page(self, by: int) -> None:
        """Scroll the figures."""
        self.query_one("#figures", LineView).scroll_pages(by)

    def action_edge(self, to: int) -> None:
        """To the first or last document."""
        if self._map is not None:
            self.action_move(to * len(self._map.rows))

    def action_enter(self) -> None:
        """The edits behind the cell."""
        if self._found is None or self._map is None or not self._map.rows:
            return
        document = self._map.rows[self._row][0]
        field = self._fields[self._column] if self._fields else None
        table = edit_list(self._found, int(str(document)), field)
        self.app.push_screen(
            Pages(f"Edits of {field} in document {document}", drawn([grid_of(table)], max(40, self.size.width - 8), self.look))
        )

    def action_back(self) -> None:
        """Back to the list of documents."""
        self.app.switch_mode(DOCUMENTS)


def grid_of(table: Table) -> Grid:
    """A table of figures as a block."""
    lines = tuple(
        Line(tuple("" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row)) for row in table.rows
    )
    return Grid(f"{table.title}. {table.note}" if table.note else table.title, tuple(name for name, _ in table.columns), lines)
