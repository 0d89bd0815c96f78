"""Counts of a page, and the figures made of them: every figure of the tables task has its one definition here.

Counts add up; figures are computed from added counts (micro-averages, `docs/method.md#detection`). A figure
whose denominator is 0 is `None`: undefined, never 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

LABELS = ("duplicate", "merge", "fragment", "misread", "invention")


def share(part: float, whole: float) -> float | None:
    """`part / whole`, undefined when there is no whole."""
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted on one page of one run, or on many added up.

    Attributes:
        gt_rows, model_rows: rows on either side; gt_rows = matched + below_gate + missed, model_rows = matched + below_gate + surplus.
        matched: pairs at the gate (or settled `same`).
        distinct_travelers, gt_distinct: distinct name normal forms.
        transcribed: pairs without floor, on which edits are counted.
        edits, gt_characters: character edits over those pairs, and the length of their GT normal forms.
        exact_names: pairs of them without an edit.
        gated_edits, gated_characters: the same over matched pairs.
        duplicate to invention: labels of the surplus rows; nameless surplus rows have none.
        settled: how many of those labels a verifier gave.
    """

    gt_rows: int = 0
    model_rows: int = 0
    matched: int = 0
    distinct_travelers: int = 0
    gt_distinct: int = 0
    transcribed: int = 0
    edits: int = 0
    gt_characters: int = 0
    exact_names: int = 0
    gated_edits: int = 0
    gated_characters: int = 0
    below_gate: int = 0
    missed: int = 0
    surplus: int = 0
    duplicate: int = 0
    merge: int = 0
    fragment: int = 0
    misread: int = 0
    invention: int = 0
    settled: int = 0

    @property
    def precision(self) -> float | None:
        return share(self.matched, self.model_rows)

    @property
    def recall(self) -> float | None:
        return share(self.matched, self.gt_rows)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall; 0 when nothing matched and something was there to match."""
        return share(2 * self.matched, self.model_rows + self.gt_rows)

    @property
    def name_cer(self) -> float | None:
        return share(self.edits, self.gt_characters)

    @property
    def exact_share(self) -> float | None:
        return share(self.exact_names, self.transcribed)

    @property
    def gated_name_cer(self) -> float | None:
        return share(self.gated_edits, self.gated_characters)

    def changed(self, before: Counts, after: Counts) -> Counts:
        """These counts with a part of them, `before`, become `after`."""
        return Counts(*(getattr(self, name) - getattr(before, name) + getattr(after, name) for name in _NAMES))


_NAMES = tuple(entry.name for entry in fields(Counts))


def total(counts: Iterable[Counts]) -> Counts:
    """Counts added up."""
    rows = [[getattr(one, name) for name in _NAMES] for one in counts]
    return Counts(*(sum(column) for column in zip(*rows, strict=True))) if rows else Counts()


@dataclass(frozen=True, slots=True)
class FieldCounts:
    """One field over pairs: how many values were scored and were not scorable, and the sum of their scores.

    `no_path`: those of the unscorable ones that are nested and have no declared path.
    """

    scored: int = 0
    unscorable: int = 0
    points: float = 0.0
    no_path: int = 0

    @property
    def accuracy(self) -> float | None:
        return share(self.points, self.scored)


def total_fields(counts: Iterable[FieldCounts]) -> FieldCounts:
    """Counts of one field added up."""
    column = tuple(counts)
    return FieldCounts(*(sum(getattr(one, name) for one in column) for name in ("scored", "unscorable", "points", "no_path")))
