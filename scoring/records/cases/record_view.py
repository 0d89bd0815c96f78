"""What a record or a document shows, as blocks (`docs/records.md#review`, `docs/adjudication.md#cases`). Values in, blocks out."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.adjudication.cases import Block, Facts, Grid, Line, Passage
from scoring.records.cases.flags import flags, repeats
from scoring.records.cases.text_evidence import Finding, SearchText, record_evidence, uncited
from scoring.records.inputs.fields import RecordSchema
from scoring.records.inputs.layout import Layout
from scoring.records.inputs.material import Change, DocumentLine, Record, document_content, read_records
from scoring.records.inputs.text_pages import DocumentText, document_text
from scoring.records.inputs.values import cell_text, typed_text, value_of

AROUND = 240
MARKS = {"deleted": "d", "added": "+", "edited": "e", "accepted": "a", "open": " "}


@dataclass(frozen=True)
class Sight:
    """One document as a reviewer has it before him: its records and its text, made ready to be searched once for all of them."""

    line: DocumentLine
    records: tuple[Record, ...]
    schema: RecordSchema | None
    text: DocumentText

    @cached_property
    def search(self) -> SearchText:
        return SearchText(self.text.text)

    @cached_property
    def repeated(self) -> dict[str, tuple[str, ...]]:
        """By record the names of those that say the same."""
        return repeats(self.records, self.schema)

    def findings(self, record: Record) -> list[Finding]:
        """Where the text says what the record says."""
        return record_evidence(self.search, dict(record.values), self.schema)

    def uncited(self) -> list[tuple[int, int]]:
        """The sentences no living record cites: where records the model missed hide."""
        found = [finding for record in self.records if record.deleted_at is None for finding in self.findings(record)]
        return uncited(self.text.text, found)


def read_sight(database: sqlite3.Connection, layout: Layout, schema: RecordSchema | None, line: DocumentLine) -> Sight:
    """Read one document with its records and its text."""
    text = document_text(document_content(database, layout, line.id))
    return Sight(line, tuple(read_records(database, layout, line.id)), schema, text)


def record_blocks(sight: Sight, record: Record, changes: Sequence[Change], *, blind: bool = False) -> tuple[Block, ...]:
    """A record as a form, what asks for a look, its sentences in the text, and what was done to it; blind, without what others said."""
    findings = sight.findings(record)
    doubts = flags(record, sight.schema, sight.repeated.get(str(record.id), ()), findings)
    doubtful = {doubt.column for doubt in doubts}
    rows = tuple(
        Line((name, shown_value(sight.schema, record, name)), mark_of(record, name, name in doubtful, blind=blind))
        for name in record.values
    )
    blocks: list[Block] = [
        Facts("Record", record_facts(sight.line, record, blind=blind)),
        Grid("Fields (? asks for a look)" if blind else "Fields (e edited, ? asks for a look)", ("field", "value"), rows),
    ]
    if doubts:
        blocks.append(Facts("Asks for a look", tuple((doubt.column or "record", doubt.what) for doubt in doubts)))
    blocks += passages(sight.text, findings)
    if changes and not blind:
        blocks.append(history_grid(changes))
    return tuple(blocks)


def record_facts(line: DocumentLine, record: Record, *, blind: bool = False) -> tuple[tuple[str, str], ...]:
    """Whose record it is and how it stands."""
    rows = [("record", record.name), ("id", record.id or "none"), ("document", f"{line.id} {line.name}")]
    if blind:
        return (*rows, ("seen", record.hash))
    rows.append(("state", record.state))
    if record.accepted:
        rows.append(("accepted by", ", ".join(record.accepted)))
    if record.lapsed:
        rows.append(("accepted before it changed", ", ".join(record.lapsed)))
    if record.deleted_at is not None:
        rows.append(("deleted at", record.deleted_at))
    return (*rows, ("seen", record.hash))


def shown_value(schema: RecordSchema | None, record: Record, name: str) -> str:
    """A field as a person would type it."""
    field = schema.by_name.get(name) if schema is not None else None
    cell = record.values[name]
    return typed_text(value_of(field, cell)) if field is not None and cell is not None else cell_text(cell)


def mark_of(record: Record, name: str, doubtful: bool, *, blind: bool = False) -> str:
    """The letters that mark a field."""
    return ("e" if name in record.edited and not blind else "") + ("?" if doubtful else "")


def passages(text: DocumentText, findings: Sequence[Finding]) -> list[Passage]:
    """Each sentence with every place that says it and some text around; a lone line where it was not found."""
    blocks = []
    for number, finding in enumerate(findings, 1):
        if not finding.places:
            blocks.append(Passage(f"Evidence {number}, not found: {finding.reason}", finding.sentence))
        for place in finding.places:
            start, end = max(0, place.start - AROUND), min(len(text.text), place.end + AROUND)
            page = text.pages[text.page_at(place.start)].label if text.pages else ""
            certainty = "" if place.strength == "exact" else f", {place.strength} ({place.score:.0%})"
            title = f"Evidence {number}{f', page {page}' if page else ''}{certainty}"
            blocks.append(Passage(title, text.text[start:end], ((place.start - start, place.end - start, place.strength),)))
    return blocks


def history_grid(changes: Sequence[Change]) -> Grid:
    """What was done, old value beside new."""
    rows = tuple(
        Line((change.at, change.who, change.what, change.name, change.column or "", change.before or "", change.after or "", change.note))
        for change in changes
    )
    return Grid("History", ("when", "who", "what", "record", "field", "before", "after", "note"), rows)


def document_blocks(sight: Sight) -> tuple[Block, ...]:
    """A document: what it is, how far it is, its records as a table, and its text."""
    line = sight.line
    names = tuple(sight.records[0].values) if sight.records else ()
    rows = tuple(
        Line((record.name, record.state, *(shown_value(sight.schema, record, name) for name in names)), MARKS[record.state])
        for record in sight.records
    )
    facts = (
        ("document", f"{line.id} {line.name}"),
        ("title", line.title),
        ("first author, year", ", ".join(part for part in (line.author, line.year) if part)),
        ("reviewed", line.reviewed_at or ("yes" if line.reviewed else "no")),
        ("records", f"{line.records}, of them {line.deleted} deleted, {line.added} added; {line.edits} edits"),
    )
    pages = tuple(Passage(f"Page {page.label}" if page.label else "Text", page.text) for page in sight.text.pages)
    return (Facts("Document", facts), Grid("Records", ("record", "state", *names), rows), *pages)


def uncited_blocks(sight: Sight) -> tuple[Block, ...]:
    """The passages no record cites, page by page."""
    spans = sight.uncited()
    pages = sight.text.pages
    return tuple(
        Passage(
            f"Page {pages[number].label}" if pages[number].label else "Text", "\n".join(sight.text.text[start:end] for start, end in found)
        )
        for number in range(len(pages))
        if (found := [span for span in spans if sight.text.page_at(span[0]) == number])
    )
