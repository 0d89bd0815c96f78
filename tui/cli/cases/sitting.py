"""What the commands on cases share: a sitting without screens, its options, and what it says at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from scoring.adjudication.cases import Case
from scoring.foundations.memory import garbage_kept
from scoring.foundations.problems import InputError
from tui.cli import Invocation
from tui.cli.common.output import counted, progress, tell

if TYPE_CHECKING:
    from tui.bench.session import Session

task_option = click.option("--task", metavar="TASK", help="Another task than the first the workspace has material for.")
seed_option = click.option(
    "--seed", type=int, metavar="N", help="Draw the order of equal cases from this number; blind, hidden repeats too."
)
blind_option = click.option("--blind", is_flag=True, help="Hide proposal, model and others' verdicts until yours is given.")
occurrence_option = click.option("--occurrence", metavar="N", type=click.IntRange(min=1), help="Which place it occurs in.  [default: 1]")


def where_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--queue`, `--filter`, `--blind`, `--seed` and `--task`, which `review` and `next` share."""
    for option in (
        task_option,
        seed_option,
        blind_option,
        click.option("--filter", "wanted", metavar="F", default="", help='Such as "page:28 status:open similarity>=0.65 -anna".'),
        click.option("--queue", metavar="Q", help="The queue: borderline, unmatched, surplus, ..., all."),
    ):
        command = option(command)
    return command


@garbage_kept()
def opened(invocation: Invocation, *, task: str | None = None, blind: bool = False, seed: int | None = None) -> Session:
    """A sitting on the workspace, told of on standard error while it is made ready."""
    from tui.bench.opening import named_verifier, open_session

    with progress() as step:
        session = open_session(invocation.folder, named_verifier(invocation.verifier), task=task, blind=blind, progress=step)
    if seed is not None:
        session.order_by_seed(seed)
    return session


def without_sitting(session: Session, seed: int | None) -> None:
    """A command draws hidden repeats where it is given their seed, so that the next command draws the same."""
    if seed is None:
        session.repeat_share = 0.0


def holding(invocation: Invocation, case: str, *, task: str | None, blind: bool = False, seed: int | None = None) -> tuple[Session, Case]:
    """The sitting of the task that has the case, and the case under its cursor: the task named, else the first that has one.

    Raises:
        InputError: no task has it, or several cases begin so.
    """
    from scoring.tasks import task_of_case, tasks_in
    from scoring.workspace.layout import open_workspace

    names = [task] if task is not None else [one.name for one in tasks_in(open_workspace(invocation.folder))]
    named = task_of_case(case)
    if task is None and named in names:
        names = [named]
    session = opened(invocation, task=names[0] if names else None, blind=blind, seed=seed)
    for name in names[1:]:
        if case and any(known.startswith(case) for known in session.cases):
            break
        other = opened(invocation, task=name, blind=blind, seed=seed)
        if case and any(known.startswith(case) for known in other.cases):
            session = other
    found = session.find(case)
    without_sitting(session, seed)
    if session.due_repeat() == found.id:
        session.repeating = found.id
    session.show_case(found.id)
    return session, found


def show_occurrence(session: Session, case: Case, number: int | None) -> None:
    """Look at the place of that number (from 1) where the case occurs; without one, at the first.

    Raises:
        InputError: it occurs in fewer.
    """
    if number is None or not case.occurrences:
        return
    if number > len(case.occurrences):
        times = "" if session.hides(case) else f": it occurs in {counted(len(case.occurrences), 'place')}"
        raise InputError(f"case {case.id} has no place {number} it occurs in{times}")
    session.show_occurrence(number - 1)


def open_at(session: Session, queue: str | None, wanted: str) -> None:
    """Open a queue under a filter."""
    from scoring.adjudication.filters import parse_filter
    from tui.bench.session import ALL

    session.open_queue(queue or ALL, parse_filter(wanted))


def finish(session: Session) -> None:
    """What appending mended, and how much is left, once the consequences are worked out."""
    session.settle()
    for problem in session.log.problems if session.log is not None else ():
        tell(f"{problem.severity.value}: {problem}")
    left = session.progress("all")
    tell(f"{counted(left.open, 'case')} open, {left.decided} decided.")
