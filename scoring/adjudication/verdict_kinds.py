"""Kinds of statements: verdicts on one case that answer different questions, and so hold side by side (`docs/adjudication.md#kinds`).

Of a row and a record one may say whether they match, what the row is, what is wrong with the ground truth, and that two writings
mean the same. None of these answers another. What a log says must not hang on the code of a task, so this is written here.
"""

from __future__ import annotations

from collections.abc import Mapping

from scoring.adjudication.log_entry import UNSURE, LogEntry

MATCH, LABEL, TRUTH, VALUE = KINDS = ("match", "label", "truth", "value")
"""Of a pair; of a model row; of ground truth; of a value."""
ONE_KIND = ""
"""The kind of every verdict of a task that asks one question a case."""

_OF_TASK: Mapping[str, Mapping[str, str]] = {
    "tables": {
        **dict.fromkeys(("same", "different"), MATCH),
        **dict.fromkeys(("duplicate", "merge", "fragment", "misread", "invention"), LABEL),
        **dict.fromkeys(("gt-wrong", "gt-illegible", "gt-missing-row", "gt-extra-row"), TRUTH),
        "equivalent": VALUE,
    }
}
# What a case asks first of all, by the `ask` its basis names: that is what `unsure` leaves to the automatic rule.
_ASKED = {"row": LABEL, "merge": LABEL, "key": TRUTH}


# The kinds that answer the question of a case, by its `ask`; of any other case only what is said of the match does.
_ANSWERING: Mapping[str, tuple[str, ...]] = {"row": (LABEL, MATCH), "merge": (LABEL, MATCH), "key": (TRUTH, MATCH), "value": (TRUTH,)}


def answers(kind: str, ask: object) -> bool:
    """Whether a statement of this kind answers what a case asks, by the `ask` its basis names; another leaves the case open."""
    return kind == ONE_KIND or kind in _ANSWERING.get(str(ask), (MATCH,))


def kind_of(entry: LogEntry) -> str:
    """The kind of an entry's statement: the greatest id wins, and verifiers contradict each other, within a kind alone."""
    return kind_of_verdict(entry.task, entry.verdict, entry.basis)


def kind_of_verdict(task: str, verdict: str, basis: Mapping[str, object]) -> str:
    """`kind_of` before there is an entry."""
    kinds = _OF_TASK.get(task)
    if kinds is None:
        return ONE_KIND
    if basis.get("field"):
        # Of one value of ground truth it is said that it is wrong, that it stands, or that nobody can tell.
        return VALUE if kinds.get(verdict) == VALUE else TRUTH
    if verdict == UNSURE:
        return _ASKED.get(str(basis.get("ask")), MATCH)
    return kinds.get(verdict, MATCH)
