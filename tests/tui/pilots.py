"""Driving the workbench without a terminal: keys in, and what the screen shows as text."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

import pytest
from textual.app import App
from textual.events import Key
from textual.pilot import Pilot

from tests.tui.small import small_session
from tui.app import Workbench, make_app

Act = Callable[[Pilot[None]], Awaitable[None]]


def bench(root: Path, start: str = "review", **options: object) -> Workbench:
    """The workbench on a workspace, at a screen."""
    return make_app(small_session(root, **options), root, start=start)


def screen_text(app: App[None]) -> str:
    """What the screen shows, as text."""
    height = app.size.height
    lines = app.screen._compositor.render_strips(app.size)
    assert len(lines) == height
    return "\n".join(strip.text for strip in lines)


def drive(app: Workbench, act: Act, size: tuple[int, int] = (120, 40)) -> str:
    """Run the app headless, act, and give what the screen shows at the end."""

    async def run() -> str:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await act(pilot)
            await pilot.pause()
            return screen_text(app)

    return asyncio.run(run())


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait until something holds, for half a minute."""
    for _ in range(600):
        if holds():
            await pilot.pause()
            return
        await pilot.pause(0.05)
    pytest.fail(f"waited in vain\n{screen_text(pilot.app)}")


def typed_at_once(app: App[None], keys: str) -> None:
    """Post keys as a terminal that has them all at once does."""
    for key in keys:
        app.post_message(Key({"\r": "enter", "\x13": "ctrl+s", "/": "slash", ":": "colon"}.get(key, key), key))


def pressing(*keys: str) -> Act:
    """Press keys, one after the other, each at rest."""

    async def act(pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await pilot.pause()

    return act


def place_on_screen(app: App[None], text: str, *, last: bool = False) -> tuple[int, int]:
    """The column and row of a text on the screen, from 0."""
    rows = list(enumerate(screen_text(app).splitlines()))
    return next((line.index(text), row) for row, line in (reversed(rows) if last else rows) if text in line)


async def wait_until(pilot: Pilot[None], holds: Callable[[], bool], times: int = 100) -> None:
    """Wait until something holds, a little while at most."""
    for _ in range(times):
        if holds():
            return
        await pilot.pause(0.05)
    raise AssertionError("it never held")


def footer(app: App[None]) -> list[str]:
    """The lines of the foot of the screen."""
    region = app.screen.query_one("#keys").region
    return [line.rstrip() for line in screen_text(app).splitlines()[region.y : region.bottom]]


def joined(lines: Iterable[str]) -> str:
    """Lines as one text, its white space even."""
    return " ".join(" ".join(lines).split())
