"""What the rules need to know of the questions: which fields there are, what stands in them, and where (`docs/rules.md#checks`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.questions.inputs.material import Material
from scoring.questions.matching.answer_scores import entries
from scoring.questions.matching.question_set import QuestionSet
from scoring.rules import ValueLocation, Witnesses


def known_fields(questions: QuestionSet) -> Mapping[str, str]:
    """The fields that rows of EQUIVALENCES.md may name, each with the method by which the rules normalise it."""
    return dict.fromkeys(questions.rule_fields, "question")


def witnesses(material: Material) -> Witnesses:
    """The distinct entries of each text question, in the ground truth and in the runs."""
    gt: dict[str, dict[str, None]] = {}
    runs: dict[str, dict[str, None]] = {}
    for question in material.questions.questions:
        if not question.graded:
            continue
        gt[question.id] = {one.text: None for doc in material.documents for one in entries(question, doc.values[question.id], "gt")}
        texts = {page.answers[question.id]: None for run in material.runs for page in run.pages.values() if page.answered}
        runs[question.id] = {one.text: None for text in texts for one in entries(question, text, "model")}
    return Witnesses({name: tuple(found) for name, found in gt.items()}, {name: tuple(found) for name, found in runs.items()})


def sightings(material: Material, field: str) -> Iterator[ValueLocation]:
    """The entries of a text question, where they stand: the ground truth, then the runs."""
    question = next((one for one in material.questions.questions if one.id == field and one.graded), None)
    if question is None:
        return
    for document in material.documents:
        for one in entries(question, document.values[field], "gt"):
            yield ValueLocation(one.text, "gt", document.id, f"gt:{document.id}:{field}:{one.number}")
    for run in material.runs:
        for page in run.pages.values():
            for one in entries(question, page.answers.get(field, ""), "model") if page.answered else ():
                yield ValueLocation(one.text, "model", page.document, f"model:{run.key}:{page.document}:{field}:{one.number}")
