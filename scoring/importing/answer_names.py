"""Names of answer files: model, page and run read out of them by a pattern."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from scoring.problems import InputError

_PARTS = ("model", "phase", "page", "run", "date")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
# Tried in this order; the first that fits most names is proposed.
PATTERNS = (
    "{model}_page{page}_run{run}", "{model}_page_{page}_run_{run}", "{model}-page{page}-run{run}", "{model}_p{page}_r{run}",
    "page{page}_{model}_run{run}", "page_{page}_{model}_run_{run}", "{page}_{model}_run{run}", "{model}_{page}_run{run}",
    "run{run}_page{page}", "run_{run}_page_{page}", "page{page}_run{run}", "page_{page}_run_{run}",
    "{page}_run{run}", "{page}_run_{run}",
    "{model}_page{page}", "{model}_page_{page}", "{model}-page{page}", "{model}-page-{page}",
    "page{page}_{model}", "page_{page}_{model}",
    "response_{page}", "answer_{page}", "output_{page}", "result_{page}", "page_{page}", "page-{page}", "page {page}", "page{page}",
    "{page}_{model}", "{model}_{page}", "{page}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnswerName:
    """What a file's name says of an answer; empty where it says nothing."""

    page: str
    model: str = ""
    phase: str = ""
    run: str = ""


def read_name(stem: str, pattern: str) -> AnswerName | None:
    """Read the name of a file (without its ending) by a pattern; None where it does not fit.

    Raises:
        InputError: the pattern has no `{page}` or an unknown part.
    """
    found = _compiled(pattern).fullmatch(stem)
    if found is None:
        return None
    parts = found.groupdict()
    return AnswerName(parts["page"], parts.get("model") or "", parts.get("phase") or "", parts.get("run") or "")


def _compiled(pattern: str) -> re.Pattern[str]:
    named = _PLACEHOLDER.findall(pattern)
    unknown = next((name for name in named if name not in _PARTS), None)
    if unknown is not None or "page" not in named or len(set(named)) != len(named):
        what = f"`{{{unknown}}}` is no part of a name" if unknown is not None else "a pattern names `{page}`, and each part once"
        raise InputError(what, where=f"--pattern {pattern}", hint="parts are " + ", ".join(f"{{{name}}}" for name in _PARTS))
    out: list[str] = []
    at = 0
    for match in _PLACEHOLDER.finditer(pattern):
        out.append(re.escape(pattern[at : match.start()]))
        kind = match.group(1)
        # Beside other parts a page of a proposed pattern is a number, so that the parts are divided rightly.
        number = kind == "run" or (kind == "page" and pattern in PATTERNS and len(named) > 1)
        inner = r"[0-9]+[a-z]?" if number and kind == "page" else r"[0-9]+" if number else r"[^/]+?"
        out.append(f"(?P<{kind}>{inner})")
        at = match.end()
    return re.compile("".join(out) + re.escape(pattern[at:]), re.IGNORECASE)


def proposed_pattern(names: Sequence[str]) -> str | None:
    """Return the pattern that fits the most of the file names, the more telling one of equals; None where none fits half of them."""
    stems = [PurePosixPath(name).stem for name in names]
    fits = Counter({pattern: sum(read_name(stem, pattern) is not None for stem in stems) for pattern in PATTERNS})
    best = max(PATTERNS, key=lambda pattern: (fits[pattern], -PATTERNS.index(pattern)), default=None)
    return best if best is not None and stems and 2 * fits[best] > len(stems) else None
