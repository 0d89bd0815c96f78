"""The task's figures as plain tables, for terminal, CSV, Markdown and HTML alike (`2-questions`, Reports).

A cell is a text, a whole number, a number (a share from 0 to 1, or a mean), or None where it is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from scoring.questions.answers import ILLEGIBLE
from scoring.questions.evaluate import Evaluation
from scoring.questions.totals import (
    Grouping,
    Tally,
    answers,
    by_cell,
    by_model,
    by_question,
    by_question_and_cell,
    by_question_and_model,
    by_type_and_cell,
    overall,
    pages,
    totals,
)
from scoring.questions.views import EXPECTED, GIVEN, confusions, consistency, differences

Cell = str | int | float | None
Rows = tuple[tuple[Cell, ...], ...]


class Table(NamedTuple):
    """A table: title, header, rows. A row is as long as the header."""

    title: str
    header: tuple[str, ...]
    rows: Rows


TOTAL = "all"


def tables(evaluation: Evaluation) -> list[Table]:
    """The tables of the report's section, in order."""
    return [
        cells(evaluation),
        types(evaluation),
        questions(evaluation),
        booleans(evaluation),
        integers(evaluation),
        texts(evaluation),
        consistency_by_question(evaluation),
        illegibility(evaluation),
        confusion(evaluation),
        integer_differences(evaluation),
    ]


def cells(evaluation: Evaluation) -> Table:
    """A row a cell: pages, base, the mean score as scored and as adjudicated."""
    material = evaluation.material
    automatic, adjudicated = (totals(material, scores, by_cell) for scores in (evaluation.automatic, evaluation.adjudicated))
    counted = pages(material)
    rows = [
        (
            *cell,
            counted[cell].runs,
            counted[cell].ok + counted[cell].truncated,
            counted[cell].truncated,
            counted[cell].failed,
            counted[cell].missing,
            automatic[cell].base,
            automatic[cell].perfect,
            automatic[cell].score,
            adjudicated[cell].score,
        )
        for cell in counted
    ]
    header = ("model", "phase", "runs", "pages", "truncated", "failed", "missing", "answers", "right", "score", "adjudicated")
    return Table("Scores by cell, all questions", header, tuple(rows))


def types(evaluation: Evaluation) -> Table:
    """A row a type of question, a column a cell: mean score, micro-averaged."""
    material = evaluation.material
    found = totals(material, evaluation.automatic, by_type_and_cell)
    heads = list(dict.fromkeys(run.cell for run in material.runs))
    kinds = list(dict.fromkeys(question.type for question in material.questions.questions))
    rows = [(kind, *(found[kind, model, phase].score for model, phase in heads)) for kind in kinds]
    return Table("Score by type of question and cell", ("type", *(f"{model} {phase}" for model, phase in heads)), tuple(rows))


def questions(evaluation: Evaluation) -> Table:
    """The summary over questions: a row a question, mean score by cell, with a total."""
    material = evaluation.material
    found = totals(material, evaluation.automatic, by_question_and_cell)
    total = totals(material, evaluation.automatic, by_question)
    heads = list(dict.fromkeys(run.cell for run in material.runs))
    rows: list[tuple[Cell, ...]] = []
    for question in material.questions.questions:
        figures = (found[question.id, model, phase].score for model, phase in heads)
        rows.append((question.id, question.type, *figures, total[question.id,].score if heads else None))
    whole = totals(material, evaluation.automatic, by_cell)
    if heads:
        rows.append((TOTAL, "", *(whole[cell].score for cell in heads), totals(material, evaluation.automatic, overall)[()].score))
    header = ("question", "type", *(f"{model} {phase}" for model, phase in heads), TOTAL)
    return Table("Score by question and cell", header, tuple(rows))


def booleans(evaluation: Evaluation) -> Table:
    """The three rates of the booleans per question and cell, with totals over phases, models and questions."""

    def figures(tally: Tally) -> tuple[Cell, ...]:
        counts = (tally.asked, tally.correct, tally.incorrect, tally.claims, tally.excluded)
        return *counts, tally.conditional, tally.combined, tally.claim_rate

    header = ("asked", "correct", "incorrect", "claims", "excluded", "conditional", "combined", "claim_rate")
    return Table("Booleans", ("question", "model", "phase", *header), tuple(_with_totals(evaluation, {"boolean"}, figures)))


def integers(evaluation: Evaluation) -> Table:
    """Accuracy of integers and paired integers per question and cell, with totals."""

    def figures(tally: Tally) -> tuple[Cell, ...]:
        return tally.asked, tally.correct, tally.incorrect, tally.excluded, tally.combined

    header = ("asked", "correct", "incorrect", "excluded", "accuracy")
    rows = _with_totals(evaluation, {"integer", "paired_integer"}, figures)
    return Table("Integers and paired integers", ("question", "model", "phase", *header), tuple(rows))


def texts(evaluation: Evaluation) -> Table:
    """Strings and text arrays: the mean over documents is the score; pooled precision, recall and F1 stand beside it."""

    def figures(tally: Tally) -> tuple[Cell, ...]:
        entries = (tally.gt_entries, tally.model_entries) if tally.gt_entries + tally.model_entries else (None, None)
        return tally.base, tally.perfect, tally.score, *entries, tally.precision, tally.recall, tally.f1

    header = ("answers", "right", "score", "gt_entries", "model_entries", "precision", "recall", "f1")
    rows = _with_totals(evaluation, {"string", "text_array"}, figures)
    return Table("Strings and text arrays", ("question", "model", "phase", *header), tuple(rows))


def _with_totals(evaluation: Evaluation, kinds: set[str], figures: Callable[[Tally], tuple[Cell, ...]]) -> Iterator[tuple[Cell, ...]]:
    """Rows per question and cell, after each question's cells its models and its total; at the end models and all."""
    material = evaluation.material
    chosen = [question for question in material.questions.questions if question.type in kinds]
    if not chosen or not material.runs:
        return
    ids = {question.id for question in chosen}
    heads = list(dict.fromkeys(run.cell for run in material.runs))
    models = list(dict.fromkeys(model for model, _ in heads))

    def found(grouping: Grouping) -> dict[tuple[str, ...], Tally]:
        return totals(material, evaluation.automatic, grouping)

    by_phase, by_one_model, by_all = found(by_question_and_cell), found(by_question_and_model), found(by_question)
    for question in chosen:
        for model, phase in heads:
            yield question.id, model, phase, *figures(by_phase[question.id, model, phase])
        for model in models:
            yield question.id, model, TOTAL, *figures(by_one_model[question.id, model])
        yield question.id, TOTAL, TOTAL, *figures(by_all[question.id,])
    whole: dict[tuple[str, str], Tally] = {}
    for run, _, question, is_asked, scored in answers(material, evaluation.automatic):
        if question.id in ids:
            for key in ((run.model, run.phase), (run.model, TOTAL), (TOTAL, TOTAL)):
                whole.setdefault(key, Tally()).add(question, is_asked, scored)
    for key in (*heads, *((model, TOTAL) for model in models), (TOTAL, TOTAL)):
        yield TOTAL, *key, *figures(whole.get(key, Tally()))


def consistency_by_question(evaluation: Evaluation) -> Table:
    """Per question and cell: on how many documents all runs agree, and the mean share of runs that give the most frequent answer."""
    gathered: dict[tuple[str, str, str], list[tuple[int, int, int]]] = {}
    for one in consistency(evaluation.material):
        gathered.setdefault((one.question, one.model, one.phase), []).append((one.runs, one.same, one.distinct))
    rows = [
        (
            *key,
            len(found),
            sum(runs == same for runs, same, _ in found),
            sum(same for _, same, _ in found) / sum(runs for runs, _, _ in found),
            max(distinct for _, _, distinct in found),
        )
        for key, found in gathered.items()
    ]
    header = ("question", "model", "phase", "documents", "unanimous", "same_share", "most_distinct")
    return Table("Consistency over the runs of a cell", header, tuple(rows))


def illegibility(evaluation: Evaluation) -> Table:
    """Where models say `illegible`: claims per boolean and model; elsewhere the word is an ordinary wrong answer, counted too."""
    material = evaluation.material
    models = list(dict.fromkeys(run.model for run in material.runs))
    found = totals(material, evaluation.automatic, by_question_and_model)
    whole = totals(material, evaluation.automatic, by_model)
    said: dict[tuple[str, str], int] = {}
    for run, document, question, _, _ in answers(material, evaluation.automatic):
        if run.pages[document].answers[question.id].strip().casefold() == ILLEGIBLE:
            said[question.id, run.model] = said.get((question.id, run.model), 0) + 1
    rows: list[tuple[Cell, ...]] = []
    for question in material.questions.questions:
        if question.illegible or any((question.id, model) in said for model in models):
            for model in models:
                tally = found[question.id, model]
                rows.append((question.id, model, tally.asked, said.get((question.id, model), 0), tally.claims, tally.claim_rate))
    for model in models:
        claims = whole[model,].claims
        asked = sum(found[question.id, model].asked for question in material.questions.questions if question.illegible)
        every = sum(count for (_, one), count in said.items() if one == model)
        rows.append((TOTAL, model, asked, every, claims, claims / asked if asked else None))
    return Table("Illegibility", ("question", "model", "asked", "said_illegible", "claims", "claim_rate"), tuple(rows))


def confusion(evaluation: Evaluation) -> Table:
    """Per boolean and cell: what was expected against what was given, in counts."""
    rows: list[tuple[Cell, ...]] = []
    for key, found in confusions(evaluation).items():
        for wanted in EXPECTED:
            counts = [found.counts[wanted, given] for given in GIVEN]
            if any(counts):
                rows.append((*key, wanted, *counts))
    return Table("Confusion of the booleans", ("question", "model", "phase", "expected", *GIVEN), tuple(rows))


def integer_differences(evaluation: Evaluation) -> Table:
    """Per integer and cell: how far answers lie from the ground truth, undercounts on the left."""
    rows = [
        (*key, found.compared, found.under, found.exact, found.over, found.mean, found.least, found.greatest, found.none)
        for key, found in differences(evaluation).items()
    ]
    header = ("question", "model", "phase", "compared", "under", "exact", "over", "mean_difference", "least", "greatest", "no_number")
    return Table("Integers: difference from the ground truth (model - GT)", header, tuple(rows))


def summary_rows(evaluation: Evaluation) -> Table:
    """The file `questions_summary.csv`: everything per question and cell, one row each, full precision."""
    material = evaluation.material
    automatic = totals(material, evaluation.automatic, by_question_and_cell)
    adjudicated = totals(material, evaluation.adjudicated, by_question_and_cell)
    counted = pages(material)
    rows: list[tuple[Cell, ...]] = []
    for question in material.questions.questions:
        for cell, page in counted.items():
            t, a = automatic[question.id, *cell], adjudicated[question.id, *cell]
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
    return Table("questions_summary", header, tuple(rows))


def answer_rows(evaluation: Evaluation) -> Table:
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
    return Table("questions_answers", header, tuple(rows))


def consistency_rows(evaluation: Evaluation) -> Table:
    """The file `questions_consistency.csv`: each question, cell and document."""
    rows = [(o.question, o.model, o.phase, o.document, o.runs, o.same, o.distinct) for o in consistency(evaluation.material)]
    return Table("questions_consistency", ("question", "model", "phase", "document", "runs", "same", "distinct"), tuple(rows))
