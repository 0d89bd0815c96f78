"""Copying parts of a database into another: tables as declared, rows by document (`docs/records.md#in-and-out`)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from scoring.records.inputs.journal import JOURNAL
from scoring.records.inputs.layout import quoted

OF_SQLITE = "sqlite_%"


def tables_of(database: sqlite3.Connection, name: str = "main") -> dict[str, str]:
    """The tables of an attached database with the statements that make them."""
    query = f"SELECT name, sql FROM {name}.sqlite_master WHERE type = 'table' AND name NOT LIKE ? ORDER BY rowid"
    return dict(database.execute(query, (OF_SQLITE,)))


def columns_of(database: sqlite3.Connection, table: str, name: str = "main") -> tuple[str, ...]:
    """The columns of a table of an attached database."""
    return tuple(row[1] for row in database.execute(f"PRAGMA {name}.table_info({quoted(table)})"))


def make_tables(database: sqlite3.Connection, statements: Iterable[str]) -> None:
    """Make tables from their statements."""
    for statement in statements:
        database.execute(statement)


def make_extras(database: sqlite3.Connection, name: str) -> None:
    """Indexes and triggers as an attached database has them, once the rows are in."""
    extras = f"SELECT sql FROM {name}.sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid"
    there = {row[0] for row in database.execute("SELECT sql FROM main.sqlite_master WHERE sql IS NOT NULL")}
    for (statement,) in database.execute(extras).fetchall():
        if statement not in there:
            database.execute(statement)


def copy_rows(database: sqlite3.Connection, table: str, name: str, where: str = "", *, ignore: bool = False) -> int:
    """Copy the rows of a table from an attached database, by column names; columns the target lacks must not be there. Returns how many."""
    columns = ", ".join(quoted(column) for column in columns_of(database, table, name))
    verb = "INSERT OR IGNORE" if ignore else "INSERT"
    statement = f"{verb} INTO main.{quoted(table)} ({columns}) SELECT {columns} FROM {name}.{quoted(table)} AS t{where}"
    return database.execute(statement).rowcount


def keep_numbering(database: sqlite3.Connection, name: str) -> None:
    """Let new documents be numbered on from the greatest number any source ever gave."""
    there = database.execute(f"SELECT 1 FROM {name}.sqlite_master WHERE name = 'sqlite_sequence'").fetchone()
    if there is None or database.execute("SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'").fetchone() is None:
        return
    for table, number in database.execute(f"SELECT name, seq FROM {name}.sqlite_sequence").fetchall():
        if database.execute("UPDATE main.sqlite_sequence SET seq = MAX(seq, ?) WHERE name = ?", (number, table)).rowcount == 0:
            database.execute("INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))


def of_documents(table: str, columns: tuple[str, ...], name: str) -> str | None:
    """The condition by which rows `t` of a table belong to the documents in `temp.wanted`; None for a table that belongs to none."""
    wanted = "(SELECT document_id FROM temp.wanted)"
    if table == JOURNAL:
        return f" WHERE t.document_id IN {wanted} AND t.kind <> 'database'"
    if table == "record_edits":
        owner = f"(SELECT r.document_id FROM {name}.records r WHERE r.id = t.record_id)"
        owner = f"COALESCE({owner}, t.document_id)" if "document_id" in columns else owner
        return f" WHERE {owner} IN {wanted}"
    return f" WHERE t.document_id IN {wanted}" if "document_id" in columns else None


def orphans(columns: tuple[str, ...], name: str) -> str:
    """The condition by which audit rows belong to no record and no document there is."""
    owner = f"SELECT 1 FROM {name}.records r JOIN {name}.documents d ON d.document_id = r.document_id WHERE r.id = t.record_id"
    lost = f" WHERE NOT EXISTS ({owner})"
    if "document_id" in columns:
        lost += f" AND (t.document_id IS NULL OR t.document_id NOT IN (SELECT document_id FROM {name}.documents))"
    return lost
