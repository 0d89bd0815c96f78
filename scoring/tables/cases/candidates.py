"""Which rows a digit key points to (`docs/review.md#claimants`).

The numbers are those of the page: they tell nothing of what is proposed or how like the rows are, so they are the same whether a case
is shown blind or not, and a number means one row however the case was shown.
"""

from __future__ import annotations

from collections.abc import Iterable

from scoring.tables.execution.page_score import PageScore
from scoring.tables.matching.normalized import PreparedPage, PreparedRunPage

CLAIMANTS, DIGITS = 5, 9
"""So many GT rows at most for a model row, and model rows for the rest of the nine digits."""


def offered(
    gt: PreparedPage, answer: PreparedRunPage, score: PageScore, row: int | None, counterpart: int | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """GT rows and model rows (0-based, in page order) that a verdict on a case may need to point to.

    Args:
        row: the model row judged; `None` where the case is about a GT row alone.
        counterpart: the GT row asked about, proposed or nearest; `None` where there is none.
    """
    proposed = next((one.suggestion for one in score.surplus if one.row == row and one.suggestion is not None), None)
    gt_rows: list[int] = []
    if row is not None and answer.models[row].readings:
        near = (at for at, _ in gt.pairer.nearest_gt(answer.models[row], CLAIMANTS))
        gt_rows = _first(CLAIMANTS, (*(proposed.gt if proposed is not None else ()), *near))
    repeated = (proposed.model,) if proposed is not None and proposed.model is not None else ()
    most = DIGITS - CLAIMANTS if row is not None else DIGITS
    beside = [at for at, _ in gt.pairer.nearest_models(counterpart, answer.models, most + 1)] if counterpart is not None else []
    models = _first(most, (at for at in (*repeated, *beside) if at != row))
    return tuple(sorted(gt_rows)), tuple(sorted(models))


def _first(most: int, rows: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(rows))[:most]
