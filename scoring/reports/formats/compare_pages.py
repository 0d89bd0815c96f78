"""Compare pages: GT rows of one page against every cell's readings, differing characters marked (`docs/outputs.md`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import Levenshtein

from scoring.tables.execution.evaluation import Evaluation
from scoring.texts.forms import graphemes, visible

Mark = Literal["", "changed", "missing"]
Pieces = tuple[tuple[str, Mark], ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A name as some runs of a cell wrote it for a GT row: in how many, and whether as a match or below the gate."""

    pieces: Pieces
    text: str
    times: int
    matched: bool
    edits: int
    similarity: float


@dataclass(frozen=True, slots=True)
class CellReadings:
    """One cell's readings of one GT row, most frequent first; `found` of `runs` matched it, `nothing` had no row for it at all."""

    runs: int
    found: int
    nothing: int
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class GTLine:
    """One GT row: its number, its name, and a side for each cell."""

    number: int
    name: str
    sides: tuple[CellReadings, ...]

    @property
    def found(self) -> int:
        return sum(side.found for side in self.sides)

    @property
    def runs(self) -> int:
        return sum(side.runs for side in self.sides)

    @property
    def perfect(self) -> bool:
        """Whether every run found it and read it without an edit."""
        return self.found == self.runs and not any(reading.edits for side in self.sides for reading in side.readings)


@dataclass(frozen=True, slots=True)
class SurplusName:
    """A surplus name of a cell: as written, its label, in how many rows of how many runs."""

    model: str
    phase: str
    name: str
    label: str
    times: int


@dataclass(frozen=True, slots=True)
class ComparePage:
    """One page, compared."""

    page: str
    cells: tuple[tuple[str, str], ...]
    lines: tuple[GTLine, ...]
    surplus: tuple[SurplusName, ...]


def compare_page(evaluation: Evaluation, page: str) -> ComparePage:
    """Every GT row of a page with every cell's readings, as adjudicated."""
    prepared = evaluation.prepared
    gt = prepared.pages[page]
    sides: list[list[CellReadings]] = [[] for _ in gt.forms]
    surplus: Counter[tuple[str, str, str, str]] = Counter()
    for cell in evaluation.cells:
        scores = [score for score in cell.scored if score.page == page]
        read: list[dict[tuple[str, bool], list[tuple[int, float]]]] = [{} for _ in gt.forms]
        for score in scores:
            answer = prepared.run_page(score.run, page)
            for pair in score.pairs:
                key = (answer.texts[pair.model], pair.matched)
                read[pair.gt].setdefault(key, []).append((pair.similarity.edits, pair.similarity.value))
            for row in score.surplus:
                surplus[cell.model, cell.phase, answer.texts[row.row], row.label or ""] += 1
        for at, found in enumerate(read):
            readings = tuple(
                Reading(marked(gt.texts[at], text), text, len(seen), matched, *seen[0])
                for (text, matched), seen in sorted(found.items(), key=lambda item: (not item[0][1], -len(item[1]), item[0][0]))
            )
            matches = sum(one.times for one in readings if one.matched)
            sides[at].append(CellReadings(len(scores), matches, len(scores) - sum(one.times for one in readings), readings))
    lines = tuple(GTLine(row.number, gt.texts[at], tuple(sides[at])) for at, row in enumerate(gt.page.rows))
    left = sorted(surplus.items(), key=lambda item: (-item[1], item[0][3], item[0][2], item[0][:2]))
    rest = tuple(SurplusName(model, phase, name, label, times) for (model, phase, name, label), times in left)
    return ComparePage(page, tuple((cell.model, cell.phase) for cell in evaluation.cells), lines, rest)


def marked(gt: str, model: str) -> Pieces:
    """A model's name in pieces: as GT has it, changed, or missing (the characters of GT that it lacks), visible.

    Case does not count, and an illegible glyph of GT fits any character.
    """
    above, below = graphemes(gt), graphemes(model)
    folded = ([one.casefold() for one in above], [one.casefold() for one in below])
    pieces: list[tuple[str, Mark]] = []

    def add(texts: Sequence[str], mark: Mark) -> None:
        text = visible("".join(texts))
        if text and pieces and pieces[-1][1] == mark:
            pieces[-1] = (pieces[-1][0] + text, mark)
        elif text:
            pieces.append((text, mark))

    for step in Levenshtein.opcodes(*folded):
        ours, theirs = above[step.src_start : step.src_end], below[step.dest_start : step.dest_end]
        if step.tag == "replace":
            for one, other in zip(ours, theirs, strict=True):
                add([other], "" if one == "?" and not other.isspace() else "changed")
        elif step.tag == "delete":
            add(ours, "missing")
        else:
            add(theirs, "" if step.tag == "equal" else "changed")
    return tuple(pieces)
