"""Batches: one verdict for several cases, after a list and a count. What the Review screen and `adjudicate batch` share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.adjudication.filters import parse_filter
from scoring.foundations.wording import counted
from scoring.tasks import AnyTask
from scoring.texts.forms import visible
from tui.bench.session import ALL, Batch, Session
from tui.widgets.drawing import fitted

TITLE = 50


def batch_verdicts(task: AnyTask) -> tuple[str, ...]:
    """The verdicts a batch can give: a text of one's own is written for one case at a time."""
    return tuple(verdict for verdict in task.verdicts if verdict != "equivalent" and not verdict.startswith("gt-"))


def chosen_cases(
    session: Session, named: Sequence[str], *, queue: str | None = None, wanted: str | None = None, like: str | None = None
) -> tuple[str, ...]:
    """The cases of a batch: those named, else the open ones that read as `like`, else the open ones of a queue under a filter.

    Raises:
        InputError: no such case or queue, or a faulty filter.
    """
    if named:
        return tuple(dict.fromkeys(session.find(one).id for one in named))
    session.open_queue(queue or ALL, parse_filter(wanted or ""))
    if like is not None:
        session.show_case(session.find(like).id)
        return session.alike()
    return tuple(one for one in session.order if session.cases[one].status == "open")


def batch_question(batch: Batch) -> str:
    """What is asked before a batch is written."""
    cases = "this case, one entry" if len(batch.judged) == 1 else f"these {len(batch.judged)} cases, an entry each"
    return f"{batch.verdict} for {cases}? ({len(batch.refused)} left out)"


def batch_lines(session: Session, batch: Batch) -> Iterator[tuple[str, bool]]:
    """What a batch would write, a line a case, and whether the case is left out of it; data text made visible."""
    for case, judged in batch.judged:
        settled = session.settles(case)
        ruling = f"  (a ruling: it settles {len(settled)})" if settled else ""
        yield f"  {visible(case.page)}  {fitted(case.title, TITLE)} -> {visible(', '.join(judged.targets)) or 'nothing'}{ruling}", False
    for case, reason in batch.refused:
        yield f"  left out: {visible(case.title)}: {visible(reason)}", True


def batch_written(batch: Batch, written: int) -> str:
    """What was done."""
    return f"{batch.verdict} written for {counted(written, 'case')}"
