"""One line of the log as a value: its fields and what may stand in them, its id and its time (`docs/log.md#fields`)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

By = Literal["human", "model", "rule"]
Scope = Literal["reading", "row"]
SCHEMA = 1
RETRACT = "retract"
UNSURE = "unsure"

VERIFIER_PATTERN = r"^[A-Za-z0-9_-]{1,64}$"
ID_PATTERN = r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
AT_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z$"

Id = Annotated[str, msgspec.Meta(pattern=ID_PATTERN)]
Text = Annotated[str, msgspec.Meta(min_length=1)]


class LogEntry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One line of the log (`docs/log.md#fields`). A retraction has the verdict `retract` and names in `retracts` the id undone;
    a ruling names in `resolves` the ids of the conflicting entries it settles. `certainty` runs from 1 to 5.
    """

    schema: Annotated[int, msgspec.Meta(ge=1)] = SCHEMA
    id: Id
    at: Annotated[str, msgspec.Meta(pattern=AT_PATTERN)]
    verifier: Annotated[str, msgspec.Meta(pattern=VERIFIER_PATTERN)]
    by: By = "human"
    blind: bool = False
    repeat: bool = False
    task: Text
    case: Text
    verdict: Text
    targets: tuple[str, ...] = ()
    value: Any = None
    note: str | None = None
    certainty: Annotated[int, msgspec.Meta(ge=1, le=5)] | None = None
    scope: Scope = "reading"
    run: str | None = None
    batch: str | None = None
    basis: dict[str, Any] = {}
    retracts: Id | None = None
    resolves: tuple[Id, ...] | None = None


_encoder = msgspec.json.Encoder()


def encode(entry: LogEntry) -> bytes:
    """The entry as its log line, UTF-8 without the newline."""
    return _encoder.encode(entry)


def fault_of(entry: LogEntry) -> str | None:
    """What the single fields cannot tell: a sentence on why the entry cannot be meant, or None."""
    if (entry.verdict == RETRACT) != (entry.retracts is not None):
        return "A retraction needs both the verdict `retract` and the id it `retracts`"
    if entry.retracts is not None and entry.retracts >= entry.id:
        return "A retraction must name an earlier entry"
    if (entry.scope == "row") and not entry.run:
        return "A verdict on one row (`scope` is `row`) must name its run"
    if not isinstance(entry.basis.get("field"), str | None):
        return "The field a verdict is about (`field` of its `basis`) must be a text"
    if entry.resolves is not None and any(named >= entry.id for named in entry.resolves):
        return "A ruling must name earlier entries"
    return None


def retraction(undone: LogEntry, *, id: str, at: str, note: str | None = None, batch: str | None = None) -> LogEntry:
    """The entry that undoes `undone` (which may itself be a retraction); of the same verifier and case.

    With a batch it is part of an act that can be undone in its turn (a stale verdict kept, or taken back to revisit).
    """
    return LogEntry(
        id=id,
        at=at,
        verifier=undone.verifier,
        by=undone.by,
        task=undone.task,
        case=undone.case,
        verdict=RETRACT,
        note=note,
        scope=undone.scope,
        run=undone.run,
        batch=batch,
        retracts=undone.id,
    )


def field_of(entry: LogEntry) -> str:
    """The field a verdict on a value names in `basis.field`; "" where it speaks of the row as its key names it."""
    named = entry.basis.get("field")
    return named if isinstance(named, str) else ""


def verdict_in_words(entry: LogEntry) -> str:
    """The verdict, and the field it is about where it is about one: `gt-wrong of arrival_date`."""
    field = field_of(entry)
    return f"{entry.verdict} of {field}" if field else entry.verdict


def by_id(entry: LogEntry) -> str:
    """The sort key of the log's own order."""
    return entry.id


# Ids and times.

_PAYLOAD_BITS = 74
_last_id = ""


def _random(bits: int) -> int:
    return int.from_bytes(os.urandom(16)) >> 128 - bits


def _id(milliseconds: int, payload: int) -> str:
    import uuid6  # here, because it looks up its own version when imported, which costs more than all else

    number = milliseconds << 80 | (payload >> 62) << 64 | payload & (1 << 62) - 1
    return str(uuid6.UUID(int=number, version=7))


def new_id(after: str = "", *, clock: Callable[[], int] = time.time_ns) -> str:
    """A new UUID version 7: greater than every id this process made and than `after`, whatever the clock says.

    Args:
        after: the greatest id already in the log (`Decisions.greatest_id`), or "".
        clock: nanoseconds since 1970.
    """
    global _last_id
    floor = max(_last_id, after)
    milliseconds, payload = clock() // 10**6, _random(_PAYLOAD_BITS)
    if floor:
        number = UUID(floor).int
        least = number >> 80
        if milliseconds <= least:
            # Within a millisecond, or after the clock went back: count on from the floor by a random step (RFC 9562, 6.2, method 2).
            milliseconds = least
            payload = ((number >> 64 & 0xFFF) << 62 | number & (1 << 62) - 1) + 1 + _random(32)
            if payload >> _PAYLOAD_BITS:
                milliseconds, payload = least + 1, _random(_PAYLOAD_BITS)
    _last_id = _id(milliseconds, payload)
    return _last_id


def timestamp(now: datetime | None = None) -> str:
    """`now` (default: the present; aware) in UTC to the millisecond: `2026-11-29T22:10:05.123Z`."""
    return (now or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def value_in_words(value: object) -> str:
    """The value of an entry: a proposed text as it is, a drafted rule as `form = canonical [field]`."""
    if isinstance(value, dict) and {"form", "canonical", "field"} <= value.keys():
        return f"{value['form']} = {value['canonical']} [{value['field']}]"
    return str(value)
