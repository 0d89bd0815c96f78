"""What a database holds, as values: documents, records, text, and what was done to them (`docs/records.md#review`).

The list of documents never touches the columns that hold texts and images; one document's text is read when it is asked for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from scoring.records.inputs.journal import JOURNAL, Step, has_journal, steps
from scoring.records.inputs.layout import BOOKKEEPING, Cell, Layout, quoted
from scoring.records.inputs.operations import row_hash

UNKNOWN_REVIEWER = "another program"


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A document as the list shows it. `edits` counts audit rows of its records, `accepted` records accepted as they stand."""

    id: int
    name: str
    title: str
    author: str
    year: str
    reviewed_at: str | None
    model: str
    records: int = 0
    deleted: int = 0
    added: int = 0
    edits: int = 0

    @property
    def reviewed(self) -> bool:
        """Reviewed is whatever is not NULL, the empty text too, as EcoExtract has it."""
        return self.reviewed_at is not None


@dataclass(frozen=True)
class Record:
    """A record as it stands. `values` are its fields by column; `accepted` the verifiers who accepted it as it stands now."""

    document: int
    id: str | None
    name: str
    values: Mapping[str, Cell]
    deleted_at: str | None
    added: bool
    kept: Mapping[str, Cell] = field(default_factory=dict)
    edited: frozenset[str] = frozenset()
    accepted: tuple[str, ...] = ()
    lapsed: tuple[str, ...] = ()

    @cached_property
    def hash(self) -> str:
        """The content hash a verdict on the whole record is based on."""
        return row_hash(self.values, self.deleted_at)

    @property
    def state(self) -> str:
        """`deleted`, `added`, `edited`, `accepted` or `open`, the first that holds; a record accepted before it changed is open."""
        marks = {"deleted": self.deleted_at is not None, "added": self.added, "edited": self.edited, "accepted": self.accepted}
        return next((word for word, holds in marks.items() if holds), "open")


@dataclass(frozen=True, slots=True)
class Change:
    """A line of the history: when, who, what, of which cell, old and new value as text."""

    at: str
    who: str
    what: str
    document: int
    record: str | None
    name: str
    column: str | None
    before: str | None
    after: str | None
    note: str
    entry: str | None = None


def _optional(layout: Layout, table: str, *names: str) -> str:
    return ", ".join(quoted(name) if layout.has(table, name) else f"NULL AS {quoted(name)}" for name in names)


def document_lines(database: sqlite3.Connection, layout: Layout, only: int | None = None) -> list[DocumentLine]:
    """All documents in id order, with their counts."""
    columns = _optional(
        layout, "documents", "file_name", "title", "first_author_lastname", "publication_year", "reviewed_at", "extraction_llm_model"
    )
    where = "" if only is None else f" WHERE document_id = {int(only)}"
    counts: dict[int, list[int]] = {}
    if layout.records:
        gone = "deleted_by_user IS NOT NULL" if layout.has("records", "deleted_by_user") else "0"
        human = "added_by_user = 1" if layout.has("records", "added_by_user") else "0"
        query = f"SELECT document_id, COUNT(*), TOTAL({gone}), TOTAL({human}) FROM records{where} GROUP BY document_id"
        counts = {document: [int(figure) for figure in figures] for document, *figures in database.execute(query)}
    edits: dict[int, int] = {}
    if layout.edits and layout.records:
        of_one = where.replace("WHERE ", "WHERE r.")
        query = f"SELECT r.document_id, COUNT(*) FROM record_edits e JOIN records r ON r.id = e.record_id{of_one} GROUP BY 1"
        edits = dict(database.execute(query))
    lines = []
    for row in database.execute(f"SELECT document_id, {columns} FROM documents{where} ORDER BY document_id"):
        document, name, title, author, year, reviewed_at, model = row
        shown, heading, first, when = ("" if value is None else str(value) for value in (name, title, author, year))
        reviewed = None if reviewed_at is None else str(reviewed_at)
        records, deleted, added = counts.get(document, [0, 0, 0])
        of_it = edits.get(document, 0)
        line = DocumentLine(document, shown, heading, first, when, reviewed, str(model or ""), records, deleted, added, of_it)
        lines.append(line)
    return lines


def read_records(database: sqlite3.Connection, layout: Layout, document: int | None = None, record: str | None = None) -> list[Record]:
    """The records of a document (or all, or one), deleted ones too, in the order they were stored."""
    kept = [name for name in BOOKKEEPING if layout.has("records", name)]
    read = layout.fields
    columns = [*read, *kept]
    where = ""
    given: tuple[object, ...] = ()
    if record is not None:
        where, given = " WHERE id = ?", (record,)
    elif document is not None:
        where, given = " WHERE document_id = ?", (document,)
    system = _optional(layout, "records", "document_id", "id", "record_id", "deleted_by_user", "added_by_user")
    listed = "".join(f", {quoted(name)}" for name in columns)
    rows = database.execute(f"SELECT {system}{listed} FROM records{where} ORDER BY rowid", given).fetchall()
    edited = _edited_columns(database, layout, document, record)
    accepted = _accepts(database, document, record)
    found = []
    for owner, identity, name, deleted_at, added, *cells in rows:
        values = dict(zip(columns, cells, strict=True))
        fields = {column: values[column] for column in read}
        deleted = None if deleted_at is None else str(deleted_at)
        key = None if identity is None else str(identity)
        said = accepted.get(key or "", {})
        now = row_hash(fields, deleted) if said else ""
        holds = tuple(sorted(who for who, seen in said.items() if seen == now))
        lapsed = tuple(sorted(who for who, seen in said.items() if seen != now))
        columns_edited = frozenset(edited.get(key or "", ()))
        bookkeeping = {column: values[column] for column in kept}
        found.append(Record(owner, key, str(name), fields, deleted, added == 1, bookkeeping, columns_edited, holds, lapsed))
    return found


def _edited_columns(database: sqlite3.Connection, layout: Layout, document: int | None, record: str | None) -> dict[str, set[str]]:
    if not layout.edits:
        return {}
    where = ""
    given: tuple[object, ...] = ()
    if record is not None:
        where, given = " WHERE e.record_id = ?", (record,)
    elif document is not None:
        where, given = " WHERE e.record_id IN (SELECT id FROM records WHERE document_id = ?)", (document,)
    found: dict[str, set[str]] = {}
    for identity, column in database.execute(f"SELECT DISTINCT e.record_id, e.column_name FROM record_edits e{where}", given):
        found.setdefault(str(identity), set()).add(str(column))
    return found


def _accepts(database: sqlite3.Connection, document: int | None, record: str | None) -> dict[str, dict[str, str]]:
    """By record and verifier the content hash each accepted; the last word of each counts."""
    if not has_journal(database):
        return {}
    query = f"SELECT record, verifier, kind, seen FROM {JOURNAL} WHERE kind IN ('accept', 'unaccept')"
    given: tuple[object, ...] = ()
    if record is not None:
        query, given = query + " AND record = ?", (record,)
    elif document is not None:
        query, given = query + " AND document_id = ?", (document,)
    found: dict[str, dict[str, str]] = {}
    for identity, verifier, kind, seen in database.execute(query + " ORDER BY id", given):
        if kind == "accept":
            found.setdefault(str(identity), {})[verifier] = seen
        else:
            found.get(str(identity), {}).pop(verifier, None)
    return found


def document_content(database: sqlite3.Connection, layout: Layout, document: int) -> str | None:
    """The stored text of one document, as it is in the database; None where there is none."""
    if not layout.has("documents", "document_content"):
        return None
    row = database.execute("SELECT document_content FROM documents WHERE document_id = ?", (document,)).fetchone()
    return None if row is None or row[0] is None else str(row[0])


def document_fields(database: sqlite3.Connection, layout: Layout, document: int, names: tuple[str, ...]) -> dict[str, Cell]:
    """The named columns of one document; those the table lacks are left out."""
    there = [name for name in names if layout.has("documents", name)]
    row = database.execute(f"SELECT {', '.join(map(quoted, there)) or 'NULL'} FROM documents WHERE document_id = ?", (document,)).fetchone()
    return dict(zip(there, row, strict=True)) if row and there else {}


def history(
    database: sqlite3.Connection, layout: Layout, document: int | None = None, record: str | None = None, column: str | None = None
) -> list[Change]:
    """What was done, oldest first: our own steps with who did them, and the audit rows other programs wrote."""
    where, given = _scope(document, record, "id")
    query = f"SELECT id, document_id, record_id FROM records WHERE id IS NOT NULL{where}"
    names = {str(identity): (owner, str(name)) for identity, owner, name in database.execute(query, given)}
    taken = steps(database, record=record, document=document)
    changes = [_change(step, names) for step in taken]
    ours = {step.edit for step in taken if step.edit}
    changes += _foreign(database, layout, names, ours, document, record) if layout.edits else []
    chosen = [
        change
        for change in changes
        if (document is None or change.document == document)
        and (record is None or change.record == record)
        and (column is None or change.column == column)
    ]
    return sorted(chosen, key=lambda change: (change.at, change.entry or ""))


def _scope(document: int | None, record: str | None, column: str) -> tuple[str, tuple[object, ...]]:
    """The condition, to follow others, that narrows rows to a record or to the records of a document."""
    if record is not None:
        return f" AND {column} = ?", (record,)
    if document is not None:
        return f" AND {column} IN (SELECT id FROM records WHERE document_id = ?)", (document,)
    return "", ()


def _change(step: Step, names: Mapping[str, tuple[int, str]]) -> Change:
    name = names.get(step.record or "", (step.document or 0, str((step.operation.row or {}).get("record_id", ""))))[1]
    before, after = (None if value is None else _shown(value) for value in (step.operation.was, step.operation.now))
    done, where = step.operation, step.document or 0
    return Change(step.local, step.verifier, step.words, where, step.record, name, done.column, before, after, step.note, step.id)


def _shown(cell: Cell) -> str:
    from scoring.records.inputs.values import cell_text

    return cell_text(cell)


def _foreign(
    database: sqlite3.Connection,
    layout: Layout,
    names: Mapping[str, tuple[int, str]],
    ours: set[str],
    document: int | None,
    record: str | None,
) -> list[Change]:
    """Audit rows no step of ours wrote, each with the value that followed."""
    where, given = _scope(document, record, "record_id")
    query = f"SELECT id, record_id, column_name, original_value, edited_at FROM record_edits WHERE 1{where} ORDER BY edited_at, rowid"
    rows = database.execute(query, given).fetchall()
    following: dict[tuple[str, str], str | None] = {}
    found = []
    for identity, owner, column, original, at in reversed(rows):
        key = (str(owner), str(column))
        if key not in following:
            following[key] = _now(database, layout, *key)
        after, following[key] = following[key], None if original is None else str(original)
        if str(identity) not in ours:
            of, name = names.get(str(owner), (0, ""))
            before = None if original is None else str(original)
            found.append(Change(str(at), UNKNOWN_REVIEWER, "edit", of, str(owner), name, str(column), before, after, ""))
    return found[::-1]


def _now(database: sqlite3.Connection, layout: Layout, record: str, column: str) -> str | None:
    if not layout.has("records", column):
        return None
    row = database.execute(f"SELECT {quoted(column)} FROM records WHERE id = ?", (record,)).fetchone()
    return None if row is None or row[0] is None else _shown(row[0])
