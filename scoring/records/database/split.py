"""A database as parts for several reviewers, every edit with its document (`docs/records.md#in-and-out`)."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.records.database.connection import readable, refusal
from scoring.records.database.copy import columns_of, copy_rows, keep_numbering, make_extras, make_tables, of_documents, orphans, tables_of
from scoring.records.database.creation import new_database


@dataclass(frozen=True, slots=True)
class Part:
    """A part as it was written: its file, its documents, how many records and edits came along."""

    path: Path
    documents: tuple[int, ...]
    records: int
    edits: int


def shares(documents: Sequence[int], parts: int, seed: int | None = None, overlap: int = 0) -> list[list[int]]:
    """Documents dealt into parts of nearly equal size, in id order, or shuffled with a seed; the first `overlap` go to every part.

    Raises:
        InputError: fewer than two parts, more parts than documents, or an overlap that leaves nothing to deal.
    """
    if parts < 2 or parts > max(1, len(documents) - overlap):
        raise InputError(
            f"{len(documents)} documents cannot be dealt into {parts} parts", hint="give 2 parts or more, each with a document"
        )
    order = sorted(documents)
    if seed is not None:
        import random

        random.Random(seed).shuffle(order)
    common, rest = order[:overlap], order[overlap:]
    size, more = divmod(len(rest), parts)
    dealt, at = [], 0
    for number in range(parts):
        step = size + (number < more)
        dealt.append(common + rest[at : at + step])
        at += step
    return dealt


def split(path: Path, folder: Path, parts: int, *, seed: int | None = None, overlap: int = 0) -> list[Part]:
    """Write `<name>_part_<i>.db` for each part; the source is only read. Audit rows without a document go to the first part.

    Raises:
        InputError: not an EcoExtract database, an impossible number of parts, a file that is there already.
    """
    made: list[Path] = []
    try:
        with readable(path) as uri:
            with contextlib.closing(sqlite3.connect(uri, uri=True)) as source:
                if not {"documents", "records"} <= set(tables_of(source)):
                    raise InputError("this is not an EcoExtract database: it has no tables documents and records", where=path)
                documents = [row[0] for row in source.execute("SELECT document_id FROM documents ORDER BY document_id")]
            dealt = shares(documents, parts, seed, overlap)
            targets = [folder / f"{path.stem}_part_{number:0{len(str(parts))}d}.db" for number in range(1, parts + 1)]
            taken = [target for target in targets if target.exists()]
            if taken:
                raise InputError("this file is there already and is not overwritten", where=taken[0], hint="give another folder")
            found = []
            for target, share in zip(targets, dealt, strict=True):
                made.append(target)
                found.append(_part(uri, target, share, first=target == targets[0]))
            return found
    except BaseException as fault:
        for target in made:
            target.unlink(missing_ok=True)
        if isinstance(fault, sqlite3.Error):
            raise refusal(fault, path) from fault
        raise


def _part(uri: str, target: Path, share: Sequence[int], *, first: bool) -> Part:
    with contextlib.closing(new_database(target, uri=True)) as database:
        database.execute("ATTACH ? AS source", (uri,))
        database.execute("BEGIN")
        database.execute("CREATE TEMP TABLE wanted (document_id INTEGER PRIMARY KEY)")
        database.executemany("INSERT INTO temp.wanted VALUES (?)", [(document,) for document in share])
        statements = tables_of(database, "source")
        make_tables(database, statements.values())
        counts = {}
        for table in statements:
            columns = columns_of(database, table, "source")
            counts[table] = copy_rows(database, table, "source", of_documents(table, columns, "source") or "")
            if table == "record_edits" and first:
                counts[table] += copy_rows(database, table, "source", orphans(columns, "source"))
        make_extras(database, "source")
        keep_numbering(database, "source")
        database.execute("COMMIT")
    return Part(target, tuple(share), counts.get("records", 0), counts.get("record_edits", 0))
