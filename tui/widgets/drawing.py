"""Blocks of evidence drawn as lines of a given width. All text from data passes `visible` here, and is never markup.

The same lines serve the screens and `adjudicate show`. State is a letter or a sign, and colour besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, overload

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.style import Style
from rich.text import Text

from scoring.adjudication.cases import Block, Comparison, Facts, Gauge, Grid, Passage, Stack
from scoring.adjudication.cases import Line as GridLine
from scoring.foundations.wording import gate_text, similarity_text
from scoring.texts.forms import Marked, marked_difference, stacked
from scoring.texts.forms import visible as _made_visible


class DrawingStyles(NamedTuple):
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


def look_of(good: str | None, bad: str | None, doubtful: str | None, faint: str | None = None) -> DrawingStyles:
    """The look made of a theme's colours; without a faint colour the terminal's dim is used, without another the text's own."""
    return DrawingStyles(
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
# How far back a line is cut for the sake of a space.
_NEAR = 16
# How many readings of a stack share columns: all of an ordinary workspace's; of a thousand, those that are looked at together.
_ALIGNED = 40
_WRAPPING = Console(width=200, legacy_windows=False)


def visible(text: str) -> str:
    """`scoring.texts.forms.visible`; plain ASCII, which is most of what is drawn, has nothing to be made visible."""
    return text if text.isascii() and text.isprintable() else _made_visible(text)


def cells_of(text: str) -> int:
    """How many cells a text takes once it is visible."""
    return len(text) if text.isascii() and text.isprintable() else cell_len(_made_visible(text))


def fitted(text: str, width: int, *, right: bool = False) -> str:
    """Data text made visible and cut or padded to exactly `width` cells; a cut is shown by an ellipsis."""
    text = visible(text)
    length = len(text) if text.isascii() else cell_len(text)
    if length > width:
        return set_cell_size(text, max(0, width - 1)) + "…" if width > 0 else ""
    padding = " " * (width - length)
    return padding + text if right else text + padding


Line = Text | Callable[[], Text]


class Lines(MutableSequence[Text]):
    """Lines of which the many of a long table are drawn when they are looked at."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self._lines: list[Line] = list(lines)

    @overload
    def __getitem__(self, at: int) -> Text: ...
    @overload
    def __getitem__(self, at: slice) -> Lines: ...
    def __getitem__(self, at: int | slice) -> Text | Lines:
        line = self._lines[at]
        if isinstance(line, list):
            return Lines(line)
        return line if isinstance(line, Text) else line()

    def __setitem__(self, at: Any, line: Any) -> None:
        self._lines[at] = line

    def __delitem__(self, at: int | slice) -> None:
        del self._lines[at]

    def __len__(self) -> int:
        return len(self._lines)

    def insert(self, index: int, value: Line) -> None:
        self._lines.insert(index, value)

    def extend_lazily(self, lines: Lines | Sequence[Text]) -> None:
        """Add lines without drawing those that nobody has looked at."""
        self._lines.extend(lines._lines if isinstance(lines, Lines) else lines)


def drawn(blocks: Iterable[Block], width: int, look: DrawingStyles = PLAIN, picked: Sequence[str] = ()) -> Lines:
    """The blocks as lines of at most `width` cells, a blank line between blocks."""
    lines: list[Line] = []
    for block in blocks:
        if lines and not isinstance(block, Gauge):
            lines.append(Text(""))
        lines += _DRAWERS[type(block)](block, width, look, picked)
    return Lines(lines)


def led(text: str, style: Style) -> Text:
    """The beginning of a line, styled by itself: what is appended has its own style."""
    return Text().append(text, style)


def _comparison(block: Comparison, width: int, look: DrawingStyles, _picked: Sequence[str]) -> Iterator[Text]:
    upper, lower = marked_difference(block.upper, block.lower, _glyph_matches)
    label = min(max(cell_len(visible(block.upper_label)), cell_len(visible(block.lower_label))), max(8, width * 2 // 5))
    for name, marked, is_gt in ((block.upper_label, upper, True), (block.lower_label, lower, False)):
        line = led(fitted(name, label) + "  ", look.faint)
        for grapheme, differs in marked:
            style = look.glyph if is_gt and grapheme == "?" else look.differs if differs else look.title
            line.append(visible(grapheme), style)
        yield from wrapped(line, width, label + 2)
    marks = "".join(("^" if differs else " ") * max(1, cell_len(visible(grapheme))) for grapheme, differs in lower)
    if "^" in marks and label + 2 + len(marks) <= width:
        yield Text(" " * (label + 2) + marks.rstrip(), look.bad)


def _glyph_matches(gt: str, model: str) -> bool:
    """A `?` of the ground truth is a glyph nobody could read: any one glyph opposite it is no difference."""
    return gt == "?" and not model.isspace()


def wrapped(line: Text, width: int, indent: int) -> Iterator[Text]:
    """The line cut at `width` cells, behind a space where there is one near, continued under its text."""
    if line.cell_len <= width or width <= indent + 4:
        yield line
        return
    cut, used, plain = 0, 0, line.plain
    for at, character in enumerate(plain):
        used += cell_len(character)
        if used > width:
            break
        cut = at + 1
    space = plain.rfind(" ", max(indent, cut - _NEAR), cut)
    if space > indent:
        cut = space + 1
    yield line[:cut]
    yield from wrapped(Text(" " * indent) + line[cut:], width, indent)


def _gauge(block: Gauge, width: int, look: DrawingStyles, _picked: Sequence[str]) -> Iterator[Text]:
    yield from wrapped(gauge_line(block, max(0, min(40, width - len(block.title) - 21)), look), width, 2)


def gauge_line(block: Gauge, size: int, look: DrawingStyles) -> Text:
    """A figure, a bar of `size` cells with the gate on it, and on which side of the gate it is."""
    gate = min(size - 1, round(block.gate * size))
    filled = round(block.value * size)
    passed = block.value >= block.gate
    line = led(f"{block.title} {similarity_text(block.value, block.gate)} ", look.title)
    for at in range(size):
        line.append("┃" if at == gate else "█" if at < filled else "·", (look.good if passed else look.bad) if at < filled else look.faint)
    return line.append(f" {'≥' if passed else '<'} gate {gate_text(block.gate)}", look.good if passed else look.bad)


def _facts(block: Facts, width: int, look: DrawingStyles, _picked: Sequence[str]) -> Iterator[Text]:
    yield Text(fitted(block.title, min(width, cell_len(visible(block.title)))), look.title)
    label = max((cell_len(name) for name, _ in block.rows), default=0)
    label = min(label, max(8, width // 3))
    for name, value in block.rows:
        line = led("  " + fitted(name, label) + "  ", look.faint)
        line.append(visible(value))
        yield from wrapped(line, width, label + 4)


def _grid(block: Grid, width: int, look: DrawingStyles, picked: Sequence[str]) -> Iterator[Line]:
    yield Text(fitted(block.title, min(width, cells_of(block.title))), look.title)
    if not block.lines:
        yield Text("  none", look.faint)
        return
    lead = 4 if block.numbered else 2
    columns = range(len(block.header))
    last = len(columns) - 1
    rows = [block.header, *(line.cells for line in block.lines)]
    # A line of fewer cells has the rest of the width for its last one.
    widths = [max(cells_of(cells[at]) for cells in rows if at < len(cells) and (at == last or at + 1 < len(cells))) for at in columns]
    # Columns stand closer before any of them is cut.
    gap = "  " if sum(widths) + 2 * last <= width - lead else " "
    widths = squeezed(widths, width - lead - len(gap) * last)
    if any(block.header):
        yield Text((" " * lead + gap.join(map(fitted, block.header, widths))).rstrip(), look.faint)
    for number, row in enumerate(block.lines, 1):
        yield partial(_grid_line, row, number if block.numbered else None, _Columned(widths, gap, width), look, picked)


class _Columned(NamedTuple):
    """The columns of a grid: their widths, what stands between them, and the width of the whole line."""

    widths: Sequence[int]
    gap: str
    width: int


def _grid_line(row: GridLine, number: int | None, columns: _Columned, look: DrawingStyles, picked: Sequence[str]) -> Text:
    widths, gap, width = columns
    line, style = numbered_lead(row, number, look, picked)
    lead = line.cell_len
    cells = list(map(fitted, row.cells, widths))
    if 0 < len(row.cells) < len(widths):
        before = len(row.cells) - 1
        room = max(1, width - lead - sum(widths[:before]) - len(gap) * before)
        cells[before] = fitted(row.cells[before], min(room, cells_of(row.cells[before])))
    return line.append(gap.join(cells).rstrip(), style)


def numbered_lead(row: GridLine, number: int | None, look: DrawingStyles, picked: Sequence[str]) -> tuple[Text, Style]:
    """What leads a line of a grid (its digit, whether it is picked, its mark), and the style of what follows."""
    chosen = row.target is not None and row.target in picked
    digit = "" if number is None else f"{number if number <= 9 else ' '}{'◉' if chosen else ' '}"
    return led(f"{digit}{row.mark or ' '} ", marked_style(row.mark, look)), look.picked if chosen else Style()


def _stack(block: Stack, width: int, look: DrawingStyles, _picked: Sequence[str]) -> Iterator[Line]:
    yield Text(fitted(block.title, min(width, cells_of(block.title))), look.title)
    label = min(max((cells_of(line.cells[0]) for line in block.lines), default=0), max(8, width // 4))
    label = max(label, 2)
    read = [line for line in block.lines if line.cells[1]]
    parts = [_Columns(block.reference, read[at : at + _ALIGNED]) for at in range(0, max(1, len(read)), _ALIGNED)]
    yield partial(_stack_head, parts[0], label, look)
    for part in parts:
        for at in range(len(part.read)):
            yield partial(_stack_line, part, at, label, look)
    for line in block.lines:
        if not line.cells[1]:
            yield Text(f"  {fitted(line.cells[0], label)}  {visible(line.cells[2])}", look.faint)


class _Columns:
    """Readings aligned in common columns, once somebody looks at one of them."""

    def __init__(self, reference: str, read: Sequence[GridLine]) -> None:
        self.reference, self.read = reference, read

    @cached_property
    def rows(self) -> tuple[Marked, ...]:
        """The reference, then the readings."""
        head, rows = stacked(self.reference, [line.cells[1] for line in self.read])
        return (head, *rows)

    @cached_property
    def sizes(self) -> list[int]:
        """The width of each column in cells."""
        return [max(1, *(cells_of(grapheme) for grapheme, _ in column)) for column in zip(*self.rows, strict=True)]


def _stack_head(part: _Columns, label: int, look: DrawingStyles) -> Text:
    return _stacked_line(led("▸ " + fitted("GT", label) + "  ", look.title), part.rows[0], part.sizes, look)


def _stack_line(part: _Columns, at: int, label: int, look: DrawingStyles) -> Text:
    line = part.read[at]
    lead = led(f"{line.mark or ' '} {fitted(line.cells[0], label)}  ", marked_style(line.mark, look))
    drawn_line = _stacked_line(lead, part.rows[at + 1], part.sizes, look)
    shortened = len("".join(grapheme for grapheme, _ in part.rows[at + 1])) != len(line.cells[1])
    return drawn_line.append(f"  {visible(line.cells[2])}" + (f"  {visible(line.cells[1])}" if shortened else ""), look.faint)


def _stacked_line(lead: Text, row: Marked, sizes: Sequence[int], look: DrawingStyles) -> Text:
    """The graphemes in their columns behind what leads the line; neighbours of one style in one go."""
    plain, text, style = Style(), "", Style()
    for (grapheme, differs), size in zip(row, sizes, strict=True):
        shown = visible(grapheme) if grapheme else "·"
        own = look.differs if differs else plain if grapheme else look.faint
        if own is not style and text:
            lead.append(text, style)
            text = ""
        style = own
        gap = size - cells_of(grapheme or " ")
        if gap and style is not plain:
            # The padding of a column is not marked.
            lead.append(text + shown, style)
            text, style = " " * gap, plain
        else:
            text += shown + " " * gap
    return lead.append(text, style)


def marked_style(mark: str, look: DrawingStyles) -> Style:
    """The style of a line's mark."""
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


def _passage(block: Passage, width: int, look: DrawingStyles, _picked: Sequence[str]) -> Iterator[Text]:
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


_DRAWERS: dict[type, Callable[..., Iterable[Line]]] = {
    Comparison: _comparison,
    Gauge: _gauge,
    Facts: _facts,
    Grid: _grid,
    Passage: _passage,
    Stack: _stack,
}
