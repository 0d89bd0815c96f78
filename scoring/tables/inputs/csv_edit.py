"""A CSV file changed in single cells and rows, every other byte kept. Text in, text out; the files are `doubts`' matter.

Only what a strict reader of the dialect understands is edited, and every edit is proved by reading the result again.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.foundations.problems import InputError
from scoring.texts.csv_tables import read_table

_DELIMITERS = {"columns divided by semicolon": ";", "columns divided by tab": "\t", "columns divided by vertical bar": "|"}


@dataclass(frozen=True, slots=True)
class Record:
    """A record of the text: where it begins and ends (its line end included), and (begin, end, text) of each cell."""

    start: int
    end: int
    cells: tuple[tuple[int, int, str], ...]

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(text for _, _, text in self.cells)


@dataclass(frozen=True, slots=True)
class Changes:
    """What to change: rows by their number from 1 (the header is none).

    Attributes:
        cells: row -> column index -> new text.
        removed: rows to take out.
        added: (row to stand after, 0: before the first; texts of its cells), in the order they shall stand.
    """

    cells: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    removed: frozenset[int] = frozenset()
    added: tuple[tuple[int, tuple[str, ...]], ...] = ()


def records(text: str, delimiter: str) -> list[Record]:
    """The records of a CSV text (without byte order mark), the header first; lines without anything are none.

    Raises:
        InputError: a quotation mark that does not fit.
    """
    found: list[Record] = []
    at, size = 0, len(text)
    line = 1
    while at < size:
        start, cells = at, []
        while True:
            begin = at
            if at < size and text[at] == '"':
                at = text.find('"', at + 1)
                while at >= 0 and text[at + 1 : at + 2] == '"':
                    at = text.find('"', at + 2)
                if at < 0:
                    raise InputError("a quotation mark is never closed", line=line)
                at += 1
                if at < size and text[at] not in (delimiter, "\r", "\n"):
                    raise InputError("a quotation mark stands in the middle of a cell", line=line + text.count("\n", start, at))
                value = text[begin + 1 : at - 1].replace('""', '"')
            else:
                while at < size and text[at] not in (delimiter, "\r", "\n"):
                    at += 1
                value = text[begin:at]
            cells.append((begin, at, value))
            if at < size and text[at] == delimiter:
                at += 1
                continue
            break
        if at < size:
            at += 2 if text.startswith("\r\n", at) else 1
        if len(cells) > 1 or cells[0][1] > cells[0][0]:
            found.append(Record(start, at, tuple(cells)))
        line += text.count("\n", start, at)
    return found


def dialect_of(text: str, fields: Sequence[str]) -> str:
    """The delimiter by which `read_table` reads the text.

    Raises:
        InputError: there is no table, or its quotation marks do not fit.
    """
    table = read_table(text, fields)
    if table is None:
        raise InputError("there is no table")
    for repair in table.repairs:
        if repair not in _DELIMITERS:
            raise InputError(f"the file was read with a repair: {repair}", hint="mend it by hand first")
    return next((_DELIMITERS[repair] for repair in table.repairs), ",")


def changed(text: str, fields: Sequence[str], changes: Changes) -> str:
    """The text with the changes made, every other character kept.

    Args:
        text: without its byte order mark, line ends as they are.
        fields: names by which the delimiter is recognised.

    Raises:
        InputError: the text is not strict CSV, a row or column is not there, or a text cannot stand in a cell.
    """
    delimiter = dialect_of(text, fields)
    found = records(text, delimiter)
    _agrees(text, fields, [record.values for record in found])
    header, rows = found[0], found[1:]
    edits: list[tuple[int, int, str]] = []
    for number, cells in changes.cells.items():
        if number in changes.removed:
            continue
        record = _row(rows, number)
        for column, value in cells.items():
            if column >= len(record.cells):
                raise InputError(f"row {number} has {len(record.cells)} cells, so column {column + 1} cannot be written")
            begin, end, _ = record.cells[column]
            edits.append((begin, end, _source(value, delimiter, quoted=text[begin:end].startswith('"'))))
    for number in sorted(changes.removed):
        record = _row(rows, number)
        edits.append((record.start, record.end, ""))
    newline = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    placed: dict[int, list[str]] = {}
    for after, values in changes.added:
        anchor = header if after == 0 else _row(rows, after)
        placed.setdefault(anchor.end, []).append(delimiter.join(_source(value, delimiter) for value in values))
    for at, lines in placed.items():
        open_end = at == len(text) and not text.endswith(("\r", "\n"))
        block = newline.join(lines)
        edits.append((at, at, newline + block if open_end else block + newline))
    new = text
    # From the end, so that places stay; at one place what is taken out goes first.
    for begin, end, source in sorted(edits, key=lambda edit: (edit[0], edit[1]), reverse=True):
        new = new[:begin] + source + new[end:]
    _agrees(new, fields, _wanted(found, changes))
    return new


def _row(rows: Sequence[Record], number: int) -> Record:
    if not 1 <= number <= len(rows):
        raise InputError(f"there is no row {number}")
    return rows[number - 1]


def _source(value: str, delimiter: str, *, quoted: bool = False) -> str:
    if "\r" in value or "\n" in value or "\0" in value:
        raise InputError("a text with a line break cannot be written into the ground truth", hint="write it in one line")
    if quoted or delimiter in value or '"' in value or value != value.strip():
        return '"' + value.replace('"', '""') + '"'
    return value


def _wanted(found: Sequence[Record], changes: Changes) -> list[tuple[str, ...]]:
    """The records as the changes mean them."""
    out = [found[0].values]
    new = [(after, values) for after, values in changes.added]
    out += [values for after, values in new if after == 0]
    for number, record in enumerate(found[1:], 1):
        if number not in changes.removed:
            cells = changes.cells.get(number, {})
            out.append(tuple(cells.get(at, value) for at, value in enumerate(record.values)))
        out += [values for after, values in new if after == number]
    return out


def _agrees(text: str, fields: Sequence[str], expected: Sequence[tuple[str, ...]]) -> None:
    """That the reader of ground truth sees just these records.

    Raises:
        InputError: it does not.
    """
    try:
        table = read_table(text, fields)
    except (InputError, csv.Error) as fault:
        raise InputError(f"the file would not be read any more ({fault})", hint="change it by hand") from fault
    seen = [table.header, *(cells for _, cells in table.rows)] if table is not None else []
    plain = [tuple(cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells) for cells in expected]
    if [tuple(cells) for cells in seen] != plain:
        raise InputError("the file is written in a way that cannot be changed safely", hint="change it by hand")
