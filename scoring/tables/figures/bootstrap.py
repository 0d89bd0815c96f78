"""Bootstrap intervals of a cell's figures over its pages and runs.

Pages and runs are both drawn with replacement, crossed: a page drawn twice and a run drawn three times count six times.
A page of few rows, or a cell of few pages, so shows its uncertainty. One seed, so that equal inputs give equal intervals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scoring.tables.execution.evaluation import CellScore

REPLICATES = 2000
SEED = 1769
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval; `None` where no replicate defines the figure."""

    low: float | None
    high: float | None


def intervals(cell: CellScore) -> Mapping[str, Interval]:
    """The 95 % intervals of `precision`, `recall`, `f1`, `name_cer` and `exact_share` of a cell."""
    runs = list(dict.fromkeys(score.run for score in cell.scored))
    pages = list(dict.fromkeys(score.page for score in cell.scored))
    names = ("matched", "model_rows", "gt_rows", "edits", "gt_characters", "exact_names", "transcribed")
    counted = np.zeros((len(names), len(runs), len(pages)))
    for score in cell.scored:
        at = runs.index(score.run), pages.index(score.page)
        counted[(slice(None), *at)] = [getattr(score.counts, name) for name in names]
    draws = np.random.Generator(np.random.PCG64(SEED))
    times_run = _weights(draws, len(runs))
    times_page = _weights(draws, len(pages))
    totals = dict(zip(names, np.einsum("br,nrp,bp->nb", times_run, counted, times_page, optimize=True), strict=True))
    return {
        "precision": _interval(totals["matched"], totals["model_rows"]),
        "recall": _interval(totals["matched"], totals["gt_rows"]),
        "f1": _interval(2 * totals["matched"], totals["model_rows"] + totals["gt_rows"]),
        "name_cer": _interval(totals["edits"], totals["gt_characters"]),
        "exact_share": _interval(totals["exact_names"], totals["transcribed"]),
    }


def _weights(draws: np.random.Generator, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """How often each of `size` things is drawn in each replicate, (replicates) x (size)."""
    counts = np.zeros((REPLICATES, size))
    if size:
        drawn = draws.integers(0, size, (REPLICATES, size))
        np.add.at(counts, (np.arange(REPLICATES)[:, None], drawn), 1.0)
    return counts


def _interval(parts: np.ndarray[tuple[int], np.dtype[np.float64]], wholes: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Interval:
    defined = wholes > 0
    if not defined.any():
        return Interval(None, None)
    values = parts[defined] / wholes[defined]
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(values, (tail, 1 - tail))
    return Interval(float(low), float(high))
