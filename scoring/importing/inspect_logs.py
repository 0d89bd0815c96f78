"""inspect_ai logs: `.eval` (a ZIP with `header.json` and `samples/*.json`) and `.json`; read without that package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from scoring.archives import open_zip, read_member
from scoring.importing.plan import Item, name_part, skipped
from scoring.importing.sources import Source
from scoring.problems import InputError


def logs(source: Source) -> tuple[Sequence[Item], Sequence[str]] | None:
    """Plan the import of logs: a sample is a page, an epoch a run, the task the phase."""
    items: list[Item] = []
    found = False
    for file in source.files:
        suffix = PurePosixPath(file).suffix.lower()
        if suffix == ".eval":
            found = True
            items += _archive(source, file)
        elif suffix == ".json":
            document = _json(source.read(file))
            if _is_log(document):
                found = True
                samples = document.get("samples")
                items += _samples(file, document, [("", one) for one in samples] if isinstance(samples, list) else [])
    return (items, ["a sample is a page, an epoch a run, the task the phase"]) if found else None


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _is_log(document: Any) -> bool:
    return isinstance(document, dict) and isinstance(document.get("eval"), dict) and "model" in document["eval"]


def _archive(source: Source, file: str) -> list[Item]:
    with open_zip(source.path(file)) as archive:
        names = archive.namelist()
        header = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
        document: Any = _json(read_member(archive, header)) if header else None
        if not _is_log(document):
            raise InputError("the log has no readable header", where=source.path(file), hint="export it again")
        samples = [
            (f"!{name}", _json(read_member(archive, name))) for name in names if name.startswith("samples/") and name.endswith(".json")
        ]
    return _samples(file, document, samples)


def _samples(file: str, document: dict[str, Any], samples: Sequence[tuple[str, Any]]) -> list[Item]:
    told = document["eval"]
    model = "/".join(name_part(part) for part in str(told["model"]).split("/") if part.strip())
    phase = name_part(str(told.get("task") or "default").rpartition("/")[2])
    return [_item(file + member, sample, model, phase) for member, sample in samples]


def _item(where: str, sample: Any, model: str, phase: str) -> Item:
    if not isinstance(sample, dict) or sample.get("id") is None:
        return skipped(where, "no readable sample")
    text = next(_texts(sample.get("output")), None)
    if text is None:
        error = sample.get("error")
        return skipped(where, f"it holds no completion{f' ({error})'[:80] if error else ''}")
    epoch = sample.get("epoch")
    run = f"run_{epoch:02d}" if isinstance(epoch, int) else "run_01"
    target = f"runs/{model}/{phase}/{run}/page_{name_part(str(sample['id']))}.json"
    # The output is kept as it lies in the log: it states why the model stopped, and what the answer took.
    content = json.dumps(sample["output"], ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Item(where, "answer", target, partial(bytes, content))


def _texts(output: Any) -> Iterator[str]:
    if not isinstance(output, dict):
        return
    choices = output.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict) and isinstance(choices[0].get("message"), dict):
        yield "choices"
    elif isinstance(output.get("completion"), str):
        yield "completion"
