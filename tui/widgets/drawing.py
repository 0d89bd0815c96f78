"""Blocks of evidence drawn as lines of a given width. All text from data passes `visible` here, and is never markup.

The same lines serve the screens and `adjudicate show`. State is a letter or a sign, and colour besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.style import Style
from rich.text import Text

from scoring.adjudication.cases import Block, Comparison, Facts, Gauge, Grid, Passage
from scoring.text import marked_difference, visible


class Look(NamedTuple):
    """The styles of a theme. Differences are underlined as well as tinted, so that they stand without colour."""

    title: Style
    faint: Style
    differs: Style
    glyph: Style
    good: Style
    bad: Style
    doubtful: Style
    picked: Style
    highlight: Style


def look_of(good: str, bad: str, doubtful: str, faint: str | None = None) -> Look:
    """The look made of a theme's colours; without a faint colour the terminal's dim is used."""
    return Look(
        title=Style(bold=True),
        faint=Style(color=faint) if faint else Style(dim=True),
        differs=Style(bold=True, underline=True, color=bad),
        glyph=Style(bold=True, reverse=True),
        good=Style(color=good),
        bad=Style(color=bad),
        doubtful=Style(color=doubtful),
        picked=Style(bold=True, reverse=True),
        highlight=Style(bold=True, underline=True),
    )


PLAIN = look_of("green", "red", "yellow")
_WRAPPING = Console(width=200, legacy_windows=False)


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """Data text made visible and cut or padded to exactly `width` cells; a cut is shown by an ellipsis."""
    text = visible(text)
    length = cell_len(text)
    if length > width:
        return set_cell_size(text, max(0, width - 1)) + "…" if width > 0 else ""
    padding = " " * (width - length)
    return padding + text if right else text + padding


def drawn(blocks: Iterable[Block], width: int, look: Look = PLAIN, picked: Sequence[str] = ()) -> list[Text]:
    """The blocks as lines of at most `width` cells, a blank line between blocks."""
    lines: list[Text] = []
    for block in blocks:
        if lines and not isinstance(block, Gauge):
            lines.append(Text(""))
        lines += _DRAWERS[type(block)](block, width, look, picked)
    return lines


def _comparison(block: Comparison, width: int, look: Look, _picked: Sequence[str]) -> Iterator[Text]:
    upper, lower = marked_difference(block.upper, block.lower, _glyph_matches)
    label = min(max(cell_len(visible(block.upper_label)), cell_len(visible(block.lower_label))), max(8, width // 3))
    for name, marked, is_gt in ((block.upper_label, upper, True), (block.lower_label, lower, False)):
        line = Text(fitted(name, label) + "  ", look.faint)
        for grapheme, differs in marked:
            style = look.glyph if is_gt and grapheme == "?" else look.differs if differs else look.title
            line.append(visible(grapheme), style)
        yield from _wrapped(line, width, label + 2)
    marks = "".join(("^" if differs else " ") * max(1, cell_len(visible(grapheme))) for grapheme, differs in lower)
    if "^" in marks and label + 2 + len(marks) <= width:
        yield Text(" " * (label + 2) + marks.rstrip(), look.bad)


def _glyph_matches(gt: str, model: str) -> bool:
    """A `?` of the ground truth is a glyph nobody could read: any one glyph opposite it is no difference."""
    return gt == "?" and not model.isspace()


def _wrapped(line: Text, width: int, indent: int) -> Iterator[Text]:
    """The line cut at `width`, continued under its text."""
    if line.cell_len <= width or width <= indent + 4:
        yield line
        return
    cut, used = 0, 0
    for at, character in enumerate(line.plain):
        used += cell_len(character)
        if used > width:
            break
        cut = at + 1
    yield line[:cut]
    yield from _wrapped(Text(" " * indent) + line[cut:], width, indent)


def _gauge(block: Gauge, width: int, look: Look, _picked: Sequence[str]) -> Iterator[Text]:
    label = f"{block.title} {block.value:.3f} "
    size = max(10, min(40, width - len(label) - 14))
    gate = min(size - 1, round(block.gate * size))
    filled = round(block.value * size)
    passed = block.value >= block.gate
    line = Text(label, look.title)
    for at in range(size):
        line.append("┃" if at == gate else "█" if at < filled else "·", (look.good if passed else look.bad) if at < filled else look.faint)
    line.append(f" {'≥' if passed else '<'} gate {block.gate:.2f}", look.good if passed else look.bad)
    yield line


def _facts(block: Facts, width: int, look: Look, _picked: Sequence[str]) -> Iterator[Text]:
    yield Text(fitted(block.title, min(width, cell_len(visible(block.title)))), look.title)
    label = max((cell_len(name) for name, _ in block.rows), default=0)
    label = min(label, max(8, width // 3))
    for name, value in block.rows:
        line = Text("  " + fitted(name, label) + "  ", look.faint)
        line.append(visible(value))
        yield from _wrapped(line, width, label + 4)


def _grid(block: Grid, width: int, look: Look, picked: Sequence[str]) -> Iterator[Text]:
    yield Text(fitted(block.title, min(width, cell_len(visible(block.title)))), look.title)
    if not block.lines:
        yield Text("  none", look.faint)
        return
    columns = len(block.header)
    lead = 4 if block.numbered else 2
    shown = [[line.cells[at] if at < len(line.cells) else "" for at in range(columns)] for line in block.lines]
    widths = [max(cell_len(visible(cells[at])) for cells in (block.header, *shown)) for at in range(columns)]
    widths = squeezed(widths, width - lead - 2 * (columns - 1))
    if any(block.header):
        yield Text((" " * lead + "  ".join(map(fitted, block.header, widths))).rstrip(), look.faint)
    for number, (row, cells) in enumerate(zip(block.lines, shown, strict=True), 1):
        chosen = row.target is not None and row.target in picked
        digit = f"{number if number <= 9 else ' '}{'◉' if chosen else ' '}" if block.numbered else ""
        line = Text(f"{digit}{row.mark or ' '} ", _style_of_mark(row.mark, look))
        line.append("  ".join(map(fitted, cells, widths)).rstrip(), look.picked if chosen else Style())
        yield line


def _style_of_mark(mark: str, look: Look) -> Style:
    return {"≠": look.bad, "~": look.doubtful, "=": look.good, "▸": look.title, "★": look.title}.get(mark, look.faint)


def squeezed(widths: Sequence[int], room: int) -> list[int]:
    """Column widths made to fit `room` cells: the widest give way first, none below 3 as far as possible."""
    widths = list(widths)
    while sum(widths) > room and max(widths, default=0) > 3:
        widest = max(range(len(widths)), key=lambda at: widths[at])
        others = sorted(widths, reverse=True)
        next_widest = others[1] if len(others) > 1 else 3
        give = min(sum(widths) - room, max(1, widths[widest] - max(next_widest, 3)))
        widths[widest] -= give
    return widths


def _passage(block: Passage, width: int, look: Look, _picked: Sequence[str]) -> Iterator[Text]:
    if block.title:
        yield Text(fitted(block.title, min(width, cell_len(visible(block.title)))), look.title)
    text = Text()
    at = 0
    for start, end, kind in sorted(block.spans):
        start = max(start, at)
        if end <= start:
            continue
        text.append(_visible_lines(block.text[at:start]), look.faint if kind == "rest" else Style())
        text.append(_visible_lines(block.text[start:end]), look.faint if kind.startswith("dim") else look.highlight)
        at = end
    text.append(_visible_lines(block.text[at:]))
    for line in text.split("\n", allow_blank=True):
        yield from line.wrap(_WRAPPING, max(10, width)) if line.cell_len > width else (line,)


def _visible_lines(text: str) -> str:
    """`visible`, with line ends kept as line ends: a passage is running text."""
    return "\n".join(visible(line) for line in text.replace("\r\n", "\n").split("\n"))


_DRAWERS: dict[type, Callable[..., Iterable[Text]]] = {
    Comparison: _comparison,
    Gauge: _gauge,
    Facts: _facts,
    Grid: _grid,
    Passage: _passage,
}
