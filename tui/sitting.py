"""Where a verifier stopped: queue, filter and case of each task, kept beside the workspace and safe to delete."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from scoring.adjudication.filters import parse_filter
from scoring.problems import InputError
from tui.session import Session

FOLDER = ".adjudicate-cache"
RULES_FILE = "EQUIVALENCES.md"


def _file(workspace: Path, session: Session) -> Path:
    return workspace / FOLDER / f"sitting-{session.verifier or 'unnamed'}-{session.task.name}.json"


def keep_place(workspace: Path, session: Session) -> None:
    """Remember where the sitting is. A place that cannot be written is a comfort lost, not a fault."""
    path = _file(workspace, session)
    place = {"queue": session.queue, "filter": session.filter.text, "case": session.cursor}
    try:
        if not path.parent.exists():
            path.parent.mkdir()
            (path.parent / ".gitignore").write_text("*\n", "utf-8")
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(place), "utf-8")
        fresh.replace(path)
    except OSError:
        return


def resume(workspace: Path, session: Session) -> bool:
    """Go where the last sitting stopped, as far as that is still there; whether there was one."""
    try:
        place = json.loads(_file(workspace, session).read_text("utf-8"))
        session.open_queue(str(place["queue"]), parse_filter(str(place["filter"])))
    except (OSError, ValueError, KeyError, TypeError, InputError):
        return False
    case = place.get("case")
    if isinstance(case, str) and case in session.cases:
        session.show_case(case)
    return True


def stamp(workspace: Path) -> frozenset[tuple[str, int, int]]:
    """The files that figures depend on, each with its time and size: when it changes, what is shown is no longer what lies on disk."""
    found = set()
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
