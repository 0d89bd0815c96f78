"""Which acts a screen offers now, those most needed first: what the footer shows. Plain Python."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.adjudication.cases import Case
from tui.bench.session import Session
from tui.keys.actions import REVIEW, Action, by_need

STALE = ("keep", "revisit")
NEW = ("uncover",)
# What there must be a case for, and what only a case in some state needs.
OF_A_CASE = ("note", "certainty", "narrow", "mark", "batch", "invisible", "scan", "open_run", "enter", "scroll_down", "scroll_up")
OF_SEVERAL = ("occurrence_next", "occurrence_previous", "narrow")


def offered(actions: Iterable[Action], session: Session, screen: str) -> tuple[Action, ...]:
    """The acts that can be done now, in the order in which a footer has room for them.

    A stale verdict is kept or revisited before anything else, one that covers new occurrences taken back from them; the rest of what
    is asked of a case comes only where there is one.
    """
    if screen != REVIEW:
        return by_need(actions)
    case = session.shown(session.current) if session.current is not None else None
    found = by_need(action for action in actions if _possible(action, case))
    return tuple(sorted(found, key=lambda action: action.id not in (*STALE, *NEW)))


def _possible(action: Action, case: Case | None) -> bool:
    if action.id in STALE:
        return case is not None and case.status == "stale"
    if action.id in NEW:
        return case is not None and bool(case.basis.get("new"))
    if action.group == "Verdicts" and action.id.startswith("verdict."):
        name = action.id.removeprefix("verdict.")
        allowed = case.verdicts if case is not None else ()
        return any(verdict.startswith("gt-") for verdict in allowed) if name == "truth" else name in allowed
    if action.id == "narrow" and case is not None and "field" in case.basis:
        # What the ground truth has for a field is asked about, not what one run reads.
        return False
    if action.id in OF_SEVERAL:
        return case is not None and len(case.occurrences) > 1
    return case is not None or (action.id not in OF_A_CASE and action.group != "Pointing")
