"""Scores of all runs, automatic and adjudicated: one function, called with and without decisions (`docs/questions.md#scores`).

What a verdict does: `equivalent` says that two entries of one document are one answer, and the adjudicated figures
count the pair as read in full, everywhere it occurs (in one run only, when narrowed). `misread`, `gt-wrong` and
`unsure` move no figure: a wrong ground truth counts once `truth apply` has mended it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from scoring.adjudication.decisions import NO_DECISIONS, Decisions, LogEntry
from scoring.adjudication.log_entry import by_id
from scoring.foundations.incremental import Steps
from scoring.questions.execution.application import (
    Binder,
    CaseDecision,
    Equal,
    Place,
    Stale,
    cases_touched,
    equal_at,
    granted,
    laid_to_rest,
)
from scoring.questions.inputs.material import Material
from scoring.questions.inputs.runs import Progress, Run
from scoring.questions.matching.answer_scores import AnswerScore, score
from scoring.questions.matching.question_set import Question

Scores = Mapping[str, Mapping[Place, AnswerScore]]
"""Run key -> place -> result, for the pages that the run answered."""

_Memo = dict[object, AnswerScore]


@dataclass(frozen=True)
class Evaluation:
    """The scores of a material as scored and as adjudicated.

    Attributes:
        bound: what stands in the log for each case of this task.
        equal: what that makes equal, place by place.
    """

    material: Material
    decisions: Decisions
    automatic: Scores
    adjudicated: Scores
    bound: Mapping[str, CaseDecision] = field(default_factory=dict)
    equal: Mapping[Place, tuple[Equal, ...]] = field(default_factory=dict)
    _memo: _Memo = field(default_factory=dict, repr=False, compare=False)
    _binder: Binder | None = field(default=None, repr=False, compare=False)

    @cached_property
    def applied(self) -> tuple[LogEntry, ...]:
        """The verdicts in force, in id order."""
        return tuple(sorted((one.entry for bound in self.bound.values() for one in bound.applied), key=by_id))

    @cached_property
    def stale(self) -> tuple[Stale, ...]:
        """The verdicts resting on what is no longer there, in id order."""
        found = (Stale(one.entry, cause) for bound in self.bound.values() for one, cause in bound.stale)
        return tuple(sorted(found, key=lambda one: one.entry.id))

    @cached_property
    def conflicts(self) -> tuple[str, ...]:
        """The cases whose verdicts contradict each other."""
        return tuple(sorted(case for case, bound in self.bound.items() if bound.conflicts))

    def granted(self, run: str, place: Place) -> frozenset[tuple[str, str]]:
        """The pairs of plain entries that verdicts make equal in one run's answer."""
        return granted(self.equal.get(place, ()), run)


def evaluate(
    material: Material, decisions: Decisions = NO_DECISIONS, *, automatic: Evaluation | None = None, progress: Progress | None = None
) -> Evaluation:
    """Score every answer, and again under the decisions.

    Args:
        automatic: an evaluation of the same material, whose automatic scores are taken over.
        progress: called with runs scored and runs in all.
    """
    memo: _Memo = {}
    scored: dict[str, Mapping[Place, AnswerScore]] = {}
    binder: Binder | None = None
    if automatic is not None and automatic.material is material:
        scored, memo, binder = dict(automatic.automatic), automatic._memo, automatic._binder
    else:
        for number, run in enumerate(material.runs, 1):
            scored[run.key] = _run_scores(material, run, memo)
            if progress is not None:
                progress(number, len(material.runs))
    binder = binder or Binder(material)
    bound = binder.all(decisions)
    equal = equal_at(bound)
    adjudicated = {run.key: _adjudicated(material, run, scored[run.key], scored[run.key], equal, equal, memo) for run in material.runs}
    return Evaluation(material, decisions, scored, adjudicated if equal else scored, bound, equal, memo, binder)


def reevaluation(evaluation: Evaluation, decisions: Decisions, cases: Collection[str]) -> Steps[Evaluation]:
    """The evaluation under decisions that differ in what they say of these cases, in short steps: only what they touch is done again."""
    material = evaluation.material
    binder = evaluation._binder or Binder(material)
    bound = dict(evaluation.bound)
    places: set[Place] = set()
    rested = laid_to_rest(decisions)
    yield
    for case in cases_touched(decisions, cases):
        before, after = bound.pop(case, None), binder.one(decisions, case, rested)
        if after is not None:
            bound[case] = after
        places |= {one.place for one in (before, after) if one is not None and one.place is not None}
        yield
    adjudicated = evaluation.adjudicated
    equal = dict(evaluation.equal)
    if places:
        for place in places:
            equal.pop(place, None)
        equal |= equal_at(bound, places)
        yield
        scores = dict(adjudicated)
        for run in material.runs:
            automatic = evaluation.automatic[run.key]
            scores[run.key] = _adjudicated(material, run, automatic, scores[run.key], equal, places, evaluation._memo)
            yield
        adjudicated = scores
    return Evaluation(material, decisions, evaluation.automatic, adjudicated, bound, equal, evaluation._memo, binder)


def _run_scores(material: Material, run: Run, memo: _Memo) -> dict[Place, AnswerScore]:
    out: dict[Place, AnswerScore] = {}
    for document in material.documents:
        page = run.pages[document.id]
        if page.answered:
            for question in material.questions.questions:
                text = page.answers[question.id]
                out[document.id, question.id] = _scored(
                    material, question, document.id, document.values[question.id], text, frozenset(), memo
                )
    return out


def _scored(
    material: Material, question: Question, document: str, gt: str, text: str, same: frozenset[tuple[str, str]], memo: _Memo
) -> AnswerScore:
    key = (document, question.id, text, same)
    if key not in memo:
        memo[key] = score(question, gt, text, material.field_rules(question), same)
    return memo[key]


def _adjudicated(
    material: Material,
    run: Run,
    automatic: Mapping[Place, AnswerScore],
    now: Mapping[Place, AnswerScore],
    equal: Mapping[Place, tuple[Equal, ...]],
    places: Collection[Place],
    memo: _Memo,
) -> Mapping[Place, AnswerScore]:
    """A run's scores with those at `places` made anew; `now` itself where none of them differs."""
    changed: dict[Place, AnswerScore] = {}
    for place in places:
        if place not in automatic:
            continue
        document, name = place
        same = granted(equal.get(place, ()), run.key)
        if same:
            question, expected = material.question(name), material.document(document).values[name]
            fresh = _scored(material, question, document, expected, run.pages[document].answers[name], same, memo)
        else:
            fresh = automatic[place]
        if fresh != now[place]:
            changed[place] = fresh
    return {**now, **changed} if changed else now
