"""What about a record asks for a look, found by rule: empty identifying fields, values of the wrong kind, repeated records, lost sentences.

A flag decides nothing; it is shown with the record (`docs/records.md#flags`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.records.cases.text_evidence import Finding
from scoring.records.inputs.fields import RecordSchema
from scoring.records.inputs.material import Record
from scoring.records.inputs.values import cell_text, type_fault
from scoring.records.measures.edits import is_blank


@dataclass(frozen=True, slots=True)
class Flag:
    """A doubt about a record: of which field (empty: of the whole record), and a sentence."""

    column: str
    what: str


def value_flags(record: Record, schema: RecordSchema | None) -> list[Flag]:
    """Fields whose value is not of the schema's type or choices, or is missing where it identifies the record."""
    if schema is None:
        return []
    found = []
    for field in schema.fields:
        if field.name not in record.values:
            continue
        cell = record.values[field.name]
        fault = type_fault(field, cell)
        if fault:
            found.append(Flag(field.name, f"{field.name} is {fault}"))
        elif field.unique and is_blank(None if cell is None else cell_text(cell)):
            found.append(Flag(field.name, f"{field.name} is empty, and is one of the fields that tell records apart"))
    return found


def repeats(records: Sequence[Record], schema: RecordSchema | None) -> dict[str, tuple[str, ...]]:
    """By record the names of the other records of the document that say the same in all fields that tell records apart."""
    unique = [name for name in (schema.unique if schema is not None else ()) if all(name in record.values for record in records)]
    if not unique:
        return {}
    groups: dict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in records:
        if record.deleted_at is None and record.id is not None:
            key = tuple(" ".join(cell_text(record.values[name]).casefold().split()) for name in unique)
            if any(key):
                groups[key].append(record)
    return {
        str(record.id): tuple(other.name for other in group if other is not record)
        for group in groups.values()
        if len(group) > 1
        for record in group
    }


def evidence_flags(findings: Iterable[Finding]) -> list[Flag]:
    """Sentences that the document does not have, or has a little differently."""
    flags = []
    for finding in findings:
        if finding.strength is None:
            flags.append(Flag(finding.source, f"not found in the text ({finding.reason}): {finding.sentence}"))
        elif finding.strength == "weak":
            best = max(place.score for place in finding.places)
            flags.append(Flag(finding.source, f"found only as a similar passage ({best:.0%}): {finding.sentence}"))
    return flags


def flags(record: Record, schema: RecordSchema | None, repeated: Sequence[str] = (), findings: Iterable[Finding] = ()) -> list[Flag]:
    """Everything about a record that asks for a look."""
    same = [Flag("", f"says the same as {', '.join(repeated)}")] if repeated else []
    return [*value_flags(record, schema), *same, *evidence_flags(findings)]
