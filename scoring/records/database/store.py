"""Writing one operation to the database: guarded by what it was based on, in one transaction, its log entry first on disk.

Inside the transaction the guards are checked and everything is written; then the log entry is made durable; then the
transaction is committed. A guard that fails, a log that cannot be written, a kill before the commit: the database stays
as it was. A kill between log and commit leaves an entry the database lacks, which `Review.pending` finds again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from scoring.foundations.problems import InputError
from scoring.records.database.connection import transaction
from scoring.records.inputs import journal
from scoring.records.inputs.fields import RecordSchema
from scoring.records.inputs.layout import METADATA, Cell, Layout, quoted
from scoring.records.inputs.material import read_records
from scoring.records.inputs.operations import Audit, ConflictError, Operation, readable_name, row_hash
from scoring.records.inputs.values import cell_text, same_value


@dataclass(frozen=True, slots=True)
class Signature:
    """Who does it and when: the log entry's id, its UTC time, the local time EcoExtract writes, a note, the step it takes back."""

    entry: str
    verifier: str
    at: str
    local: str
    note: str = ""
    undoes: str | None = None


@dataclass(slots=True)
class Store:
    """An open database that is being reviewed."""

    path: Path
    database: sqlite3.Connection
    layout: Layout
    schema: RecordSchema | None

    def perform(self, operation: Operation, signed: Signature, log: Callable[[Operation], None]) -> Operation:
        """Do one operation; `log` puts it in the log, inside the transaction. Returns it as it was done (a new record has its name).

        Raises:
            ConflictError: what it was based on is no longer there.
            InputError: the database or the log refuses. Nothing was written then.
        """
        with transaction(self.database, self.path):
            operation = self._completed(operation)
            if operation.kind == "edit":
                operation, edit = self._edit(operation, signed)
            else:
                edit = None
                self._done(operation)
            self._write(operation, signed, edit)
            log(operation)
        return operation

    def _completed(self, operation: Operation) -> Operation:
        """A record to be added gets the next free name while nobody else can take it; one brought back keeps its own if it is free."""
        if operation.kind != "add" or operation.row is None:
            return operation
        document = self.database.execute(
            "SELECT first_author_lastname, publication_year FROM documents WHERE document_id = ?", (operation.document,)
        ).fetchone()
        if document is None:
            raise ConflictError(f"document {operation.document} is not in the database any more", where=self.path)
        query = "SELECT record_id FROM records WHERE document_id = ?"
        names = [str(name) for (name,) in self.database.execute(query, (operation.document,))]
        if operation.row.get("record_id") and operation.row["record_id"] not in names:
            return operation
        year = document[1] if document[1] is not None else str(operation.row.get("extraction_timestamp"))[:4]
        name = readable_name(document[0], year, names)
        return replace(operation, row=dict(operation.row) | {"record_id": name})

    def _done(self, operation: Operation) -> None:
        match operation.kind:
            case "accept" | "unaccept":
                if operation.kind == "accept":
                    self._require_seen(operation)
            case "delete" | "restore":
                self._require_seen(operation)
                self._set("records", "deleted_by_user", "id", operation.record, operation)
            case "reviewed" | "unreviewed":
                self._set("documents", "reviewed_at", "document_id", operation.document, operation)
            case "metadata":
                if operation.column not in METADATA or not self.layout.has("documents", operation.column):
                    raise InputError(f"{operation.column} is not a field of a document's description", hint=f"use {', '.join(METADATA)}")
                self._set("documents", operation.column, "document_id", operation.document, operation)
            case "add":
                self._insert(operation)
            case "remove":
                self._remove(operation)
            case "withdraw" | "rebook":
                self._set("records", operation.column or "", "id", operation.record, operation)
                for audit in operation.audits:
                    self._take_out(audit) if operation.kind == "withdraw" else self._book(audit, operation.document)

    # Guards

    def _require_seen(self, operation: Operation) -> None:
        """The whole record must be as it was judged."""
        found = read_records(self.database, self.layout, record=operation.record)
        if not found:
            raise self._gone()
        if operation.seen is not None and found[0].hash != operation.seen:
            raise ConflictError(
                f"the record {found[0].name} was changed meanwhile", where=self.path, hint="look at it again; nothing was written"
            )

    def _set(self, table: str, column: str, key: str, value: object, operation: Operation) -> None:
        """Write one cell if it still holds what the operation is based on."""
        done = self.database.execute(
            f"UPDATE {table} SET {quoted(column)} = ? WHERE {key} = ? AND {quoted(column)} IS ?", (operation.now, value, operation.was)
        )
        if done.rowcount == 1:
            return
        row = self.database.execute(f"SELECT {quoted(column)} FROM {table} WHERE {key} = ?", (value,)).fetchone()
        if row is None:
            raise self._gone()
        held, was = ("nothing" if cell is None else repr(cell_text(cell)) for cell in (row[0], operation.was))
        raise ConflictError(f"{column} holds {held} by now, not {was}", where=self.path, hint="look at it again; nothing was written")

    def _gone(self) -> ConflictError:
        return ConflictError("the record is not in the database any more", where=self.path, hint="nothing was written")

    # Edits and their audit rows

    def _edit(self, operation: Operation, signed: Signature) -> tuple[Operation, str | None]:
        """Write the cell; book its old value, once for all edits of this verifier until the document is marked reviewed.

        Returns the operation with the audit row it booked or took out, and the id of the audit row it belongs to. An edit done
        again, or one taken back, books the same row.
        """
        self._set("records", operation.column or "", "id", operation.record, operation)
        before = operation.audits
        operation = replace(operation, audits=())
        if self.added_in_this_round(operation.document, operation.record, signed.verifier):
            return operation, None
        last = self.last_audit(operation.record, operation.column)
        if last is not None and self._is_open(operation.document, last, signed.verifier):
            if self._is_original(operation, last):
                self._take_out(last)
                # Taken back, the edit books this very row again: a later withdrawal names it.
                operation = replace(operation, audits=(last,))
            return operation, last.id
        was = None if operation.was is None else cell_text(operation.was)
        audit = Audit(str(uuid4()), operation.record or "", operation.column or "", was, signed.local)
        if before and before[0].original == was and self.audit(before[0].id) is None:
            audit = before[0]
        self._book(audit, operation.document)
        return replace(operation, audits=(audit,)), audit.id

    def _is_original(self, operation: Operation, audit: Audit) -> bool:
        """Whether the cell is back at the value the audit row keeps."""
        if operation.now is None or audit.original is None:
            return operation.now is None and audit.original is None
        field = self.schema.by_name.get(operation.column or "") if self.schema is not None else None
        return cell_text(operation.now) == audit.original or same_value(field, operation.now, audit.original)

    def last_audit(self, record: str | None, column: str | None) -> Audit | None:
        """The newest audit row of a cell."""
        row = self.database.execute(
            "SELECT id, record_id, column_name, original_value, edited_at FROM record_edits WHERE record_id = ? AND column_name = ?"
            " ORDER BY edited_at DESC, rowid DESC LIMIT 1",
            (record, column),
        ).fetchone()
        return None if row is None else Audit(*(None if cell is None else str(cell) for cell in row))  # type: ignore[arg-type]

    def audit(self, identity: str | None) -> Audit | None:
        """The audit row of that id."""
        row = self.database.execute(
            "SELECT id, record_id, column_name, original_value, edited_at FROM record_edits WHERE id = ?", (identity,)
        ).fetchone()
        return None if row is None else Audit(*(None if cell is None else str(cell) for cell in row))  # type: ignore[arg-type]

    def set_aside(self, operation: Operation, signed: Signature) -> None:
        """Note that a verdict of the log was refused for good, so that it is not offered again."""
        with transaction(self.database, self.path):
            self._write(operation, signed, None, "refused")

    def _write(self, operation: Operation, signed: Signature, edit: str | None, kind: str | None = None) -> None:
        journal.write(
            self.database,
            signed.entry,
            operation,
            edit=edit,
            verifier=signed.verifier,
            at=signed.at,
            local=signed.local,
            note=signed.note,
            undoes=signed.undoes if kind is None else None,
            kind=kind,
        )

    def _is_open(self, document: int, audit: Audit, verifier: str) -> bool:
        """Whether this verifier wrote the audit row and the document was not marked reviewed since."""
        booked = "record = ? AND edit_id = ? AND verifier = ? AND json_extract(operation, '$.audits') IS NOT NULL"
        row = self.database.execute(f"SELECT MAX(id) FROM {journal.JOURNAL} WHERE {booked}", (audit.record, audit.id, verifier)).fetchone()
        return row[0] is not None and not self._settled(document, row[0], audit.at)

    def _settled(self, document: int, entry: str, at: str) -> bool:
        """Whether the document was marked reviewed after a step: by us (steps are in order) or by another program (times are)."""
        if any(found > entry for found in journal.standing_marks(self.database, document)):
            return True
        row = self.database.execute("SELECT reviewed_at FROM documents WHERE document_id = ?", (document,)).fetchone()
        return row is not None and row[0] is not None and str(row[0]) > at

    def added_in_this_round(self, document: int, record: str | None, verifier: str) -> bool:
        """Whether this verifier added the record and the document was not marked reviewed since."""
        row = self.database.execute(
            f"SELECT MAX(id), local FROM {journal.JOURNAL} WHERE kind = 'add' AND record = ? AND verifier = ?", (record, verifier)
        ).fetchone()
        return row[0] is not None and not self._settled(document, row[0], row[1])

    def _book(self, audit: Audit, document: int) -> None:
        self.database.execute(
            "INSERT INTO record_edits (id, record_id, column_name, original_value, edited_at, document_id) VALUES (?, ?, ?, ?, ?, ?)",
            (audit.id, audit.record, audit.column, audit.original, audit.at, document),
        )

    def _take_out(self, audit: Audit) -> None:
        if self.database.execute("DELETE FROM record_edits WHERE id = ?", (audit.id,)).rowcount != 1:
            raise ConflictError("an edit to be withdrawn is not in the database any more", where=self.path, hint="nothing was written")

    # Whole records

    def _insert(self, operation: Operation) -> None:
        row: dict[str, Cell] = dict(operation.row or {})
        columns = [name for name in row if self.layout.has("records", name)]
        lost = [name for name in row if name not in columns]
        if lost:
            raise InputError(f"records has no column {lost[0]}", where=self.path)
        missing = [
            column.name
            for column in self.layout.records
            if column.required and column.default is None and row.get(column.name) is None and not column.key
        ]
        if missing:
            raise InputError(f"a record needs {', '.join(missing)}", where=self.path, hint="fill these fields; nothing was written")
        marks = ", ".join("?" * len(columns))
        listed = ", ".join(quoted(name) for name in columns)
        self.database.execute(f"INSERT INTO records ({listed}) VALUES ({marks})", [row[name] for name in columns])

    def _remove(self, operation: Operation) -> None:
        """Take an added record out again, as long as it is what was added and nobody edited it."""
        found = read_records(self.database, self.layout, record=operation.record)
        if not found:
            raise self._gone()
        if operation.seen is not None and row_hash(found[0].values, found[0].deleted_at) != operation.seen:
            raise ConflictError(
                f"the record {found[0].name} was changed since it was added", where=self.path, hint="undo what came after, or delete it"
            )
        if found[0].edited:
            raise ConflictError(f"the record {found[0].name} was edited since it was added", where=self.path, hint="delete it instead")
        self.database.execute("DELETE FROM records WHERE id = ?", (operation.record,))
