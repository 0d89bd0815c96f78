"""The edits of a review, one by one: what was there, what came, and what kind of mending it was (`docs/records.md#accuracy`).

The audit table keeps old values alone. The new value of an edit is the old value of the next one of the same cell,
and for the last one what stands in the record.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from scoring.records.inputs.layout import Layout, quoted
from scoring.records.inputs.values import cell_text

Kind = Literal["filled", "corrected", "cleared", "unknown"]
KINDS: tuple[Kind, ...] = ("filled", "corrected", "cleared", "unknown")


@dataclass(frozen=True, slots=True)
class Edit:
    """One audit row of a model record, with the value that followed (None: empty; `known` False: of no column there is)."""

    id: str
    document: int
    record: str
    name: str
    column: str
    before: str | None
    after: str | None
    at: str
    known: bool
    deleted: bool

    @property
    def kind(self) -> Kind:
        """What the edit did to the cell; unknown where its column is not in the table."""
        if not self.known:
            return "unknown"
        if is_blank(self.before):
            return "filled"
        return "cleared" if is_blank(self.after) else "corrected"


@dataclass(frozen=True, slots=True)
class EditSummary:
    """Edits by kind; cells touched at all; cells whose value differs now from what the model gave; edits of deleted records."""

    rows: int
    kinds: dict[Kind, int]
    cells: int
    changed_cells: int
    on_deleted: int


def is_blank(value: str | None) -> bool:
    """Whether a stored text says that there is nothing: NULL, the empty text, the empty list."""
    return value is None or value.strip() in ("", "[]")


def cell_edits(database: sqlite3.Connection, layout: Layout, is_model: str) -> Iterator[Edit]:
    """The edits of the model records of the documents in `temp.chosen`, by record and column, oldest first.

    An edit belongs to the first model record of its id, so that ids that are not unique count once.
    """
    # A record's row is read once for all of its edits.
    columns = [name for name in layout.counted if name] + ["record_id"]
    gone = "deleted_by_user" if layout.has("records", "deleted_by_user") else "NULL"
    identity = "id" if layout.has("edits", "id") else "rowid"
    owner = (
        f"SELECT r.rowid FROM records r WHERE r.id = e.record_id AND {is_model}"
        " AND r.document_id IN (SELECT document_id FROM temp.chosen) LIMIT 1"
    )
    audit = f"e.{identity}, e.record_id, e.column_name, e.original_value, e.edited_at"
    wanted = f"SELECT {audit}, ({owner}) AS row, e.rowid AS at FROM record_edits e"
    rows = database.execute(f"SELECT * FROM ({wanted}) WHERE row IS NOT NULL ORDER BY row, column_name, edited_at, at").fetchall()
    current = f"SELECT document_id, {gone}, {', '.join(quoted(name) for name in columns)} FROM records WHERE rowid = ?"
    for row, group in groupby(rows, key=lambda entry: entry[5]):
        document, deleted, *cells = database.execute(current, (row,)).fetchone()
        now = {name: None if cell is None else cell_text(cell) for name, cell in zip(columns, cells, strict=True)}
        for column, edits in groupby(group, key=lambda entry: entry[2]):
            of_cell = list(edits)
            following: list[str | None] = [_text(entry[3]) for entry in of_cell[1:]] + [now.get(column)]
            for entry, after in zip(of_cell, following, strict=True):
                yield Edit(
                    str(entry[0]), document, str(entry[1]), str(now.get("record_id")), str(column), _text(entry[3]), after, str(entry[4]),
                    column in now, deleted is not None,
                )  # fmt: skip


def _text(cell: object) -> str | None:
    return None if cell is None else str(cell)


def summary(edits: Iterable[Edit]) -> EditSummary:
    """Edits counted by kind and by cell. Edits of a cell must follow each other, oldest first."""
    edits = list(edits)
    kinds = dict.fromkeys(KINDS, 0)
    for edit in edits:
        kinds[edit.kind] += 1
    cells = [list(group) for _, group in groupby(edits, key=lambda edit: (edit.record, edit.column))]
    changed = sum(1 for cell in cells if cell[-1].known and cell[0].before != cell[-1].after)
    return EditSummary(len(edits), kinds, len(cells), changed, sum(1 for edit in edits if edit.deleted))
