"""The Overview as text or JSON: what `adjudicate` prints where there are no screens."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from scoring.foundations.incremental import finished
from tui.cli.common.output import say, say_drawn, say_json, say_table, width

if TYPE_CHECKING:
    from tui.bench.session import Session

HOW_TO_OPEN = "To open the screens, run `adjudicate review` in a terminal; `adjudicate next` shows a case without them."


def print_overview(session: Session, form: str) -> None:
    """Inputs, cells with their bands, and queues with their progress."""
    blocks = session.overview(finished(session.task.bands(session.evaluation)))
    queues = [(queue, session.progress(queue)) for queue in (*session.task.queues, "all")]
    if form == "json":
        say_json(
            {
                "task": session.task.name,
                "overview": [{"kind": type(block).__name__.lower(), **asdict(block)} for block in blocks],
                "queues": [
                    {"queue": queue, "open": found.open, "decided": found.decided, "stale": found.stale, "conflict": found.conflict}
                    for queue, found in queues
                ],
            }
        )
        return
    from tui.widgets.drawing import drawn

    say_drawn(drawn(blocks, width()))
    say()
    rows = [(queue, found.open, found.decided, found.stale, found.conflict) for queue, found in queues]
    say_table(("queue", "open", "decided", "stale", "conflict"), rows, right=(1, 2, 3, 4))
    say()
    say(HOW_TO_OPEN)
