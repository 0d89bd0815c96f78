"""The ground truth of the tables task with the agreed doubts of the log applied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoring.adjudication.doubts import Doubt
from scoring.reports.tables import Cell, Column, Table, columns, table
from scoring.schema import Schema
from scoring.tables.doubts import doubts
from scoring.tables.evaluate import Evaluation
from scoring.tables.shapes import GTPage


def agreed(evaluation: Evaluation) -> Table:
    """`ground_truth`: every row as agreed, the row of the source file it comes from, and the log entries that changed it."""
    schema = evaluation.material.schema
    found = doubts(evaluation)
    rows = [row for page in evaluation.material.pages for row in _page(page, schema, [one for one in found if one.page == page.id])]
    head = (Column("page"), *columns("count", "row", "source_row"), *columns("text", *schema.names), Column("decided_by"))
    note = "Rows count from 1. source_row is empty for a row that verifiers added; decided_by holds the ids of entries of the log."
    return table("ground_truth", "Ground truth as agreed", head, rows, note)


def _page(page: GTPage, schema: Schema, found: Iterable[Doubt]) -> Iterator[tuple[Cell, ...]]:
    """The rows of a page under its agreed doubts."""
    cells: dict[int, list[Doubt]] = {}
    added: dict[int, list[Doubt]] = {}
    for doubt in found:
        if doubt.state == "agreed" and doubt.row is not None:
            (added if doubt.verdict == "gt-missing-row" else cells).setdefault(doubt.row, []).append(doubt)
    kept: list[tuple[int | None, dict[str, str], list[Doubt]]] = [
        (None, {schema.key[0]: one.value or ""}, [one]) for one in added.get(0, ())
    ]
    for row in page.rows:
        said = cells.get(row.number, [])
        if not any(one.verdict == "gt-extra-row" for one in said):
            kept.append((row.number, {**row.values, **{one.field or schema.key[0]: one.value or "" for one in said}}, said))
        kept += [(None, {schema.key[0]: one.value or ""}, [one]) for one in added.get(row.number, ())]
    for number, (source, values, said) in enumerate(kept, 1):
        ids = sorted({entry.id for one in said for entry in one.said})
        yield (page.id, number, source, *(values.get(name, "") for name in schema.names), " ".join(ids) or None)


def doubted(evaluation: Evaluation) -> Table:
    """`ground_truth_doubts`: every doubt, whether it is agreed, and why not."""
    rows = [
        (
            one.page,
            one.row,
            one.field or None,
            one.verdict,
            one.text,
            one.value,
            one.state,
            one.why,
            " ".join(entry.id for entry in one.said),
        )
        for one in doubts(evaluation)
    ]
    head = (Column("page"), Column("row", "count"), *columns("text", "field", "verdict", "before", "after", "state", "why", "entries"))
    note = "Only agreed doubts are in ground_truth; row counts in the source file."
    return table("ground_truth_doubts", "Doubts about the ground truth", head, rows, note)
