"""The log written out for people without git: CSV and XLSX to look at, log lines to import elsewhere (`docs/log.md#export`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from errno import ENOENT
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec

from scoring.adjudication.decisions import Decisions, line_digest
from scoring.adjudication.log.read import LogContents, decode, numbered_lines
from scoring.adjudication.log_entry import LogEntry
from scoring.foundations.files import write_whole
from scoring.foundations.problems import InputError
from scoring.texts.spreadsheet_output import dated_workbook, safe_cell

Format = Literal["csv", "jsonl", "xlsx"]
Cell = str | int | float | bool | None

HEADER = (*LogEntry.__struct_fields__, "live")


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return safe_cell(value)
    if isinstance(value, tuple):
        return safe_cell("; ".join(value))
    return safe_cell(msgspec.json.encode(value).decode()) if value != {} else None


def rows(decisions: Decisions) -> Iterator[tuple[Cell, ...]]:
    """A row an entry, in id order: the fields as in `HEADER`, and whether the entry is live (not retracted)."""
    for entry in decisions.entries:
        yield (*(_cell(getattr(entry, name)) for name in LogEntry.__struct_fields__), decisions.is_live(entry))


def export(contents: LogContents, format: Format, target: Path | BinaryIO, when: str = "1980-01-01T00:00:00Z") -> None:
    """Write the log's entries in id order.

    Args:
        contents: a sound log.
        format: `jsonl` gives the lines byte for byte as they are in the log, unknown keys included; `csv` (UTF-8) and `xlsx`
            give a row an entry.
        target: a file to write or replace, or an open binary stream.
        when: the moment at which a workbook says that it was made.

    Raises:
        InputError: the file cannot be written, or the log changed since it was read.
    """
    data = _xlsx(contents, when) if format == "xlsx" else _jsonl(contents) if format == "jsonl" else _csv(contents)
    if not isinstance(target, Path):
        target.write(data)
        return
    try:
        if not target.parent.is_dir():
            raise FileNotFoundError(ENOENT, "there is no such folder")
        write_whole(target, data)
    except OSError as error:
        raise InputError(f"The export cannot be written: {error.strerror}", where=target) from error


def _csv(contents: LogContents) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(rows(contents.decisions()))
    return text.getvalue().encode("utf-8")


def _jsonl(contents: LogContents) -> bytes:
    wanted = set(contents.digests)
    lines: dict[str, bytes] = {}
    for _, _, line in numbered_lines(contents.files):
        if line_digest(line) in wanted:
            entry, _ = decode(line)
            if entry is not None:
                lines[entry.id] = line
    if len(lines) != len(contents.entries):
        raise InputError("The log changed while it was exported", where=contents.folder, hint="Export it again")
    return b"".join(lines[entry.id] + b"\n" for entry in contents.entries)


def _xlsx(contents: LogContents, when: str) -> bytes:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    sheet = book.create_sheet("log")
    sheet.freeze_panes = "A2"
    titles = [WriteOnlyCell(sheet, value=name) for name in HEADER]
    for title in titles:
        title.font = Font(bold=True)
    sheet.append(titles)
    for row in rows(contents.decisions()):
        sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return dated_workbook(stream.getvalue(), when)
