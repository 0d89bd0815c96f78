"""A sitting at one EcoExtract database: documents, records, fields, evidence, and the verdicts. Plain Python, no Textual.

Cursors are a document, a record and a field, never an index. Each verdict goes through `Review`, which has it in the log and in the
database before anything here changes; what others changed meanwhile is read again after each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.problems import InputError
from scoring.records.evidence import Finding
from scoring.records.flags import flags
from scoring.records.material import DocumentLine, Record
from scoring.records.review import Review
from scoring.records.shown import Sight, history_grid, mark_of, passages, shown_value, uncited_blocks

FUZZY = 70


@dataclass(slots=True)
class RecordsSitting:
    """What is looked at, and what was said of it.

    Attributes:
        documents: all documents; `listed` those that the words of `wanted` fit.
        document: id of the document looked at in the list.
        sight: the document opened, `None` in the list.
        record: key of the record looked at (its id, else its name).
        column: the field looked at.
        finding: which piece of evidence is shown.
    """

    review: Review
    documents: dict[int, DocumentLine] = field(default_factory=dict)
    listed: list[int] = field(default_factory=list)
    wanted: str = ""
    document: int | None = None
    sight: Sight | None = None
    record: str | None = None
    column: str | None = None
    finding: int = 0

    def __post_init__(self) -> None:
        self.read()

    # The list of documents

    def read(self) -> None:
        """Read the list of documents anew; the cursor stays where it is."""
        self.documents = {line.id: line for line in self.review.documents()}
        self.find(self.wanted)

    def find(self, words: str) -> None:
        """List the documents that the words fit, spelling mistakes forgiven; all without words."""
        self.wanted = words.strip()
        self.listed = [line.id for line in self.documents.values() if self._fits(line)]
        if self.document not in self.listed:
            open_ones = (one for one in self.listed if not self.documents[one].reviewed)
            self.document = next(open_ones, self.listed[0] if self.listed else None)

    def _fits(self, line: DocumentLine) -> bool:
        if not self.wanted:
            return True
        text = f"{line.id} {line.name} {line.title} {line.author} {line.year}".casefold()
        return all(word in text or fuzz.partial_ratio(word, text) >= FUZZY for word in self.wanted.casefold().split())

    def move_document(self, by: int) -> None:
        """Move over the list."""
        if self.listed:
            at = self.listed.index(self.document) if self.document in self.listed else 0
            self.document = self.listed[min(max(at + by, 0), len(self.listed) - 1)]

    def next_unreviewed(self) -> bool:
        """To the next document that is not reviewed, round to the beginning; whether there is one."""
        at = self.listed.index(self.document) + 1 if self.document in self.listed else 0
        found = next((one for one in (*self.listed[at:], *self.listed[:at]) if not self.documents[one].reviewed), None)
        if found is not None:
            self.document = found
        return found is not None

    def open(self) -> None:
        """Open the document of the cursor at its first open record."""
        if self.document is None:
            return
        self._look()
        self.record, self.finding = None, 0
        records = self.records
        first = next((one for one in records if one.state == "open"), records[0] if records else None)
        self.record = _key(first) if first is not None else None
        self.column = self.columns[0] if self.columns else None

    def open_again(self) -> None:
        """Read the open document anew: somebody else may have changed it."""
        self._look()
        if self.current is None:
            self.record = _key(self.records[0]) if self.records else None

    def close(self) -> None:
        """Back to the list."""
        self.sight = None
        self.read()

    def _look(self) -> None:
        assert self.document is not None
        self.sight = self.review.sight(self.document)
        self.documents[self.document] = self.sight.line

    # A document

    @property
    def line(self) -> DocumentLine | None:
        """The document of the cursor."""
        return self.documents.get(self.document) if self.document is not None else None

    @property
    def records(self) -> tuple[Record, ...]:
        return self.sight.records if self.sight is not None else ()

    @property
    def current(self) -> Record | None:
        return next((one for one in self.records if _key(one) == self.record), None)

    @property
    def position(self) -> int:
        """Where the record stands in the document, from 0; -1 without one."""
        return next((at for at, one in enumerate(self.records) if _key(one) == self.record), -1)

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields of a record, in table order."""
        return tuple(self.records[0].values) if self.records else self.review.fields()

    def move_record(self, by: int) -> None:
        """Move over the records of the document."""
        if self.records:
            at = min(max(self.position + by, 0), len(self.records) - 1)
            self.record, self.finding = _key(self.records[at]), 0

    def next_open(self) -> bool:
        """To the next record nobody has judged, round to the beginning; whether there is one."""
        start = self.position + 1
        records = (*self.records[start:], *self.records[:start])
        found = next((one for one in records if one.state == "open"), None)
        if found is not None:
            self.record, self.finding = _key(found), 0
        return found is not None

    def move_field(self, by: int) -> None:
        """Move over the fields of the record."""
        if self.columns:
            at = self.columns.index(self.column) if self.column in self.columns else 0
            self.column = self.columns[min(max(at + by, 0), len(self.columns) - 1)]

    @property
    def findings(self) -> Sequence[Finding]:
        """The evidence of the record."""
        record = self.current
        return self.sight.findings(record) if self.sight is not None and record is not None else ()

    def step_evidence(self, by: int) -> None:
        """To another place of the evidence."""
        blocks = self._passages()
        if blocks:
            self.finding = (self.finding + by) % len(blocks)

    def _passages(self) -> Sequence[Block]:
        return passages(self.sight.text, self.findings) if self.sight is not None else ()

    def form(self) -> tuple[Block, ...]:
        """The record as a form, the field of the cursor marked; that field's whole value below, with why it asks for a look."""
        record, sight = self.current, self.sight
        if record is None or sight is None:
            return (Grid("No record", ("field", "value"), ()),)
        doubts = flags(record, sight.schema, sight.repeated.get(str(record.id), ()), self.findings)
        doubtful = {doubt.column: doubt.what for doubt in doubts}
        lines = tuple(
            Line(
                (name, shown_value(sight.schema, record, name)),
                ("▸" if name == self.column else " ") + mark_of(record, name, name in doubtful),
            )
            for name in record.values
        )
        blocks: list[Block] = [Grid(f"{record.name}  {record.state}", ("field", "value"), lines)]
        if self.column is not None:
            rows = [("value", self.value_text() or "(empty)")]
            rows += [("asks for a look", what) for column, what in doubtful.items() if column == self.column]
            blocks.append(Facts(self.column, tuple(rows)))
        whole = tuple(("", doubt.what) for doubt in doubts if doubt.column is None)
        return (*blocks, Facts("The record asks for a look", whole)) if whole else tuple(blocks)

    def beside(self) -> tuple[Block, ...]:
        """The place in the text that says what the record says, one at a time."""
        blocks = self._passages()
        if not blocks:
            return (Facts("Evidence", (("", "The record cites no sentence."),)),)
        at = min(self.finding, len(blocks) - 1)
        count = Facts(f"Place {at + 1} of {len(blocks)}", ())
        return (count, blocks[at])

    def whole_text(self) -> tuple[Block, ...]:
        """The document's text page by page, with the passages no record cites marked."""
        return tuple(uncited_blocks(self.sight)) if self.sight is not None else ()

    def history(self) -> tuple[Block, ...]:
        """What was done to the record of the cursor, or to the document where it has none."""
        record = self.current
        changes = self.review.history(self.document, record.id if record is not None else None)
        return (history_grid(changes),)

    def value_text(self) -> str:
        """The value of the field as one would type it."""
        record = self.current
        return shown_value(self.review.schema, record, self.column) if record is not None and self.column is not None else ""

    def kind_of(self, column: str) -> str:
        """What the field takes, in words: types, choices, description."""
        declared = self.review.field(column)
        choices = f"; one of {', '.join(declared.choices)}" if declared.choices else ""
        described = f". {declared.description}" if declared.description else ""
        return f"{' or '.join(declared.types)}{choices}{described}"

    # Verdicts: what each did, in words. `InputError` where it cannot be given; then nothing has changed.

    def accept(self, note: str = "") -> str:
        """The record is right as it stands."""
        return self._done("accepted", self.review.accept(self._record(), note))

    def edit(self, text: str, note: str = "") -> str:
        """The field should read `text`."""
        if self.column is None:
            raise InputError("there is no field here")
        return self._done(f"{self.column} edited", self.review.edit(self._record(), self.column, text, note))

    def delete(self, note: str = "") -> str:
        """The record is a hallucination."""
        return self._done("deleted", self.review.delete(self._record(), note))

    def restore(self, note: str = "") -> str:
        """The record was deleted and is one after all."""
        return self._done("restored", self.review.restore(self._record(), note))

    def add(self, values: dict[str, str], note: str = "") -> str:
        """A record the model missed."""
        if self.document is None:
            raise InputError("there is no document here")
        entry = self.review.add(self.document, values, note)
        said = self._done("added", entry)
        if isinstance(entry.value, dict) and isinstance(entry.value.get("row"), dict):
            self.record = str(entry.value["row"]["id"])
        return said

    def withdraw(self, note: str = "") -> str:
        """One's own edits of the field, as if they had never been."""
        if self.column is None:
            raise InputError("there is no field here")
        return self._done(f"edits of {self.column} withdrawn", self.review.withdraw(self._record(), self.column, note))

    def mark_reviewed(self, note: str = "") -> str:
        """The document is done, or not after all."""
        line = self.line
        if line is None:
            raise InputError("there is no document here")
        if line.reviewed:
            return self._done("no longer marked reviewed", self.review.unreviewed(line, note))
        return self._done("marked reviewed", self.review.reviewed(line, note))

    def describe(self, column: str, value: str) -> str:
        """Mend a field of the document's description."""
        if self.document is None:
            raise InputError("there is no document here")
        return self._done(f"{column} mended", self.review.describe(self.document, column, value))

    def undo(self) -> str:
        """Take one's last verdict back."""
        entry = self.review.undo()
        return self._done(f"taken back: {entry.targets[0] if entry.targets else entry.case}", entry)

    def redo(self) -> str:
        """Do again what was taken back."""
        entry = self.review.redo()
        return self._done(f"done again: {entry.targets[0] if entry.targets else entry.case}", entry)

    def _record(self) -> Record:
        record = self.current
        if record is None:
            raise InputError("there is no record here")
        return record

    def _done(self, what: str, entry: object) -> str:
        if self.sight is not None:
            self._look()
        elif self.document is not None:
            self.documents[self.document] = self.review.document(self.document)
        if self.record is not None and self.current is None:
            self.record = _key(self.records[0]) if self.records else None
        return what if entry is not None else "it says so already"


def _key(record: Record) -> str:
    return record.id or record.name
