"""Columns of a table wider than the screen: names stay, figures are shown whole and stepped through."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len

from scoring.adjudication.cases import Grid
from scoring.texts.forms import visible
from tui.widgets.drawing import squeezed

FIGURES = frozenset("0123456789.,–-+/%…→ ")
LEAST_NAMES = 12
# Headings of columns that say more of the figure before them: as adjudicated, and its band.
CONTINUES = ("adj.", "low–high")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns in view as (index, width), and how many figures lie out of view on either side."""

    shown: tuple[tuple[int, int], ...]
    before: int
    after: int


def named_columns(grid: Grid) -> int:
    """How many columns lead a table that are names, not figures: they stay when the others are stepped through. One at least."""
    for at in range(len(grid.header)):
        cells = [line.cells[at] for line in grid.lines if at < len(line.cells)]
        if at and all(set(cell) <= FIGURES for cell in cells):
            return at
    return max(1, len(grid.header))


def stepped(grid: Grid, width: int, first: int, by: int) -> int:
    """The figure to begin with a screenful further on, or back: never a column that says more of the figure before it."""
    names = named_columns(grid)
    begins = [at - names for at in range(names, len(grid.header)) if grid.header[at] not in CONTINUES]

    def end(begin: int) -> int:
        return columns_in_view(grid, width, begin).shown[-1][0] - names + 1

    now = columns_in_view(grid, width, first)
    if by < 0:
        return min((at for at in begins if at < now.before and end(at) >= now.before), default=0)
    return max((at for at in begins if now.before < at <= end(now.before)), default=now.before + 1) if now.after else now.before


def columns_in_view(grid: Grid, width: int, first: int = 0) -> Columns:
    """The columns that fit `width` cells with one between any two, beginning with figure number `first`; one figure at least."""
    rows = [grid.header, *(line.cells for line in grid.lines)]
    widest = [max(cell_len(visible(row[at])) if at < len(row) else 0 for row in rows) for at in range(len(grid.header))]
    names = named_columns(grid)
    figures = list(range(names, len(widest)))
    first = min(max(first, 0), max(0, len(figures) - 1))
    # Where everything fits nothing is out of view, wherever it was stepped to on a narrower screen.
    if sum(widest) + len(widest) - 1 <= width:
        return Columns(tuple(enumerate(widest)), 0, 0)
    room = max(LEAST_NAMES, width // 3) - names + 1
    led = squeezed(widest[:names], room) if figures else squeezed(widest, width - len(widest) + 1)
    left = width - sum(led) - names
    taken: list[tuple[int, int]] = []
    for at in figures[first:]:
        if taken and left < widest[at]:
            break
        taken.append((at, min(widest[at], max(3, left))))
        left -= widest[at] + 1
    # A figure whose other columns have no room waits for the next screenful.
    begun = [at for at, _ in taken[1:] if grid.header[at] not in CONTINUES]
    after = taken[-1][0] + 1 if taken else 0
    if begun and after < len(grid.header) and grid.header[after] in CONTINUES:
        taken = [one for one in taken if one[0] < begun[-1]]
    return Columns((*enumerate(led), *taken), first, len(figures) - first - len(taken))
