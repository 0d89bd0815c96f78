"""Micro totals of scores over documents and runs, per question, model, phase or cell (`docs/questions.md#totals`)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from scoring.questions.execution.evaluation import Evaluation, Scores
from scoring.questions.inputs.documents import asked
from scoring.questions.inputs.material import Material
from scoring.questions.inputs.runs import Run
from scoring.questions.matching.answer_scores import AnswerScore, Outcome
from scoring.questions.matching.question_set import Question

Key = tuple[str, ...]


def rate(part: float, whole: int) -> float | None:
    """`part / whole`; undefined, not 0, where there is nothing to divide by."""
    return part / whole if whole else None


@dataclass(slots=True)
class Tally:
    """Counts pooled over documents and runs. Pages that failed or are missing are not in it.

    Attributes:
        answered: answers looked at: a question of a page that was answered, whether asked or not.
        asked: those whose question is asked of the document.
        outcomes: answers by what became of them.
        matched, gt_entries, model_entries: sum of matched accuracies and entries of both sides, for text arrays.
    """

    answered: int = 0
    asked: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    graded: list[float] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    gt_entries: int = 0
    model_entries: int = 0

    def add(self, question: Question, is_asked: bool, scored: AnswerScore) -> None:
        """Count one answer."""
        self.answered += 1
        self.asked += is_asked
        self.outcomes[scored.outcome] += 1
        if scored.outcome is Outcome.GRADED and scored.score is not None:
            self.graded.append(scored.score)
        if scored.match is not None and question.type == "text_array":
            self.accuracies += [pair.accuracy for pair in scored.match.pairs]
            self.gt_entries += len(scored.match.gt)
            self.model_entries += len(scored.match.model)

    def join(self, other: Tally) -> None:
        """Count what another tally counted, too."""
        self.answered += other.answered
        self.asked += other.asked
        self.outcomes.update(other.outcomes)
        self.graded += other.graded
        self.accuracies += other.accuracies
        self.gt_entries += other.gt_entries
        self.model_entries += other.model_entries

    @property
    def correct(self) -> int:
        return self.outcomes[Outcome.CORRECT]

    @property
    def incorrect(self) -> int:
        return self.outcomes[Outcome.INCORRECT]

    @property
    def claims(self) -> int:
        return self.outcomes[Outcome.CLAIM]

    @property
    def excluded(self) -> int:
        return self.outcomes[Outcome.EXCLUDED]

    @property
    def base(self) -> int:
        """Answers that count."""
        return self.correct + self.incorrect + self.claims + len(self.graded)

    @property
    def perfect(self) -> int:
        """Answers right in every character."""
        return self.correct + sum(score == 1 for score in self.graded)

    @property
    def conditional(self) -> float | None:
        """Conditional accuracy: correct / (correct + incorrect); how accurate a model is when it commits itself."""
        return rate(self.correct, self.correct + self.incorrect)

    @property
    def combined(self) -> float | None:
        """Combined accuracy: correct / (correct + incorrect + claims)."""
        return rate(self.correct, self.correct + self.incorrect + self.claims)

    @property
    def claim_rate(self) -> float | None:
        """Claims / documents asked, over all runs."""
        return rate(self.claims, self.asked)

    @property
    def score(self) -> float | None:
        """Mean over the answers that count: right 1, wrong and claims 0, texts their accuracy or F1."""
        return rate(math.fsum([self.correct, *self.graded]), self.base)

    @property
    def precision(self) -> float | None:
        """Pooled: matched accuracies / model entries."""
        return rate(math.fsum(self.accuracies), self.model_entries)

    @property
    def recall(self) -> float | None:
        """Pooled: matched accuracies / GT entries."""
        return rate(math.fsum(self.accuracies), self.gt_entries)

    @property
    def f1(self) -> float | None:
        """Pooled: twice the matched accuracies / entries of both sides."""
        return rate(2 * math.fsum(self.accuracies), self.gt_entries + self.model_entries)


def answers(
    material: Material, scores: Scores, documents: Collection[str] | None = None
) -> Iterator[tuple[Run, str, Question, bool, AnswerScore]]:
    """Every scored answer (on the named documents) with its run, document, question, whether it is asked there; in a fixed order."""
    chosen = [document for document in material.documents if documents is None or document.id in documents]
    is_asked = {(document.id, question.id): asked(document, question) for document in chosen for question in material.questions.questions}
    for run in material.runs:
        scored = scores[run.key]
        for document in chosen:
            for question in material.questions.questions:
                place = (document.id, question.id)
                if place in scored:
                    yield run, document.id, question, is_asked[place], scored[place]


Totals = dict[tuple[Question, str, str], Tally]
"""(question, model, phase) -> tally, in the order of the questions, then of the runs."""


def totals(material: Material, scores: Scores) -> Totals:
    """The tally of each question in each cell."""
    cells = dict.fromkeys(run.cell for run in material.runs)
    out = {(question, *cell): Tally() for question in material.questions.questions for cell in cells}
    for run, _, question, is_asked, scored in answers(material, scores):
        out[question, run.model, run.phase].add(question, is_asked, scored)
    return out


def pooled(found: Totals, grouping: Callable[[Question, str, str], Key]) -> dict[Key, Tally]:
    """Tallies put together by what `grouping` makes of (question, model, phase)."""
    out: dict[Key, Tally] = {}
    for (question, model, phase), tally in found.items():
        out.setdefault(grouping(question, model, phase), Tally()).join(tally)
    return out


class Figures:
    """The totals of an evaluation, counted once, for all its tables."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation, self.material = evaluation, evaluation.material
        self.questions = self.material.questions.questions
        self.cells = list(dict.fromkeys(run.cell for run in self.material.runs))
        self.models = list(dict.fromkeys(model for model, _ in self.cells))

    @cached_property
    def automatic(self) -> Totals:
        """As scored."""
        return totals(self.material, self.evaluation.automatic)

    @cached_property
    def adjudicated(self) -> Totals:
        """Under the decisions."""
        if self.evaluation.adjudicated is self.evaluation.automatic:
            return self.automatic
        return totals(self.material, self.evaluation.adjudicated)


@dataclass(frozen=True, slots=True)
class PageCounts:
    """How many pages of how many runs a cell has, by status."""

    runs: int
    ok: int
    truncated: int
    failed: int
    missing: int


def pages(material: Material) -> dict[tuple[str, str], PageCounts]:
    """Pages by cell (model, phase)."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for run in material.runs:
        counter = counts.setdefault(run.cell, Counter())
        counter["runs"] += 1
        counter.update(page.status for page in run.pages.values())
    return {cell: PageCounts(c["runs"], c["ok"], c["truncated"], c["failed"], c["missing"]) for cell, c in counts.items()}


@dataclass(frozen=True, slots=True)
class AnswerMove:
    """An answer whose score differs between two evaluations of the same runs."""

    run: str
    document: str
    question: str
    before: float | None
    after: float | None


def moves(before: Evaluation, after: Evaluation) -> tuple[AnswerMove, ...]:
    """What another set of rules moves in the automatic scores (`docs/rules.md#preview`). Both must be of the same runs."""
    return tuple(
        AnswerMove(run.key, document, question.id, scored.score, after.automatic[run.key][document, question.id].score)
        for run, document, question, _, scored in answers(before.material, before.automatic)
        if scored.score != after.automatic[run.key][document, question.id].score
    )
