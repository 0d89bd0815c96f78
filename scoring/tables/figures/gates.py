"""Precision, recall and F1 at every gate (`docs/method.md#gates`).

Since both pairings take the best pair first, the matches at any gate are the pairs of the no-floor pairing that reach it;
pairs a verdict settled `same` match at every gate.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.tables.execution.page_score import PageScore
from scoring.tables.measures.counts import Counts, share

STEPS = 100


@dataclass(frozen=True, slots=True)
class AtGate:
    """The totals at one gate."""

    gate: float
    matched: int
    gt_rows: int
    model_rows: int

    @property
    def precision(self) -> float | None:
        return share(self.matched, self.model_rows)

    @property
    def recall(self) -> float | None:
        return share(self.matched, self.gt_rows)

    @property
    def f1(self) -> float | None:
        return share(2 * self.matched, self.gt_rows + self.model_rows)


def gate_curve(scores: Iterable[PageScore]) -> tuple[AtGate, ...]:
    """The pooled totals at the gates 0.00, 0.01, ... 1.00."""
    similarities: list[float] = []
    settled = gt_rows = model_rows = 0
    for score in scores:
        counts: Counts | None = score.counts
        if counts is None:
            continue
        gt_rows += counts.gt_rows
        model_rows += counts.model_rows
        for pair in score.pairs:
            if pair.decided_by:
                settled += 1
            else:
                similarities.append(pair.similarity.value)
    similarities.sort()
    gates = (step / STEPS for step in range(STEPS + 1))
    return tuple(AtGate(gate, settled + len(similarities) - bisect_left(similarities, gate), gt_rows, model_rows) for gate in gates)
