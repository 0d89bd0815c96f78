"""Long lists and long texts: what is not on the screen costs nothing, the cursor stays in view, little is drawn again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from rich.text import Text
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen

from tui.widgets.lines import LineList, LineView

MANY = 100_000


class Listing(App[None]):
    """A list of a hundred thousand lines and a text that changes."""

    CSS = "LineList { height: 1fr; } LineView { height: 10; }"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []
        self.words = ["first"] * 30
        self.marks: dict[int, str] = {}
        self.layouts = 0

    def line(self, index: int, width: int) -> Text:
        self.asked.append(index)
        return Text(f"{self.marks.get(index, '○')} line {index}")

    def compose(self) -> ComposeResult:
        yield LineList(self.line, id="list")
        yield LineView(lambda width: [Text(word) for word in self.words], id="view")


def driven(act: Callable[[Listing, LineList, LineView, Pilot[None]], Awaitable[None]]) -> Listing:
    async def run() -> Listing:
        app = Listing()
        async with app.run_test(size=(60, 30)) as pilot:
            await pilot.pause()
            await act(app, app.query_one(LineList), app.query_one(LineView), pilot)
        return app

    return asyncio.run(run())


def test_of_a_hundred_thousand_lines_those_in_view_are_drawn():
    async def act(app: Listing, lines: LineList, view: LineView, pilot: Pilot[None]) -> None:
        begun = time.process_time()
        lines.show(MANY, 0)
        await pilot.pause()
        assert time.process_time() - begun < 1.0
        assert max(app.asked) < lines.size.height

    driven(act)


def test_the_cursor_comes_into_view_and_moves_one_line_at_a_time():
    async def act(app: Listing, lines: LineList, view: LineView, pilot: Pilot[None]) -> None:
        lines.show(MANY, 0)
        lines.put(MANY - 1)
        await pilot.pause()
        assert lines.scroll_offset.y == MANY - lines.size.height
        lines.put(500)
        await pilot.pause()
        assert lines.scroll_offset.y <= 500 < lines.scroll_offset.y + lines.size.height
        app.asked.clear()
        lines.put(501 if lines.scroll_offset.y < 501 else 500)
        await pilot.pause()
        assert set(app.asked) <= {500, 501}

    driven(act)


def test_of_a_list_shown_again_the_lines_that_changed_are_drawn_again(monkeypatch):
    async def act(app: Listing, lines: LineList, view: LineView, pilot: Pilot[None]) -> None:
        lines.show(50, 3)
        await pilot.pause()
        regions: list[Region] = []
        real = lines.refresh
        monkeypatch.setattr(lines, "refresh", lambda *given, **options: (regions.extend(given), real(*given, **options))[1])
        lines.show(50, 3)
        assert regions == []
        app.marks[7] = "●"
        lines.show(50, 4)
        assert sorted(region.y for region in regions) == [3, 4, 7]
        await pilot.pause()
        strip = lines.render_line(7)
        assert strip.text.startswith("● line 7")

    driven(act)


def test_of_a_text_asked_for_again_the_lines_that_changed_are_drawn_again(monkeypatch):
    async def act(app: Listing, lines: LineList, view: LineView, pilot: Pilot[None]) -> None:
        drawn: list[int] = []
        render = LineView.render_line
        monkeypatch.setattr(LineView, "render_line", lambda self, y: drawn.append(y) or render(self, y))
        view.renew()
        await pilot.pause()
        drawn.clear()
        app.words[3], app.words[7], app.words[20] = "third", "seventh", "not in view"
        view.renew()
        await pilot.pause()
        assert sorted(set(drawn)) == [3, 7]
        drawn.clear()
        app.words = app.words[:5]
        view.renew()
        await pilot.pause()
        assert set(drawn) >= {5, 6, 7, 8, 9}
        shown = [strip.text.strip(" ") for strip in app.screen._compositor.render_strips(app.size)[-view.size.height :]]
        assert [text[:5] for text in shown] == ["first", "first", "first", "third", "first", "", "", "", "", ""]

    driven(act)


def test_a_text_of_another_length_lays_the_screen_out_anew_only_for_a_scroll_bar(monkeypatch):
    counted: list[int] = []
    real = Screen._refresh_layout

    def counting(screen: Screen[None], *given: object, **options: object) -> None:
        counted.append(1)
        real(screen, *given, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Screen, "_refresh_layout", counting)

    async def act(app: Listing, lines: LineList, view: LineView, pilot: Pilot[None]) -> None:
        view.renew()
        await pilot.pause()
        counted.clear()
        for length in (40, 25, 31):
            app.words = ["other"] * length
            view.renew()
            await pilot.pause()
            assert view.virtual_size.height == length
        assert counted == []
        app.words = ["short"]
        view.renew()
        await pilot.pause()
        assert counted, "the scroll bar went, so the text is wider"
        assert not view.show_vertical_scrollbar

    driven(act)


def test_a_text_starts_at_its_top_unless_the_place_is_kept():
    async def act(app: Listing, lines: LineList, view: LineView, pilot: Pilot[None]) -> None:
        view.scroll_pages(1)
        await pilot.pause()
        assert view.scroll_offset.y == view.size.height - 1
        view.renew(keep_place=True)
        assert view.scroll_offset.y == view.size.height - 1
        view.renew()
        assert view.scroll_offset.y == 0
        view.scroll_pages(100)
        assert view.scroll_offset.y == len(app.words) - view.size.height

    driven(act)


def test_a_click_tells_the_position_also_far_down():
    found: list[int] = []

    class Clicked(Listing):
        def on_line_list_chosen(self, message: LineList.Chosen) -> None:
            found.append(message.position)

    async def run() -> None:
        app = Clicked()
        async with app.run_test(size=(60, 30)) as pilot:
            await pilot.pause()
            lines = app.query_one(LineList)
            lines.show(MANY, 5000)
            await pilot.pause()
            await pilot.click("#list", offset=(2, 3))
            await pilot.pause()
            assert found == [round(lines.scroll_offset.y) + 3]
            lines.show(2, 0)
            await pilot.pause()
            await pilot.click("#list", offset=(2, 9))
            assert len(found) == 1

    asyncio.run(run())
