"""Which case a blind verifier is shown again, unannounced (`docs/adjudication.md#hidden-repeats`).

The draw hangs on the log and the seed alone: a sitting that is opened anew, and a command that knows no sitting, draw the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from scoring.adjudication.blind import shown_as
from scoring.adjudication.log_entry import LogEntry

SHARE = 0.1
APART = 5
"""A repeat has at least so many verdicts between it and the first one, and between it and the repeat before."""


def due_repeat(
    own: Sequence[LogEntry],
    *,
    is_live: Callable[[LogEntry], bool],
    may: Callable[[str], bool],
    verifier: str,
    task: str,
    seed: int,
    share: float = SHARE,
) -> str | None:
    """The case to show again now, mostly none.

    Args:
        own: the verifier's entries in id order, retracted ones too.
        may: whether a case is one that could be shown.
        seed: of the draw.
        share: how often, on average, one is due.
    """
    draw = Random(f"{seed}:{verifier}:{len(own)}")
    if draw.random() >= share or any(entry.repeat for entry in own[-APART:]):
        return None
    recent = {shown_as(entry) for entry in own[-APART:]}
    judged = {
        shown_as(entry)
        for entry in own[:-APART]
        if entry.task == task and entry.retracts is None and entry.scope == "reading" and is_live(entry)
    }
    possible = sorted(case for case in judged - recent if may(case))
    return draw.choice(possible) if possible else None
