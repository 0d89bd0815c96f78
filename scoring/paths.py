"""Paths into nested records (`author[].family`, `place.country`), and lists and nested values as the text of a cell."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from scoring.cells import plain_key

LIST: Final = "[]"
DEPTH: Final = 16
_STEP = r"[^\s.\[\]](?:[^.\[\]]*[^\s.\[\]])?(?:\[\])?"
_PATH = re.compile(rf"{_STEP}(?:\.{_STEP})*")
_BAR = re.compile(r"(?<!\\)\|")
# A list as JSON or as Python prints it begins so; an editor's bracket mostly does not.
_OPENING = re.compile(r"\s*(?:\{\s*[\"']|\[\s*[\[{\"'\d-])")
_LONGEST: Final = 100_000


def steps_of(name: str) -> tuple[str, ...] | None:
    """Return the steps of a path: keys as they are compared, and `[]` for each list; None where the name is no path.

    `author[].family` is ("author", "[]", "family"). A name of one key alone is no path.
    """
    if ("." not in name and LIST not in name) or not _PATH.fullmatch(name):
        return None
    steps: list[str] = []
    for part in name.split("."):
        steps.append(plain_key(part.removesuffix(LIST)))
        if part.endswith(LIST):
            steps.append(LIST)
    return tuple(steps)


def is_list(name: str) -> bool:
    """Whether a field's values are lists: its name is a path through a list."""
    return LIST in name and LIST in (steps_of(name) or ())


def list_text(entries: Iterable[str]) -> str:
    r"""Return a list as the text of a cell: entries divided by ` | `, a `|` inside an entry written `\|`."""
    return " | ".join(entry.replace("|", r"\|") for entry in entries)


def list_entries(text: str) -> tuple[str, ...]:
    r"""Return the entries of a list in a cell, trimmed, without the empty ones. A `|` divides, `\|` is a `|` of an entry."""
    parts = (part.strip().replace(r"\|", "|") for part in _BAR.split(text))
    return tuple(part for part in parts if part)


def holds_more(value: object) -> bool:
    """Whether a parsed value is nested: an object, or a list of more than one plain value."""
    if isinstance(value, dict):
        return bool(value)
    if isinstance(value, list):
        filled = [item for item in value if item not in (None, "")]
        return len(filled) > 1 or any(isinstance(item, dict | list) and item for item in filled)
    return False


def nested_text(value: object) -> str:
    """Return a nested value as JSON text; one that is too long for a cell as an object that holds its beginning."""
    text = json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=str)
    return text if len(text) <= _LONGEST else json.dumps({"too long": text[:1000]}, ensure_ascii=False)


def parsed_nested(text: str) -> Any:
    """Return the nested value that a text holds, as JSON or as Python prints it; None where it holds none."""
    if text[:1] not in ("[", "{") or len(text) > _LONGEST or not _OPENING.match(text):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        return value if holds_more(value) else None
    return None


def is_nested(text: str) -> bool:
    """Whether the text of a cell is a nested value, which no method scores."""
    return text[:1] in ("[", "{") and _parses(text)


@lru_cache(maxsize=256)
def _parses(text: str) -> bool:
    return parsed_nested(text) is not None


def leaf_paths(value: object, path: str, depth: int = DEPTH) -> Iterator[str]:
    """Yield the paths of the plain values in a nested value that lies at `path`. Keys that no path can name are left out."""
    if not depth:
        return
    if isinstance(value, dict):
        for key, item in value.items():
            if re.fullmatch(_STEP, str(key)) and not str(key).endswith(LIST):
                yield from leaf_paths(item, f"{path}.{key}", depth - 1)
    elif isinstance(value, list):
        if not path.endswith(LIST):
            for item in value:
                yield from leaf_paths(item, f"{path}{LIST}", depth - 1)
    elif value not in (None, ""):
        yield path
