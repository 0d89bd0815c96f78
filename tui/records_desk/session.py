"""A sitting at one EcoExtract database: what is typed and judged, and what came of it. Plain Python, no Textual.

Each verdict goes through `Review`, which has it in the log and in the database before anything here changes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.adjudication.cases import Block
from scoring.adjudication.decisions import LogEntry
from scoring.foundations.problems import InputError
from scoring.foundations.wording import counted
from scoring.records.cases.text_evidence import evidence_columns
from scoring.records.inputs import journal
from scoring.records.inputs.fields import Field
from scoring.records.inputs.layout import METADATA, Cell
from scoring.records.inputs.material import Record, document_fields
from scoring.records.inputs.operations import ConflictError
from scoring.records.inputs.values import cell_text, same_value, type_fault, typed, typed_text, value_of
from tui.records_desk import view
from tui.records_desk.open_document import OpenDocument, identity_of, key_of

SAME = "it says so already"


@dataclass(slots=True)
class RecordsSitting(OpenDocument):
    """What is looked at, and what was said of it. `note` goes with the next verdict."""

    note: str = ""

    # Typing

    def value_text(self) -> str:
        """The value of the field as one would type it: typed again, it is the same value."""
        record = self.current
        if record is None or self.column is None:
            return ""
        return self.as_typed(self.column, record.values[self.column])

    def as_typed(self, column: str, cell: Cell) -> str:
        """A stored value as one would type it; JSON where the plain form (a line an element) would say something else."""
        if cell is None:
            return ""
        declared = self.review.schema.by_name.get(column) if self.review.schema is not None else None
        value = value_of(declared, cell)
        plain = shown_value_of(declared, cell)
        if declared is None or not isinstance(value, list | dict):
            return plain
        try:
            return plain if same_value(declared, cell, typed(declared, plain)) else json.dumps(value, ensure_ascii=False)
        except InputError:
            return json.dumps(value, ensure_ascii=False)

    def check(self, column: str, text: str) -> str:
        """How a typed text would be stored. `InputError` where it is refused."""
        declared = self.review.field(column)
        stored = typed(declared, text)
        if stored is None and not self.may_be_empty(column):
            raise InputError(f"the field {column} may not be empty")
        value = value_of(declared, stored)
        if value is None:
            return "will be empty"
        if isinstance(value, list):
            return f"a list of {len(value)}"
        return "text" if isinstance(value, str) else f"{'yes' if value is True else 'no' if value is False else cell_text(stored)}"

    # Verdicts: what each did, in words. `InputError` where it cannot be given; then nothing has changed.

    def accept(self) -> str:
        """The record is right as it stands."""
        record = self._record()
        return self._done(f"{record.name} accepted", self.review.accept(record, self.note))

    def edit(self, text: str) -> str:
        """The field should read `text`. A text left as it was changes nothing, unless it was stored as the wrong type."""
        record, column = self._record(), self.column
        if column is None:
            raise InputError("there is no field here")
        cell = record.values[column]
        if text == self.value_text() and (cell is None or type_fault(self.review.field(column), cell) is None):
            return SAME
        return self._done(f"{column} of {record.name} edited", self.review.edit(record, column, text, self.note))

    def delete(self) -> str:
        """The record is a hallucination."""
        record = self._record()
        return self._done(f"{record.name} deleted", self.review.delete(record, self.note))

    def restore(self) -> str:
        """The record was deleted and is one after all."""
        record = self._record()
        return self._done(f"{record.name} restored", self.review.restore(record, self.note))

    def give_all(self, verdict: str) -> str:
        """Accept, delete or restore every record chosen. Those it fits are done; those refused stay chosen and are named."""
        done, refused = 0, []
        give = {"accept": self.review.accept, "delete": self.review.delete, "restore": self.review.restore}[verdict]
        for record in self.chosen():
            try:
                entry = give(record, self.note)
            except InputError as fault:
                refused.append(fault.what)
                continue
            self.marked.discard(key_of(record))
            done += entry is not None
        self.note = ""
        self._look_again()
        return f"{verdict}: {counted(done, 'record')}" + (f"; refused: {'; '.join(refused)}" if refused else "")

    def add(self, values: Mapping[str, str]) -> str:
        """A record the model missed. Empty texts leave a field empty."""
        if self.document is None:
            raise InputError("there is no document here")
        entry = self.review.add(self.document, {name: text for name, text in values.items() if text}, self.note)
        self.words, self.uncited, self.stop = "", False, 0
        row = entry.value.get("row") if isinstance(entry.value, dict) else None
        if isinstance(row, dict):
            self.record = str(row["id"])
        return self._done(f"{row['record_id'] if isinstance(row, dict) else 'a record'} added", entry)

    def proposal(self, *, like: bool = False) -> dict[str, str]:
        """What a new record begins with: the uncited passage looked at as its evidence, or the values of the record of the cursor."""
        record, stop = self.current, self.place_in_text()
        names = self.review.fields()
        if like and record is not None:
            return {name: self.as_typed(name, record.values[name]) for name in names}
        evidence = [name for name in names if self.field_of(name).is_list]
        if self.uncited and stop is not None and stop.found and self.sight is not None and evidence:
            column = next(iter(evidence_columns(self.review.schema)), evidence[0])
            return {column: " ".join(self.sight.text.text[stop.start : stop.end].split())}
        return {}

    def withdraw(self) -> str:
        """One's own edits of the field, as if they had never been."""
        if self.column is None:
            raise InputError("there is no field here")
        return self._done(f"edits of {self.column} withdrawn", self.review.withdraw(self._record(), self.column, self.note))

    def mark_reviewed(self) -> str:
        """The document is done, or not after all."""
        line = self.line
        if line is None:
            raise InputError("there is no document here")
        if line.reviewed:
            return self._done(f"document {line.id} is no longer marked reviewed", self.review.unreviewed(line, self.note))
        return self._done(f"document {line.id} marked reviewed", self.review.reviewed(line, self.note))

    def description(self) -> dict[str, str]:
        """The document's description as one would type it; authors parted by semicolons."""
        if self.document is None:
            return {}
        cells = document_fields(self.review.database, self.review.layout, self.document, METADATA)
        return {name: _authors(cell) if name == "authors" else cell_text(cell) for name, cell in cells.items()}

    def describe(self, column: str, value: str, seen: str | None = None) -> str:
        """Mend a field of the document's description, seen as `seen`; the empty text clears it."""
        if self.document is None:
            raise InputError("there is no document here")
        now = self.description().get(column, "")
        if value == now:
            return SAME
        if seen is not None and seen != now:
            raise ConflictError(f"{column} reads {now!r} by now, not {seen!r}", hint="look at it again; nothing was written")
        return self._done(f"{column} mended", self.review.describe(self.document, column, value or None, self.note))

    def undo(self) -> str:
        """Take one's last verdict back, and go to what it was about."""
        return self._taken("taken back", self.review.undo())

    def redo(self) -> str:
        """Do again what was taken back."""
        return self._taken("done again", self.review.redo())

    def _taken(self, what: str, entry: LogEntry) -> str:
        step = journal.step(self.review.database, entry.retracts) if entry.retracts else None
        done = step.operation if step is not None else None
        said = self._done(what, entry)
        if done is None:
            return said
        names = {key_of(one): one.name for one in self.sight.records} if self.sight is not None else {}
        if self.sight is None:
            self.go_to(done.document)
        elif done.record in names and done.document == self.sight.line.id:
            self.record, self.column = done.record, done.column if done.column in self.columns else self.column
        parts = [done.kind, done.column, names.get(done.record or "")]
        return f"{said}: {' '.join(part for part in parts if part)}, document {done.document}"

    # Conflicts

    def conflict(self, fault: ConflictError) -> tuple[Block, ...]:
        """After a refused verdict: read everything anew, and what was seen beside what is there, with what others did meanwhile."""
        before, line = self.current, self.line
        known, had_sight = self._known, self.sight is not None
        if had_sight:
            self.open_again()
        else:
            self.read()
        done = self.review.history(self.document) if self.document is not None else []
        done = [change for change in done if identity_of(change) not in known] if had_sight else done[-5:]
        difference: tuple[tuple[str, str, str], ...] = ()
        if had_sight and self.sight is not None:
            key = key_of(before) if before is not None else None
            now = next((one for one in self.sight.records if key_of(one) == key), None)
            difference = view.record_difference(self.sight, before, now)
        if line is not None and self.line is not None and line.reviewed_at != self.line.reviewed_at:
            difference += (("reviewed", line.reviewed_at or "no", self.line.reviewed_at or "no"),)
        return view.conflict_blocks(str(fault), difference, done)

    def _record(self) -> Record:
        record = self.current
        if record is None:
            raise InputError("there is no record here")
        return record

    def _done(self, what: str, entry: object) -> str:
        note, self.note = self.note, ""
        if self.sight is not None:
            self._look_again()
        elif self.document is not None:
            self.read()
        return (what + (", with the note" if note else "")) if entry is not None else SAME


def shown_value_of(declared: Field | None, cell: Cell) -> str:
    """A stored cell as a person would type it."""
    return typed_text(value_of(declared, cell)) if declared is not None and cell is not None else cell_text(cell)


def _authors(cell: Cell) -> str:
    try:
        names = json.loads(cell) if isinstance(cell, str) else None
    except ValueError:
        names = None
    return "; ".join(map(str, names)) if isinstance(names, list) else cell_text(cell)
