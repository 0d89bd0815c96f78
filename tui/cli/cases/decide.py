"""`adjudicate decide | undo`: verdicts without screens (`docs/commands.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from scoring.adjudication.cases import Case, Grid
from scoring.adjudication.log_entry import verdict_in_words
from scoring.foundations.problems import InputError
from tui.cli import Invocation
from tui.cli.cases.case_text import reveal
from tui.cli.cases.sitting import finish, holding, occurrence_option, opened, show_occurrence
from tui.cli.common.output import counted, say, tell

if TYPE_CHECKING:
    from tui.bench.session import Session

ACTS = ("keep", "revisit", "uncover")
"""What can be done with a verdict that stands already."""


@click.command()
@click.argument("case")
@click.argument("verdict")
@click.option("--to", "targets", metavar="ROW", multiple=True, help="The row pointed to, or its number; again for more.")
@click.option("--value", metavar="TEXT", help="A doubt's text, or FORM = CANONICAL [FIELD].")
@click.option("--field", metavar="FIELD", default="", help="The field a doubt or rule is about, not the name.")
@click.option("--note", metavar="TEXT", help="A note that stays with the verdict.")
@click.option("--certainty", metavar="1-5", type=click.IntRange(1, 5), help="How certain you are.")
@click.option("--run", metavar="MODEL/PHASE/RUN", help="Of this run's row alone; the ROW of two alike.")
@occurrence_option
@click.option("--blind", is_flag=True, help="It was shown with --blind: the log says so.")
@click.option("--seed", type=int, metavar="N", help="It was shown with this --seed: hidden repeats.")
@click.option("--task", metavar="TASK", help="Another task than the first there is material for.")
@click.pass_obj
def decide(
    invocation: Invocation,
    case: str,
    verdict: str,
    targets: Sequence[str],
    value: str | None,
    field: str,
    note: str | None,
    certainty: int | None,
    run: str | None,
    occurrence: int | None,
    blind: bool,
    seed: int | None,
    task: str | None,
) -> None:
    """Give a verdict on a case: `keep`, `revisit` a stale one, `uncover` the new.

    On a case in conflict it is a ruling; --blind, for a case shown so, is none.

    ROW is gt:PAGE:ROW or model:MODEL/PHASE/RUN:PAGE:ROW, rows from 1. Without
    --to the verdict points to what the case proposes; blind, to what it asks.

    Example: adjudicate decide t-5f3a merge --to gt:28:4 --to gt:28:5
    """
    from tui.bench.verdict_text import left_in_words

    session, found = holding(invocation, case, task=task, blind=blind, seed=seed)
    show_occurrence(session, found, occurrence)
    hidden = session.hides(found)
    if verdict in ACTS:
        say(f"{found.id}: {_act(session, verdict, note, certainty)}.")
    else:
        rows = tuple(row_named(session, found, target, occurrence) for target in targets)
        said = _drafted(invocation, session, found, value, field) if verdict == "equivalent" else value
        entry = session.give(verdict, targets=rows, value=said, note=note, certainty=certainty, run=run, field=field)
        pointed = f" -> {', '.join(entry.targets)}" if entry.targets else ""
        told = f" “{entry.value}”" if isinstance(entry.value, str) else ""
        scope = f" (run {entry.run} only)" if entry.scope == "row" else ""
        say(f"{entry.case}: {verdict_in_words(entry)}{pointed}{told}{scope}")
        if entry.resolves:
            say(f"a ruling: it settles {counted(len(entry.resolves), 'verdict')} that stood against each other")
        left = session.left
        if left is not None:
            onward = f"; `adjudicate show {found.id}` shows the next" if left < len(found.occurrences) else ""
            say(f"{found.id}: said of the pair; {left_in_words(found, left)}{onward}")
        say(f"entry {entry.id} is on disk")
        if hidden and not session.hides(found):
            reveal(session, found)
        elif blind and not hidden:
            tell("The log does not call it blind: you have said something of this case before, and were shown all of it then.")
    finish(session)


def _act(session: Session, act: str, note: str | None, certainty: int | None) -> str:
    """What was done with a verdict that stands already.

    Raises:
        InputError: it cannot be done, or a certainty is given where nothing is said anew.
    """
    if act == "keep":
        return session.keep(note=note, certainty=certainty)
    if certainty is not None:
        raise InputError(f"`{act}` says nothing anew, so it has no certainty", hint="leave --certainty out")
    return session.revisit(note=note) if act == "revisit" else session.uncover(note=note)


def _drafted(invocation: Invocation, session: Session, case: Case, given: str | None, of_field: str = "") -> dict[str, str]:
    """Draft the OPEN row that `equivalent` stands for, as proposed (of one field, if named) or as `FORM = CANONICAL [FIELD]`; what it says.

    One reading may occur on many pages: where a row says so already, none is drafted.

    Raises:
        InputError: the case has no two writings, the text is no draft, or the draft would contradict the rules.
    """
    from scoring.rules import draft_equivalence
    from scoring.workspace.layout import open_workspace
    from tui.bench.rules.rule_rows import parsed_draft
    from tui.bench.rules.rulebook import rulebook

    proposed = session.draft(of_field)
    if proposed is None:
        raise InputError("this case has no two writings to make equal")
    session.judge("equivalent", field=of_field)
    form, canonical, field = proposed.form, proposed.canonical, proposed.field
    if given is not None:
        form, canonical, field = parsed_draft(given, field)
    workspace = open_workspace(invocation.folder)
    book = rulebook(workspace)
    fields = [name.strip() for name in field.split(",")]
    if (row := book.rules.equivalence_saying(form, canonical, fields)) is not None:
        form, canonical = row.form, row.canonical
        say(f"{book.path}:{row.line}: says so already, {row.status}: `{form}` = `{canonical}` in {', '.join(row.fields)}")
    else:
        line = draft_equivalence(book.path, form, canonical, field, witness=proposed.witness, **book.circumstances())
        say(f"{book.path}:{line}: drafted, OPEN: `{form}` = `{canonical}` in {field}")
    return {"form": form, "canonical": canonical, "field": field}


def row_named(session: Session, case: Case, target: str, occurrence: int | None) -> str:
    """A ROW as given, or the claimant of that number at the occurrence shown.

    Raises:
        InputError: there is no such claimant, or it hangs on the occurrence, and none is named.
    """
    if not target.isascii() or not target.isdigit():
        return target
    number = int(target)
    rows = session.candidates()
    if not 1 <= number <= len(rows):
        raise InputError(f"there is no claimant {target}", hint="`adjudicate show` numbers them")
    if occurrence is None and not _same_everywhere(session, case, number):
        raise InputError(
            f"claimant {number} is another row in other places where the case occurs",
            hint="say which place was shown: --occurrence 1, unless `show` was told another",
        )
    return rows[number - 1]


def _same_everywhere(session: Session, case: Case, number: int) -> bool:
    """Whether the number means one row, whichever place the case is shown in: a GT row, or a model's row that reads the same."""
    meant = set()
    for _ in case.occurrences:
        lines = [line for block in session.evidence() if isinstance(block, Grid) and block.numbered for line in block.lines]
        line = lines[number - 1] if number <= len(lines) else None
        meant.add(None if line is None else line.target if str(line.target).startswith("gt:") else (line.cells[0], line.cells[2]))
        session.show_occurrence(1)
    return len(meant) < 2


@click.command()
@click.argument("entry", required=False, metavar="[ID]")
@click.option("--task", metavar="TASK", help="Another task than the first there is material for.")
@click.pass_obj
def undo(invocation: Invocation, entry: str | None, task: str | None) -> None:
    """Take your last verdict back (with its batch), or the one with this id.

    The log keeps both. Undo as often as you like, in any later session.

    Example: adjudicate undo 0199d2c4
    """
    from scoring.workspace.layout import open_workspace
    from tui.bench.rules.rulebook import drafts_left

    session = opened(invocation, task=task or _task_of_entry(invocation, entry))
    undone = session.undo(entry)
    if not undone:
        tell(f"There is nothing of {session.verifier}'s to undo.")
        return
    for one in undone:
        if one.retracts is not None:
            say(f"stands again: the verdict taken back on {one.case} (entry {one.retracts})")
            continue
        pointed = f" -> {', '.join(one.targets)}" if one.targets else ""
        if one.basis.get("bounded") is True:
            say(f"covers the new occurrences as before: {one.verdict}{pointed} on {one.case} (entry {one.id} undone)")
            continue
        say(f"undone: {verdict_in_words(one)}{pointed} on {one.case}, given {one.at[:16].replace('T', ' ')} (entry {one.id})")
    for row, name in drafts_left(open_workspace(invocation.folder), undone, session.decisions):
        say(f"its OPEN row stays, on line {row.line}: `{row.form}` = `{row.canonical}`. Take it out: adjudicate rules remove {name}")
    finish(session)


def _task_of_entry(invocation: Invocation, prefix: str | None) -> str | None:
    """The task of the entry to undo, where there is one.

    Raises:
        InputError: the entry is of a task that undoes on its own.
    """
    from scoring.tasks import UNDONE_ELSEWHERE, tasks_in
    from scoring.workspace.layout import open_workspace
    from tui.bench.opening import named_verifier, sound_log
    from tui.bench.session import HOW_TO_UNDO_AN_EDIT

    workspace = open_workspace(invocation.folder)
    decisions = sound_log(workspace).decisions()
    verifier = named_verifier(invocation.verifier)
    if prefix:
        found = next((entry for entry in decisions.entries if entry.id.startswith(prefix)), None)
    else:
        found = decisions.latest_of(verifier) if verifier else None
    if found is None:
        return None
    if found.task in UNDONE_ELSEWHERE:
        raise InputError(f"that entry ({found.verdict} on {found.case}) is an edit of a database", hint=HOW_TO_UNDO_AN_EDIT)
    if found.task not in [task.name for task in tasks_in(workspace)]:
        command = {"relations": "campaign"}.get(found.task, found.task)
        raise InputError(
            f"that entry ({found.verdict} on {found.case}) is of the task `{found.task}`", hint=f"see `adjudicate {command} --help`"
        )
    return found.task
