"""Drafting, settling, reopening and editing rules in their file, with the checks run before anything is written.

Every function takes the same keywords: `witnesses` and `known_fields` for the checks (`check`), `expected`, the
`content` of the rules as the caller read them, and `workspace`, the folder the file must not lead out of. Each returns
the line of the row. A change that would bring in an error is refused with that error's sentence, and the file stays
as it was; so it does when it has changed since it was read. Errors that stood before are no obstacle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypedDict, Unpack

from scoring.problems import InputError, Problem, Severity
from scoring.rules.check import Witnesses, brought_in, check
from scoring.rules.edit import add_row, set_cells
from scoring.rules.files import rewrite
from scoring.rules.parse import COLUMNS, Section, parse
from scoring.rules.pipelines import Fields
from scoring.rules.rows import IgnoreSide, NearMissRow, Rules
from scoring.text import Position


class Circumstances(TypedDict, total=False):
    """What every change of the file may be given."""

    witnesses: Witnesses | None
    known_fields: Fields | None
    expected: str | None
    workspace: Path | None


def _checked(path: Path, text: str, given: Circumstances) -> tuple[Rules, tuple[Problem, ...]]:
    rules, _ = parse(text, path)
    return rules, check(rules, given.get("witnesses"), given.get("known_fields"))


def _refuse(problems: Iterable[Problem], what: str) -> None:
    for problem in problems:
        raise InputError(problem.message, where=problem.where, line=problem.line, hint=what)


def _write(path: Path, change: Callable[[str], str], given: Circumstances) -> None:
    rewrite(path, change, expected=given.get("expected"), workspace=given.get("workspace"))


def _field_cell(fields: str | Iterable[str]) -> str:
    names = [fields] if isinstance(fields, str) else list(fields)
    return ", ".join(name.strip() for name in names)


def _draft(path: Path, section: Section, cells: Mapping[str, str], given: Circumstances) -> int:
    line = 0

    def change(text: str) -> str:
        nonlocal line
        new, line = add_row(text, section, cells, path)
        _, before = _checked(path, text, given)
        rules, after = _checked(path, new, given)
        _refuse(brought_in(before, after), "The draft was not written")
        if rules.row_at(line) is None:
            _refuse((problem for problem in after if problem.line == line), "The draft was not written")
        here = (problem for problem in after if problem.line == line and problem.severity is Severity.NOTE)
        same = (problem for problem in here if "says the same" in problem.message)
        _refuse(same, "The draft was not written")
        return new

    _write(path, change, given)
    return line


def draft_ignore(
    path: Path,
    token: str,
    fields: str | Iterable[str],
    position: Position,
    side: IgnoreSide = "model",
    *,
    witness: str = "",
    note: str = "",
    **given: Unpack[Circumstances],
) -> int:
    """Add an OPEN ignore rule to section 1 (made where absent) and return its line.

    Raises:
        InputError: the draft is faulty or would contradict the rules; nothing is written.
    """
    cells = {
        "token": token,
        "field": _field_cell(fields),
        "position": position,
        "side": side,
        "status": "OPEN",
        "witness": witness,
        "note": note,
    }
    return _draft(path, "ignore", cells, given)


def draft_equivalence(
    path: Path,
    form: str,
    canonical: str,
    fields: str | Iterable[str],
    *,
    witness: str = "",
    note: str = "",
    **given: Unpack[Circumstances],
) -> int:
    """Add an OPEN equivalence to section 2 (made where absent) and return its line.

    Raises:
        InputError: the draft is faulty or would contradict the rules; nothing is written.
    """
    cells = {"form": form, "canonical": canonical, "field": _field_cell(fields), "status": "OPEN", "witness": witness, "note": note}
    return _draft(path, "equivalence", cells, given)


def edit(
    path: Path,
    line: int,
    *,
    witnesses: Witnesses | None = None,
    known_fields: Fields | None = None,
    expected: str | None = None,
    workspace: Path | None = None,
    **cells: str | Iterable[str],
) -> int:
    """Replace cells of the row on `line`, by column name (`fields` may be a sequence, `not` is `not_`), and return the line.

    Raises:
        InputError: no such row or column, or the row would become faulty or contradict the rules; nothing is written.
    """
    given: Circumstances = {"witnesses": witnesses, "known_fields": known_fields, "expected": expected, "workspace": workspace}
    renamed = {"fields": "field", "not_": "not"}
    texts = {
        renamed.get(column, column): _field_cell(value) if renamed.get(column, column) == "field" else str(value)
        for column, value in cells.items()
    }

    def change(text: str) -> str:
        new = set_cells(text, line, texts, path)
        _refuse(brought_in(_checked(path, text, given)[1], _checked(path, new, given)[1]), "The row was left as it was")
        return new

    _write(path, change, given)
    return line


def _set_status(path: Path, line: int, status: str, given: Circumstances, allowed: Callable[[str, str], None]) -> int:
    def change(text: str) -> str:
        rules, layout = parse(text, path)
        row = rules.row_at(line)
        if isinstance(row, NearMissRow):
            raise InputError("a near miss is neither settled nor OPEN", where=path, line=line)
        if row is not None and row.status == status:
            raise InputError(f"this row is {status} already", where=path, line=line)
        if not any(line in table.row_lines and "status" in COLUMNS[table.section] for table in layout.tables):
            raise InputError("no rule stands on this line", where=path, line=line)
        new = set_cells(text, line, {"status": status}, path)
        allowed(text, new)
        return new

    _write(path, change, given)
    return line


def settle(path: Path, line: int, **given: Unpack[Circumstances]) -> int:
    """Settle the OPEN row on `line`, so that it is applied from now on.

    Raises:
        InputError: no OPEN row there, or an error stands against it; nothing is written.
    """

    def allowed(text: str, new: str) -> None:
        _refuse(brought_in(_checked(path, text, given)[1], _checked(path, new, given)[1]), "The row stays OPEN")

    return _set_status(path, line, "settled", given, allowed)


def reopen(path: Path, line: int, **given: Unpack[Circumstances]) -> int:
    """Make the settled row on `line` OPEN again, so that it is no longer applied. An error of the row is no obstacle.

    Raises:
        InputError: no settled row there; nothing is written.
    """
    return _set_status(path, line, "OPEN", given, lambda text, new: None)
