"""Files that change while the workbench is open are read again, however long reading takes and however often they change."""

from __future__ import annotations

import asyncio
import shutil
import time
from pathlib import Path

import pytest

import tui.app
from tests.tui.small import small_session, small_workspace
from tui.app import make_app


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    return small_workspace(tmp_path)


@pytest.mark.parametrize("changes", [1, 4])
def test_a_reading_that_outlasts_the_watch_comes_to_its_end(changes: int, root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tui.app, "WATCH", 0.05)
    read = tui.app.open_session
    begun: list[float] = []

    def slowly(*args: object, **options: object) -> object:
        begun.append(time.monotonic())
        time.sleep(0.4)
        return read(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(tui.app, "open_session", slowly)
    app = make_app(small_session(root), root)
    runs = len(app.session.evaluation.material.runs)
    first = root / "runs" / "alfa" / "naive" / "run_01.json"

    async def sit() -> None:
        async with app.run_test() as pilot:
            await pilot.pause(0.3)
            for number in range(changes):
                shutil.copy(first, first.with_name(f"run_{20 + number}.json"))
                await pilot.pause(0.3)
            end = time.monotonic() + 20
            while len(app.session.evaluation.material.runs) < runs + changes and time.monotonic() < end:
                await pilot.pause(0.1)

    asyncio.run(sit())
    assert len(app.session.evaluation.material.runs) == runs + changes
    assert len(begun) <= changes + 1


def test_a_verdict_given_while_everything_is_read_again_is_there_afterwards(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tui.app, "WATCH", 0.05)
    read = tui.app.open_session
    opened: list[object] = []

    def slowly(*args: object, **options: object) -> object:
        session = read(*args, **options)  # type: ignore[arg-type]
        time.sleep(0.5)
        opened.append(session)
        return session

    monkeypatch.setattr(tui.app, "open_session", slowly)
    app = make_app(small_session(root), root, start="review")
    first = root / "runs" / "alfa" / "naive" / "run_01.json"

    async def sit() -> None:
        async with app.run_test() as pilot:
            await pilot.pause(0.3)
            shutil.copy(first, first.with_name("run_20.json"))
            await pilot.pause(0.3)
            await pilot.press("u")
            end = time.monotonic() + 20
            while not opened and time.monotonic() < end:
                await pilot.pause(0.1)
            await pilot.pause(0.5)

    asyncio.run(sit())
    assert app.session is opened[-1]
    assert [entry.verdict for entry in app.session.decisions.entries] == ["unsure"]
