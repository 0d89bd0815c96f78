"""Datasets of predictions: Parquet or JSON Lines, a row a page, with columns for the page and the answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any, Final

from scoring.cells import plain_key
from scoring.importing.plan import Item, name_part, skipped
from scoring.importing.sources import Source
from scoring.workbooks import read_parquet

_ANSWERS: Final = ("prediction", "response", "output", "completion", "answer", "generated text", "model output")
_PAGES: Final = ("page", "page id", "id", "image", "image name", "file name", "filename", "document")
_RUNS: Final = ("run", "epoch", "seed", "trial")


def predictions(source: Source) -> tuple[Sequence[Item], Sequence[str]] | None:
    """Plan the import of predictions; None where no file has a column for the answer beside one for the page."""
    items: list[Item] = []
    notes: list[str] = []
    for file in source.files:
        suffix = PurePosixPath(file).suffix.lower()
        if suffix not in (".parquet", ".jsonl", ".ndjson"):
            continue
        rows = read_parquet(source.path(file)) if suffix == ".parquet" else _lines(source, file)
        names = {plain_key(str(name)): str(name) for row in rows[:50] for name in row}
        answer = next((names[name] for name in _ANSWERS if name in names), None)
        page = next((names[name] for name in _PAGES if name in names), None)
        if answer is None or page is None:
            continue
        notes.append(f"{file}: the page is `{page}`, the answer `{answer}`")
        items += [_item(f"{file}:{number}", row, page, answer, names) for number, row in enumerate(rows, 1)]
    return (items, notes) if items else None


def _lines(source: Source, file: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for raw in source.read(file).split(b"\n"):
        try:
            row = json.loads(raw) if raw.strip() else None
        except (ValueError, RecursionError):
            return []
        if isinstance(row, dict):
            rows.append(row)
    return rows


def _item(where: str, row: dict[str, Any], page: str, answer: str, names: dict[str, str]) -> Item:
    value = row.get(answer)
    if value is None or row.get(page) is None:
        return skipped(where, f"`{answer}` or `{page}` is blank")
    model = row.get(names.get("model", ""), "") or PurePosixPath(where).name.partition(".")[0]
    phase = row.get(names.get("phase", names.get("prompt", "")), "") or "default"
    number = next((row[names[name]] for name in _RUNS if name in names and row.get(names[name]) is not None), 1)
    run = f"run_{number:02d}" if isinstance(number, int) else f"run_{name_part(str(number))}"
    stem = PurePosixPath(str(row[page])).stem.removeprefix("page_")
    parts = "/".join(name_part(part) for part in str(model).split("/") if part.strip())
    is_text = isinstance(value, str)
    content = value if is_text else json.dumps(value, ensure_ascii=False, default=str)
    target = f"runs/{parts}/{name_part(str(phase))[:80]}/{run}/page_{name_part(stem)}.{'txt' if is_text else 'json'}"
    return Item(where, "answer", target, partial(bytes, str(content).encode("utf-8", "backslashreplace")))
