"""The band of an adjudicated F1 while cases are undecided: its low and its high (`4-adjudication`, Band).

All open and stale borderline cases are resolved `different`, then all `same`, and the pages they touch are paired again
under those hypothetical verdicts, by the very machinery that reads real ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from scoring.adjudication.decisions import Entry
from scoring.adjudication.kinds import MATCH, kind_of
from scoring.steps import Steps, finished
from scoring.tables.binding import Binding, CaseKey, PageBinding, Stale, Statement, row_number
from scoring.tables.cases import pair_key
from scoring.tables.counts import share
from scoring.tables.evaluate import Evaluation
from scoring.tables.page_scores import Aligned, PageScore, paired

Cell = tuple[str, str]
Band = tuple[float | None, float | None]
PAGES_A_STEP = 8


@dataclass(frozen=True, slots=True)
class Bands:
    """The low and high of the adjudicated F1, by cell, by run and by (run, page).

    Equal where nothing is undecided; `None` where F1 is undefined. `undecided` counts the open and stale borderline cases
    by register page.
    """

    cells: Mapping[Cell, Band]
    runs: Mapping[str, Band]
    pages: Mapping[tuple[str, str], Band]
    undecided: Mapping[str, int]

    def at(self, path: Sequence[str]) -> Band | None:
        """The band of what a path of the figures leads to: (model, phase), then run, then page; `None` where nothing was scored."""
        if len(path) == 2:
            return self.cells.get((path[0], path[1]))
        return self.runs.get(path[2]) if len(path) == 3 else self.pages.get((path[2], path[3]))


def band(evaluation: Evaluation) -> Mapping[Cell, Band]:
    """(model, phase) -> (low, high) of the adjudicated F1."""
    return bands(evaluation).cells


def bands(evaluation: Evaluation) -> Bands:
    """The bands of all cells, runs and pages. Only pages with undecided borderline cases are paired again; the caller keeps the result."""
    return finished(banding(evaluation))


def banding(evaluation: Evaluation) -> Steps[Bands]:
    """`bands`, in short steps: a few pages a step."""
    undecided = undecided_pairs(evaluation)
    yield
    different = _hypothetical(evaluation.binding, undecided, "different")
    same = _hypothetical(evaluation.binding, undecided, "same")
    yield
    matched: dict[tuple[str, str], tuple[int, int]] = {}
    rows: dict[tuple[str, str], int] = {}
    for at, (place, score) in enumerate(evaluation.pages.items()):
        if score.counts is None:
            continue
        now = score.counts.matched
        found = (now, now)
        if score.page in undecided:
            found = (_matched(evaluation, score, different), _matched(evaluation, score, same))
        matched[place] = found
        rows[place] = score.counts.model_rows + score.counts.gt_rows
        if at % PAGES_A_STEP == PAGES_A_STEP - 1:
            yield

    def over(places: Iterable[tuple[str, str]]) -> Band:
        places = list(places)
        whole = sum(rows[place] for place in places)
        return _ordered(share(2 * sum(matched[place][at] for place in places), whole) for at in (0, 1))

    of_run: dict[str, list[tuple[str, str]]] = {}
    for place in matched:
        of_run.setdefault(place[0], []).append(place)
    return Bands(
        {(cell.model, cell.phase): over((one.run, one.page) for one in cell.scored) for cell in evaluation.cells},
        {run: over(places) for run, places in of_run.items()},
        {place: over([place]) for place in matched},
        {page: len(keys) for page, keys in undecided.items()},
    )


def undecided_pairs(evaluation: Evaluation) -> dict[str, dict[CaseKey, float]]:
    """The borderline cases that are open or stale, by register page, each with the highest similarity it occurs with."""
    settings, prepared = evaluation.material.settings, evaluation.prepared
    gate, width = Decimal(str(settings.gate)), Decimal(str(settings.width))
    low, high = float(gate - width), float(gate + width)
    found: dict[str, dict[CaseKey, float]] = {}
    for (run, page), score in evaluation.pages.items():
        # What a verdict decided is not open, whichever case it was said of.
        near = [pair for pair in score.pairs if low <= pair.similarity.value <= high and not pair.decided_by]
        if near:
            gt, answer, keys = prepared.pages[page], prepared.run_page(run, page), found.setdefault(page, {})
            bound = evaluation.binding.of_page(page)
            for pair in near:
                key = bound.case_of_row(pair_key(gt, answer, pair), gt, answer, pair.model)
                keys[key] = max(keys.get(key, 0.0), pair.similarity.value)
    for page, bound in evaluation.binding.pages.items():
        if page in prepared.pages:
            for key, value in _stale_pairs(evaluation, page, bound.stale, low, high):
                found.setdefault(page, {}).setdefault(key, value)
    bindings = {page: evaluation.binding.of_page(page) for page in found}
    left = {page: {key: value for key, value in keys.items() if not bindings[page].decided(key)} for page, keys in found.items()}
    return {page: keys for page, keys in left.items() if keys}


def _stale_pairs(evaluation: Evaluation, page: str, stale: Iterable[Stale], low: float, high: float) -> Iterator[tuple[CaseKey, float]]:
    """The rows a stale verdict on a borderline pair was given on, as they are today, where both still stand under their numbers."""
    gt = evaluation.prepared.pages[page]
    for one in stale:
        basis = one.entry.basis
        seen = basis.get("similarity")
        if basis.get("ask") != "pair" or kind_of(one.entry) != MATCH or not isinstance(seen, int | float) or not low <= seen <= high:
            continue
        number, subject = row_number(str(basis.get("asked"))), str(basis.get("subject"))
        at = next((at for at, row in enumerate(gt.page.rows) if row.number == number), None)
        run, _, place = subject.removeprefix("model:").partition(":")
        if at is None or run not in evaluation.prepared.runs or place.partition(":")[0] != page:
            continue
        answer = evaluation.prepared.run_page(run, page)
        row = next((at for at, row in enumerate(answer.page.rows) if row.number == row_number(subject)), None)
        if row is not None and answer.models[row].readings and gt.forms[at]:
            similarity = gt.pairer.similarity(at, answer.models[row])
            yield pair_key(gt, answer, Aligned(at, row, similarity, False)), similarity.value


def _hypothetical(binding: Binding, undecided: Mapping[str, Mapping[CaseKey, float]], verdict: str) -> Binding:
    """The binding with a verdict more for every undecided case. Real verdicts speak after them, and so does the nearer pair."""
    pages: dict[str, PageBinding] = dict(binding.pages)
    for page, keys in undecided.items():
        gt = binding.prepared.pages[page]
        real = binding.of_page(page)
        by_form = {form: list(statements) for form, statements in real.by_form.items()}
        for at, (key, _) in enumerate(sorted(keys.items(), key=lambda item: (item[1], item[0].id))):
            assert key.anchor is not None
            row = gt.row_of[key.anchor]
            entry = Entry(id=f"{at:012d}", at="", verifier="", task="tables", case=key.id, verdict=verdict, targets=(gt.target(row),))
            by_form.setdefault(key.form, []).append(Statement(key, entry, (row,), None, _decided_rows(binding, key)))
        pages[page] = PageBinding({form: tuple(found) for form, found in by_form.items()}, real.standing)
    return replace(binding, pages=pages)


def _decided_rows(binding: Binding, key: CaseKey) -> frozenset[tuple[str, int]]:
    """The rows (run, nth) of a case on which a verdict of their own stands."""
    bound = binding.of_page(key.page)
    if key not in bound.narrowed:
        return frozenset()
    gt = binding.prepared.pages[key.page]
    return frozenset(
        (run, nth)
        for run in binding.prepared.runs
        for nth, _ in enumerate(key.rows(gt, binding.prepared.run_page(run, key.page)))
        if bound.answered(key.on_row(run, nth))
    )


def _matched(evaluation: Evaluation, score: PageScore, binding: Binding) -> int:
    """How many pairs of a page match under a binding. The gated pairs are those the pairing takes at the gate or by `same`."""
    bound = binding.on(score.run, score.page)
    if bound.same == score.bound.same and bound.barred == score.bound.barred:
        assert score.counts is not None
        return score.counts.matched
    gt, answer = evaluation.prepared.pages[score.page], evaluation.prepared.run_page(score.run, score.page)
    return len(paired(gt, answer, bound, evaluation.material.settings.gate)[0])


def _ordered(values: Iterable[float | None]) -> Band:
    """Low before high: where rows compete, `same` throughout may cost a match elsewhere."""
    low, high = values
    return (low, high) if low is None or high is None else (min(low, high), max(low, high))
