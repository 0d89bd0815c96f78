"""Printing what the records task computes: the same tables as text, JSON, CSV or Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from scoring.text import visible

if TYPE_CHECKING:
    from scoring.records.tables import Table


def printed(tables: Iterable[Table], form: str) -> None:
    """Print tables as `text`, `csv` (blank line between) or `md`."""
    from scoring.reports.render import to_csv, to_markdown
    from scoring.reports.tables import Column
    from scoring.reports.tables import Table as Rendered

    for number, table in enumerate(tables):
        made = Rendered(table.name, table.title, tuple(Column(name, "error" if kind == "number" else kind) for name, kind in table.columns)  # four places, table.rows, table.note)
        if number:
            click.echo()
        if form == "csv":
            click.echo(to_csv(made), nl=False)
        elif form == "md":
            click.echo(to_markdown(made), nl=False)
        else:
            click.echo(table.title)
            for line in aligned([[name for name, _ in table.columns], *made.shown()], [kind != "text" for _, kind in table.columns]):
                click.echo(f"  {line}")
            if table.note:
                click.echo(f"  {visible(table.note)}.")


def aligned(rows: list[list[str]], right: list[bool], widest: int = 48) -> list[str]:
    """Rows as lines of aligned cells; long cells are cut with a mark."""
    cut = [[cell if len(cell) <= widest else cell[: widest - 1] + "…" for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)] if cut else []
    return [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width) for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in cut
    ]


def told(lines: Iterable[str]) -> None:
    """Messages, to standard error."""
    for line in lines:
        click.echo(visible(line), err=True)
