"""What a verdict on a case of the questions task says, checked before it is written (`docs/questions.md#review`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.adjudication.cases import Case, Judgement
from scoring.adjudication.decisions import LogEntry
from scoring.foundations.problems import InputError
from scoring.questions.cases.queues import VERDICTS, basis_of, readings
from scoring.questions.execution.application import CaseContent, judged_of
from scoring.questions.execution.evaluation import Evaluation
from scoring.questions.matching.answer_scores import entries
from scoring.workspace.provenance import engine_fingerprint

DRAFTED = ("form", "canonical", "field")
"""What the log keeps of the row that `equivalent` drafts."""


def judge(
    evaluation: Evaluation, case: Case, verdict: str, *, targets: Sequence[str] = (), value: object = None, run: str | None = None
) -> Judgement:
    """What a verdict on a case says.

    Args:
        targets: ROWs pointed to; a case is about one entry, so none or its own.
        value: for `gt-wrong`, the entry that the ground truth should have; with `equivalent`, the row drafted (form, canonical, field).
        run: narrows the verdict to this run's answer.

    Raises:
        InputError: an unknown verdict, a pointer elsewhere, no value or an impossible one, a run in which the case does not occur.
    """
    if verdict not in VERDICTS:
        raise InputError(f"`{verdict}` is no verdict on this case", hint=f"verdicts are {', '.join(VERDICTS)}")
    if case.status == "stale":
        raise InputError("what was judged has changed since", hint="keep the verdict, or revisit the case")
    occurring = {occurrence.run: occurrence.targets for occurrence in case.occurrences}
    own = {*case.targets, *(target for pointed in occurring.values() for target in pointed)}
    for target in targets:
        if target not in own:
            raise InputError(f"{target} is not what this case asks about", hint="leave --to out; other entries are other cases")
    if run is not None and run not in occurring:
        raise InputError(f"case {case.id} does not occur in run {run}", hint="`adjudicate show` lists where it occurs")
    said = _said(evaluation, case, verdict, value)
    pointed = occurring[run] if run is not None else case.targets
    return Judgement(case.id, verdict, pointed, said, "row" if run is not None else "reading", run, _grounds(evaluation, case.basis))


def _said(evaluation: Evaluation, case: Case, verdict: str, value: object) -> object:
    """The value that goes with a verdict, checked."""
    if verdict == "gt-wrong":
        return _proposal(evaluation, case, value)
    if value is None:
        return None
    if verdict == "equivalent" and isinstance(value, Mapping):
        if set(value) == set(DRAFTED) and all(isinstance(part, str) and part.strip() for part in value.values()):
            return dict(value)
        raise InputError(f"`equivalent` takes the row it drafts: {', '.join(DRAFTED)}", hint="leave it out for the row proposed")
    raise InputError(f"`{verdict}` takes no value", hint="a value goes with gt-wrong: the entry as it should be")


def _grounds(evaluation: Evaluation, basis: Mapping[str, object]) -> dict[str, object]:
    material = evaluation.material
    return {
        **basis,
        "gate": material.questions.review_below,
        "gt": material.gt_fingerprint,
        "rules": material.rules.fingerprint,
        "engine": engine_fingerprint(),
    }


def kept(evaluation: Evaluation, entry: LogEntry) -> Judgement:
    """What a stale verdict says when it is said of the entry that now stands where the judged one stood.

    Raises:
        InputError: there is no such entry, or no run reads it so.
    """
    judged = judged_of(entry)
    target = next((target for target in entry.targets if target.startswith("gt:")), "")
    number = target.rpartition(":")[2]
    gone = "revisit the verdict instead"
    if judged is None or not number.isdecimal():
        raise InputError("the entry in the log does not say what was judged", hint=gone)
    question = next((one for one in evaluation.material.questions.questions if one.id == judged.question), None)
    document = next((one for one in evaluation.material.documents if one.id == judged.document), None)
    if question is None or document is None or not question.graded:
        raise InputError(f"there is no {judged.question} of document {judged.document} any more", hint=gone)
    standing = entries(question, document.values[question.id], "gt")
    if not 1 <= int(number) <= len(standing):
        raise InputError(f"{judged.question} of document {judged.document} has no entry {number} any more", hint=gone)
    now = standing[int(number) - 1]
    if entry.verdict == "gt-wrong" and entry.value == now.text:
        raise InputError("the ground truth says by now what the verdict proposed", hint=gone)
    fresh = CaseContent(judged.document, judged.question, now.plain, judged.model)
    found = [one for one in readings(evaluation, (judged.document,)).get(fresh, []) if entry.run in (None, one.run)]
    if not found:
        raise InputError(f"no run matches {judged.model!r} with {fresh.gt!r}", hint=gone)
    return Judgement(
        fresh.case, entry.verdict, entry.targets, entry.value, entry.scope, entry.run, _grounds(evaluation, basis_of(fresh, found))
    )


def _proposal(evaluation: Evaluation, case: Case, value: object) -> str:
    """The proposed entry: a text of one entry that differs from what stands there."""
    if not isinstance(value, str) or not value.strip():
        raise InputError("`gt-wrong` needs the entry you propose instead", hint="give it with --value, or type it in the field")
    proposed = value.strip()
    question = next(question for question in evaluation.material.questions.questions if question.id == case.basis.get("question"))
    if question.type == "text_array" and "|" in proposed:
        raise InputError("a proposed entry holds a `|`, which divides entries", hint="propose this entry alone")
    document = next(document for document in evaluation.material.documents if document.id == case.page)
    number = int(case.targets[0].rpartition(":")[2])
    if entries(question, document.values[question.id], "gt")[number - 1].text == proposed:
        raise InputError("this is what the ground truth says already", hint="propose another text, or give another verdict")
    return proposed
