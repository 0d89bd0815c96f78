"""How far the runs of one cell agree with each other (`docs/method.md#consistency`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median, stdev

from scoring.tables.execution.evaluation import CellScore, Evaluation
from scoring.tables.measures.counts import Counts, total

HEADLINES: Mapping[str, Callable[[Counts], float | None]] = {
    "precision": lambda counts: counts.precision,
    "recall": lambda counts: counts.recall,
    "f1": lambda counts: counts.f1,
    "name_cer": lambda counts: counts.name_cer,
    "exact_share": lambda counts: counts.exact_share,
    "gated_name_cer": lambda counts: counts.gated_name_cer,
    "distinct_travelers": lambda counts: counts.distinct_travelers,
    "model_rows": lambda counts: counts.model_rows,
}


@dataclass(frozen=True, slots=True)
class Spread:
    """One figure over the runs of a cell. `deviation` is the sample standard deviation, `None` with fewer than two runs."""

    figure: str
    runs: int
    least: float
    median: float
    greatest: float
    deviation: float | None


@dataclass(frozen=True, slots=True)
class RowConsistency:
    """One GT row (0-based) under one cell: in how many of the runs that have its page it was found, and what was read there.

    `readings` counts the unreduced normal forms of the rows matched to it, most frequent first.
    """

    model: str
    phase: str
    page: str
    gt: int
    runs: int
    readings: tuple[tuple[str, int], ...]

    @property
    def found(self) -> int:
        return sum(times for _, times in self.readings)


def by_run(cell: CellScore) -> dict[str, Counts]:
    """The counts of each run of a cell over its successful pages; runs without any are left out."""
    pages: dict[str, list[Counts]] = {}
    for score in cell.pages:
        if score.counts is not None:
            pages.setdefault(score.run, []).append(score.counts)
    return {run: total(counts) for run, counts in pages.items()}


def spreads(cell: CellScore) -> tuple[Spread, ...]:
    """The spread over a cell's runs of every headline figure that is defined in some run."""
    runs = by_run(cell).values()
    found = []
    for name, figure in HEADLINES.items():
        values = [value for value in map(figure, runs) if value is not None]
        if values:
            deviation = stdev(values) if len(values) > 1 else None
            found.append(Spread(name, len(values), min(values), median(values), max(values), deviation))
    return tuple(found)


def row_consistency(evaluation: Evaluation) -> Iterator[RowConsistency]:
    """Every GT row under every cell, in the order of cells, pages and rows."""
    prepared = evaluation.prepared
    for cell in evaluation.cells:
        found: dict[tuple[str, int], Counter[str]] = {}
        runs: Counter[str] = Counter()
        for score in cell.scored:
            runs[score.page] += 1
            answer = prepared.run_page(score.run, score.page)
            for pair in score.pairs:
                if pair.matched:
                    found.setdefault((score.page, pair.gt), Counter())[answer.form(pair.model)] += 1
        for page in evaluation.material.pages:
            if runs[page.id]:
                for at in range(len(page.rows)):
                    readings = sorted(found.get((page.id, at), Counter()).items(), key=lambda item: (-item[1], item[0]))
                    yield RowConsistency(cell.model, cell.phase, page.id, at, runs[page.id], tuple(readings))
