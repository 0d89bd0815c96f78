"""`adjudicate rules draft | settle | reopen | edit | remove`: what writes EQUIVALENCES.md, each after its checks (`docs/rules.md`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scoring.foundations.problems import InputError
from tui.cli import Invocation
from tui.cli.common.output import format_option, say, say_json, tell

if TYPE_CHECKING:
    from scoring.rules import EquivalenceRow, IgnoreRow
    from tui.bench.rules.rulebook import Rulebook


def book_of(invocation: Invocation) -> Rulebook:
    """The rules of the workspace the command was called for, with what their checks need."""
    from scoring.workspace.layout import open_workspace
    from tui.bench.rules.rulebook import rulebook

    return rulebook(open_workspace(invocation.folder))


def _done(book: Rulebook, act: str, line: int | None, sentence: str, form: str, hint: str = "") -> None:
    """Say what was done: in words (and what may come next), or as JSON with the line and name of the row as it is now."""
    from scoring.rules import read_rules, row_names

    if form == "text":
        say(f"{sentence} {hint}" if hint else sentence)
        return
    name = row_names(read_rules(book.path)).get(line) if line is not None else None
    say_json({"act": act, "path": book.path, "line": line, "name": name, "said": sentence})


@click.command()
@click.option("--form", "form_", metavar="X", help="The writing to be rewritten.")
@click.option("--canonical", metavar="Y", help="What it is rewritten to, on both sides.")
@click.option("--ignore", metavar="TOKEN", help="Instead of these two: a word to step over.")
@click.option(
    "--position", metavar="WHERE", type=click.Choice(["leading", "trailing", "anywhere"]), help="Where: leading, trailing or anywhere."
)
@click.option("--side", type=click.Choice(["model", "both"]), default="model", show_default=True, help="On which side.")
@click.option("--not", "not_", metavar="Y", help="With --form: a near miss, never to be made this.")
@click.option("--why", metavar="TEXT", default="", help="Why no rule may cover the near miss.")
@click.option("--field", "fields", metavar="F", multiple=True, required=True, help="The field; again for more.")
@click.option("--witness", metavar="W", default="", help="Page and reading, or a ROW; else one is looked for.")
@click.option("--witnessed", is_flag=True, help="Refuse a draft without a witness.")
@click.option("--note", metavar="TEXT", default="", help="A note.")
@format_option
@click.pass_obj
def draft(
    invocation: Invocation,
    form_: str | None,
    canonical: str | None,
    ignore: str | None,
    position: str | None,
    side: str,
    not_: str | None,
    why: str,
    fields: tuple[str, ...],
    witness: str,
    witnessed: bool,
    note: str,
    form: str,
) -> None:
    """Draft an OPEN row: an equivalence, a word to ignore, or a near miss.

    It is checked, and applied once it is settled (a near miss at once). Its
    witness is the one named, else a value or pair found in the material.

    Example: adjudicate rules draft --form wien --canonical vienna
             --field place_of_origin
    """
    from scoring.rules import EquivalenceRow, IgnoreRow, draft_equivalence, draft_ignore, draft_near_miss

    if sum(value is not None for value in (canonical, ignore, not_)) != 1 or (form_ is None) is not (ignore is not None):
        raise click.UsageError("Give --form and --canonical, or --ignore and --position, or --form and --not.")
    names = tuple(name.strip() for one in fields for name in one.split(","))
    book = book_of(invocation)
    given = book.circumstances()
    if not_ is not None:
        line = draft_near_miss(book.path, str(form_), not_, names, why=why or note, **given)
        _done(book, "drafted", line, f"{book.path}:{line}: a near miss; no rule may cover it from now on.", form)
        return
    if ignore is not None:
        if position is None:
            raise click.UsageError("--ignore needs --position.")
        token = IgnoreRow(0, ignore, names, position, side, "OPEN")  # type: ignore[arg-type]
        shown = _witness(book, token, witness, witnessed)
        line = draft_ignore(book.path, ignore, names, token.position, token.side, witness=shown, note=note, **given)
    else:
        assert form_ is not None
        assert canonical is not None
        if (row := book.rules.equivalence_saying(form_, canonical, names)) is not None:
            said = f"{book.path}:{row.line}: says so already, {row.status}. Nothing was written."
            _done(book, "none", row.line, said, form)
            return
        shown = _witness(book, EquivalenceRow(0, form_, canonical, names, "OPEN"), witness, witnessed)
        line = draft_equivalence(book.path, form_, canonical, names, witness=shown, note=note, **given)
    seen = f", witness: {shown}" if shown else ""
    hint = f"See what it would move: adjudicate rules preview {line}"
    _done(book, "drafted", line, f"{book.path}:{line}: drafted, OPEN{seen}.", form, hint)


def _witness(book: Rulebook, row: IgnoreRow | EquivalenceRow, given: str, wanted: bool) -> str:
    """The witness named, or one found; without any the draft is told of it, or refused.

    Raises:
        InputError: the ROW named does not hold the row's form; or there is no witness where one is wanted.
    """
    from scoring.rules import IgnoreRow, found_witness, given_witness, inside_words
    from scoring.rules.pipelines import pipeline_of

    if given.strip():
        return given_witness(given.strip(), row, book.sightings, book.known)
    found = found_witness(row, book.rules, book.sightings, book.known)
    text = row.token if isinstance(row, IgnoreRow) else row.form
    # An unknown field, or a form that is nothing, is what the draft is refused for.
    if not found and all(name in book.known and pipeline_of(name, book.known).form(text) for name in row.fields):
        inside = inside_words(row, book.witnesses, book.known)
        what = inside or f"no value of {', '.join(row.fields)} in ground truth or runs holds `{text}`, so no witness was found"
        if wanted:
            raise InputError(what, hint="" if inside else "name one: page and reading, or a ROW")
        hint = "" if inside else " Name one with --witness, or with `adjudicate rules edit`."
        tell(f"warning: {what}.{hint}")
    return found


@click.command()
@click.argument("row")
@format_option
@click.pass_obj
def settle(invocation: Invocation, row: str, form: str) -> None:
    """Settle the OPEN row called ROW, so that it is applied from now on.

    Refused with the sentence when it would bring in an error.

    Example: adjudicate rules settle 42
    """
    from scoring.rules import line_named
    from scoring.rules import settle as settled

    book = book_of(invocation)
    now = settled(book.path, line_named(book.rules, row), **book.circumstances())
    said = f"{book.path}:{now}: settled. Scores change with it; verdicts given before stay and are shown as judged under other rules."
    _done(book, "settled", now, said, form)


@click.command()
@click.argument("row")
@format_option
@click.pass_obj
def reopen(invocation: Invocation, row: str, form: str) -> None:
    """Make the settled row called ROW OPEN again, so that it is applied no longer.

    Example: adjudicate rules reopen 42
    """
    from scoring.rules import line_named
    from scoring.rules import reopen as reopened

    book = book_of(invocation)
    now = reopened(book.path, line_named(book.rules, row), **book.circumstances())
    _done(book, "reopened", now, f"{book.path}:{now}: OPEN. Scores are without it from now on.", form)


@click.command()
@click.argument("row")
@click.argument("cells", metavar="COLUMN=TEXT...", nargs=-1, required=True)
@format_option
@click.pass_obj
def edit(invocation: Invocation, row: str, cells: tuple[str, ...], form: str) -> None:
    """Replace cells of the row called ROW; every other byte of the file is kept.

    Example: adjudicate rules edit 42 canonical=vienna "note=a translation"
    """
    from scoring.rules import edit as edited
    from scoring.rules import line_named

    texts: dict[str, str] = {}
    for cell in cells:
        column, equals, text = cell.partition("=")
        if not equals:
            raise InputError(f"`{cell}` is not COLUMN=TEXT", hint="write, say, note=abbreviation")
        if column in ("witnesses", "known_fields", "expected", "workspace"):
            raise InputError(f"no column `{column}`")
        texts[column] = text
    book = book_of(invocation)
    now = edited(book.path, line_named(book.rules, row), **book.circumstances(), **texts)
    _done(book, "changed", now, f"{book.path}:{now}: changed.", form)


@click.command()
@click.argument("row")
@format_option
@click.pass_obj
def remove(invocation: Invocation, row: str, form: str) -> None:
    """Take the OPEN row, or the near miss, called ROW out of the file.

    A settled row is refused: make it OPEN first, and scores are without it. The
    verdict `equivalent` that a row was drafted by stays in the log: adjudicate undo.

    Example: adjudicate rules remove 42
    """
    from scoring.rules import remove as removed
    from scoring.rules import row_named
    from tui.bench.rules.rule_rows import says

    book = book_of(invocation)
    gone = row_named(book.rules, row)
    removed(book.path, gone.line, **book.circumstances())
    _done(book, "removed", None, f"{book.path}:{gone.line}: removed: {says(gone)} in {', '.join(gone.fields)}.", form)
