"""The Scores screen: cells as scored and as adjudicated, four ways, per field; every table within reach of a key."""

from __future__ import annotations

import asyncio
import csv
import io
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from scoring.tables.cases.f1_band import bands
from scoring.tables.figures.levels import HEADER
from tests.tui.cli_runner import Run, runner
from tests.tui.small import small_session, small_workspace
from tui.app import Workbench, make_app
from tui.bench.session import Session
from tui.screens.scores import WAYS, ScoresScreen, ways_grid
from tui.widgets.lines import LineView

Act = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture
def adjudicate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def test_the_ways_of_the_screen_are_those_of_the_file(adjudicate: Run, tmp_path: Path):
    root = small_workspace(tmp_path)
    out = adjudicate("-C", root, "score", "--format", "csv", "--instruments").out
    adjudicate("-C", root, "score", "--output", tmp_path / "scores")
    assert out == (tmp_path / "scores" / "instruments.csv").read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(out)))
    lines = ways_grid(rows).lines
    assert [line.cells[:2] for line in lines] == [("alfa", "naive"), ("beta", "naive")]
    assert [line.cells[2:] for line in lines] == [tuple(f"{float(row[way]):.3f}" for way in WAYS) for row in rows]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_four_ways_and_fields_stand_below_the_cells(size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    root = small_workspace(tmp_path)
    app = make_app(small_session(root), root, start="scores")
    seen: list[str] = []

    async def sit() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await app.workers.wait_for_complete([one for one in app.workers if one.group == "ways"])
            await pilot.pause()
            for _ in range(6):
                seen.append("\n".join(strip.text for strip in app.screen._compositor.render_strips(app.size)))
                await pilot.press("right_square_bracket")
                await pilot.pause()
            below = app.screen.query_one("#beside", LineView)
            assert below.scroll_offset.y == below.max_scroll_y

    asyncio.run(sit())
    assert "F1, the same runs scored four ways" in seen[0]
    assert any("Accuracy per field, on matched pairs" in one for one in seen)
    assert "arrival_date" in "".join(seen)


def on_scores(root: Path, act: Act, size: tuple[int, int] = (120, 40), session: Session | None = None) -> Workbench:
    """The Scores, acted on once their bands stand on the screen."""
    app = make_app(session or small_session(root), root, start="scores")

    async def sit() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for _ in range(200):
                screen = app.screen
                if isinstance(screen, ScoresScreen) and screen.resting and not [one for one in app.workers if one.group == "ways"]:
                    break
                await pilot.pause(0.05)
            await act(pilot)

    asyncio.run(sit())
    return app


def seen(pilot: Pilot[None]) -> list[str]:
    """The lines of the screen."""
    return [strip.text.rstrip() for strip in pilot.app.screen._compositor.render_strips(pilot.app.size)]


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


def words(line: str) -> list[str]:
    return line.split()


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    return small_workspace(tmp_path)


def test_enter_leads_from_cells_to_runs_to_pages_to_the_run_and_backspace_up(root: Path):
    heads: list[str] = []
    headers: list[list[str]] = []

    async def act(pilot: Pilot[None]) -> None:
        for _ in range(3):
            lines = seen(pilot)
            heads.append(lines[0].split("   ")[0].strip())
            headers.append(words(lines[1]))
            await press(pilot, "enter")
        await pilot.pause(0.1)
        heads.append(seen(pilot)[0].strip())
        await press(pilot, "S", "backspace")
        heads.append(seen(pilot)[0].split("   ")[0].strip())
        await press(pilot, "backspace")
        heads.append(seen(pilot)[0].split("   ")[0].strip())

    on_scores(root, act)
    assert heads == [
        *("Cells", "Runs of alfa, naive", "Pages of alfa/naive/run_01", "alfa/naive/run_01  page 1  ok"),
        *("Runs of alfa, naive", "Cells"),
    ]
    for header, first in zip(headers, (["model", "phase"], ["run"], ["page"]), strict=True):
        assert header[: len(first) + 3] == [*first, "F1", "adj.", "low–high"]


def test_the_cursor_is_where_one_came_from(root: Path):
    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "enter", "down", "down", "enter", "backspace", "enter")
        assert seen(pilot)[0].startswith("Pages of alfa/naive/run_03")

    on_scores(root, act)


@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_band_stands_on_every_level(level: int, root: Path):
    session = small_session(root)
    found = bands(session.evaluation)
    places: list[list[tuple[str, ...]]] = [
        [("alfa", "naive")],
        [("alfa", "naive", "alfa/naive/run_01")],
        [("alfa", "naive", "alfa/naive/run_01", "1")],
    ]
    low, high = found.at(places[level][0]) or (None, None)

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, *["enter"] * level)
        line = next(one for one in seen(pilot)[2:] if "." in one)
        assert f"{low:.3f}–{high:.3f}" in line

    assert low != high
    on_scores(root, act, session=session)


@pytest.mark.parametrize(("width", "screens"), [(80, 3), (120, 2), (200, 1)])
def test_every_figure_as_scored_and_as_adjudicated_within_reach_at_any_width(width: int, screens: int, root: Path):
    told: list[list[str]] = []

    async def act(pilot: Pilot[None]) -> None:
        for _ in range(screens):
            told.append(seen(pilot)[1].replace("‹", "").replace("›", "").split("model   phase ")[-1].split())
            await press(pilot, "right")
        last = seen(pilot)[1]
        assert "›" not in last
        for _ in range(screens):
            await press(pilot, "left")
        assert "‹" not in seen(pilot)[1]

    on_scores(root, act, (width, 24))
    found = " ".join(word for header in told for word in header)
    assert found.replace("model phase ", "") == " ".join(HEADER)


def test_l_lists_the_entries_behind_the_line(root: Path):
    session = small_session(root)
    session.open_queue("borderline")
    pair = next(one for one in session.order if session.cases[one].occurrences[0].run.startswith("alfa"))
    session.go(pair)
    entry = session.give("different")
    session.settle()

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "L")
        shown = "\n".join(seen(pilot))
        assert "1 entry behind alfa naive" in shown
        assert session.in_words(entry) in shown
        await press(pilot, "escape", "down", "L")
        shown = "\n".join(seen(pilot))
        assert "0 entries behind beta naive" in shown
        assert "None: these figures are as scored." in shown

    on_scores(root, act, session=session)


def test_the_overview_shows_the_band(root: Path):
    session = small_session(root)
    low, high = bands(session.evaluation).cells["alfa", "naive"]
    app = make_app(session, root, start="overview")

    async def sit() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(200):
                await pilot.pause(0.05)
                if f"{low:.3f}–{high:.3f}" in "\n".join(seen(pilot)):
                    return
            pytest.fail("no band on the Overview")

    assert low != high
    asyncio.run(sit())


def test_the_figures_are_worked_out_once_while_nothing_changes(root: Path, monkeypatch: pytest.MonkeyPatch):
    session = small_session(root)
    asked: list[tuple[str, ...]] = []
    real = session.task.figures

    def figures(evaluation: object, path: tuple[str, ...] = (), found: object = None) -> object:
        asked.append(tuple(path))
        return real(evaluation, path, found)

    monkeypatch.setattr(type(session.task), "figures", lambda _, *given: figures(*given))

    async def act(pilot: Pilot[None]) -> None:
        asked.clear()
        await press(pilot, "down", "right", "T", "O", "S")
        assert asked == []
        await press(pilot, "home", "enter")
        assert asked == [("alfa", "naive")]

    on_scores(root, act, session=session)
