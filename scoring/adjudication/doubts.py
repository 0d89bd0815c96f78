"""A doubt about ground truth, and files of ground truth as they would be: one shape for every task (`docs/adjudication.md#doubts`).

What a doubt says and where it stands is the task's matter; here is what they share, and the writing: a file whole or not at
all, never over one that has changed meanwhile.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scoring.adjudication.log_entry import LogEntry
from scoring.foundations.files import write_whole
from scoring.foundations.problems import InputError

State = Literal["agreed", "by hand", "conflict", "stale", "done"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt about one row of the ground truth, or one entry of an answer.

    Attributes:
        verdict, value: what is said; the text proposed.
        page, file: the page or document, and the file of its ground truth from the workspace root.
        row: number of the row doubted, or of the entry; for a missing row, of the row it would stand after (0: before the first).
        text: the text of the row, its value or the entry as it is.
        said: the live entries behind it, in id order.
        state: `agreed` can be written; `by hand`: agreed, but not what to write; `conflict` and `stale` are not written; `done`
            is what the ground truth says already.
        why: why not, in words.
        question: the question whose answer is doubted, where the task has questions.
        field: the field of the row whose value is doubted; "" where it is the name, or the row as a whole.
    """

    verdict: str
    value: str | None
    page: str
    file: str
    row: int | None
    text: str
    said: tuple[LogEntry, ...]
    state: State
    why: str = ""
    question: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A file of ground truth before and after: path, bytes, and the doubts it settles."""

    path: Path
    name: str
    before: bytes
    after: bytes
    doubts: tuple[Doubt, ...]


def bytes_of(path: Path) -> bytes:
    """The bytes of a file of ground truth.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as fault:
        raise InputError(f"cannot be read ({fault.strerror or fault})", where=path) from fault


def changed_meanwhile(path: Path) -> InputError:
    """What is said where a file is not the one that was read."""
    return InputError("this file has changed since it was read, so nothing was written", where=path, hint="run the command again")


def patch_of(correction: Correction) -> bytes:
    """A unified diff of one file, as `git apply` and `patch -p1` take it."""
    from difflib import unified_diff

    before, after = (_lines(data.decode("utf-8")) for data in (correction.before, correction.after))
    quoted = f"{correction.name}\t" if " " in correction.name else correction.name
    out = []
    for line in unified_diff(before, after, f"a/{quoted}", f"b/{quoted}"):
        out.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(out).encode("utf-8")


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def write(found: Iterable[Correction]) -> None:
    """Put the corrected files in place of those before, each whole or not at all, its mode kept.

    Raises:
        InputError: a file has changed meanwhile, is write-protected, or cannot be written; those written before it stay.
    """
    for one in found:
        target = one.path.resolve()
        if not os.access(target, os.W_OK):
            raise InputError("is write-protected, so it was not changed", where=one.path)

        def unchanged(one: Correction = one, target: Path = target) -> None:
            if bytes_of(target) != one.before:
                raise changed_meanwhile(one.path)

        try:
            write_whole(target, one.after, durable=True, mode=stat.S_IMODE(target.stat().st_mode), before=unchanged)
        except OSError as fault:
            raise InputError(f"cannot be written ({fault.strerror or fault})", where=one.path) from fault
