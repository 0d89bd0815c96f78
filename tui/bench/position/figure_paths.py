"""Places among the figures of a task, as one names them on the command line: `alfa/naive/run_01/28` (`docs/adjudication.md#scores`)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from scoring.foundations.problems import InputError
from scoring.tasks import AnyTask

WHOLE = "all"


def place_named(task: AnyTask, evaluation: Any, text: str) -> tuple[str, ...]:
    """The path of the figures that `text` names, its parts joined by `/`; () for `all`. The parts are those the Scores screen lists.

    Raises:
        InputError: there is no such place.
    """
    path: tuple[str, ...] = ()
    left = "" if text == WHOLE else text.strip("/")
    while left:
        grid, _ = task.figures(evaluation, path)
        known: list[str] = []
        for line in grid.lines:
            parts = tuple(line.target.split("\t")) if line.target is not None else ()
            names = ("/".join(parts), "/".join(line.cells[: len(parts)])) if parts else ()
            # Names may hold a "/" themselves: they are compared whole.
            name = next((name for name in names if f"{left}/".startswith(f"{name}/")), None)
            if name is not None:
                path, left = (*path, *parts), left[len(name) + 1 :]
                break
            known += names[1:]
        else:
            near = get_close_matches(left, known, n=1, cutoff=0.4)
            hint = f"did you mean `{near[0]}`" if near else f"there are {', '.join(known[:5])}{' ...' if len(known) > 5 else ''}"
            where = f" under {'/'.join(path)}" if path else ""
            raise InputError(f"there is nothing called `{left}`{where}", hint=hint if known else "figures lead no further down")
    return path
