"""What the Records screens show, as values: stops in the text, the form, changes, a conflict. Values in, blocks out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.records.cases.flags import Flag
from scoring.records.cases.record_view import Sight, mark_of, shown_value
from scoring.records.cases.text_evidence import Finding
from scoring.records.inputs.material import Change, DocumentLine, Record

STATES = {"open": "○", "accepted": "●", "edited": "✎", "deleted": "✗", "added": "+"}


@dataclass(frozen=True, slots=True)
class Stop:
    """A place of the text to look at: start and end in characters (both 0 where the sentence was not found), and what it is."""

    start: int
    end: int
    what: str

    @property
    def found(self) -> bool:
        """Whether the text has it."""
        return self.end > self.start


def evidence_stops(sight: Sight, findings: Sequence[Finding]) -> tuple[Stop, ...]:
    """Every place of every sentence of a record; one stop without a place for a sentence the text does not have."""
    stops = []
    for number, finding in enumerate(findings, 1):
        name = f"Evidence {number} of {len(findings)}"
        if not finding.places:
            stops.append(Stop(0, 0, f"{name} is NOT FOUND ({finding.reason}): {finding.sentence}"))
        for at, place in enumerate(finding.places, 1):
            sure = place.strength if place.strength == "exact" else f"{place.strength} match, {place.score:.0%} alike"
            many = f", place {at} of {len(finding.places)}" if len(finding.places) > 1 else ""
            stops.append(Stop(place.start, place.end, f"{name}{many}: {page_words(sight, place.start)}{sure}"))
    return tuple(stops)


def uncited_stops(sight: Sight, spans: Sequence[tuple[int, int]]) -> tuple[Stop, ...]:
    """The passages no living record cites."""
    return tuple(
        Stop(start, end, f"Cited by no record: {page_words(sight, start)}{number} of {len(spans)}; + adds a record that cites it")
        for number, (start, end) in enumerate(spans, 1)
    )


def page_words(sight: Sight, position: int) -> str:
    """`page 3, `, or nothing where pages have no names."""
    label = sight.text.pages[sight.text.page_at(position)].label if sight.text.pages else ""
    return f"page {label}, " if label else ""


def citing(stop: Stop, findings: Mapping[str, Sequence[Finding]], but: str | None = None) -> tuple[str, ...]:
    """The names of the records whose evidence touches a stop, without the one named `but`."""
    return tuple(
        name
        for name, found in findings.items()
        if name != but and any(place.start < stop.end and stop.start < place.end for one in found for place in one.places)
    )


def coverage(sight: Sight, spans: Sequence[tuple[int, int]]) -> str:
    """How much of each page no record cites."""
    parts = []
    for number, page in enumerate(sight.text.pages):
        here = sum(end - start for start, end in spans if sight.text.page_at(start) == number)
        share = here / len(page.text) if page.text else 0.0
        parts.append(f"page {page.label or number + 1} {share:.0%}")
    return "uncited: " + ", ".join(parts) if parts else ""


def form_grid(sight: Sight, record: Record, column: str | None, doubts: Iterable[Flag]) -> Grid:
    """The record as a form, a line a field: `▸` marks the field of the cursor, `e` an edited field, `?` one that asks for a look."""
    doubtful = {doubt.column for doubt in doubts}
    lines = tuple(
        Line(
            (name, shown_value(sight.schema, record, name).replace("\n", " ⏎ ")),
            (("▸" if name == column else " ") + mark_of(record, name, name in doubtful)).ljust(3),
        )
        for name in record.values
    )
    who = f"  accepted by {', '.join(record.accepted)}" if record.accepted else ""
    lapsed = f"  changed since {', '.join(record.lapsed)} accepted it" if record.lapsed else ""
    gone = f"  deleted {record.deleted_at}" if record.deleted_at else ""
    return Grid(f"{STATES[record.state]} {record.name}  {record.state}{who}{lapsed}{gone}", ("", ""), lines)


def cell_facts(
    sight: Sight, record: Record, column: str, doubts: Iterable[Flag], changes: Iterable[Change], takes: str
) -> tuple[Block, ...]:
    """The field of the cursor: its whole value, what it was before and by whom it was changed, why it asks for a look, what it takes."""
    rows = [("", shown_value(sight.schema, record, column) or "(empty)")]
    rows += [(f"was, {change.who} {change.at}", _value(change.before)) for change in reversed(list(changes)) if change.column == column]
    rows += [("asks for a look", doubt.what) for doubt in doubts if doubt.column in (column, "")]
    rows.append(("takes", takes))
    return (Facts(column, tuple(rows)),)


def change_blocks(changes: Sequence[Change], none: str = "Nothing was done yet.") -> tuple[Block, ...]:
    """What was done, the latest first: who and when, old value above new, nothing cut."""
    return tuple(map(_change, reversed(changes))) if changes else (Facts(none, ()),)


def _change(change: Change) -> Facts:
    rows = []
    if change.before is not None or change.after is not None:
        rows = [("before", _value(change.before)), ("after", _value(change.after))]
    if change.note:
        rows.append(("note", change.note))
    what = " ".join(part for part in (change.what, change.column, f"of {change.name}" if change.name else "") if part)
    return Facts(f"{change.at}  {change.who}  {what}", tuple(rows))


def _value(text: str | None) -> str:
    return "(empty)" if text is None or text == "" else text


def record_difference(sight: Sight, before: Record | None, now: Record | None) -> tuple[tuple[str, str, str], ...]:
    """The fields in which a record differs from how it was seen, as (field, seen, now)."""
    if before is None:
        return ()
    if now is None:
        return (("the record", before.name, "is not in the database any more"),)
    names = [name for name in before.values if before.values[name] != now.values.get(name)]
    found = [(name, _value(shown_value(sight.schema, before, name)), _value(shown_value(sight.schema, now, name))) for name in names]
    if before.deleted_at != now.deleted_at:
        found.append(("deleted", before.deleted_at or "no", now.deleted_at or "no"))
    return tuple(found)


def conflict_blocks(what: str, difference: Sequence[tuple[str, str, str]], changes: Sequence[Change]) -> tuple[Block, ...]:
    """A refused verdict: why, what it was based on beside what is there now, and who did what meanwhile."""
    blocks: list[Block] = [Facts("Your verdict was NOT written", (("", what),))]
    if difference:
        lines = tuple(Line(parts, "≠") for parts in difference)
        blocks.append(Grid("What you saw, and what is there now", ("field", "you saw", "now"), lines))
    return (*blocks, Facts("Done meanwhile", ()), *change_blocks(changes, "nothing that was booked"))


def document_words(line: DocumentLine) -> str:
    """A document in a line."""
    return f"document {line.id}  {line.title or line.name}"
