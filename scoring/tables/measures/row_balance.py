"""The books of one page of one run: every row of either side accounted for once (`docs/adjudication.md#row-balance`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.foundations.wording import counted
from scoring.tables.measures.counts import LABELS, Counts

NAMELESS = "nameless"


@dataclass(frozen=True, slots=True)
class RowBalance:
    """The books of a page: both sides of both equations, and what is left to decide.

    Model rows = matched + below the gate + labels + open + nameless; GT rows = matched + below the gate + missed.

    Attributes:
        below_gate: pairs without a match: they place a row where its errors are counted, and claim no identity.
        labels: of the surplus rows that were decided, the label that counts: a verifier's, or the automatic one where he left it.
        open: surplus rows whose label nobody has decided.
        nameless: surplus rows without a name, which bear no label.
        waiting: all lines of the page whose case nobody has decided: open surplus rows, borderline pairs, missed rows.
    """

    model_rows: int
    matched: int
    below_gate: int
    labels: tuple[tuple[str, int], ...]
    open: int
    nameless: int
    gt_rows: int
    missed: int
    waiting: int

    @property
    def balanced(self) -> bool:
        """Whether both equations hold."""
        model = self.matched + self.below_gate + sum(times for _, times in self.labels) + self.open + self.nameless
        return model == self.model_rows and self.matched + self.below_gate + self.missed == self.gt_rows

    @property
    def done(self) -> bool:
        """A page is done when its books balance with nothing open, and no other line of it waits for a verdict."""
        return self.balanced and self.waiting == 0

    def sentence(self) -> str:
        """Both equations in words."""
        terms = [f"{self.matched} matched", f"{self.below_gate} below gate"]
        terms += [f"{times} {label}" for label, times in self.labels if times]
        terms += [f"{self.open} open", *([f"{self.nameless} nameless"] if self.nameless else [])]
        gt = f"{self.matched} matched + {self.below_gate} below gate + {self.missed} missed"
        return f"model rows {self.model_rows} = {' + '.join(terms)}   GT rows {self.gt_rows} = {gt}"

    def state(self) -> str:
        """Done, or what is missing to it."""
        if not self.balanced:
            return "THE BOOKS DO NOT BALANCE"
        return "done" if self.done else f"{counted(self.waiting, 'line')} to decide"


def books_of(counts: Counts, surplus: Iterable[tuple[str, bool]], waiting: int) -> RowBalance:
    """The books of a page.

    Args:
        surplus: each surplus row: the label that counts (or `nameless`), and whether its case is open.
        waiting: how many lines of the page nobody has decided.
    """
    found = Counter("open" if undecided and label != NAMELESS else label for label, undecided in surplus)
    labels = tuple((label, found[label]) for label in LABELS)
    head = (counts.model_rows, counts.matched, counts.below_gate)
    return RowBalance(*head, labels, found["open"], found[NAMELESS], counts.gt_rows, counts.missed, waiting)
