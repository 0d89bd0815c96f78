"""Entries read with a low character accuracy, to be judged (`docs/questions.md#review`, `docs/adjudication.md#cases`).

One case is one pair of entries of one document, however many runs read it so; it is known by the two entries
pre-processed without equivalences, so that settling a rule makes no verdict stale.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from scoring.adjudication.cases import Case, Occurrence, Status, in_queue_order
from scoring.foundations.hashing import content_hash
from scoring.foundations.incremental import Steps, finished
from scoring.questions.execution.application import QUEUE, TASK, CaseContent, CaseDecision, Stale, judged_of
from scoring.questions.execution.evaluation import Evaluation
from scoring.questions.matching.answer_scores import AnswerItem, plain_value
from scoring.questions.matching.question_set import Question
from scoring.questions.measures.totals import answers
from scoring.workspace.layout import natural_key

QUEUES = (QUEUE, "conflicts", "stale")
VERDICTS: tuple[str, ...] = ("equivalent", "misread", "gt-wrong", "unsure")
NEEDS: Mapping[str, str] = {"equivalent": "", "misread": "", "gt-wrong": "value", "unsure": ""}
"""What a verdict cannot do without: `gt-wrong` the entry that the ground truth should have."""


NOTHING = CaseDecision()


@dataclass(frozen=True, slots=True)
class Reading:
    """A pair of entries where it was matched: run, entry numbers, accuracy, and what the figures would gain by full accuracy."""

    run: str
    model: str
    gt: AnswerItem
    read: AnswerItem
    accuracy: float
    gain: float


def readings(evaluation: Evaluation, documents: Collection[str] | None = None) -> dict[CaseContent, list[Reading]]:
    """Every matched pair of entries in the automatic scores (on the named documents), grouped over runs."""
    out: dict[CaseContent, list[Reading]] = defaultdict(list)
    for run, document, question, _, scored in answers(evaluation.material, evaluation.automatic, documents):
        if (match := scored.match) is None:
            continue
        pairs = match.pairs
        if question.type == "string" and len(match.gt) == len(match.model) == 1:
            shown = [(match.gt[0], match.model[0], pairs[0].accuracy if pairs else 0.0)]
        else:
            shown = [(match.gt[pair.gt], match.model[pair.model], pair.accuracy) for pair in pairs]
        weight = 2 / (len(match.gt) + len(match.model)) if shown else 0.0
        for wanted, read, accuracy in shown:
            judged = CaseContent(document, question.id, wanted.plain, read.plain)
            out[judged].append(Reading(run.key, run.model, wanted, read, accuracy, (1 - accuracy) * weight))
    return out


def gt_target(judged: CaseContent, number: int) -> str:
    """`gt:DOCUMENT:QUESTION:ENTRY`, entries from 1."""
    return f"gt:{judged.document}:{judged.question}:{number}"


def model_target(judged: CaseContent, run: str, number: int) -> str:
    """`model:MODEL/PHASE/RUN:DOCUMENT:QUESTION:ENTRY`, entries from 1."""
    return f"model:{run}:{judged.document}:{judged.question}:{number}"


def cases(evaluation: Evaluation, documents: Collection[str] | None = None) -> tuple[Case, ...]:
    """The queue: entries read below `review_below`, largest effect on the figures first; then stale verdicts, for another look."""
    return finished(gathering(evaluation, documents))


def gathering(evaluation: Evaluation, documents: Collection[str] | None = None) -> Steps[tuple[Case, ...]]:
    """`cases` (of the named documents) in short steps, one a document."""
    material = evaluation.material
    by_id = {question.id: question for question in material.questions.questions}
    place = {name: at for at, name in enumerate(material.questions.ids)}
    runs = Counter(run.model for run in material.runs)
    made: dict[str, Case] = {}
    for document in material.documents:
        if documents is not None and document.id not in documents:
            continue
        for judged, found in readings(evaluation, (document.id,)).items():
            if any(reading.accuracy < material.questions.review_below for reading in found):
                identity = judged.case
                bound = evaluation.bound.get(identity, NOTHING)
                status: Status = "conflict" if bound.conflicts else "decided" if bound.applied else "open"
                made[identity] = _case(evaluation, judged, by_id[judged.question], found, runs, place[judged.question], status)
        yield
    for stale in evaluation.stale:
        if stale.entry.case not in made and (documents is None or stale.entry.basis.get("page") in documents):
            made[stale.entry.case] = _stale(stale)
    return tuple(in_queue_order(made.values()))


def _case(
    evaluation: Evaluation,
    judged: CaseContent,
    question: Question,
    found: list[Reading],
    models: Mapping[str, int],
    at: int,
    status: Status,
) -> Case:
    first = found[0]
    new = ""
    entry = evaluation.decisions.standing_of(TASK, judged.case)
    if entry is not None and isinstance(seen := entry.entry.basis.get("occurrences"), int) and len(found) > seen:
        new = f"{len(found) - seen} new since the verdict"
    return Case(
        id=judged.case,
        task=TASK,
        queue=QUEUE,
        page=judged.document,
        title=f"{first.read.text} ~ {first.gt.text} ({judged.question})",
        question=f"Document {judged.document}, {judged.question}: does {first.read.text!r} say what {first.gt.text!r} says?",
        suggestion=suggestion(evaluation, judged, found, models),
        verdicts=VERDICTS,
        occurrences=tuple(
            Occurrence(reading.run, (gt_target(judged, reading.gt.number), model_target(judged, reading.run, reading.read.number)))
            for reading in found
        ),
        leverage=sum(reading.gain for reading in found) * _plausible(evaluation, judged, question, first.accuracy),
        targets=(gt_target(judged, first.gt.number),),
        basis=basis_of(judged, found),
        order=(natural_key(judged.document), at, first.gt.number, first.read.plain),
        status=status,
        note=new,
    )


def _plausible(evaluation: Evaluation, judged: CaseContent, question: Question, accuracy: float) -> float:
    """How far the two may be the same entry at all: what the best matching pairs from what is left over has little in common."""
    proposed = draft(judged)
    if (
        question.type == "string"
        or accuracy >= evaluation.material.workspace.settings.misread_floor
        or abbreviates(proposed.form, proposed.canonical)
    ):
        return 1.0
    return accuracy


def basis_of(judged: CaseContent, found: list[Reading]) -> dict[str, object]:
    """What the log keeps of a case."""
    first = found[0]
    return {
        "page": judged.document,
        "question": judged.question,
        "gt_entry": judged.gt,
        "reading": judged.model,
        "rows": {gt_target(judged, number): content_hash(judged.gt) for number in sorted({reading.gt.number for reading in found})},
        "similarity": first.accuracy,
        "occurrences": len(found),
    }


def _stale(stale: Stale) -> Case:
    """A verdict whose ground or reading is no longer there: kept or revisited by the verifier, never dropped."""
    entry = stale.entry
    judged = judged_of(entry)
    document, name = (judged.document, judged.question) if judged else (str(entry.basis.get("page", "")), "")
    named = f"{judged.model} ~ {judged.gt} ({name})" if judged else entry.case
    return Case(
        id=entry.case,
        task=TASK,
        queue="stale",
        page=document,
        title=named,
        question=f"{entry.verifier} said {entry.verdict}; what was judged has changed since. Keep the verdict, or revisit the case?",
        suggestion=None,
        verdicts=("keep", "revisit"),
        occurrences=(),
        leverage=0.0,
        targets=entry.targets,
        basis={"entry": entry},
        order=(natural_key(document), len(entry.case), 0, named),
        status="stale",
        note=stale.cause,
    )


# What is suggested, and what `equivalent` drafts.


@dataclass(frozen=True, slots=True)
class Draft:
    """The OPEN row of EQUIVALENCES.md section 2 that `equivalent` drafts."""

    form: str
    canonical: str
    field: str
    witness: str


_ABBREVIATED = re.compile(r"(\w[\w']*)\.(\w*)")


def draft(judged: CaseContent) -> Draft:
    """The rule that would make the two entries one: the words in which they differ, the abbreviated side (else the model's) as the form."""
    gt, model = judged.gt.split(), judged.model.split()
    while len(gt) > 1 and len(model) > 1 and gt[0] == model[0]:
        gt, model = gt[1:], model[1:]
    while len(gt) > 1 and len(model) > 1 and gt[-1] == model[-1]:
        gt, model = gt[:-1], model[:-1]
    form, canonical = " ".join(model), " ".join(gt)
    if "." in canonical and "." not in form:
        form, canonical = canonical, form
    return Draft(form, canonical, judged.question, f"{judged.model} for {judged.gt}, document {judged.document}")


def abbreviates(short: str, long: str) -> bool:
    """Whether `short` is `long` with letters left out at one stop and none changed: `d.co` of `domestico`, not of `domestica`."""
    found = _ABBREVIATED.fullmatch(short)
    return bool(
        found and len(long) > len(found[1]) + len(found[2]) and long.startswith(found[1]) and long.endswith(found[2]) and "." not in long
    )


def suggestion(evaluation: Evaluation, judged: CaseContent, found: list[Reading], models: Mapping[str, int]) -> str:
    """`equivalent` for an abbreviation of the same ending; `gt-wrong` where most models read the same in most runs; else `misread`."""
    proposed = draft(judged)
    if abbreviates(proposed.form, proposed.canonical):
        return "equivalent"
    if near_miss(evaluation, judged) is None:
        by_model = Counter(reading.model for reading in {reading.run: reading for reading in found}.values())
        agreeing = sum(by_model[model] * 2 > runs for model, runs in models.items())
        if agreeing > 1 and agreeing > evaluation.material.workspace.settings.majority * len(models):
            return "gt-wrong"
    return "misread"


def near_miss(evaluation: Evaluation, judged: CaseContent) -> str | None:
    """Why §3 of the rules says that the two must not be made one; None where it says nothing."""
    proposed = draft(judged)
    words = {proposed.form, proposed.canonical}
    for row in evaluation.material.rules.near_misses:
        if judged.question in row.fields and {plain_value(row.form, "model"), plain_value(row.not_, "model")} == words:
            return row.why or "listed as a near miss"
    return None
