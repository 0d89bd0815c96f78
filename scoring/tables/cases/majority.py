"""Where most models agree on a reading that differs from the ground truth: a doubt about the ground truth.

See `docs/adjudication.md#against-the-key`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from scoring.tables.execution.evaluation import Evaluation


def majority_readings(evaluation: Evaluation, page: str) -> dict[int, tuple[str, list[tuple[str, int, float]]]]:
    """GT rows that most models read as one other name: GT row -> (that normal form, its occurrences as run, row, similarity).

    A model's reading of a GT row is the one most of its runs give (at least half of its scored runs), over all phases.
    Worked out once for each page of an evaluation.
    """
    if page not in evaluation.majorities:
        evaluation.majorities[page] = _majority_readings(evaluation, page)
    return evaluation.majorities[page]


def _majority_readings(evaluation: Evaluation, page: str) -> dict[int, tuple[str, list[tuple[str, int, float]]]]:
    prepared = evaluation.prepared
    gt = prepared.pages[page]
    votes: dict[int, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    places: dict[tuple[int, str], list[tuple[str, int, float]]] = defaultdict(list)
    scored_runs: Counter[str] = Counter()
    for run in evaluation.material.runs:
        score = evaluation.pages[run.key, page]
        if score.counts is None:
            continue
        scored_runs[run.model] += 1
        for pair in score.pairs:
            if pair.matched:
                form = pair.similarity.reading.text
                votes[pair.gt][run.model][form] += 1
                if pair.similarity.edits:
                    places[pair.gt, form].append((run.key, pair.model, pair.similarity.value))
    found: dict[int, tuple[str, list[tuple[str, int, float]]]] = {}
    for at, by_model in votes.items():
        form, models = winner(by_model, scored_runs)
        if are_most(evaluation, models, len(scored_runs)) and form != gt.forms[at] and places[at, form]:
            found[at] = (form, places[at, form])
    return found


class MajorityReading(NamedTuple):
    """A reading in normal form, how many models have it as theirs, and how many were asked (have a scored run of the page)."""

    form: str
    models: int
    asked: int


def agreed_on(evaluation: Evaluation, page: str, gt: int) -> MajorityReading | None:
    """What most models read one GT row as, the ground truth's own name or another; `None` without a majority.

    The majority is that of `majority_readings`: of models, not of runs, and of the runs in which the row is matched.
    """
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    scored_runs: Counter[str] = Counter()
    for run in evaluation.material.runs:
        score = evaluation.pages[run.key, page]
        if score.counts is None:
            continue
        scored_runs[run.model] += 1
        pair = next((pair for pair in score.pairs if pair.gt == gt and pair.matched), None)
        if pair is not None:
            votes[run.model][pair.similarity.reading.text] += 1
    form, models = winner(votes, scored_runs)
    return MajorityReading(form, models, len(scored_runs)) if are_most(evaluation, models, len(scored_runs)) else None


def winner(by_model: Mapping[str, Counter[str]], scored_runs: Mapping[str, int]) -> tuple[str, int]:
    """The reading of the greatest number of models, and that number; 0 where no model has one.

    A model's reading is the one most of its runs give, if at least half of its scored runs do; no reading ("") is none.
    """
    tally: Counter[str] = Counter()
    for model, forms in by_model.items():
        form, times = min(forms.items(), key=lambda item: (-item[1], item[0]))
        if form and 2 * times >= scored_runs[model]:
            tally[form] += 1
    return min(tally.items(), key=lambda item: (-item[1], item[0]), default=("", 0))


def are_most(evaluation: Evaluation, models: int, of: int) -> bool:
    """Whether so many models of so many are most of them: more than the setting `majority`, and at least two."""
    return models > evaluation.material.settings.majority * of and models > 1
