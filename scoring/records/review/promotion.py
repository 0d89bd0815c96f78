"""Reviewed documents as ground truth: a workspace whose `gt/` other runs are scored against (`docs/records.md#in-and-out`)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.foundations.files import write_whole
from scoring.foundations.problems import InputError
from scoring.records.cases.queues import Source
from scoring.records.inputs.fields import RecordSchema
from scoring.records.inputs.material import Record
from scoring.records.inputs.values import value_of
from scoring.texts.cells import cell_text
from scoring.workspace.schema import schema_of


@dataclass(frozen=True, slots=True)
class Promotion:
    """What was written: pages by document, those that were there already and equal, rows, and what a reader should know."""

    written: tuple[Path, ...]
    equal: tuple[Path, ...]
    rows: int
    notes: tuple[str, ...]


def promote(source: Source, folder: Path, *, replace: bool = False) -> Promotion:
    """Write `gt/gt_page_<document_id>.csv` of each reviewed document, deleted records out and added ones in, and `gt/schema.json`.

    Values are written as the tables task reads a model's: yes and no as Y and N, lists joined by `; `.

    Raises:
        InputError: no document is reviewed, `gt/` has another schema, or a page of other content that is not to be replaced.
    """
    reviewed = [line for line in source.documents if line.reviewed]
    if not reviewed:
        raise InputError("no document is marked reviewed", where=source.path, hint="mark documents reviewed first; they become the pages")
    columns = _columns(source)
    schema = _schema(source.schema, columns)
    schema_of(schema, source.schema.source if source.schema is not None else source.path)
    gt = folder / "gt"
    _require_same_schema(gt, schema)
    pages, notes, rows = {}, [], 0
    for line in reviewed:
        kept = [record for record in source.records if record.document == line.id and record.deleted_at is None]
        texts = [[_text(source, record, name) for name in columns] for record in kept]
        blank = sum(not any(row) for row in texts)
        if blank:
            notes.append(f"document {line.id} ({line.name}): {blank} records are empty in every field and count for nothing")
        pages[gt / f"gt_page_{line.id}.csv"] = _csv(columns, texts)
        rows += len(texts)
    there = {path: path.read_bytes() for path in pages if path.exists()}
    changed = [path for path, content in there.items() if content != pages[path]]
    if changed and not replace:
        raise InputError(
            f"{len(changed)} pages are there with other content, the first {changed[0].name}", where=gt,
            hint="repeat with --replace to write them anew, or give another folder",
        )  # fmt: skip
    _written(gt / "schema.json", (json.dumps(schema, ensure_ascii=False, indent=2) + "\n").encode())
    written = [path for path in pages if there.get(path) != pages[path]]
    for path in written:
        _written(path, pages[path])
    return Promotion(tuple(written), tuple(path for path in pages if path not in written), rows, tuple(notes))


def _columns(source: Source) -> tuple[str, ...]:
    """The fields in the schema's order; without a schema in the table's."""
    if source.schema is None:
        return source.layout.fields
    return tuple(name for name in source.schema.names if name in source.layout.fields)


def _schema(schema: RecordSchema | None, columns: tuple[str, ...]) -> Mapping[str, Any]:
    if schema is not None:
        return schema.document
    return {"type": "object", "properties": {name: {"type": ["string", "null"]} for name in columns}}


def _require_same_schema(gt: Path, schema: Mapping[str, Any]) -> None:
    path = gt / "schema.json"
    if path.exists():
        try:
            same = json.loads(path.read_bytes().decode("utf-8-sig")) == schema
        except (ValueError, RecursionError):
            same = False
        if not same:
            raise InputError("this folder has ground truth of another schema", where=path, hint="give another folder; nothing was written")
    elif gt.is_dir() and any(gt.glob("gt_page*.csv")):
        raise InputError("this folder has ground truth without a schema", where=gt, hint="give another folder; nothing was written")


def _text(source: Source, record: Record, name: str) -> str:
    field = source.schema.by_name.get(name) if source.schema is not None else None
    return cell_text(value_of(field, record.values[name]))[0]


def _csv(columns: tuple[str, ...], rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "backslashreplace")


def _written(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    try:
        write_whole(path, content, durable=True)
    except OSError as fault:
        raise InputError(f"the file could not be written ({fault.strerror})", where=path) from fault
