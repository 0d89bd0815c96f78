"""Find the list of records in a parsed value (`docs/method.md#run-files`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.answers.lenient import MAX_DEPTH, Incomplete, IncompleteList
from scoring.texts.cells import Records, cell_text, plain_key
from scoring.texts.forms import visible


@dataclass(frozen=True, slots=True)
class _List:
    path: tuple[str | int, ...]
    value: list[Any]
    complete: int


def _lists(value: Any) -> list[_List]:
    """Every list of objects in a value, and every empty list; the outer before the inner, else in order."""
    found: list[_List] = []
    level: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    for _ in range(MAX_DEPTH + 2):
        following: list[tuple[tuple[str | int, ...], Any]] = []
        for path, container in level:
            if isinstance(container, list):
                objects = [item for item in container if isinstance(item, dict)]
                if objects or not container:
                    found.append(_List(path, container, sum(1 for item in objects if not isinstance(item, Incomplete))))
                following += [((*path, at), item) for at, item in enumerate(container) if isinstance(item, dict | list)]
            elif isinstance(container, dict):
                following += [((*path, key), item) for key, item in container.items() if isinstance(item, dict | list)]
        if not following:
            break
        level = following
    return found


def longest(value: Any) -> int:
    """How long the longest list of objects in a value is; -1 where there is none."""
    return max((found.complete for found in _lists(value)), default=-1)


def _shown(path: Sequence[str | int]) -> str:
    steps = ("." + step if isinstance(step, str) and step.isidentifier() else f"[{json.dumps(step, ensure_ascii=False)}]" for step in path)
    return visible("$" + "".join(steps))


def fields_held(objects: Iterable[object], fields: Iterable[str]) -> int:
    """How many of the fields are keys of the objects."""
    known = {plain_key(name) for name in fields}
    return len(known & {plain_key(str(key)) for key in {key for item in objects if isinstance(item, dict) for key in item}})


def _holder(lists: Sequence[_List], longest: _List, fields: Sequence[str]) -> _List:
    """The list around the longest one whose objects have more of the fields: the longest is then a value of one record."""
    around = [one for one in lists if one.path == longest.path[: len(one.path)]]
    if len(around) == 1:
        return longest
    return max(around, key=lambda one: (fields_held(one.value, fields), len(one.path)))


def find_records(value: object, fields: Sequence[str] = ()) -> Records | None:
    """Return the longest list of objects in a value; None where there is none.

    Of equally long lists the one whose objects have more of the `fields` is taken, then the outermost, then the first. A list inside
    the records of another list is not taken where those records have more of the `fields`.
    An empty list is an answer of no records. Elements that are no objects, and other lists of objects outside the
    records, are left out and reported.
    """
    lists = _lists(value)
    if not lists:
        return None
    most = max(found.complete for found in lists)
    tied = [found for found in lists if found.complete == most]
    longest_list = max(tied, key=lambda found: fields_held(found.value, fields)) if len(tied) > 1 else tied[0]
    chosen = _holder(lists, longest_list, fields)
    records = tuple(item for item in chosen.value if isinstance(item, dict) and not isinstance(item, Incomplete))
    torn = any(isinstance(item, Incomplete | IncompleteList) for item in chosen.value) or isinstance(chosen.value, IncompleteList)
    warnings: list[str] = []
    strays = [item for item in chosen.value if not isinstance(item, dict) and item is not None and not isinstance(item, IncompleteList)]
    if strays:
        first = cell_text(strays[0])[0]
        warnings.append(f"{len(strays)} elements of the list are no objects and were left out, first {visible(first[:60])!r}")
    depth = len(chosen.path)
    for other in lists:
        inside, around = other.path[:depth] == chosen.path, chosen.path[: len(other.path)] == other.path
        if other.complete and not inside and not around:
            warnings.append(f"another list of {other.complete} objects at {_shown(other.path)} was not read")
    return Records(records, _shown(chosen.path), (), torn, tuple(warnings))
