"""What a case of the questions task shows (`4-adjudication`, Review): blocks of plain values; whoever draws them makes them safe."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from scoring.adjudication.cases import Block, Case, Comparison, Facts, Gauge, Grid, Line
from scoring.problems import InputError
from scoring.questions.answers import Match, entries, score_entries
from scoring.questions.cases import Reading, draft, near_miss, readings
from scoring.questions.evaluate import Evaluation, Judged
from scoring.questions.questions import Question


def judged_by(case: Case) -> Judged:
    """The pair of entries that a case of this task is about."""
    return Judged(*(str(case.basis.get(key, "")) for key in ("page", "question", "gt_entry", "reading")))


def evidence(evaluation: Evaluation, case: Case, occurrence: int = 0) -> tuple[Block, ...]:
    """What is needed to judge a case: both entries, how they were compared, other readings, the whole lists, what a verdict moves.

    `occurrence` (from 0) says which of the runs it occurs in is shown.

    Raises:
        InputError: the case is of another set of questions.
    """
    judged = judged_by(case)
    question = next((question for question in evaluation.material.questions.questions if question.id == judged.question), None)
    if question is None:
        raise InputError(f"the case asks about {judged.question}, which is no question of the set", hint="list the cases again")
    grouped = readings(evaluation, (judged.document,))
    found = grouped.get(judged, [])
    if not found:
        note = (("why the verdict is stale", case.note),) if case.note else ()
        return (Comparison("ground truth", judged.gt, "model", judged.model), Facts("Question", (*_asked(question), *note)))
    first = found[occurrence % len(found)]
    label = f"ground truth, document {judged.document}, {question.id} entry {first.gt.number}"
    return (
        Comparison(label, first.gt.text, f"model, in {len(found)} runs", first.read.text),
        Gauge("character accuracy", first.accuracy, evaluation.material.questions.review_below),
        _facts(evaluation, question, judged, first),
        _others(grouped, judged),
        _lists(evaluation, question, judged, first),
        _moves(evaluation, question, judged),
    )


def _asked(question: Question) -> tuple[tuple[str, str], ...]:
    counted = (("counts", f"the first {question.words} words of each entry"),) if question.words else ()
    order = (("order", "any" if question.order == "free" else "as in the document"),) if question.type == "text_array" else ()
    return ((question.id, question.text), *counted, *order)


def _facts(evaluation: Evaluation, question: Question, judged: Judged, first: Reading) -> Facts:
    proposed = draft(judged)
    rows = [
        *_asked(question),
        ("compared", f"{first.gt.form} / {first.read.form}"),
        ("characters", f"{len(first.gt.form)} in the ground truth, accuracy {first.accuracy:.3f}"),
        ("equivalent drafts", f"{proposed.form} = {proposed.canonical}, field {proposed.field}, OPEN"),
    ]
    why = near_miss(evaluation, judged)
    if why is not None:
        rows.append(("near miss", why))
    return Facts("Question", tuple(rows))


def _others(grouped: dict[Judged, list[Reading]], judged: Judged) -> Grid:
    """All that models read for this entry of the ground truth."""
    lines: list[tuple[int, Line]] = []
    for other, found in grouped.items():
        if (other.document, other.question, other.gt) == (judged.document, judged.question, judged.gt):
            by_model = Counter(reading.model for reading in found)
            models = ", ".join(f"{model} {count}" for model, count in by_model.items())
            mark = "*" if other == judged else ""
            lines.append((len(found), Line((found[0].read.text, f"{found[0].accuracy:.3f}", str(len(found)), models), mark)))
    lines.sort(key=lambda pair: (-pair[0], pair[1].cells))
    return Grid("All readings of this entry", ("reading", "accuracy", "runs", "models"), tuple(line for _, line in lines))


def _lists(evaluation: Evaluation, question: Question, judged: Judged, first: Reading) -> Grid:
    """Both answers of one run, entry beside entry; `-` missed, `+` without counterpart."""
    match = evaluation.automatic[first.run][judged.document, question.id].match or Match((), (), ())
    by_gt = {pair.gt: pair for pair in match.pairs}
    lines: list[Line] = []
    for at, wanted in enumerate(match.gt):
        pair = by_gt.get(at)
        read = match.model[pair.model] if pair else None
        cells = (
            str(wanted.number),
            wanted.text,
            str(read.number) if read else "",
            read.text if read else "",
            _figure(pair.accuracy if pair else None),
        )
        lines.append(Line(cells, "*" if wanted.number == first.gt.number else "" if pair else "-"))
    taken = {pair.model for pair in match.pairs}
    lines += [Line(("", "", str(read.number), read.text, ""), "+") for at, read in enumerate(match.model) if at not in taken]
    header = ("entry", "ground truth", "entry", "model", "accuracy")
    return Grid(f"The answer of {first.run}, {question.id}", header, tuple(lines))


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _moves(evaluation: Evaluation, question: Question, judged: Judged) -> Grid:
    """What `equivalent` would move: the question's mean on this document per cell, as it is adjudicated now and then."""
    material = evaluation.material
    document = next(document for document in material.documents if document.id == judged.document)
    gt = entries(question, document.values[question.id], "gt", material.field_rules(question))
    now: dict[tuple[str, str], list[float]] = defaultdict(list)
    then: dict[tuple[str, str], list[float]] = defaultdict(list)
    for run in material.runs:
        page = run.pages[document.id]
        if not page.answered:
            continue
        model = entries(question, page.answers[question.id], "model", material.field_rules(question))
        before = evaluation.adjudicated[run.key][document.id, question.id].score
        granted = evaluation.granted(run.key, (document.id, question.id)) | {(judged.gt, judged.model)}
        after = score_entries(question, gt, model, granted).score
        if before is not None and after is not None:
            now[run.cell].append(before)
            then[run.cell].append(after)
    lines = [
        Line((*cell, f"{math.fsum(now[cell]) / len(now[cell]):.3f}", f"{math.fsum(then[cell]) / len(then[cell]):.3f}"))
        for cell in now
        if now[cell] != then[cell]
    ]
    title = f"What equivalent would move: {question.id} on document {document.id} (misread, gt-wrong and unsure move no figure)"
    return Grid(title, ("model", "phase", "now", "then"), tuple(lines))
