"""The fields of the case under the cursor, which a doubt or a rule may name. Plain Python, for screens and commands."""

from __future__ import annotations

from dataclasses import replace

from scoring.adjudication.cases import FieldValue
from tui.bench.session import Session


def values_of(session: Session) -> tuple[FieldValue, ...]:
    """The fields of the rows shown, with what stands there and what is read; none where the task or the case has none."""
    case, of_task = session.current, getattr(session.task, "values", None)
    if case is None or of_task is None or not case.occurrences:
        return ()
    # A row that is only proposed is hidden, and so is what others read.
    found: tuple[FieldValue, ...] = of_task(session.evaluation, session.shown(case), session.occurrence, tuple(session.picked))
    return tuple(replace(one, agreed="", models=0, of=0) for one in found) if session.hides(case) else found
