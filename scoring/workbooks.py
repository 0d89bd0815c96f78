"""Workbooks (XLSX, ODS) as tables of texts, each cell as it is shown; and Parquet files as rows."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scoring.archives import open_zip, read_member
from scoring.files import read_bytes
from scoring.problems import InputError, install_hint
from scoring.text import visible

MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 200_000, 2_000, 5_000_000
_MOST_BYTES: Final = 512 * 1024 * 1024
_DATE_TOKEN = re.compile(r'yyyy|yy|mmmm|mmm|mm|m|dddd|ddd|dd|d|hh|h|ss|s|\.0+|AM/PM|"[^"]*"|\\.|\[[^\]]*\]|.', re.IGNORECASE)
_ZEROS = re.compile(r"0+")
_DECIMALS = re.compile(r"[#,]*0(?:\.(0+))?(%?)")
_ODF: Final = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TABLE, _TEXT, _STYLE, _OFFICE = (_ODF % name for name in ("table", "text", "style", "office"))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: its name and its rows, each with its number from 1; empty rows and empty cells at a row's end are left out."""

    name: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def read_workbook(path: Path) -> tuple[tuple[Sheet, ...], tuple[str, ...]]:
    """Return the visible sheets of a workbook, and notes on those that are hidden.

    Raises:
        InputError: it cannot be read, is no workbook, is larger than any page can be, or a cell holds an error or a formula
            whose value is not stored.
    """
    suffix = path.suffix.lower()
    if suffix == ".xls":
        raise InputError("old Excel workbooks (.xls) are not read", where=path, hint="save it as .xlsx or .csv")
    return _read_ods(path) if suffix == ".ods" else _read_xlsx(path)


class _Bounds:
    """Counts rows and cells of a workbook against what a page can have."""

    def __init__(self, path: Path) -> None:
        self._path, self._cells = path, 0

    def count(self, sheet: str, row: int, width: int) -> None:
        """Count a row of `width` cells.

        Raises:
            InputError: there are too many.
        """
        self._cells += width
        if row > MOST_ROWS or width > MOST_COLUMNS or self._cells > MOST_CELLS:
            raise InputError(
                f"sheet {visible(sheet)!r} is larger than {MOST_ROWS} rows, {MOST_COLUMNS} columns or {MOST_CELLS} cells",
                where=self._path,
                hint="delete empty rows and columns that hold formats alone",
            )


def _trimmed(cells: list[str]) -> tuple[str, ...]:
    while cells and not cells[-1].strip():
        cells.pop()
    return tuple(cells)


# XLSX


def _read_xlsx(path: Path) -> tuple[tuple[Sheet, ...], tuple[str, ...]]:
    from openpyxl import load_workbook

    with open_zip(path, most_bytes=_MOST_BYTES) as archive:
        names = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        formulas = any(re.search(rb"<f[ >/]", read_member(archive, name, limit=_MOST_BYTES)) for name in names)
    try:
        shown = load_workbook(path, read_only=True, data_only=True, keep_links=False)
        source = load_workbook(path, read_only=True, keep_links=False) if formulas else None
    except Exception as fault:
        # openpyxl raises whatever its parsers do: KeyError, ValueError, XML errors.
        raise InputError(f"the workbook cannot be read ({fault})", where=path, hint="open it in a spreadsheet and save it again") from fault
    sheets, notes, bounds = [], [], _Bounds(path)
    try:
        for sheet in shown.worksheets:
            if sheet.sheet_state != "visible":
                notes.append(f"hidden sheet {visible(sheet.title)!r} not read")
                continue
            origin = source[sheet.title] if source is not None else None
            sheets.append(Sheet(sheet.title, tuple(_xlsx_rows(sheet, origin, bounds, path))))
    except InputError:
        raise
    except Exception as fault:
        raise InputError(f"the workbook cannot be read ({fault})", where=path, hint="open it in a spreadsheet and save it again") from fault
    finally:
        shown.close()
        if source is not None:
            source.close()
    return tuple(sheets), tuple(notes)


def _xlsx_rows(sheet: Any, origin: Any, bounds: _Bounds, path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    sheet.reset_dimensions()
    written = None
    if origin is not None:
        origin.reset_dimensions()
        written = origin.iter_rows()
    for number, row in enumerate(sheet.iter_rows(), 1):
        bounds.count(sheet.title, number, len(row))
        sources = next(written, ()) if written is not None else ()
        cells: list[str] = []
        for at, cell in enumerate(row):
            where = f"sheet {visible(sheet.title)!r}, row {number}, column {at + 1}"
            if cell.value is None and at < len(sources) and sources[at].data_type == "f":
                raise InputError(
                    f"{where} is a formula without a stored value", where=path, hint="open the file in a spreadsheet and save it"
                )
            if cell.data_type == "e":
                raise InputError(f"{where} holds the error {cell.value}", where=path, hint="mend the formula, or write the value")
            cells.append("" if cell.value is None else _shown(cell.value, str(cell.number_format or "General")))
        kept = _trimmed(cells)
        if kept:
            yield number, kept


def _shown(value: object, form: str) -> str:
    """A value of a cell as its number format shows it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return _date(value, form)
    if isinstance(value, int | float):
        return _number(value, form.split(";")[0])
    return str(value)


def _number(value: float, form: str) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if _ZEROS.fullmatch(form) and isinstance(value, int):
        return f"{value:0{len(form)}d}"
    decimals = _DECIMALS.fullmatch(form)
    if decimals:
        places, percent = len(decimals.group(1) or ""), decimals.group(2)
        return f"{value * 100 if percent else value:.{places}f}{percent}"
    return repr(value)


def _date(value: Any, form: str) -> str:
    """A date as a format such as `yyyy-mm-dd` or `d. mmmm yyyy` shows it; ISO where the format is none of a date."""
    if not re.search(r"[dmyhs]", form.split(";")[0], re.IGNORECASE) or form == "General":
        return str(value.isoformat(" ") if isinstance(value, datetime.datetime) else value.isoformat())
    out: list[str] = []
    hours = False
    for token in _DATE_TOKEN.findall(form.split(";")[0]):
        low = token.lower()
        minutes = low in ("m", "mm") and hours
        hours = low in ("h", "hh") or (hours and not low.strip(": "))
        if token.startswith(("[", "\\", '"')):
            out.append("" if token.startswith("[") else token.strip('"').removeprefix("\\"))
        elif minutes:
            out.append(f"{value.minute:02d}" if low == "mm" else str(value.minute))
        else:
            out.append(_token(value, low, token))
    return "".join(out)


def _token(value: Any, low: str, token: str) -> str:
    months = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    if hasattr(value, "year"):
        month, day = months[value.month - 1], days[value.weekday()]
        named = {
            "yyyy": f"{value.year:04d}", "yy": f"{value.year % 100:02d}", "mmmm": month, "mmm": month[:3], "mm": f"{value.month:02d}",
            "m": str(value.month), "dddd": day, "ddd": day[:3], "dd": f"{value.day:02d}", "d": str(value.day),
        }  # fmt: skip
        if low in named:
            return named[low]
    if hasattr(value, "hour"):
        clock = {"hh": f"{value.hour:02d}", "h": str(value.hour), "ss": f"{value.second:02d}", "s": str(value.second)}
        if low in clock:
            return clock[low]
    return token


# ODS


def _read_ods(path: Path) -> tuple[tuple[Sheet, ...], tuple[str, ...]]:
    from lxml import etree

    with open_zip(path, most_bytes=_MOST_BYTES) as archive:
        content = read_member(archive, "content.xml", limit=_MOST_BYTES)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as fault:
        raise InputError(f"the workbook cannot be read ({fault})", where=path, hint="open it in a spreadsheet and save it again") from fault
    hidden = {
        style.get(f"{_STYLE}name")
        for style in root.iter(f"{_STYLE}style")
        if any(inner.get(f"{_TABLE}display") == "false" for inner in style)
    }
    sheets, notes, bounds = [], [], _Bounds(path)
    for table in root.iter(f"{_TABLE}table"):
        name = table.get(f"{_TABLE}name") or ""
        if table.get(f"{_TABLE}style-name") in hidden:
            notes.append(f"hidden sheet {visible(name)!r} not read")
            continue
        sheets.append(Sheet(name, tuple(_ods_rows(table, name, bounds, path))))
    return tuple(sheets), tuple(notes)


def _ods_rows(table: Any, name: str, bounds: _Bounds, path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    number = 0
    for row in table.iter(f"{_TABLE}table-row"):
        repeated = int(row.get(f"{_TABLE}number-rows-repeated") or 1)
        cells: list[str] = []
        for cell in row:
            if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                continue
            text = "\n".join(_ods_text(paragraph) for paragraph in cell.findall(f"{_TEXT}p"))
            if text.startswith(("#REF!", "#NAME?", "Err:5")) and cell.get(f"{_TABLE}formula"):
                raise InputError(
                    f"sheet {visible(name)!r}, row {number + 1} holds the error {text[:20]}", where=path, hint="mend the formula"
                )
            many = int(cell.get(f"{_TABLE}number-columns-repeated") or 1)
            # Spreadsheets write a sheet's empty rest as one cell repeated to its end.
            if text or len(cells) + many <= MOST_COLUMNS:
                bounds.count(name, number, min(many, MOST_COLUMNS + 1))
                cells += [text] * many
        kept = _trimmed(cells)
        for _ in range(repeated if kept else 0):
            number += 1
            bounds.count(name, number, len(kept))
            yield number, kept
        number += 0 if kept else repeated


def _ods_text(element: Any) -> str:
    """The text of a paragraph: repeated blanks, tabs and line breaks are elements of their own; notes are left out."""
    out = [element.text or ""]
    for inner in element:
        if inner.tag == f"{_TEXT}s":
            out.append(" " * min(int(inner.get(f"{_TEXT}c") or 1), 1000))
        elif inner.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
            out.append("\t" if inner.tag.endswith("tab") else "\n")
        elif inner.tag != f"{_OFFICE}annotation":
            out.append(_ods_text(inner))
        out.append(inner.tail or "")
    return "".join(out)


# Parquet


def read_parquet(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a Parquet file, each from column to value.

    Raises:
        InputError: pyarrow is not installed, or the file cannot be read or is larger than any page can be.
    """
    try:
        from pyarrow import ArrowException, parquet
    except ImportError as fault:
        raise InputError(
            "Parquet is read by pyarrow, which is not installed", where=path, hint=install_hint("parquet", "pyarrow")
        ) from fault
    read_bytes(path)
    try:
        file = parquet.ParquetFile(path)
        if file.metadata.num_rows * file.metadata.num_columns > MOST_CELLS:
            raise InputError(f"the file holds more than {MOST_CELLS} values", where=path)
        rows: list[dict[str, Any]] = file.read().to_pylist()
    except (ArrowException, OSError, ValueError) as fault:
        raise InputError(f"the file is no readable Parquet ({fault})", where=path) from fault
    return rows
