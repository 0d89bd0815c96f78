"""The other ways to pair the rows of a page: the best total, and the best total in GT order (`docs/method.md#instruments`).

Both work on exact similarities, those below the gate counting 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoring.foundations.assignment import Matrix, optimal_assignment, ordered_alignment
from scoring.tables.matching.pairing import ModelName, PagePairer, Pair


def order_preserving(pairer: PagePairer, models: Sequence[ModelName], gate: float) -> tuple[Pair, ...]:
    """Pairs whose order follows GT: the alignment with the largest total similarity, gaps free. In GT order, all at the gate or above."""
    return _pairs(pairer, models, gate, ordered_alignment)


def optimal(pairer: PagePairer, models: Sequence[ModelName], gate: float = 0.0) -> tuple[Pair, ...]:
    """Pairs with the largest total similarity, blind to order. In GT order, all at the gate or above."""
    return _pairs(pairer, models, gate, optimal_assignment)


def _pairs(
    pairer: PagePairer, models: Sequence[ModelName], gate: float, match: Callable[[Matrix], list[tuple[int, int]]]
) -> tuple[Pair, ...]:
    pairs = []
    for gt, model in match(pairer.matrix(models, gate)):
        if pairer.reaches(gt, models[model], gate):
            pairs.append(Pair(gt, model, pairer.similarity(gt, models[model])))
    return tuple(pairs)
