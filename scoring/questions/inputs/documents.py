"""The ground truth of the questions: `questions/ground_truth.csv`, a row a document, a column a question (`docs/questions.md#material`)."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.questions.inputs.responses import QuestionNames, folded
from scoring.questions.matching.answer_scores import condition_met, entries, is_blank, pair_values, plain_value
from scoring.questions.matching.question_set import Question, QuestionSet
from scoring.texts.cells import cell_text
from scoring.texts.forms import visible
from scoring.texts.ground_truth_csv import read_truth_table
from scoring.workspace.layout import natural_key
from scoring.workspace.settings import Settings

_SHAPE = "give a header and a row for each document"


@dataclass(frozen=True, slots=True)
class Document:
    """A row of the ground truth: the document's id, its line in the file, question id -> expected answer ("" when blank)."""

    id: str
    line: int
    values: Mapping[str, str]


def read_ground_truth(
    path: Path, questions: QuestionSet, settings: Settings, where: str
) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    """Read the ground truth: a header (the documents' column first, then a column a question), a row a document.

    `where` is the file as messages name it.

    Raises:
        InputError: no file, no row, a column missing, unknown or twice, a document unnamed or twice.
    """
    if not path.exists():
        raise InputError("there is no ground truth", where=where, hint="a row a document, a column a question: see docs/questions.md")
    try:
        table, warnings = read_truth_table(path, questions.ids, settings.encoding)
    except InputError as fault:
        raise InputError(fault.what, where=where, line=fault.line, hint=fault.hint) from fault
    if table is None or not table.rows:
        raise InputError("the ground truth has no rows", where=where, hint=_SHAPE)
    problems = [Problem(Severity.WARNING, warning, where) for warning in warnings]
    problems += [Problem(Severity.REPAIR, repair, where) for repair in table.repairs]
    header = table.header
    columns = _columns(header, questions, where)
    blank_words = folded(settings)
    documents: list[Document] = []
    seen: dict[str, int] = {}
    for line, row in table.rows:
        if not any(cell.strip() for cell in row):
            problems.append(Problem(Severity.REPAIR, "a row without anything is left out", where, line))
            continue
        name = row[0].strip()
        if not name or ":" in name:
            raise InputError(f"a document is called {name!r}", where=where, line=line, hint="name it in the first column, without colon")
        if name in seen:
            raise InputError(f"document {visible(name)} stands here and in line {seen[name]}", where=where, line=line, hint="keep one row")
        seen[name] = line
        if len(row) != len(header):
            told = f"the row has {len(row)} cells, the header {len(header)}"
            if any(cell.strip() for cell in row[len(header) :]):
                raise InputError(told, where=where, line=line, hint="put a value that holds the separator in double quotes")
            problems.append(Problem(Severity.REPAIR, f"{told}; what is absent is blank", where, line, name))
        values: dict[str, str] = {}
        for at, question in columns:
            value, _ = cell_text(row[at] if at < len(row) else "")
            values[question.id] = "" if value.strip().casefold() in blank_words else value.strip()
        document = Document(name, line, {question.id: values[question.id] for question in questions.questions})
        documents.append(document)
        problems += _doubts(document, questions, where)
    if not documents:
        raise InputError("the ground truth has no rows", where=where, hint=_SHAPE)
    return tuple(sorted(documents, key=lambda document: natural_key(document.id))), tuple(problems)


def _columns(header: tuple[str, ...], questions: QuestionSet, where: str) -> list[tuple[int, Question]]:
    names = QuestionNames(questions.ids)
    by_id = {question.id: question for question in questions.questions}
    columns: dict[str, int] = {}
    for at, title in enumerate(header[1:], 1):
        if not title.strip():
            continue
        name = names.find(title)
        if name is None:
            near = difflib.get_close_matches(title.strip(), questions.ids, n=1)
            raise InputError(
                f"column {visible(title)!r} is no question of the set",
                where=where,
                line=1,
                hint=f"did you mean {near[0]}" if near else "name columns by the ids in questions.toml",
            )
        if name in columns:
            raise InputError(f"two columns are called {name}", where=where, line=1, hint="keep one")
        columns[name] = at
    absent = [name for name in questions.ids if name not in columns]
    if absent:
        raise InputError(f"the ground truth has no column for {', '.join(absent)}", where=where, line=1, hint="add it")
    return [(columns[name], by_id[name]) for name in questions.ids]


def asked(document: Document, question: Question) -> bool:
    """Whether a question is asked of a document: its condition is met in the ground truth. A value there says so too."""
    if question.condition is None or not is_blank(question, document.values[question.id], "gt"):
        return True
    return condition_met(question.condition, document.values[question.condition.question])


def _doubts(document: Document, questions: QuestionSet, where: str) -> Iterator[Problem]:
    """What looks wrong in a row of ground truth; none of it stops scoring."""
    for question in questions.questions:
        value = document.values[question.id]
        told = _doubt(document, question, value)
        if told:
            yield Problem(Severity.WARNING, f"{question.id}: {told}", where, document.line, document.id)


def _doubt(document: Document, question: Question, value: str) -> str | None:
    shown = visible(value)
    if is_blank(question, value, "gt"):
        if question.type == "text_array":
            return f"{shown!r} is nothing after pre-processing" if value else None
        met = question.condition is None or condition_met(question.condition, document.values[question.condition.question])
        return "no value, though the question is asked; an answer to it counts as incorrect" if met else None
    if question.condition and not condition_met(question.condition, document.values[question.condition.question]):
        return f"{shown!r} although the question is asked only when {question.condition}; it is scored against this value"
    if question.type == "boolean" and plain_value(value, "gt") not in ("y", "n"):
        return f"{shown!r} is neither Y nor N"
    if question.type == "integer" and not plain_value(value, "gt").replace("/", "", 1).isdecimal():
        return f"{shown!r} is no whole number"
    if question.type == "paired_integer":
        pair = pair_values(value, "gt")
        if len(pair) != 2 or not all(part.isdecimal() for part in pair):
            return f"{shown!r} is not two whole numbers `N | N`"
    if question.type == "text_array" and len(entries(question, value, "gt")) < sum(bool(part.strip()) for part in value.split("|")):
        return f"an entry of {shown!r} is nothing after pre-processing and does not count"
    return None
