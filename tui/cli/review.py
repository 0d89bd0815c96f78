"""`adjudicate review | next | show`: the workbench, and its cases without screens (`7-shapes`, Commands)."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from scoring.garbage import garbage_kept, set_aside
from tui.cli import Invocation
from tui.cli.cases import print_case
from tui.cli.output import format_option, say, say_drawn, say_json, say_table, tell, width
from tui.cli.sittings import (
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

if TYPE_CHECKING:
    from pathlib import Path

    from tui.app import Workbench
    from tui.session import Session

HOW_TO_OPEN = "To open the screens, run `adjudicate review` in a terminal; `adjudicate next` shows a case without them."


@click.command()
@where_options
@click.pass_obj
def review(
    invocation: Invocation,
    queue: str | None = None,
    wanted: str = "",
    blind: bool = False,
    seed: int | None = None,
    task: str | None = None,
) -> None:
    """Open the workbench, at a queue where one is named.

    Where there is no terminal the Overview is printed instead.

    Example: adjudicate review --queue borderline --filter "page:28"
    """
    going_on = _has_screens() and not (queue or wanted)
    if going_on and task is None:
        task = _last_task(invocation)
    session = opened(invocation, task=task, blind=blind, seed=seed)
    open_at(session, queue, wanted)
    if not _has_screens():
        _print_overview(session)
        return
    start = "review" if queue or wanted or blind else "overview"
    if going_on:
        from tui.sitting import last_screen, resume

        resume(invocation.folder, session)
        start = start if blind else last_screen(invocation.folder, session) or start
    app = _workbench(session, invocation.folder, start=start)
    app.run()
    if app.return_code:
        sys.exit(app.return_code)


def _last_task(invocation: Invocation) -> str | None:
    """The task at which the verifier stopped, where there is still material for it."""
    from scoring.tasks import tasks_in
    from scoring.workspace import open_workspace
    from tui.opening import named_verifier
    from tui.sitting import read_sitting

    last = read_sitting(invocation.folder, named_verifier(invocation.verifier)).get("task")
    return last if last is not None and last in [task.name for task in tasks_in(open_workspace(invocation.folder))] else None


@garbage_kept()
def _workbench(session: Session, folder: Path, *, start: str) -> Workbench:
    """The app on a session, with the user's keys and theme."""
    from scoring.workspace import open_workspace
    from tui.app import make_app
    from tui.keymap import keymap_of
    from tui.screens.scan import prepare_pictures
    from tui.user import read_user

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


def _print_overview(session: Session) -> None:
    from tui.widgets.drawing import drawn

    say_drawn(drawn(session.overview(), width()))
    say()
    rows = []
    for queue in (*session.task.queues, "all"):
        found = session.progress(queue)
        rows.append((queue, found.open, found.decided, found.stale, found.conflict))
    say_table(("queue", "open", "decided", "stale", "conflict"), rows, right=(1, 2, 3, 4))
    say()
    say(HOW_TO_OPEN)


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
    if "mine" in session.filter.keys:
        found = next((case for case in session.order if session.waits(session.cases[case])), None)
    else:
        found = next((case for case in session.order if session.cases[case].status in waiting), None)
    due = session.due_repeat() if found is not None else None
    if due in session.order:
        session.repeating = found = due
    return found


@click.command()
@click.argument("case")
@occurrence_option
@blind_option
@seed_option
@task_option
@format_option
@click.pass_obj
def show(invocation: Invocation, case: str, occurrence: int | None, blind: bool, seed: int | None, task: str | None, form: str) -> None:
    """Show one case with its evidence. CASE is an id, or the beginning of one.

    Example: adjudicate show t-5f3a
    """
    session, found = holding(invocation, case, task=task, blind=blind, seed=seed)
    show_occurrence(session, found, occurrence)
    print_case(session, found, form, seed)
