"""Several blocks in one answer: a later one revises the earlier, or continues it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring.words import counted

# The words by which a model says that what follows replaces what stood before, in five languages.
_REVISED: Final = re.compile(
    r"\b(?:final|correct(?:ed|ion)|revis(?:ed|ion)|updated?|amended|improved"
    r"|korrigiert\w*|korrektur|überarbeitet\w*|endgültig\w*|berichtigt\w*|aktualisiert\w*|verbessert\w*"
    r"|corrigée?s?|révisée?s?|définiti(?:f|ve)s?|finale?s?|mise? à jour"
    r"|corrett[oaie]|rivist[oaie]|aggiornat[oaie]|definitiv[oaie]"
    r"|corregid[oa]s?|revisad[oa]s?|actualizad[oa]s?|definitiv[oa]s?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """A block of an answer: its place in the text, its items, and by what each is recognised in another block."""

    start: int
    end: int
    items: Sequence[Any]
    ids: Sequence[str]
    cut: bool = False


def parts_that_count(text: str, parts: Sequence[Part], many: str = "records") -> tuple[list[Part], tuple[str, ...]]:
    """Return the parts of an answer that count, in order, and a warning where there are several.

    A part replaces those before it where it repeats at least half of the items of the part before (half of its own where it is
    cut off), or where the words between the two say so. Otherwise it continues them.
    """
    kept: list[Part] = []
    warnings: list[str] = []
    for part in parts:
        if not kept:
            kept = [part]
            continue
        before = kept[-1]
        sizes = f"{counted(sum(len(one.items) for one in kept), many.removesuffix('s'))} and then {len(part.items)}"
        if _replaces(before, part) or _REVISED.search(text, before.end, part.start):
            warnings.append(f"two lists: {sizes}; the later one is a revision and was read")
            kept = [part]
        elif part.items:
            warnings.append(f"two lists: {sizes}; read as parts of one answer")
            kept.append(part)
    return kept, tuple(warnings)


def _replaces(earlier: Part, later: Part) -> bool:
    """Whether `later` repeats at least half of `earlier`."""
    common = sum((Counter(earlier.ids) & Counter(later.ids)).values())
    size = min(len(earlier.ids), len(later.ids)) if later.cut else len(earlier.ids)
    return common > 0 and 2 * common >= size
