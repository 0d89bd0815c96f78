"""A new EcoExtract database: tables as EcoExtract declares them, so that it takes the file for its own.

See `docs/ecoextract-behaviour.md#the-file`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from scoring.foundations.problems import InputError
from scoring.records.inputs.fields import Field, RecordSchema
from scoring.records.inputs.layout import BOOKKEEPING, SYSTEM, Cell, quoted

_TYPES = {"string": "TEXT", "integer": "INTEGER", "number": "REAL", "boolean": "BOOLEAN"}
_DOCUMENTS = """CREATE TABLE documents (
  document_id INTEGER PRIMARY KEY AUTOINCREMENT,
  file_name TEXT NOT NULL, file_path TEXT NOT NULL, file_hash TEXT UNIQUE NOT NULL,
  file_size INTEGER, upload_timestamp TEXT NOT NULL,
  document_content TEXT, ocr_images TEXT, ocr_status TEXT, ocr_provider TEXT, ocr_log TEXT,
  title TEXT, first_author_lastname TEXT, authors TEXT, publication_year INTEGER, doi TEXT, journal TEXT,
  volume TEXT, issue TEXT, pages TEXT, issn TEXT, publisher TEXT, bibliography TEXT, language TEXT,
  metadata_status TEXT, metadata_llm_model TEXT, metadata_log TEXT,
  extraction_reasoning TEXT, records_extracted INTEGER DEFAULT NULL, extraction_status TEXT,
  extraction_llm_model TEXT, extraction_log TEXT,
  refinement_reasoning TEXT, refinement_status TEXT, refinement_llm_model TEXT, refinement_log TEXT,
  reviewed_at TEXT
)"""
_EDITS = """CREATE TABLE record_edits (
  id TEXT PRIMARY KEY,
  record_id TEXT NOT NULL,
  column_name TEXT NOT NULL,
  original_value TEXT,
  edited_at TEXT NOT NULL,
  FOREIGN KEY (record_id) REFERENCES records (id)
)"""
_INDEXES = (
    "CREATE INDEX idx_documents_hash ON documents (file_hash)",
    "CREATE INDEX idx_records_document ON records (document_id)",
    "CREATE INDEX idx_records_record ON records (record_id)",
    "CREATE INDEX idx_record_edits_record ON record_edits (record_id)",
)
RESERVED = frozenset(SYSTEM) | frozenset(BOOKKEEPING)


def column_of(entry: Field) -> str:
    """A field as a column: a plain type is declared, a nullable one leaves the column without a type, as EcoExtract does."""
    declared = "" if entry.nullable or len(entry.types) != 1 else _TYPES.get(entry.types[0], "TEXT")
    return f"  {quoted(entry.name)} {declared}{' NOT NULL' if entry.required and not entry.nullable else ''}"


def records_table(schema: RecordSchema) -> str:
    """The statement that makes `records` for a schema.

    Raises:
        InputError: a field has a name the table needs for itself, or two names differ in case alone.
    """
    seen: set[str] = set()
    for name in schema.names:
        if name in RESERVED or name.lower() in seen:
            raise InputError(f"a field cannot be called {name!r} here", where=schema.source, hint="rename it in the schema and the data")
        seen.add(name.lower())
    columns = [
        "  id TEXT PRIMARY KEY",
        "  document_id INTEGER NOT NULL",
        "  record_id TEXT NOT NULL",
        *(column_of(entry) for entry in schema.fields),
        "  extraction_timestamp TEXT NOT NULL",
        "  prompt_hash TEXT NOT NULL",
        "  fields_changed_count INTEGER DEFAULT 0",
        "  deleted_by_user TEXT",
        "  added_by_user INTEGER DEFAULT 0",
        "  UNIQUE (document_id, record_id)",
        "  FOREIGN KEY (document_id) REFERENCES documents (document_id)",
    ]
    return "CREATE TABLE records (\n" + ",\n".join(columns) + "\n)"


def new_database(path: Path, *, uri: bool = False) -> sqlite3.Connection:
    """An empty database file, open to be filled; with `uri`, files can be attached by URI.

    Raises:
        InputError: the file is there already, or cannot be made.
    """
    if path.exists():
        raise InputError("this file is there already and is not overwritten", where=path, hint="give a name that is free")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(f"file:{quote(str(path.resolve()))}" if uri else path, uri=uri, isolation_level=None)
        database.execute("PRAGMA user_version")
    except (OSError, sqlite3.Error) as fault:
        raise InputError(f"the database cannot be made ({fault})", where=path) from fault
    return database


def create(path: Path, schema: RecordSchema) -> sqlite3.Connection:
    """A new database with empty tables for the schema's fields. Errors as `new_database` and `records_table`."""
    statements = (_DOCUMENTS, records_table(schema), _EDITS, *_INDEXES)
    database = new_database(path)
    for statement in statements:
        database.execute(statement)
    return database


def insert(database: sqlite3.Connection, table: str, row: Mapping[str, Cell]) -> None:
    """Insert one row by column names."""
    columns, marks = ", ".join(quoted(name) for name in row), ", ".join("?" * len(row))
    database.execute(f"INSERT INTO {quoted(table)} ({columns}) VALUES ({marks})", tuple(row.values()))
