"""What most models read as the values of a GT row; where that differs from the ground truth, a doubt about it.

See `docs/adjudication.md#against-the-key`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.tables.cases.majority import are_most, winner
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.matching.field_scores import FieldScorer
from scoring.tables.matching.normalized import PreparedPage


@dataclass(frozen=True, slots=True)
class Consensus:
    """What the greatest number of models read: its normal form, as it is written most often, how many models, of how many.

    `most` where they are more than the share `majority` of the models, and at least two.
    """

    form: str
    text: str
    models: int
    of: int
    most: bool


@dataclass(frozen=True, slots=True)
class MajorityAgainstTruth:
    """A value of a GT row that most models read otherwise, and where: run and model row (0-based).

    `points`: what the scores of these values fall short of 1, added up.
    """

    consensus: Consensus
    places: tuple[tuple[str, int], ...]
    points: float

    @property
    def leverage(self) -> float:
        """Where its case stands in a queue: below 0, so after every case on which a count of records hangs; the nearer to 0 the more
        points of the field's accuracy the ground truth costs or saves.
        """
        return -1 / (1 + self.points)


def majority_values(evaluation: Evaluation, page: str) -> Mapping[tuple[int, str], MajorityAgainstTruth]:
    """Values of GT rows that most models read as one other value, by GT row (0-based) and field.

    A model's value is found as its reading of the name is, over the runs in which the row is matched, compared as the field is scored:
    what the scorer forgives (a rendering, a settled rule, a blank it does not score) is no difference. Leaving a field blank is no
    reading of it. Worked out once for each page of an evaluation.
    """
    if page not in evaluation.value_majorities:
        evaluation.value_majorities[page] = _majority_values(evaluation, page)
    found: Mapping[tuple[int, str], MajorityAgainstTruth] = evaluation.value_majorities[page]
    return found


Read = tuple[str, int, Mapping[str, str]]
"""A matched model row: its run, its number from 0, its values."""


def _majority_values(evaluation: Evaluation, page: str) -> dict[tuple[int, str], MajorityAgainstTruth]:
    gt = evaluation.prepared.pages[page]
    scored_runs, rows = _rows_read(evaluation, page)
    found: dict[tuple[int, str], MajorityAgainstTruth] = {}
    for at in sorted(rows):
        expected = gt.page.rows[at].values
        for scorer in gt.scorers.scorers:
            name = scorer.field.name
            if expected[name] or scorer.field.blank == "wrong":
                against = _against(evaluation, scorer, expected[name], rows[at], scored_runs)
                if against is not None:
                    found[at, name] = against
    return found


def _rows_read(evaluation: Evaluation, page: str) -> tuple[Counter[str], dict[int, dict[str, list[Read]]]]:
    """How many runs of each model have the page, and the model rows matched to each GT row, by model."""
    scored_runs: Counter[str] = Counter()
    rows: dict[int, dict[str, list[Read]]] = defaultdict(lambda: defaultdict(list))
    for run in evaluation.material.runs:
        score = evaluation.pages[run.key, page]
        if score.counts is None:
            continue
        scored_runs[run.model] += 1
        answer = run.pages[page].rows
        for pair in score.pairs:
            if pair.matched:
                rows[pair.gt][run.model].append((run.key, pair.model, answer[pair.model].values))
    return scored_runs, rows


def _against(
    evaluation: Evaluation, scorer: FieldScorer, expected: str, rows: Mapping[str, list[Read]], scored_runs: Mapping[str, int]
) -> MajorityAgainstTruth | None:
    name = scorer.field.name
    by_model = {model: Counter([values[name] for _, _, values in read]) for model, read in rows.items()}
    # Most values are read as they stand: only where some model's are not is anything counted.
    if not any(_differs(scorer, expected, value) for value in set().union(*by_model.values())):
        return None
    agreed = _consensus(evaluation, scorer, by_model, scored_runs)
    if agreed is None or not agreed.most or not _differs(scorer, expected, agreed.text):
        return None
    places = [(run, row) for read in rows.values() for run, row, values in read if scorer.form(values[name], "model") == agreed.form]
    return MajorityAgainstTruth(agreed, tuple(places), len(places) * (1 - (scorer.score(expected, agreed.text) or 0.0)))


def _differs(scorer: FieldScorer, expected: str, value: str) -> bool:
    """Whether the scorer takes the value for another one."""
    if not value or value == expected:
        return False
    score = scorer.score(expected, value)
    return score is not None and score < 1


def _consensus(
    evaluation: Evaluation, scorer: FieldScorer, by_model: Mapping[str, Counter[str]], scored_runs: Mapping[str, int]
) -> Consensus | None:
    forms: dict[str, Counter[str]] = {}
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for model, values in by_model.items():
        of_model = forms[model] = Counter()
        for value, times in values.items():
            form = scorer.form(value, "model") if value else ""
            of_model[form] += times
            written[form][value] += times
    form, models = winner(forms, scored_runs)
    if not models:
        return None
    text, _ = min(written[form].items(), key=lambda item: (-item[1], item[0]))
    return Consensus(form, text, models, len(scored_runs), are_most(evaluation, models, len(scored_runs)))


def title_of_value(gt: PreparedPage, at: int, field: str, against: MajorityAgainstTruth | None) -> str:
    """A case about a value in a line: the field, what most models read, what the ground truth has, of whom."""
    value = gt.page.rows[at].values[field] or "(blank)"
    values = f"{against.consensus.text} ~ {value}" if against is not None else value
    return f"{field}: {values}, {gt.texts[at]}"


# One row


def agreed_values(evaluation: Evaluation, page: str, at: int) -> Mapping[str, Consensus]:
    """What most models read of one GT row (0-based), field by field; the name under the name of its field where that is one.

    Fields of which no model has a reading are left out. Looks at every run of the page.
    """
    prepared, schema = evaluation.prepared, evaluation.material.schema
    gt = prepared.pages[page]
    scored_runs: Counter[str] = Counter()
    rows: dict[str, list[Mapping[str, str]]] = defaultdict(list)
    names: dict[str, Counter[str]] = defaultdict(Counter)
    written: dict[str, Counter[tuple[bool, str]]] = defaultdict(Counter)
    for run in evaluation.material.runs:
        score = evaluation.pages[run.key, page]
        if score.counts is None:
            continue
        scored_runs[run.model] += 1
        pair = next((pair for pair in score.pairs if pair.gt == at and pair.matched), None)
        if pair is not None:
            values = run.pages[page].rows[pair.model].values
            rows[run.model].append(values)
            form, text = pair.similarity.reading.text, schema.key_text(values)
            names[run.model][form] += 1
            written[form][prepared.names.form(text) != form, text] += 1
    found: dict[str, Consensus] = {}
    form, models = winner(names, scored_runs)
    if models and len(schema.key) == 1:
        # As somebody wrote it without what is stepped over, where anybody did.
        (_, text), _ = min(written[form].items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
        found[schema.key[0]] = Consensus(form, text, models, len(scored_runs), are_most(evaluation, models, len(scored_runs)))
    joined = [FieldScorer(field, evaluation.material.rules) for field in schema.fields if field.name in schema.key and len(schema.key) > 1]
    for scorer in (*joined, *gt.scorers.scorers):
        by_model = {model: Counter([values[scorer.field.name] for values in read]) for model, read in rows.items()}
        agreed = _consensus(evaluation, scorer, by_model, scored_runs)
        if agreed is not None:
            found[scorer.field.name] = agreed
    return found
