"""Where a verdict points, and where it could: any row of the page, and the row each verdict would take.

See `docs/adjudication.md#pointers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.adjudication.cases import Case, Grid, Judgement, Line
from scoring.foundations.problems import InputError
from scoring.tables.cases.occurrence_view import OccurrenceView
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.verdicts.validation import judge


@dataclass(frozen=True, slots=True)
class PossibleVerdict:
    """A verdict as it would be said, and the rows that have to be picked before it can be."""

    judged: Judgement
    to_pick: tuple[str, ...] = ()


def supposed(
    evaluation: Evaluation, case: Case, occurrence: int, verdict: str, targets: Sequence[str], run: str | None = None
) -> PossibleVerdict | None:
    """What the verdict says when its key is pressed now; where that would be refused for want of a pointer, with the first it could take.

    `duplicate` takes the nearest model row, `merge` the GT row shown and the nearest with another name, a missed record's `same` the
    first candidate. `run` narrows it (`judge`). `None` where it cannot be said of the case at all, or not of the rows picked.
    """
    found = _said(evaluation, case, occurrence, verdict, targets, run)
    if found is not None:
        return PossibleVerdict(found)
    if "field" in case.basis:
        # Of a value nothing is said of another row.
        return None
    if targets and _said(evaluation, case, occurrence, verdict, (), run) is not None:
        return None
    pointers = _pointers(OccurrenceView(evaluation, case, occurrence, pointed=targets), verdict)
    taken = ((_said(evaluation, case, occurrence, verdict, pointer, run), pointer) for pointer in pointers)
    return next((PossibleVerdict(judged, pointer) for judged, pointer in taken if judged is not None), None)


def _said(evaluation: Evaluation, case: Case, occurrence: int, verdict: str, targets: Sequence[str], run: str | None) -> Judgement | None:
    try:
        return judge(evaluation, case, verdict, targets=targets, run=run, occurrence=occurrence)
    except InputError:
        return None


def _pointers(sight: OccurrenceView, verdict: str) -> Iterator[tuple[str, ...]]:
    """Pointers a verdict could take, the likeliest first."""
    claimants = [one.target for one in sorted(sight.claimants(), key=lambda one: -one.similarity)]
    gt = [target for target in claimants if target.startswith("gt:")]
    models = [target for target in claimants if target.startswith("model:")]
    if verdict == "merge":
        first = sight.gt.target(sight.shown_gt) if sight.shown_gt is not None else None
        ordered = [*([first] if first else []), *(target for target in gt if target != first)]
        yield from ((ordered[0], other) for other in ordered[1:])
    elif verdict == "duplicate" or sight.row is None:
        yield from ((target,) for target in models)
    else:
        yield from ((target,) for target in gt[:1])


def rows_of_page(evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False) -> Grid:
    """Every row a verdict on the case could point to: the GT rows of the page, then the model rows of the run shown, as they stand.

    Blind without similarity and holder. A case about one value points to no other row.
    """
    sight = OccurrenceView(evaluation, case, occurrence, blind=blind)
    gt = [sight.gt.target(at) for at, form in enumerate(sight.gt.forms) if form]
    models = [sight.answer.target(at) for at, name in enumerate(sight.answer.models) if name.readings and at != sight.row]
    if "field" in case.basis:
        gt, models = [], []
    header = ("", "row", "name") if blind else ("", "row", "name", "similarity", "held by")
    lines = []
    for target in (*gt, *models):
        one = sight.claimant(target)
        side = "GT" if target.startswith("gt:") else "row"
        telling = () if blind else (sight.shown(one.similarity), one.held_by)
        lines.append(Line((side, target.rsplit(":", 1)[-1], one.text, *telling), target=target))
    return Grid("Rows of the page", header, tuple(lines))
