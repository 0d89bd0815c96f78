"""Long lists and long texts drawn line by line: only what is on the screen costs anything."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.app import App
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from tui.widgets.drawing import DrawingStyles, look_of

# How many drawn lines a list remembers, to know those that change: more than any screen has.
_REMEMBERED = 1000
_CONSOLE = Console(width=1000, legacy_windows=False, color_system="truecolor")


class _Drawn(ScrollView, can_focus=False):
    """A scrolling widget that draws lines, with what costs time done once a frame and not once a line."""

    DEFAULT_CSS = "_Drawn { scrollbar-size-vertical: 1; overflow-x: hidden; }"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._base = Style()
        self._cursor = Style()

    def render_lines(self, crop: Region) -> list[Strip]:
        self._base = self.rich_style
        self._cursor = self._base + Style(reverse=True, bold=True)
        return super().render_lines(crop)

    def _hold(self, width: int, count: int) -> None:
        """Make room for so many lines. The whole screen is laid out anew only where a scroll bar comes or goes."""
        size = Size(width, count)
        if size != self.virtual_size:
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)


class LineList(_Drawn, can_focus=False):
    """A list with a cursor that may have a hundred thousand lines: `line(index, width)` draws one when it is looked at.

    The list knows positions alone; who owns it holds the cursor by identity and sets the position after each change.
    """

    class Chosen(Message):
        """A line was clicked."""

        def __init__(self, position: int, times: int) -> None:
            super().__init__()
            self.position, self.times = position, times

    def __init__(self, line: Callable[[int, int], Text], **options: Any) -> None:
        super().__init__(**options)
        self._line = line
        self._count = 0
        self._seen: dict[int, Text] = {}
        self.position = -1

    def show(self, count: int, position: int) -> None:
        """Show `count` lines, the cursor on `position` (-1: nowhere). Of the lines in view those that changed are drawn again."""
        if count != self._count:
            self._count = count
            self._hold(self.size.width, count)
            self.refresh()
        self.put(position)
        top, width = round(self.scroll_offset.y), self.scrollable_content_region.width
        for index in range(top, min(top + self.size.height, count)):
            if self._seen.get(index) != self._line(index, width):
                self.refresh(Region(0, index - top, self.size.width, 1))

    def put(self, position: int) -> None:
        """Move the cursor; only the two lines that change are drawn again."""
        before, self.position = self.position, position
        top = self.scroll_offset.y
        self._keep_in_view()
        if self.scroll_offset.y != top:
            self._seen.clear()
            self.refresh()
        elif before != position:
            for at in (before, position):
                self.refresh(Region(0, at - top, self.size.width, 1))

    def on_resize(self) -> None:
        """A new size shows the cursor again."""
        self._hold(self.size.width, self._count)
        self._keep_in_view()

    def _keep_in_view(self) -> None:
        height = self.size.height
        if self.position < 0 or height <= 0:
            return
        top = round(self.scroll_offset.y)
        if not top <= self.position < top + height:
            # To the middle: a list that scrolls at every key is drawn as a whole at every key, and hides what comes next.
            self.scroll_to(y=self.position - height // 2, animate=False, immediate=True)

    def render_line(self, y: int) -> Strip:
        index = y + round(self.scroll_offset.y)
        width = self.scrollable_content_region.width
        if index >= self._count:
            return Strip.blank(width, self._base)
        if len(self._seen) > _REMEMBERED:
            self._seen.clear()
        line = self._seen[index] = self._line(index, width)
        return strip_of(line, width, self._cursor if index == self.position else self._base)

    def on_click(self, event: Click) -> None:
        """A click puts the cursor there, a double click opens."""
        position = event.y + round(self.scroll_offset.y)
        if 0 <= position < self._count:
            self.post_message(self.Chosen(position, event.chain))


class LineView(_Drawn, can_focus=False):
    """A text of lines that scrolls: `content(width)` gives them, and is asked again when the width or the content changes."""

    def __init__(self, content: Callable[[int], Sequence[Text]], **options: Any) -> None:
        super().__init__(**options)
        self._content = content
        self._lines: Sequence[Text] = ()
        self._seen: dict[int, Text | None] = {}
        self._width = 0

    def renew(self, *, keep_place: bool = False) -> None:
        """Ask for the content again; from its top, unless the place is kept. Of the lines in view those that changed are drawn again."""
        place, before = (self._width, self.scroll_offset), self._seen
        self._width, self._seen = self.scrollable_content_region.width, {}
        self._lines = self._content(self._width) if self._width else ()
        self._hold(self._width, len(self._lines))
        if not keep_place and self.scroll_offset.y:
            self.scroll_to(y=0, animate=False, immediate=True)
        if place != (self._width, self.scroll_offset):
            self.refresh()
            return
        top = round(self.scroll_offset.y)
        for index in range(top, top + self.size.height):
            if index not in before or before[index] != self._drawn_at(index):
                self.refresh(Region(0, index - top, self.size.width, 1))

    def _drawn_at(self, index: int) -> Text | None:
        """A line as it is drawn, once; `None` below the last."""
        if index not in self._seen:
            self._seen[index] = self._lines[index] if index < len(self._lines) else None
        return self._seen[index]

    def on_resize(self) -> None:
        """Another width asks for the content again."""
        if self.scrollable_content_region.width != self._width:
            self.renew(keep_place=True)

    def scroll_pages(self, by: float) -> None:
        """Scroll by so many screenfuls."""
        self.scroll_to(y=self.scroll_offset.y + round(by * max(1, self.size.height - 1)), animate=False, immediate=True)

    def render_line(self, y: int) -> Strip:
        index = y + round(self.scroll_offset.y)
        width = self.scrollable_content_region.width
        line = self._drawn_at(index)
        return strip_of(line, width, self._base) if line is not None else Strip.blank(width, self._base)


def strip_of(text: Text, width: int, style: Style) -> Strip:
    """A line of text as a strip of exactly `width` cells on `style`."""
    # Rich leaves a text's own style out where nothing else is styled in it.
    own = text.style if isinstance(text.style, Style) else _CONSOLE.get_style(text.style, default=Style.null())
    segments = Segment.apply_style(text.render(_CONSOLE), style + own)
    return Strip(segments).crop_extend(0, width, style)


def theme_look(app: App[Any]) -> DrawingStyles:
    """The look of the app's theme."""
    theme = app.current_theme
    variables = app.theme_variables
    faint = variables.get("text-muted", "")
    if "NO_COLOR" in os.environ:
        # As greys, the colours of a theme would stand out less than the text they mark.
        return look_of(None, None, None, "#a0a0a0" if theme.dark else "#5f5f5f")
    return look_of(
        theme.success or "green",
        theme.error or "red",
        theme.warning or "yellow",
        faint if faint.startswith("#") else ("#8a8a8a" if theme.dark else "#5f5f5f"),
    )
