"""The document that is open: its records as a table with a cursor, the evidence in its text, what is shown of a record.

Plain Python, no Textual. The cursor is a record and a field, never an index. What others change is read again only when that is asked
for: a verdict is always based on what was on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter

from scoring.adjudication.cases import Block, Grid
from scoring.foundations.problems import InputError
from scoring.records.cases.flags import Flag, flags
from scoring.records.cases.record_view import Sight, shown_value
from scoring.records.cases.text_evidence import Finding, uncited
from scoring.records.inputs.fields import Field
from scoring.records.inputs.layout import Cell
from scoring.records.inputs.material import Change, Record
from scoring.records.inputs.values import cell_text
from tui.records_desk import view
from tui.records_desk.document_list import DocumentList
from tui.records_desk.view import Stop

# Characters of text times records up to which the evidence of all records is searched without a wait that could be felt.
AT_ONCE = 500_000
TYPES = {
    "string": "text", "integer": "a whole number", "number": "a number", "boolean": "yes or no", "array": "a list", "object": "an object",
}  # fmt: skip


@dataclass(slots=True)
class OpenDocument(DocumentList):
    """What is looked at.

    Attributes:
        sight: the document opened, `None` in the list.
        record: key of the record looked at (its id, else its name).
        column: the field looked at.
        stop: which place in the text is looked at.
        uncited: whether the places are the passages no record cites, instead of the evidence of the record.
        sorted_by: the field the records are sorted by, with a `-` before it backwards; empty for the order of the database.
        words: what the records listed must hold.
        marked: keys of the records chosen for one verdict on all of them.
    """

    sight: Sight | None = None
    record: str | None = None
    column: str | None = None
    stop: int = 0
    uncited: bool = False
    sorted_by: str = ""
    words: str = ""
    marked: set[str] = field(default_factory=set)
    _version: int = 0
    _known: frozenset[object] = frozenset()
    _found: dict[str, tuple[str, Sequence[Finding]]] = field(default_factory=dict)
    _changes: tuple[str | None, list[Change]] | None = None
    _spans: list[tuple[int, int]] | None = None

    def __post_init__(self) -> None:
        self.read()

    # Reading

    def read(self) -> None:
        """Read the list of documents anew; the cursor stays where it is."""
        DocumentList.read(self)
        self._version = self._data_version()

    def open(self) -> None:
        """Open the document of the cursor at its first open record."""
        if self.document is None:
            return
        self.record, self.stop, self.uncited, self.words, self.marked = None, 0, False, "", set()
        self._look(self.review.sight(self.document))
        records = self.records
        first = next((one for one in records if one.state == "open"), records[0] if records else None)
        self.record = key_of(first) if first is not None else None
        if self.column not in self.columns:
            self.column = self.columns[0] if self.columns else None

    def open_again(self) -> None:
        """Read the open document anew: somebody else may have changed it."""
        if self.sight is None:
            return
        place = self.position
        self._look(self.review.sight(self.sight.line.id))
        self._stay(place)

    def close(self) -> None:
        """Back to the list."""
        self.sight = None
        self.read()

    def others_wrote(self) -> bool:
        """Whether another program has written to the database since it was last read."""
        return self._data_version() != self._version

    def _data_version(self) -> int:
        return int(self.review.database.execute("PRAGMA data_version").fetchone()[0])

    def _look(self, sight: Sight) -> None:
        self.sight = sight
        self.documents[sight.line.id] = sight.line
        self._version = self._data_version()
        self._known = frozenset(map(identity_of, self.review.history(sight.line.id)))
        self._changes = self._spans = None
        self._found = {key: found for key, found in self._found.items() if key in {key_of(one) for one in sight.records}}

    def _look_again(self) -> None:
        """After an own verdict: the records are read anew, the text, made ready to be searched, is kept."""
        old = self.sight
        if old is None:
            return
        place, version = self.position, self._version
        document = old.line.id
        sight = Sight(self.review.document(document), tuple(self.review.records(document)), old.schema, old.text)
        vars(sight)["search"] = old.search
        self._look(sight)
        self._version = version
        self._stay(place)

    def _stay(self, place: int) -> None:
        """Keep the cursor on its record; where it is gone, on the one now in its place."""
        if self.current is None:
            records = self.records
            self.record = key_of(records[min(max(place, 0), len(records) - 1)]) if records else None
        self.marked &= {key_of(one) for one in self.records}

    # The records of a document

    @property
    def records(self) -> tuple[Record, ...]:
        """The records listed, in the order chosen."""
        if self.sight is None:
            return ()
        records = self.sight.records
        if self.words:
            records = tuple(record for record in records if self._holds(record))
        column = self.sorted_by.removeprefix("-")
        if column and all(column in record.values for record in records):
            records = tuple(sorted(records, key=lambda record: _sortable(record.values[column]), reverse=self.sorted_by.startswith("-")))
        return records

    def _holds(self, record: Record) -> bool:
        """`word` anywhere in the record or `field:word` in that field; a word of a state finds the records of it."""
        for word in self.words.casefold().split():
            column, colon, rest = word.partition(":")
            names = [name for name in record.values if colon and name.casefold() == column]
            texts = [self.shown(record, name) for name in names or record.values]
            texts += [] if names else [record.name, record.state]
            if (rest if names else word) not in "\n".join(texts).casefold():
                return False
        return True

    def find_records(self, words: str) -> int:
        """List the records that hold the words; how many."""
        self.words = words.strip()
        self._stay(0)
        return len(self.records)

    def sort_records(self) -> str:
        """Sort by the field of the cursor, then backwards, then not at all; in words."""
        column = self.column or ""
        self.sorted_by = f"-{column}" if self.sorted_by == column else "" if self.sorted_by == f"-{column}" else column
        if not self.sorted_by:
            return "in the order of the database"
        return f"by {column}" + (", backwards" if self.sorted_by.startswith("-") else "")

    @property
    def current(self) -> Record | None:
        """The record of the cursor."""
        return next((one for one in self.records if key_of(one) == self.record), None)

    @property
    def position(self) -> int:
        """Where the record stands among those listed, from 0; -1 without one."""
        return next((at for at, one in enumerate(self.records) if key_of(one) == self.record), -1)

    @property
    def columns(self) -> tuple[str, ...]:
        """The fields of a record, in table order."""
        return tuple(self.sight.records[0].values) if self.sight is not None and self.sight.records else self.review.fields()

    def _go(self, record: Record) -> None:
        self.record, self.stop, self.uncited = key_of(record), 0, False

    def move_record(self, by: int) -> None:
        """Move over the records of the document."""
        records = self.records
        if records:
            self._go(records[min(max(self.position + by, 0), len(records) - 1)])

    def next_open(self) -> bool:
        """To the next record nobody has judged, round to the beginning; whether there is one."""
        start = self.position + 1
        found = next((one for one in (*self.records[start:], *self.records[:start]) if one.state == "open"), None)
        if found is not None:
            self._go(found)
        return found is not None

    @property
    def waiting(self) -> int:
        """How many records of the document nobody has judged."""
        return sum(one.state == "open" for one in self.sight.records) if self.sight is not None else 0

    def move_field(self, by: int) -> None:
        """Move over the fields of the record."""
        if self.columns:
            at = self.columns.index(self.column) if self.column in self.columns else 0
            self.column = self.columns[min(max(at + by, 0), len(self.columns) - 1)]

    def mark(self) -> int:
        """Choose the record for one verdict on several, or let it go; how many are chosen."""
        if self.record is not None:
            self.marked ^= {self.record}
        return len(self.marked)

    def chosen(self) -> tuple[Record, ...]:
        """The records marked, else the one of the cursor."""
        marked = tuple(one for one in self.records if key_of(one) in self.marked)
        return marked or ((self.current,) if self.current is not None else ())

    # The text

    def findings(self, record: Record) -> Sequence[Finding]:
        """The evidence of a record, searched once while it stays as it is."""
        assert self.sight is not None
        key = key_of(record)
        if key not in self._found or self._found[key][0] != record.hash:
            self._found[key] = record.hash, self.sight.findings(record)
        return self._found[key][1]

    def _living(self) -> list[Record]:
        return [one for one in self.sight.records if one.deleted_at is None] if self.sight is not None else []

    def _is_searched(self, record: Record) -> bool:
        return key_of(record) in self._found and self._found[key_of(record)][0] == record.hash

    def search_rest(self, seconds: float = float("inf")) -> bool:
        """Search the text for the evidence of the other records, for so long; whether something was found out and all is done now."""
        rest = [record for record in self._living() if not self._is_searched(record)]
        until = perf_counter() + seconds
        for record in rest:
            if perf_counter() >= until:
                return False
            self.findings(record)
        return bool(rest)

    def stops(self) -> tuple[Stop, ...]:
        """The places to step through: the evidence of the record, or what no record cites."""
        if self.sight is None:
            return ()
        if self.uncited:
            return view.uncited_stops(self.sight, self.uncited_spans())
        return view.evidence_stops(self.sight, self.findings(self.current)) if self.current is not None else ()

    def uncited_spans(self) -> list[tuple[int, int]]:
        """The passages no living record cites."""
        if self._spans is None:
            self.search_rest()
            found = [one for record in self._living() for one in self.findings(record)]
            self._spans = uncited(self.sight.text.text, found) if self.sight is not None else []
        return self._spans

    def place_in_text(self) -> Stop | None:
        """The place looked at."""
        stops = self.stops()
        return stops[min(self.stop, len(stops) - 1)] if stops else None

    def step(self, by: int, *, uncited: bool = False) -> None:
        """To another place: of the evidence, or of what no record cites."""
        if self.uncited != uncited:
            self.uncited, self.stop = uncited, 0 if by > 0 else -1
            self.stop %= max(1, len(self.stops()))
            return
        stops = self.stops()
        if stops:
            self.stop = (self.stop + by) % len(stops)

    def place_words(self) -> str:
        """What the place in the text is, and which other records cite it."""
        stop = self.place_in_text()
        if stop is None or self.sight is None:
            if self.sight is not None and not self.sight.text.text:
                return "The database holds no text of this document."
            if self.uncited:
                return "Every sentence of the text is cited."
            return "The record cites no sentence, and its values are not in the text."
        if self.uncited or not stop.found:
            return stop.what
        own = self.current
        if len(self.sight.text.text) * len(self.sight.records) < AT_ONCE:
            self.search_rest()
        living = {one.name: self.findings(one) for one in self._living() if self._is_searched(one)}
        others = view.citing(stop, living, own.name if own is not None else None)
        return stop.what + (f"; cited by {', '.join(others)} too" if others else "")

    # What is shown of the record

    def shown(self, record: Record, column: str) -> str:
        """A field as a person would read it."""
        return shown_value(self.review.schema, record, column)

    def doubts(self) -> list[Flag]:
        """What about the record asks for a look."""
        record, sight = self.current, self.sight
        if record is None or sight is None:
            return []
        return flags(record, sight.schema, sight.repeated.get(str(record.id), ()), self.findings(record))

    def form(self) -> tuple[Block, ...]:
        """The record as a form, the field of the cursor marked."""
        if self.current is None or self.sight is None:
            return (Grid("No record: + adds one the model missed", ("", ""), ()),)
        return (view.form_grid(self.sight, self.current, self.column, self.doubts()),)

    def cell(self) -> tuple[Block, ...]:
        """The field of the cursor: whole value, earlier values and whose, doubts, what it takes."""
        record = self.current
        if record is None or self.sight is None or self.column is None or self.column not in record.values:
            return ()
        try:
            takes = self.kind_of(self.column)
        except InputError as fault:
            takes = f"nothing: {fault.what}"
        return view.cell_facts(self.sight, record, self.column, self.doubts(), self.changes(), takes)

    def changes(self) -> list[Change]:
        """What was done to the record of the cursor."""
        record = self.current
        if self.sight is None or record is None or record.id is None:
            return []
        if self._changes is None or self._changes[0] != record.id:
            self._changes = record.id, self.review.history(self.sight.line.id, record.id)
        return self._changes[1]

    def history(self, *, whole: bool = False) -> tuple[Block, ...]:
        """What was done to the record of the cursor; of the whole document where that is wanted or there is no record."""
        if whole or self.current is None:
            return view.change_blocks(self.review.history(self.document)) if self.document is not None else ()
        return view.change_blocks(self.changes())

    def field_of(self, column: str) -> Field:
        """The schema's field; `InputError` where it is not one to edit."""
        return self.review.field(column)

    def kind_of(self, column: str) -> str:
        """What the field takes, in words: type, choices, whether it may be empty, description."""
        declared = self.review.field(column)
        lines = ", a line an element" if declared.is_list else ""
        choices = f"; one of {', '.join(declared.choices)}" if declared.choices else ""
        empty = "" if self.may_be_empty(column) else "; not empty"
        types = " or ".join(TYPES.get(kind, kind) for kind in declared.types)
        return f"{types}{lines}{choices}{empty}{f'. {declared.description}' if declared.description else ''}"

    def may_be_empty(self, column: str) -> bool:
        """Whether the field can be cleared: to nothing, or to a list of nothing."""
        declared, stored = self.review.field(column), self.review.layout.record(column)
        required = stored is not None and stored.required
        return (declared.nullable and not required) or ("array" in declared.types and not declared.nullable)


def key_of(record: Record) -> str:
    """What the cursor holds of a record."""
    return record.id or record.name


def identity_of(change: Change) -> object:
    """What tells a change from all others."""
    return change.entry or (change.at, change.record, change.column, change.before)


def _sortable(cell: Cell) -> tuple[int, float, str]:
    """Numbers before texts before nothing."""
    if isinstance(cell, int | float):
        return 0, float(cell), ""
    return (2, 0.0, "") if cell is None else (1, 0.0, cell_text(cell).casefold())
