"""Workbooks written so that the same content gives the same bytes, and decisions read back from them (`docs/hipe-behaviour.md#bug-19`)."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.relations.cases.gold_votes import DECISION_COLUMNS

LONGEST_CELL = 32_767
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_WHEN = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</dcterms:)")
_EPOCH = (1980, 1, 1, 0, 0, 0)
DECISIONS = ("stands", "true", "probable", "false", "unsure")


def safe_cell(value: object) -> object:
    """A value fit for a cell: characters XML forbids shown by their pictures, a text beyond the limit cut and marked."""
    if not isinstance(value, str):
        return value
    text = _FORBIDDEN.sub(lambda match: chr(0x2400 + ord(match[0])) if ord(match[0]) < 0x20 else "\ufffd", value)
    if len(text) > LONGEST_CELL:
        note = f"… [cut: {len(text)} characters]"
        text = text[: LONGEST_CELL - len(note)] + note
    return text


def workbook_bytes(sheets: Mapping[str, Sequence[Sequence[object]]], *, decisions: bool = False) -> bytes:
    """A workbook of the sheets given, header row first. Texts stay texts: none becomes a formula.

    Args:
        sheets: rows by sheet name.
        decisions: dress the first sheet for work: frozen header, column widths, a list of the decisions to choose from.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.worksheet.datavalidation import DataValidation

    book = Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        header = list(rows[0]) if rows else []
        if decisions and "decision" in header:
            from openpyxl.utils import get_column_letter

            sheet.freeze_panes = "A2"
            for column, title in enumerate(header, start=1):
                wide = 60 if str(title).endswith(("context", "explanation", "reason")) else 16
                sheet.column_dimensions[get_column_letter(column)].width = wide
            letter = get_column_letter(header.index("decision") + 1)
            choice = DataValidation(type="list", formula1=f'"{",".join(DECISIONS)}"', allow_blank=True, showErrorMessage=True)
            choice.add(f"{letter}2:{letter}{max(2, len(rows))}")
            sheet.data_validations.append(choice)
        for row in rows:
            cells: list[object] = []
            for value in map(safe_cell, row):
                if isinstance(value, str) and value[:1] == "=":
                    cell = WriteOnlyCell(sheet, value)
                    cell.data_type = "s"
                    cells.append(cell)
                else:
                    cells.append(value)
            sheet.append(cells)
    raw = io.BytesIO()
    book.save(raw)
    return _without_time(raw.getvalue())


def _without_time(data: bytes) -> bytes:
    """The same archive with its time stamps fixed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as held, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        for entry in held.infolist():
            content = held.read(entry)
            if entry.filename == "docProps/core.xml":
                content = _WHEN.sub(rb"\g<1>1980-01-01T00:00:00Z\g<3>", content)
            fixed = zipfile.ZipInfo(entry.filename, _EPOCH)
            fixed.compress_type = zipfile.ZIP_DEFLATED
            written.writestr(fixed, content)
    return out.getvalue()


@dataclass(frozen=True, slots=True)
class WrittenDecision:
    """A decision somebody wrote into the workbook: the case, the gold label it was taken on, the verdict, the reason, its row."""

    case: str
    gold_label: str
    verdict: str
    reason: str
    row: int


def read_decisions(path: Path) -> tuple[list[WrittenDecision], list[Problem]]:
    """The decisions of a workbook of ours, and the rows that could not be read. Rows without a decision are passed over.

    Raises:
        InputError: not a workbook, or one without our columns.
    """
    from openpyxl import load_workbook

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except Exception as fault:
        raise InputError(f"not a readable workbook ({fault})", where=path) from fault
    if "mismatches" not in book.sheetnames:
        raise InputError("there is no sheet `mismatches`", where=path)
    rows = book["mismatches"].iter_rows(values_only=True)
    header = [str(title) if title is not None else "" for title in next(rows, ())]
    needed = ("case", "gold_label", *DECISION_COLUMNS)
    lacking = [column for column in needed if column not in header]
    if lacking:
        hint = "use the workbook in results.d/ours/gt-validation, which has the decision columns"
        raise InputError(f"the columns {', '.join(lacking)} are not there", where=path, hint=hint)
    places = {column: header.index(column) for column in needed}
    found, problems = [], []
    for number, row in enumerate(rows, start=2):
        value = row[places["decision"]] if places["decision"] < len(row) else None
        verdict = _verdict(value)
        if verdict == "":
            continue
        case = row[places["case"]]
        if verdict not in DECISIONS or not case:
            what = f"{value!r} is not a decision; the legal ones are {', '.join(DECISIONS)}" if case else "the row names no case"
            problems.append(Problem(Severity.ERROR, what, str(path), row=number))
            continue
        reason = row[places["reason"]] if places["reason"] < len(row) else None
        found.append(WrittenDecision(str(case), str(row[places["gold_label"]]), verdict, str(reason or ""), number))
    return found, problems


def _verdict(value: object) -> str:
    """A decision cell as a verdict: spreadsheets turn TRUE and FALSE into booleans."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value).strip().lower()
