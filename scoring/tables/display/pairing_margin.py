"""What would make the pairing of a case another one: the greedy choice made visible (`docs/method.md#pairing`).

The best pair on a page is taken first, so a pair stands until one of its rows is read better elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.adjudication.cases import Case, Facts
from scoring.tables.cases.occurrence_view import OccurrenceView
from scoring.tables.decisions.application import PageDecisions
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import AlignedPair, paired


def flips(evaluation: Evaluation, case: Case, occurrence: int = 0, pointed: Sequence[str] = ()) -> Facts | None:
    """How the two rows shown are paired in the run shown, what would flip that, and where they go without each other.

    `None` where no two rows with names are shown, or a case asks about one of their values.
    """
    if "field" in case.basis:
        return None
    sight = OccurrenceView(evaluation, case, occurrence, pointed=pointed)
    gt, row = sight.shown_gt, sight.shown_row
    if gt is None or row is None or not sight.gt.forms[gt] or not sight.answer.models[row].readings:
        return None
    return Facts("The pairing", tuple(_facts(sight, gt, row)))


def _facts(sight: OccurrenceView, gt: int, row: int) -> Iterator[tuple[str, str]]:
    of_gt = next((pair for pair in sight.score.pairs if pair.gt == gt), None)
    of_row = next((pair for pair in sight.score.pairs if pair.model == row), None)
    value = sight.gt.pairer.similarity(gt, sight.answer.models[row]).value
    if of_gt is not None and of_gt is of_row:
        yield "as it stands", f"GT {sight.gt_number(gt)} with row {sight.row_number(row)} at {sight.shown(value)}{_state(of_gt)}"
        if of_gt.decided_by:
            yield "would flip if", "the verdict were taken back"
            return
        yield "would flip if", " or ".join(_rivals(sight, gt, row, value)) or "nothing: no other row of the page comes near"
        yield "if different", _apart(sight, gt, row)
        return
    yield "as it stands", f"{_held(sight, gt, row, of_gt)}; {_taken(sight, row, of_row)}"
    better = [
        f"it rose above {sight.shown(pair.similarity.value)} (it is {sight.shown(value)}), which {name} has"
        for pair, name in ((of_gt, f"GT {sight.gt_number(gt)}"), (of_row, f"row {sight.row_number(row)}"))
        if pair is not None and not pair.decided_by
    ]
    settled = any(pair is not None and pair.decided_by for pair in (of_gt, of_row))
    yield (
        "would flip if",
        "the verdict behind it were taken back" if settled else " and ".join(better) or "they were not barred by a verdict",
    )


def _state(pair: AlignedPair) -> str:
    return ", by a verdict" if pair.decided_by else "" if pair.matched else ", below the gate"


def _held(sight: OccurrenceView, gt: int, row: int, pair: AlignedPair | None) -> str:
    if pair is None:
        return f"GT {sight.gt_number(gt)} with no row"
    other = pair.model
    name = f"row {sight.row_number(other)} {sight.answer.texts[other]}"
    return f"GT {sight.gt_number(gt)} with {name} at {sight.shown(pair.similarity.value)}{_state(pair)}"


def _taken(sight: OccurrenceView, row: int, pair: AlignedPair | None) -> str:
    if pair is None:
        return f"row {sight.row_number(row)} with no GT row"
    name = f"GT {sight.gt_number(pair.gt)} {sight.gt.texts[pair.gt]}"
    return f"row {sight.row_number(row)} with {name} at {sight.shown(pair.similarity.value)}{_state(pair)}"


def _rivals(sight: OccurrenceView, gt: int, row: int, value: float) -> Iterator[str]:
    """The nearest other row on either side: what would have to be read better than the pair is."""
    near = sight.gt.pairer.nearest_models(gt, sight.answer.models, 2)
    other = next(((at, found.value) for at, found in near if at != row), None)
    if other is not None:
        yield f"row {sight.row_number(other[0])} were more like GT {sight.gt_number(gt)} than {_than(sight, value, other[1])}"
    rival = next(((at, found.value) for at, found in sight.gt.pairer.nearest_gt(sight.answer.models[row], 2) if at != gt), None)
    if rival is not None:
        yield f"row {sight.row_number(row)} were more like GT {sight.gt_number(rival[0])} than {_than(sight, value, rival[1])}"


def _than(sight: OccurrenceView, value: float, other: float) -> str:
    return f"{sight.shown(value)} (it is {sight.shown(other)})"


def _apart(sight: OccurrenceView, gt: int, row: int) -> str:
    """Where the two rows go when they are barred from each other: the page is paired again."""
    bound = sight.score.bound
    barred = PageDecisions(bound.same, bound.barred | {(gt, row)}, bound.labels, bound.entries)
    taken, _ = paired(sight.gt, sight.answer, barred)
    gate = sight.settings.gate
    new_row = next((pair for pair in taken if pair.gt == gt), None)
    new_gt = next((pair for pair in taken if pair.model == row), None)
    shown = {pair: sight.shown(pair.similarity.value) + ("" if pair.similarity.value >= gate else ", below the gate") for pair in taken}
    one = (
        f"GT {sight.gt_number(gt)} goes with row {sight.row_number(new_row.model)} at {shown[new_row]}"
        if new_row
        else f"GT {sight.gt_number(gt)} goes with no row"
    )
    two = (
        f"row {sight.row_number(row)} goes with GT {sight.gt_number(new_gt.gt)} at {shown[new_gt]}"
        if new_gt
        else f"row {sight.row_number(row)} is left over"
    )
    return f"{one}; {two}"
