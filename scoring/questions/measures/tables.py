"""The task's figures as plain tables, for terminal, CSV, Markdown and HTML alike (`docs/questions.md#reports`).

A cell is a text, a whole number, a number (a share from 0 to 1, or a mean), or None where it is undefined.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from scoring.questions.execution.evaluation import Evaluation
from scoring.questions.matching.answer_scores import ILLEGIBLE
from scoring.questions.measures.breakdowns import EXPECTED, GIVEN, confusions, consistency, differences
from scoring.questions.measures.totals import Figures, Tally, answers, pages, pooled, rate

Cell = str | int | float | None
Rows = tuple[tuple[Cell, ...], ...]


class QuestionTable(NamedTuple):
    """A table: title, header, rows. A row is as long as the header."""

    title: str
    header: tuple[str, ...]
    rows: Rows


TOTAL = "all"


def tables(evaluation: Evaluation) -> list[QuestionTable]:
    """The tables of the report's section, in order."""
    figures = Figures(evaluation)
    return [
        cells(figures),
        types(figures),
        questions(figures),
        booleans(figures),
        integers(figures),
        texts(figures),
        consistency_by_cell(figures),
        illegibility(figures),
        confusion(evaluation),
        integer_differences(evaluation),
    ]


def cells(figures: Figures) -> QuestionTable:
    """A row a cell: pages, answers that count, the mean score as scored and as adjudicated."""
    counted = pages(figures.material)
    automatic, adjudicated = (pooled(found, lambda _, *cell: cell) for found in (figures.automatic, figures.adjudicated))
    rows = [
        (
            *(*cell, page.runs, page.ok + page.truncated, page.truncated, page.failed, page.missing),
            *(automatic[cell].base, automatic[cell].perfect, automatic[cell].score, adjudicated[cell].score),
        )
        for cell, page in counted.items()
    ]
    header = ("model", "phase", "runs", "pages", "truncated", "failed", "missing", "answers", "right", "score", "adjudicated")
    return QuestionTable("Scores by cell, all questions", header, tuple(rows))


def types(figures: Figures) -> QuestionTable:
    """A row a type of question, a column a cell: mean score, micro-averaged."""
    found = pooled(figures.automatic, lambda question, *cell: (question.type, *cell))
    kinds = list(dict.fromkeys(question.type for question in figures.questions))
    rows = [(kind, *(found[kind, *cell].score for cell in figures.cells)) for kind in kinds]
    return QuestionTable("Score by type of question and cell", ("type", *_heads(figures)), tuple(rows))


def questions(figures: Figures) -> QuestionTable:
    """The summary over questions: a row a question, mean score by cell, with totals."""
    rows: list[tuple[Cell, ...]] = []
    if figures.cells:
        by_question = pooled(figures.automatic, lambda question, *_: (question.id,))
        by_cell = pooled(figures.automatic, lambda _, *cell: cell)
        for question in figures.questions:
            each = (figures.automatic[question, *cell].score for cell in figures.cells)
            rows.append((question.id, question.type, *each, by_question[question.id,].score))
        whole = pooled(figures.automatic, lambda *_: ())[()]
        rows.append((TOTAL, "", *(by_cell[cell].score for cell in figures.cells), whole.score))
    return QuestionTable("Score by question and cell", ("question", "type", *_heads(figures), TOTAL), tuple(rows))


def _heads(figures: Figures) -> tuple[str, ...]:
    return tuple(f"{model} {phase}" for model, phase in figures.cells)


def booleans(figures: Figures) -> QuestionTable:
    """The three rates of the booleans per question and cell, with totals over phases, models and questions."""

    def shown(tally: Tally) -> tuple[Cell, ...]:
        counts = (tally.asked, tally.correct, tally.incorrect, tally.claims, tally.excluded)
        return *counts, tally.conditional, tally.combined, tally.claim_rate

    header = ("asked", "correct", "incorrect", "claims", "excluded", "conditional", "combined", "claim_rate")
    return QuestionTable("Booleans", ("question", "model", "phase", *header), _with_totals(figures, {"boolean"}, shown))


def integers(figures: Figures) -> QuestionTable:
    """Accuracy of integers and paired integers per question and cell, with totals."""

    def shown(tally: Tally) -> tuple[Cell, ...]:
        return tally.asked, tally.correct, tally.incorrect, tally.excluded, tally.combined

    header = ("question", "model", "phase", "asked", "correct", "incorrect", "excluded", "accuracy")
    return QuestionTable("Integers and paired integers", header, _with_totals(figures, {"integer", "paired_integer"}, shown))


def texts(figures: Figures) -> QuestionTable:
    """Strings and text arrays: the mean over documents is the score; pooled precision, recall and F1 stand beside it."""

    def shown(tally: Tally) -> tuple[Cell, ...]:
        entries = (tally.gt_entries, tally.model_entries) if tally.gt_entries + tally.model_entries else (None, None)
        return tally.base, tally.perfect, tally.score, *entries, tally.precision, tally.recall, tally.f1

    header = ("answers", "right", "score", "gt_entries", "model_entries", "precision", "recall", "f1")
    rows = _with_totals(figures, {"string"}, shown, sum_up=False) + _with_totals(figures, {"text_array"}, shown)
    return QuestionTable("Strings and text arrays", ("question", "model", "phase", *header), rows)


def _with_totals(figures: Figures, kinds: set[str], shown: Callable[[Tally], tuple[Cell, ...]], *, sum_up: bool = True) -> Rows:
    """Rows per question and cell, after each question's cells its models and its total; at the end (`sum_up`) all questions."""
    chosen = {key: tally for key, tally in figures.automatic.items() if key[0].type in kinds}
    if not chosen:
        return ()
    rows: list[tuple[Cell, ...]] = []
    places = [*figures.cells, *((model, TOTAL) for model in figures.models), (TOTAL, TOTAL)]
    groups = [
        pooled(chosen, lambda question, model, phase: (question.id, model, phase)),
        pooled(chosen, lambda question, model, _: (question.id, model, TOTAL)),
        pooled(chosen, lambda question, *_: (question.id, TOTAL, TOTAL)),
        pooled(chosen, lambda _, model, phase: (TOTAL, model, phase)),
        pooled(chosen, lambda _, model, __: (TOTAL, model, TOTAL)),
        pooled(chosen, lambda *_: (TOTAL, TOTAL, TOTAL)),
    ]
    found = {key: tally for group in groups for key, tally in group.items()}
    names = [*dict.fromkeys(question.id for question, *_ in chosen), *((TOTAL,) if sum_up else ())]
    for name in names:
        rows += [(name, *place, *shown(found[name, *place])) for place in places]
    return tuple(rows)


def consistency_by_cell(figures: Figures) -> QuestionTable:
    """A row a question, a column a cell: the share of runs that give the cell's most frequent answer, over all documents."""
    gathered: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for one in consistency(figures.material):
        for key in ((one.question, one.model, one.phase), (one.question,), (one.model, one.phase), ()):
            gathered.setdefault(key, []).append((one.same, one.runs))

    def share(*key: str) -> float | None:
        found = gathered.get(key, [])
        return rate(sum(same for same, _ in found), sum(runs for _, runs in found))

    rows: list[tuple[Cell, ...]] = [
        (question.id, *(share(question.id, *cell) for cell in figures.cells), share(question.id)) for question in figures.questions
    ]
    if figures.cells:
        rows.append((TOTAL, *(share(*cell) for cell in figures.cells), share()))
    return QuestionTable(
        "Consistency: share of runs that give their cell's most frequent answer", ("question", *_heads(figures), TOTAL), tuple(rows)
    )


def illegibility(figures: Figures) -> QuestionTable:
    """Where models say `illegible`: claims per boolean and model; elsewhere the word is an ordinary wrong answer, counted too."""
    by_model = pooled(figures.automatic, lambda question, model, _: (question.id, model))
    said: Counter[tuple[str, str]] = Counter()
    for run, document, question, _, _ in answers(figures.material, figures.evaluation.automatic):
        if run.pages[document].answers[question.id].strip().casefold() == ILLEGIBLE:
            said[question.id, run.model] += 1
    rows: list[tuple[Cell, ...]] = []
    for question in figures.questions:
        if question.illegible or any(said[question.id, model] for model in figures.models):
            for model in figures.models:
                tally = by_model[question.id, model]
                rows.append((question.id, model, tally.asked, said[question.id, model], tally.claims, tally.claim_rate))
    booleans = [question.id for question in figures.questions if question.illegible]
    for model in figures.models:
        asked, claims = (sum(getattr(by_model[name, model], what) for name in booleans) for what in ("asked", "claims"))
        every = sum(count for (_, one), count in said.items() if one == model)
        rows.append((TOTAL, model, asked, every, claims, rate(claims, asked)))
    return QuestionTable("Illegibility", ("question", "model", "asked", "said_illegible", "claims", "claim_rate"), tuple(rows))


def confusion(evaluation: Evaluation) -> QuestionTable:
    """Per boolean and cell: what was expected against what was given, in counts."""
    rows: list[tuple[Cell, ...]] = []
    for key, found in confusions(evaluation).items():
        for wanted in EXPECTED:
            counts = [found.counts[wanted, given] for given in GIVEN]
            if any(counts):
                rows.append((*key, wanted, *counts))
    return QuestionTable("Confusion of the booleans", ("question", "model", "phase", "expected", *GIVEN), tuple(rows))


def integer_differences(evaluation: Evaluation) -> QuestionTable:
    """Per integer and cell: how far answers lie from the ground truth, undercounts on the left."""
    rows = [
        (*key, found.compared, found.under, found.exact, found.over, found.mean, found.least, found.greatest, found.none)
        for key, found in differences(evaluation).items()
    ]
    header = ("question", "model", "phase", "compared", "under", "exact", "over", "mean_difference", "least", "greatest", "no_number")
    return QuestionTable("Integers: difference from the ground truth (model - GT)", header, tuple(rows))


def summary_rows(evaluation: Evaluation) -> QuestionTable:
    """The file `questions_summary.csv`: everything per question and cell, one row each, full precision."""
    figures = Figures(evaluation)
    counted = pages(evaluation.material)
    rows: list[tuple[Cell, ...]] = []
    for question in figures.questions:
        for cell, page in counted.items():
            t, a = figures.automatic[question, *cell], figures.adjudicated[question, *cell]
            is_boolean, is_array = question.type == "boolean", question.type == "text_array"
            rows.append(
                (
                    *(question.id, question.type, *cell, page.runs, page.ok + page.truncated, page.failed, page.missing),
                    *(t.answered, t.asked, t.base, t.correct, t.incorrect, t.claims, t.excluded, t.perfect, t.score),
                    *((t.conditional, t.combined, t.claim_rate) if is_boolean else (None, None, None)),
                    *((t.gt_entries, t.model_entries, t.precision, t.recall, t.f1) if is_array else (None,) * 5),
                    *(a.perfect, a.score),
                )
            )
    header = (
        *("question", "type", "model", "phase", "runs", "pages_scored", "pages_failed", "pages_missing"),
        *("answers", "asked", "base", "correct", "incorrect", "claims", "excluded", "right", "score"),
        *("conditional_accuracy", "combined_accuracy", "claim_rate"),
        *("gt_entries", "model_entries", "precision", "recall", "f1", "adjudicated_right", "adjudicated_score"),
    )
    return QuestionTable("questions_summary", header, tuple(rows))


def answer_rows(evaluation: Evaluation) -> QuestionTable:
    """The file `questions_answers.csv`: every answer with its result."""
    expected = {document.id: document.values for document in evaluation.material.documents}
    rows = [
        (
            *(run.model, run.phase, run.name, document, run.pages[document].status, question.id, question.type, int(is_asked)),
            *(expected[document][question.id], run.pages[document].answers[question.id], scored.outcome.value, scored.score),
            *(scored.difference, evaluation.adjudicated[run.key][document, question.id].score),
        )
        for run, document, question, is_asked, scored in answers(evaluation.material, evaluation.automatic)
    ]
    header = (
        *("model", "phase", "run", "document", "status", "question", "type", "asked", "gt", "answer", "outcome", "score"),
        *("difference", "adjudicated_score"),
    )
    return QuestionTable("questions_answers", header, tuple(rows))


def consistency_rows(evaluation: Evaluation) -> QuestionTable:
    """The file `questions_consistency.csv`: each question, cell and document."""
    rows = [(o.question, o.model, o.phase, o.document, o.runs, o.same, o.distinct) for o in consistency(evaluation.material)]
    return QuestionTable("questions_consistency", ("question", "model", "phase", "document", "runs", "same", "distinct"), tuple(rows))
