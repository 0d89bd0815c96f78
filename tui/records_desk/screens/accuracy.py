"""Accuracy read from the edits: the heat map of documents by fields, whose cells open into the edits, and the figures below.

The edits are counted in a thread, which is SQLite's work for the most part; the figures, whose intervals need a large library, are
worked out by our own command in a process of its own (`tui.environment.subprocess_json`). No key waits for either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.widgets import Static

from scoring.foundations.problems import InputError
from scoring.records.measures.accuracy import Accuracy, count
from scoring.records.measures.tables import Cell, Table, edit_list, heat_map
from tui.environment.subprocess_json import ask_json
from tui.keys.actions import ACCURACY, DOCUMENTS
from tui.records_desk.accuracy_view import CELL, edit_blocks, figure_blocks, shade
from tui.records_desk.screens.records import RecordsScreen
from tui.widgets.drawing import drawn, fitted
from tui.widgets.lines import LineList, LineView

NAME = 24
WORST, BY_ID = "worst first", "by id"


class AccuracyScreen(RecordsScreen):
    """Rows are documents, columns fields; a cell is edits a model record, as a number and a shade. `n/a` where there is no model record."""

    kind = ACCURACY
    DEFAULT_CSS = """
    AccuracyScreen #columns { height: 1; text-style: bold; }
    AccuracyScreen #map { height: 40%; }
    AccuracyScreen #figures { height: 1fr; border-top: solid $panel; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._found: Mapping[str, Any] = {}
        self._counted: Accuracy | None = None
        self._map: Table | None = None
        self._asked: tuple[int, int] | None = None
        self._document: Cell = None
        self._field: str | None = None
        self._first = 0
        self._by_id = self._in_order = self._schema_only = False

    def body(self) -> ComposeResult:
        yield Static("", id="columns", markup=False)
        yield LineList(self._line, id="map")
        yield LineView(self._figures, id="figures")

    # Working it out

    def on_screen_resume(self) -> None:
        """Work the figures out where something was written since; until they are there the last ones are shown."""
        self.refresh_all()
        if self._asked != self._written():
            self._ask()

    def _written(self) -> tuple[int, int]:
        """What changes with every write to the database, others' and one's own."""
        database = self.sitting.review.database
        return int(database.execute("PRAGMA data_version").fetchone()[0]), database.total_changes

    @work(exclusive=True, group="accuracy")
    async def _ask(self) -> None:
        review = self.sitting.review
        path, asked = review.store.path.resolve(), self._written()
        self.say("Working the figures out…")
        source = Path(review.schema.source) if review.schema is not None else None
        schema = ("--schema", str(source.resolve())) if source is not None and source.is_file() else ()
        try:
            counts = await asyncio.to_thread(count, path)
            self._counted = Accuracy({}, None, review.schema, None, {}, counts, ())
            self._map = heat_map(self._counted)
            self.refresh_all()
            self.say("Working the figures out…")
            self._found = await ask_json(path.parent, "records", "accuracy", str(path), *schema) or {}
        except InputError as fault:
            self.say(f"No figures: {fault}")
            return
        self._asked = asked
        self.refresh_all()

    # What is shown

    @property
    def _rows(self) -> Sequence[tuple[Cell, ...]]:
        """Document, name, then a cell a field, in the order chosen."""
        rows = self._map.rows if self._map is not None else ()
        return sorted(rows, key=lambda row: int(str(row[0]))) if self._by_id else rows

    @property
    def _fields(self) -> tuple[str, ...]:
        names = self._all_fields
        schema, order = self.sitting.review.schema, self.sitting.review.layout.fields
        if self._schema_only and schema is not None:
            names = tuple(name for name in names if name in schema.by_name)
        return tuple(sorted(names, key=lambda name: order.index(name) if name in order else len(order))) if self._in_order else names

    @property
    def _all_fields(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._map.columns[2:]) if self._map is not None else ()

    def _value(self, row: tuple[Cell, ...], name: str) -> float | None:
        cell = row[2 + self._all_fields.index(name)]
        return float(cell) if isinstance(cell, int | float) else None

    @property
    def _row(self) -> int:
        return next((at for at, row in enumerate(self._rows) if row[0] == self._document), 0 if self._rows else -1)

    @property
    def _column(self) -> int:
        return self._fields.index(self._field) if self._field in self._fields else 0

    def refresh_all(self) -> None:
        self.head(
            f"Accuracy of reviewed documents, from the edits   documents {BY_ID if self._by_id else WORST}, fields "
            f"{'in table order' if self._in_order else WORST}{', those of the schema' if self._schema_only else ''}"
        )
        self._draw()
        self.query_one("#figures", LineView).renew(keep_place=True)

    def _draw(self) -> None:
        rows, fields = self._rows, self._fields
        at = self._column
        room = max(1, ((self.size.width or 80) - NAME) // (CELL + 1))
        self._first = min(max(self._first, at - room + 1), at)
        shown = fields[self._first :]
        names = " ".join(fitted(("▸" if name == (fields[at] if fields else None) else "") + name, CELL) for name in shown)
        self.query_one("#columns", Static).update(fitted(f"{'document':<{NAME}} {names}", self.size.width or 80), layout=False)
        self.query_one("#map", LineList).show(len(rows), self._row)
        if self._map is None:
            return
        if rows and fields:
            row = rows[self._row]
            value = self._value(row, fields[at])
            words = "n/a, no model record" if value is None else f"{value:.3f} edits a model record"
            self.tell(f"document {row[0]} {row[1]}, {fields[at]}: {words}; Enter shows the edits")
        else:
            self.tell("No document is reviewed yet.")

    def _line(self, index: int, width: int) -> Text:
        row = self._rows[index]
        cells = (shade(self._value(row, name)) for name in self._fields[self._first :])
        return Text(fitted(f"{row[0]} {row[1]}", NAME) + " " + " ".join(cells))

    def _figures(self, width: int) -> Sequence[Text]:
        return drawn(figure_blocks(self._found, width), width, self.look) if self._found else (Text("Working the figures out…"),)

    # Moving

    def action_move(self, by: int) -> None:
        """Move over the documents."""
        rows = self._rows
        if rows:
            self._document = rows[min(max(self._row + by, 0), len(rows) - 1)][0]
            self._draw()

    def action_field(self, by: int) -> None:
        """Move over the fields."""
        fields = self._fields
        if fields:
            self._field = fields[min(max(self._column + by, 0), len(fields) - 1)]
            self._draw()

    def action_page(self, by: int) -> None:
        """Scroll the figures."""
        self.query_one("#figures", LineView).scroll_pages(by)

    def action_edge(self, to: int) -> None:
        """To the first or last document."""
        self.action_move(to * max(1, len(self._rows)))

    def action_sort(self) -> None:
        """The documents worst first, or by id."""
        self._by_id = not self._by_id
        self.refresh_all()

    def action_sort_fields(self) -> None:
        """The fields worst first, or in table order."""
        self._in_order = not self._in_order
        self.refresh_all()

    def action_scope(self) -> None:
        """The fields of the schema alone, or all that EcoExtract counts."""
        self._schema_only = not self._schema_only
        self.refresh_all()

    def action_enter(self) -> None:
        """The edits behind the cell."""
        rows, fields = self._rows, self._fields
        if not rows or not fields or self._counted is None:
            return
        document, column = int(str(rows[self._row][0])), fields[self._column]
        found = edit_list(self._counted, document, column)
        self.pages(f"Edits of {column} in document {document}: {len(found.rows)}", edit_blocks(found))

    def action_reload(self) -> None:
        """Work the figures out again."""
        self._ask()

    def action_back(self) -> None:
        """Back to the list of documents."""
        if self.sitting.sight is not None:
            self.app.show_record()  # type: ignore[attr-defined]
        else:
            self.app.switch_mode(DOCUMENTS)

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click opens."""
        self.action_move(message.position - self._row)
        if message.times > 1:
            self.action_enter()
