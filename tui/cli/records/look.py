"""`adjudicate records list | next | show | history`: looking, without a trace in the database (`docs/records.md#review`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring.foundations.problems import InputError
from tui.cli import EXIT_FOUND
from tui.cli.records.output import DATABASE, block_values, print_blocks, printed, schema_option

if TYPE_CHECKING:
    from scoring.records.cases.queues import Source
    from scoring.records.inputs.layout import Layout
    from scoring.records.inputs.material import DocumentLine, Record
    from scoring.records.measures.tables import Kind

FORMAT = click.Choice(["text", "json", "csv", "md"])


@click.command("list")
@click.argument("database", type=DATABASE)
@click.option("--open", "only_open", is_flag=True, help="Documents that are not reviewed.")
@click.option("--find", metavar="TEXT", help="Documents whose name, title, author or year is like this.")
@click.option("--format", "form", type=FORMAT, default="text", show_default=True)
def list_documents(database: Path, only_open: bool, find: str | None, form: str) -> None:
    """The documents of a database: reviewed or not, and their counts.

    Example: adjudicate records list my.db --open --find smith
    """
    from scoring.records.database.connection import reading
    from scoring.records.inputs.layout import read_layout
    from scoring.records.inputs.lookup import like
    from scoring.records.inputs.material import document_lines
    from scoring.records.measures.tables import Table

    with reading(database) as connection:
        lines = document_lines(connection, _checked(read_layout(connection), database))
    shown = [line for line in like(lines, find) if not (only_open and line.reviewed)]
    columns: tuple[tuple[str, Kind], ...] = (
        ("document", "count"), ("reviewed", "text"), ("name", "text"), ("title", "text"), ("author", "text"), ("year", "text"),
        ("records", "count"), ("deleted", "count"), ("added", "count"), ("edits", "count"),
    )  # fmt: skip
    rows = tuple(
        (
            line.id, line.reviewed_at or ("yes" if line.reviewed else ""), line.name, line.title, line.author, line.year,
            line.records, line.deleted, line.added, line.edits,
        )
        for line in shown
    )  # fmt: skip
    done = sum(line.reviewed for line in lines)
    table = Table("documents", str(database.name), columns, rows, f"{len(lines)} documents, {done} reviewed")
    if form == "json":
        from tui.cli.common.output import say_json

        say_json([dict(zip((name for name, _ in columns), row, strict=True)) for row in rows])
    else:
        printed([table], form)


@click.command("next")
@click.argument("database", type=DATABASE)
@schema_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def next_record(database: Path, schema: Path | None, form: str) -> None:
    """Show the next record to decide on, document by document; exit code 1 while there is one.

    Example: adjudicate records next my.db
    """
    from scoring.records.cases.queues import cases, evaluate, load
    from scoring.records.database.connection import reading
    from scoring.records.inputs.layout import read_layout
    from scoring.records.inputs.material import document_lines
    from tui.cli.common.output import counted, say, say_json

    with reading(database) as connection:
        layout = _checked(read_layout(connection), database)
        waiting = [line for line in document_lines(connection, layout) if not line.reviewed]
    if not waiting:
        if form == "json":
            say_json(None)
        else:
            say("Every document is reviewed.")
        return
    evaluation = evaluate(load(database.parent, database, schema, str(waiting[0].id)))
    case = next(case for case in cases(evaluation) if case.status != "decided")
    hint = f"{counted(len(waiting), 'document')} to review; decide with: adjudicate records decide {database} {case.id} VERDICT"
    _show(*evaluation.about(case.id), form, case.id, hint)
    raise SystemExit(EXIT_FOUND)


def _checked(layout: Layout, database: Path) -> Layout:
    if not layout.documents or not layout.records:
        raise InputError("this is not an EcoExtract database: it has no tables documents and records", where=database)
    return layout


@click.command()
@click.argument("database", type=DATABASE)
@click.argument("what")
@click.option("--uncited", is_flag=True, help="Of a document, the passages no record cites.")
@schema_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def show(database: Path, what: str, uncited: bool, schema: Path | None, form: str) -> None:
    """Show WHAT: a document by its id, a record by its name, id or case.

    Example: adjudicate records show my.db Smith_2024_1_r3
    """
    from scoring.records.cases.queues import read_source
    from scoring.records.inputs.log_names import document_case, record_case

    source = read_source(database, schema, what)
    line, record = _looked_up(database, source, what)
    if uncited:
        _show_uncited(source, line, form)
        return
    case = record_case(record.id) if record is not None and record.id else document_case(line.id, source.hashes.get(line.id))
    _show(source, line, record, form, case, "")


def _show_uncited(source: Source, line: DocumentLine, form: str) -> None:
    from scoring.records.cases.record_view import read_sight, uncited_blocks
    from scoring.records.database.connection import reading
    from tui.cli.common.output import say_json

    with reading(source.path) as connection:
        blocks = uncited_blocks(read_sight(connection, source.layout, source.schema, line))
    if form == "json":
        say_json(block_values(blocks))
    else:
        print_blocks(blocks)


def _looked_up(database: Path, source: Source, what: str) -> tuple[DocumentLine, Record | None]:
    from scoring.records.database.connection import reading
    from scoring.records.inputs.lookup import find

    with reading(database) as connection:
        document, record = find(connection, source.layout, what, database)
    line = next(line for line in source.documents if line.id == document)
    return line, next((found for found in source.records if found.id == record), None) if record is not None else None


def _show(source: Source, line: DocumentLine, record: Record | None, form: str, case: str, hint: str) -> None:
    from tui.cli.common.output import say, say_json, tell

    blocks = source.blocks(line, record)
    if form == "json":
        seen = record.hash if record is not None else None
        say_json(
            {
                "case": case,
                "document": line.id,
                "record": record.id if record is not None else None,
                "seen": seen,
                "blocks": block_values(blocks),
            }
        )
        return
    say(f"Case {case}")
    print_blocks(blocks)
    if hint:
        tell(hint)


@click.command()
@click.argument("database", type=DATABASE)
@click.argument("what", required=False)
@click.option("--field", metavar="NAME", help="Changes of this field only.")
@click.option("--format", "form", type=FORMAT, default="text", show_default=True)
def history(database: Path, what: str | None, field: str | None, form: str) -> None:
    """What was done to a document or record, or at all: when, who, old value beside new.

    Example: adjudicate records history my.db Smith_2024_1_r3
    """
    from dataclasses import asdict

    from scoring.records.database.connection import reading
    from scoring.records.inputs.layout import read_layout
    from scoring.records.inputs.lookup import find
    from scoring.records.inputs.material import history as changes_of
    from scoring.records.measures.tables import Table

    with reading(database) as connection:
        layout = _checked(read_layout(connection), database)
        document, record = find(connection, layout, what, database) if what is not None else (None, None)
        changes = changes_of(connection, layout, document, record, field)
    if form == "json":
        from tui.cli.common.output import say_json

        say_json([asdict(change) for change in changes])
        return
    names = ("at", "who", "what", "document", "name", "column", "before", "after", "note", "entry")
    columns: tuple[tuple[str, Kind], ...] = tuple((name, "count" if name == "document" else "text") for name in names)
    rows = tuple(tuple(getattr(change, name) for name in names) for change in changes)
    printed([Table("history", "What was done", columns, rows)], form)
