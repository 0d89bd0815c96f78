"""Kinds of sources, each recognised by its content; the first that fits gives the plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.importing import batches, benchmarks, datasets, folders, inspect_logs, page_xml
from scoring.importing.plan import Item, Plan, all_skipped, skipped
from scoring.importing.sources import Source
from scoring.problems import InputError


@dataclass(frozen=True, slots=True)
class Options:
    """What the user says beyond the source: the benchmark of a collection, and the pattern of answer names."""

    benchmark: str = ""
    pattern: str = ""


Recogniser = Callable[[Source, Options], tuple[Sequence[Item], Sequence[str]] | None]

KINDS: Final[dict[str, tuple[str, Recogniser]]] = {
    "workspace": ("a workspace of this program", lambda source, _: folders.workspace(source)),
    "benchmark": ("a humanities benchmark", lambda source, given: benchmarks.benchmark(source, given.benchmark)),
    "inspect": ("inspect_ai logs", lambda source, _: inspect_logs.logs(source)),
    "batch": ("batch output of a provider", lambda source, _: batches.batch(source)),
    "pagexml": ("PAGE-XML or ALTO", lambda source, _: page_xml.lines(source)),
    "dataset": ("a dataset of predictions", lambda source, _: datasets.predictions(source)),
    "folder": ("ground truth and answers", lambda source, given: folders.mixed(source, given.pattern)),
}


def plan_import(source: Source, kind: str = "", options: Options | None = None) -> Plan:
    """Plan the import of a source.

    Args:
        source: what was brought.
        kind: one of `KINDS`; empty: the first that fits.
        options: what the user says beyond it.

    Raises:
        InputError: the source is of no known kind, or not of the one named; a file of it is a danger or cannot be read.
    """
    if kind and kind not in KINDS:
        raise InputError(f"there is no kind `{kind}`", hint=f"kinds are {', '.join(KINDS)}")
    for name in [kind] if kind else KINDS:
        found = KINDS[name][1](source, options or Options())
        if found is None or all_skipped(found[0]):
            continue
        items, notes = found
        links = tuple(skipped(link, "a link is not followed") for link in source.listing[1])
        return Plan(source.name, name, (*items, *links), tuple(notes))
    looked = KINDS[kind][0] if kind else ", ".join(what for what, _ in KINDS.values())
    raise InputError(
        f"this is nothing that can be imported; looked for: {looked}", where=source.name, hint="docs/import.md shows each kind"
    )
