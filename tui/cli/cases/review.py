"""`adjudicate review | next | show`: the workbench, and its cases without screens (`docs/commands.md`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from scoring.foundations.memory import garbage_kept, set_aside
from tui.cli import Invocation
from tui.cli.cases.case_text import print_case
from tui.cli.cases.sitting import (
    blind_option,
    holding,
    occurrence_option,
    open_at,
    opened,
    seed_option,
    show_occurrence,
    task_option,
    where_options,
    without_sitting,
)
from tui.cli.common.output import format_option, say_json, tell
from tui.cli.figures.inspection import print_codes, print_run_page, print_scan
from tui.cli.figures.overview import print_overview

if TYPE_CHECKING:
    from pathlib import Path

    from tui.app import Workbench
    from tui.bench.session import Session


@click.command()
@where_options
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
    going_on = _has_screens() and not (queue or wanted)
    if going_on and task is None:
        task = _last_task(invocation)
    session = opened(invocation, task=task, blind=blind, seed=seed)
    open_at(session, queue, wanted)
    if form == "json" or not _has_screens():
        print_overview(session, form)
        return
    start = "review" if queue or wanted or blind else "overview"
    if going_on:
        from tui.bench.position.saved_position import last_screen, resume

        resume(invocation.folder, session)
        start = start if blind else last_screen(invocation.folder, session) or start
    app = _workbench(session, invocation.folder, start=start)
    app.run()
    if app.return_code:
        sys.exit(app.return_code)


def _last_task(invocation: Invocation) -> str | None:
    """The task at which the verifier stopped, where there is still material for it."""
    from scoring.tasks import tasks_in
    from scoring.workspace.layout import open_workspace
    from tui.bench.opening import named_verifier
    from tui.bench.position.saved_position import read_sitting

    last = read_sitting(invocation.folder, named_verifier(invocation.verifier)).get("task")
    return last if last is not None and last in [task.name for task in tasks_in(open_workspace(invocation.folder))] else None


@garbage_kept()
def _workbench(session: Session, folder: Path, *, start: str) -> Workbench:
    """The app on a session, with the user's keys and theme."""
    from scoring.workspace.layout import open_workspace
    from tui.app import make_app
    from tui.environment.user_settings import read_user
    from tui.keys.user_keys import keymap_of
    from tui.screens.review.scan import prepare_pictures

    workspace = open_workspace(folder)
    if workspace.images.is_dir():
        prepare_pictures()
    user = read_user()
    # Asked once, at the first start: whoever would rather look around has no name, and is asked again at the first verdict.
    ask = session.log is None and user.verifier is None
    app = make_app(session, folder, keymap=keymap_of(workspace), start=start, theme=user.theme, ask=ask)
    set_aside()
    return app


def _has_screens() -> bool:
    """Whether screens can be drawn: on a terminal, or where textual-serve draws them in a browser."""
    return bool(os.environ.get("TEXTUAL_DRIVER")) or (sys.stdin.isatty() and sys.stdout.isatty())


@click.command(name="next")
@where_options
@format_option
@click.pass_obj
def next_case(invocation: Invocation, queue: str | None, wanted: str, blind: bool, seed: int | None, task: str | None, form: str) -> None:
    """Show the next open case: the one that most hangs on, of all queues or of one.

    In the queues `conflicts` and `stale` it is the next one nobody has dealt with.
    With --blind, or the filter mine:no, it is the next one you have not judged.

    Example: adjudicate next --queue surplus --filter "times>3"
    """
    session = opened(invocation, task=task, blind=blind, seed=seed)
    open_at(session, queue, wanted)
    without_sitting(session, seed)
    found = _next(session)
    if found is None:
        if form == "json":
            say_json(None)
        where = f" in the queue {session.queue}" if queue else ""
        hidden = " Conflicts are hidden in a blind sitting." if blind and session.queue == "conflicts" else ""
        tell(f"Nothing is open{where}{' under this filter' if wanted else ''}.{hidden}")
        return
    session.go(found)
    print_case(session, session.cases[found], form, seed)


def _next(session: Session) -> str | None:
    """The case to show, if one waits: by `mine:`, for this verifier; a hidden repeat, where one is due, in the place of another."""
    waiting = ("open",) if session.queue not in ("conflicts", "stale") else ("open", "conflict", "stale")
    if "new" in session.filter.keys:
        waiting = (*waiting, "decided")
    if "mine" in session.filter.keys:
        found = next((case for case in session.order if session.waits(session.cases[case])), None)
    else:
        found = next((case for case in session.order if session.cases[case].status in waiting), None)
    due = session.due_repeat() if found is not None else None
    if due in session.order:
        session.repeating = found = due
    return found


@click.command()
@click.argument("case", metavar="CASE | RUN PAGE")
@click.argument("page", required=False, metavar="")
@click.option("--codes", is_flag=True, help="Name every character of the case by its code point.")
@click.option("--scan", is_flag=True, help="Where the page scan lies, and the row's box in it.")
@occurrence_option
@click.option("--to", "targets", metavar="ROW", multiple=True, help="Point to this row, or claimant number; again for more.")
@blind_option
@seed_option
@task_option
@format_option
@click.pass_obj
def show(
    invocation: Invocation,
    case: str,
    page: str | None,
    codes: bool,
    scan: bool,
    occurrence: int | None,
    targets: Sequence[str],
    blind: bool,
    seed: int | None,
    task: str | None,
    form: str,
) -> None:
    """Show one case with its evidence, CASE being the beginning of an id.

    Or a page of RUN (MODEL/PHASE/RUN) side by side, with its books.

    With --to, names, reasons, fields and effects are those of a verdict that
    points there.

    Example: adjudicate show t-5f3a
    """
    from tui.cli.cases.decide import row_named

    if page is not None:
        print_run_page(opened(invocation, task=task, blind=blind), case, page, form)
        return
    session, found = holding(invocation, case, task=task, blind=blind, seed=seed)
    if codes or scan:
        print_codes(session, found, form) if codes else print_scan(invocation.folder, found, form)
        return
    show_occurrence(session, found, occurrence)
    session.point_to([row_named(session, found, target, occurrence or 1) for target in targets])
    print_case(session, found, form, seed)
