"""Where most models agree on a reading that differs from the ground truth: a doubt about the ground truth (`4-adjudication`, Cases)."""

from __future__ import annotations

from collections import Counter, defaultdict

from scoring.tables.evaluate import Evaluation


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
        tally: Counter[str] = Counter()
        for model, forms in by_model.items():
            form, times = min(forms.items(), key=lambda item: (-item[1], item[0]))
            if 2 * times >= scored_runs[model]:
                tally[form] += 1
        if not tally:
            continue
        form, models = min(tally.items(), key=lambda item: (-item[1], item[0]))
        most = models > evaluation.material.settings.majority * len(scored_runs) and models > 1
        if most and form != gt.forms[at] and places[at, form]:
            found[at] = (form, places[at, form])
    return found
