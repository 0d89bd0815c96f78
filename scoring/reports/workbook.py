"""Tables as a workbook (XLSX): figures as numbers at full precision, text as text, the same bytes for the same tables."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from typing import Any

from scoring.reports.tables import Cell, Table
from scoring.spreadsheet import dated_workbook, safe_cell

_FORMATS = {"share": "0.000", "error": "0.0000", "number": "0.00"}


def workbook(tables: Iterable[Table], title: str, provenance: str, generated: str) -> bytes:
    """A workbook with a sheet of contents and a sheet a table.

    Args:
        title: of the workbook.
        provenance: the provenance line.
        generated: a moment (`2026-11-29T22:10:05Z`), which the file says it was made at.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    contents = book.create_sheet("contents")
    contents.column_dimensions["A"].width = 32
    contents.column_dimensions["B"].width = 70
    names: set[str] = {"contents"}
    listed = [(one, _sheet_name(one.name, names)) for one in tables]
    heading = WriteOnlyCell(contents, value=safe_cell(title))
    heading.font = Font(bold=True, size=14)
    contents.append([heading])
    contents.append([safe_cell(provenance)])
    contents.append([f"Generated {generated}"])
    contents.append([])
    contents.append([_bold(contents, text) for text in ("sheet", "table", "rows", "note")])
    for one, name in listed:
        contents.append([name, safe_cell(one.title), len(one.rows), safe_cell(one.note)])
    for one, name in listed:
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        for at, column in enumerate(one.columns):
            sheet.column_dimensions[_letter(at)].width = 12 if column.kind != "text" else 20
        sheet.append([_bold(sheet, safe_cell(column.name)) for column in one.columns])
        formats = [_FORMATS.get(column.kind) for column in one.columns]
        for row in one.rows:
            cells = []
            for value, form in zip(row, formats, strict=True):
                cell: Any = WriteOnlyCell(sheet, value=_value(value))
                if isinstance(value, float):
                    # The library writes 16 digits; a double needs up to 17 to come back as it was.
                    cell._value = repr(value)
                    if form is not None:
                        cell.number_format = form
                cells.append(cell)
            sheet.append(cells)
    stream = io.BytesIO()
    book.save(stream)
    return dated_workbook(stream.getvalue(), generated)


def _value(cell: Cell) -> Cell:
    return safe_cell(cell) if isinstance(cell, str) else cell


def _bold(sheet: Any, text: str) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    cell = WriteOnlyCell(sheet, value=text)
    cell.font = Font(bold=True)
    return cell


def _letter(at: int) -> str:
    from openpyxl.utils import get_column_letter

    return str(get_column_letter(at + 1))


def _sheet_name(name: str, taken: set[str]) -> str:
    """A name that a spreadsheet takes: at most 31 characters, none of its signs, unlike all others whatever their case."""
    base = re.sub(r"[\[\]:*?/\\'\x00-\x1f]", "_", safe_cell(name)).strip()[:31] or "table"
    found, number = base, 1
    while found.casefold() in taken:
        number += 1
        tail = f" {number}"
        found = base[: 31 - len(tail)] + tail
    taken.add(found.casefold())
    return found
