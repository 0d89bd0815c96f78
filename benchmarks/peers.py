"""The same runs through other people's libraries: how far they agree with ours, and how much longer they take.

    python -m benchmarks.peers [--quick] [--pages 40] [--rows 50]

Peers are no part of the project; those that are not installed (`pip install jiwer stickler-eval`) are left out with a word. All
variants run on the same pages in one process. Exit code 1 where a figure that must be equal is not.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TypeVar

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.scale import Register
from scoring.tables.matching.other_assignments import optimal
from scoring.tables.matching.pairing import ModelName, PagePairer
from scoring.tables.matching.readings import readings
from scoring.texts.forms import name_form, wildcard_edits

GATE = 0.70
T = TypeVar("T")
Page = tuple[list[str], list[str]]


def pages(count: int, rows: int) -> list[Page]:
    """(GT names, model names) in name normal form: runs over ten registers."""
    register = Register(10, rows, 0.6)
    out = []
    for number in range(count):
        page = str(number % 10 + 1)
        out.append(
            (
                [name_form(traveler["name"]) for traveler in register.pages[page]],
                [form for row in register.answer(page) if (form := name_form(str(row["name"])))],
            )
        )
    return out


def names(models: Sequence[str]) -> tuple[ModelName, ...]:
    return tuple(ModelName(readings(text, ())[0]) for text in models)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def line(what: str, agreement: str, ours: float, theirs: float) -> None:
    print(f"{what:<58}{agreement:<42}{1e3 * ours:>9.0f} ms{1e3 * theirs:>9.0f} ms{theirs / ours:>8.1f}x", flush=True)


def edits_by_jiwer(some: Sequence[Page]) -> bool:
    import jiwer

    pairs = [
        (gt[pair.gt], models[pair.model])
        for gt, models in some
        for pair in PagePairer(gt).pair(names(models))
        if models[pair.model].strip()
    ]
    references, hypotheses = [one for one, _ in pairs], [other for _, other in pairs]
    ours, our_time = timed(lambda: sum(wildcard_edits(one, other) for one, other in pairs) / sum(map(len, references)))
    theirs, their_time = timed(lambda: jiwer.cer(reference=references, hypothesis=hypotheses))
    equal = abs(ours - theirs) < 1e-12
    line(f"name CER of {len(pairs):,} pairs, jiwer", f"{ours:.12f} and {theirs:.12f}", our_time, their_time)
    return equal


def ratio_by_difflib(some: Sequence[Page]) -> bool:
    """The pairing as the nested loop over difflib gives it."""

    def naive(gt: list[str], models: list[str]) -> list[tuple[int, int]]:
        cells = []
        for g, expected in enumerate(gt):
            ours = set(expected.split())
            for m, found in enumerate(models):
                theirs = set(found.split())
                value = max(
                    SequenceMatcher(None, expected, found, autojunk=False).ratio(), len(ours & theirs) / max(len(ours), len(theirs))
                )
                if value >= GATE:
                    cells.append((-value, wildcard_edits(expected, found), g, m))
        taken: list[tuple[int, int]] = []
        for _, _, g, m in sorted(cells):
            if all(g != one and m != other for one, other in taken):
                taken.append((g, m))
        return taken

    ours, our_time = timed(lambda: [[(p.gt, p.model) for p in PagePairer(gt).pair(names(models), floor=GATE)] for gt, models in some])
    theirs, their_time = timed(lambda: [naive(gt, models) for gt, models in some])
    same = sum(one == other for one, other in zip(ours, theirs, strict=True))
    line("greedy pairing at the gate, difflib in nested loops", f"{same} of {len(some)} pages pair for pair", our_time, their_time)
    return same == len(some)


def matches_by_stickler(some: Sequence[Page]) -> bool:
    from stickler import ComparableField, StructuredModel
    from stickler.comparators import LevenshteinComparator

    class Traveler(StructuredModel):
        name: str = ComparableField(comparator=LevenshteinComparator(), threshold=GATE, weight=1.0)
        match_threshold = GATE

    class Register(StructuredModel):
        rows: list[Traveler] = ComparableField(weight=1.0)

    def matched(gt: list[str], models: list[str]) -> int:
        expected, found = (Register(rows=[Traveler(name=name) for name in side]) for side in (gt, models))
        result = expected.compare_with(found, include_confusion_matrix=True)
        return int(result["confusion_matrix"]["fields"]["rows"]["overall"]["tp"])

    theirs, their_time = timed(lambda: [matched(gt, models) for gt, models in some])
    for what, pair in (
        ("greedy", lambda gt, models: PagePairer(gt).pair(names(models), floor=GATE)),
        ("best total", lambda gt, models: optimal(PagePairer(gt), names(models), GATE)),
    ):
        ours, our_time = timed(lambda pair=pair: [len(pair(gt, models)) for gt, models in some])
        same = sum(one == other for one, other in zip(ours, theirs, strict=True))
        said = f"{same} of {len(some)} pages, {sum(ours):,} and {sum(theirs):,} rows"
        line(f"rows matched at {GATE:.2f}, stickler-eval beside {what}", said, our_time, their_time)
    return True


PEERS = {"difflib": ratio_by_difflib, "jiwer": edits_by_jiwer, "stickler": matches_by_stickler}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=40)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--quick", action="store_true", help="a quarter of the pages")
    asked = parser.parse_args()
    some = pages(max(1, asked.pages // 4) if asked.quick else asked.pages, asked.rows)
    print(f"{'':<58}{'agreement (ours, theirs)':<42}{'ours':>12}{'theirs':>12}{'':>9}")
    held = True
    for name, compare in PEERS.items():
        if importlib.util.find_spec(name) is None:
            print(f"{name}: not installed, left out")
            continue
        held &= compare(some)
    return int(not held)


if __name__ == "__main__":
    sys.exit(main())
