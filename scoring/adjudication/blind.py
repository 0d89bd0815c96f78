"""What a blind verifier may know of a case before the verdict, and of a list of cases (`docs/adjudication.md#blind-sittings`).

What others said is not hidden here: a blind sitting counts no verdicts but the verifier's own (`Decisions.of_verifier`), so that
nothing follows from theirs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from scoring.adjudication.cases import Case
from scoring.adjudication.log_entry import LogEntry
from scoring.foundations.problems import InputError

TELLING_BASIS = ("similarity", "pointers", "new")
TELLING_FILTERS = ("similarity", "times", "leverage", "suggestion", "model", "phase", "run", "by")
"""Keys of the filter language that would sort hidden cases by what is hidden of them."""
SHOWN = "shown"
"""In the basis of an entry: the case on the screen, where the verdict was said of another (another row pointed to, or one run's)."""


def veiled(case: Case) -> Case:
    """The case without proposal, similarity and what follows from them."""
    basis = {name: value for name, value in case.basis.items() if name not in TELLING_BASIS}
    return replace(case, suggestion=None, targets=(), leverage=0.0, note="", basis=basis)


def shown_as(entry: LogEntry) -> str:
    """The id of the case that was on the screen when the verdict was given."""
    shown = entry.basis.get(SHOWN)
    return shown if isinstance(shown, str) else entry.case


def refuse_telling(keys: Collection[str]) -> None:
    """Refuse a filter by what is hidden.

    Raises:
        InputError: it uses such a key.
    """
    telling = [key for key in TELLING_FILTERS if key in keys]
    if telling:
        raise InputError(
            f"a blind sitting has no filter by {', '.join(telling)}: that is hidden until the verdict", hint="filter without --blind"
        )
