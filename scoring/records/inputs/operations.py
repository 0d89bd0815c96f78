"""What a review does to a database: one operation a verdict, as a value, with its inverse.

See `docs/ecoextract-behaviour.md#what-each-action-stores`.

An operation names the value it is based on; whoever performs it refuses where that value is no longer there. Nothing
here touches a file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from scoring.foundations.hashing import content_hash
from scoring.foundations.problems import InputError
from scoring.records.inputs.layout import Cell

Kind = Literal[
    "accept", "unaccept", "edit", "delete", "restore", "add", "remove", "reviewed", "unreviewed", "metadata", "withdraw", "rebook"
]  # fmt: skip
VERDICTS = ("accept", "edit", "delete", "restore", "add", "reviewed", "unreviewed", "metadata", "withdraw")

_INVERSE: dict[Kind, Kind] = {
    "accept": "unaccept", "unaccept": "accept", "edit": "edit", "delete": "restore", "restore": "delete", "add": "remove",
    "remove": "add", "metadata": "metadata", "withdraw": "rebook", "rebook": "withdraw",
}  # fmt: skip


class ConflictError(InputError):
    """Somebody else changed what a verdict was based on; nothing was written."""


@dataclass(frozen=True, slots=True)
class Audit:
    """A row of `record_edits`: a cell's value before it was edited."""

    id: str
    record: str
    column: str
    original: str | None
    at: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing to do.

    Attributes:
        was, now: the value it is based on and the one it leaves: of a cell, of `deleted_by_user`, of `reviewed_at`.
        row: the whole row, of a record added or removed.
        audits: rows of `record_edits`: booked by an edit, or taken out by one back to the original; taken out by a withdrawal, put back
            by its undoing.
        seen: the content hash of the record as it was judged, where the whole record was.
    """

    kind: Kind
    document: int
    record: str | None = None
    column: str | None = None
    was: Cell = None
    now: Cell = None
    row: Mapping[str, Cell] | None = None
    audits: tuple[Audit, ...] = ()
    seen: str | None = None

    def inverse(self) -> Operation:
        """What takes this operation back, based on what it left."""
        if self.kind in ("reviewed", "unreviewed"):
            return replace(self, kind="unreviewed" if self.was is None else "reviewed", was=self.now, now=self.was)
        return replace(self, kind=_INVERSE[self.kind], was=self.now, now=self.was)

    def plain(self) -> dict[str, Any]:
        """As plain JSON values, what is unset left out; `from_plain` reads it back."""
        values = {name: value for name, value in asdict(self).items() if value not in (None, ()) or name in ("was", "now")}
        if "row" in values:
            values["row"] = dict(values["row"])
        return values


def from_plain(values: object) -> Operation:
    """The operation a log line holds.

    Raises:
        InputError: it holds none.
    """
    try:
        assert isinstance(values, dict)
        assert values["kind"] in get_args(Kind)
        assert isinstance(values["document"], int)
        audits = tuple(Audit(**audit) for audit in values.get("audits", ()))
        return Operation(**{**values, "audits": audits})
    except (AssertionError, KeyError, TypeError) as fault:
        raise InputError("this log entry holds no operation on a database") from fault


def row_hash(values: Mapping[str, Cell], deleted_at: Cell) -> str:
    """The content hash of a record: its fields and whether it is deleted."""
    return content_hash([{name: _plain(cell) for name, cell in values.items()}, deleted_at is not None])


def _plain(cell: Cell) -> object:
    if isinstance(cell, bytes):
        return {"bytes": cell.hex()}
    return repr(cell) if isinstance(cell, float) and not math.isfinite(cell) else cell


def readable_name(author: str | None, year: object, taken: list[str]) -> str:
    """The next free readable id of a document, `Smith_2024_1_r4`: letters A to Z of the author, the year, the highest number and one."""
    letters = "".join(character for character in (author or "") if character.isascii() and character.isalpha())
    stem = f"{'Unknown' if not author else letters or 'Author'}_{year}_1_r"
    tails = (name.rpartition("_r")[2] for name in taken)
    numbers = [int(tail) for tail in tails if tail.isascii() and tail.isdigit() and len(tail) < 16]
    number = max(numbers, default=0) + 1
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"
