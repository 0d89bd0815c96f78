"""`adjudicate agreement`: how far verifiers agree, and the conflicts (`docs/adjudication.md#agreement`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tui.cli import Invocation
from tui.cli.common.output import Cell, counted, figure, format_option, say, say_json, say_table

if TYPE_CHECKING:
    from scoring.adjudication.agreement import Estimate, KindAgreement
    from scoring.adjudication.cases import Case
    from scoring.workspace.layout import Workspace

HEADER = ("verdict", "cases", "agree", "pairs", "percent [95 %]", "kappa [95 %]", "alpha [95 %]")


@click.command()
@click.option("--task", metavar="TASK", help="The verdicts of this task alone.")
@click.option(
    "--by", type=click.Choice(["human", "model", "rule"]), multiple=True, help="Whose verdicts; again for more.  [default: human]"
)
@format_option
@click.pass_obj
def agreement(invocation: Invocation, task: str | None, by: tuple[str, ...], form: str) -> None:
    """How far verifiers agree, by verdict; and with themselves; and every conflict.

    Over cases that at least two have judged: percent of pairs of verdicts that
    are alike, Cohen's kappa (two verifiers), Krippendorff's alpha (any number).

    Example: adjudicate agreement --format json
    """
    from scoring.adjudication.agreement import agreement as measured
    from scoring.workspace.layout import open_workspace
    from tui.bench.opening import sound_log

    workspace = open_workspace(invocation.folder)
    contents = sound_log(workspace)
    found = measured(contents.entries, by=by or ("human",), task=task)
    conflicts = list(_conflicts(workspace, task)) if contents.entries else []
    if form == "json":
        shown = [{"case": c.id, "task": c.task, "page": c.page, "title": c.title, "verdicts": c.note} for c in conflicts]
        say_json({**asdict(found), "conflicts": shown})
        return
    if not found.kinds:
        say("No case has been judged by two verifiers.")
    else:
        say(f"Verifiers: {', '.join(found.verifiers)}")
        say_table(HEADER, [_row(kind.kind or "all", kind) for kind in found.kinds], right=(1, 2, 3, 4))
        if len(found.by_pair) > 1:
            say()
            rows = [_row(f"{one} and {other}", kind) for one, other, kind in found.by_pair]
            say_table(("between", *HEADER[1:]), rows, right=(1, 2, 3, 4))
    if found.with_self:
        say()
        rows = [(one.verifier, one.repeats, one.agreed, figure(one.percent, 1)) for one in found.with_self]
        say_table(("with oneself", "repeats", "agree", "percent"), rows, right=(1, 2, 3))
    say()
    if not conflicts:
        say("No conflicts.")
        return
    say_table(("conflict", "page", "case", "verdicts"), [(case.id, case.page, case.title, case.note) for case in conflicts])
    say(f"{counted(len(conflicts), 'conflict')}: a verdict on one of them (`adjudicate decide ID VERDICT`) is a ruling that settles it.")


def _conflicts(workspace: Workspace, task: str | None) -> Iterable[Case]:
    """Cases in conflict of the tasks there is material for."""
    from scoring.tasks import tasks_in
    from tui.bench.opening import open_session

    for one in tasks_in(workspace):
        if task is None or one.name == task:
            session = open_session(workspace.root, None, task=one.name)
            yield from (case for case in session.cases.values() if case.status == "conflict")


def _row(name: str, kind: KindAgreement) -> tuple[Cell, ...]:
    percent = figure(kind.percent, 1)
    if kind.percent_low is not None:
        percent += f" [{figure(kind.percent_low, 1)}, {figure(kind.percent_high, 1)}]"
    return name, kind.cases, kind.agreed, kind.pairs, percent, _estimate(kind.kappa, kind.few), _estimate(kind.alpha, kind.few)


def _estimate(estimate: Estimate | None, few: bool) -> str:
    if estimate is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return figure(estimate.value) + (" (too few)" if few else "")
    return f"{figure(estimate.value)} [{figure(estimate.low)}, {figure(estimate.high)}]"
