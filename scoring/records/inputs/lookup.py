"""Finding a document or a record by what a person calls it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.records.inputs.layout import Layout
from scoring.records.inputs.log_names import PREFIX, document_case, record_case
from scoring.records.inputs.material import DocumentLine

LIKE = 70.0
_SHORTEST = 4

Found = tuple[int, str | None]
"""A document, or a record with its document."""


def like(lines: Sequence[DocumentLine], text: str | None) -> list[DocumentLine]:
    """The documents whose name, title, author or year is like the text, the likest first; all where there is no text."""
    if not text:
        return list(lines)
    from rapidfuzz import fuzz, utils

    def score(line: DocumentLine) -> float:
        told = f"{line.id} {line.name} {line.title} {line.author} {line.year}"
        return fuzz.partial_token_ratio(text, told, processor=utils.default_process) if str(line.id) != text else 101.0

    scored = [(score(line), line) for line in lines]
    return [line for found, line in sorted(scored, key=lambda pair: (-pair[0], pair[1].id)) if found >= LIKE]


def find(database: sqlite3.Connection, layout: Layout, what: str, path: Path) -> Found:
    """A document by its id, file name or case, or a record by its name, id or case; ids and cases may be shortened.

    Raises:
        InputError: nothing, or more than one thing, is called so.
    """
    if what.isdecimal() and len(what) < 19 and database.execute("SELECT 1 FROM documents WHERE document_id = ?", (int(what),)).fetchone():
        return int(what), None
    for found in (_named(database, layout, what), _begun(database, what), _cases(database, layout, what)):
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"{record} (document {document})" if record is not None else str(document) for document, record in found[:5])
            raise InputError(f"more than one thing is called {what!r}", where=path, hint=f"give an id: {names}")
    raise InputError(f"there is no document or record {what!r}", where=path, hint="`adjudicate records list` shows the documents")


def _named(database: sqlite3.Connection, layout: Layout, what: str) -> list[Found]:
    query = "SELECT document_id, id FROM records WHERE (record_id = ?1 OR id = ?1) AND id IS NOT NULL LIMIT 6"
    found: list[Found] = [(document, str(record)) for document, record in database.execute(query, (what,))]
    if layout.has("documents", "file_name"):
        found += [(row[0], None) for row in database.execute("SELECT document_id FROM documents WHERE file_name = ? LIMIT 6", (what,))]
    return found


def _begun(database: sqlite3.Connection, what: str) -> list[Found]:
    if len(what) < _SHORTEST:
        return []
    query = "SELECT document_id, id FROM records WHERE id >= ?1 AND id < ?1 || '~' AND substr(id, 1, length(?1)) = ?1 LIMIT 6"
    return [(document, str(record)) for document, record in database.execute(query, (what,))]


def _cases(database: sqlite3.Connection, layout: Layout, what: str) -> list[Found]:
    if not what.startswith(f"{PREFIX}-"):
        return []
    rows = database.execute("SELECT document_id, id FROM records WHERE id IS NOT NULL")
    found: list[Found] = [(document, str(record)) for document, record in rows if record_case(str(record)).startswith(what)]
    file_hash = "file_hash" if layout.has("documents", "file_hash") else "NULL"
    rows = database.execute(f"SELECT document_id, {file_hash} FROM documents")
    return found + [(document, None) for document, said in rows if document_case(document, said).startswith(what)]
