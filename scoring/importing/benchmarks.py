"""A humanities benchmark: `benchmarks/NAME/ground_truths/*.json`, `images/`, `results/DATE/T0007/request_T07_PAGE.json`."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from scoring.importing.plan import Item, name_part, skipped
from scoring.importing.sources import Source
from scoring.problems import InputError

_REQUEST = re.compile(r"request_(T[0-9]+)_(.+)\.json", re.IGNORECASE)
_IMAGES = (".jpg", ".jpeg", ".png", ".tif", ".tiff")
_TESTS = "benchmarks/benchmarks_tests.csv"


def benchmark(source: Source, name: str = "") -> tuple[Sequence[Item], Sequence[str]] | None:
    """Plan the import of a benchmark folder, of a collection of them, or of its results alone.

    Args:
        source: the folder.
        name: the benchmark of a collection.

    Raises:
        InputError: the folder holds several benchmarks and none is named, or not the one named.
    """
    truths = [file for file in source.files if "ground_truths" in PurePosixPath(file).parts[:-1] and file.endswith(".json")]
    requests = [file for file in source.files if _REQUEST.fullmatch(PurePosixPath(file).name)]
    if not truths and not requests:
        return None
    names = sorted({_benchmark_of(file) for file in truths} - {""})
    if name and name not in names:
        raise InputError(f"there is no benchmark `{name}`", where=source.name, hint=f"benchmarks are {', '.join(names)}")
    if len(names) > 1 and not name:
        raise InputError("the folder holds several benchmarks", where=source.name, hint=f"name one with --benchmark: {', '.join(names)}")
    chosen = name or (names[0] if names else "")
    own = [file for file in truths if not chosen or _benchmark_of(file) == chosen]
    pages = {PurePosixPath(file).stem for file in own}
    items = [_truth(source, file) for file in own]
    items += _images(source, chosen, pages)
    tests = _tests(source)
    items += [item for file in requests if (item := _answer(source, file, chosen, pages, tests)) is not None]
    notes = [f"benchmark {chosen}"] if chosen else []
    if requests:
        notes.append("a run is a date, a phase is a test (T-number): tests of one model differ in prompt or settings")
    return items, notes


def _benchmark_of(file: str) -> str:
    """The folder above `ground_truths`; empty where that is the source itself."""
    parts = PurePosixPath(file).parts
    at = parts.index("ground_truths")
    return parts[at - 1] if at else ""


def _truth(source: Source, file: str) -> Item:
    page = name_part(PurePosixPath(file).stem)
    return Item(file, "ground truth", f"gt/gt_page_{page}.json", partial(source.read, file))


def _images(source: Source, chosen: str, pages: set[str]) -> list[Item]:
    found: list[Item] = []
    for file in source.files:
        path = PurePosixPath(file)
        if "images" not in path.parts[:-1] or path.suffix.lower() not in _IMAGES or (chosen and chosen not in path.parts):
            if "images" in path.parts[:-1] and path.suffix.lower() in _IMAGES and not chosen:
                pass
            elif not ("images" in path.parts[:-1] and len(path.parts) == 2):
                continue
        if path.stem in pages:
            found.append(Item(file, "image", f"images/page_{name_part(path.stem)}{path.suffix.lower()}", partial(source.read, file)))
    return found


def _tests(source: Source) -> dict[int, str]:
    """Test number -> benchmark, from the collection's table of tests."""
    if _TESTS not in source.files:
        return {}
    reader = csv.DictReader(io.StringIO(source.read(_TESTS).decode("utf-8-sig", "replace"), newline=""))
    found: dict[int, str] = {}
    for row in reader:
        digits = re.sub(r"\D", "", row.get("id") or "")
        if digits:
            found[int(digits[:9])] = (row.get("name") or "").strip()
    return found


def _answer(source: Source, file: str, chosen: str, pages: set[str], tests: dict[int, str]) -> Item | None:
    match = _REQUEST.fullmatch(PurePosixPath(file).name)
    assert match is not None
    number = int(re.sub(r"\D", "", match.group(1))[:9])
    of_other = tests.get(number, chosen) != chosen
    if chosen and (of_other or (not tests and pages and match.group(2) not in pages)):
        return None
    try:
        head = json.loads(source.read(file))
    except (ValueError, RecursionError) as fault:
        return skipped(file, f"no readable JSON ({fault})")
    if not isinstance(head, dict) or not isinstance(head.get("model"), str):
        return skipped(file, "it names no model")
    model = "/".join(name_part(part) for part in (_text(head.get("provider")), head["model"]) if part)
    dates = [part for part in PurePosixPath(file).parts[:-1] if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", part)]
    run = f"run_{dates[-1] if dates else '1'}"
    page = name_part(match.group(2))
    return Item(file, "answer", f"runs/{model}/T{number:04d}/{run}/page_{page}.json", partial(source.read, file))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
