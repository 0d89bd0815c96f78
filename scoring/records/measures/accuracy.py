"""Accuracy of the extraction, read from the edits of the review (`docs/ecoextract-behaviour.md#accuracy`).

Counting happens in the database with joins, so that no number of records is too many. EcoExtract's own values stand
by themselves under the name `ecoextract`; everything we add has a name of its own.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.records.database.connection import reading
from scoring.records.inputs.fields import RecordSchema, severity_schema
from scoring.records.inputs.layout import Layout, read_layout
from scoring.records.measures.edits import Edit, cell_edits
from scoring.records.measures.figures import FieldFigures, Interval, Tally, ecoextract, f1, field_figures, nothing, rate, together, wilson

MODEL = "(r.added_by_user IS NULL OR r.added_by_user = 0)"


@dataclass(frozen=True, slots=True)
class DocumentTally:
    """What was counted in one reviewed document. `alive_added`: people's records that were not deleted again."""

    document: int
    name: str
    reviewed_at: str
    model_name: str
    tally: Tally
    alive_added: int


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a database: its counted columns, a tally a reviewed document, the edits one by one, what R would say instead."""

    columns: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    documents: tuple[DocumentTally, ...] = ()
    edits: tuple[Edit, ...] = ()
    message: str = ""

    @property
    def tally(self) -> Tally:
        return together(entry.tally for entry in self.documents)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """All figures of a database over the documents chosen.

    `ecoextract` is R's list; `schema_only` the same fields arithmetic over the schema's fields; `intervals` Wilson
    intervals by figure; `notes` sentences a reader of the figures should know.
    """

    ecoextract: Mapping[str, object]
    schema_only: FieldFigures | None
    schema: RecordSchema | None
    detection_f1: float | None
    intervals: Mapping[str, Interval | None]
    counts: Counts
    notes: tuple[str, ...]

    @property
    def major_fields(self) -> tuple[str, ...]:
        """The names whose edits are major, sorted."""
        return tuple(sorted(self.schema.major)) if self.schema is not None else ()

    def figure(self, name: str) -> int | float | None:
        """A figure by name: R's, `detection_f1`, `schema_only.NAME` or `column_accuracy.NAME`.

        Raises:
            InputError: no such figure.
        """
        group, _, rest = name.partition(".")
        values: Mapping[str, object] = self.ecoextract
        if name == "detection_f1":
            return self.detection_f1
        if group in ("schema_only", "column_accuracy", "column_edits") and rest:
            inner = self.ecoextract[group] if group != "schema_only" else self.schema_values
            values, name = inner if isinstance(inner, Mapping) else {}, rest
        value = values.get(name, "")
        if isinstance(value, int | float) or value is None:
            return value
        known = [key for key, entry in self.ecoextract.items() if not isinstance(entry, Mapping | str)]
        raise InputError(
            f"there is no figure {name!r}", hint=f"use {', '.join(known)}, detection_f1, schema_only.field_f1 or column_accuracy.COLUMN"
        )

    @property
    def schema_values(self) -> dict[str, object]:
        """The schema-only figures by name; empty without a schema."""
        figures = self.schema_only
        return {name: getattr(figures, name) for name in FieldFigures.__slots__} if figures is not None else {}


def count(path: Path, documents: Sequence[int] | None = None, model: str | None = None) -> Counts:
    """Count a database over its reviewed documents, or those of them chosen (an empty choice means all).

    Where SQLite refuses, `message` says so as EcoExtract does and nothing is counted.
    """
    if not path.exists():
        return Counts(message="Database not found")
    with reading(path) as database:
        layout = read_layout(database)
        try:
            return _counted(database, layout, documents, model)
        except sqlite3.OperationalError as fault:
            return Counts(layout.counted, layout.fields, message=f"Database error: {fault}")


def _counted(database: sqlite3.Connection, layout: Layout, documents: Sequence[int] | None, model: str | None) -> Counts:
    chosen = json.dumps(sorted(set(documents))) if documents else None
    model_name = "extraction_llm_model" if layout.has("documents", "extraction_llm_model") else "NULL"
    name = "file_name" if layout.has("documents", "file_name") else "NULL"
    database.execute("CREATE TEMP TABLE chosen (document_id INTEGER PRIMARY KEY, name, reviewed_at, model)")
    database.execute(
        f"INSERT INTO temp.chosen SELECT document_id, {name}, reviewed_at, {model_name} FROM documents WHERE reviewed_at IS NOT NULL"
        " AND (?1 IS NULL OR document_id IN (SELECT value FROM json_each(?1)))"
        f" AND (?2 IS NULL OR {model_name} = ?2)",
        (chosen, model),
    )
    known = {row[0]: row for row in database.execute("SELECT document_id, name, reviewed_at, model FROM temp.chosen ORDER BY 1")}
    if not known:
        return Counts(layout.counted, layout.fields)
    is_model, added = (MODEL, "r.added_by_user = 1") if layout.has("records", "added_by_user") else ("0", "0")
    gone = "r.deleted_by_user IS NOT NULL" if layout.has("records", "deleted_by_user") else "0"
    rows = {
        document: figures
        for document, *figures in database.execute(
            f"SELECT r.document_id, COUNT(*), TOTAL({is_model}), TOTAL({added}), TOTAL({is_model} AND {gone}),"
            f" TOTAL({added} AND NOT ({gone})), TOTAL({is_model} AND r.id IS NOT NULL) FROM records r"
            " WHERE r.document_id IN (SELECT document_id FROM temp.chosen) GROUP BY r.document_id"
        )
    }
    edits: tuple[Edit, ...] = ()
    if layout.counted and any(figures[5] for figures in rows.values()):
        edits = tuple(cell_edits(database, layout, is_model))
    by_document: dict[int, list[Edit]] = {}
    for edit in edits:
        by_document.setdefault(edit.document, []).append(edit)
    tallies = []
    for document, (_, shown, reviewed_at, model_used) in known.items():
        total, models, humans, deleted, alive, named = (int(figure) for figure in rows.get(document, (0, 0, 0, 0, 0, 0)))
        tally = _tally(total, models, humans, deleted, named, by_document.get(document, ()))
        title = str(shown if shown is not None else document)
        tallies.append(DocumentTally(document, title, str(reviewed_at), str(model_used or ""), tally, alive))
    return Counts(layout.counted, layout.fields, tuple(tallies), edits)


def _tally(records: int, model: int, added: int, deleted: int, named: int, edits: Iterable[Edit]) -> Tally:
    by_column: dict[str, int] = {}
    touched = set()
    for edit in edits:
        by_column[edit.column] = by_column.get(edit.column, 0) + 1
        touched.add(edit.record)
    return Tally(1, records, model, added, deleted, named, len(touched), by_column)


def accuracy(
    path: Path,
    documents: Sequence[int] | None = None,
    schema_file: Path | None = None,
    *,
    folder: Path | None = None,
    model: str | None = None,
) -> Accuracy:
    """All figures of a database.

    Args:
        path: the database; its bytes and folder are left as they are.
        documents: ids to restrict to; unknown and unreviewed ones are ignored, none means all.
        schema_file: the JSON Schema; without one it is looked up as EcoExtract does, from `folder`.
        folder: the folder the look-up stands in, by default the current one.
        model: restrict to documents extracted by this model.

    Raises:
        InputError: the file is there but no SQLite database.
    """
    schema, complaint = severity_schema(schema_file, folder or Path.cwd())
    counts = count(path, documents, model)
    return assess(counts, schema, [complaint] if complaint else [])


def assess(counts: Counts, schema: RecordSchema | None, complaints: Iterable[str] = ()) -> Accuracy:
    """The figures of what was counted."""
    tally = counts.tally
    major = schema.major if schema is not None else None
    values = nothing(counts.message) if counts.message else ecoextract(tally, counts.columns, major)
    only = field_figures(tally, len(schema.fields)) if schema is not None and schema.fields else None
    found, all_fields = tally.found, field_figures(tally, len(counts.columns))
    intervals = {
        "field_precision": wilson(all_fields.correct_fields, all_fields.total_fields),
        "field_recall": wilson(all_fields.correct_fields, all_fields.true_fields),
        "detection_precision": wilson(found, tally.model),
        "detection_recall": wilson(found, found + tally.added),
        "perfect_record_rate": wilson(found - tally.edited, found),
    }
    if only is not None:
        intervals["schema_only.field_precision"] = wilson(only.correct_fields, only.total_fields)
        intervals["schema_only.field_recall"] = wilson(only.correct_fields, only.true_fields)
    for name in counts.fields if tally.model else ():
        intervals[f"column_accuracy.{name}"] = wilson(tally.model - tally.edits.get(name, 0), tally.model)
    return Accuracy(
        values,
        only,
        schema,
        f1(rate(found, tally.model), rate(found, found + tally.added)),
        intervals,
        counts,
        (*complaints, *_notes(counts, schema)),
    )


def _notes(counts: Counts, schema: RecordSchema | None) -> list[str]:
    """What a reader of the figures should know."""
    notes = []
    tally = counts.tally
    names = set(schema.names) if schema is not None else set()
    if schema is not None and names and counts.fields and not names & set(counts.fields):
        notes.append(f"None of the database's fields is in {schema.source}: severity and the schema-only figures say nothing here")
    outside = sum(number for name, number in tally.edits.items() if name not in names)
    if names and outside:
        notes.append(f"{outside} of {tally.edits_total} edits are of columns outside the schema; the schema-only figures count them too")
    if tally.edited > tally.found:
        notes.append("More records have edits than were found (edits of deleted records count): the rate of perfect records is negative")
    return notes
