"""What was said of a case, in words: the verdicts that stand, and what the one just given reaches. Plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scoring.adjudication.cases import Case
from scoring.adjudication.log_entry import LogEntry, field_of, value_in_words, verdict_in_words
from scoring.adjudication.verdict_kinds import TRUTH, kind_of
from scoring.foundations.wording import counted, row_in_words
from tui.bench.session import Session


def standing_in_words(session: Session, case: Case) -> str:
    """The verdicts behind a decided case, one's own first: `you: same -> GT 2`; nothing while they are hidden, or where none stands."""
    if session.hides(case) or case.status != "decided":
        return ""
    latest: dict[tuple[str, str], LogEntry] = {}
    for entry in session.history(case):
        if entry.retracts is None and not entry.repeat and entry.verdict != "revisit" and session.decisions.is_live(entry):
            latest[entry.verifier, kind_of(entry)] = entry
    said: dict[str, list[str]] = {}
    for entry in sorted(latest.values(), key=lambda one: one.verifier != session.verifier):
        value = f" “{value_in_words(entry.value)}”" if entry.value is not None else ""
        who = "you" if entry.verifier == session.verifier else entry.verifier
        said.setdefault(f"{verdict_in_words(entry)}{_pointed(entry.targets)}{value}", []).append(who)
    return "; ".join(f"{', '.join(by)}: {what}" for what, by in said.items())


def reach_in_words(entry: LogEntry, *, on_pair: bool = False) -> str:
    """What was written, and how far it goes: `same -> GT 16, in all 13 places`, `same -> GT 16, in alfa/guided/run_01 alone`.

    `on_pair`: it was given on a case that is about more than the pair it is said of.
    """
    said = f"{verdict_in_words(entry)}{_pointed(entry.targets)}"
    if entry.scope == "row":
        return f"{said}, in {entry.run} alone"
    if on_pair:
        return f"{said}, on the pair"
    times = entry.basis.get("occurrences")
    # A doubt is about the ground truth, which every run is held against.
    if field_of(entry) or kind_of(entry) == TRUTH or isinstance(times, bool) or not isinstance(times, int):
        return said
    return f"{said}, in all {times} places" if times > 1 else f"{said}, in its one place"


def left_in_words(case: Case, left: int) -> str:
    """What is left of the case a verdict on a pair was given on, which is `case` as it was before."""
    return f"{counted(left, 'place')} left" if left < len(case.occurrences) else "this case is as it was"


def _pointed(targets: Iterable[str]) -> str:
    rows = ", ".join(map(row_in_words, targets))
    return f" -> {rows}" if rows else ""


def undone_in_words(undone: Sequence[LogEntry]) -> str:
    """What an undo took back."""
    if not undone:
        return "There is nothing of yours to undo."
    verdicts = [entry for entry in undone if entry.retracts is None]
    if not verdicts:
        return f"undone: the revisit of {undone[-1].case}; its verdict is stale again"
    last = verdicts[-1]
    if len(verdicts) < len(undone):
        return f"undone: {last.verdict} as kept on {last.case}; the verdict before it is stale again"
    if last.basis.get("bounded") is True:
        return f"undone: {last.verdict} on {last.case} covers the occurrences that are new since, as before"
    others = len(verdicts) - 1
    batch = f" and the {others} other{'s' if others > 1 else ''} of its batch" if others else ""
    return f"undone: {verdict_in_words(last)} on {last.case} of {last.at[:16].replace('T', ' ')}{batch}"
