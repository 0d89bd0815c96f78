"""The rows of a page of ground truth under a schema (`docs/method.md#material`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.foundations.wording import counted
from scoring.tables.inputs.ground_truth_files import GTFile, gt_files, open_gt
from scoring.tables.inputs.rows import KeyUse, RowProblems, RowReader
from scoring.tables.inputs.rows_and_runs import GTPage
from scoring.texts.cells import cell_text, plain_key
from scoring.texts.csv_tables import column_names
from scoring.texts.forms import visible
from scoring.workspace.layout import Workspace
from scoring.workspace.schema import Schema


def gt_page(file: GTFile, schema: Schema, reader: RowReader) -> tuple[GTPage, list[Problem]]:
    """Return the rows of a page of ground truth under a schema, and everything noticed. Errors among the problems stop scoring."""
    report = RowProblems(file.where)
    page = file.page
    if file.header is None:
        report.add(Severity.ERROR, "the file is empty: a page of no records still has its header", page=page)
        return GTPage(page, (), file.where), report.problems
    report.repairs(file.repairs, page=page)
    for message in file.warnings:
        report.add(Severity.WARNING, message, page=page)
    names, doubled = column_names(file.header)
    for message in doubled:
        report.add(Severity.WARNING, message, page=page, line=1)
    records: list[Mapping[str, object]] = []
    for number, (line, cells) in enumerate(file.rows, 1):
        records.append({name: cell for at, (name, cell) in enumerate(zip(names, cells, strict=False)) if at != file.page_column})
        beyond = [text for cell in cells[len(names) :] if (text := cell_text(cell)[0])]
        told = f"{counted(len(cells), 'cell')} for {counted(len(names), 'column')}"
        if len(cells) < len(names) and file.path.suffix.lower() in (".csv", ".tsv"):
            report.add(Severity.REPAIR, f"{told}, the rest blank", page=page, row=number, line=line)
        if beyond:
            report.add(Severity.WARNING, f"{told}, left out: {visible('; '.join(beyond)[:80])}", page=page, row=number, line=line)
    own = [(at, name) for at, name in enumerate(names) if at != file.page_column]
    given = {reader.field_of(key) for record in (records or [dict.fromkeys(name for _, name in own)]) for key in reader.paths.flat(record)}
    for name in schema.names:
        if name not in given:
            severity = Severity.ERROR if name in schema.key else Severity.WARNING
            tail = ", and records are matched by it" if name in schema.key else "; read as blank"
            report.add(severity, f"there is no column `{visible(name)}`{tail}", page=page, line=1)
    rows = reader.rows(records, report, page=page, keys=KeyUse(), lines=[line for line, _ in file.rows])
    for at, name in own:
        filled = sum(1 for _, cells in file.rows if at < len(cells) and cell_text(cells[at])[0])
        if reader.field_of(name) is None and plain_key(name) not in map(plain_key, reader.keys) and (filled or file.header[at].strip()):
            told = f"column {visible(name)!r} is no field and was left out ({counted(filled, 'cell')} filled)"
            report.add(Severity.WARNING, told, page=page, line=1)
    if not rows:
        report.add(Severity.NOTE, "a page of no records", page=page)
    return GTPage(page, rows, file.where), report.problems


def read_gt(path: Path, workspace: Workspace, schema: Schema, page: str | None = None) -> tuple[GTPage, list[Problem], GTFile]:
    """Read one page of ground truth again, with the file it lies in.

    Args:
        path: the file.
        workspace, schema: as at the first reading.
        page: the page, where the file holds all pages; else the one its name says, or its stem.

    Raises:
        InputError: as `open_gt`; or the file does not hold the page any more.
    """
    named = next((found for found, one in gt_files(path.parent, workspace.root)[0] if one == path and found is not None), None)
    alone = named or (None if page is not None else path.stem)
    files = open_gt(path, alone, visible(workspace.relative(path)), schema.names, workspace.settings.encoding)
    file = next((one for one in files if one.page == (alone or page)), None)
    if file is None:
        raise InputError(f"the file does not hold page {visible(page or '')} any more", where=path, hint="run the command again")
    reader = RowReader(schema.names, workspace.settings.blank_words, schema.key)
    read, problems = gt_page(file, schema, reader)
    return replace(read, path=workspace.relative(path)), problems, file


def doubtful_key(schema: Schema, pages: Sequence[GTPage]) -> str | None:
    """Return what is doubtful about the key that ground truth without a schema has: its first column.

    The key is doubtful where another column is called `name`, or where every record's key is a number.
    """
    key = schema.key[0]
    named = next((name for name in schema.names if plain_key(name) == "name" and name != key), None)
    texts = [text for page in pages for row in page.rows if (text := row.values[key])]
    numbers = bool(texts) and all(text.replace(".", "", 1).isdecimal() for text in texts)
    if named is None and not numbers:
        return None
    why = f"there is a column `{visible(named)}`" if named is not None else "all its values are numbers"
    other = f"`{visible(named)}`" if named is not None else "the field that names a record"
    return f"records are matched by the first column `{visible(key)}`, yet {why}; mark {other} with x-key in gt/schema.json"


def same_columns(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two headers name the same fields, in whatever order."""
    return sorted(map(plain_key, one)) == sorted(map(plain_key, other))
