"""A table as the files of a data package: CSV, Parquet, and the description of its columns (Frictionless Table Schema)."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal

from scoring.reports.render import to_csv
from scoring.reports.tables import Cell, Column, Table

Type = Literal["string", "integer", "number", "boolean"]
CELL = ("model", "phase")
# The columns that name a row, where a table has such; they are declared where every row is complete and no two are alike.
KEYS = {
    "ground_truth": ("page", "row"),
    "inputs": ("path",),
    "log": ("id",),
    "scores_summary": CELL,
    "scores_pages": (*CELL, "run", "page"),
    "scores_fields": (*CELL, "field"),
    "instruments": CELL,
    "usage": CELL,
    "spread": (*CELL, "figure"),
    "rows_found": ("page", "gt_row", *CELL),
    "gate_curve": (*CELL, "gate"),
    "intervals": (*CELL, "figure"),
    "decisions": ("verifier", "by", "verdict", "blind"),
    "behind": (*CELL, "run", "page", "entry"),
    "pages_unscored": (*CELL, "run", "page"),
    "misread_chance": (*CELL, "run", "page"),
    "questions_summary": ("question", *CELL),
    "questions_answers": (*CELL, "run", "document", "question"),
    "questions_consistency": ("question", *CELL, "document"),
}


@dataclass(frozen=True, slots=True)
class Resource:
    """A file of the package.

    Attributes:
        name: unlike all others; small letters, digits, `-`, `_`, `.`.
        path: from the folder of the package, with `/`.
        title, note: for people.
        media: its media type.
        schema: Table Schema of a CSV file; None for others.
        fingerprint: 8 hex digits over what was parsed of it, where it has such.
    """

    name: str
    path: str
    title: str
    data: bytes
    media: str
    note: str = ""
    schema: dict[str, Any] | None = None
    fingerprint: str = ""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def descriptor(self) -> dict[str, Any]:
        """The resource as Frictionless describes it."""
        found: dict[str, Any] = {"name": self.name, "path": self.path, "title": self.title}
        if self.note:
            found["description"] = self.note
        found |= {"mediatype": self.media, "bytes": len(self.data), "hash": f"sha256:{self.sha256}"}
        if self.schema is not None:
            table = {"type": "table", "profile": "tabular-data-resource", "format": "csv", "encoding": "utf-8", "schema": self.schema}
            return found | table
        # Without a type the library takes a file for a table by the end of its name.
        return found | {"type": "file", "profile": "data-resource"}


def has_parquet() -> bool:
    """Whether Parquet can be written here (extra `parquet`)."""
    return find_spec("pyarrow") is not None


def resources(table: Table, *, parquet: bool) -> list[Resource]:
    """A table as CSV and, if wanted, as Parquet. CSV is made safe for spreadsheets; Parquet holds texts as they are."""
    table = _distinct(table)
    types = [_type(column, [row[at] for row in table.rows]) for at, column in enumerate(table.columns)]
    data = to_csv(table).encode("utf-8", "backslashreplace")
    made = [Resource(table.name, f"data/{table.name}.csv", table.title, data, "text/csv", table.note, _schema(table, types))]
    if parquet:
        path = f"data/{table.name}.parquet"
        note = "The same table as the CSV file of this name."
        made.append(Resource(f"{table.name}.parquet", path, table.title, to_parquet(table, types), "application/vnd.apache.parquet", note))
    return made


def _distinct(table: Table) -> Table:
    """The table, columns of one name told apart by numbers."""
    taken: set[str] = set()
    found = []
    for column in table.columns:
        name, number = column.name, 1
        while name in taken:
            number += 1
            name = f"{column.name}_{number}"
        taken.add(name)
        found.append(Column(name, column.kind, column.heading))
    return Table(table.name, table.title, tuple(found), table.rows, table.note)


def _type(column: Column, cells: list[Cell]) -> Type:
    given = {type(cell) for cell in cells if cell is not None}
    if not given:
        return "string" if column.kind in ("text", "span") else "integer" if column.kind == "count" else "number"
    if given == {bool}:
        return "boolean"
    if str in given or bool in given:
        return "string"
    return "integer" if given == {int} and column.kind in ("count", "text", "span") else "number"


def _schema(table: Table, types: list[Type]) -> dict[str, Any]:
    fields = [{"name": column.name, "title": column.title, "type": kind} for column, kind in zip(table.columns, types, strict=True)]
    key = KEYS.get(table.name, ())
    places = [table.header.index(name) for name in key if name in table.header]
    values = [tuple(row[at] for at in places) for row in table.rows]
    sound = key and len(places) == len(key) and len(set(values)) == len(values)
    if sound and not any(cell is None or cell == "" for value in values for cell in value):
        return {"fields": fields, "primaryKey": list(key)}
    return {"fields": fields}


def to_parquet(table: Table, types: list[Type]) -> bytes:
    """The table as Parquet: the same table gives the same bytes under one version of the library."""
    import pyarrow
    from pyarrow import parquet

    kinds = {"string": pyarrow.string(), "integer": pyarrow.int64(), "number": pyarrow.float64(), "boolean": pyarrow.bool_()}
    arrays = [
        pyarrow.array([_plain(row[at], kind) for row in table.rows], type=kinds[kind]) for at, kind in enumerate(types)
    ]  # fmt: skip
    stream = io.BytesIO()
    made = pyarrow.Table.from_arrays(arrays, names=[column.name for column in table.columns])
    parquet.write_table(made, stream, compression="zstd")
    return stream.getvalue()


def _plain(cell: Cell, kind: Type) -> Cell:
    if cell is None:
        return None
    if kind == "string":
        # A lone surrogate, which UTF-8 does not have, is written as its escape.
        return str(cell).encode("utf-8", "backslashreplace").decode("utf-8")
    return float(cell) if kind == "number" else cell
