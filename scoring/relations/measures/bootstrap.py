"""How sure a score is, and whether two scores differ: the bootstrap over documents (`docs/campaign.md#intervals-and-comparisons`).

Documents are the units drawn, since pairs of one document are answered together. All runs of a reference are
scored on the same draws, so differences between runs are paired.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.relations.measures.run_scores import OurScore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against the one ranked before it: the difference, its interval, its two-sided p, and p adjusted by Holm over the table."""

    difference: float
    interval: Interval
    p: float
    p_holm: float

    @property
    def differs(self) -> bool:
        """Whether the difference is significant at 5 % after adjustment."""
        return self.p_holm < 1 - LEVEL


class Resamples:
    """Draws of documents, one set a reference, made once and used for every run.

    Args:
        sizes: documents of each reference by its stem.
        resamples: how many draws.
        seed: of the draws; each reference has its own stream.
    """

    def __init__(self, sizes: Mapping[str, int], resamples: int, seed: int) -> None:
        self._sizes, self._resamples, self._seed = dict(sizes), resamples, seed
        self._draws: dict[str, NDArray[np.float64]] = {}

    def draws(self, stem: str) -> NDArray[np.float64]:
        """How often each document was drawn: resamples x documents."""
        import numpy as np

        if stem not in self._draws:
            size = self._sizes[stem]
            own = int.from_bytes(hashlib.sha256(stem.encode()).digest()[:4], "big")
            random = np.random.default_rng([self._seed, own])
            counts = random.multinomial(size, [1 / size] * size, self._resamples) if size else np.zeros((self._resamples, 0))
            self._draws[stem] = counts.astype(np.float64)
        return self._draws[stem]

    def scores(self, stem: str, run: OurScore) -> NDArray[np.float64] | None:
        """A run's score on every draw (NaN where a draw holds no pair); None without documents."""
        import numpy as np

        if not self._sizes[stem] or run.score is None:
            return None
        draws = self.draws(stem)
        targets = []
        for documents in run.by_document.values():
            counts = np.array(documents, dtype=np.float64)
            right, support = draws @ counts[:, 0, :], draws @ counts[:, 1, :]
            held = support > 0
            recalls = np.divide(right, support, out=np.zeros_like(right), where=held)
            labels = held.sum(axis=1)
            targets.append(np.divide(recalls.sum(axis=1), labels, out=np.full(len(draws), np.nan), where=labels > 0))
        mean: NDArray[np.float64] = np.mean(targets, axis=0)
        return mean


def interval(scores: NDArray[np.float64]) -> Interval:
    """The central 95 % of the draws."""
    import numpy as np

    low, high = np.nanquantile(scores, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))


def comparisons(ordered: Sequence[NDArray[np.float64] | None], differences: Sequence[float | None]) -> list[Comparison | None]:
    """Each run against the one before it, in table order; the first has none.

    Args:
        ordered: the draws of each run.
        differences: the observed difference, the run before less this one.
    """
    import numpy as np

    raw: list[tuple[float, Interval, float] | None] = []
    for place, (scores, difference) in enumerate(zip(ordered, differences, strict=True)):
        before = ordered[place - 1] if place else None
        if scores is None or before is None or difference is None:
            raw.append(None)
            continue
        drawn = before - scores
        drawn = drawn[~np.isnan(drawn)]
        tail = min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))
        raw.append((difference, interval(drawn), min(1.0, 2 * (tail + 1) / (len(drawn) + 1))))
    adjusted = holm([entry[2] for entry in raw if entry is not None])
    found = iter(adjusted)
    return [None if entry is None else Comparison(*entry, next(found)) for entry in raw]


def holm(values: Sequence[float]) -> list[float]:
    """Holm's step-down adjustment of p values, in their own order."""
    adjusted = [0.0] * len(values)
    worst = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=lambda place: values[place])):
        worst = max(worst, min(1.0, (len(values) - rank) * values[place]))
        adjusted[place] = worst
    return adjusted
