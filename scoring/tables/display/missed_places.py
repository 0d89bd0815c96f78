"""Which places a missed record is still missed in, once a verdict is given on it (`docs/adjudication.md#cases`).

`same` with a candidate is said of the pair: it settles the runs that read the record so, and leaves the others.
"""

from __future__ import annotations

from scoring.adjudication.cases import Case, Judgement, Occurrence
from scoring.tables.decisions.anchor import said_by
from scoring.tables.decisions.application import CaseKey, bound_with
from scoring.tables.display.effects import hypothetical
from scoring.tables.execution.evaluation import Evaluation


def places_left(evaluation: Evaluation, case: Case, judged: Judgement) -> tuple[Occurrence, ...] | None:
    """The occurrences that a case about a missed record keeps after the judgement; `None` where the judgement answers the case.

    `different` with a candidate is said of that pair alone, so that all are kept.
    """
    key = case.basis.get("key")
    if not isinstance(key, CaseKey) or key.ask != "gt" or key.anchor is None or judged.case == case.id:
        return None
    if judged.verdict == "different":
        return case.occurrences
    if judged.verdict != "same":
        return None
    said, missed = said_by(evaluation.prepared, hypothetical(judged)), evaluation.prepared.pages[key.page].row_of[key.anchor]
    settled = {
        run
        for run in {one.run for one in case.occurrences}
        if any(gt == missed for gt, _, _ in bound_with(evaluation.binding, said, run, key.page).same)
    }
    return tuple(one for one in case.occurrences if one.run not in settled)
