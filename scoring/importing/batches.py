"""Batch output of OpenAI and Anthropic: JSON Lines with a `custom_id` a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from scoring.importing.answer_names import AnswerName, proposed_pattern, read_name
from scoring.importing.plan import Item, name_part, skipped
from scoring.importing.sources import Source

_SUFFIXES = (".jsonl", ".ndjson", ".json")
_PAGE = re.compile(r".*?(?:page|p|seite)?[ _-]*([0-9]+[a-z]?)", re.IGNORECASE)


def batch(source: Source) -> tuple[Sequence[Item], Sequence[str]] | None:
    """Plan the import of batch output: every line an answer, its page and run from the `custom_id`."""
    read: list[tuple[str, int, dict[str, Any], bytes]] = []
    faulty: list[Item] = []
    for file in source.files:
        if PurePosixPath(file).suffix.lower() not in _SUFFIXES:
            continue
        lines = list(_lines(source, file))
        if not any(entry is not None for _, entry, _ in lines):
            continue
        for number, entry, raw in lines:
            if entry is None:
                faulty.append(skipped(f"{file}:{number}", "no JSON object with a `custom_id`"))
            else:
                read.append((file, number, entry, raw))
    if not read:
        return None
    ids = [str(entry["custom_id"]) for _, _, entry, _ in read]
    pattern = proposed_pattern([f"{name}.x" for name in ids]) or "{page}"
    items = [_item(file, number, entry, raw, pattern) for file, number, entry, raw in read]
    return [*items, *faulty], [f"pages are read from `custom_id` by the pattern {pattern}"]


def _lines(source: Source, file: str) -> Iterator[tuple[int, dict[str, Any] | None, bytes]]:
    for number, raw in enumerate(source.read(file).split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            entry = json.loads(raw)
        except (ValueError, RecursionError):
            entry = None
        yield number, entry if isinstance(entry, dict) and entry.get("custom_id") is not None else None, raw.strip() + b"\n"


def _item(file: str, number: int, entry: dict[str, Any], raw: bytes, pattern: str) -> Item:
    where = f"{file}:{number}"
    name = read_name(str(entry["custom_id"]), pattern) or AnswerName(str(entry["custom_id"]))
    page = _PAGE.fullmatch(name.page)
    model = name.model or _model(entry) or PurePosixPath(file).stem
    run = f"run_{int(name.run):02d}" if name.run.isdecimal() else "run_01"
    target = (
        f"runs/{name_part(model)}/{name_part(name.phase or 'default')}/{run}/page_{name_part(page.group(1) if page else name.page)}.json"
    )
    return Item(where, "answer", target, lambda: raw)


def _model(entry: dict[str, Any]) -> str:
    """The model that a line's response names."""
    response = entry.get("response")
    result = entry.get("result")
    body = response.get("body", response) if isinstance(response, dict) else result.get("message") if isinstance(result, dict) else None
    model = body.get("model") if isinstance(body, dict) else None
    return model if isinstance(model, str) else ""
