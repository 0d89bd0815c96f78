"""`adjudicate review | next | show`: the workbench, and its cases without screens (`7-shapes`, Commands)."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
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
    session = opened(invocation, task=task, blind=blind, seed=seed)
    open_at(session, queue, wanted)
    if not _has_screens():
        _print_overview(session)
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
@click.option("--to", "targets", metavar="ROW", multiple=True, help="Show it pointed to this row, or claimant number; again for more.")
@blind_option
@seed_option
@task_option
@format_option
@click.pass_obj
def show(
    invocation: Invocation,
    case: str,
    occurrence: int | None,
    targets: Sequence[str],
    blind: bool,
    seed: int | None,
    task: str | None,
    form: str,
) -> None:
    """Show one case with its evidence. CASE is an id, or the beginning of one.

    With --to, names, reasons, fields and effects are those of a verdict that
    points there.

    Example: adjudicate show t-5f3a
    """
    from tui.cli.decide import row_named

    session, found = holding(invocation, case, task=task, blind=blind, seed=seed)
    show_occurrence(session, found, occurrence)
    session.point_to([row_named(session, found, target, occurrence or 1) for target in targets])
    print_case(session, found, form, seed)
