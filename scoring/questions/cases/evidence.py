"""What a case of the questions task shows (`docs/review.md`): blocks of plain values; whoever draws them makes them safe."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

from scoring.adjudication.cases import Block, Case, Comparison, Facts, Gauge, Grid, Line
from scoring.adjudication.decisions import LogEntry
from scoring.foundations.problems import InputError
from scoring.foundations.wording import counted
from scoring.questions.cases.queues import Reading, draft, near_miss, readings
from scoring.questions.execution.application import CaseContent, judged_of
from scoring.questions.execution.evaluation import Evaluation
from scoring.questions.matching.answer_scores import Match, entries, score_entries
from scoring.questions.matching.question_set import Question
from scoring.questions.measures.totals import Figures, pages, pooled


def judged_by(case: Case) -> CaseContent:
    """The pair of entries that a case of this task is about."""
    return CaseContent(*(str(case.basis.get(key, "")) for key in ("page", "question", "gt_entry", "reading")))


def evidence(evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False) -> tuple[Block, ...]:
    """What is needed to judge a case: both entries, how they were compared, other readings, the whole lists.

    `occurrence` (from 0) says which of the runs it occurs in is shown. `blind` leaves out what would sway the verdict: the
    accuracy, the models, how many runs read it so, what is drafted.

    Raises:
        InputError: the case is of another set of questions.
    """
    stale = case.basis.get("entry")
    judged = (judged_of(stale) if isinstance(stale, LogEntry) else None) or judged_by(case)
    if isinstance(stale, LogEntry):
        rows = (("said", stale.verdict), ("by", stale.verifier), ("why it does not apply", case.note))
        return (Comparison("ground truth, as judged", judged.gt, "model", judged.model), Facts("A verdict without its ground", rows))
    question = _question(evaluation, judged)
    grouped = readings(evaluation, (judged.document,))
    found = grouped.get(judged)
    if not found:
        raise InputError(f"case {case.id} does not occur in these runs", hint="list the cases again")
    first = found[occurrence % len(found)]
    label = f"ground truth, document {judged.document}, {question.id} entry {first.gt.number}"
    if blind:
        return (
            Comparison(label, first.gt.text, "answer", first.read.text),
            Facts("Question", _asked(question)),
            _lists(evaluation, question, judged, first, blind=True),
        )
    return (
        Comparison(label, first.gt.text, f"model, in {counted(len(found), 'run')}", first.read.text),
        Gauge("character accuracy", first.accuracy, evaluation.material.questions.review_below),
        _facts(evaluation, question, judged, first),
        _others(grouped, judged),
        _lists(evaluation, question, judged, first),
    )


def effects(evaluation: Evaluation, case: Case) -> tuple[Block, ...]:
    """What `equivalent` would move, if anything is left to move; no other verdict moves a figure."""
    if case.status == "stale":
        return ()
    judged = judged_by(case)
    moved = _moves(evaluation, _question(evaluation, judged), judged)
    return (moved,) if moved.lines else ()


def _question(evaluation: Evaluation, judged: CaseContent) -> Question:
    for question in evaluation.material.questions.questions:
        if question.id == judged.question:
            return question
    raise InputError(f"the case asks about {judged.question}, which is no question of the set", hint="list the cases again")


def _asked(question: Question) -> tuple[tuple[str, str], ...]:
    counted = (("counts", f"the first {question.words} words of each entry"),) if question.words else ()
    order = (("order", "any" if question.order == "free" else "as in the document"),) if question.type == "text_array" else ()
    return ((question.id, question.text), *counted, *order)


def _facts(evaluation: Evaluation, question: Question, judged: CaseContent, first: Reading) -> Facts:
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


def _others(grouped: dict[CaseContent, list[Reading]], judged: CaseContent) -> Grid:
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


def _lists(evaluation: Evaluation, question: Question, judged: CaseContent, first: Reading, *, blind: bool = False) -> Grid:
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
    if blind:
        lines = [Line(line.cells[:-1], line.mark) for line in lines]
        return Grid(f"One answer to {question.id}", header[:-1], tuple(lines))
    return Grid(f"The answer of {first.run}, {question.id}", header, tuple(lines))


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _moves(evaluation: Evaluation, question: Question, judged: CaseContent) -> Grid:
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
    title = f"What equivalent, alone, would move: {question.id}, document {document.id}"
    return Grid(title, ("model", "phase", "now", "then"), tuple(lines))


def overview(evaluation: Evaluation) -> tuple[Block, ...]:
    """The task at a glance: inputs, problems, verdicts, and a line a cell, as scored and as adjudicated."""
    material, figures = evaluation.material, Figures(evaluation)
    by_cell = pages(material)
    statuses = {name: sum(getattr(one, name) for one in by_cell.values()) for name in ("ok", "truncated", "failed", "missing")}
    severities = Counter(problem.severity.value for problem in material.problems)
    standing = {"applied": evaluation.applied, "stale": evaluation.stale, "in conflict": evaluation.conflicts}
    facts = Facts(
        "Inputs",
        (
            ("questions", f"{counted(len(material.questions.questions), 'question')}, {counted(len(material.documents), 'document')}"),
            ("runs", f"{len(material.runs)} of {counted(len(by_cell), 'cell')}"),
            ("pages", ", ".join(f"{count} {name}" for name, count in statuses.items())),
            ("problems", ", ".join(counted(times, name) for name, times in sorted(severities.items())) or "none"),
            ("decisions", ", ".join(f"{len(found)} {name}" for name, found in standing.items())),
        ),
    )
    before, after = (pooled(found, lambda _, *cell: cell) for found in (figures.automatic, figures.adjudicated))
    lines = []
    for cell, page in by_cell.items():
        moved = before[cell].score != after[cell].score
        cells = (
            *cell,
            str(page.runs),
            str(before[cell].base),
            str(before[cell].perfect),
            *(_figure(t[cell].score) for t in (before, after)),
        )
        lines.append(Line(cells, "Δ" if moved else ""))
    return facts, Grid("Cells", ("model", "phase", "runs", "answers", "right", "score", "adjudicated"), tuple(lines))
