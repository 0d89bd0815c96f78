"""What lies behind the totals: consistency over runs, confusion, illegibility, differences (`docs/questions.md#reports`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from scoring.questions.execution.evaluation import Evaluation
from scoring.questions.inputs.material import Material
from scoring.questions.matching.answer_scores import ILLEGIBLE, entries, pair_values, plain_value
from scoring.questions.matching.question_set import Question
from scoring.questions.measures.totals import answers

Cell = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the runs of a cell agree on one question of one document.

    `runs` gave an answer to the page, `same` of them the most frequent one, `distinct` different ones occur.
    """

    question: str
    model: str
    phase: str
    document: str
    runs: int
    same: int
    distinct: int


def answer_key(material: Material, question: Question, text: str) -> Hashable:
    """What makes two answers the same: equal after pre-processing and equivalences; a list in any order where order is free."""
    if question.graded:
        forms = [entry.form for entry in entries(question, text, "model", material.field_rules(question))]
        return tuple(sorted(forms) if question.order == "free" else forms)
    if question.type == "paired_integer":
        return pair_values(text, "model")
    return plain_value(text, "model")


def consistency(material: Material) -> tuple[Agreement, ...]:
    """For each question, cell and document, how many of the cell's runs give the same answer; failed and missing pages out."""
    cells: dict[Cell, list[int]] = {}
    for at, run in enumerate(material.runs):
        cells.setdefault(run.cell, []).append(at)
    memo: dict[tuple[str, str], Hashable] = {}
    out: list[Agreement] = []
    for question in material.questions.questions:
        for (model, phase), members in cells.items():
            for document in material.documents:
                given: Counter[Hashable] = Counter()
                for at in members:
                    page = material.runs[at].pages[document.id]
                    if page.answered:
                        key = (question.id, page.answers[question.id])
                        if key not in memo:
                            memo[key] = answer_key(material, question, key[1])
                        given[memo[key]] += 1
                if given:
                    out.append(Agreement(question.id, model, phase, document.id, given.total(), max(given.values()), len(given)))
    return tuple(out)


GIVEN = ("Y", "N", ILLEGIBLE, "blank", "other")
EXPECTED = ("Y", "N", "blank", "other")


@dataclass(slots=True)
class Confusion:
    """Answers to a boolean: (expected, given) -> count. Expected is one of `EXPECTED`, given one of `GIVEN`."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)


def boolean_class(text: str) -> str:
    """`Y`, `N`, `illegible`, `blank` or `other`, of a pre-processed value."""
    return {"y": "Y", "n": "N", ILLEGIBLE: ILLEGIBLE, "": "blank"}.get(text, "other")


def confusions(evaluation: Evaluation) -> dict[tuple[str, str, str], Confusion]:
    """(question, model, phase) -> confusion, for the booleans."""
    material = evaluation.material
    expected = {document.id: document.values for document in material.documents}
    out: dict[tuple[str, str, str], Confusion] = {}
    for run, document, question, _, _ in answers(material, evaluation.automatic):
        if question.type == "boolean":
            wanted = boolean_class(plain_value(expected[document][question.id], "gt"))
            given = boolean_class(plain_value(run.pages[document].answers[question.id], "model"))
            cell = out.setdefault((question.id, run.model, run.phase), Confusion())
            cell.counts["other" if wanted == ILLEGIBLE else wanted, given] += 1
    return {key: out[key] for key in _by_question(evaluation, out)}


@dataclass(slots=True)
class Differences:
    """Signed differences model - GT of an integer question: difference -> count. `none`: one side is no whole number or blank."""

    counts: Counter[int] = field(default_factory=Counter)
    none: int = 0

    @property
    def compared(self) -> int:
        return self.counts.total()

    @property
    def exact(self) -> int:
        return self.counts[0]

    @property
    def under(self) -> int:
        """Answers below the ground truth."""
        return sum(count for difference, count in self.counts.items() if difference < 0)

    @property
    def over(self) -> int:
        return sum(count for difference, count in self.counts.items() if difference > 0)

    @property
    def mean(self) -> float | None:
        """Mean signed difference; below 0: undercount."""
        return sum(difference * count for difference, count in self.counts.items()) / self.compared if self.compared else None

    @property
    def least(self) -> int | None:
        return min(self.counts, default=None)

    @property
    def greatest(self) -> int | None:
        return max(self.counts, default=None)


def differences(evaluation: Evaluation) -> dict[tuple[str, str, str], Differences]:
    """(question, model, phase) -> signed differences, for the integers. Excluded answers (blank on blank) are left out."""
    out: dict[tuple[str, str, str], Differences] = {}
    for run, _, question, _, scored in answers(evaluation.material, evaluation.automatic):
        if question.type == "integer" and scored.score is not None:
            cell = out.setdefault((question.id, run.model, run.phase), Differences())
            if scored.difference is None:
                cell.none += 1
            else:
                cell.counts[scored.difference] += 1
    return {key: out[key] for key in _by_question(evaluation, out)}


def _by_question(evaluation: Evaluation, keys: Iterable[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    order = {name: at for at, name in enumerate(evaluation.material.questions.ids)}
    return sorted(keys, key=lambda key: order[key[0]])
