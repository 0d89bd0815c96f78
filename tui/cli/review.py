"""`adjudicate review | next | show | decide | undo`: the workbench, and the same work without screens (`7-shapes`, Commands)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from scoring.adjudication.cases import Block, Case, with_later
from scoring.adjudication.entries import Entry
from scoring.garbage import garbage_kept, set_aside
from scoring.problems import InputError
from tui.cli import Invocation
from tui.cli.looking import print_codes, print_run_page, print_scan
from tui.cli.output import counted, folded, format_option, progress, say, say_drawn, say_json, tell, width
from tui.cli.overview import print_overview

if TYPE_CHECKING:
    from pathlib import Path

    from tui.app import Workbench
    from tui.session import Session


def _where_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--queue`, `--filter`, `--blind`, `--seed` and `--task`, which `review` and `next` share."""
    for option in (
        click.option("--task", metavar="TASK", help="Another task than the first the workspace has material for."),
        click.option(
            "--seed", type=int, metavar="N", help="Draw the order of equal cases from this number; on the screens, hidden repeats too."
        ),
        click.option("--blind", is_flag=True, help="Hide proposal, model and others' verdicts until yours is given."),
        click.option("--filter", "wanted", metavar="F", default="", help='Such as "page:28 status:open similarity>=0.65 -anna".'),
        click.option("--queue", metavar="Q", help="The queue: borderline, unmatched, surplus, ..., all."),
    ):
        command = option(command)
    return command


def _opened(invocation: Invocation, *, task: str | None = None, blind: bool = False, seed: int | None = None) -> Session:
    from tui.opening import named_verifier, open_session

    with progress() as step:
        session = open_session(invocation.folder, named_verifier(invocation.verifier), task=task, blind=blind, progress=step)
    if seed is not None:
        session.order_by_seed(seed)
    return session


def _holding(invocation: Invocation, case: str, *, task: str | None, blind: bool = False) -> tuple[Session, Case]:
    """The sitting of the task that has the case, and the case under its cursor: the task named, else the first that has one.

    Raises:
        InputError: no task has it, or several cases begin so.
    """
    from scoring.tasks import task_of_case, tasks_in
    from scoring.workspace import open_workspace

    names = [task] if task is not None else [one.name for one in tasks_in(open_workspace(invocation.folder))]
    named = task_of_case(case)
    if task is None and named in names:
        names = [named]
    session = _opened(invocation, task=names[0] if names else None, blind=blind)
    for name in names[1:]:
        if case and any(known.startswith(case) for known in session.cases):
            break
        other = _opened(invocation, task=name, blind=blind)
        if case and any(known.startswith(case) for known in other.cases):
            session = other
    found = session.find(case)
    session.show_case(found.id)
    return session, found


def _at(session: Session, queue: str | None, wanted: str) -> None:
    """Open a queue under a filter."""
    from scoring.adjudication.filters import parse_filter
    from tui.session import ALL

    session.open_queue(queue or ALL, parse_filter(wanted))


@click.command()
@_where_options
@format_option
@click.pass_obj
def review(
    invocation: Invocation,
    queue: str | None = None,
    wanted: str = "",
    blind: bool = False,
    seed: int | None = None,
    task: str | None = None,
    form: str = "text",
) -> None:
    """Open the workbench, at a queue where one is named.

    Where there is no terminal, or with --format json, the Overview is printed.

    Example: adjudicate review --queue borderline --filter "page:28"
    """
    session = _opened(invocation, task=task, blind=blind, seed=seed)
    _at(session, queue, wanted)
    if form == "json" or not _has_screens():
        print_overview(session, form)
        return
    if not (queue or wanted):
        from tui.sitting import resume

        resume(invocation.folder, session)
    app = _workbench(session, invocation.folder, start="review" if queue or wanted or blind else "overview")
    app.run()
    if app.return_code:
        sys.exit(app.return_code)


@garbage_kept()
def _workbench(session: Session, folder: Path, *, start: str) -> Workbench:
    """The app on a session, with the user's keys and theme."""
    from scoring.workspace import open_workspace
    from tui.actions import with_keymap
    from tui.app import make_app
    from tui.screens.scan import prepare_pictures
    from tui.user import read_user, user_file

    workspace = open_workspace(folder)
    if workspace.images.is_dir():
        prepare_pictures()
    user = read_user()
    with_keymap(workspace.settings.keys, workspace.relative(workspace.settings_file))
    keymap = {**workspace.settings.keys, **user.keys}
    with_keymap(keymap, user_file())
    app = make_app(session, folder, keymap=keymap, start=start, theme=user.theme)
    set_aside()
    return app


def _has_screens() -> bool:
    """Whether screens can be drawn: on a terminal, or where textual-serve draws them in a browser."""
    return bool(os.environ.get("TEXTUAL_DRIVER")) or (sys.stdin.isatty() and sys.stdout.isatty())


@click.command(name="next")
@_where_options
@format_option
@click.pass_obj
def next_case(invocation: Invocation, queue: str | None, wanted: str, blind: bool, seed: int | None, task: str | None, form: str) -> None:
    """Show the next open case: the one that most hangs on, of all queues or of one.

    In the queues `conflicts` and `stale` it is the next one nobody has dealt with.

    Example: adjudicate next --queue surplus --filter "times>3"
    """
    session = _opened(invocation, task=task, blind=blind, seed=seed)
    _at(session, queue, wanted)
    waiting = ("open",) if session.queue not in ("conflicts", "stale") else ("open", "conflict", "stale")
    found = next((case for case in session.order if session.cases[case].status in waiting), None)
    if found is None:
        if form == "json":
            say_json(None)
        where = f" in the queue {session.queue}" if queue else ""
        tell(f"Nothing is open{where}{' under this filter' if wanted else ''}.")
        return
    session.go(found)
    _print_case(session, session.cases[found], form)


@click.command()
@click.argument("case", metavar="CASE | RUN PAGE")
@click.argument("page", required=False, metavar="")
@click.option("--codes", is_flag=True, help="Name every character of the case by its code point.")
@click.option("--scan", is_flag=True, help="Where the page scan lies, and the row's box in it.")
@click.option("--occurrence", metavar="N", type=click.IntRange(min=1), default=1, show_default=True, help="Which place it occurs in.")
@click.option("--blind", is_flag=True, help="Hide proposal, model and others' verdicts until yours is given.")
@click.option("--task", metavar="TASK", help="Another task than the first the workspace has material for.")
@format_option
@click.pass_obj
def show(
    invocation: Invocation, case: str, page: str | None, codes: bool, scan: bool, occurrence: int, blind: bool, task: str | None, form: str
) -> None:
    """Show one case with its evidence. CASE is an id, or the beginning of one.

    With RUN and PAGE: the page side by side, and its books. RUN is
    MODEL/PHASE/RUN.

    Example: adjudicate show t-5f3a
    """
    if page is not None:
        print_run_page(_opened(invocation, task=task), case, page, form)
        return
    session, found = _holding(invocation, case, task=task, blind=blind)
    if codes or scan:
        print_codes(found, form) if codes else print_scan(invocation.folder, found, form)
        return
    if found.occurrences:
        if occurrence > len(found.occurrences):
            raise InputError(f"case {found.id} occurs in {counted(len(found.occurrences), 'place')}, not in {occurrence}")
        session.show_occurrence(occurrence - 1)
    _print_case(session, found, form)


def _print_case(session: Session, case: Case, form: str) -> None:
    if form == "json":
        say_json(_document(session, case))
        return
    from rich.text import Text

    from scoring.text import visible
    from tui.widgets.drawing import drawn

    hidden = session.hides(case)
    lines = [Text(visible(f"{case.id}  {case.queue}, page {case.page}, {case.status}"), "bold"), Text(visible(case.question))]
    if case.note:
        lines.append(Text(visible(case.note)))
    lines += [Text(""), *drawn(with_later(session.evidence(), _effects(session, case)), width())]
    history = session.history_lines(case)
    if history:
        lines += [Text(""), Text("Earlier verdicts", "bold"), *(Text("  " + visible(line)) for line in history)]
    lines.append(Text(""))
    if case.suggestion is not None and not hidden:
        pointed = f" -> {', '.join(case.targets)}" if case.targets else ""
        lines.append(Text(visible(f"Suggested: {case.suggestion}{pointed}")))
    rows = session.candidates()
    if rows:
        such = "" if hidden else f", or a ROW such as {rows[0]}"
        lines.append(Text(visible(f"--to takes the number of a claimant{such}")))
    decide = f"To decide: adjudicate decide {case.id} VERDICT, one of {', '.join(case.verdicts)}"
    lines += [Text(line) for line in folded(visible(decide), width())]
    say_drawn(lines)


def _effects(session: Session, case: Case) -> Sequence[Block]:
    """What each verdict would change; nothing while that would give the proposal away, or on a stale verdict."""
    from scoring.steps import finished

    if session.hides(case) or case.status == "stale":
        return ()
    return finished(session.task.effects(session.evaluation, case, session.occurrence))


def _document(session: Session, case: Case) -> dict[str, Any]:
    hidden = session.hides(case)
    return {
        "id": case.id,
        "task": case.task,
        "queue": case.queue,
        "page": case.page,
        "title": case.title,
        "question": case.question,
        "status": case.status,
        "note": case.note or None,
        "suggestion": None if hidden else case.suggestion,
        "targets": [] if hidden else list(case.targets),
        "verdicts": list(case.verdicts),
        "similarity": None if hidden else case.basis.get("similarity"),
        "leverage": case.leverage,
        "occurrences": [] if hidden else [asdict(occurrence) for occurrence in case.occurrences],
        "times": len(case.occurrences),
        "candidates": [None if hidden and row.startswith("model:") else row for row in session.candidates()],
        "evidence": [_veiled(block_document(block)) if hidden else block_document(block) for block in session.evidence()],
        "effects": [block_document(block) for block in _effects(session, case)],
        "history": [] if hidden else [entry_document(entry, session.decisions.is_live(entry)) for entry in session.history(case)],
    }


def block_document(block: Block) -> dict[str, Any]:
    """A block of evidence as plain values, with its kind."""
    return {"kind": type(block).__name__.lower(), **asdict(block)}


def _veiled(block: dict[str, Any]) -> dict[str, Any]:
    """A block without the ROWs of models, which name them; `--to` takes the numbers instead."""
    lines = block.get("lines", ())
    hidden = [{**line, "target": None} if str(line.get("target")).startswith("model:") else line for line in lines]
    return {**block, "lines": hidden} if "lines" in block else block


def entry_document(entry: Entry, live: bool) -> dict[str, Any]:
    """A log entry as plain values, with whether it is live."""
    import msgspec

    found: dict[str, Any] = msgspec.to_builtins(entry)
    return {**found, "live": live}


@click.command()
@click.argument("case")
@click.argument("verdict")
@click.option("--to", "targets", metavar="ROW", multiple=True, help="The row pointed to, or its claimant number; again for more.")
@click.option("--value", metavar="TEXT", help="The text proposed: a doubt's, or FORM = CANONICAL [FIELD].")
@click.option("--note", metavar="TEXT", help="A note that stays with the verdict.")
@click.option("--certainty", metavar="1-5", type=click.IntRange(1, 5), help="How certain you are.")
@click.option("--run", metavar="MODEL/PHASE/RUN", help="Speak of this run's row alone.")
@click.option("--blind", is_flag=True, help="Say in the log that proposal and others' verdicts were hidden.")
@click.option("--task", metavar="TASK", help="Another task than the first there is material for.")
@click.pass_obj
def decide(
    invocation: Invocation,
    case: str,
    verdict: str,
    targets: Sequence[str],
    value: str | None,
    note: str | None,
    certainty: int | None,
    run: str | None,
    blind: bool,
    task: str | None,
) -> None:
    """Give a verdict on a case; `keep` or `revisit` for a stale one.

    On a case in conflict the verdict is a ruling that settles it.

    ROW is gt:PAGE:ROW or model:MODEL/PHASE/RUN:PAGE:ROW, rows from 1. Without
    --to the verdict points to what the case proposes.

    Example: adjudicate decide t-5f3a merge --to gt:28:4 --to gt:28:5
    """
    session, found = _holding(invocation, case, task=task, blind=blind)
    if verdict in ("keep", "revisit"):
        say(f"{found.id}: {session.keep() if verdict == 'keep' else session.revisit()}.")
    else:
        rows = tuple(_row(session, target) for target in targets)
        said = _drafted(invocation, session, found, value) if verdict == "equivalent" else value
        entry = session.give(verdict, targets=rows, value=said, note=note, certainty=certainty, run=run)
        pointed = f" -> {', '.join(entry.targets)}" if entry.targets else ""
        told = f" “{entry.value}”" if isinstance(entry.value, str) else ""
        scope = f" (run {entry.run} only)" if entry.scope == "row" else ""
        say(f"{entry.case}: {entry.verdict}{pointed}{told}{scope}")
        if entry.resolves:
            say(f"a ruling: it settles {counted(len(entry.resolves), 'verdict')} that stood against each other")
        say(f"entry {entry.id} is on disk")
        if blind:
            _reveal(session, found)
    _after(session)


def _reveal(session: Session, case: Case) -> None:
    """What was hidden while the verdict was given: the proposal, the model, the similarity, what others said."""
    from scoring.text import visible

    pointed = f" -> {', '.join(case.targets)}" if case.targets else ""
    say(f"proposed was: {case.suggestion}{visible(pointed)}" if case.suggestion else "nothing was proposed")
    similarity = case.basis.get("similarity")
    if isinstance(similarity, float):
        say(f"similarity: {similarity:.3f}")
    if case.occurrences:
        first, more = case.occurrences[0], len(case.occurrences) - 1
        say(visible(f"read by: {first.run}{f' and {more} more' if more else ''}"))
    for entry in session.history(case):
        if entry.verifier != session.verifier:
            say(visible(session.in_words(entry)))


def _drafted(invocation: Invocation, session: Session, case: Case, given: str | None) -> dict[str, str]:
    """Draft the OPEN row that `equivalent` stands for, as proposed or as `FORM = CANONICAL [FIELD]`; what it says.

    One reading may occur on many pages: where a row says so already, none is drafted.

    Raises:
        InputError: the case has no two writings, the text is no draft, or the draft would contradict the rules.
    """
    from scoring.rules import draft_equivalence
    from scoring.workspace import open_workspace
    from tui.rulebook import rulebook

    proposed = session.task.draft(session.evaluation, case)
    if proposed is None:
        raise InputError("this case has no two writings to make equal")
    session.judge("equivalent")
    form, canonical, field = proposed.form, proposed.canonical, proposed.field
    if given is not None:
        body, _, named = given.rstrip().removesuffix("]").partition("[")
        form, equals, canonical = (part.strip() for part in body.partition("="))
        field = named.strip() or field
        if not equals or not form or not canonical:
            raise InputError(f"`{given}` is no draft", hint='write --value "form = canonical [field]"')
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


def _row(session: Session, target: str) -> str:
    """A ROW as given, or the claimant of that number."""
    if not target.isascii() or not target.isdigit():
        return target
    rows = session.candidates()
    if not 1 <= int(target) <= len(rows):
        raise InputError(f"there is no claimant {target}", hint="`adjudicate show` numbers them")
    return rows[int(target) - 1]


@click.command()
@click.argument("entry", required=False, metavar="[ID]")
@click.option("--task", metavar="TASK", help="Another task than the first there is material for.")
@click.pass_obj
def undo(invocation: Invocation, entry: str | None, task: str | None) -> None:
    """Take your last verdict back (with its batch), or the one with this id.

    The log keeps both. Undo as often as you like, in any later session.

    Example: adjudicate undo 0199d2c4
    """
    session = _opened(invocation, task=task or _task_of_entry(invocation, entry))
    undone = session.undo(entry)
    if not undone:
        tell(f"There is nothing of {session.verifier}'s to undo.")
        return
    for one in undone:
        if one.retracts is not None:
            say(f"stands again: the verdict taken back on {one.case} (entry {one.retracts})")
            continue
        pointed = f" -> {', '.join(one.targets)}" if one.targets else ""
        say(f"undone: {one.verdict}{pointed} on {one.case}, given {one.at[:16].replace('T', ' ')} (entry {one.id})")
    _after(session)


def _task_of_entry(invocation: Invocation, prefix: str | None) -> str | None:
    """The task of the entry to undo, where there is one.

    Raises:
        InputError: the entry is of a task that undoes on its own.
    """
    from scoring.tasks import tasks_in
    from scoring.workspace import open_workspace
    from tui.opening import named_verifier, sound_log

    workspace = open_workspace(invocation.folder)
    decisions = sound_log(workspace).decisions()
    verifier = named_verifier(invocation.verifier)
    if prefix:
        found = next((entry for entry in decisions.entries if entry.id.startswith(prefix)), None)
    else:
        found = decisions.latest_of(verifier) if verifier else None
    if found is None:
        return None
    if found.task not in [task.name for task in tasks_in(workspace)]:
        command = {"relations": "campaign"}.get(found.task, found.task)
        raise InputError(
            f"that entry ({found.verdict} on {found.case}) is of the task `{found.task}`", hint=f"see `adjudicate {command} --help`"
        )
    return found.task


def _after(session: Session) -> None:
    """What appending mended, and how much is left, once the consequences are worked out."""
    session.settle()
    for problem in session.log.problems if session.log is not None else ():
        tell(f"{problem.severity.value}: {problem}")
    left = session.progress("all")
    tell(f"{counted(left.open, 'case')} open, {left.decided} decided.")
