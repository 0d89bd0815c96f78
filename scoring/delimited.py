"""Tables as text: CSV in the dialects that spreadsheets write, and Markdown tables; read with what was repaired."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.answers import Records, plain_key
from scoring.problems import InputError
from scoring.text import visible

DELIMITERS = ",;\t|"
_NAMES = {";": "semicolon", "\t": "tab", "|": "vertical bar"}
_CELL_LIMIT = 16 * 1024 * 1024
_FENCED = re.compile(r"\s*(?:```|~~~)[^\n]*\n(.*?)(?:\n[ \t]*(?:```|~~~)[ \t]*)?\s*\Z", re.DOTALL)
_RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*")


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
    lines = text.lstrip("\ufeff")
    first = next((line for line in lines.split("\n") if line.strip()), None)
    if first is None:
        return None
    repairs: list[str] = []

    def fit(delimiter: str) -> tuple[int, int]:
        header = next(csv.reader([first], delimiter=delimiter), [])
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
    names: list[str] = []
    repairs: list[str] = []
    for at, raw in enumerate(header, 1):
        name = raw.strip(" \t\r\n\ufeff\u200b")
        if not name:
            name = f"column {at}"
        if name in names:
            repairs.append(f"column {visible(name)!r} is there twice, the first one counts")
            name = f"{name} (column {at})"
        names.append(name)
    return tuple(names), repairs


def table_records(text: str, fields: Sequence[str] = (), *, trusted: bool = False) -> Records | None:
    """A CSV or Markdown table of a model as records. Unless `trusted`, its header must hold half of `fields`.

    Cells beyond the header come under the names `column N`; rows that are too short lack their last keys.
    """
    repairs: list[str] = []
    fenced = _FENCED.match(text)
    if fenced is not None:
        text = fenced.group(1)
        repairs.append("Markdown fence removed")
    table = _markdown(text) or read_table(text, fields)
    if table is None:
        return None
    known = {plain_key(name) for name in fields}
    if not trusted:
        fitting = {plain_key(name) for name in table.header} & known
        if not known or 2 * len(fitting) < len(known):
            return None
    names, doubled = column_names(table.header)
    repairs += [*table.repairs, *doubled]
    records: list[dict[str, object]] = []
    for line, cells in table.rows:
        record: dict[str, object] = dict(zip(names, cells, strict=False))
        beyond = [(f"column {at}", cell) for at, cell in enumerate(cells[len(names) :], len(names) + 1) if cell.strip()]
        if beyond:
            record.update(beyond)
            repairs.append(f"line {line} has more cells than the header")
        elif len(cells) < len(names):
            repairs.append(f"line {line} has fewer cells than the header")
        records.append(record)
    return Records(tuple(records), "table", tuple(repairs))


def _markdown(text: str) -> Table | None:
    """A Markdown table: lines between vertical bars with a rule under the header."""
    lines = [(at, line.strip()) for at, line in enumerate(text.split("\n"), 1)]
    for (at, head), (_, rule) in pairwise(lines):
        if "|" in head and "|" in rule and _RULE.fullmatch(rule):
            rows: list[tuple[int, tuple[str, ...]]] = []
            for line, row in lines[at + 1 :]:
                if "|" not in row:
                    break
                rows.append((line, _bars(row)))
            return Table(_bars(head), tuple(rows), ("Markdown table read",))
    return None


def _bars(line: str) -> tuple[str, ...]:
    inner = line.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner))
