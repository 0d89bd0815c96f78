"""`adjudicate records promote | import | split | combine | migrate`: databases in and out (`docs/records.md#in-and-out`)."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from scoring.foundations.problems import InputError
from tui.cli import EXIT_FOUND
from tui.cli.common.output_date import dateless
from tui.cli.records.output import DATABASE, schema_option


@click.command()
@click.argument("database", type=DATABASE)
@click.option("--to", "folder", required=True, type=DATABASE, help="The workspace to write gt/ in.")
@click.option("--replace", is_flag=True, help="Write pages anew that are there with other content.")
@dateless
@schema_option
def promote(database: Path, folder: Path, replace: bool, schema: Path | None) -> None:
    """Make ground truth of the reviewed documents: a page each, deleted records out, added ones in.

    Example: adjudicate records promote my.db --to my-workspace
    """
    from scoring.records.cases.queues import read_source
    from scoring.records.review.promotion import promote as written
    from tui.cli.common.output import counted, say, tell

    done = written(read_source(database, schema), folder, replace=replace)
    for note in done.notes:
        tell(f"adjudicate: {note}.")
    say(f"{counted(done.rows, 'record')} of {counted(len(done.written) + len(done.equal), 'document')} in {folder / 'gt'}; "
        f"{counted(len(done.written), 'page')} written, {len(done.equal)} as they were.")  # fmt: skip


@click.command("import")
@click.argument("file", type=DATABASE)
@click.option("--to", "database", required=True, type=DATABASE, help="The database to make.")
@click.option("--schema", type=DATABASE, help="The JSON Schema of the records; without it every field is a text.")
@click.option("--document", metavar="COLUMN", help="The column that says the document.")
@click.option("--texts", type=DATABASE, help="A folder with the documents' texts, DOCUMENT.txt or .md.")
@click.option("--model", metavar="NAME", help="The model that extracted the records.")
def import_records(file: Path, database: Path, schema: Path | None, document: str | None, texts: Path | None, model: str | None) -> None:
    """Bring a CSV or JSON of records into a new database, to be reviewed.

    A value that is not of its field's type comes in as it is and is reported (exit code 1).

    Example: adjudicate records import records.json --to my.db --schema schema.json
    """
    from scoring.records.database.record_import import import_records as imported
    from scoring.records.database.record_import import read_given
    from tui.cli.common.output import counted, say, tell

    if texts is not None and not texts.is_dir():
        raise InputError("there is no such folder of texts", where=texts)
    done = imported(read_given(file, document), database, file, schema, texts=texts, model=model)
    for problem in done.problems:
        tell(str(problem))
    say(f"{counted(done.records, 'record')} of {counted(done.documents, 'document')} in {database}.")
    if done.problems:
        raise SystemExit(EXIT_FOUND)


@click.command()
@click.argument("database", type=DATABASE)
@click.option("--parts", required=True, type=click.IntRange(2), help="How many.")
@click.option("--to", "folder", type=DATABASE, help="Where to; beside the database, if not said.")
@click.option("--seed", type=int, help="Deal the documents out shuffled, the same way for the same number.")
@click.option("--overlap", type=click.IntRange(0), default=0, help="So many documents go to every part, to see whether reviewers agree.")
def split(database: Path, parts: int, folder: Path | None, seed: int | None, overlap: int) -> None:
    """Split a database for several reviewers; each edit goes with its document.

    Example: adjudicate records split my.db --parts 3 --overlap 5
    """
    from scoring.records.database.split import split as dealt
    from tui.cli.common.output import counted, say

    for part in dealt(database, folder or database.parent, parts, seed=seed, overlap=overlap):
        counts = (counted(len(part.documents), "document"), counted(part.records, "record"), counted(part.edits, "edit"))
        say(f"{part.path}: {', '.join(counts)}")


@click.command()
@click.argument("parts", nargs=-1, required=True, type=DATABASE)
@click.option("--to", "database", required=True, type=DATABASE, help="The database to make.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def combine(parts: tuple[Path, ...], database: Path, form: str) -> None:
    """Put parts together again: every edit kept. Contradictions are reported (exit code 1); the first part's word stands.

    Example: adjudicate records combine my_part_1.db my_part_2.db --to my.db
    """
    from scoring.records.database.combine import combine as combined
    from tui.cli.common.output import counted, say, say_json, tell

    done = combined(parts, database)
    if form == "json":
        say_json(asdict(done))
    else:
        say(f"{counted(done.documents, 'document')}, {counted(done.records, 'record')}, {counted(done.edits, 'edit')} in {database}.")
        for one in done.contradictions:
            about = f"document {one.document}{f', {one.record}' if one.record else ''}"
            say(f"contradiction: {about}: {one.what}: {one.first!r} stands, {one.part} has {one.other!r}")
    for note in done.notes:
        tell(f"adjudicate: {note}.")
    if done.contradictions:
        raise SystemExit(EXIT_FOUND)


@click.command()
@click.argument("database", type=DATABASE)
@click.option("--to", "target", required=True, type=DATABASE, help="The copy to make.")
def migrate(database: Path, target: Path) -> None:
    """Make a reviewable copy of a database of an older layout (numbered records, missing columns). The old one stays.

    Example: adjudicate records migrate old.db --to new.db
    """
    from scoring.records.database.migration import migrate as migrated
    from tui.cli.common.output import counted, say, tell

    done = migrated(database, target)
    for note in done.notes:
        tell(f"adjudicate: {note}.")
    say(f"{counted(done.records, 'record')}, {counted(done.edits, 'edit')} in {target}.")
