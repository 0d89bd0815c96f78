"""Places among the figures of a task, as one names them on the command line: `alfa/naive/run_01/28` (`4-adjudication`, Scores)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from scoring.problems import InputError
from scoring.tasks import Task

WHOLE = "all"


def place_named(task: Task, evaluation: Any, text: str) -> tuple[str, ...]:
    """The path of the figures that `text` names, its parts joined by `/`; () for `all`. The parts are those the Scores screen lists.

    Raises:
        InputError: there is no such place.
    """
    path: tuple[str, ...] = ()
    left = [] if text == WHOLE else text.strip("/").split("/")
    while left:
        grid, _ = task.figures(evaluation, path)
        known: list[str] = []
        for line in grid.lines:
            parts = tuple(line.target.split("\t")) if line.target is not None else ()
            size = len(parts)
            if size and tuple(left[:size]) in (parts, line.cells[:size]):
                path, left = (*path, *parts), left[size:]
                break
            known += ["/".join(line.cells[:size])] if size else []
        else:
            wanted = "/".join(left)
            near = get_close_matches(wanted, known, n=1, cutoff=0.4)
            hint = f"did you mean `{near[0]}`" if near else f"there are {', '.join(known[:5])}{' ...' if len(known) > 5 else ''}"
            where = f" under {'/'.join(path)}" if path else ""
            raise InputError(f"there is nothing called `{wanted}`{where}", hint=hint if known else "figures lead no further down")
    return path
