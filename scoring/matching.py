"""Best matching of two lists of entries, and its F1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntryPair:
    """A matched pair: indexes (from 0) into the two lists of entries, and the accuracy (above 0)."""

    gt: int
    model: int
    accuracy: float


def best_pairs(accuracies: Sequence[Sequence[float]], *, in_order: bool = False) -> tuple[EntryPair, ...]:
    """Return the matching that maximises total accuracy, by ground-truth entry.

    Args:
        accuracies: ground-truth entries x model entries, in [0, 1].
        in_order: later ground-truth entries take later model entries.

    A pair of accuracy 0 is no match: it adds nothing and claims nothing.
    """
    if not accuracies or not accuracies[0]:
        return ()
    chosen: Sequence[tuple[int, int]]
    if len(accuracies) == len(accuracies[0]) == 1:
        chosen = [(0, 0)]
    else:
        from scoring.alignment import optimal_assignment, ordered_alignment

        chosen = (ordered_alignment if in_order else optimal_assignment)(accuracies)
    pairs = (EntryPair(row, column, accuracies[row][column]) for row, column in chosen)
    return tuple(sorted((pair for pair in pairs if pair.accuracy > 0), key=lambda pair: pair.gt))


def total_accuracy(pairs: Sequence[EntryPair]) -> float:
    """Return the sum of the matched accuracies."""
    return math.fsum(pair.accuracy for pair in pairs)


def list_f1(total: float, gt: int, model: int) -> float:
    """Return 2PR / (P + R), which is twice the total over both lengths. Both lists empty: 1; one empty: 0."""
    return 2 * total / (gt + model) if gt + model else 1.0
