"""What a record or a document shows, as blocks (`5-records`, Review). A document's text is read when asked for."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.adjudication.cases import Block, Facts, Grid, Line, Passage
from scoring.records.cases import Source
from scoring.records.database import reading
from scoring.records.evidence import Finding, SearchText, record_evidence
from scoring.records.flags import flags, repeats
from scoring.records.material import Change, DocumentLine, Record, document_content, history
from scoring.records.pages import DocumentText, document_text
from scoring.records.values import cell_text, typed_text, value_of

AROUND = 240
MARKS = {"deleted": "d", "added": "+", "edited": "e", "accepted": "a", "open": " "}


def record_blocks(source: Source, line: DocumentLine, record: Record, *, blind: bool = False) -> tuple[Block, ...]:
    """A record as a form, what asks for a look, its sentences in the text, and what was done to it; blind, without what others said."""
    with reading(source.path) as database:
        text = document_text(document_content(database, source.layout, line.id))
        changes = history(database, source.layout, line.id, record.id)
    findings = record_evidence(SearchText(text.text), dict(record.values), source.schema)
    others = [other for other in source.records if other.document == record.document]
    doubts = flags(record, source.schema, repeats(others, source.schema).get(str(record.id), ()), findings)
    doubtful = {doubt.column for doubt in doubts}
    rows = tuple(
        Line((name, shown_value(source, record, name)), mark_of(record, name, name in doubtful, blind=blind)) for name in record.values
    )
    blocks: list[Block] = [
        Facts("Record", record_facts(line, record, blind=blind)),
        Grid("Fields (? asks for a look)" if blind else "Fields (e edited, ? asks for a look)", ("field", "value"), rows),
    ]
    if doubts:
        blocks.append(Facts("Asks for a look", tuple((doubt.column or "record", doubt.what) for doubt in doubts)))
    blocks += passages(text, findings)
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


def shown_value(source: Source, record: Record, name: str) -> str:
    """A field as a person would type it."""
    field = source.schema.by_name.get(name) if source.schema is not None else None
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


def document_blocks(source: Source, line: DocumentLine) -> tuple[Block, ...]:
    """A document: what it is, how far it is, its records as a table, and its text."""
    with reading(source.path) as database:
        text = document_text(document_content(database, source.layout, line.id))
    records = [record for record in source.records if record.document == line.id]
    names = source.layout.fields
    rows = tuple(
        Line((record.name, record.state, *(shown_value(source, record, name) for name in names)), MARKS[record.state]) for record in records
    )
    facts = (
        ("document", f"{line.id} {line.name}"),
        ("title", line.title),
        ("first author, year", ", ".join(part for part in (line.author, line.year) if part)),
        ("reviewed", line.reviewed_at or ("yes" if line.reviewed else "no")),
        ("records", f"{line.records}, of them {line.deleted} deleted, {line.added} added; {line.edits} edits"),
    )
    pages = tuple(Passage(f"Page {page.label}" if page.label else "Text", page.text) for page in text.pages)
    return (Facts("Document", facts), Grid("Records", ("record", "state", *names), rows), *pages)
