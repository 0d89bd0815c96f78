"""The Scores screen: cells as scored and as adjudicated, four ways, per field; every table within reach of a key."""

from __future__ import annotations

import asyncio
import csv
import io
from pathlib import Path

import pytest

from tests.tui.cli_runner import Run, runner
from tests.tui.small import small_session, small_workspace
from tui.app import make_app
from tui.screens.scores import WAYS, ways_grid
from tui.widgets.lines import LineView


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
