"""A CSV or JSON of extracted records as a new database that can be reviewed (`docs/records.md#in-and-out`).

Nothing is changed on the way in: a value that is not of its field's type is stored as it came and reported, for the
reviewer to mend; what the table could not hold is refused with its place.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from scoring.answers import json_values, open_answer
from scoring.foundations.problems import InputError, Problem, Severity
from scoring.records.database.creation import create, insert
from scoring.records.inputs.fields import Field, RecordSchema, read_schema, schema_from
from scoring.records.inputs.layout import Cell
from scoring.records.inputs.operations import readable_name
from scoring.records.inputs.values import stored, type_fault, typed
from scoring.texts.decoding import read_text

_SHAPES = 'give [{...}], {"records": [{...}]} or {"document": [{...}]}'
DOCUMENT_COLUMNS = ("file_name", "document", "document_id", "page", "file")


@dataclass(frozen=True, slots=True)
class Given:
    """A record as it came: its document, its values, and its place in the file."""

    document: str
    values: Mapping[str, Any]
    line: int


@dataclass(frozen=True, slots=True)
class Imported:
    """What came in: documents, records, and what was found."""

    documents: int
    records: int
    problems: tuple[Problem, ...]


def read_given(path: Path, document_column: str | None = None) -> list[Given]:
    """The records of a file, each with its document (the file's own name where the records name none).

    CSV: a row a record. JSON: a list of records, `{"records": [...]}`, or a mapping of documents to lists of records.

    Raises:
        InputError: the file cannot be read, or is neither.
    """
    decoded = read_text(path)
    text = decoded.text
    if path.suffix.lower() == ".csv":
        found = [("", row, line) for row, line in _rows(text, path)]
    else:
        found = [(name, row, number) for number, (name, row) in enumerate(_listed(text, path), 1)]
    if document_column is not None and not any(document_column in row for _, row, _ in found):
        raise InputError(f"no record has a column {document_column!r}", where=path, hint="name the column that says the document")
    named = (document_column,) if document_column is not None else DOCUMENT_COLUMNS
    given = []
    for name, row, line in found:
        column = next((column for column in named if column in row), None)
        document = str(row[column]) if column is not None and row[column] not in (None, "") else name or path.name
        given.append(Given(document, {key: value for key, value in row.items() if key != column}, line))
    return given


def _rows(text: str, path: Path) -> list[tuple[dict[str, Any], int]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[dict[str, Any], int]] = []
    try:
        header = next(reader, [])
        if len(set(header)) != len(header) or "" in header:
            raise InputError("the header has an empty or a repeated name", where=path, line=1, hint="give each column a name of its own")
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(f"this row has {len(row)} cells under {len(header)} columns", where=path, line=reader.line_num)
            rows.append((dict(zip(header, row, strict=True)), reader.line_num))
    except csv.Error as fault:
        raise InputError(f"the file is not readable CSV ({fault})", where=path, line=reader.line_num) from fault
    return rows


def _value(text: str, path: Path) -> Any:
    """The JSON value of a file, or of the answer in a saved response; read strictly, for nothing of a review may be guessed."""
    try:
        opened = open_answer(text)
    except InputError as fault:
        raise InputError(fault.what, where=path) from fault
    if opened.truncated:
        raise InputError("the response was stopped before its end", where=path, hint="ask the model again, or cut the records out by hand")
    values = json_values(opened)
    if len(values) == 1 and not values[0].cut and not values[0].notes:
        return values[0].value
    try:
        return json.loads(opened.text)
    except (ValueError, RecursionError) as fault:
        raise InputError(f"the file is not readable JSON ({fault})", where=path, line=getattr(fault, "lineno", None)) from fault


def _listed(text: str, path: Path) -> Iterable[tuple[str, dict[str, Any]]]:
    parsed = _value(text, path)
    if isinstance(parsed, dict) and isinstance(parsed.get("records"), list):
        groups: Iterable[tuple[str, Any]] = [("", parsed["records"])]
    elif isinstance(parsed, dict):
        groups = [(name, value.get("records") if isinstance(value, dict) else value) for name, value in parsed.items()]
    else:
        groups = [("", parsed)]
    for name, listed in groups:
        if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
            raise InputError("the file holds no list of records", where=path, hint=_SHAPES)
        for row in listed:
            nested = row.get("records")
            if isinstance(nested, list) and all(isinstance(inner, dict) for inner in nested):
                said = next((str(row[column]) for column in DOCUMENT_COLUMNS if row.get(column) not in (None, "")), name)
                yield from ((said, inner) for inner in nested)
            else:
                yield name, row


def import_records(
    given: list[Given],
    path: Path,
    where: Path,
    schema_file: Path | None = None,
    *,
    texts: Path | None = None,
    model: str | None = None,
    now: datetime | None = None,
) -> Imported:
    """Make a database of records.

    Args:
        given: the records.
        path: the database to make; it must not be there.
        where: the file they came from, for messages.
        schema_file: the JSON Schema; without one every field is a text that may be empty, and that schema is written beside the database.
        texts: a folder with `<document>.txt` or `.md`, the documents' texts.
        model: the model's name, kept with the documents.

    Raises:
        InputError: nothing to import, an unknown column, a value the table cannot hold, a name that is taken.
    """
    if not given:
        raise InputError("there are no records to import", where=where)
    schema = read_schema(schema_file) if schema_file is not None else _schema_of(given)
    if not schema.fields:
        raise InputError("the schema declares no fields", where=schema_file, hint="give `properties.records.items.properties`")
    rows, problems = _typed(given, schema, where)
    stamp = (now or datetime.now()).strftime("%Y-%m-%d %H:%M:%S")
    schema_beside = path.parent / "ecoextract_schema.json"
    if schema_file is None and schema_beside.exists():
        raise InputError("a schema is there already", where=schema_beside, hint="give it with --schema, or another folder")
    database = create(path, schema)
    try:
        database.execute("BEGIN")
        names = list(dict.fromkeys(entry.document for entry in given))
        numbers = {name: number for number, name in enumerate(names, 1)}
        counts: dict[str, int] = {}
        for entry in given:
            counts[entry.document] = counts.get(entry.document, 0) + 1
        for name, number in numbers.items():
            text, size = _text_of(texts, name)
            row: dict[str, Cell] = {
                "document_id": number, "file_name": name, "file_path": name, "file_hash": _hash(name),
                "file_size": size, "upload_timestamp": stamp, "document_content": text, "records_extracted": counts[name],
                "extraction_status": "completed", "extraction_llm_model": model,
            }  # fmt: skip
            insert(database, "documents", row)
            if texts is not None and text is None:
                problems.append(Problem(Severity.WARNING, f"no text of document {name} was found", str(texts)))
        taken: dict[str, list[str]] = {}
        for entry, values in zip(given, rows, strict=True):
            used = taken.setdefault(entry.document, [])
            used.append(readable_name(None, stamp[:4], used[-1:]))
            kept: dict[str, Cell] = {
                "id": str(uuid4()), "document_id": numbers[entry.document], "record_id": used[-1],
                "extraction_timestamp": stamp, "prompt_hash": "imported", "added_by_user": 0,
            }  # fmt: skip
            insert(database, "records", kept | values)
        database.execute("COMMIT")
    except BaseException as fault:
        database.close()
        path.unlink(missing_ok=True)
        if isinstance(fault, sqlite3.Error):
            raise InputError(f"the database refused a record ({fault})", where=where) from fault
        raise
    database.close()
    if schema_file is None:
        schema_beside.write_text(json.dumps(schema.document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return Imported(len(numbers), len(given), tuple(problems))


def _hash(name: str) -> str:
    """What stands for the hash of a file that is not at hand: 32 hex digits, as EcoExtract's are."""
    return hashlib.md5(name.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def _schema_of(given: Iterable[Given]) -> RecordSchema:
    """A schema where there is none: every field a text (or a list of texts) that may be empty."""
    fields: dict[str, Any] = {}
    for entry in given:
        for name, value in entry.values.items():
            is_list = isinstance(value, list)
            fields.setdefault(name, {"type": ["string", "null"]})
            if is_list:
                fields[name] = {"type": "array", "items": {"type": "string"}}
    items = {"type": "object", "properties": fields, "required": []}
    return schema_from({"type": "object", "properties": {"records": {"type": "array", "items": items}}}, "the records themselves")


def _typed(given: Iterable[Given], schema: RecordSchema, where: Path) -> tuple[list[dict[str, Cell]], list[Problem]]:
    rows, problems = [], []
    for entry in given:
        unknown = [name for name in entry.values if name not in schema.by_name]
        if unknown:
            raise InputError(
                f"{unknown[0]!r} is not a field of the schema", where=where, line=entry.line, hint=f"fields are {', '.join(schema.names)}"
            )
        row: dict[str, Cell] = {}
        for field in schema.fields:
            row[field.name] = _cell(field, entry.values.get(field.name))
            if row[field.name] is None and field.required and not field.nullable:
                raise InputError(f"the field {field.name} may not be empty", where=where, line=entry.line)
            fault = type_fault(field, row[field.name])
            if fault and not (row[field.name] is None and not field.required):
                problems.append(Problem(Severity.WARNING, f"{field.name} is {fault}; stored as it came", str(where), entry.line))
        rows.append(row)
    return rows, problems


def _cell(field: Field, value: Any) -> Cell:
    """The value to store: typed where it can be, else as it came."""
    try:
        return typed(field, value)
    except InputError:
        return None if value in (None, "") else stored(field, value)


def _text_of(texts: Path | None, name: str) -> tuple[str | None, int | None]:
    if texts is None:
        return None, None
    stem = Path(name).name
    for candidate in (
        texts / stem,
        *(texts / f"{part}{suffix}" for part in (stem, Path(stem).stem) for suffix in (".txt", ".md", ".json")),
    ):
        if candidate.is_file() and candidate.suffix in (".txt", ".md", ".json"):
            content = candidate.read_bytes()
            return content.decode("utf-8", "replace"), len(content)
    return None, None
