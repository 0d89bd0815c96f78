"""What `adjudicate check` says of the tables beyond what reading them found: rules, readings, books (`docs/commands.md`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import regex

from scoring.adjudication.cases import Case
from scoring.foundations.problems import InputError, Problem, Severity
from scoring.rules import Witnesses, check, scoring_errors
from scoring.tables.display.side_by_side import side_by_side
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.inputs.material import Material
from scoring.tables.measures.row_balance import RowBalance
from scoring.texts.forms import visible
from scoring.texts.nested_paths import is_list, list_entries

_QUESTION = regex.compile(r"Q[1-9][0-9]?")


def known_fields(material: Material) -> dict[str, str]:
    """The fields a rule may name, each with its method. Where the workspace has questions, theirs are known too."""
    found: dict[str, str] = {field.name: field.method for field in material.schema.fields}
    found.setdefault(material.schema.rule_field, "name")
    if material.workspace.questions.is_dir():
        named = (name for row in material.rules.rows for name in row.fields)
        found |= {name: "question" for name in named if name not in found and _QUESTION.fullmatch(name)}
    return found


def gt_witnesses(material: Material) -> dict[str, tuple[str, ...]]:
    """The distinct values of each field in the ground truth; those of a joined key under `name`."""
    return _values(material, (row.values for page in material.pages for row in page.rows))


def witnesses(material: Material) -> Witnesses:
    """The distinct values of each field, in the ground truth and in the runs."""
    runs = (row.values for run in material.runs for page in run.pages.values() for row in page.rows)
    return Witnesses(gt_witnesses(material), _values(material, runs))


def _values(material: Material, records: Iterator[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    schema = material.schema
    found: dict[str, dict[str, None]] = {name: {} for name in schema.names}
    joined: dict[str, None] = {}
    for values in records:
        for name, kept in found.items():
            kept.update(dict.fromkeys(list_entries(values[name]) if is_list(name) else (values[name],)))
        if schema.rule_field not in found:
            joined[schema.key_text(values)] = None
    if schema.rule_field not in found:
        found[schema.rule_field] = joined
    return {name: tuple(value for value in kept if value) for name, kept in found.items()}


def require_sound_rules(material: Material) -> None:
    """Errors of the rules stop scoring, for half the rules would be other rules (`docs/rules.md#checks`).

    Raises:
        InputError: the first error.
    """
    if material.rules.path is None:
        return
    for problem in scoring_errors(check(material.rules, Witnesses(gt_witnesses(material)), known_fields(material))):
        raise InputError(problem.message, where=problem.where, line=problem.line, hint="`adjudicate rules check` lists everything")


@dataclass(frozen=True, slots=True)
class PageBalance:
    """The books of one page of one run; None where the page is failed or missing."""

    run: str
    page: str
    status: str
    books: RowBalance | None


def books(evaluation: Evaluation, cases: Mapping[str, Case]) -> tuple[PageBalance, ...]:
    """The books of every page of every run (`docs/adjudication.md#row-balance`); `cases` tells what is still open."""
    known = dict(cases)
    found = []
    for run, page in evaluation.pages:
        seen = side_by_side(evaluation, run, page, known)
        found.append(PageBalance(run, page, seen.status, seen.books))
    return tuple(found)


def unbalanced(kept: tuple[PageBalance, ...]) -> tuple[Problem, ...]:
    """Pages whose books do not balance: an error of the program or of the decisions, never to be passed over."""
    return tuple(
        Problem(Severity.ERROR, f"the books do not balance: {one.books.sentence()}", one.run, page=one.page)
        for one in kept
        if one.books is not None and not one.books.balanced
    )


def crowded(evaluation: Evaluation) -> tuple[Problem, ...]:
    """Model names with more readings than are kept (`docs/method.md#readings`), each told once."""
    found: dict[str, Problem] = {}
    for run, page in evaluation.pages:
        answer = evaluation.prepared.run_page(run, page)
        for at, row in enumerate(answer.page.rows):
            if answer.texts[at] not in found and evaluation.prepared.names.model(row)[1]:
                message = f"`{visible(answer.texts[at])}` has more readings than are kept; the first 64 count"
                found[answer.texts[at]] = Problem(Severity.NOTE, message, run, page=page, row=row.number)
    return tuple(found.values())
