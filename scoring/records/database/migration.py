"""A reviewable copy of a database of an older layout: uuids for ids, the columns a review needs.

See `docs/ecoextract-behaviour.md#older-layouts`.
"""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from scoring.foundations.problems import InputError
from scoring.records.database.connection import readable, refusal
from scoring.records.database.copy import copy_rows, keep_numbering, make_extras, make_tables, tables_of
from scoring.records.database.creation import new_database
from scoring.records.inputs.layout import Column, Layout, quoted, read_layout

_EDITS = (
    "CREATE TABLE record_edits (id TEXT PRIMARY KEY, record_id TEXT NOT NULL, column_name TEXT NOT NULL, original_value TEXT,"
    " edited_at TEXT NOT NULL, FOREIGN KEY (record_id) REFERENCES records (id))"
)
_NEEDED = {"deleted_by_user": "TEXT", "added_by_user": "INTEGER DEFAULT 0"}


@dataclass(frozen=True, slots=True)
class Migrated:
    """What was made: records, edits, and what a reader of the figures should know."""

    records: int
    edits: int
    notes: tuple[str, ...]


def migrate(path: Path, target: Path) -> Migrated:
    """Write a copy that can be reviewed; the source is only read. Every value and every edit comes over.

    Raises:
        InputError: not an EcoExtract database, nothing to migrate, or a target that is there.
    """
    with readable(path) as uri:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as source:
            layout = read_layout(source)
            nameless = source.execute("SELECT COUNT(*) FROM records WHERE id IS NULL").fetchone()[0] if layout.has("records", "id") else 0
        if not layout.documents or not layout.records:
            raise InputError("this is not an EcoExtract database: it has no tables documents and records", where=path)
        if not layout.faults and not nameless:
            raise InputError("this database can be reviewed as it is", where=path)
        database = new_database(target, uri=True)
        try:
            database.execute("ATTACH ? AS source", (uri,))
            database.execute("BEGIN")
            migrated = _migrated(database, layout, nameless)
            database.execute("COMMIT")
        except BaseException as fault:
            database.close()
            target.unlink(missing_ok=True)
            if isinstance(fault, sqlite3.Error):
                raise refusal(fault, path) from fault
            raise
        database.close()
        return migrated


def _migrated(database: sqlite3.Connection, layout: Layout, nameless: int) -> Migrated:
    notes = []
    statements = tables_of(database, "source")
    make_tables(database, [sql for table, sql in statements.items() if table not in ("records", "record_edits")])
    for table in statements:
        if table not in ("records", "record_edits"):
            copy_rows(database, table, "source")
    if not layout.has("documents", "reviewed_at"):
        database.execute("ALTER TABLE main.documents ADD COLUMN reviewed_at TEXT")
    columns = [column for column in layout.records if column.name != "id"]
    missing = [name for name in _NEEDED if not layout.has("records", name)]
    database.execute(_records_table(columns, missing))
    database.execute(_EDITS)
    ids = _new_ids(database, layout)
    names = ", ".join(quoted(column.name) for column in columns)
    database.execute(
        f"INSERT INTO main.records (id, {names}) SELECT i.fresh, {', '.join('t.' + quoted(column.name) for column in columns)}"
        " FROM source.records t JOIN temp.ids i ON i.row = t.rowid ORDER BY t.rowid"
    )
    edits = _edits(database, layout) if layout.edits else 0
    make_extras(database, "source")
    keep_numbering(database, "source")
    if "added_by_user" in missing:
        notes.append("records had no column added_by_user: all of them count as the model's now, where EcoExtract counted none")
    if nameless:
        notes.append(f"{nameless} records had no id and have one now")
    if layout.edits:
        lost = database.execute("SELECT COUNT(*) FROM main.record_edits WHERE record_id NOT IN (SELECT id FROM main.records)").fetchone()[0]
        if lost:
            notes.append(f"{lost} edits are of no record there is; they were kept")
    return Migrated(ids, edits, tuple(notes))


def _records_table(columns: list[Column], missing: list[str]) -> str:
    lines = ["id TEXT PRIMARY KEY"]
    for column in columns:
        default = f" DEFAULT {column.default}" if column.default is not None else ""
        lines.append(f"{quoted(column.name)} {column.declared}{' NOT NULL' if column.required else ''}{default}")
    lines += [f"{name} {_NEEDED[name]}" for name in missing]
    if {"document_id", "record_id"} <= {column.name for column in columns}:
        lines.append("UNIQUE (document_id, record_id)")
        lines.append("FOREIGN KEY (document_id) REFERENCES documents (document_id)")
    return f"CREATE TABLE records ({', '.join(lines)})"


def _new_ids(database: sqlite3.Connection, layout: Layout) -> int:
    """A uuid for each record that has none, in `temp.ids`; ids that are texts already stay."""
    database.execute("CREATE TEMP TABLE ids (row INTEGER PRIMARY KEY, old, fresh TEXT)")
    key = layout.record("id")
    keep = key is not None and key.declared.upper() != "INTEGER"
    old = "id" if key is not None else "NULL"
    rows = database.execute(f"SELECT rowid, {old} FROM source.records").fetchall()
    taken: set[str] = set()
    fresh = []
    for row, identity in rows:
        kept = str(identity) if keep and identity is not None and str(identity) not in taken else str(uuid4())
        taken.add(kept)
        fresh.append((row, identity, kept))
    database.executemany("INSERT INTO temp.ids VALUES (?, ?, ?)", fresh)
    database.execute("CREATE INDEX temp.ids_old ON ids (old)")
    return len(rows)


def _edits(database: sqlite3.Connection, layout: Layout) -> int:
    """Every edit with a uuid of its own, pointing to its record's new id."""
    numbered = any(column.name == "id" and column.declared.upper() == "INTEGER" for column in layout.edits)
    known = {str(old): fresh for old, fresh in database.execute("SELECT old, fresh FROM temp.ids WHERE old IS NOT NULL ORDER BY row DESC")}
    rows = database.execute(
        "SELECT id, record_id, column_name, original_value, edited_at FROM source.record_edits ORDER BY rowid"
    ).fetchall()
    for identity, record, column, original, at in rows:
        fresh = str(uuid4()) if numbered or identity is None else str(identity)
        database.execute(
            "INSERT INTO main.record_edits VALUES (?, ?, ?, ?, ?)", (fresh, known.get(str(record), str(record)), column, original, at)
        )
    return len(rows)
