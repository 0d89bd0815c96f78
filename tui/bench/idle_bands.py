"""The bands of the figures on a screen: worked out when the keys rest, a slice at a time, so that no key waits for them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from scoring.foundations.incremental import Steps
from scoring.foundations.memory import collect_again, keep_garbage
from tui.bench.evaluation_reference import LastEvaluation
from tui.bench.session import Session

REST, SLICE = 0.25, 0.008


class TimerHost(Protocol):
    """What can call back later: the workbench."""

    def set_timer(self, delay: float, callback: Callable[[], Any]) -> Any:
        """Call back after so many seconds."""
        ...


class IdleBands:
    """The bands of what a session holds, for all screens. The screen that asks last before they are there is told when they are."""

    def __init__(self, clock: TimerHost) -> None:
        self._clock = clock
        self._origin = LastEvaluation()
        self._told: Callable[[], None] = _nobody
        self._found: Any = None
        self._working: Steps[Any] | None = None
        self._turn = 0

    def of(self, session: Session, told: Callable[[], None]) -> Any:
        """The bands of the session's evaluation; `None` while they are being worked out, and where its task has none."""
        self._told = told
        if self._origin.is_another(session.evaluation):
            self._found, self._working = None, session.task.bands(session.evaluation)
            self._turn += 1
            # What is tried out is a hundred thousand values that are gone a moment later: to search them is the longest wait of all.
            keep_garbage(self)
            self._later(REST)
        return self._found

    def forget(self) -> None:
        """Let go of what is being worked out, and of what was."""
        self._origin.forget()
        self._found, self._working = None, None
        collect_again(self)

    @property
    def resting(self) -> bool:
        """Whether nothing is left to work out."""
        return self._working is None

    def _later(self, pause: float) -> None:
        turn = self._turn
        self._clock.set_timer(pause, lambda: self._go_on(turn))

    def _go_on(self, turn: int) -> None:
        if turn != self._turn or self._working is None:
            # The scores changed meanwhile: others are being worked out.
            return
        end = time.monotonic() + SLICE
        while time.monotonic() < end:
            try:
                next(self._working)
            except StopIteration as done:
                self._working, self._found = None, done.value
                collect_again(self)
                if self._found is not None:
                    self._told()
                return
        self._later(SLICE)


def _nobody() -> None:
    """Nobody waits."""
