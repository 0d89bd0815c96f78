"""The accuracy figures as plain tables, for terminal, CSV, Markdown, HTML and screens alike (`docs/records.md#accuracy`).

A cell is a text, a whole number, a share or another number, or None where it is undefined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Literal, NamedTuple

from scoring.records.measures.accuracy import Accuracy, DocumentTally
from scoring.records.measures.edits import KINDS, Edit, summary
from scoring.records.measures.figures import Tally, f1, field_figures, rate

Cell = str | int | float | None
Kind = Literal["text", "count", "share", "number"]


class Table(NamedTuple):
    """A table: its name in files, its title, its columns with what they hold, its rows, and what a reader must know."""

    name: str
    title: str
    columns: tuple[tuple[str, Kind], ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def figures(accuracy: Accuracy) -> Table:
    """EcoExtract's figures by their R names, each share with its fraction and its Wilson interval."""
    rows: list[tuple[Cell, ...]] = []
    for name, value in accuracy.ecoextract.items():
        if isinstance(value, int | float) or value is None:
            interval = accuracy.intervals.get(name)
            ends = (interval.low, interval.high) if interval is not None else (None, None)
            rows.append((name, value, _fraction(accuracy, name), *ends))
    note = "As EcoExtract computes them; every column of records but five counts as a field. Intervals: Wilson, 95 %"
    if "message" in accuracy.ecoextract:
        note = f"{accuracy.ecoextract['message']}. {note}"
    columns: tuple[tuple[str, Kind], ...] = (("figure", "text"), ("value", "number"), ("of", "text"), ("low", "share"), ("high", "share"))
    return Table("ecoextract", "EcoExtract's figures", columns, tuple(rows), note)


def _fraction(accuracy: Accuracy, name: str) -> str:
    """The raw fraction behind a share; empty for what is none."""
    tally = accuracy.counts.tally
    fields = field_figures(tally, len(accuracy.counts.columns))
    parts = {
        "field_precision": (fields.correct_fields, fields.total_fields),
        "field_recall": (fields.correct_fields, fields.true_fields),
        "detection_precision": (tally.found, tally.model),
        "detection_recall": (tally.found, tally.found + tally.added),
        "perfect_record_rate": (tally.found - tally.edited, tally.found),
        "major_edit_rate": (accuracy.ecoextract.get("major_edits"), tally.edits_total),
        "avg_edits_per_document": (tally.edits_total, tally.documents),
    }
    return "{}/{}".format(*parts[name]) if name in parts and "message" not in accuracy.ecoextract else ""


def schema_only(accuracy: Accuracy) -> Table:
    """The same arithmetic over the schema's fields alone."""
    rows: list[tuple[Cell, ...]] = []
    values = accuracy.schema_values
    for name, value in values.items():
        interval = accuracy.intervals.get(f"schema_only.{name}")
        ends = (interval.low, interval.high) if interval is not None else (None, None)
        whole = {"field_precision": "total_fields", "field_recall": "true_fields"}.get(name)
        fraction = f"{values['correct_fields']}/{values[whole]}" if whole else ""
        rows.append((name, value if isinstance(value, int | float) else None, fraction, *ends))
    source = accuracy.schema.source if accuracy.schema is not None else "no schema"
    columns: tuple[tuple[str, Kind], ...] = (("figure", "text"), ("value", "number"), ("of", "text"), ("low", "share"), ("high", "share"))
    return Table("schema_only", "Over the schema's fields only", columns, tuple(rows), f"Fields of {source}")


def detection(accuracy: Accuracy) -> Table:
    """Found, missed, hallucinated; what was rightly left out cannot be counted."""
    tally = accuracy.counts.tally
    alive = sum(entry.alive_added for entry in accuracy.counts.documents)
    known = tally.found + tally.added + tally.deleted
    rows = (
        ("found", tally.found, rate(tally.found, known)),
        ("missed", tally.added, rate(tally.added, known)),
        ("hallucinated", tally.deleted, rate(tally.deleted, known)),
    )
    shown = "undefined" if accuracy.detection_f1 is None else f"{accuracy.detection_f1:.3f}"
    note = f"Detection F1 {shown}. Of the {tally.added} missed, {alive} are not deleted again"
    return Table(
        "detection", "Records found, missed, hallucinated", (("records", "text"), ("count", "count"), ("share", "share")), rows, note
    )


def documents(accuracy: Accuracy) -> Table:
    """A line a reviewed document, the same figures as over all, worst field F1 first."""
    width = len(accuracy.counts.columns)
    lines = [(_document(entry, width), entry.document) for entry in accuracy.counts.documents]
    lines.sort(key=lambda line: (line[0][11] is None, line[0][11] if isinstance(line[0][11], float) else 0.0, line[1]))
    columns: tuple[tuple[str, Kind], ...] = (
        ("document", "count"), ("name", "text"), ("reviewed_at", "text"), ("model", "text"), ("model_extracted", "count"),
        ("records_found", "count"), ("records_missed", "count"), ("records_hallucinated", "count"), ("edits", "count"),
        ("field_precision", "share"), ("field_recall", "share"), ("field_f1", "share"), ("detection_precision", "share"),
        ("detection_recall", "share"), ("detection_f1", "share"),
    )  # fmt: skip
    return Table("documents", "By document", columns, tuple(line for line, _ in lines), "Fields counted as EcoExtract counts them")


def _document(entry: DocumentTally, width: int) -> tuple[Cell, ...]:
    tally = entry.tally
    fields = field_figures(tally, width)
    precision, recall = rate(tally.found, tally.model), rate(tally.found, tally.found + tally.added)
    return (
        entry.document, entry.name, entry.reviewed_at, entry.model_name, tally.model, tally.found, tally.added, tally.deleted,
        tally.edits_total, fields.field_precision, fields.field_recall, fields.field_f1, precision, recall, f1(precision, recall),
    )  # fmt: skip


def by_column(accuracy: Accuracy) -> Table:
    """A line a field, worst first: its edits by kind, distinct cells, accuracy with its interval, and its severity."""
    tally, major = accuracy.counts.tally, set(accuracy.major_fields)
    edits: dict[str, list[Edit]] = {}
    for edit in accuracy.counts.edits:
        edits.setdefault(edit.column, []).append(edit)
    rows = []
    for name in accuracy.counts.fields:
        told = summary(edits.get(name, ()))
        interval = accuracy.intervals.get(f"column_accuracy.{name}")
        ends = (interval.low, interval.high) if interval is not None else (None, None)
        value = 1 - tally.edits.get(name, 0) / tally.model if tally.model else None
        severity = "major" if name in major else "minor"
        rows.append((name, severity, told.rows, told.cells, *(told.kinds[kind] for kind in KINDS[:3]), value, *ends))
    rows.sort(key=lambda row: (row[7] is None, row[7], accuracy.counts.fields.index(row[0])))
    columns: tuple[tuple[str, Kind], ...] = (
        ("column", "text"), ("severity", "text"), ("edits", "count"), ("cells", "count"), ("filled", "count"), ("corrected", "count"),
        ("cleared", "count"), ("accuracy", "share"), ("low", "share"), ("high", "share"),
    )  # fmt: skip
    note = "Accuracy is EcoExtract's, 1 - edits / model records; cells counts a cell edited more than once as one"
    return Table("columns", "By field, worst first", columns, tuple(rows), note)


def kinds(accuracy: Accuracy) -> Table:
    """What the edits did, and how serious they were."""
    told = summary(accuracy.counts.edits)
    rows: list[tuple[Cell, ...]] = [
        (kind, told.kinds[kind], rate(told.kinds[kind], told.rows)) for kind in KINDS if told.kinds[kind] or kind != "unknown"
    ]
    rows += [("distinct cells", told.cells, None), ("cells that differ from the model now", told.changed_cells, None)]
    rows.append(("edits of deleted records", told.on_deleted, rate(told.on_deleted, told.rows)))
    major = ", ".join(accuracy.major_fields) or "none"
    return Table(
        "kinds", "Kinds of edit", (("kind", "text"), ("edits", "count"), ("share", "share")), tuple(rows), f"Major fields: {major}"
    )


def heat_map(accuracy: Accuracy) -> Table:
    """Documents by fields: edits a model record, both worst first; empty where a document has no model record."""
    found = Counter((edit.document, edit.column) for edit in accuracy.counts.edits)
    of_field, of_document = Counter[str](), Counter[int]()
    for (document, column), number in found.items():
        of_field[column] += number
        of_document[document] += number
    fields = sorted(accuracy.counts.fields, key=lambda name: -of_field[name])
    entries = sorted(accuracy.counts.documents, key=lambda entry: (-_share(of_document[entry.document], entry.tally), entry.document))
    rows = tuple(
        (entry.document, entry.name, *(rate(found[entry.document, name], entry.tally.model) for name in fields)) for entry in entries
    )
    columns: tuple[tuple[str, Kind], ...] = (("document", "count"), ("name", "text"), *((name, "share") for name in fields))
    return Table("heat_map", "Documents by fields", columns, rows, "Edits of a field a model record of the document")


def _share(number: int, tally: Tally) -> float:
    return number / tally.model if tally.model else 0.0


def edit_list(accuracy: Accuracy, document: int | None = None, column: str | None = None) -> Table:
    """The edits themselves, of a document or a field or all: what a cell of the heat map opens into."""
    major = set(accuracy.major_fields)
    rows = tuple(
        (edit.document, edit.name, edit.column, edit.kind, "major" if edit.column in major else "minor", edit.before, edit.after, edit.at)
        for edit in accuracy.counts.edits
        if (document is None or edit.document == document) and (column is None or edit.column == column)
    )
    columns: tuple[tuple[str, Kind], ...] = (
        ("document", "count"), ("record", "text"), ("column", "text"), ("kind", "text"), ("severity", "text"), ("before", "text"),
        ("after", "text"), ("at", "text"),
    )  # fmt: skip
    return Table("edits", "Edits", columns, rows)


TABLES = ("ecoextract", "schema_only", "detection", "documents", "columns", "kinds", "heat_map", "edits")


def tables(accuracy: Accuracy, names: Iterable[str] = TABLES) -> list[Table]:
    """The named tables."""
    makers = dict(zip(TABLES, (figures, schema_only, detection, documents, by_column, kinds, heat_map, edit_list), strict=True))
    return [makers[name](accuracy) for name in names]


def as_values(accuracy: Accuracy) -> dict[str, object]:
    """Everything as JSON values: R's list under `ecoextract`, ours beside it, None for what is undefined."""

    def listed(table: Table) -> list[dict[str, Cell]]:
        return [dict(zip((name for name, _ in table.columns), row, strict=True)) for row in table.rows]

    def mapped(table: Table) -> list[dict[str, object]]:
        # A field may be called as the row's own keys are, so fields stand by themselves.
        names = [name for name, _ in table.columns[2:]]
        return [{"document": row[0], "name": row[1], "fields": dict(zip(names, row[2:], strict=True))} for row in table.rows]

    told = summary(accuracy.counts.edits)
    values: Mapping[str, object] = accuracy.schema_values
    return {
        "ecoextract": dict(accuracy.ecoextract),
        "schema_only": dict(values) if values else None,
        "detection_f1": accuracy.detection_f1,
        "intervals": {name: None if interval is None else asdict(interval) for name, interval in accuracy.intervals.items()},
        "severity": {
            "schema": accuracy.schema.source if accuracy.schema is not None else None,
            "major_fields": list(accuracy.major_fields),
        },
        "documents": listed(documents(accuracy)),
        "columns": listed(by_column(accuracy)),
        "edits": {
            "rows": told.rows,
            "kinds": told.kinds,
            "distinct_cells": told.cells,
            "changed_cells": told.changed_cells,
            "on_deleted": told.on_deleted,
        },
        "heat_map": mapped(heat_map(accuracy)),
        "notes": list(accuracy.notes),
    }
