"""What the log says, bound to the material: which verdicts apply, which are stale, which contradict each other.

See `docs/adjudication.md#precedence`.

Each case is bound by itself, so that one more verdict costs as much as its own case, however many stand in the log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.adjudication.cases import case_id
from scoring.adjudication.decisions import Decisions, LogEntry, Standing
from scoring.questions.inputs.material import Material
from scoring.questions.matching.answer_scores import entries

TASK, PREFIX, QUEUE = "questions", "q", "questions"

GT_WRONG = "gt-wrong"

Place = tuple[str, str]
"""Document id, question id."""


@dataclass(frozen=True, slots=True)
class CaseContent:
    """What a case is known by: document, question, and the two entries pre-processed without equivalences."""

    document: str
    question: str
    gt: str
    model: str

    @property
    def case(self) -> str:
        return case_id(PREFIX, self.document, self.question, self.gt, self.model)

    @property
    def place(self) -> Place:
        return self.document, self.question


@dataclass(frozen=True, slots=True)
class Stale:
    """A verdict that does not apply any more, and what has changed."""

    entry: LogEntry
    cause: str


@dataclass(frozen=True, slots=True)
class Equal:
    """Two plain entries that a verdict makes equal, in every run or in one (`run`)."""

    gt: str
    model: str
    run: str | None = None


@dataclass(frozen=True, slots=True)
class CaseDecision:
    """What stands in the log for one case.

    Attributes:
        applied, stale: standings in force; those resting on what is no longer there, with the cause.
        conflicts: standings of verdicts that contradict each other, none of which applies.
        done: doubts about the ground truth that have been acted on: it says by now what they propose.
        place, equal: where `equivalent` makes which entries one; no place where it makes none.
    """

    applied: tuple[Standing, ...] = ()
    stale: tuple[tuple[Standing, str], ...] = ()
    conflicts: tuple[Standing, ...] = ()
    done: tuple[Standing, ...] = ()
    place: Place | None = None
    equal: tuple[Equal, ...] = ()


def granted(equal: Iterable[Equal], run: str) -> frozenset[tuple[str, str]]:
    """The pairs of plain entries that are made equal in one run's answer."""
    return frozenset((pair.gt, pair.model) for pair in equal if pair.run is None or pair.run == run)


def equal_at(bound: Mapping[str, CaseDecision], places: Collection[Place] | None = None) -> dict[Place, tuple[Equal, ...]]:
    """What verdicts make equal, place by place; at the named places only, if named."""
    out: dict[Place, list[Equal]] = defaultdict(list)
    for one in bound.values():
        if one.place is not None and (places is None or one.place in places):
            out[one.place] += one.equal
    return {place: tuple(found) for place, found in out.items()}


def laid_to_rest(decisions: Decisions) -> frozenset[str]:
    """The ids of verdicts that a live one names: where they are stale, somebody has kept what they say."""
    return frozenset(id for entry in decisions.entries if entry.resolves and decisions.is_live(entry) for id in entry.resolves)


def cases_touched(decisions: Decisions, cases: Iterable[str]) -> set[str]:
    """The cases, and those of the verdicts that entries on them name."""
    named = {id for case in cases for entry in decisions.of_case(TASK, case) for id in entry.resolves or ()}
    return {*cases, *(entry.case for id in named if (entry := decisions.entry(id)) is not None)}


class Binder:
    """Binds verdicts to a material; what it has looked up of a document serves the next verdict on it."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._questions = {question.id: question for question in material.questions.questions}
        self._documents = {document.id: document for document in material.documents}
        self._gt: dict[Place, dict[str, int]] = {}
        self._found: dict[Place, dict[str, set[str]]] = {}

    def all(self, decisions: Decisions) -> dict[str, CaseDecision]:
        """Every case of this task that the log speaks of."""
        by_case: dict[str, list[tuple[str | None, Standing]]] = defaultdict(list)
        for (task, case, run), standing in decisions.standing.items():
            if task == TASK:
                by_case[case].append((run, standing))
        rested = laid_to_rest(decisions)
        return {case: self._bound(found, rested) for case, found in by_case.items()}

    def one(self, decisions: Decisions, case: str, rested: Collection[str]) -> CaseDecision | None:
        """One case, `rested` being `laid_to_rest`; None when nothing stands for it."""
        runs = {None, *(entry.run for entry in decisions.of_case(TASK, case) if entry.scope == "row")}
        found = [(run, standing) for run in runs if (standing := decisions.standing.get((TASK, case, run))) is not None]
        return self._bound(found, rested) if found else None

    def _bound(self, found: Sequence[tuple[str | None, Standing]], rested: Collection[str]) -> CaseDecision:
        narrowed = {run for run, _ in found if run is not None}
        applied, stale, conflicts, done = [], [], [], []
        place: Place | None = None
        equal: list[Equal] = []
        for only, standing in sorted(found, key=lambda pair: (pair[1].entry.id, pair[0] or "")):
            if standing.conflict:
                conflicts.append(standing)
                continue
            judged = judged_of(standing.entry)
            cause = self._cause(judged, only)
            if judged is not None and cause and self._reached(judged, standing.entry):
                done.append(standing)
                continue
            if cause and standing.entry.id in rested:
                continue
            if judged is None or cause:
                stale.append((standing, cause))
                continue
            applied.append(standing)
            if standing.entry.verdict != "equivalent":
                continue
            if only is not None:
                runs: Iterable[str | None] = (only,)
            elif narrowed:
                runs = [run.key for run in self._material.runs if run.key not in narrowed]
            else:
                runs = (None,)
            place = judged.place
            equal += [Equal(judged.gt, judged.model, run) for run in runs]
        return CaseDecision(tuple(applied), tuple(stale), tuple(conflicts), tuple(done), place, tuple(equal))

    def _reached(self, judged: CaseContent, entry: LogEntry) -> bool:
        """Whether the ground truth has changed since a doubt about it and now says what was proposed."""
        if entry.verdict != GT_WRONG or entry.basis.get("gt") == self._material.gt_fingerprint:
            return False
        question, document = self._questions.get(judged.question), self._documents.get(judged.document)
        if question is None or document is None or not question.graded:
            return False
        return any(one.text == entry.value for one in entries(question, document.values[question.id], "gt"))

    def _cause(self, judged: CaseContent | None, only: str | None) -> str:
        """Why a verdict does not apply; empty when it does."""
        if judged is None:
            return "the entry in the log does not say what was judged"
        question, document = self._questions.get(judged.question), self._documents.get(judged.document)
        if question is None or not question.graded:
            return f"{judged.question} is no text question of the set any more"
        if document is None:
            return f"the ground truth has no document {judged.document} any more"
        place = judged.place
        if place not in self._gt:
            self._gt[place] = {entry.plain: entry.number for entry in entries(question, document.values[question.id], "gt")}
            found: dict[str, set[str]] = {}
            texts: dict[str, list[str]] = defaultdict(list)
            for run in self._material.runs:
                texts[run.pages[document.id].answers.get(question.id, "")].append(run.key)
            for text, keys in texts.items():
                for entry in entries(question, text, "model"):
                    found.setdefault(entry.plain, set()).update(keys)
            self._found[place] = found
        if judged.gt not in self._gt[place]:
            now = " | ".join(self._gt[place]) or "nothing"
            return f"ground truth: {judged.gt!r} was judged, it says {now!r} now"
        runs = self._found[place].get(judged.model, set())
        if not runs:
            return f"no run answers {judged.model!r} any more"
        if only is not None and only not in runs:
            return f"{only} does not answer {judged.model!r} any more"
        return ""


def judged_of(entry: LogEntry) -> CaseContent | None:
    """What an entry of the log judged, from its basis; None when the basis does not bear out the case's id."""
    basis = entry.basis
    parts = [basis.get(key) for key in ("page", "question", "gt_entry", "reading")]
    if not all(isinstance(part, str) for part in parts):
        return None
    judged = CaseContent(*map(str, parts))
    return judged if judged.case == entry.case else None
