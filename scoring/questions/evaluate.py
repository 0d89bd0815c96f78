"""Scores of all runs, automatic and adjudicated: one function, called with and without decisions (`2-questions`, Scores).

What a verdict does: `equivalent` says that two entries of one document are one answer, and the adjudicated figures
count the pair as read in full, everywhere it occurs (in one run only, when narrowed). `misread`, `gt-wrong` and
`unsure` move no figure: a wrong ground truth counts once `truth apply` has mended it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scoring.adjudication.cases import case_id
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, Entry
from scoring.questions.answers import Scored, entries, score
from scoring.questions.material import Material
from scoring.questions.questions import Question
from scoring.questions.runs import Progress, Run

TASK, PREFIX, QUEUE = "questions", "q", "questions"

Place = tuple[str, str]
"""Document id, question id."""

Scores = Mapping[str, Mapping[Place, Scored]]
"""Run key -> place -> result, for the pages that the run answered."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a case is known by: document, question, and the two entries pre-processed without equivalences."""

    document: str
    question: str
    gt: str
    model: str

    @property
    def case(self) -> str:
        return case_id(PREFIX, self.document, self.question, self.gt, self.model)


@dataclass(frozen=True, slots=True)
class Stale:
    """A verdict that does not apply any more, and what has changed."""

    entry: Entry
    cause: str


@dataclass(frozen=True, slots=True)
class Equal:
    """Two plain entries that a verdict makes equal, in every run or in one (`run`)."""

    gt: str
    model: str
    run: str | None = None


def _granted(equal: Iterable[Equal], run: str) -> frozenset[tuple[str, str]]:
    return frozenset((pair.gt, pair.model) for pair in equal if pair.run is None or pair.run == run)


@dataclass(frozen=True)
class Evaluation:
    """The scores of a material as scored and as adjudicated.

    `applied`, `stale` and `conflicts` are this task's standing verdicts: in force, resting on what is no longer there,
    contradicting each other.
    """

    material: Material
    decisions: Decisions
    automatic: Scores
    adjudicated: Scores
    applied: tuple[Entry, ...] = ()
    stale: tuple[Stale, ...] = ()
    conflicts: tuple[str, ...] = ()
    equal: Mapping[Place, tuple[Equal, ...]] = field(default_factory=dict)
    _memo: dict[object, Scored] = field(default_factory=dict, repr=False, compare=False)

    def granted(self, run: str, place: Place) -> frozenset[tuple[str, str]]:
        """The pairs of plain entries that verdicts make equal in one run's answer."""
        return _granted(self.equal.get(place, ()), run)


def evaluate(
    material: Material, decisions: Decisions = NO_DECISIONS, *, automatic: Evaluation | None = None, progress: Progress | None = None
) -> Evaluation:
    """Score every answer, and again under the decisions.

    Args:
        automatic: an evaluation of the same material, whose automatic scores are taken over.
        progress: called with runs scored and runs in all.
    """
    memo: dict[object, Scored] = {}
    scored: dict[str, Mapping[Place, Scored]] = {}
    if automatic is not None and automatic.material is material:
        scored, memo = dict(automatic.automatic), automatic._memo
    else:
        for number, run in enumerate(material.runs, 1):
            scored[run.key] = _run_scores(material, run, memo)
            if progress is not None:
                progress(number, len(material.runs))
    verdicts = _Verdicts(material, decisions)
    equal = {place: tuple(pairs) for place, pairs in verdicts.equal.items()}
    adjudicated = _adjudicated(material, scored, equal, memo) if equal else scored
    outcome = (tuple(verdicts.applied), tuple(verdicts.stale), tuple(verdicts.conflicts))
    return Evaluation(material, decisions, scored, adjudicated, *outcome, equal, memo)


def _run_scores(material: Material, run: Run, memo: dict[object, Scored]) -> dict[Place, Scored]:
    out: dict[Place, Scored] = {}
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
    material: Material, question: Question, document: str, gt: str, text: str, same: frozenset[tuple[str, str]], memo: dict[object, Scored]
) -> Scored:
    key = (document, question.id, text, same)
    if key not in memo:
        memo[key] = score(question, gt, text, material.field_rules(question), same)
    return memo[key]


def _adjudicated(
    material: Material, automatic: Scores, equal: Mapping[Place, tuple[Equal, ...]], memo: dict[object, Scored]
) -> dict[str, Mapping[Place, Scored]]:
    questions = {question.id: question for question in material.questions.questions}
    expected = {document.id: document.values for document in material.documents}
    out: dict[str, Mapping[Place, Scored]] = {}
    for run in material.runs:
        changed: dict[Place, Scored] = {}
        for place, pairs in equal.items():
            if place not in automatic[run.key]:
                continue
            here = _granted(pairs, run.key)
            document, name = place
            changed[place] = _scored(
                material, questions[name], document, expected[document][name], run.pages[document].answers[name], here, memo
            )
        out[run.key] = {**automatic[run.key], **changed} if changed else automatic[run.key]
    return out


class _Verdicts:
    """The standing verdicts of this task, sorted into applied, stale and in conflict; `equal` is what they move."""

    def __init__(self, material: Material, decisions: Decisions) -> None:
        self.material = material
        self.applied: list[Entry] = []
        self.stale: list[Stale] = []
        self.conflicts: list[str] = []
        self.equal: dict[Place, list[Equal]] = defaultdict(list)
        mine = {key: standing for key, standing in decisions.standing.items() if key[0] == TASK}
        if not mine:
            return
        self._gt: dict[Place, dict[str, int]] = {}
        self._found: dict[Place, dict[str, set[str]]] = {}
        narrowed: dict[str, set[str]] = defaultdict(set)
        for _, case, run in mine:
            if run is not None:
                narrowed[case].add(run)
        for (_, case, only), standing in mine.items():
            if standing.conflict:
                if case not in self.conflicts:
                    self.conflicts.append(case)
                continue
            judged = judged_of(standing.entry)
            cause = self._cause(judged, only)
            if judged is None or cause:
                self.stale.append(Stale(standing.entry, cause))
                continue
            self.applied.append(standing.entry)
            if standing.entry.verdict != "equivalent":
                continue
            place = (judged.document, judged.question)
            if only is not None:
                self.equal[place].append(Equal(judged.gt, judged.model, only))
            elif not narrowed[case]:
                self.equal[place].append(Equal(judged.gt, judged.model))
            else:
                runs = (run.key for run in material.runs if run.key not in narrowed[case])
                self.equal[place] += [Equal(judged.gt, judged.model, run) for run in runs]

    def _cause(self, judged: Judged | None, only: str | None) -> str:
        """Why a verdict does not apply; empty when it does."""
        if judged is None:
            return "the entry in the log does not say what was judged"
        question = next((question for question in self.material.questions.questions if question.id == judged.question), None)
        document = next((document for document in self.material.documents if document.id == judged.document), None)
        if question is None or not question.graded:
            return f"{judged.question} is no text question of the set any more"
        if document is None:
            return f"the ground truth has no document {judged.document} any more"
        place = (judged.document, judged.question)
        if place not in self._gt:
            self._gt[place] = {entry.plain: entry.number for entry in entries(question, document.values[question.id], "gt")}
            found: dict[str, set[str]] = {}
            self._found[place] = found
            for run in self.material.runs:
                for entry in entries(question, run.pages[document.id].answers.get(question.id, ""), "model"):
                    found.setdefault(entry.plain, set()).add(run.key)
        if judged.gt not in self._gt[place]:
            now = " | ".join(self._gt[place]) or "nothing"
            return f"ground truth: {judged.gt!r} was judged, it says {now!r} now"
        runs = self._found[place].get(judged.model, set())
        if not runs:
            return f"no run answers {judged.model!r} any more"
        if only is not None and only not in runs:
            return f"{only} does not answer {judged.model!r} any more"
        return ""


def judged_of(entry: Entry) -> Judged | None:
    """What an entry of the log judged, from its basis; None when the basis does not bear out the case's id."""
    basis = entry.basis
    parts = [basis.get(key) for key in ("page", "question", "gt_entry", "reading")]
    if not all(isinstance(part, str) for part in parts):
        return None
    judged = Judged(*map(str, parts))
    return judged if judged.case == entry.case else None
