"""What a verdict on a case of the questions task says, checked before it is written (`2-questions`, Adjudication)."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.adjudication.cases import Case, Judgement
from scoring.problems import InputError
from scoring.provenance import engine_fingerprint
from scoring.questions.answers import entries
from scoring.questions.evaluate import KEEP, REVISIT, Evaluation


def judge(
    evaluation: Evaluation, case: Case, verdict: str, *, targets: Sequence[str] = (), value: object = None, run: str | None = None
) -> Judgement:
    """What a verdict on a case says.

    Args:
        targets: ROWs pointed to; a case is about one entry, so none or its own.
        value: for `gt-wrong`, the entry that the ground truth should have.
        run: narrows the verdict to this run's answer.

    Raises:
        InputError: an unknown verdict, a pointer elsewhere, no value or an impossible one, a run in which the case does not occur.
    """
    if verdict not in case.verdicts:
        raise InputError(f"`{verdict}` is no verdict on this case", hint=f"verdicts are {', '.join(case.verdicts)}")
    occurring = {occurrence.run: occurrence.targets for occurrence in case.occurrences}
    own = {*case.targets, *(target for pointed in occurring.values() for target in pointed)}
    for target in targets:
        if target not in own:
            raise InputError(f"{target} is not what this case asks about", hint="leave --to out; other entries are other cases")
    if run is not None and run not in occurring:
        raise InputError(f"case {case.id} does not occur in run {run}", hint="`adjudicate show` lists where it occurs")
    if verdict in (KEEP, REVISIT):
        said = case.basis.get("verdict") if verdict == KEEP else None
        basis = {key: part for key, part in case.basis.items() if key != "verdict"}
        return Judgement(case.id, verdict, case.targets, said, "reading", None, basis)
    proposed = _proposal(evaluation, case, value) if verdict == "gt-wrong" else None
    if verdict != "gt-wrong" and value is not None:
        raise InputError(f"`{verdict}` takes no value", hint="a value goes with gt-wrong: the entry as it should be")
    material = evaluation.material
    basis = {
        **case.basis,
        "gate": material.questions.review_below,
        "gt": material.gt_fingerprint,
        "rules": material.rules.fingerprint,
        "engine": engine_fingerprint(),
    }
    pointed = occurring[run] if run is not None else case.targets
    return Judgement(case.id, verdict, pointed, proposed, "row" if run is not None else "reading", run, basis)


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
