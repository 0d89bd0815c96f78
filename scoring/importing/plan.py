"""The plan of an import: what each file was taken for, where it goes, and what is skipped and why."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from scoring.files import read_bytes
from scoring.problems import InputError
from scoring.workspace import unsafe_name

Taken = Literal["ground truth", "answer", "image", "schema", "settings", ""]
State = Literal["new", "there already", "conflict", "skipped"]
_ODD = re.compile(r"[\s/\\]+")


@dataclass(frozen=True)
class Item:
    """One file of an import.

    Attributes:
        source: its name from the source, with the member of an archive behind `!`.
        taken: what it was taken for; empty where it is skipped.
        target: where it goes, from the workspace root.
        data: reads or makes its bytes.
        why: why it is skipped, or what else is to be known.
        state: `new` until it was compared with the workspace.
    """

    source: str
    taken: Taken = ""
    target: str = ""
    data: Callable[[], bytes] | None = None
    why: str = ""
    state: State = "new"


@dataclass(frozen=True)
class Plan:
    """What an import would write: the kind of the source, what was decided for all files, and the files."""

    source: str
    kind: str
    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()

    def of(self, state: State) -> tuple[Item, ...]:
        """The files in a state."""
        return tuple(item for item in self.items if item.state == state)


def skipped(source: str, why: str) -> Item:
    """A file that is not taken."""
    return Item(source, why=why, state="skipped")


def name_part(text: str) -> str:
    """A text as the name of a model, phase, run or page: blanks and slashes become hyphens.

    Raises:
        InputError: nothing usable is left.
    """
    part = _ODD.sub("-", text.strip()).strip("-.") or text.strip()
    wrong = unsafe_name(part)
    if wrong:
        raise InputError(f"{text[:80]!a} cannot be a name: {wrong}", hint="rename it in the source")
    return part


def compared(plan: Plan, root: Path) -> Plan:
    """Return the plan with each file compared with the workspace. Two files for one place: the first goes there, the others are skipped."""
    taken: dict[str, str] = {}
    items: list[Item] = []
    for item in plan.items:
        if item.state == "skipped" or item.data is None:
            items.append(item)
            continue
        first = taken.setdefault(item.target.casefold(), item.source)
        if first != item.source:
            items.append(replace(item, state="skipped", why=f"{item.target} comes from {first} already"))
            continue
        there = root / item.target
        if not there.exists():
            items.append(item)
            continue
        same = hashlib.sha256(read_bytes(there, limit=None)).digest() == hashlib.sha256(item.data()).digest()
        state: State = "there already" if same else "conflict"
        items.append(replace(item, state=state, why=item.why if same else f"{item.target} is there with other content"))
    return replace(plan, items=tuple(items))


def all_skipped(items: Iterable[Item]) -> bool:
    """Whether nothing of the items would be taken."""
    return all(item.state == "skipped" for item in items)
