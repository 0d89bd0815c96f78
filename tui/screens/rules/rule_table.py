"""The rows of EQUIVALENCES.md as lines of a table, whatever the width: what is short and looked up by is cut last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tui.bench.rules.rule_rows import status_of
from tui.widgets.drawing import cells_of, fitted, squeezed

HEADER = ("line", "rule", "canonical", "field", "status", "reach", "witness", "note")
MARKS = {"OPEN": "○", "settled": "●", "near miss": "✗"}
KEPT = (0, 4, 5)
WIDEST = 28

Row = Mapping[str, Any]


def columns_of_row(row: Row) -> tuple[str, ...]:
    """The cells of a row, under `HEADER`."""
    canonical = row.get("canonical") or row.get("not") or ""
    if row["kind"] == "ignore":
        canonical = f"{row['position']}, {row['side']}"
    elif row["kind"] == "nearmiss":
        canonical = f"never {canonical}" if canonical else "never touched"
    reach = row.get("reach")
    return (
        str(row["line"]),
        row.get("form") or row.get("token") or "",
        canonical,
        ", ".join(row["fields"]),
        status_of(row),
        "" if reach is None else str(reach),
        row.get("witness") or "",
        row.get("note") or row.get("why") or "",
    )


class RuleTable:
    """The rows as lines; how wide each column is, is worked out once for each width."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._cells = [columns_of_row(row) for row in rows]
        self._widths: dict[int, list[int]] = {}

    def _widths_in(self, width: int) -> list[int]:
        if width not in self._widths:
            widths = [min(WIDEST, max(cells_of(cells[at]) for cells in (HEADER, *self._cells))) for at in range(len(HEADER))]
            room = width - 2 - (len(HEADER) - 1) - sum(widths[at] for at in KEPT)
            others = iter(squeezed([size for at, size in enumerate(widths) if at not in KEPT], room))
            self._widths[width] = [size if at in KEPT else next(others) for at, size in enumerate(widths)]
        return self._widths[width]

    def header(self, width: int) -> str:
        """The names of the columns."""
        return "  " + " ".join(map(fitted, HEADER, self._widths_in(width)))

    def line(self, at: int, width: int) -> str:
        """A row, behind the sign of its status."""
        cells = self._cells[at]
        return f"{MARKS[cells[4]]} " + " ".join(map(fitted, cells, self._widths_in(width)))
