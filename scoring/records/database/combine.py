"""Parts reviewed apart as one database again: every edit kept, every contradiction said.

See `docs/ecoextract-behaviour.md#splitting-and-combining`.

A document in one part only comes over as it is. Of a document in several parts each cell takes the value of the one
part that edited it; where several did and differ, the first part's stands and the contradiction is reported.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.records.database.connection import readable, refusal
from scoring.records.database.copy import columns_of, copy_rows, keep_numbering, make_extras, make_tables, of_documents, orphans, tables_of
from scoring.records.database.creation import new_database
from scoring.records.inputs.journal import JOURNAL
from scoring.records.inputs.layout import BOOKKEEPING, SYSTEM, Cell, quoted
from scoring.records.inputs.operations import readable_name
from scoring.records.inputs.values import cell_text

MERGED = ("documents", "records")


@dataclass(frozen=True, slots=True)
class Contradiction:
    """What several parts say differently of one thing, and what stands: the first part's."""

    document: int
    record: str
    what: str
    first: str
    other: str
    part: str


@dataclass(slots=True)
class Combined:
    """What came together."""

    documents: int = 0
    records: int = 0
    edits: int = 0
    contradictions: list[Contradiction] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def combine(parts: Sequence[Path], target: Path) -> Combined:
    """Write the parts together into a new database; the parts are only read.

    Raises:
        InputError: fewer than two parts, parts with other tables or columns, parts of different databases, a target that is there.
    """
    if len(parts) < 2:
        raise InputError("combining takes two parts or more")
    combined = Combined()
    database = new_database(target, uri=True)
    try:
        database.execute("CREATE TEMP TABLE wanted (document_id INTEGER PRIMARY KEY)")
        for number, part in enumerate(parts):
            with readable(part) as uri:
                database.execute("ATTACH ? AS part", (uri,))
                database.execute("BEGIN")
                try:
                    _Merge(database, part, combined).take(first=number == 0)
                    database.execute("COMMIT")
                finally:
                    if database.in_transaction:
                        database.execute("ROLLBACK")
                    database.execute("DETACH part")
        for name, table in (("documents", "documents"), ("records", "records"), ("edits", "record_edits")):
            there = table in tables_of(database)
            setattr(combined, name, database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] if there else 0)
    except BaseException as fault:
        database.close()
        target.unlink(missing_ok=True)
        if isinstance(fault, sqlite3.Error):
            raise refusal(fault, target) from fault
        raise
    database.close()
    return combined


@dataclass(slots=True)
class _Merge:
    """Taking one part, attached as `part`, into the database."""

    database: sqlite3.Connection
    path: Path
    combined: Combined

    def take(self, *, first: bool) -> None:
        statements = tables_of(self.database, "part")
        if not set(MERGED) <= set(statements):
            raise InputError("this is not an EcoExtract database: it has no tables documents and records", where=self.path)
        self._match_tables(statements, first)
        there = {row[0] for row in self.database.execute("SELECT document_id FROM main.documents")}
        offered = [row[0] for row in self.database.execute("SELECT document_id FROM part.documents ORDER BY document_id")]
        shared = [document for document in offered if document in there]
        for document in shared:
            self._require_same(document)
        self.database.execute("DELETE FROM temp.wanted")
        self.database.executemany("INSERT INTO temp.wanted VALUES (?)", [(document,) for document in offered if document not in there])
        for table in MERGED:
            copy_rows(self.database, table, "part", of_documents(table, ("document_id",), "part") or "")
        for document in shared:
            self._merge_document(document)
        for table in statements:
            if table not in MERGED:
                self._unite(table)
        make_extras(self.database, "part")
        keep_numbering(self.database, "part")

    def _match_tables(self, statements: dict[str, str], first: bool) -> None:
        """Tables and columns must agree; what a review of ours adds may be missing in some parts."""
        ours = tables_of(self.database)
        make_tables(self.database, [statement for table, statement in statements.items() if table not in ours])
        if first:
            return
        for table in set(ours) & set(statements):
            held, offered = columns_of(self.database, table), columns_of(self.database, table, "part")
            if table == "record_edits" and "document_id" in offered and "document_id" not in held:
                self.database.execute("ALTER TABLE main.record_edits ADD COLUMN document_id INTEGER")
                held = (*held, "document_id")
            differing = set(held) ^ set(offered)
            if differing - ({"document_id"} if table == "record_edits" else set()):
                raise InputError(
                    f"the table {table} has other columns here than in the first part ({', '.join(sorted(differing))})",
                    where=self.path,
                    hint="combine parts of one database only",
                )

    def _require_same(self, document: int) -> None:
        if "file_hash" not in columns_of(self.database, "documents"):
            return
        here, there = (
            self.database.execute(f"SELECT file_hash FROM {name}.documents WHERE document_id = ?", (document,)).fetchone()[0]
            for name in ("main", "part")
        )
        if here != there:
            raise InputError(
                f"document {document} is another document here than in the first part",
                where=self.path,
                hint="combine parts of one database only",
            )

    # One document in several parts

    def _row(self, name: str, table: str, key: str, value: object) -> dict[str, Cell]:
        columns = columns_of(self.database, table, name)
        row = self.database.execute(f"SELECT {', '.join(map(quoted, columns))} FROM {name}.{table} WHERE {key} = ?", (value,)).fetchone()
        return dict(zip(columns, row, strict=True)) if row is not None else {}

    def _steps(self, name: str, record: str | None, document: int, kinds: tuple[str, ...], column: str | None = None) -> set[str]:
        """The ids of our steps of some kinds on a record, or (without one) on a document."""
        if JOURNAL not in tables_of(self.database, name):
            return set()
        marks = ", ".join("?" * len(kinds))
        query = f"SELECT id FROM {name}.{JOURNAL} WHERE document_id = ? AND record IS ? AND kind IN ({marks})"
        given: list[object] = [document, record, *kinds]
        if column is not None:
            query += " AND json_extract(operation, '$.column') = ?"
            given.append(column)
        return {row[0] for row in self.database.execute(query, given)}

    def _acted(self, of: Callable[[str], set[str]]) -> tuple[bool, bool]:
        """Which side did something the other does not know of: (held, offered)."""
        held, offered = of("main"), of("part")
        return bool(held - offered), bool(offered - held)

    def _merge_document(self, document: int) -> None:
        held, offered = (self._row(name, "documents", "document_id", document) for name in ("main", "part"))
        for column, value in offered.items():
            if column == "document_id" or held.get(column) == value:
                continue
            if column == "reviewed_at":
                times = [str(time) for time in (held[column], value) if time is not None]
                self._set("documents", column, max(times), "document_id", document)
                continue
            acts = self._acted(lambda name, column=column: self._steps(name, None, document, ("metadata",), column))  # type: ignore[misc]
            if acts == (False, True) or (held[column] is None and not acts[0]):
                self._set("documents", column, value, "document_id", document)
            elif value is not None and acts != (True, False):
                self._say(document, "", column, held[column], value)
        query = "SELECT id FROM part.records WHERE document_id = ? ORDER BY rowid"
        for (identity,) in self.database.execute(query, (document,)).fetchall():
            self._merge_record(document, identity)

    def _merge_record(self, document: int, identity: object) -> None:
        if identity is None:
            self.combined.notes.append(f"{self.path.name}: a record of document {document} has no id and was left as the first part has it")
            return
        offered, held = (self._row(name, "records", "id", identity) for name in ("part", "main"))
        if not held:
            self._add(document, offered)
            return
        if held["document_id"] != document:
            raise InputError(f"the record {identity} belongs to different documents in the parts", where=self.path)
        name = str(held["record_id"])
        for column, value in offered.items():
            if column in SYSTEM or column in BOOKKEEPING or held[column] == value:
                continue
            acts = self._acted(lambda side, column=column: self._edits(side, identity, column))  # type: ignore[misc]
            if acts == (False, True):
                self._set("records", column, value, "id", identity)
            elif acts != (True, False):
                self._say(document, name, column, held[column], value)
        self._merge_deletion(document, identity, name, held, offered)

    def _edits(self, name: str, identity: object, column: str) -> set[str]:
        there = "record_edits" in tables_of(self.database, name)
        query = f"SELECT id FROM {name}.record_edits WHERE record_id = ? AND column_name = ?"
        booked = {str(row[0]) for row in self.database.execute(query, (identity, column))} if there else set()
        document = self._row(name, "records", "id", identity)["document_id"]
        return booked | self._steps(name, str(identity), int(str(document)), ("edit", "withdraw", "rebook"), column)

    def _merge_deletion(self, document: int, identity: object, name: str, held: dict[str, Cell], offered: dict[str, Cell]) -> None:
        """Who deleted or restored has the word; where nobody says who, a deletion stands. A deletion against an edit is said."""
        ours, theirs = held.get("deleted_by_user"), offered.get("deleted_by_user")
        if (ours is None) == (theirs is None):
            return
        acts = self._acted(lambda side: self._steps(side, str(identity), document, ("delete", "restore")))
        if acts == (True, True):
            self._say(document, name, "deleted", ours, theirs)
            return
        if acts == (False, True) or (acts == (False, False) and ours is None):
            self._set("records", "deleted_by_user", theirs, "id", identity)
        deleted, alive = ("main", "part") if theirs is None else ("part", "main")

        def judged(side: str) -> set[str]:
            edits = [self._edits(side, identity, column) for column in offered if column not in SYSTEM]
            return self._steps(side, str(identity), document, ("accept",)).union(*edits)

        if judged(alive) - judged(deleted):
            self._say(document, name, "deleted in one part, edited or accepted in the other", ours, theirs)

    def _add(self, document: int, row: dict[str, Cell]) -> None:
        """A record only this part has; if its readable name is taken, it gets the next free one."""
        names = [str(found) for (found,) in self.database.execute("SELECT record_id FROM main.records WHERE document_id = ?", (document,))]
        if row["record_id"] in names:
            owner = self._row("main", "documents", "document_id", document)
            year = owner.get("publication_year") or str(row.get("extraction_timestamp"))[:4]
            author = owner.get("first_author_lastname")
            fresh = readable_name(None if author is None else str(author), year, names)
            self.combined.notes.append(f"{self.path.name}: the name {row['record_id']} was taken, its record is now {fresh}")
            row["record_id"] = fresh
        columns, marks = ", ".join(map(quoted, row)), ", ".join("?" * len(row))
        self.database.execute(f"INSERT INTO main.records ({columns}) VALUES ({marks})", tuple(row.values()))

    def _set(self, table: str, column: str, value: Cell, key: str, identity: object) -> None:
        self.database.execute(f"UPDATE main.{table} SET {quoted(column)} = ? WHERE {key} = ?", (value, identity))

    def _say(self, document: int, record: str, what: str, first: Cell, other: Cell) -> None:
        self.combined.contradictions.append(Contradiction(document, record, what, cell_text(first), cell_text(other), self.path.name))

    # The other tables

    def _unite(self, table: str) -> None:
        """Rows the database does not have yet: by their key where there is one, else by their whole content."""
        columns = columns_of(self.database, table, "part")
        if table == "record_edits":
            self._say_contradicting_edits(columns)
        where = ""
        if table == JOURNAL:
            where = " WHERE t.kind <> 'database'"
        elif not any(row[5] for row in self.database.execute(f"PRAGMA part.table_info({quoted(table)})")):
            listed = ", ".join(f"h.{quoted(column)} IS t.{quoted(column)}" for column in columns).replace(", ", " AND ")
            where = f" WHERE NOT EXISTS (SELECT 1 FROM main.{quoted(table)} h WHERE {listed})"
        copy_rows(self.database, table, "part", where, ignore=True)
        if table == "record_edits" and "document_id" in columns_of(self.database, table):
            owner = "SELECT document_id FROM main.records r WHERE r.id = record_edits.record_id"
            self.database.execute(f"UPDATE main.record_edits SET document_id = ({owner}) WHERE document_id IS NULL")
        lost = (
            self.database.execute(f"SELECT COUNT(*) FROM part.record_edits AS t{orphans(columns, 'part')}").fetchone()[0]
            if table == "record_edits"
            else 0
        )
        if lost:
            self.combined.notes.append(f"{self.path.name}: {lost} edits are of no record there is; they were kept")

    def _say_contradicting_edits(self, columns: tuple[str, ...]) -> None:
        query = (
            "SELECT t.record_id, t.column_name, h.original_value, t.original_value FROM part.record_edits t JOIN main.record_edits h"
            " ON h.id = t.id WHERE h.record_id IS NOT t.record_id OR h.column_name IS NOT t.column_name"
            " OR h.original_value IS NOT t.original_value"
        )
        for record, column, first, other in self.database.execute(query).fetchall():
            document = self._row("main", "records", "id", record).get("document_id")
            self._say(int(str(document or 0)), str(record), f"one edit of {column} with different old values", first, other)
