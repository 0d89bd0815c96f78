"""Read CSV in the dialects that spreadsheets write, with what was repaired."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.foundations.problems import InputError
from scoring.texts.cells import plain_key
from scoring.texts.forms import visible

DELIMITERS = ",;\t|"
_NAMES = {";": "semicolon", "\t": "tab", "|": "vertical bar"}
_CELL_LIMIT = 16 * 1024 * 1024
_NEVER_CLOSED = "unexpected end of data"
_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?\s*', re.IGNORECASE)
_SOMETHING = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A table: its header, and each row with the line it begins in, from 1. Empty lines are no rows.

    `unclosed` is the line in which a quotation mark opens that is never closed.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    repairs: tuple[str, ...] = ()
    unclosed: int | None = None

    def swallowed(self) -> tuple[int, int] | None:
        """Return the first and last line of a cell that looks like rows of the table inside quotation marks; None where there is none.

        Such a cell holds at least two whole lines with as many columns as the header, which has three or more.
        """
        if len(self.header) < 3:
            return None
        for line, cells in self.rows:
            for cell in cells:
                inner = cell.split("\n")[1:-1] if cell.count("\n") > 2 else []
                if any(sum(one.count(sign) == len(self.header) - 1 for one in inner) >= 2 for sign in DELIMITERS):
                    return line, line + sum(one.count("\n") for one in cells)
        return None


def read_table(text: str, fields: Sequence[str] = ()) -> CsvTable | None:
    """Return the table in a CSV text; None where there is no line with anything.

    The delimiter is the one that a first line `sep=;` names, else the one under which the header holds the most of `fields`, then
    the most columns, then the comma.
    """
    known = {plain_key(name) for name in fields}
    lines = line_feeds(text.lstrip("\ufeff"))
    something = _SOMETHING.search(lines)
    if something is None:
        return None
    start, end = lines.rfind("\n", 0, something.start()) + 1, lines.find("\n", something.start())
    first = lines[start : end if end >= 0 else len(lines)]

    def fit(delimiter: str) -> tuple[int, int]:
        try:
            header = next(csv.reader([first], delimiter=delimiter), [])
        except csv.Error:
            return 0, 0
        return sum(1 for name in header if plain_key(name) in known), len(header)

    declared = _SEPARATOR_LINE.fullmatch(first)
    if declared is not None:
        # The line stays as an empty one, so that lines keep their numbers.
        lines = lines[:start] + lines[start + len(first) :]
        return _read_rows(lines, declared.group(1), ["line `sep=` of a spreadsheet passed over"])
    return _read_rows(lines, max(DELIMITERS, key=fit), [])


def _read_rows(lines: str, delimiter: str, repairs: list[str]) -> CsvTable | None:
    unclosed = None
    if delimiter in _NAMES:
        repairs.append(f"columns divided by {_NAMES[delimiter]}")
    try:
        rows = list(_rows(lines, delimiter, strict=True))
    except csv.Error as fault:
        rows = list(_rows(lines, delimiter, strict=False))
        repairs.append(f"quotation marks that do not fit ({fault})")
        unclosed = rows[-1][0] if _NEVER_CLOSED in str(fault) else None
    if not rows:
        return None
    header = rows.pop(0)[1]
    return CsvTable(header, tuple(rows), tuple(repairs), unclosed)


def _rows(text: str, delimiter: str, *, strict: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
    previous = csv.field_size_limit(_CELL_LIMIT)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
        begins = 1
        for row in reader:
            if row:
                yield begins, tuple(row)
            begins = reader.line_num + 1
    except csv.Error as fault:
        if strict:
            raise csv.Error(f"line {reader.line_num}: {fault}") from fault
        raise InputError(f"the table cannot be read ({fault})", line=reader.line_num) from fault
    finally:
        csv.field_size_limit(previous)


def column_names(header: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names for the columns, each once: trimmed, a repeated name numbered, a column without a name numbered; and what was repaired."""
    names: dict[str, None] = {}
    repairs: list[str] = []
    for at, raw in enumerate(header, 1):
        name = raw.strip(" \t\r\n\ufeff\u200b")
        if not name:
            name = f"column {at}"
        if name in names:
            repairs.append(f"column {visible(name)!r} is there twice, the first one counts")
            while name in names:
                name = f"{name} (column {at})"
        names[name] = None
    return tuple(names), repairs


def line_feeds(text: str) -> str:
    """Return `text` with CRLF and CR line ends as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
