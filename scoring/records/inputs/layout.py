"""How an EcoExtract database is laid out: tables, columns, and what of it can be reviewed (`docs/ecoextract-behaviour.md#the-file`)."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

# The columns of `records` that EcoExtract does not count as fields (`docs/ecoextract-behaviour.md#fields-counted`).
SYSTEM = ("id", "document_id", "record_id", "added_by_user", "deleted_by_user")
# Columns of `records` that the program keeps, never the model's reading of a document.
BOOKKEEPING = ("extraction_timestamp", "prompt_hash", "fields_changed_count", "human_edited")
METADATA = ("title", "authors", "publication_year", "first_author_lastname", "doi", "journal", "volume", "issue")

Cell = str | int | float | bytes | None


def quoted(name: str) -> str:
    """A table or column name as SQL takes it, whatever characters it holds."""
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class Column:
    """A column as declared: its name, declared type (often empty), whether it refuses NULL, its default, whether it is the key."""

    name: str
    declared: str
    required: bool
    default: str | None
    key: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of the three tables; a table that is not there has none."""

    documents: tuple[Column, ...]
    records: tuple[Column, ...]
    edits: tuple[Column, ...]

    @property
    def counted(self) -> tuple[str, ...]:
        """The columns EcoExtract counts as fields, in table order."""
        return tuple(column.name for column in self.records if column.name not in SYSTEM)

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that hold what was read from the document, in table order."""
        return tuple(name for name in self.counted if name not in BOOKKEEPING)

    def record(self, name: str) -> Column | None:
        """The column of `records` of that exact name."""
        return next((column for column in self.records if column.name == name), None)

    def has(self, table: str, name: str) -> bool:
        """Whether the table has a column of that name."""
        columns: tuple[Column, ...] = getattr(self, table)
        return any(column.name == name for column in columns)

    @property
    def faults(self) -> tuple[str, ...]:
        """Why this database cannot be reviewed as it is; empty where it can. Reading it is always possible."""
        found: list[str] = []
        for table, columns in (("documents", self.documents), ("records", self.records), ("record_edits", self.edits)):
            if not columns:
                found.append(f"it has no table {table}")
        key = self.record("id")
        if self.records and key is None:
            found.append("records has no column id")
        if key is not None and key.declared.upper() == "INTEGER":
            found.append("its records are numbered (an integer id, as before EcoExtract 0.1.13)")
        elif key is not None and not key.key:
            found.append("records.id is not its key")
        for name in ("record_id", "deleted_by_user", "added_by_user"):
            if self.records and not self.has("records", name):
                found.append(f"records has no column {name}")
        if self.documents and not self.has("documents", "reviewed_at"):
            found.append("documents has no column reviewed_at")
        return tuple(found)


def read_layout(database: sqlite3.Connection) -> Layout:
    """The layout of an open database."""

    def columns(table: str) -> tuple[Column, ...]:
        return tuple(
            Column(name, declared or "", bool(required), default, bool(key))
            for _, name, declared, required, default, key in database.execute(f"PRAGMA table_info({quoted(table)})")
        )

    return Layout(columns("documents"), columns("records"), columns("record_edits"))
