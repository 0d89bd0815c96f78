"""What a verdict on a reading was given on: the occurrences there were then (`docs/adjudication.md#new-occurrences`).

New runs may add occurrences later. They are covered, and known as new by their content: the run, and the text it reads there.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache

_WIDTH = 4


@lru_cache(maxsize=1 << 18)
def mark(run: str, text: str) -> str:
    """What an occurrence is known by: 24 bits of SHA-256 of its run and the text read there, as 4 characters."""
    return base64.urlsafe_b64encode(hashlib.sha256(f"{run}\0{text}".encode("utf-8", "surrogatepass")).digest()[:3]).decode("ascii")


@lru_cache(maxsize=1 << 12)
def marks_of(cover: str) -> frozenset[str]:
    """The marks that a cover holds."""
    return frozenset(cover[at : at + _WIDTH] for at in range(0, len(cover) - _WIDTH + 1, _WIDTH))


def cover_of(marks: Iterable[str]) -> str:
    """Marks as they stand in a log line: sorted, each once, one after the other."""
    return "".join(sorted(set(marks)))


def cover_in(basis: Mapping[str, object]) -> str | None:
    """The cover a log line names; `None` where it was made without one."""
    found = basis.get("covers")
    return found if isinstance(found, str) else None
