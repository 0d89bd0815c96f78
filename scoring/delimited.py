"""Tables as text: CSV in the dialects that spreadsheets write, and Markdown tables; read with what was repaired."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scoring.cells import Records, plain_key
from scoring.problems import InputError
from scoring.text import visible

DELIMITERS = ",;\t|"
_NAMES = {";": "semicolon", "\t": "tab", "|": "vertical bar"}
_CELL_LIMIT = 16 * 1024 * 1024
_FENCED = re.compile(r"(?:\A|\n)[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:\n[ \t]*(?:```|~~~)|\Z)", re.DOTALL)
_LINE = re.compile(r"[^\n]+")
_CELL = re.compile(r"[,;\t|]")
_SOMETHING = re.compile(r"\S")
_RULE = frozenset("|:+- \t")


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
    lines = _line_feeds(text.lstrip("\ufeff"))
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


def table_records(text: str, fields: Sequence[str] = (), *, trusted: bool = False) -> Records | None:
    """A CSV or Markdown table of a model as records; None where no line can be its header.

    The header is the first line that names a field. Unless `trusted`, it must name half of `fields`. Cells beyond the
    header come under the names `column N`; rows that are too short lack their last keys.
    """
    repairs: list[str] = []
    text = _line_feeds(text)
    fenced = _FENCED.search(text)
    if fenced is not None:
        outside = " ".join((text[: fenced.start()] + " " + text[fenced.end() :]).split())
        text = fenced.group(1)
        repairs.append("Markdown fence removed" + (f"; text around it passed over: {visible(outside[:60])}" if outside else ""))
    known = {plain_key(name) for name in fields}
    table = _markdown(text)
    if table is None:
        text, before = _from_header(text, known)
        if before:
            repairs.append(f"text before the table passed over: {visible(before[:60])}")
        table = read_table(text, fields)
    if table is None:
        return None
    fitting = len({plain_key(name) for name in table.header} & known)
    if (known or not trusted) and (not fitting or (not trusted and 2 * fitting < len(known))):
        return None
    names, doubled = column_names(table.header)
    repairs += [*table.repairs, *doubled]
    records: list[dict[str, object]] = []
    for line, cells in table.rows:
        record: dict[str, object] = dict(zip(names, cells, strict=False))
        beyond = [(f"column {at}", cell) for at, cell in enumerate(cells[len(names) :], len(names) + 1) if cell.strip()]
        if beyond:
            record.update(beyond)
            repairs.append(f"line {line} of the table has more cells than the header")
        elif len(cells) < len(names):
            repairs.append(f"line {line} of the table has fewer cells than the header")
        records.append(record)
    return Records(tuple(records), "table", tuple(repairs))


def _from_header(text: str, known: Collection[str]) -> tuple[str, str]:
    """The text from the first line that names a field on, and what stands before it; the text as it is where no line does."""
    for match in _LINE.finditer(text):
        if any(plain_key(cell.strip().strip('"')) in known for cell in _CELL.split(match.group())):
            at = match.start()
            return text[at:], " ".join(text[:at].split()).strip("\ufeff")
    return text, ""


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _markdown(text: str) -> Table | None:
    """A Markdown table: lines between vertical bars with a rule under the header."""
    if "|" not in text:
        return None
    lines = text.split("\n")
    for at, (head, rule) in enumerate(pairwise(lines)):
        if "|" in head and "|" in rule and "-" in rule and _RULE.issuperset(rule.strip()):
            rows: list[tuple[int, tuple[str, ...]]] = []
            for number in range(at + 2, len(lines)):
                if "|" not in lines[number]:
                    break
                rows.append((number + 1, _bars(lines[number].strip())))
            return Table(_bars(head.strip()), tuple(rows), ("Markdown table read",))
    return None


def _bars(line: str) -> tuple[str, ...]:
    inner = line.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner))
