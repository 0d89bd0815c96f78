"""Files of ground truth opened: which pages each holds, and their rows as they lie there."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scoring.answers import RepeatedKeys, find_records
from scoring.answers.json_text import parse_strict
from scoring.cells import cell_text, plain_key
from scoring.delimited import column_names
from scoring.problems import InputError, Problem, Severity
from scoring.text import visible
from scoring.truth_table import read_truth_table, read_truth_text
from scoring.workbooks import read_parquet, read_workbook
from scoring.workspace import entries, is_readme, natural_key

SUFFIXES: Final = (".csv", ".tsv", ".xlsx", ".xls", ".ods", ".json", ".jsonl", ".ndjson", ".parquet")
_PAGE_FILE = re.compile(r"gt_page[ _-]?(.+)(\.[a-z]+)", re.IGNORECASE)
_PAGE_SHEET = re.compile(r"(?:gt[ _-]?)?(?:page|seite|folio)[ _-]*(.+)", re.IGNORECASE)
PAGE_COLUMNS: Final = ("page", "page id", "page number", "page no", "seite", "folio", "pagina")


class NoPagesError(InputError):
    """A file of ground truth that is not named by a page and names none."""


@dataclass(frozen=True, slots=True)
class GTFile:
    """The rows of one page as they lie in a file.

    Attributes:
        page: the page's id.
        where: the file, from the workspace root, with its sheet where it has sheets.
        path: the file.
        header: names of the columns as they are written; None where the file holds nothing.
        rows: for each row its line, row of the sheet or record number, and its cells (texts; parsed values in JSON and Parquet).
        repairs, warnings: liberties taken in reading.
        numbers: for each row its number among the rows of the file, where the file holds several pages.
        page_column: the column that names the page, where the file has one.
    """

    page: str
    where: str
    path: Path
    header: tuple[str, ...] | None
    rows: tuple[tuple[int, tuple[object, ...]], ...] = ()
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    page_column: int | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the columns; those without a name and the one of the page left out."""
        names, _ = column_names(self.header or ())
        return tuple(
            name
            for at, (name, raw) in enumerate(zip(names, self.header or (), strict=True))
            if at != self.page_column and name == raw.strip(" \t\r\n\ufeff\u200b\u00a0")
        )


def page_id(name: str) -> str:
    """Return a page id as ids are compared: composed Unicode (a file name of macOS is decomposed)."""
    return unicodedata.normalize("NFC", name)


def gt_files(folder: Path, root: Path) -> tuple[list[tuple[str | None, Path]], list[Problem]]:
    """Return the files of ground truth, each with its page (None: all pages in one file), and what was not taken."""
    found, problems = entries(folder, root)
    pages: dict[str, Path] = {}
    whole: list[tuple[str | None, Path]] = []
    for path in found:
        where = visible(path.relative_to(root).as_posix())
        match = _PAGE_FILE.fullmatch(path.name)
        if path.suffix.lower() not in SUFFIXES or path.is_dir():
            if not is_readme(path):
                told = f"not taken as ground truth, for its name ends in none of {', '.join(SUFFIXES)}"
                problems.append(Problem(Severity.NOTE, told, where))
        elif path.name == "schema.json":
            continue
        elif match is None:
            whole.append((None, path))
        elif (page := page_id(match.group(1))) in pages:
            problems.append(Problem(Severity.ERROR, f"a second file for this page, beside {pages[page].name}", where, page=page))
        else:
            pages[page] = path
    return [*sorted(pages.items(), key=lambda item: natural_key(item[0])), *whole], problems


def open_gt(path: Path, page: str | None, where: str, fields: Sequence[str] = (), encoding: str = "") -> list[GTFile]:
    """Open a file of ground truth.

    Args:
        path: the file.
        page: the page it is of; None: it holds all pages, by a column `page`, by its sheets, or by keys.
        where: its name in messages.
        fields: names by which the delimiter of a CSV is known.
        encoding: as `read_text`.

    Returns:
        Its pages in the order they begin.

    Raises:
        InputError: it cannot be read rightly; nothing of it is scored then.
    """
    suffix = path.suffix.lower()
    if suffix in (".xlsx", ".xls", ".ods"):
        return _workbook(path, page, where)
    if suffix in (".json", ".jsonl", ".ndjson"):
        return _json(path, page, where, encoding)
    if suffix == ".parquet":
        return _records(read_parquet(path), path, page, where)
    return _csv(path, page, where, fields, encoding)


def _csv(path: Path, page: str | None, where: str, fields: Sequence[str], encoding: str) -> list[GTFile]:
    table, warnings = read_truth_table(path, fields, encoding)
    if table is None:
        return [] if page is None else [GTFile(page, where, path, None)]
    return _of_table(table.header, table.rows, path, page, where, table.repairs, warnings)


def _of_table(
    header: Sequence[str],
    rows: Sequence[tuple[int, tuple[object, ...]]],
    path: Path,
    page: str | None,
    where: str,
    repairs: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> list[GTFile]:
    """A table as one page, or as the pages that its page column names."""
    if page is not None:
        return [GTFile(page, where, path, tuple(header), tuple(rows), tuple(repairs), tuple(warnings))]
    plain = [plain_key(name) for name in header]
    column = next((plain.index(name) for name in PAGE_COLUMNS if name in plain), None)
    if column is None:
        raise NoPagesError(
            "the file is not named gt_page_<id> and has no column `page`",
            where=path,
            hint="add a column `page`, or name the file by its page, such as gt_page_28.csv",
        )
    if plain[column] != "page":
        repairs = (*repairs, f"pages taken from the column {visible(header[column])!r}")
    grouped: dict[str, list[tuple[int, tuple[int, tuple[object, ...]]]]] = {}
    for number, (line, cells) in enumerate(rows, 1):
        named = page_id(cell_text(cells[column] if column < len(cells) else "")[0])
        if not named:
            if any(cell_text(cell)[0] for cell in cells):
                raise InputError("this row names no page", where=path, line=line, hint=f"fill the column {visible(header[column])!r}")
            continue
        grouped.setdefault(named, []).append((number, (line, cells)))
    return [
        GTFile(
            named, where, path, tuple(header), tuple(row for _, row in held), tuple(repairs) if at == 0 else (),
            tuple(warnings) if at == 0 else (), tuple(number for number, _ in held), column,
        )
        for at, (named, held) in enumerate(grouped.items())
    ]  # fmt: skip


def _workbook(path: Path, page: str | None, where: str) -> list[GTFile]:
    sheets, notes = read_workbook(path)
    filled = [sheet for sheet in sheets if sheet.rows]
    if page is not None:
        if len(filled) > 1:
            names = ", ".join(visible(sheet.name) for sheet in filled[:5])
            raise InputError(f"the workbook has several sheets ({names})", where=path, hint="keep one, or name the file without gt_page_")
        if not filled:
            return [GTFile(page, where, path, None, repairs=notes)]
        return _of_table(filled[0].rows[0][1], filled[0].rows[1:], path, page, where, notes)
    found: list[GTFile] = []
    for sheet in filled:
        header, rows = sheet.rows[0][1], sheet.rows[1:]
        at = f"{where}, sheet {visible(sheet.name)}"
        told = notes if sheet is filled[0] else ()
        if any(plain_key(name) in PAGE_COLUMNS for name in header):
            found += _of_table(header, rows, path, None, at, told)
        elif (named := _sheet_page(sheet.name, len(filled))) is not None:
            found += _of_table(header, rows, path, named, at, told)
        else:
            raise NoPagesError(
                f"sheet {visible(sheet.name)!r} has no column `page` and is not named by a page",
                where=path,
                hint="add a column `page`, or name the sheet by its page, such as 28",
            )
    return found


def _sheet_page(name: str, sheets: int) -> str | None:
    """The page a sheet is named by; a name that says nothing of a page counts only where there are several sheets."""
    bare = name.strip()
    match = _PAGE_SHEET.fullmatch(bare)
    if match is not None:
        return page_id(match.group(1).strip())
    return page_id(bare) if bare.isdecimal() or sheets > 1 else None


def _json(path: Path, page: str | None, where: str, encoding: str) -> list[GTFile]:
    decoded = read_truth_text(path, encoding)
    text = decoded.text.strip(" \t\r\n\ufeff")
    if not text:
        return [GTFile(page, where, path, None)] if page is not None else []
    lines = path.suffix.lower() != ".json"
    value = _lines(text, path) if lines else _strict(text, path)
    return _records(value, path, page, where, (*decoded.repairs,), decoded.warnings)


def _strict(text: str, path: Path, line: int | None = None) -> Any:
    parsed = parse_strict(text)
    if parsed is not None:
        if isinstance(parsed.value, RepeatedKeys):
            raise InputError("a key is given twice", where=path, line=line, hint="keep one of the two")
        return parsed.value
    try:
        json.loads(text)
    except (ValueError, RecursionError) as fault:
        at = line if line is not None else getattr(fault, "lineno", None)
        raise InputError(f"this is no JSON ({fault})", where=path, line=at, hint="mend the file; ground truth is not guessed") from fault
    raise InputError("this is nested too deep", where=path, line=line, hint="mend the file")


def _lines(text: str, path: Path) -> list[Any]:
    return [_strict(line, path, number) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _records(
    value: Any, path: Path, page: str | None, where: str, repairs: Sequence[str] = (), warnings: Sequence[str] = ()
) -> list[GTFile]:
    """Parsed records as one page, or as the pages of their keys or of their page field."""
    if page is None:
        by_key = _by_page(value)
        if by_key:
            return [file for named, held in by_key for file in _records(held, path, named, f"{where}, page {visible(named)}")]
    found = find_records(value)
    if found is None or found.warnings:
        what = found.warnings[0] if found is not None and found.warnings else "there is no list of records"
        raise InputError(what, where=path, hint='write [{...}, ...], {"entries": [{...}, ...]} or, for all pages, {"28": [{...}, ...]}')
    header = tuple(dict.fromkeys(str(key) for record in found.records for key in record))
    rows = [(number, tuple(record.get(name) for name in header)) for number, record in enumerate(found.records, 1)]
    return _of_table(header, rows, path, page, where, repairs, warnings)


def _by_page(value: Any) -> list[tuple[str, Any]]:
    """Lists of records under page ids, alone or as `pages`."""
    while isinstance(value, Mapping) and len(value) == 1 and isinstance(next(iter(value.values())), Mapping):
        value = next(iter(value.values()))
    if not isinstance(value, Mapping) or not value:
        return []
    named = [(_key_page(str(key)), held) for key, held in value.items()]
    lists = all(isinstance(held, list) and all(isinstance(one, Mapping) for one in held) for _, held in named)
    return [(key, held) for key, held in named if key] if lists and all(key for key, _ in named) else []


def _key_page(key: str) -> str:
    match = _PAGE_SHEET.fullmatch(key.strip())
    bare = match.group(1).strip() if match is not None else key.strip()
    return page_id(bare) if match is not None or any(sign.isdigit() for sign in bare) else ""


def pages_of(files: Sequence[GTFile]) -> Iterator[Problem]:
    """Yield an error for each page that lies in two files."""
    seen: dict[str, GTFile] = {}
    for file in files:
        first = seen.setdefault(file.page, file)
        if first is not file:
            yield Problem(Severity.ERROR, f"page {visible(file.page)} lies in {first.where} too", file.where, page=file.page)
