"""Keeping the place at a pause, so that a terminal that is killed loses a moment's moves. Plain Python; what writes runs in a thread."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tui.bench.position.saved_position import place_of, write_place
from tui.bench.session import Session

# Looked at so often (seconds); written when no key came for a moment, or when that has not happened for so long.
EVERY, REST, AT_MOST = 1.0, 0.12, 2.0


@dataclass(frozen=True, slots=True)
class SavedPlace:
    """A place as it was at a moment."""

    number: int
    verifier: str | None
    task: str
    screen: str
    place: Mapping[str, Any]


class PlaceSaver:
    """Writes the place of a sitting down when it has changed, older ones never over newer ones."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace
        self._last: SavedPlace | None = None
        self._taken = self._written = 0
        self._since: float | None = None
        self._lock = threading.Lock()

    def due(self, session: Session, screen: str, shown: Mapping[str, object], *, now: float, last_key: float) -> SavedPlace | None:
        """The place to write now: none where it is the one written last, or while keys come one after another.

        Args:
            session: the sitting.
            screen, shown: the screen, and where the person is on it beyond what the session knows.
            now, last_key: moments of one clock, in seconds.
        """
        place = {**place_of(session), "shown": dict(shown)}
        before = self._last
        if before is not None and (session.verifier, session.task.name, screen, place) == (
            before.verifier,
            before.task,
            before.screen,
            before.place,
        ):
            self._since = None
            return None
        self._since = now if self._since is None else self._since
        if now - last_key < REST and now - self._since < AT_MOST - EVERY:
            return None
        self._since = None
        self._taken += 1
        self._last = SavedPlace(self._taken, session.verifier, session.task.name, screen, place)
        return self._last

    def write(self, kept: SavedPlace) -> None:
        """Write a place down, unless a later one was written meanwhile."""
        with self._lock:
            if kept.number > self._written:
                self._written = kept.number
                write_place(self._workspace, kept.verifier, kept.task, kept.place, kept.screen)

    def keep(self, session: Session, screen: str, shown: Mapping[str, object]) -> None:
        """Write the place down at once."""
        self._last = None
        kept = self.due(session, screen, shown, now=REST, last_key=0.0)
        if kept is not None:
            self.write(kept)
