"""What screens worked out of a reading of the files goes with it when everything is read again."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.pilots import bench, drive, wait_until
from tests.tui.small import small_workspace
from tui.app import Workbench


@pytest.mark.parametrize("screens", ["V", "OV", "SV", "RV", "AV", "OSRAEV"])
def test_no_screen_keeps_what_was_read_before(tmp_path: Path, alone: Path, screens: str) -> None:
    app = bench(small_workspace(tmp_path / "bench"))

    async def act(pilot: Pilot[None]) -> None:
        for key in screens:
            await pilot.press(key)
            await pilot.pause(0.1)
        await read_again(app, pilot)

    drive(app, act)


async def read_again(app: Workbench, pilot: Pilot[None]) -> None:
    await pilot.press("j", "k")
    before, evaluation = app.readings, weakref.ref(app.session.evaluation)
    # Without a search for garbage: what goes must go by itself, at once.
    gc.disable()
    try:
        await pilot.press("f5")
        await wait_until(pilot, lambda: app.readings > before)
        await wait_until(pilot, lambda: evaluation() is None, times=40)
    finally:
        gc.enable()
    await wait_until(pilot, lambda: not app.workers)
