"""Read CSV in the dialects that spreadsheets write, with what was repaired."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.cells import plain_key
from scoring.problems import InputError
from scoring.text import visible

DELIMITERS = ",;\t|"
_NAMES = {";": "semicolon", "\t": "tab", "|": "vertical bar"}
_CELL_LIMIT = 16 * 1024 * 1024
_SOMETHING = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class Table:
    """A table read: its header as it stands, and each row with the line it begins in, from 1. Lines without anything are no rows."""

    header: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    repairs: tuple[str, ...] = ()


def read_table(text: str, fields: Sequence[str] = ()) -> Table | None:
    """The table in a CSV text; None where there is no line with anything.

    The delimiter is the one under which the header holds the most of `fields`, then the most columns, then the comma.
    """
    known = {plain_key(name) for name in fields}
    lines = line_feeds(text.lstrip("\ufeff"))
    something = _SOMETHING.search(lines)
    if something is None:
        return None
    start, end = lines.rfind("\n", 0, something.start()) + 1, lines.find("\n", something.start())
    first = lines[start : end if end >= 0 else len(lines)]
    repairs: list[str] = []

    def fit(delimiter: str) -> tuple[int, int]:
        try:
            header = next(csv.reader([first], delimiter=delimiter), [])
        except csv.Error:
            return 0, 0
        return sum(1 for name in header if plain_key(name) in known), len(header)

    delimiter = max(DELIMITERS, key=fit)
    if delimiter in _NAMES:
        repairs.append(f"columns divided by {_NAMES[delimiter]}")
    try:
        rows = list(_rows(lines, delimiter, strict=True))
    except csv.Error as fault:
        rows = list(_rows(lines, delimiter, strict=False))
        repairs.append(f"quotation marks that do not fit ({fault})")
    header = rows.pop(0)[1]
    return Table(header, tuple(rows), tuple(repairs))


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
