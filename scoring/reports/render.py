"""A table as CSV, as JSON values and as Markdown. Text from data is data: never a formula, never markup, never a control sequence."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping

from scoring.reports.tables import Cell, Table, is_numeric
from scoring.spreadsheet import safe_cell
from scoring.text import visible

# What Markdown, or the HTML within it, would take for markup wherever it stands; a colon in front of something may begin an address
# or an emoji; signs that begin a list do so only in front.
_MARKUP = re.compile(r"[\\`*_\[\]#!|<>~&$^]|:(?=\S)|(?<=www)\.|^[-+]")


def csv_cell(cell: Cell) -> str:
    """A cell of a CSV file: empty where undefined, numbers at full precision (shortest round-trip), text made safe for spreadsheets."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return repr(cell)
    return safe_cell(cell) if isinstance(cell, str) else str(cell)


def to_csv(table: Table) -> str:
    """The table as CSV: names of columns, then rows, lines ending in a line feed."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows([csv_cell(cell) for cell in row] for row in table.rows)
    return text.getvalue()


# What JSON may carry as it is but a terminal must not be sent.
_UNSENT = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\U000e0000-\U000e007f]")


def to_json(values: object) -> str:
    """JSON of records and mappings: floats at full precision, undefined figures null, keys in the order given.

    Control, invisible and direction characters are written as escapes, so that they read back as they were and harm no terminal.
    """
    text = json.dumps(values, ensure_ascii=False, indent=1, allow_nan=False)
    return _UNSENT.sub(lambda found: json.dumps(found.group())[1:-1], text) + "\n"


def escaped(text: str) -> str:
    """Text from data as literal Markdown."""
    return _MARKUP.sub(r"\\\g<0>", visible(text))


def to_markdown(table: Table, level: int = 2) -> str:
    """The table as a section of Markdown with its title, note and a pipe table of what people read."""
    lines = [f"{'#' * level} {escaped(table.title)}", ""]
    if table.note:
        lines += [escaped(table.note), ""]
    lines += [*markdown_rows(table), ""]
    return "\n".join(lines)


def markdown_rows(table: Table) -> list[str]:
    """The lines of a pipe table."""
    if not table.rows:
        return ["Nothing to show."]
    head = " | ".join(escaped(column.title) for column in table.columns)
    rule = " | ".join("---:" if is_numeric(column) else ":---" for column in table.columns)
    body = (" | ".join(escaped(cell) if cell else " " for cell in row) for row in table.shown())
    return [f"| {head} |", f"| {rule} |", *(f"| {row} |" for row in body)]


def json_tables(tables: Mapping[str, Table], more: Iterable[tuple[str, object]] = ()) -> str:
    """Tables as one JSON document, records by name, after whatever else goes first."""
    return to_json({**dict(more), **{name: table.records() for name, table in tables.items()}})
