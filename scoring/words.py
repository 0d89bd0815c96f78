"""Numbers and rows in sentences."""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 page`, `3 pages`, `2 entries`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def similarity_text(value: float, gate: float | None, digits: int = 3) -> str:
    """A similarity, rounded, but never up to the gate it is below. Where the gate is not known (None) the digits are cut."""
    shown = f"{value:.{digits}f}"
    if gate is None or value < gate <= float(shown):
        return f"{Decimal(repr(value)).quantize(Decimal(1).scaleb(-digits), ROUND_DOWN):f}"
    return shown


def gate_text(gate: float) -> str:
    """The gate with all its digits, two at least."""
    exact = Decimal(repr(gate))
    return f"{exact:.{max(2, -int(exact.as_tuple().exponent))}f}"


def row_in_words(target: str) -> str:
    """A ROW beside its page: `GT 16` for `gt:36:16`, `row 19` for `model:alfa/guided/run_01:36:19`; other targets as they are."""
    side, _, rest = target.partition(":")
    number = rest.rpartition(":")[2]
    return f"{'GT' if side == 'gt' else 'row'} {number}" if side in ("gt", "model") and number.isdecimal() else target
