"""A document's text as lines of a width: broken once, drawn when looked at, places in it marked. No markup, controls made visible."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import overload

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from scoring.records.inputs.text_pages import DocumentText
from tui.widgets.drawing import DrawingStyles, fitted, visible

Mark = tuple[int, int, Style]


class Broken:
    """Where each line begins and ends (in characters of the text), and the number of the page whose title a line is."""

    def __init__(self, text: DocumentText, width: int) -> None:
        self.text, self.width = text, width
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.titles: dict[int, int] = {}
        for number, (page, at) in enumerate(zip(text.pages, text.starts, strict=True)):
            if page.label or len(text.pages) > 1:
                self.titles[len(self.starts)] = number
                self._add(at, at)
            for line in page.text.split("\n"):
                for start, end in broken(line.removesuffix("\r"), width):
                    self._add(at + start, at + end)
                at += len(line) + 1

    def _add(self, start: int, end: int) -> None:
        self.starts.append(start)
        self.ends.append(end)

    def line_of(self, position: int) -> int:
        """The line a position of the text is on."""
        return max(0, bisect_right(self.starts, position) - 1)


def broken(line: str, width: int) -> Iterator[tuple[int, int]]:
    """A line of text cut into stretches of at most `width` cells, after a blank where one lies in the second half."""
    if len(line) <= width and ((line.isascii() and line.isprintable()) or cell_len(visible(line)) <= width):
        yield 0, len(line)
        return
    plain = line.isascii() and line.isprintable()
    start = 0
    while start < len(line):
        end = start + width if plain else _reach(line, start, width)
        if end >= len(line):
            yield start, len(line)
            return
        blank = line.rfind(" ", start + (end - start) // 2, end)
        end = blank + 1 if blank >= 0 else end
        yield start, end
        start = end


def _reach(line: str, start: int, width: int) -> int:
    """The end of what fits into `width` cells from `start` on, one character at least; marks stay with their letter."""
    used = 0
    for at in range(start, len(line)):
        used += cell_len(visible(line[at]))
        if used > width and at > start:
            return at
    return len(line)


class Paper(Sequence[Text]):
    """The lines of a broken text with marks (start, end, style) in it; later marks lie over earlier ones."""

    def __init__(self, lines: Broken, marks: Sequence[Mark], look: DrawingStyles) -> None:
        self._lines, self._look = lines, look
        self._marks = tuple(marks)

    def __len__(self) -> int:
        return len(self._lines.starts)

    @overload
    def __getitem__(self, at: int) -> Text: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Text]: ...
    def __getitem__(self, at: int | slice) -> Text | Sequence[Text]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        if at in self._lines.titles:
            number = self._lines.titles[at]
            label = self._lines.text.pages[number].label or str(number + 1)
            return Text(fitted(f"── page {label} {'─' * self._lines.width}", self._lines.width), self._look.faint)
        start, end = self._lines.starts[at], self._lines.ends[at]
        here = [mark for mark in self._marks if mark[0] < end and start < mark[1]]
        cuts = sorted({start, end, *(min(max(edge, start), end) for mark in here for edge in mark[:2])})
        text = Text(no_wrap=True, end="")
        for one, other in pairwise(cuts):
            style = next((mark[2] for mark in reversed(here) if mark[0] <= one and other <= mark[1]), None)
            text.append(visible(self._lines.text.text[one:other]), style)
        return text
