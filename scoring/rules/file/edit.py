"""Edits of the text of EQUIVALENCES.md: a cell replaced, a row added, every other character kept. Text in, text out.

The text of a cell is data: a pipe in it is escaped, a line break is none, and what Markdown cannot hold is refused.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import regex

from scoring.foundations.problems import InputError
from scoring.rules.parse import COLUMNS, NUMBERS, TITLES, Layout, Section, cell_spans, cell_text, lines_of, parse
from scoring.rules.rows import Row, Rules

EMPTY_RULES = (
    "# Equivalences\n\n"
    "The rules, read each time scores are computed. Rows that are `settled` are applied; `OPEN` rows are checked and can be previewed.\n"
    + "".join(f"\n## {TITLES[section]}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}\n" for section, columns in COLUMNS.items())
    + "\n## 4. What stays in code\n\n"
    "Steps whose order matters are code, not rows: the name normal form, base normalisation and place normalisation.\n"
)
"""A rules file without rules, each table ready for its first row."""

_BREAK = regex.compile(r"[\r\n]+")
_FREE_TEXT = frozenset({"witness", "note", "why"})


def cell_source(column: str, text: str) -> str:
    """The source of a cell. A line break becomes a space in what is compared, `<br>` in free text.

    Raises:
        InputError: a control character or a lone surrogate, which the file cannot hold.
    """
    text = _BREAK.sub("<br>" if column in _FREE_TEXT else " ", text.strip(" \t\n\v\f\r"))
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs") and character != "\t":
            raise InputError(f"the {column} holds the character U+{ord(character):04X}, which a rules file cannot hold")
    return text.replace("|", "\\|")


def _newline(lines: list[str], at: int) -> str:
    """The line end a line put at index `at` takes: that of the line above, else that of the first, else LF."""
    ends = (line[len(line.rstrip("\r\n")) :] for line in (*lines[max(0, at - 1) : at], *lines[:1]))
    return next((end for end in ends if end), "\n")


def _spliced(lines: list[str], at: int, added: list[str]) -> str:
    """`added` (without line ends) put before the line at index `at`; a file without final newline stays without."""
    newline = _newline(lines, at)
    before, after = "".join(lines[:at]), "".join(lines[at:])
    block = newline.join(added)
    if before and not before.endswith(("\r", "\n")):
        return before + newline + block
    return before + block + newline + after


def _others(rules: Rules, line: int) -> list[Row]:
    return [replace(row, line=0) for row in rules.rows if row.line != line]


def _proved(old: str, new: str, old_line: int, line: int, cells: Mapping[str, str], path: Path | None) -> str:
    """`new`, if it reads as `old` but for the row on `line`, which holds just `cells`.

    Raises:
        InputError: it does not, because the text of a cell would be taken for Markdown.
    """
    before, _ = parse(old)
    after, layout = parse(new)
    table = next((table for table in layout.tables if line in table.row_lines), None)
    source = lines_of(new)[line - 1]
    found = [cell_text(source[start:end]) for start, end in cell_spans(source)]
    if (
        table is None
        or len(found) != len(table.columns)
        or dict(zip(table.columns, found, strict=True)) != dict(cells)
        or _others(before, old_line) != _others(after, line)
    ):
        raise InputError("this text cannot be written into the table without changing what stands beside it", where=path, line=line)
    return new


def set_cells(text: str, line: int, cells: Mapping[str, str], path: Path | None = None) -> str:
    """The text with some cells of the row on `line` replaced.

    Args:
        text: the file's text, line ends as they are.
        line: the row's line, from 1.
        cells: column name to new text.
        path: for the sentences.

    Raises:
        InputError: no row there, no such column, or a text that cannot stand in a cell.
    """
    _, layout = parse(text)
    table = next((table for table in layout.tables if line in table.row_lines), None)
    if table is None:
        raise InputError("no row of a table of rules stands on this line", where=path, line=line)
    if not table.sound:
        raise InputError("the head of this row's table is faulty", where=path, line=table.header_line, hint="Mend it in an editor first")
    for column in cells:
        if column not in table.columns:
            raise InputError(f"no column `{column}` here: there are {', '.join(table.columns)}", where=path, line=line)
    lines = lines_of(text)
    row = lines[line - 1]
    spans = cell_spans(row)
    if len(spans) != len(table.columns):
        message = f"this row has {len(spans)} cells where its table has {len(table.columns)} columns"
        raise InputError(message, where=path, line=line, hint="Mend it in an editor first")
    wanted = {name: cell_text(row[start:end]) for name, (start, end) in zip(table.columns, spans, strict=True)}
    for column, (start, end) in reversed(list(zip(table.columns, spans, strict=True))):
        if column in cells and wanted[column] != cell_text(cell_source(column, cells[column])):
            source = cell_source(column, cells[column])
            wanted[column] = cell_text(source)
            guard = " " if source.endswith("\\") and row[end : end + 1] == "|" else ""
            row = row[:start] + source + guard + row[end:]
    lines[line - 1] = row
    return _proved(text, "".join(lines), line, line, wanted, path)


def _row_source(columns: tuple[str, ...], cells: Mapping[str, str]) -> str:
    sources = [cell_source(column, cells.get(column, "")) for column in columns]
    return "|" + "|".join(f" {source} " if source else " " for source in sources) + "|"


def _table_source(section: Section) -> list[str]:
    columns = COLUMNS[section]
    return [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]


def _place(layout: Layout, lines: list[str], section: Section) -> tuple[int, list[str]]:
    """Where a first table of the section goes (an index of `lines`), and what must stand there before its row."""
    if section in layout.headings:
        at = layout.ends[section] - 1
        head: list[str] = []
    else:
        later = [line for other, line in layout.headings.items() if NUMBERS[other] > NUMBERS[section]]
        at = min([*later, *layout.prose, len(lines) + 1]) - 1
        head = [f"## {TITLES[section]}", ""]
    while at and not lines[at - 1].strip():
        at -= 1
    return at, [*([""] if at else []), *head, *_table_source(section)]


def add_row(text: str, section: Section, cells: Mapping[str, str], path: Path | None = None) -> tuple[str, int]:
    """The text with a row added to the section's last table, and the row's line. Section and table are made where absent.

    Raises:
        InputError: the table's head is faulty, or a text cannot stand in a cell.
    """
    if not text.strip():
        text = text + EMPTY_RULES
    lines = lines_of(text)
    _, layout = parse(text)
    tables = [table for table in layout.tables if table.section == section]
    if tables and not tables[-1].sound:
        raise InputError("the head of this table is faulty", where=path, line=tables[-1].header_line, hint="Mend it in an editor first")
    if tables:
        table = tables[-1]
        at = max((table.header_line + 1, *table.row_lines))
        header = lines[table.header_line - 1]
        added = [header[: len(header) - len(header.lstrip(" "))] + _row_source(table.columns, cells)]
        columns, line = table.columns, at + 1
    else:
        columns = COLUMNS[section]
        at, above = _place(layout, lines, section)
        added = [*above, _row_source(columns, cells)]
        line = at + len(added)
        if at < len(lines) and lines[at].strip():
            added.append("")
    new = _spliced(lines, at, added)
    wanted = {column: cell_text(cell_source(column, cells.get(column, ""))) for column in columns}
    return _proved(text, new, 0, line, wanted, path), line


def without_row(text: str, line: int, path: Path | None = None) -> str:
    """The text without the row on `line`; the inverse of `add_row` where the table was there before.

    Raises:
        InputError: no row there that can be taken out by itself.
    """
    before, layout = parse(text)
    if before.row_at(line) is None or not any(line in table.row_lines for table in layout.tables):
        raise InputError("no row of a table of rules stands on this line", where=path, line=line)
    lines = lines_of(text)
    gone = lines.pop(line - 1)
    if line > len(lines) and not gone.endswith(("\r", "\n")):
        # A file without final newline stays without.
        lines[-1] = lines[-1].rstrip("\r\n")
    new = "".join(lines)
    if _others(before, line) != _others(parse(new)[0], 0):
        raise InputError("this row cannot be taken out without changing what stands beside it", where=path, line=line)
    return new
