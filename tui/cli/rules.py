"""`adjudicate rules list | check | preview | draft | settle | reopen | edit`: EQUIVALENCES.md from the command line (`1-tables`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from scoring.problems import InputError
from tui.cli import EXIT_FOUND, Invocation
from tui.cli.output import counted, format_option, say, say_json, say_table, tell
from tui.cli.rules_preview import preview

if TYPE_CHECKING:
    from scoring.rules import Row
    from tui.rulebook import Rulebook


@click.group(name="rules", context_settings={"help_option_names": ["-h", "--help"]})
def rules() -> None:
    """Check, preview, draft and settle the rules of EQUIVALENCES.md.

    A row is named by its line in the file. Example: adjudicate rules preview 42
    """


rules.add_command(preview)


def _book(invocation: Invocation) -> Rulebook:
    from scoring.workspace import open_workspace
    from tui.rulebook import rulebook

    return rulebook(open_workspace(invocation.folder))


def says(row: Row) -> str:
    """What a row says, in words."""
    from scoring.rules import EquivalenceRow, IgnoreRow

    if isinstance(row, IgnoreRow):
        return f"ignore `{row.token}` {row.position} ({row.side} side)"
    if isinstance(row, EquivalenceRow):
        return f"`{row.form}` = `{row.canonical}`"
    return f"never `{row.form}` = `{row.not_}`" if row.not_ else f"never touch `{row.form}`"


def row_document(row: Row) -> dict[str, Any]:
    """A row as plain values, with its kind."""
    from dataclasses import asdict

    found = {"kind": type(row).__name__.removesuffix("Row").lower(), **asdict(row)}
    return {name.rstrip("_"): value for name, value in found.items()}


@rules.command(name="list")
@click.option("--open", "only_open", is_flag=True, help="The OPEN rows alone.")
@click.option("--field", "wanted", metavar="F", help="The rows of this field alone.")
@format_option
@click.pass_obj
def list_rules(invocation: Invocation, only_open: bool, wanted: str | None, form: str) -> None:
    """List the rules with line, status, witness and reach.

    The reach is in how many distinct values of its fields a row's form stands.

    Example: adjudicate rules list --open
    """
    from scoring.rules.reach import reach

    book = _book(invocation)
    found = book.rules
    reaches = reach(found, book.witnesses, book.known)
    rows = [
        row for row in found.rows if (wanted is None or wanted in row.fields) and (not only_open or getattr(row, "status", "") == "OPEN")
    ]
    if form == "json":
        say_json([{**row_document(row), "reach": reaches.get(row.line)} for row in rows])
        return
    shown = []
    for row in rows:
        witness = getattr(row, "witness", "") or getattr(row, "why", "")
        note = getattr(row, "note", "")
        told = "; ".join(part for part in (witness, note) if part)
        reached = reaches.get(row.line)
        shown.append(
            (
                row.line,
                getattr(row, "status", "near miss"),
                "" if reached is None else reached,
                ", ".join(row.fields),
                f"{says(row)}{f'   {told}' if told else ''}",
            )
        )
    say_table(("line", "status", "reach", "fields", "rule   witness; note"), shown, right=(0, 2))
    tell(f"{counted(len(rows), 'row')} of {len(found.rows)}.")


@rules.command()
@format_option
@click.pass_obj
def check(invocation: Invocation, form: str) -> None:
    """Check the rules: errors stop scoring; a fault of an OPEN row stops that row.

    Exit code 1 when there is an error or a warning.

    Example: adjudicate rules check
    """
    from scoring.problems import Severity
    from scoring.rules import check as checked
    from scoring.rules import scoring_errors

    book = _book(invocation)
    problems = checked(book.rules, book.witnesses, book.known)
    if form == "json":
        say_json([{"severity": p.severity.value, "where": p.where, "line": p.line, "message": p.message} for p in problems])
    else:
        for problem in problems:
            say(f"{problem.severity.value}: {problem}")
        settled = sum(row.status == "settled" for row in book.rules.rules)
        opened = len(book.rules.rules) - settled
        stops = "; scoring stops until the errors are mended" if scoring_errors(problems) else ""
        say(f"{counted(settled, 'settled row')}, {opened} OPEN, {counted(len(book.rules.near_misses), 'near miss', 'near misses')}{stops}.")
    if any(problem.severity in (Severity.ERROR, Severity.WARNING) for problem in problems):
        raise SystemExit(EXIT_FOUND)


@rules.command()
@click.option("--form", "form_", metavar="X", help="The writing to be rewritten.")
@click.option("--canonical", metavar="Y", help="What it is rewritten to, on both sides.")
@click.option("--ignore", metavar="TOKEN", help="Instead of these two: a word to step over.")
@click.option("--position", type=click.Choice(["leading", "trailing", "anywhere"]), help="Where it may stand.")
@click.option("--side", type=click.Choice(["model", "both"]), default="model", show_default=True, help="On which side.")
@click.option("--field", "fields", metavar="F", multiple=True, required=True, help="The field; again for more.")
@click.option("--witness", metavar="W", default="", help="A value that shows the need.")
@click.option("--note", metavar="TEXT", default="", help="A note.")
@click.pass_obj
def draft(
    invocation: Invocation,
    form_: str | None,
    canonical: str | None,
    ignore: str | None,
    position: str | None,
    side: str,
    fields: tuple[str, ...],
    witness: str,
    note: str,
) -> None:
    """Draft an OPEN row: an equivalence, or a word to ignore.

    It is checked before it is written, and applied only once it is settled. What
    a row says already is not written again.

    Example: adjudicate rules draft --form wien --canonical vienna
             --field place_of_origin --witness Wien
    """
    from scoring.rules import draft_equivalence, draft_ignore

    if ignore is not None and (form_ is not None or canonical is not None):
        raise click.UsageError("Give --form and --canonical, or --ignore, not both.")
    book = _book(invocation)
    given = book.circumstances()
    if ignore is not None:
        if position is None:
            raise click.UsageError("--ignore needs --position.")
        line = draft_ignore(book.path, ignore, fields, position, side, witness=witness, note=note, **given)  # type: ignore[arg-type]
    else:
        if form_ is None or canonical is None:
            raise click.UsageError("Give --form and --canonical, or --ignore and --position.")
        names = [name.strip() for one in fields for name in one.split(",")]
        if (row := book.rules.equivalence_saying(form_, canonical, names)) is not None:
            say(f"{book.path}:{row.line}: says so already, {row.status}. Nothing was written.")
            return
        line = draft_equivalence(book.path, form_, canonical, fields, witness=witness, note=note, **given)
    say(f"{book.path}:{line}: drafted, OPEN. See what it would move: adjudicate rules preview {line}")


@rules.command()
@click.argument("line", type=int)
@click.pass_obj
def settle(invocation: Invocation, line: int) -> None:
    """Settle the OPEN row on LINE, so that it is applied from now on.

    Refused with the sentence when it would bring in an error.

    Example: adjudicate rules settle 42
    """
    from scoring.rules import settle as settled

    book = _book(invocation)
    now = settled(book.path, line, **book.circumstances())
    say(f"{book.path}:{now}: settled. Scores change with it; verdicts given before stay and are shown as judged under other rules.")


@rules.command()
@click.argument("line", type=int)
@click.pass_obj
def reopen(invocation: Invocation, line: int) -> None:
    """Make the settled row on LINE OPEN again, so that it is applied no longer.

    Example: adjudicate rules reopen 42
    """
    from scoring.rules import reopen as reopened

    book = _book(invocation)
    now = reopened(book.path, line, **book.circumstances())
    say(f"{book.path}:{now}: OPEN.")


@rules.command()
@click.argument("line", type=int)
@click.argument("cells", metavar="COLUMN=TEXT...", nargs=-1, required=True)
@click.pass_obj
def edit(invocation: Invocation, line: int, cells: tuple[str, ...]) -> None:
    """Replace cells of the row on LINE; every other byte of the file is kept.

    Example: adjudicate rules edit 42 canonical=vienna "note=a translation"
    """
    from scoring.rules import edit as edited

    texts: dict[str, str] = {}
    for cell in cells:
        column, equals, text = cell.partition("=")
        if not equals:
            raise InputError(f"`{cell}` is not COLUMN=TEXT", hint="write, say, note=abbreviation")
        if column in ("witnesses", "known_fields", "expected", "workspace"):
            raise InputError(f"no column `{column}`")
        texts[column] = text
    book = _book(invocation)
    now = edited(book.path, line, **book.circumstances(), **texts)
    say(f"{book.path}:{now}: changed.")
