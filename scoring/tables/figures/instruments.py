"""The same runs scored four ways, so that what the instrument adds can be told from what the model did (`docs/method.md#instruments`).

**original**: the gate without name reductions; **adopted**: the method; **cer gate**: greedy on max(0, 1 - CER) of the
unreduced name; **order-preserving**: row order must follow GT. Beside them, for information, **without wildcard** (a `?` of
GT is a letter like any other) and **optimal** (the assignment with the largest total similarity instead of the greedy one).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import PageScore
from scoring.tables.matching.normalized import PreparedPage, PreparedRunPage
from scoring.tables.matching.other_assignments import optimal, order_preserving
from scoring.tables.matching.pairing import ModelName, PagePairer
from scoring.tables.matching.readings import Reading
from scoring.tables.measures.counts import share
from scoring.texts.forms import wildcard_edits

WAYS = ("original", "adopted", "cer_gate", "order_preserving")
BESIDE = ("without_wildcard", "optimal")
INSTRUMENTS = (*WAYS, *BESIDE)

# Stands for a `?` that is a letter like any other: no normal form holds a noncharacter.
_LETTER = "\uffff"
Progress = Callable[[int, int], None]
Holders = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class RowMatch:
    """A model row (0-based) that some of the four ways match to the GT row, and how near each way finds the two.

    `similarities` are in the order of `WAYS`; `matched` names the ways that match the two.
    """

    row: int
    similarities: tuple[float, float, float, float]
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An occurrence (one GT row, 0-based, of one scored page) that two of the four ways judge differently."""

    run: str
    page: str
    gt: int
    claims: tuple[RowMatch, ...]


@dataclass(frozen=True, slots=True)
class PageInstruments:
    """One page of one run under every instrument: GT row -> model row matched, by name of the instrument; sizes of both sides.

    `unlike` counts the GT rows that the greedy and the optimal assignment give to different rows, or only one of them does.
    """

    run: str
    page: str
    gt_rows: int
    model_rows: int
    matched: Mapping[str, Holders]

    @property
    def unlike(self) -> int:
        greedy, best = self.matched["adopted"], self.matched["optimal"]
        return sum(greedy.get(gt) != best.get(gt) for gt in greedy.keys() | best.keys())


@dataclass(frozen=True, slots=True)
class CellInstruments:
    """The pages of one cell, pooled: matches and F1 by instrument; what the wildcard moved; where greedy and optimal differ."""

    model: str
    phase: str
    pages: tuple[PageInstruments, ...]

    def matches(self, instrument: str) -> int:
        """Pairs matched."""
        return sum(len(page.matched[instrument]) for page in self.pages)

    def f1(self, instrument: str) -> float | None:
        """F1 of the pooled totals."""
        return share(2 * self.matches(instrument), sum(page.gt_rows + page.model_rows for page in self.pages))

    @property
    def wildcard_moves(self) -> tuple[int, int]:
        """In how many runs of the cell the wildcard raises the number of matches, and in how many it lowers it."""
        by_run: dict[str, int] = {}
        for page in self.pages:
            gain = len(page.matched["adopted"]) - len(page.matched["without_wildcard"])
            by_run[page.run] = by_run.get(page.run, 0) + gain
        return sum(gain > 0 for gain in by_run.values()), sum(gain < 0 for gain in by_run.values())

    @property
    def unlike(self) -> int:
        """Occurrences on which greedy and optimal assignment differ."""
        return sum(page.unlike for page in self.pages)


@dataclass(frozen=True)
class Instruments:
    """All runs under every instrument. Always of the automatic scores: an instrument is compared with an instrument."""

    evaluation: Evaluation
    pages: tuple[PageInstruments, ...]

    @cached_property
    def cells(self) -> tuple[CellInstruments, ...]:
        by_cell: dict[tuple[str, str], list[PageInstruments]] = {(cell.model, cell.phase): [] for cell in self.evaluation.cells}
        for page in self.pages:
            by_cell[self.evaluation.prepared.runs[page.run].cell].append(page)
        return tuple(CellInstruments(model, phase, tuple(pages)) for (model, phase), pages in by_cell.items())

    @property
    def occurrences(self) -> int:
        """GT rows over all scored pages."""
        return sum(page.gt_rows for page in self.pages)

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """Every occurrence that is matched under one of the four ways and not, or to another row, under another."""
        return tuple(found for page in self.pages for found in self._of_page(page))

    def _of_page(self, page: PageInstruments) -> Iterator[Disagreement]:
        ways = [page.matched[name] for name in WAYS]
        if all(way == ways[0] for way in ways):
            return
        prepared = self.evaluation.prepared
        gt, answer = prepared.pages[page.page], prepared.run_page(page.run, page.page)
        for at in range(page.gt_rows):
            held = [way.get(at) for way in ways]
            if len(set(held)) > 1:
                rows = sorted({row for row in held if row is not None})
                claims = tuple(
                    RowMatch(
                        row, _similarities(gt, answer, at, row), tuple(name for name, one in zip(WAYS, held, strict=True) if one == row)
                    )
                    for row in rows
                )
                yield Disagreement(page.run, page.page, at, claims)


def instruments(evaluation: Evaluation, *, progress: Progress | None = None) -> Instruments:
    """Score all runs under every instrument.

    Args:
        evaluation: its automatic scores are the adopted way.
        progress: called with pages done and pages in all.
    """
    automatic = evaluation.as_scored
    scored = [score for score in automatic.pages.values() if score.counts is not None]
    others = {page: _Others(prepared) for page, prepared in automatic.prepared.pages.items()}
    pages = []
    for done, score in enumerate(scored, 1):
        pages.append(_page(automatic, score, others[score.page]))
        if progress is not None:
            progress(done, len(scored))
    return Instruments(automatic, tuple(pages))


class _Others:
    """What the other instruments keep of one GT page over all runs."""

    def __init__(self, page: PreparedPage) -> None:
        self.page = page
        self.has_wildcards = any("?" in form for form in page.forms)
        self.literal = PagePairer([form.replace("?", _LETTER) for form in page.forms]) if self.has_wildcards else page.pairer
        self._nearness: dict[str, list[tuple[int, float, int]]] = {}

    def near_by_cer(self, text: str, gate: float) -> list[tuple[int, float, int]]:
        """(GT row, 1 - CER, edits) of the GT rows whose 1 - CER to a text reaches the gate."""
        found = self._nearness.get(text)
        if found is None:
            found = self._nearness[text] = []
            for at, form in enumerate(self.page.forms):
                # No fewer edits are possible than the lengths differ by.
                if form and (len(form) - abs(len(form) - len(text))) / len(form) >= gate:
                    edits = wildcard_edits(form, text)
                    value = one_less_cer(form, edits)
                    if value >= gate:
                        found.append((at, value, edits))
        return found


def one_less_cer(gt: str, edits: int) -> float:
    """max(0, 1 - CER) of a GT normal form, as one division, so that equal shares are equal floats."""
    return max(0, len(gt) - edits) / len(gt)


def _page(evaluation: Evaluation, score: PageScore, others: _Others) -> PageInstruments:
    gate = evaluation.material.settings.gate
    gt, answer = evaluation.prepared.pages[score.page], evaluation.prepared.run_page(score.run, score.page)
    rows = answer.page.rows

    def agreement(at: int, row: int) -> int:
        return gt.agreement(rows, at, row)

    adopted = dict(score.holders)
    whole = [_unreduced(name) for name in answer.models]
    if all(len(name.readings) < 2 for name in answer.models):
        original = adopted
    else:
        original = {pair.gt: pair.model for pair in gt.pairer.pair(whole, floor=gate, agreement=agreement)}
    literal = adopted
    if others.has_wildcards:
        names = [_lettered(name) for name in answer.models]
        literal = {pair.gt: pair.model for pair in others.literal.pair(names, floor=gate, agreement=agreement)}
    matched: dict[str, Holders] = {
        "original": original,
        "adopted": adopted,
        "cer_gate": _by_cer(others, whole, gate, agreement),
        "order_preserving": {pair.gt: pair.model for pair in order_preserving(gt.pairer, answer.models, gate)},
        "without_wildcard": literal,
        "optimal": {pair.gt: pair.model for pair in optimal(gt.pairer, answer.models, gate)},
    }
    return PageInstruments(score.run, score.page, len(gt.forms), len(rows), matched)


def _unreduced(name: ModelName) -> ModelName:
    return name if len(name.readings) < 2 else ModelName(name.readings[:1])


def _lettered(name: ModelName) -> ModelName:
    """The name with a `?` of the model made the same letter as GT's, which it equals."""
    if not any("?" in reading.text for reading in name.readings):
        return name
    return ModelName(
        tuple(
            Reading(reading.text.replace("?", _LETTER), reading.tokens_removed, reading.characters_removed, reading.removed)
            for reading in name.readings
        )
    )


def _by_cer(others: _Others, names: Sequence[ModelName], gate: float, agreement: Callable[[int, int], int]) -> dict[int, int]:
    """Greedy, best first, one to one, on 1 - CER at the gate; ties as in the adopted pairing."""
    near = [
        (value, edits, at, row)
        for row, name in enumerate(names)
        if name.readings
        for at, value, edits in others.near_by_cer(name.readings[0].text, gate)
    ]
    near.sort(key=lambda one: (-one[0], one[1]))
    held: dict[int, int] = {}
    taken: set[int] = set()
    start = 0
    while start < len(near):
        stop = start
        while stop < len(near) and near[stop][:2] == near[start][:2]:
            stop += 1
        tied = [(at, row) for _, _, at, row in near[start:stop] if at not in held and row not in taken]
        if len(tied) > 1:
            tied.sort(key=lambda pair: (-agreement(*pair), *pair))
        for at, row in tied:
            if at not in held and row not in taken:
                held[at] = row
                taken.add(row)
        start = stop
    return held


def _similarities(gt: PreparedPage, answer: PreparedRunPage, at: int, row: int) -> tuple[float, float, float, float]:
    """How near each of the four ways finds a GT row and a model row."""
    name = answer.models[row]
    original, adopted = gt.pairer.similarity(at, _unreduced(name)).value, gt.pairer.similarity(at, name).value
    by_cer = one_less_cer(gt.forms[at], wildcard_edits(gt.forms[at], name.readings[0].text))
    return original, adopted, by_cer, adopted
