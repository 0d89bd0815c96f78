"""Tables of figures in the terminal. Every cell is plain text to rich: text from data is never markup."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from scoring.reports.formats.tables import Table, is_numeric


def rich_table(table: Table) -> RichTable:
    """The table as rich draws it: figures to the right and never broken, text folded where there is no room."""
    drawn = RichTable(box=None, pad_edge=False, show_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in table.columns:
        if is_numeric(column):
            drawn.add_column(Text(column.title), justify="right", overflow="fold", min_width=min(6, len(column.title)))
        else:
            drawn.add_column(Text(column.title), overflow="fold", min_width=5)
    for row in table.shown():
        drawn.add_row(*(Text(cell) for cell in row))
    return drawn


def print_tables(tables: Iterable[Table], *, file: TextIO | None = None) -> None:
    """Print tables one below the other. Where there is no terminal they are as wide as they need to be."""
    console = Console(file=file or sys.stdout, highlight=False, markup=False, emoji=False, soft_wrap=False)
    drawn = [(table, rich_table(table)) for table in tables]
    if not console.is_terminal:
        wide = Console(width=100_000)
        console.width = max([80, *(wide.measure(one).maximum for _, one in drawn)])
    for table, one in drawn:
        console.print(Text(table.title, style="bold underline"))
        if table.note:
            console.print(Text(table.note, style="italic"))
        if table.rows:
            console.print(one)
        else:
            console.print(Text("Nothing to show."))
        console.print()
