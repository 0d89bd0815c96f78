"""Reading ground truth: `gt/gt_page_<id>.csv`, a row a record (`1-tables`, Material)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.cells import plain_key
from scoring.decoding import read_text
from scoring.delimited import Table, column_names, read_table
from scoring.problems import CONFLICT, InputError, Problem, Severity, conflict_line
from scoring.schema import Schema
from scoring.tables.rows import Keys, Report, RowReader
from scoring.tables.shapes import GTPage
from scoring.text import visible
from scoring.words import counted
from scoring.workspace import Workspace, entries, is_readme, natural_key

_FILE = re.compile(r"gt_page[ _-]?(.+)\.csv", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GTFile:
    """A file of ground truth as it lies there: the page it is of, its table (None: nothing in it), what was repaired in reading it."""

    page: str
    where: str
    table: Table | None
    repairs: tuple[str, ...]

    @property
    def header(self) -> tuple[str, ...]:
        """The names of its columns; those without a name left out."""
        if self.table is None:
            return ()
        names, _ = column_names(self.table.header)
        return tuple(name for name, raw in zip(names, self.table.header, strict=True) if raw.strip(" \t\ufeff\u200b") == name)


def gt_files(folder: Path, root: Path) -> tuple[list[tuple[str, Path]], list[Problem]]:
    """The files of ground truth with their page ids, pages in natural order, and what of the folder was not taken."""
    found, problems = entries(folder, root)
    pages: dict[str, Path] = {}
    for path in found:
        where = visible(path.relative_to(root).as_posix())
        match = _FILE.fullmatch(path.name)
        if match is None:
            if path.name != "schema.json" and not is_readme(path):
                problems.append(Problem(Severity.NOTE, "not taken as ground truth, for it is not named gt_page_<id>.csv", where))
        elif match.group(1) in pages:
            problems.append(
                Problem(Severity.ERROR, f"a second file for this page, beside {pages[match.group(1)].name}", where, page=match.group(1))
            )
        else:
            pages[match.group(1)] = path
    return sorted(pages.items(), key=lambda item: natural_key(item[0])), problems


def open_gt(path: Path, page: str, where: str, fields: Sequence[str] = ()) -> GTFile:
    """The table of a file of ground truth.

    Raises:
        InputError: it cannot be read, is too large, is no CSV, or git left a merge conflict in it.
    """
    text, repairs = read_text(path)
    conflict = conflict_line(text)
    if conflict is not None:
        raise InputError(CONFLICT, where=path, line=conflict)
    try:
        table = read_table(text, fields)
    except InputError as fault:
        raise InputError(fault.what, where=path, line=fault.line, hint=fault.hint) from fault
    return GTFile(page, where, table, repairs)


def gt_page(file: GTFile, schema: Schema, reader: RowReader) -> tuple[GTPage, list[Problem]]:
    """The rows of a file of ground truth under a schema, and everything noticed. Errors among the problems stop scoring."""
    report = Report(file.where)
    page = file.page
    if file.table is None:
        report.add(Severity.ERROR, "the file is empty: a page of no records still has its header", page=page)
        return GTPage(page, (), file.where), report.problems
    report.repairs((*file.repairs, *file.table.repairs), page=page)
    names, doubled = column_names(file.table.header)
    for message in doubled:
        report.add(Severity.WARNING, message, page=page, line=1)
    given = {reader.field_of(name) for name in names}
    for name in schema.names:
        if name not in given:
            severity = Severity.ERROR if name in schema.key else Severity.WARNING
            tail = ", and records are matched by it" if name in schema.key else "; read as blank"
            report.add(severity, f"there is no column `{visible(name)}`{tail}", page=page, line=1)
    records, lines = [], []
    for number, (line, cells) in enumerate(file.table.rows, 1):
        records.append(dict(zip(names, cells, strict=False)))
        lines.append(line)
        if len(cells) < len(names):
            report.add(
                Severity.REPAIR,
                f"{counted(len(cells), 'cell')} for {counted(len(names), 'column')}, the rest blank",
                page=page,
                row=number,
                line=line,
            )
        beyond = [cell for cell in cells[len(names) :] if cell.strip()]
        if beyond:
            shown = visible("; ".join(beyond)[:80])
            report.add(
                Severity.WARNING,
                f"{counted(len(cells), 'cell')} for {counted(len(names), 'column')}, left out: {shown}",
                page=page,
                row=number,
                line=line,
            )
    rows = reader.rows(records, report, page=page, keys=Keys(), lines=lines)
    for at, name in enumerate(names):
        filled = sum(1 for _, cells in file.table.rows if at < len(cells) and cells[at].strip())
        if reader.field_of(name) is None and (filled or file.table.header[at].strip()):
            report.add(
                Severity.WARNING,
                f"column {visible(name)!r} is no field and was left out ({counted(filled, 'cell')} filled)",
                page=page,
                line=1,
            )
    if not rows:
        report.add(Severity.NOTE, "a page of no records", page=page)
    return GTPage(page, rows, file.where), report.problems


def read_gt(path: Path, workspace: Workspace, schema: Schema) -> tuple[GTPage, list[Problem]]:
    """One page of ground truth read again. Errors as `open_gt`; a file not named as ground truth takes its stem as the page."""
    match = _FILE.fullmatch(path.name)
    page = match.group(1) if match is not None else path.stem
    file = open_gt(path, page, visible(workspace.relative(path)), schema.names)
    return gt_page(file, schema, RowReader(schema.names, workspace.settings.blank_words, schema.key))


def same_columns(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two headers name the same fields, in whatever order."""
    return sorted(map(plain_key, one)) == sorted(map(plain_key, other))
