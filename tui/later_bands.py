"""The bands of the figures on a screen: worked out when the keys rest, a slice at a time, so that no key waits for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from scoring.steps import Steps
from tui.session import Session

REST, SLICE = 0.25, 0.008


class Timed(Protocol):
    """What can call back later: a screen."""

    def set_timer(self, delay: float, callback: Callable[[], Any]) -> Any:
        """Call back after so many seconds."""
        ...


class LaterBands:
    """The bands of what a session holds. Whoever asks before they are there is told when they are."""

    def __init__(self, screen: Timed, told: Callable[[], None]) -> None:
        self._screen, self._told = screen, told
        self._of: object = None
        self._found: Any = None
        self._working: Steps[Any] | None = None

    def of(self, session: Session) -> Any:
        """The bands of the session's evaluation; `None` while they are being worked out, and where its task has none."""
        if self._of is not session.evaluation:
            self._of, self._found = session.evaluation, None
            self._working = session.task.bands(session.evaluation)
            steps = self._working
            self._screen.set_timer(REST, lambda: self._go_on(steps))
        return self._found

    @property
    def resting(self) -> bool:
        """Whether nothing is left to work out."""
        return self._working is None

    def _go_on(self, steps: Steps[Any]) -> None:
        if steps is not self._working:
            # The scores changed meanwhile: others are being worked out.
            return
        end = time.monotonic() + SLICE
        while time.monotonic() < end:
            try:
                next(steps)
            except StopIteration as done:
                self._working, self._found = None, done.value
                if self._found is not None:
                    self._told()
                return
        self._screen.set_timer(SLICE, lambda: self._go_on(steps))
