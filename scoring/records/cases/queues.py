"""The records task as cases: a record to decide on, a document to mark reviewed (`docs/records.md#review`, `docs/adjudication.md#cases`).

What stands is read from the database, which holds every verdict as it was applied; the log says what it may still lack.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scoring.adjudication.cases import Block, Case, Occurrence, Status, in_queue_order
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, LogEntry
from scoring.foundations.problems import InputError, Problem, Severity
from scoring.records.cases.flags import flags, repeats
from scoring.records.cases.record_view import document_blocks, read_sight, record_blocks
from scoring.records.database.connection import reading, require_database
from scoring.records.inputs import journal
from scoring.records.inputs.fields import RecordSchema, review_schema
from scoring.records.inputs.layout import Layout, read_layout
from scoring.records.inputs.log_names import document_case, record_case, record_target
from scoring.records.inputs.lookup import find
from scoring.records.inputs.material import DocumentLine, Record, document_lines, history, read_records

TASK = "records"
QUEUES = ("records", "documents")
RECORD_VERDICTS = ("accept", "edit", "delete", "restore")
DOCUMENT_VERDICTS = ("reviewed", "unreviewed", "add", "metadata")
VERDICTS = (*RECORD_VERDICTS, *DOCUMENT_VERDICTS)


@dataclass(frozen=True, slots=True)
class Source:
    """One database as it was read: its documents, all their records, the ids of the verdicts it holds, who it is."""

    path: Path
    layout: Layout
    schema: RecordSchema | None
    documents: tuple[DocumentLine, ...]
    records: tuple[Record, ...]
    hashes: dict[int, str]
    applied: frozenset[str]
    identity: str | None

    def blocks(self, line: DocumentLine, record: Record | None = None, *, blind: bool = False) -> tuple[Block, ...]:
        """What a record shows, or the document without one; text and history are read from the file now."""
        with reading(self.path) as database:
            sight = read_sight(database, self.layout, self.schema, line)
            changes = history(database, self.layout, line.id, record.id) if record is not None and record.id is not None else ()
        return document_blocks(sight) if record is None else record_blocks(sight, record, changes, blind=blind)


@dataclass(frozen=True, slots=True)
class Material:
    """The databases of a workspace and what was found on reading them."""

    sources: tuple[Source, ...]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Evaluation:
    """The material under the decisions: `pending` are verdicts of the log that the database lacks."""

    material: Material
    decisions: Decisions = NO_DECISIONS

    @cached_property
    def pending(self) -> tuple[LogEntry, ...]:
        """Verdicts on one of these databases that it does not hold: a save was interrupted."""
        applied = {source.identity: source.applied for source in self.material.sources if source.identity is not None}
        return tuple(
            entry
            for entry in self.decisions.entries
            if entry.task == TASK and entry.basis.get("database") in applied and entry.id not in applied[str(entry.basis["database"])]
        )

    @cached_property
    def by_case(self) -> dict[str, tuple[Source, DocumentLine, Record | None]]:
        """What each case id is about."""
        found: dict[str, tuple[Source, DocumentLine, Record | None]] = {}
        for source in self.material.sources:
            lines = {line.id: line for line in source.documents}
            for record in source.records:
                if record.id is not None and record.document in lines:
                    found[record_case(record.id)] = (source, lines[record.document], record)
            for line in source.documents:
                found[document_case(line.id, source.hashes.get(line.id))] = (source, line, None)
        return found

    def about(self, case: str) -> tuple[Source, DocumentLine, Record | None]:
        """What a case is about.

        Raises:
            InputError: there is no such case.
        """
        if case not in self.by_case:
            raise InputError(f"there is no case {case} in the databases here")
        return self.by_case[case]


def is_ecoextract(path: Path) -> bool:
    """Whether a file is a database with EcoExtract's tables."""
    try:
        require_database(path)
        with reading(path) as database:
            layout = read_layout(database)
    except (InputError, OSError, sqlite3.Error):
        return False
    return bool(layout.documents and layout.records)


def databases(folder: Path) -> tuple[Path, ...]:
    """The EcoExtract databases that lie in a folder, by name."""
    return tuple(path for path in sorted(folder.glob("*.db")) if is_ecoextract(path))


def read_source(path: Path, schema_file: Path | None = None, what: str | None = None) -> Source:
    """Read one database, or of it the document that `what` is, or is in (`lookup.find`); the texts stay where they are.

    Raises:
        InputError: not a database with documents and records, or a schema that cannot be read.
    """
    try:
        with reading(path) as database:
            layout = read_layout(database)
            if not layout.documents or not layout.records:
                raise InputError("this is not an EcoExtract database: it has no tables documents and records", where=path)
            only = find(database, layout, what, path)[0] if what is not None else None
            hashes = {}
            if layout.has("documents", "file_hash"):
                hashes = {row[0]: str(row[1]) for row in database.execute("SELECT document_id, file_hash FROM documents")}
            applied: Iterable[tuple[str]] = ()
            if journal.has_journal(database):
                applied = database.execute(f"SELECT id FROM {journal.JOURNAL}")
            return Source(
                path,
                layout,
                review_schema(schema_file, path, layout.fields),
                tuple(document_lines(database, layout, only)),
                tuple(read_records(database, layout, only)),
                hashes,
                frozenset(entry for (entry,) in applied),
                journal.identity(database),
            )
    except sqlite3.Error as fault:
        raise InputError(f"the database cannot be read ({fault})", where=path) from fault


def load(folder: Path, database: Path | None = None, schema_file: Path | None = None, what: str | None = None) -> Material:
    """The databases of a folder (or the one named, or one document of it). One that cannot be read is a problem, not the end.

    Raises:
        InputError: the database named cannot be read.
    """
    if database is not None:
        source = read_source(database, schema_file, what)
        return Material((source,), tuple(_problems(source)))
    sources, problems = [], []
    for path in databases(folder):
        try:
            sources.append(read_source(path, schema_file))
        except InputError as fault:
            problems.append(Problem(Severity.ERROR, fault.what, str(path)))
    return Material(tuple(sources), (*problems, *(problem for source in sources for problem in _problems(source))))


def _problems(source: Source) -> Iterable[Problem]:
    where = source.path.name
    for fault in source.layout.faults:
        yield Problem(Severity.WARNING, f"it can be read, not reviewed: {fault}", where)
    if source.schema is None:
        yield Problem(Severity.WARNING, "no JSON Schema that fits was found beside it, so no field can be edited", where)
    nameless = sum(record.id is None for record in source.records)
    if nameless:
        yield Problem(Severity.WARNING, f"{nameless} records have no id and cannot be decided on", where)
    known = {line.id for line in source.documents}
    orphans = sum(record.document not in known for record in source.records)
    if orphans:
        yield Problem(Severity.WARNING, f"{orphans} records belong to no document", where)


def evaluate(material: Material, decisions: Decisions = NO_DECISIONS) -> Evaluation:
    """The material under the decisions."""
    return Evaluation(material, decisions)


def cases(evaluation: Evaluation, pages: frozenset[str] | None = None) -> tuple[Case, ...]:
    """All cases in queue order: document by document, its records first; of the documents named only, if named."""
    found: list[Case] = []
    for number, source in enumerate(evaluation.material.sources):
        of_document: dict[int, list[Record]] = defaultdict(list)
        for record in source.records:
            of_document[record.document].append(record)
        for line in source.documents:
            if pages is None or str(line.id) in pages:
                found += _of_document(source, number, line, of_document[line.id])
    return tuple(in_queue_order(found))


def _of_document(source: Source, number: int, line: DocumentLine, records: Sequence[Record]) -> Iterable[Case]:
    repeated = repeats(records, source.schema)
    open_records = 0
    for place, record in enumerate(records):
        if record.id is None:
            continue
        status, note = _status(record, line)
        open_records += status != "decided"
        doubts = flags(record, source.schema, repeated.get(record.id, ()))
        target = record_target(line.id, record.id)
        yield Case(
            record_case(record.id),
            TASK,
            "records",
            str(line.id),
            f"{record.name} in {line.name}",
            "Is this record what the document says?",
            None if doubts else "accept",
            RECORD_VERDICTS,
            (Occurrence(source.path.name, (target,)),),
            1.0,
            (target,),
            {"page": str(line.id)},
            (number, line.id, 0, place),
            status,
            note or "; ".join(doubt.what for doubt in doubts),
        )
    target = record_target(line.id, None)
    yield Case(
        document_case(line.id, source.hashes.get(line.id)),
        TASK,
        "documents",
        str(line.id),
        line.name,
        "Is every record of this document decided, and none missing?",
        None if open_records else "reviewed",
        DOCUMENT_VERDICTS,
        (Occurrence(source.path.name, (target,)),),
        0.5,
        (target,),
        {"page": str(line.id)},
        (number, line.id, 1, 0),
        "decided" if line.reviewed else "open",
        f"{open_records} records are open" if open_records and not line.reviewed else "",
    )


def _status(record: Record, line: DocumentLine) -> tuple[Status, str]:
    """A record is decided when somebody said something of it that still holds, or its document is reviewed."""
    if record.lapsed and not record.accepted and record.deleted_at is None:
        return "stale", f"accepted by {', '.join(record.lapsed)}, changed since"
    if line.reviewed or record.state != "open":
        return "decided", ""
    return "open", ""
