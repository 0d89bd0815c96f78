"""What a report is made of: sections of blocks, whatever the task they come from.

A task's sections are made by the function its name is registered under here. A task that only offers `tables(evaluation)`
(title, header, rows) gets one section of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.reports.formats.tables import Cell, Column, Kind, Table, table


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph of our own words: pieces of text, and links as (words, target)."""

    pieces: tuple[str | tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture: drawn as SVG when it is needed. `alt` says in words what it shows."""

    name: str
    caption: str
    alt: str
    draw: Callable[[], str]


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table in the report. `source` names the files of figures it comes from; `folded` tables are opened by the reader."""

    table: Table
    source: str
    folded: bool = False


Block = Prose | Plot | ReportTable


@dataclass(frozen=True, slots=True)
class Section:
    """A section: its anchor, its title, its blocks."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]


def prose(*pieces: str | tuple[str, str]) -> Prose:
    """A paragraph."""
    return Prose(pieces)


def plain_section(task: str, found: Iterable[tuple[str, Sequence[str], Sequence[Sequence[Cell]]]]) -> tuple[Section, tuple[Table, ...]]:
    """A section of tables given as (title, header, rows), and those tables; the kind of a column follows from its cells."""
    made = tuple(_plain_table(task, at, title, header, rows) for at, (title, header, rows) in enumerate(found, 1))
    blocks = tuple(ReportTable(one, f"{one.name}.csv", folded=len(one.rows) > 40) for one in made)
    return Section(task, task.capitalize(), blocks), made


def _plain_table(task: str, at: int, title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table:
    kinds = [_kind([row[place] for row in rows]) for place in range(len(header))]
    columns = [Column(name, kind) for name, kind in zip(header, kinds, strict=True)]
    return table(f"{task}_{at:02d}", title, columns, rows)


def _kind(cells: Sequence[Cell]) -> Kind:
    given: list[Any] = [cell for cell in cells if cell is not None]
    if not given or any(isinstance(cell, str | bool) for cell in given):
        return "text"
    if all(isinstance(cell, int) for cell in given):
        return "count"
    return "share" if all(0 <= cell <= 1 for cell in given) else "number"
