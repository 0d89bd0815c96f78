"""Numbers and rows in sentences."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 page`, `3 pages`, `2 entries`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def row_in_words(target: str) -> str:
    """A ROW beside its page: `GT 16` for `gt:36:16`, `row 19` for `model:alfa/guided/run_01:36:19`; other targets as they are."""
    side, _, rest = target.partition(":")
    number = rest.rpartition(":")[2]
    return f"{'GT' if side == 'gt' else 'row'} {number}" if side in ("gt", "model") and number.isdecimal() else target
