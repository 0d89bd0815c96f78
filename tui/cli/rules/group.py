"""`adjudicate rules`: EQUIVALENCES.md from the command line (`docs/rules.md`); here what lists and checks it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tui.cli import EXIT_FOUND, Invocation
from tui.cli.common.output import counted, format_option, say, say_json, say_table, tell
from tui.cli.rules.preview import preview
from tui.cli.rules.write import book_of, draft, edit, remove, reopen, settle

if TYPE_CHECKING:
    from scoring.foundations.problems import Problem
    from tui.bench.rules.rulebook import Rulebook


@click.group(name="rules", context_settings={"help_option_names": ["-h", "--help"]})
def rules() -> None:
    """Check, preview, draft and settle the rules of EQUIVALENCES.md.

    A row is named by its line in the file, or by the name `rules list` shows, which
    is made of what the row says and so never means another row.
    Example: adjudicate rules preview 42
    """


for command in (preview, draft, settle, reopen, edit, remove):
    rules.add_command(command)


def _problems(book: Rulebook) -> tuple[Problem, ...]:
    from scoring.rules import check as checked

    return checked(book.rules, book.witnesses, book.known)


def _problem_document(problem: Problem) -> dict[str, Any]:
    return {"severity": problem.severity.value, "where": problem.where, "line": problem.line, "message": problem.message}


@rules.command(name="list")
@click.option("--open", "only_open", is_flag=True, help="The OPEN rows alone.")
@click.option("--field", "wanted", metavar="F", help="The rows of this field alone.")
@click.option("--filter", "text", metavar="TEXT", default="", help="Words, field:F, status:open, kind:ignore; -term negates.")
@click.option("--checked", is_flag=True, help="With what the checks say of the rules.")
@format_option
@click.pass_obj
def list_rules(invocation: Invocation, only_open: bool, wanted: str | None, text: str, checked: bool, form: str) -> None:
    """List the rules with line, name, status, witness and reach.

    The reach is in how many distinct values of its fields a row's form stands.

    Example: adjudicate rules list --filter "status:open wien"
    """
    from scoring.rules import row_names
    from scoring.rules.checks.reach import reach
    from tui.bench.rules.rule_rows import row_document, row_filter, said, status_of

    listed = row_filter(text)
    book = book_of(invocation)
    reaches, names = reach(book.rules, book.witnesses, book.known), row_names(book.rules)
    documents = ({**row_document(row), "name": names[row.line], "reach": reaches.get(row.line)} for row in book.rules.rows)
    rows = [
        row
        for row in documents
        if (wanted is None or wanted in row["fields"]) and (not only_open or row.get("status") == "OPEN") and listed(row)
    ]
    problems = [_problem_document(problem) for problem in _problems(book)] if checked else []
    if form == "json":
        say_json({"path": book.path, "rows": rows, "problems": problems} if checked else rows)
        return
    shown = []
    for row in rows:
        told = "; ".join(part for part in (row.get("witness") or row.get("why"), row.get("note")) if part)
        reached = "" if row["reach"] is None else row["reach"]
        rule = f"{said(row)}{f'   {told}' if told else ''}"
        shown.append((row["line"], row["name"], status_of(row), reached, ", ".join(row["fields"]), rule))
    say_table(("line", "name", "status", "reach", "fields", "rule   witness; note"), shown, right=(0, 3))
    for problem in problems:
        say(f"{problem['severity']}: {problem['where']}:{problem['line']}: {problem['message']}")
    tell(f"{counted(len(rows), 'row')} of {len(book.rules.rows)}.")


@rules.command()
@format_option
@click.pass_obj
def check(invocation: Invocation, form: str) -> None:
    """Check the rules: errors stop scoring; a fault of an OPEN row stops that row.

    Exit code 1 when there is an error or a warning.

    Example: adjudicate rules check
    """
    from scoring.foundations.problems import Severity
    from scoring.rules import scoring_errors

    book = book_of(invocation)
    problems = _problems(book)
    if form == "json":
        say_json([_problem_document(problem) for problem in problems])
    else:
        for problem in problems:
            say(f"{problem.severity.value}: {problem}")
        settled = sum(row.status == "settled" for row in book.rules.rules)
        opened = len(book.rules.rules) - settled
        stops = "; scoring stops until the errors are mended" if scoring_errors(problems) else ""
        say(f"{counted(settled, 'settled row')}, {opened} OPEN, {counted(len(book.rules.near_misses), 'near miss', 'near misses')}{stops}.")
    if any(problem.severity in (Severity.ERROR, Severity.WARNING) for problem in problems):
        raise SystemExit(EXIT_FOUND)
