"""Where a verifier stopped: queue, filter and case of each task, kept beside the workspace and safe to delete."""

from __future__ import annotations

import json
import os
from pathlib import Path

from scoring.adjudication.filters import parse_filter
from scoring.problems import InputError
from tui.session import Session

FOLDER = ".adjudicate-cache"


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
    for part in ("gt", "runs", "questions", "data", "adjudications", "EQUIVALENCES.md", "adjudicate.toml"):
        top = workspace / part
        paths = [top] if top.is_file() else [Path(folder) / name for folder, _, names in os.walk(top) for name in names]
        for path in paths:
            try:
                state = path.stat()
            except OSError:
                continue
            found.add((path.relative_to(workspace).as_posix(), state.st_mtime_ns, state.st_size))
    return frozenset(found)
