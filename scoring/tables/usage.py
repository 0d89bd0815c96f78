"""Usage of answers, added up by cell."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from scoring.model_run import Usage
from scoring.tables.shapes import Run

_Number = TypeVar("_Number", int, float)


@dataclass(frozen=True, slots=True)
class CellUsage:
    """What the answers of a cell took.

    Attributes:
        pages: how many pages the runs of the cell have an answer for (all but the missing ones).
        stated: how many of them state anything.
        total: the sum of what is stated; None where no page states it.
    """

    pages: int
    stated: int
    total: Usage


def usage_of_cells(runs: Iterable[Run]) -> dict[tuple[str, str], CellUsage]:
    """Sum the usage of each cell (model, phase), in the order of the runs. Failed pages count: they took their tokens too."""
    answers: dict[tuple[str, str], int] = {}
    stated: dict[tuple[str, str], list[Usage]] = {}
    for run in runs:
        found = stated.setdefault(run.cell, [])
        answered = [page for page in run.pages.values() if page.status != "missing"]
        answers[run.cell] = answers.get(run.cell, 0) + len(answered)
        found += (page.usage for page in answered if page.usage is not None and page.usage != Usage())
    return {
        cell: CellUsage(
            answers[cell],
            len(found),
            Usage(
                _total(one.input_tokens for one in found),
                _total(one.output_tokens for one in found),
                _total(one.cost for one in found),
                _total(one.seconds for one in found),
            ),
        )
        for cell, found in stated.items()
    }


def _total(values: Iterable[_Number | None]) -> _Number | None:
    """The sum of the values that are stated; floats are added without loss."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return sum(known) if all(isinstance(value, int) for value in known) else math.fsum(known)  # type: ignore[return-value]
