"""Drafting, settling, reopening, editing and removing rules in their file, with the checks run before anything is written.

Every function takes the same keywords: `witnesses` and `known_fields` for the checks (`check`), `expected`, the
`content` of the rules as the caller read them, and `workspace`, the folder the file must not lead out of. Each but `remove`
returns the line of the row. A change that would bring in an error is refused with that error's sentence, and the file stays
as it was; so it does when it has changed since it was read. Errors that stood before are no obstacle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypedDict, Unpack

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.rules.checks.check import Witnesses, brought_in, check
from scoring.rules.file.edit import add_row, set_cells, without_row
from scoring.rules.file.files import rewrite
from scoring.rules.parse import COLUMNS, OPEN_MARK, Section, parse
from scoring.rules.pipelines import Fields
from scoring.rules.rows import IgnoreSide, NearMissRow, Rules
from scoring.texts.forms import Position


class ChangeOptions(TypedDict, total=False):
    """What every change of the file may be given."""

    witnesses: Witnesses | None
    known_fields: Fields | None
    expected: str | None
    workspace: Path | None


def _checked(path: Path, text: str, given: ChangeOptions) -> tuple[Rules, tuple[Problem, ...]]:
    rules, _ = parse(text, path)
    return rules, check(rules, given.get("witnesses"), given.get("known_fields"))


def _refuse(problems: Iterable[Problem], what: str, drafted: int | None = None) -> None:
    """Raise the first problem. One of the line `drafted` is told without it, for another row stands there."""
    for problem in problems:
        line = problem.line if problem.line != drafted else None
        raise InputError(problem.message.removeprefix(OPEN_MARK), where=problem.where, line=line, hint=what)


def _write(path: Path, change: Callable[[str], str], given: ChangeOptions) -> None:
    rewrite(path, change, expected=given.get("expected"), workspace=given.get("workspace"))


def _field_cell(fields: str | Iterable[str]) -> str:
    names = [fields] if isinstance(fields, str) else list(fields)
    return ", ".join(name.strip() for name in names)


def _draft(path: Path, section: Section, cells: Mapping[str, str], given: ChangeOptions) -> int:
    line = 0

    def change(text: str) -> str:
        nonlocal line
        new, line = add_row(text, section, cells, path)
        _, before = _checked(path, text, given)
        rules, after = _checked(path, new, given)
        _refuse(brought_in(before, after), "The draft was not written", line)
        here = [problem for problem in after if problem.line == line]
        if rules.row_at(line) is None:
            _refuse(here, "The draft was not written", line)
        same = (problem for problem in here if problem.severity is Severity.NOTE and "says the same" in problem.message)
        _refuse(same, "The draft was not written", line)
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
    **given: Unpack[ChangeOptions],
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
    **given: Unpack[ChangeOptions],
) -> int:
    """Add an OPEN equivalence to section 2 (made where absent) and return its line.

    Raises:
        InputError: the draft is faulty or would contradict the rules; nothing is written.
    """
    cells = {"form": form, "canonical": canonical, "field": _field_cell(fields), "status": "OPEN", "witness": witness, "note": note}
    return _draft(path, "equivalence", cells, given)


def draft_near_miss(path: Path, form: str, not_: str, fields: str | Iterable[str], *, why: str = "", **given: Unpack[ChangeOptions]) -> int:
    """Add a near miss to section 3 (made where absent) and return its line. It holds at once: no rule may cover it.

    Args:
        not_: what `form` must never come to equal; blank: no rule may touch `form`.

    Raises:
        InputError: the row is faulty, or a settled rule covers it; nothing is written.
    """
    return _draft(path, "near miss", {"form": form, "not": not_, "field": _field_cell(fields), "why": why}, given)


def remove(path: Path, line: int, **given: Unpack[ChangeOptions]) -> None:
    """Take the OPEN row or the near miss on `line` out of the file.

    Raises:
        InputError: no row there, or a settled one, whose scores would change unseen; nothing is written.
    """

    def change(text: str) -> str:
        row = parse(text, path)[0].row_at(line)
        if row is not None and not isinstance(row, NearMissRow) and row.status == "settled":
            raise InputError("this row is settled, so it is not taken out", where=path, line=line, hint="make it OPEN first")
        return without_row(text, line, path)

    _write(path, change, given)


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
    given: ChangeOptions = {"witnesses": witnesses, "known_fields": known_fields, "expected": expected, "workspace": workspace}
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


def _set_status(path: Path, line: int, status: str, given: ChangeOptions, allowed: Callable[[str, str], None]) -> int:
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


def settle(path: Path, line: int, **given: Unpack[ChangeOptions]) -> int:
    """Settle the OPEN row on `line`, so that it is applied from now on.

    Raises:
        InputError: no OPEN row there, or an error stands against it; nothing is written.
    """

    def allowed(text: str, new: str) -> None:
        _refuse(brought_in(_checked(path, text, given)[1], _checked(path, new, given)[1]), "The row stays OPEN")

    return _set_status(path, line, "settled", given, allowed)


def reopen(path: Path, line: int, **given: Unpack[ChangeOptions]) -> int:
    """Make the settled row on `line` OPEN again, so that it is no longer applied. An error of the row is no obstacle.

    Raises:
        InputError: no settled row there; nothing is written.
    """
    return _set_status(path, line, "OPEN", given, lambda text, new: None)
