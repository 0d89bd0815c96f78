"""Texts that try to hold up, break or mislead a reader: bytes to put into any file of a workspace, and how a reader's time grows.

    python -m benchmarks.hostile [--quick]

Every unit of a few hundred is repeated behind every beginning, at two sizes; a reader whose time grows faster than the text
is named. Exit code 1 where one is.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.answers import KINDS, parse_records
from scoring.problems import InputError
from scoring.rules.parse import parse

FIELDS = ("name", "title", "arrival_date")
BEGINNINGS = ("", '{"a":', '[{"name":"', "[", "name,title\n", "[" * 66, '[{"name":\'')
UNITS = (
    "{", "}", "[", "]", '"', "'", "\u201c", "\u2018", "\u00ab", ",", ":", "\\", "a", "1", "-", " ", "\n", "//", "/*", "#", "```", "|",
    "null", '{"a":1}', '{"name":"x"}', "\ufeff", '"a"', "'a'", ";", "\t", '\\"', '"a":', "{a", "|-|\n", "{a}\n", "\u2018\n",
)  # fmt: skip
RULE_UNITS = (
    "|",
    "a",
    "`",
    "\\",
    "#",
    "# 1\n",
    "| a | b |\n",
    "|-|-|\n",
    "- ",
    "> ",
    "*",
    "<",
    "[",
    "](",
    "\n",
    " ",
    "~~~\n",
    "<!--",
    "\t",
)
LENGTH, TIMES, LEAST_SECONDS, MOST_GROWTH, MEASURES = 4_000, 6, 0.15, 14.0, 4


def seconds(read: Callable[[str], object], text: str) -> float:
    """Processor seconds a reader takes; a sentence of refusal is an answer."""
    # A search for garbage takes as long as the whole program's values are many, whatever the reader does.
    gc.disable()
    start = time.process_time()
    with suppress(InputError):
        read(text)
    taken = time.process_time() - start
    gc.enable()
    return taken


def grows(read: Callable[[str], object], beginning: str, unit: str, length: int = LENGTH) -> tuple[float, float] | None:
    """(seconds at the larger size, times as long as at the smaller), where time grows faster than the text; else None."""
    small = max(1, length // len(unit))
    less = more = float("inf")
    # Other programs lengthen a measure and never shorten it: the least of several is what the reader takes.
    for _ in range(MEASURES):
        less = min(less, seconds(read, beginning + unit * small))
        more = min(more, seconds(read, beginning + unit * small * TIMES))
        if more <= LEAST_SECONDS or more <= MOST_GROWTH * less:
            return None
    return more, more / max(less, 1e-9)


def cases(pairs: bool) -> Iterator[tuple[str, Callable[[str], object], str, str]]:
    """(reader's name, reader, beginning, unit)."""
    units = (*UNITS, *("".join(pair) for pair in itertools.permutations(UNITS, 2))) if pairs else UNITS
    for beginning in BEGINNINGS:
        for at, unit in enumerate(units):
            # A pair of units behind a kind of file's name tells nothing that it does not tell of a text.
            for kind in KINDS if at < len(UNITS) else ("txt",):
                yield kind, lambda text, kind=kind: parse_records(text, kind, FIELDS), beginning, unit
    rules = (*RULE_UNITS, *("".join(pair) for pair in itertools.permutations(RULE_UNITS, 2))) if pairs else RULE_UNITS
    for beginning in ("", "## 1. Ignore rules\n", "| token | field |\n|---|---|\n"):
        for unit in rules:
            yield "rules", lambda text: parse(text), beginning, unit


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="single units only, not all pairs of them")
    asked = parser.parse_args()
    tried, slow = 0, 0
    for name, read, beginning, unit in cases(not asked.quick):
        tried += 1
        found = grows(read, beginning, unit)
        if found is not None:
            slow += 1
            print(
                f"{name:<6} {found[0]:6.2f} s, {found[1]:5.1f} times for {TIMES} times the text: {beginning[:12]!a} + {unit!a}", flush=True
            )
    print(f"{tried:,} texts tried, {slow} of them hold a reader up")
    return int(bool(slow))


if __name__ == "__main__":
    sys.exit(main())
