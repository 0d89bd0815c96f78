"""`adjudicate records decide | undo | recover`: verdicts without a screen (`docs/records.md#review`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring.foundations.problems import InputError
from tui.cli import EXIT_FOUND, Invocation
from tui.cli.records.output import DATABASE, open_review, schema_option

if TYPE_CHECKING:
    from scoring.adjudication.decisions import LogEntry
    from scoring.records.inputs.material import DocumentLine, Record
    from scoring.records.review.review_session import Review

OF_RECORDS = ("accept", "edit", "delete", "restore", "withdraw")
OF_DOCUMENTS = ("reviewed", "unreviewed", "add", "metadata")


@click.command()
@click.argument("database", type=DATABASE)
@click.argument("what")
@click.argument("verdict", metavar="VERDICT", type=click.Choice([*OF_RECORDS, *OF_DOCUMENTS]))
@click.option("--field", metavar="NAME", help="The field, for edit, withdraw and metadata.")
@click.option("--value", metavar="TEXT", help="The value it should have; the empty text clears it.")
@click.option("--set", "given", multiple=True, metavar="NAME=TEXT", help="A field of the record to add; repeat it.")
@click.option("--note", default="", help="Why.")
@click.option("--seen", metavar="HASH", help="Refuse when the record is not as `show` printed it.")
@schema_option
@click.pass_obj
def decide(
    invocation: Invocation,
    database: Path,
    what: str,
    verdict: str,
    field: str | None,
    value: str | None,
    given: tuple[str, ...],
    note: str,
    seen: str | None,
    schema: Path | None,
) -> None:
    """Give a VERDICT on WHAT: a record by its name, id or case, or a document by its id.

    \b
    A record:   accept | edit --field NAME --value TEXT | delete | restore
                | withdraw --field NAME
    A document: reviewed | unreviewed | add --set NAME=TEXT ...
                | metadata --field NAME --value TEXT
    Example: adjudicate records decide my.db r3 edit --field place --value Rome
    """
    from tui.cli.common.output import say, tell

    with open_review(invocation, database, schema) as review:
        line, record = _found(review, what)
        if verdict in OF_RECORDS:
            if record is None:
                raise InputError(f"{verdict} is a verdict on a record, and {what} is a document", hint="give a record's name, id or case")
            if seen is not None and seen != record.hash:
                raise InputError(f"the record {record.name} is not as it was seen ({record.hash} now)", hint="look at it again with show")
            entry = _on_record(review, record, verdict, field, value, note)
        else:
            if record is not None:
                raise InputError(f"{verdict} is a verdict on a document, and {what} is a record", hint=f"give the document, {line.id}")
            entry = _on_document(review, line, verdict, field, value, given, note)
        if entry is None:
            tell("adjudicate: it says so already; nothing was written.")
            return
        for problem in review.log.problems:
            tell(f"adjudicate: {problem}")
        say(f"{entry.id} {entry.verdict} {', '.join(entry.targets)}{_change(entry)}")


def _found(review: Review, what: str) -> tuple[DocumentLine, Record | None]:
    from scoring.records.inputs.lookup import find

    document, record = find(review.database, review.layout, what, review.store.path)
    return review.document(document), review.record(record) if record is not None else None


def _change(entry: LogEntry) -> str:
    done = entry.value if isinstance(entry.value, dict) else {}
    if "column" in done:
        old, new = (json.dumps(done.get(name), ensure_ascii=False) for name in ("was", "now"))
        return f" {done['column']}: {old} -> {new}"
    row = done.get("row")
    return f" {row['record_id']}" if isinstance(row, dict) and "record_id" in row else ""


def _needed(option: str, value: str | None, verdict: str) -> str:
    if value is None:
        raise InputError(f"{verdict} needs {option}", hint=f"repeat the command with {option}")
    return value


def _on_record(review: Review, record: Record, verdict: str, field: str | None, value: str | None, note: str) -> LogEntry | None:
    match verdict:
        case "accept":
            return review.accept(record, note)
        case "edit":
            return review.edit(record, _needed("--field", field, verdict), _needed("--value", value, verdict), note)
        case "delete":
            return review.delete(record, note)
        case "restore":
            return review.restore(record, note)
    return review.withdraw(record, _needed("--field", field, verdict), note)


def _on_document(
    review: Review, line: DocumentLine, verdict: str, field: str | None, value: str | None, given: tuple[str, ...], note: str
) -> LogEntry | None:
    match verdict:
        case "reviewed":
            return review.reviewed(line, note)
        case "unreviewed":
            return review.unreviewed(line, note)
        case "metadata":
            return review.describe(line.id, _needed("--field", field, verdict), _needed("--value", value, verdict) or None, note)
    values: dict[str, object] = {}
    for text in given:
        name, equals, rest = text.partition("=")
        if not equals:
            raise InputError(f"{text!r} is no field with its value", hint="write --set NAME=TEXT")
        values[name] = rest
    return review.add(line.id, values, note)


@click.command()
@click.argument("database", type=DATABASE)
@click.argument("entry", required=False)
@click.option("--redo", is_flag=True, help="Do again what was taken back last.")
@click.option("--note", default="", help="Why.")
@schema_option
@click.pass_obj
def undo(invocation: Invocation, database: Path, entry: str | None, redo: bool, note: str, schema: Path | None) -> None:
    """Take back your last verdict, or the one of that id. Nothing is erased: the taking back is in the log too.

    Example: adjudicate --verifier mp records undo my.db
    """
    from tui.cli.common.output import say

    with open_review(invocation, database, schema) as review:
        done = review.redo(note) if redo else review.undo(entry, note)
        say(f"{done.id} {'did again' if redo else 'took back'} {done.retracts} {', '.join(done.targets)}{_change(done)}")


@click.command()
@click.argument("database", type=DATABASE)
@schema_option
@click.pass_obj
def recover(invocation: Invocation, database: Path, schema: Path | None) -> None:
    """Bring verdicts of the log into the database that an interrupted save lost; each only where it still fits.

    Example: adjudicate --verifier mp records recover my.db
    """
    from tui.cli.common.output import say

    with open_review(invocation, database, schema) as review:
        done = review.recover()
        for one in done:
            say(f"{one.entry.id} {one.entry.verdict} {', '.join(one.entry.targets)}: {one.refused or 'applied'}")
        if not done:
            say("Log and database agree.")
    if any(one.refused for one in done):
        raise SystemExit(EXIT_FOUND)
