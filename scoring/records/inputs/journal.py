"""Our own table in the database: what was done, by whom, on what it was based (`docs/ecoextract-behaviour.md#our-decisions`).

One row a verdict, keyed by the id of its log entry, so that log and database can be held against each other. EcoExtract
does not look at the table; its uuid key and its `document_id` let EcoExtract's own split and combine carry it along.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from scoring.records.inputs.layout import Layout, quoted
from scoring.records.inputs.operations import Operation, from_plain

JOURNAL = "adjudicate_verdicts"
TRIGGER = "adjudicate_edit_document"
LIST_INDEX = "adjudicate_document_list"

TABLE = f"""CREATE TABLE IF NOT EXISTS {JOURNAL} (
  id TEXT PRIMARY KEY,
  document_id INTEGER,
  record TEXT,
  kind TEXT NOT NULL,
  operation TEXT NOT NULL,
  edit_id TEXT,
  seen TEXT,
  verifier TEXT NOT NULL,
  at TEXT NOT NULL,
  local TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  undoes TEXT
)"""
_INDEXES = (
    f"CREATE INDEX IF NOT EXISTS {JOURNAL}_record ON {JOURNAL} (record)",
    f"CREATE INDEX IF NOT EXISTS {JOURNAL}_document ON {JOURNAL} (document_id)",
)
# Audit rows that other programs write later must carry their document too: EcoExtract's split drops rows without one.
_TRIGGER = f"""CREATE TRIGGER IF NOT EXISTS {TRIGGER} AFTER INSERT ON record_edits WHEN NEW.document_id IS NULL
BEGIN
  UPDATE record_edits SET document_id = (SELECT document_id FROM records WHERE id = NEW.record_id) WHERE rowid = NEW.rowid;
END"""
_LISTED = ("document_id", "file_name", "title", "first_author_lastname", "publication_year", "reviewed_at", "extraction_llm_model")


@dataclass(frozen=True, slots=True)
class Step:
    """A row of the journal. `words` is what was done; `undoes` the id of the step it takes back; `edit` the audit row it wrote."""

    id: str
    document: int | None
    record: str | None
    kind: str
    operation: Operation
    edit: str | None
    verifier: str
    at: str
    local: str
    note: str
    undoes: str | None

    @property
    def words(self) -> str:
        return f"undo: {self.kind}" if self.undoes else self.kind


def has_journal(database: sqlite3.Connection) -> bool:
    """Whether anything of ours is in the database."""
    return database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (JOURNAL,)).fetchone() is not None


def prepare(database: sqlite3.Connection, layout: Layout) -> None:
    """Add what a review needs, inside the caller's transaction: our table, the document of each audit row, an index for the list."""
    database.execute(TABLE)
    for index in _INDEXES:
        database.execute(index)
    if database.execute(f"SELECT 1 FROM {JOURNAL} WHERE kind = 'database'").fetchone() is None:
        database.execute(
            f"INSERT INTO {JOURNAL} (id, kind, operation, verifier, at, local) VALUES (?, 'database', '', '', '', '')", (str(uuid4()),)
        )
    if not layout.has("edits", "document_id"):
        database.execute("ALTER TABLE record_edits ADD COLUMN document_id INTEGER")
    owner = "SELECT document_id FROM records WHERE id = record_edits.record_id"
    database.execute(f"UPDATE record_edits SET document_id = ({owner}) WHERE document_id IS NULL")
    database.execute(_TRIGGER)
    listed = ", ".join(quoted(name) for name in _LISTED if layout.has("documents", name))
    database.execute(f"CREATE INDEX IF NOT EXISTS {LIST_INDEX} ON documents ({listed})")


def is_prepared(database: sqlite3.Connection, layout: Layout) -> bool:
    """Whether `prepare` has nothing to do."""
    there = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'adjudicate_%'")}
    return {JOURNAL, TRIGGER, LIST_INDEX} <= there and layout.has("edits", "document_id") and identity(database) is not None


def identity(database: sqlite3.Connection) -> str | None:
    """The id by which log entries name this database."""
    if not has_journal(database):
        return None
    row = database.execute(f"SELECT id FROM {JOURNAL} WHERE kind = 'database' ORDER BY id").fetchone()
    return None if row is None else str(row[0])


def write(
    database: sqlite3.Connection,
    entry: str,
    operation: Operation,
    *,
    edit: str | None,
    verifier: str,
    at: str,
    local: str,
    note: str,
    undoes: str | None,
    kind: str | None = None,
) -> None:
    """Write one step, inside the caller's transaction."""
    database.execute(
        f"INSERT INTO {JOURNAL} (id, document_id, record, kind, operation, edit_id, seen, verifier, at, local, note, undoes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            entry,
            operation.document,
            operation.record,
            kind or operation.kind,
            json.dumps(operation.plain(), ensure_ascii=False),
            edit,
            operation.seen,
            verifier,
            at,
            local,
            note,
            undoes,
        ),
    )


_COLUMNS = "id, document_id, record, kind, operation, edit_id, verifier, at, local, note, undoes"


def steps(database: sqlite3.Connection, verifier: str | None = None, record: str | None = None, document: int | None = None) -> list[Step]:
    """The steps in the order they were taken, of one verifier, one record, one document, or all."""
    if not has_journal(database):
        return []
    chosen = {"verifier": verifier, "record": record, "document_id": document}
    given = {name: value for name, value in chosen.items() if value is not None}
    where = "".join(f" AND {name} = ?" for name in given)
    query = f"SELECT {_COLUMNS} FROM {JOURNAL} WHERE kind <> 'database'{where} ORDER BY id"
    return [_step(row) for row in database.execute(query, tuple(given.values()))]


def step(database: sqlite3.Connection, entry: str) -> Step:
    """The step of a log entry that is known to be there."""
    return _step(database.execute(f"SELECT {_COLUMNS} FROM {JOURNAL} WHERE id = ?", (entry,)).fetchone())


def standing(database: sqlite3.Connection, verifier: str) -> list[tuple[str, int]]:
    """A verifier's steps that are not undone, in order: each one's id and its depth (0 a verdict, odd an undo, even a redo).

    Taking back a taking back brings the first step to life again. Verdicts that were set aside never came to stand.
    """
    query = f"SELECT id, undoes FROM {JOURNAL} WHERE verifier = ? AND kind NOT IN ('database', 'refused') ORDER BY id"
    return _alive(database.execute(query, (verifier,)).fetchall())


def standing_marks(database: sqlite3.Connection, document: int) -> list[str]:
    """The ids of the steps, first given or done again, that marked a document reviewed and were not undone, in order."""
    query = f"SELECT id, undoes, kind FROM {JOURNAL} WHERE document_id = ? AND kind IN ('reviewed', 'unreviewed') ORDER BY id"
    rows = database.execute(query, (document,)).fetchall()
    marks = {entry for entry, _, kind in rows if kind == "reviewed"}
    first: dict[str, str] = {}
    for entry, undoes, _ in rows:
        first[entry] = entry if undoes is None else first.get(undoes, undoes)
    alive = _alive([row[:2] for row in rows])
    # A mark done again and then taken back again leaves the doing again alive, but no mark.
    standing = {entry for entry, depth in alive if depth == 0}
    return [entry for entry, depth in alive if depth % 2 == 0 and entry in marks and first[entry] in standing]


def _alive(oldest_first: Sequence[tuple[str, str | None]]) -> list[tuple[str, int]]:
    depth: dict[str, int] = {}
    for entry, undoes in oldest_first:
        depth[entry] = 0 if undoes is None else depth.get(undoes, 0) + 1
    dead: set[str] = set()
    for entry, undoes in reversed(oldest_first):
        if undoes is not None and entry not in dead:
            dead.add(undoes)
    return [(entry, depth[entry]) for entry, _ in oldest_first if entry not in dead]


def _step(row: tuple[Any, ...]) -> Step:
    entry, document, record, kind, operation, edit, verifier, at, local, note, undoes = row
    return Step(entry, document, record, kind, from_plain(json.loads(operation)), edit, verifier, at, local, note, undoes)
