"""A CSV of ground truth: read rightly, or refused with the line that is wrong. For every task that has one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scoring.foundations.problems import CONFLICT, InputError, conflict_line
from scoring.texts.csv_tables import CsvTable, read_table
from scoring.texts.decoding import Decoded, control_line, read_text


def read_truth_text(path: Path, encoding: str = "") -> Decoded:
    """Return the text of a file of ground truth.

    Raises:
        InputError: as `read_text`; a merge conflict or a control or replacement character is in it.
    """
    decoded = read_text(path, encoding=encoding)
    conflict = conflict_line(decoded.text)
    if conflict is not None:
        raise InputError(CONFLICT, where=path, line=conflict)
    control = control_line(decoded.text)
    if control is not None:
        line, code = control
        raise InputError(f"{code} is no character of a text", where=path, line=line, hint="write the letter that was lost")
    return decoded


def read_truth_table(path: Path, fields: Sequence[str] = (), encoding: str = "") -> tuple[CsvTable | None, tuple[str, ...]]:
    """Return the table of a CSV of ground truth with all repairs (None: the file holds nothing), and the warnings.

    Args:
        path: the file.
        fields: names by which the delimiter is known.
        encoding: as `read_text`.

    Raises:
        InputError: as `read_truth_text`; a quotation mark is missing or too many.
    """
    decoded = read_truth_text(path, encoding)
    try:
        table = read_table(decoded.text, fields)
    except InputError as fault:
        raise InputError(fault.what, where=path, line=fault.line, hint=fault.hint) from fault
    if table is None:
        return None, decoded.warnings
    if table.unclosed is not None:
        raise InputError("a quotation mark opens here and is never closed", where=path, line=table.unclosed, hint="close or double it")
    swallowed = table.swallowed()
    if swallowed is not None:
        told = f"lines {swallowed[0]} to {swallowed[1]} are one cell: a quotation mark is missing or too many"
        raise InputError(told, where=path, line=swallowed[0], hint="close the quotation mark where its cell ends")
    return replace(table, repairs=(*decoded.repairs, *table.repairs)), decoded.warnings
