"""The text of an answer that is a CSV or Markdown table to records."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from scoring.cells import Records, plain_key
from scoring.delimited import Table, column_names, line_feeds, read_table
from scoring.text import visible

_FENCED = re.compile(r"(?:\A|\n)[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:\n[ \t]*(?:```|~~~)|\Z)", re.DOTALL)
_LINE = re.compile(r"[^\n]+")
_CELL = re.compile(r"[,;\t|]")
_RULE = frozenset("|:+- \t")


def table_records(text: str, fields: Sequence[str] = (), *, trusted: bool = False) -> Records | None:
    """A CSV or Markdown table of a model as records; None where no line can be its header.

    The header is the first line that names a field. Unless `trusted`, it must name half of `fields`. Cells beyond the
    header come under the names `column N`; rows that are too short lack their last keys.
    """
    repairs: list[str] = []
    text = line_feeds(text)
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
