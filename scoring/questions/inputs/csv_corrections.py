"""Putting an agreed correction into the ground truth, every other byte kept (`docs/adjudication.md#doubts`). Pure."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.foundations.problems import InputError
from scoring.questions.inputs.responses import QuestionNames
from scoring.questions.matching.answer_scores import entry
from scoring.questions.matching.question_set import Question, QuestionSet
from scoring.texts.csv_tables import DELIMITERS
from scoring.texts.forms import NO_RULES

_TARGET = re.compile(r"gt:(.+):([^:]+):([0-9]+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Correction:
    """One entry of the ground truth and what it should be. `before`, the entry as it was judged, guards against a changed file."""

    document: str
    question: str
    number: int
    value: str
    before: str | None = None


def correction(target: str, value: str, before: str | None = None) -> Correction:
    """The correction that a `gt-wrong` verdict proposes: its target `gt:DOCUMENT:QUESTION:ENTRY`, its value.

    Raises:
        InputError: a target of another kind.
    """
    found = _TARGET.fullmatch(target)
    if found is None:
        raise InputError(f"{target} names no entry of the ground truth", hint="it is gt:DOCUMENT:QUESTION:ENTRY, entries from 1")
    return Correction(found[1], found[2], int(found[3]), value, before)


def corrected(text: str, questions: QuestionSet, change: Correction) -> str:
    """The text of ground_truth.csv with one entry changed.

    Raises:
        InputError: no such document, question or entry, or the entry is not `before` any more.
    """
    question = next((question for question in questions.questions if question.id == change.question), None)
    if question is None or not question.graded:
        raise InputError(f"{change.question} is no text question of the set")
    delimiter = _delimiter(text, questions)
    rows = list(_rows(text, delimiter))
    names = QuestionNames(questions.ids)
    column = next((at for at, span in enumerate(rows[0]) if names.find(_value(text, span)) == question.id), None) if rows else None
    row = next((row for row in rows[1:] if _value(text, row[0]).strip() == change.document), None)
    if column is None or row is None or column >= len(row):
        raise InputError(f"the ground truth has no {change.question} of document {change.document}", hint="list the corrections again")
    start, end = row[column]
    written = text[start:end]
    renewed = _renewed(_value(text, (start, end)), question, change)
    # Quotation marks inside a cell that is not quoted are read as they stand; a cell written so stays so.
    marks = (delimiter, "\n", "\r") if '"' in written else (delimiter, "\n", "\r", '"')
    quoted = written.startswith('"') or renewed.startswith('"') or any(mark in renewed for mark in marks)
    cell = '"' + renewed.replace('"', '""') + '"' if quoted else renewed
    return text[:start] + cell + text[end:]


def _renewed(value: str, question: Question, change: Correction) -> str:
    parts = value.split("|") if question.type == "text_array" else [value]
    number = 0
    for at, part in enumerate(parts):
        if not entry(1, part, "gt", NO_RULES, question.words).plain:
            continue
        number += 1
        if number == change.number:
            if change.before is not None and part.strip() != change.before:
                told = f"entry {number} of {change.question}, document {change.document}, is {part.strip()!r} now, not {change.before!r}"
                raise InputError(told, hint="judge it again")
            lead = part[: len(part) - len(part.lstrip())]
            parts[at] = lead + change.value + part[len(part.rstrip()) :]
            return "|".join(parts)
    raise InputError(f"{change.question} of document {change.document} has no entry {change.number}", hint="list the corrections again")


def _delimiter(text: str, questions: QuestionSet) -> str:
    """The delimiter under which the header names the most questions."""
    head = text.lstrip("\ufeff\r\n").split("\n", 1)[0]
    names = QuestionNames(questions.ids)

    def named(delimiter: str) -> int:
        return sum(names.find(cell) is not None for cell in next(csv.reader([head], delimiter=delimiter), []))

    return max(DELIMITERS, key=named)


def _rows(text: str, delimiter: str) -> Iterator[list[tuple[int, int]]]:
    """The cells of each row as spans of the text, quotation marks included; a line break within them belongs to the cell."""
    at = 1 if text.startswith("\ufeff") else 0
    row: list[tuple[int, int]] = []
    while at < len(text):
        start = at
        if text[at] == '"':
            at += 1
            while at < len(text):
                if text[at] != '"':
                    at += 1
                elif text.startswith('""', at):
                    at += 2
                else:
                    break
            at += 1
        while at < len(text) and text[at] not in (delimiter, "\r", "\n"):
            at += 1
        row.append((start, min(at, len(text))))
        if at < len(text) and text[at] == delimiter:
            at += 1
            if at == len(text) or text[at] in "\r\n":
                row.append((at, at))
            else:
                continue
        yield row
        row = []
        while at < len(text) and text[at] in "\r\n":
            at += 1


def _value(text: str, span: tuple[int, int]) -> str:
    written = text[span[0] : span[1]]
    if len(written) > 1 and written[0] == written[-1] == '"':
        return written[1:-1].replace('""', '"')
    return written
