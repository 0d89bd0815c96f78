"""Evidence laid out for the height there is: the two names, why, the claimants and what each verdict would change come first.

On a low screen reasons run on instead of standing in a list, and the effects of the verdicts stand beside the claimants, each line
with only what the verdict would change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from rich.style import Style
from rich.text import Text

from scoring.adjudication.cases import REFERENCE, Block, Facts, Gauge, Grid, with_later
from scoring.adjudication.cases import Line as GridLine
from tui.widgets.drawing import (
    PLAIN,
    DrawingStyles,
    Lines,
    cells_of,
    drawn,
    fitted,
    gauge_line,
    led,
    marked_style,
    numbered_lead,
    squeezed,
    visible,
    wrapped,
)

_LEADING_ZERO = re.compile(r"(?<![\d.])0(?=\.\d)")
_SHARE = re.compile(r"0\.\d+")
_GAP, _BAR = 2, 12
# What a verdict that moves nothing has in every cell.
_UNMOVED = ("", "=", "+0")


class CaseDensity(Enum):
    """How much room a case has."""

    AMPLE = "every block on lines of its own"
    CLOSE = "reasons run together"
    SCARCE = "reasons run together, effects beside the claimants"


def room_for(height: int) -> CaseDensity:
    """The room that so many lines are."""
    return CaseDensity.AMPLE if height >= 46 else CaseDensity.CLOSE if height >= 26 else CaseDensity.SCARCE


def laid_out(
    blocks: Sequence[Block], later: Sequence[Block], width: int, room: CaseDensity, look: DrawingStyles = PLAIN, picked: Sequence[str] = ()
) -> Lines:
    """The blocks as lines of at most `width` cells; `later` is what was worked out after them."""
    at = next((at for at, block in enumerate(blocks) if isinstance(block, Grid) and block.numbered), None)
    if room is CaseDensity.AMPLE or at is None:
        return drawn(with_later(blocks, later), width, look, picked)
    claimants = blocks[at]
    assert isinstance(claimants, Grid)
    effects = next((block for block in later if isinstance(block, Grid)), None) if room is CaseDensity.SCARCE else None
    top: list[Text] = list(_run_together(blocks[:at], width, room, look))
    if room is CaseDensity.SCARCE:
        top += _beside(claimants, effects, width, look, picked)
    rest = with_later(blocks[at:], [block for block in later if block is not effects])[1 if room is CaseDensity.SCARCE else 0 :]
    lines = Lines(top)
    lines.extend_lazily([Text("")] if top and rest else [])
    lines.extend_lazily(drawn(rest, width, look, picked))
    return lines


def _run_together(blocks: Sequence[Block], width: int, room: CaseDensity, look: DrawingStyles) -> Iterator[Text]:
    """Comparisons as they are; facts run on, behind the gauge before them where room is scarce."""
    running = Text()
    for block in blocks:
        if isinstance(block, Gauge) and room is CaseDensity.SCARCE:
            running = gauge_line(block, _BAR, look)
        elif isinstance(block, Facts):
            _append_facts(running, block, look)
        else:
            if running.plain:
                yield from wrapped(running, width, 2)
                running = Text()
            yield from drawn([block], width, look)
            continue
        if isinstance(block, Facts):
            yield from wrapped(running, width, 2)
            running = Text()
    if running.plain:
        yield from wrapped(running, width, 2)


def _append_facts(running: Text, block: Facts, look: DrawingStyles) -> None:
    if not running.plain:
        running.append(visible(block.title), look.title)
    for name, value in block.rows:
        running.append(f"  {visible(name)} ", look.faint)
        running.append(visible(value), Style())


# Claimants and effects beside each other


def _beside(claimants: Grid, effects: Grid | None, width: int, look: DrawingStyles, picked: Sequence[str]) -> Iterator[Text]:
    brief = [_brief(line, effects.header, look) for line in effects.lines if line.mark != REFERENCE] if effects is not None else []
    if effects is None:
        yield from _tight(claimants, width, look, picked)
        return
    title = led(visible(effects.title), look.title)
    right = [title, *brief]
    room = min(max(line.cell_len for line in right), width * 11 // 20)
    left = list(_tight(claimants, width - room - _GAP, look, picked))
    for at in range(max(len(left), len(right))):
        line = left[at] if at < len(left) else Text()
        line.pad_right(width - room - line.cell_len)
        if at < len(right):
            line.append_text(_cut(right[at], room))
        yield line


def _brief(line: GridLine, header: Sequence[str], look: DrawingStyles) -> Text:
    """A verdict with what it would change; `=` where it would change nothing."""
    text = led(f"{line.mark or ' '} ", marked_style(line.mark, look)).append(visible(line.cells[0]), look.title)
    told = [
        # A cell of words needs no heading.
        cell if any(map(str.isalpha, cell)) else f"{name} {_LEADING_ZERO.sub('', cell)}"
        for name, cell in zip(header[1:], line.cells[1:], strict=False)
        if cell not in _UNMOVED
    ]
    if len(line.cells) > 1:
        text.append("  " + visible(" ".join(told) or "="), Style())
    return text


def _tight(grid: Grid, width: int, look: DrawingStyles, picked: Sequence[str]) -> Iterator[Text]:
    """A numbered grid without its header, its columns one cell apart."""
    yield Text(fitted(grid.title, min(width, cells_of(grid.title))), look.title)
    if not grid.lines:
        yield Text("  none", look.faint)
        return
    columns = range(len(grid.header))
    rows = [[cell[1:] if _SHARE.fullmatch(cell) else cell for cell in line.cells] for line in grid.lines]
    widths = [max(cells_of(cells[at]) for cells in rows if at < len(cells)) for at in columns]
    widths = squeezed(widths, width - 3 - (len(columns) - 1))
    for number, line in enumerate(grid.lines, 1):
        lead, style = numbered_lead(line, number, look, picked)
        yield lead.append(" ".join(map(fitted, rows[number - 1], widths)).rstrip(), style)


def _cut(line: Text, width: int) -> Text:
    """A line of at most `width` cells; a cut is shown by an ellipsis."""
    if line.cell_len > width:
        line.truncate(width, overflow="ellipsis")
    return line
