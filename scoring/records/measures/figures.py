"""The figures of a review: EcoExtract's 23, bit for bit, and what stands beside them (`docs/ecoextract-behaviour.md#accuracy`).

Pure arithmetic on counts. The order of the operations is part of the definition: `1 - edits / M`, `2 * P * R / (P + R)`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

Figure = int | float | None

NO_DOCUMENTS = "No verified documents found"
NAMES = (
    "verified_documents", "verified_records", "model_extracted", "human_added", "deleted", "records_with_edits", "column_edits",
    "total_fields", "correct_fields", "field_precision", "field_recall", "field_f1", "records_found", "records_missed",
    "records_hallucinated", "detection_precision", "detection_recall", "perfect_record_rate", "column_accuracy", "major_edits",
    "minor_edits", "major_edit_rate", "avg_edits_per_document",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted over some reviewed documents.

    `model`, `added` and `deleted` are records: of the model (deleted ones included), of a person (deleted ones included),
    of the model and deleted; `named` of the model that have an id. `edits` counts audit rows of model records by column;
    `edited` the records they are of.
    """

    documents: int = 0
    records: int = 0
    model: int = 0
    added: int = 0
    deleted: int = 0
    named: int = 0
    edited: int = 0
    edits: Mapping[str, int] = field(default_factory=dict)

    @property
    def edits_total(self) -> int:
        return sum(self.edits.values())

    @property
    def found(self) -> int:
        return self.model - self.deleted


def together(tallies: Iterable[Tally]) -> Tally:
    """The tally of several groups of documents as one."""
    tallies = list(tallies)
    edits: dict[str, int] = {}
    for tally in tallies:
        for name, count in tally.edits.items():
            edits[name] = edits.get(name, 0) + count
    return Tally(
        sum(tally.documents for tally in tallies),
        sum(tally.records for tally in tallies),
        sum(tally.model for tally in tallies),
        sum(tally.added for tally in tallies),
        sum(tally.deleted for tally in tallies),
        sum(tally.named for tally in tallies),
        sum(tally.edited for tally in tallies),
        edits,
    )


def rate(part: int, whole: int) -> float | None:
    """A share; None where there is nothing to have a share of."""
    return part / whole if whole else None


def f1(precision: float | None, recall: float | None) -> float | None:
    """The harmonic mean; None where either is undefined or their sum is not positive."""
    if precision is None or recall is None or not precision + recall > 0:
        return None
    return 2 * precision * recall / (precision + recall)


@dataclass(frozen=True, slots=True)
class FieldFigures:
    """Fields right and wrong over `num_fields` fields a record."""

    num_fields: int
    total_fields: int
    correct_fields: int
    true_fields: int
    field_precision: float | None
    field_recall: float | None
    field_f1: float | None


def field_figures(tally: Tally, num_fields: int) -> FieldFigures:
    """Field precision, recall and F1. Every audit row counts, deleted records' too, so that figures can be negative."""
    total, true = tally.model * num_fields, (tally.found + tally.added) * num_fields
    correct = total - tally.deleted * num_fields - tally.edits_total
    precision, recall = rate(correct, total), rate(correct, true)
    return FieldFigures(num_fields, total, correct, true, precision, recall, f1(precision, recall))


def by_bytes(edits: Mapping[str, int]) -> dict[str, int]:
    """Edits by column, names in byte order."""
    return {name: edits[name] for name in sorted(edits, key=lambda name: name.encode("utf-8", "surrogatepass"))}


def ecoextract(tally: Tally, columns: Collection[str], major: Collection[str] | None) -> dict[str, object]:
    """The 23 values by their R names, in R's order, None for NA; `message` only where there was nothing to count.

    Args:
        tally: over the reviewed documents chosen.
        columns: the columns of `records` that count as fields, in table order.
        major: names whose edits are major; None where no schema could be read.
    """
    if not tally.documents:
        return nothing(NO_DOCUMENTS)
    fields, found = field_figures(tally, len(columns)), tally.found
    majors = sum(count for name, count in tally.edits.items() if name in major) if major is not None else 0
    minors = tally.edits_total - majors if major is not None else 0
    average = None if major is None else (majors + minors) / tally.documents
    values = (
        tally.documents, tally.records, tally.model, tally.added, tally.deleted, tally.edited, by_bytes(tally.edits),
        fields.total_fields, fields.correct_fields, fields.field_precision, fields.field_recall, fields.field_f1, found, tally.added,
        tally.deleted, rate(found, tally.model), rate(found, found + tally.added), rate(found - tally.edited, found),
        column_accuracy(tally, columns), majors, minors, rate(majors, majors + minors), average,
    )  # fmt: skip
    return dict(zip(NAMES, values, strict=True))


def column_accuracy(tally: Tally, columns: Iterable[str]) -> dict[str, float]:
    """The share of model records whose cell of a column was not edited, by column; empty where no model record has an id."""
    return {name: 1 - tally.edits.get(name, 0) / tally.model for name in columns} if tally.named else {}


def nothing(message: str) -> dict[str, object]:
    """The 23 values where nothing could be counted, and why."""
    empty: dict[str, object] = {"column_edits": {}, "column_accuracy": {}}
    undefined = {name for name in NAMES if "precision" in name or "recall" in name or "rate" in name or "f1" in name or "avg" in name}
    return {name: empty.get(name, None if name in undefined else 0) for name in NAMES} | {"message": message}


@dataclass(frozen=True, slots=True)
class Interval:
    """A Wilson interval (95 %) about a share of `part` in `whole`."""

    part: int
    whole: int
    low: float
    high: float


def wilson(part: int, whole: int) -> Interval | None:
    """The interval; None where the share is undefined or no share at all (EcoExtract's figures can leave 0 to 1)."""
    if not whole or not 0 <= part <= whole:
        return None
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(part, whole, alpha=0.05, method="wilson")
    return Interval(part, whole, float(low), float(high))
