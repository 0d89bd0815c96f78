"""Tables in the text of an answer: CSV, Markdown, HTML."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from scoring.answers.html_tables import html_tables
from scoring.foundations.problems import InputError
from scoring.texts.cells import Records, plain_key
from scoring.texts.csv_tables import CsvTable, column_names, line_feeds, read_table
from scoring.texts.forms import visible

_FENCED = re.compile(r"(?:\A|\n)[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:\n[ \t]*(?:```|~~~)|\Z)", re.DOTALL)
_LINE = re.compile(r"[^\n]+")
_CELL = re.compile(r"[,;\t|]")
_RULE = frozenset("|:+- \t")


def table_records(text: str, fields: Sequence[str] = (), *, trusted: bool = False) -> list[tuple[int, int, Records]]:
    """Return the CSV, Markdown and HTML tables of a text as records, each with its place in the text.

    The header of a CSV is the first line that names a field. Unless `trusted`, it must name half of `fields`. Cells beyond the
    header come under the names `column N`; rows that are too short lack their last keys.

    Raises:
        InputError: a quotation mark opens in one line of a CSV and swallows those behind it.
    """
    text = line_feeds(text)
    known = {plain_key(name) for name in fields}
    fenced = [(match.start(), match.end(), match.group(1)) for match in _FENCED.finditer(text)]
    repairs = ("Markdown fence removed",) if fenced else ()
    found: list[tuple[int, int, Records]] = []
    for start, end, body in fenced or [(0, len(text), text)]:
        for table, truncated, told in _tables(body, fields, known):
            fitting = len({plain_key(name) for name in table.header} & known)
            if (known or not trusted) and (not fitting or (not trusted and 2 * fitting < len(known))):
                continue
            found.append((start, end, _records(table, truncated, (*repairs, *told))))
    if fenced and found:
        outside = " ".join(_FENCED.sub(" ", text).split())
        if outside:
            start, end, first = found[0]
            around = f"text around the table passed over: {visible(outside[:60])}"
            found[0] = (start, end, replace(first, repairs=(*first.repairs, around)))
    return found


def _tables(text: str, fields: Sequence[str], known: Collection[str]) -> list[tuple[CsvTable, bool, tuple[str, ...]]]:
    """The tables of a text, each with whether it is cut off and the repairs made: HTML, else Markdown, else one CSV."""
    marked = html_tables(text) or _markdown(text)
    if marked:
        return [(table, False, ()) for table in marked]
    text, before = _from_header(text, known)
    table = read_table(text, fields)
    if table is None:
        return []
    told: tuple[str, ...] = (f"text before the table passed over: {visible(before[:60])}",) if before else ()
    rows = table.rows
    truncated = False
    if rows and table.unclosed is not None:
        opened = table.unclosed
        if opened < len(text.rstrip().split("\n")):
            raise InputError(f"a quotation mark in line {opened} of the table is never closed")
        rows, truncated = rows[:-1], True
    swallowed = table.swallowed()
    if swallowed is not None:
        raise InputError(f"lines {swallowed[0]} to {swallowed[1]} of the table are one cell: a quotation mark is missing")
    ends = [line + sum(cell.count("\n") for cell in cells) for line, cells in rows]
    for at in range(1, len(rows)):
        line, cells = rows[at]
        if len(table.header) > 1 and len(cells) == 1 and line > ends[at - 1] + 1:
            told += (f"text behind the table passed over: {visible(cells[0][:60])}",)
            rows = rows[:at]
            break
    return [(replace(table, rows=rows), truncated, told)]


def _records(table: CsvTable, truncated: bool, told: Sequence[str]) -> Records:
    names, doubled = column_names(table.header)
    repairs = [*told, *table.repairs, *doubled]
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
    return Records(tuple(records), "table", tuple(repairs), truncated)


def _from_header(text: str, known: Collection[str]) -> tuple[str, str]:
    """The text from the first line that names a field on, and what stands before it; the text as it is where no line does."""
    for match in _LINE.finditer(text):
        if any(plain_key(cell.strip().strip('"')) in known for cell in _CELL.split(match.group())):
            at = match.start()
            return text[at:], " ".join(text[:at].split()).strip("\ufeff")
    return text, ""


def _markdown(text: str) -> list[CsvTable]:
    """The Markdown tables of a text: lines between vertical bars with a rule under the header."""
    if "|" not in text:
        return []
    lines = text.split("\n")
    found: list[CsvTable] = []
    at = 0
    while at < len(lines) - 1:
        head, rule = lines[at], lines[at + 1]
        if not ("|" in head and "|" in rule and "-" in rule and _RULE.issuperset(rule.strip())):
            at += 1
            continue
        rows: list[tuple[int, tuple[str, ...]]] = []
        at += 2
        while at < len(lines) and "|" in lines[at]:
            rows.append((at + 1, _bars(lines[at].strip())))
            at += 1
        found.append(CsvTable(_bars(head.strip()), tuple(rows), ("Markdown table read",)))
    return found


def _bars(line: str) -> tuple[str, ...]:
    inner = line.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner))
