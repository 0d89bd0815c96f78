"""The band of an adjudicated F1 while cases are undecided: its low and its high (`docs/method.md#bands`).

All open and stale borderline cases are resolved `different`, then all `same`, and the pages they touch are paired again
under those hypothetical verdicts, by the very machinery that reads real ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple, TypeVar

from scoring.adjudication.decisions import LogEntry
from scoring.adjudication.verdict_kinds import MATCH, kind_of
from scoring.foundations.incremental import Steps, finished
from scoring.tables.cases.queues import pair_key
from scoring.tables.decisions.application import AnchoredVerdict, Binding, CaseKey, PageBinding, Stale, row_number
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import AlignedPair, PageScore, paired
from scoring.tables.measures.counts import share

Cell = tuple[str, str]
Band = tuple[float | None, float | None]
PAGES_A_STEP, CASES_A_STEP = 8, 100
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Bands:
    """The low and high of the adjudicated F1, by cell, by run and by (run, page).

    Equal where nothing is undecided; `None` where F1 is undefined. `undecided` counts the open and stale borderline cases
    by page.
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
    """`bands`, in short steps: a few page scores or cases a step."""
    found: dict[tuple[str, str], _Matched] = {}
    undecided: dict[str, int] = {}
    for page, scores in _by_page(evaluation).items():
        keys = yield from _undecided_on(evaluation, page, scores)
        if keys:
            undecided[page] = len(keys)
        different = yield from _hypothetical(evaluation.binding, page, keys, "different")
        same = yield from _hypothetical(evaluation.binding, page, keys, "same")
        for score in scores:
            if score.counts is not None:
                rows = score.counts.model_rows + score.counts.gt_rows
                found[score.run, page] = _Matched(_matched(evaluation, score, different), _matched(evaluation, score, same), rows)
            yield
    of_run: dict[str, list[_Matched]] = {}
    for (run, _), one in found.items():
        of_run.setdefault(run, []).append(one)
    yield
    pages = yield from _each({place: [one] for place, one in found.items()})
    runs = yield from _each(of_run)
    cells = yield from _each({(cell.model, cell.phase): [found[one.run, one.page] for one in cell.scored] for cell in evaluation.cells})
    return Bands(cells, runs, pages, undecided)


class _Matched(NamedTuple):
    """Matched pairs of a page with its undecided cases `different` and `same`, and its model and GT rows together."""

    different: int
    same: int
    rows: int


def _each(groups: Mapping[Key, Sequence[_Matched]]) -> Steps[dict[Key, Band]]:
    """The band of every group of pages."""
    found: dict[Key, Band] = {}
    for at, (key, group) in enumerate(groups.items(), 1):
        rows = sum(one.rows for one in group)
        found[key] = _ordered((share(2 * sum(one.different for one in group), rows), share(2 * sum(one.same for one in group), rows)))
        if at % CASES_A_STEP == 0:
            yield
    return found


def undecided_pairs(evaluation: Evaluation) -> dict[str, dict[CaseKey, float]]:
    """The borderline cases that are open or stale, by page, each with the highest similarity it occurs with."""
    found = {page: finished(_undecided_on(evaluation, page, scores)) for page, scores in _by_page(evaluation).items()}
    return {page: keys for page, keys in found.items() if keys}


def _by_page(evaluation: Evaluation) -> dict[str, list[PageScore]]:
    """The scores of every page of the ground truth, run by run."""
    found: dict[str, list[PageScore]] = {page: [] for page in evaluation.prepared.pages}
    for (_, page), score in evaluation.pages.items():
        found[page].append(score)
    return found


def _undecided_on(evaluation: Evaluation, page: str, scores: Sequence[PageScore]) -> Steps[dict[CaseKey, float]]:
    """The undecided borderline cases of a page, each with the highest similarity it occurs with."""
    settings, prepared = evaluation.material.settings, evaluation.prepared
    gate, width = Decimal(str(settings.gate)), Decimal(str(settings.width))
    low, high = float(gate - width), float(gate + width)
    gt, bound = prepared.pages[page], evaluation.binding.of_page(page)
    found: dict[CaseKey, float] = {}
    for at, score in enumerate(scores, 1):
        answer = prepared.run_page(score.run, page)
        for pair in score.pairs:
            # What a verdict decided is not open, whichever case it was said of.
            if low <= pair.similarity.value <= high and not pair.decided_by:
                key = bound.case_of_row(pair_key(gt, answer, pair), gt, answer, pair.model)
                if not bound.decided(key):
                    found[key] = max(found.get(key, 0.0), pair.similarity.value)
        if at % PAGES_A_STEP == 0:
            yield
    for key, value in _stale_pairs(evaluation, page, bound.stale, low, high):
        if not bound.decided(key):
            found.setdefault(key, value)
    return found


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
            yield pair_key(gt, answer, AlignedPair(at, row, similarity, False)), similarity.value


def _hypothetical(binding: Binding, page: str, keys: Mapping[CaseKey, float], verdict: str) -> Steps[Binding]:
    """The binding with a verdict more for every undecided case of a page. Real verdicts speak after them, and so does the nearer pair."""
    if not keys:
        return binding
    gt, real = binding.prepared.pages[page], binding.of_page(page)
    by_form = dict(real.by_form)
    by_similarity: dict[float, list[CaseKey]] = {}
    for key, similarity in keys.items():
        by_similarity.setdefault(similarity, []).append(key)
    yield
    nearest_last = (key for value in sorted(by_similarity) for key in sorted(by_similarity[value], key=lambda key: key.id))
    for at, key in enumerate(nearest_last, 1):
        assert key.anchor is not None
        row = gt.row_of[key.anchor]
        entry = LogEntry(id=f"{at:012d}", at="", verifier="", task="tables", case=key.id, verdict=verdict, targets=(gt.target(row),))
        statement = AnchoredVerdict(key, entry, (row,), None, _decided_rows(binding, key))
        by_form[key.form] = (*by_form.get(key.form, ()), statement)
        if at % CASES_A_STEP == 0:
            yield
    return replace(binding, pages={**binding.pages, page: PageBinding(by_form, real.standing)})


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
