"""Finding a document or a record by what a person calls it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.problems import InputError
from scoring.records.cases import Source
from scoring.records.material import DocumentLine, Record
from scoring.records.places import document_case, record_case

LIKE = 70.0


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


def looked_up(source: Source, what: str) -> tuple[DocumentLine, Record | None]:
    """A document by its id, file name or case, or a record by its name, id or case; ids and cases may be shortened.

    Raises:
        InputError: nothing, or more than one thing, is called so.
    """
    lines = {line.id: line for line in source.documents}
    if what.isdecimal() and int(what) in lines:
        return lines[int(what)], None
    tests = (
        lambda line, record: (record.name == what or record.id == what) if record is not None else line.name == what,
        lambda line, record: _case(source, line, record).startswith(what),
        lambda line, record: record is not None and record.id is not None and len(what) >= 4 and record.id.startswith(what),
    )
    for test in tests:
        found = [pair for pair in _all(source, lines) if test(*pair)]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"{record.id} (document {line.id})" if record is not None else str(line.id) for line, record in found[:5])
            raise InputError(f"{len(found)} things are called {what!r}", where=source.path, hint=f"give an id: {names}")
    raise InputError(f"there is no document or record {what!r}", where=source.path, hint="`adjudicate records list` shows the documents")


def _all(source: Source, lines: dict[int, DocumentLine]) -> Iterable[tuple[DocumentLine, Record | None]]:
    for line in source.documents:
        yield line, None
    for record in source.records:
        if record.document in lines:
            yield lines[record.document], record


def _case(source: Source, line: DocumentLine, record: Record | None) -> str:
    if record is None:
        return document_case(line.id, source.hashes.get(line.id))
    return record_case(record.id) if record.id is not None else ""
