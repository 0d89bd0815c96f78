"""Where a verifier stopped, kept beside the workspace and safe to delete: screen and task; of each task queue, filter, case, occurrence,
rows pointed to, marks and seed. Verdicts are no part of it: they are in the log before anything else happens.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scoring.adjudication.filters import parse_filter
from scoring.foundations.files import read_bytes, write_whole
from scoring.foundations.problems import InputError
from scoring.workspace.layout import Workspace
from tui.bench.session import Session
from tui.keys.actions import SCREENS

RULES_FILE = "EQUIVALENCES.md"
_LIMIT = 1024 * 1024
Place = dict[str, Any]


def _file(workspace: Path, verifier: str | None) -> Path:
    return Workspace(workspace).cache / f"sitting-{verifier or 'unnamed'}.json"


def place_of(session: Session) -> Place:
    """Where the sitting is at its task."""
    return {
        "queue": session.queue,
        "filter": session.filter.text,
        "case": session.cursor,
        "occurrence": session.occurrence,
        "picked": list(session.picked),
        "marked": list(session.marked),
        "seed": session.seed,
    }


def read_sitting(workspace: Path, verifier: str | None) -> Place:
    """What was kept for the verifier: `screen`, `task` and, by task, `places`. Of what is no such thing nothing is left."""
    try:
        kept = json.loads(read_bytes(_file(workspace, verifier), limit=_LIMIT))
    except (InputError, ValueError, RecursionError):
        return {"places": {}}
    kept = kept if isinstance(kept, dict) else {}
    places = kept.get("places")
    names = {name: kept[name] for name in ("screen", "task") if isinstance(kept.get(name), str)}
    return {**names, "places": places if isinstance(places, dict) else {}}


def keep_place(workspace: Path, session: Session, screen: str | None = None) -> None:
    """Remember where the sitting is (on the screen kept before, unless one is named).

    A place that cannot be written is a comfort lost, not a fault. It is written nowhere but in the workspace: a link is not followed.
    """
    write_place(workspace, session.verifier, session.task.name, place_of(session), screen)


def write_place(workspace: Path, verifier: str | None, task: str, place: Mapping[str, Any], screen: str | None = None) -> None:
    """Write a place down: as `keep_place`, of what was gathered before."""
    kept = read_sitting(workspace, verifier)
    kept["task"] = task
    kept["places"][task] = dict(place)
    if screen is not None:
        kept["screen"] = screen
    path = _file(workspace, verifier)
    with contextlib.suppress(OSError):
        if path.parent.is_symlink():
            return
        if not path.parent.exists():
            write_whole(path.parent / ".gitignore", b"*\n")
        write_whole(path, json.dumps(kept, ensure_ascii=True).encode())


def resume(workspace: Path, session: Session) -> bool:
    """Go where the last sitting at the task stopped, as far as that is still there; whether there was one."""
    place = read_sitting(workspace, session.verifier)["places"].get(session.task.name)
    if not isinstance(place, dict):
        return False
    return return_to(session, place)


def last_screen(workspace: Path, session: Session) -> str | None:
    """The screen on which the last sitting stopped, where that was at this task."""
    kept = read_sitting(workspace, session.verifier)
    screen = kept.get("screen")
    return screen if kept.get("task") == session.task.name and screen in SCREENS else None


def return_to(session: Session, place: Mapping[str, Any]) -> bool:
    """Go to a place as `place_of` tells it, as far as it is still there; whether its queue is."""
    seed, case, marked, picked = (place.get(name) for name in ("seed", "case", "marked", "picked"))
    try:
        wanted = parse_filter(str(place.get("filter", "")))
        if isinstance(seed, int) and seed and not session.seed:
            session.order_by_seed(seed)
        session.open_queue(str(place.get("queue")), wanted)
    except InputError:
        return False
    session.marked = [one for one in marked if isinstance(one, str) and one in session.cases] if isinstance(marked, list) else []
    if not isinstance(case, str) or case not in session.cases:
        return True
    session.show_case(case)
    occurrence, places = place.get("occurrence"), session.cases[case].occurrences
    if isinstance(occurrence, int) and 0 < occurrence < len(places):
        session.show_occurrence(occurrence - session.occurrence)
    if isinstance(picked, list) and picked:
        rows = session.candidates()
        session.picked = [row for row in picked if row in rows]
    return True


def stamp(workspace: Path) -> frozenset[tuple[str, int, int]]:
    """The files that figures depend on, each with its time and size: when it changes, what is shown is no longer what lies on disk."""
    found: set[tuple[str, int, int]] = set()
    for part in ("gt", "runs", "questions", "data", "adjudications", RULES_FILE, "adjudicate.toml"):
        found.update(_stamped(os.path.join(workspace, part), part))
    return frozenset(found)


def restamped(workspace: Path, before: frozenset[tuple[str, int, int]], part: str) -> frozenset[tuple[str, int, int]]:
    """A stamp with one file or folder as it is now: what was changed there is known."""
    return frozenset(one for one in before if one[0] != part and not one[0].startswith(f"{part}/")) | {
        *_stamped(os.path.join(workspace, part), part)
    }


def _stamped(path: str, name: str) -> Iterator[tuple[str, int, int]]:
    """The files at a path, each named by its place in the workspace. What goes while we look is passed over."""
    with contextlib.suppress(OSError):
        if not os.path.isdir(path):
            state = os.stat(path)
            yield name, state.st_mtime_ns, state.st_size
            return
        with os.scandir(path) as inside:
            for entry in inside:
                if entry.is_dir(follow_symlinks=False):
                    yield from _stamped(entry.path, f"{name}/{entry.name}")
                    continue
                with contextlib.suppress(OSError):
                    state = entry.stat()
                    yield f"{name}/{entry.name}", state.st_mtime_ns, state.st_size
