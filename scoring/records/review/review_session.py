"""A review of one database by one verifier: everything a screen or a command can do, without either (`docs/records.md#review`).

Records are given as they were seen; a verdict is refused (`ConflictError`) where somebody else changed them meanwhile.
Each verdict is in the log before it is in the database, and is one operation in one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from scoring.adjudication.decisions import RETRACT, LogEntry, new_id, timestamp
from scoring.adjudication.log.write import Log, read_log, require_sound
from scoring.foundations.problems import InputError
from scoring.records.database.connection import open_for_writing, transaction
from scoring.records.database.store import Signature, Store
from scoring.records.inputs import journal
from scoring.records.inputs.fields import review_schema
from scoring.records.inputs.layout import Cell, read_layout
from scoring.records.inputs.log_names import document_case, record_case, record_target
from scoring.records.inputs.material import (
    DocumentLine,
    Record,
    document_fields,
)
from scoring.records.inputs.operations import ConflictError, Operation, from_plain, row_hash
from scoring.records.inputs.values import same_value, typed
from scoring.records.review.view import Looking

TASK = "records"


@dataclass(frozen=True, slots=True)
class Recovered:
    """A verdict of the log the database lacked, and what became of it: None where it was applied, else why not."""

    entry: LogEntry
    refused: str | None


@dataclass(slots=True)
class Review(Looking):
    """An open review. Make it with `Review.open`, close it at the end; it belongs to the thread that opened it."""

    log: Log
    verifier: str
    clock: Callable[[], datetime] = datetime.now

    @classmethod
    def open(
        cls,
        path: Path,
        log_folder: Path,
        verifier: str,
        schema_file: Path | None = None,
        *,
        clock: Callable[[], datetime] = datetime.now,
    ) -> Review:
        """Open a database for review. The first time it gets our table and an index for the list of documents.

        Raises:
            InputError: not a database, not writable, a layout that cannot be reviewed, an impossible verifier, a schema that does not fit.
        """
        log = Log.open(log_folder, verifier)
        database = open_for_writing(path)
        try:
            layout = read_layout(database)
            if layout.faults:
                raise InputError(
                    f"this database cannot be reviewed: {'; '.join(layout.faults)}",
                    where=path,
                    hint="`adjudicate records migrate` makes a copy that can; accuracy works as it is",
                )
            schema = review_schema(schema_file, path, layout.fields)
            if not journal.is_prepared(database, layout):
                with transaction(database, path):
                    journal.prepare(database, read_layout(database))
                layout = read_layout(database)
        except BaseException:
            database.close()
            raise
        return cls(Store(path, database, layout, schema), log, verifier, clock)

    def close(self) -> None:
        """Close the database."""
        self.store.database.close()

    def __enter__(self) -> Review:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Verdicts

    def accept(self, record: Record, note: str = "") -> LogEntry | None:
        """This record is right as it stands. None where this verifier has said so already."""
        self._require_alive(record, "accepted")
        if self.verifier in record.accepted:
            return None
        return self._give("accept", Operation("accept", record.document, record.id, seen=record.hash), note)

    def edit(self, record: Record, column: str, value: object, note: str = "") -> LogEntry | None:
        """A field should read `value` (text as typed, or a JSON value; None clears it). None where it says so already.

        Raises:
            InputError: of the wrong type, an empty value the column refuses, a deleted record, no such field.
            ConflictError: the cell was changed meanwhile.
        """
        self._require_alive(record, "edited")
        field = self.field(column)
        now, was = typed(field, value), record.values[column]
        declared = self.layout.record(column)
        if now is None and declared is not None and declared.required:
            raise InputError(f"the field {column} may not be empty in this database", hint="give a value, or delete the record")
        if isinstance(was, bytes):
            raise InputError(f"the field {column} holds binary data, which is not edited here", where=self.store.path)
        if same_value(field, was, now) and not _mends_type(was, now):
            return None
        return self._give("edit", Operation("edit", record.document, record.id, column, was, now), note)

    def delete(self, record: Record, note: str = "") -> LogEntry:
        """The record is a hallucination. One this verifier added in the same sitting goes for good (undo brings it back).

        Raises:
            InputError: it is deleted already.
            ConflictError: it was changed meanwhile.
        """
        self._require_alive(record, "deleted")
        if not record.edited and self.store.added_in_this_round(record.document, record.id, self.verifier):
            return self._give("delete", Operation("remove", record.document, record.id, row=self._whole(record), seen=record.hash), note)
        return self._give("delete", Operation("delete", record.document, record.id, was=None, now=self._local(), seen=record.hash), note)

    def restore(self, record: Record, note: str = "") -> LogEntry:
        """A deleted record is none too many after all.

        Raises:
            InputError: it is not deleted.
            ConflictError: it was changed meanwhile.
        """
        if record.deleted_at is None:
            raise InputError(f"the record {record.name} is not deleted")
        return self._give(
            "restore", Operation("restore", record.document, record.id, was=record.deleted_at, now=None, seen=record.hash), note
        )

    def add(self, document: int, values: Mapping[str, object], note: str = "") -> LogEntry:
        """A record the model missed. Fields not given are empty, lists empty lists.

        Raises:
            InputError: a value of the wrong type, or a field the database wants filled is empty.
        """
        self.document(document)
        fields = {name: self.field(name) for name in self.fields()}
        for name in values:
            self.field(name)
        row: dict[str, Cell] = {"id": str(uuid4()), "document_id": document, "record_id": ""}
        for name, field in fields.items():
            declared = self.layout.record(name)
            if name in values or "array" in field.types:
                row[name] = typed(field, values.get(name))
            if row.get(name) is None and declared is not None and declared.required and declared.default is None:
                raise InputError(f"the field {name} must be filled", where=self.store.path, hint="give it with the record")
        row["added_by_user"] = 1
        kept: dict[str, Cell] = {"extraction_timestamp": self._local(), "prompt_hash": "manually_added", "fields_changed_count": 0}
        row |= {name: cell for name, cell in kept.items() if self.layout.has("records", name)}
        return self._give("add", Operation("add", document, str(row["id"]), row=row), note)

    def reviewed(self, document: DocumentLine, note: str = "") -> LogEntry:
        """The document is done: it counts in the accuracy figures from now on. Said again, it gets the new time."""
        return self._give("reviewed", Operation("reviewed", document.id, was=document.reviewed_at, now=self._local()), note)

    def unreviewed(self, document: DocumentLine, note: str = "") -> LogEntry:
        """The document is not done after all.

        Raises:
            InputError: it is not marked reviewed.
        """
        if document.reviewed_at is None:
            raise InputError(f"document {document.id} is not marked reviewed")
        return self._give("unreviewed", Operation("unreviewed", document.id, was=document.reviewed_at, now=None), note)

    def describe(self, document: int, column: str, value: str | int | None, note: str = "") -> LogEntry | None:
        """Mend one field of a document's description (authors parted by semicolons). That field alone is written; no record is renamed."""
        was = document_fields(self.database, self.layout, document, (column,)).get(column)
        if column == "authors" and isinstance(value, str) and not value.lstrip().startswith("["):
            value = json.dumps([name.strip() for name in value.split(";") if name.strip()], ensure_ascii=False, separators=(",", ":"))
        if column == "publication_year" and value is not None and not isinstance(value, int):
            if not value.strip().isdecimal():
                raise InputError(f"the publication year must be a whole number, not {value!r}")
            value = int(value)
        if was == value:
            return None
        return self._give("metadata", Operation("metadata", document, column=column, was=was, now=value), note)

    # Taking back

    def undo(self, entry: str | None = None, note: str = "") -> LogEntry:
        """Take back the last verdict that stands, or the one of that id; only one's own.

        An edit taken back before the document was marked reviewed leaves no trace in EcoExtract's table; later, it is booked
        as another edit (`withdraw` takes the bookings out).

        Raises:
            InputError: there is nothing to take back.
            ConflictError: what the verdict left was changed since.
        """
        standing = [identity for identity, depth in journal.standing(self.database, self.verifier) if depth == 0]
        chosen = [identity for identity in standing if entry is None or identity.startswith(entry)]
        if not chosen or (entry is not None and len(chosen) > 1):
            what = (
                "there is no verdict of yours to take back" if entry is None else f"no one verdict of yours that stands has the id {entry}"
            )
            raise InputError(what, where=self.store.path, hint="`adjudicate records history` shows what was done, and by whom")
        return self._take_back(chosen[-1], note)

    def redo(self, note: str = "") -> LogEntry:
        """Do again what was taken back last, unless something was done since.

        Raises:
            InputError: there is nothing to do again.
        """
        later = (
            (identity, depth) for identity, depth in reversed(journal.standing(self.database, self.verifier)) if depth % 2 or not depth
        )
        identity, depth = next(later, ("", 0))
        if not depth:
            raise InputError("there is nothing to do again", where=self.store.path)
        return self._take_back(identity, note)

    def withdraw(self, record: Record, column: str, note: str = "") -> LogEntry:
        """Take one's own latest edits of a cell back as if they had never been: old value back, their audit rows out.

        Raises:
            InputError: the latest edit of the cell is not one's own.
            ConflictError: the cell was changed meanwhile.
        """
        own = {step.edit: step for step in reversed(journal.steps(self.database, self.verifier, record.id)) if step.edit}
        rows = self.database.execute(
            "SELECT id FROM record_edits WHERE record_id = ? AND column_name = ? ORDER BY edited_at DESC, rowid DESC", (record.id, column)
        ).fetchall()
        mine = []
        for (identity,) in rows:
            if identity not in own:
                break
            mine.append(own[identity])
        if not mine:
            raise InputError(f"the latest edit of {column} is not one of yours", hint="`adjudicate records history` shows whose it is")
        audits = tuple(audit for step in reversed(mine) if (audit := self.store.audit(step.edit)) is not None)
        first = mine[-1].operation.was
        return self._give(
            "withdraw", Operation("withdraw", record.document, record.id, column, record.values[column], first, audits=audits), note
        )

    # What was interrupted

    def pending(self) -> list[LogEntry]:
        """Verdicts of the log on this database that it lacks: the program was killed between the two."""
        identity = journal.identity(self.database)
        entries = require_sound(read_log(self.log.folder)).entries if self.log.folder.is_dir() else ()
        offered = [entry for entry in entries if entry.task == TASK and entry.basis.get("database") == identity]
        known = {row[0] for row in self.database.execute(f"SELECT id FROM {journal.JOURNAL}")} if offered else set()
        return [entry for entry in offered if entry.id not in known]

    def recover(self) -> list[Recovered]:
        """Apply what is pending, each under its own guards; what cannot be applied any more is set aside and said."""
        done = []
        for entry in self.pending():
            operation = from_plain(entry.value)
            signed = Signature(entry.id, entry.verifier, entry.at, self._local(), entry.note or "", entry.retracts)
            try:
                self.store.perform(operation, signed, lambda _: None)
                done.append(Recovered(entry, None))
            except ConflictError as fault:
                self.store.set_aside(operation, signed)
                done.append(Recovered(entry, str(fault)))
        return done

    # One way to write

    def _give(self, verdict: str, operation: Operation, note: str, undoes: journal.Step | None = None) -> LogEntry:
        if operation.record is None and operation.kind in ("accept", "edit", "delete", "restore", "withdraw"):
            raise InputError("this record has no id", where=self.store.path, hint="`adjudicate records migrate` gives ids to a copy")
        written: list[LogEntry] = []
        latest = self.database.execute(f"SELECT id FROM {journal.JOURNAL} WHERE kind <> 'database' ORDER BY id DESC LIMIT 1").fetchone()
        identity, at = new_id(latest[0] if latest is not None else ""), timestamp()
        signed = Signature(identity, self.verifier, at, self._local(), note, undoes.id if undoes else None)

        def log(done: Operation) -> None:
            entry = self._entry(verdict, done, signed)
            self.log.append(entry)
            written.append(entry)

        self.store.perform(operation, signed, log)
        return written[0]

    def _entry(self, verdict: str, done: Operation, signed: Signature) -> LogEntry:
        document = document_fields(self.database, self.layout, done.document, ("file_hash",)).get("file_hash")
        target = record_target(done.document, done.record)
        basis: dict[str, object] = {
            "page": str(done.document), "database": journal.identity(self.database), "document": document,
        }  # fmt: skip
        if done.seen is not None:
            basis["rows"] = {target: done.seen}
        return LogEntry(
            id=signed.entry,
            at=signed.at,
            verifier=self.verifier,
            task=TASK,
            case=record_case(done.record) if done.record is not None else document_case(done.document, document),
            verdict=verdict,
            targets=(target,),
            value=done.plain(),
            note=signed.note or None,
            basis=basis,
            retracts=signed.undoes,
        )

    def _take_back(self, entry: str, note: str) -> LogEntry:
        step = journal.step(self.database, entry)
        if step.undoes is not None:
            return self._give(RETRACT, journal.step(self.database, step.undoes).operation, note, undoes=step)
        operation = step.operation.inverse()
        if operation.kind in ("delete", "restore"):
            operation = replace(operation, seen=None)  # what was seen was the other state; the guard is the deletion time itself
        if operation.kind == "remove" and operation.row is not None:
            operation = replace(operation, seen=row_hash({name: operation.row.get(name) for name in self.layout.fields}, None))
        return self._give(RETRACT, operation, note, undoes=step)

    def _whole(self, record: Record) -> dict[str, Cell]:
        cells = self.database.execute("SELECT * FROM records WHERE id = ?", (record.id,)).fetchone()
        if cells is None:
            raise ConflictError("the record is not in the database any more", where=self.store.path)
        return dict(zip((column.name for column in self.layout.records), cells, strict=True))

    def _require_alive(self, record: Record, word: str) -> None:
        if record.deleted_at is not None:
            raise InputError(f"the record {record.name} is deleted and cannot be {word}", hint="restore it first")

    def _local(self) -> str:
        return self.clock().strftime("%Y-%m-%d %H:%M:%S")


def _mends_type(was: Cell, now: Cell) -> bool:
    """Whether the same text is now stored as another kind of value: 10 as a number where the text "10" stood."""
    return isinstance(was, str) != isinstance(now, str)
