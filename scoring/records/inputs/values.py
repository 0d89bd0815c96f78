"""Values of a record's fields: typed by the JSON Schema, stored, compared, shown (`docs/ecoextract-behaviour.md#cell-types`).

What a reviewer types becomes a value of the field's type or is refused: nothing is stored as something else.
"""

from __future__ import annotations

import json
import math
from typing import Any

from scoring.foundations.problems import InputError
from scoring.records.inputs.fields import Field
from scoring.records.inputs.layout import Cell

_YES, _NO = ("true", "yes", "y", "1"), ("false", "no", "n", "0")
_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "yes or no",
    "array": "a list",
    "object": "an object",
}


def typed(entry: Field, given: object) -> Cell:
    """The value to store for what was given: text as typed by a person, or a JSON value. None and the empty text clear the field.

    Raises:
        InputError: of the wrong type, not among the choices, or a null the field does not allow.
    """
    if given is None or (isinstance(given, str) and not given.strip() and "string" not in entry.types):
        given = None
    if given == "":
        given = None
    if given is None:
        if "array" in entry.types and not entry.nullable:
            return "[]"
        if not entry.nullable:
            raise _wrong(entry, "may not be empty")
        return None
    value = _parsed(entry, given) if isinstance(given, str) else given
    if not any(_is(kind, value) for kind in entry.types):
        raise _wrong(entry, f"takes {_described(entry)}, not {_short(given)}")
    _validated(entry, value)
    return stored(entry, value)


def _wrong(entry: Field, what: str) -> InputError:
    choices = f"choose one of {', '.join(entry.choices)}" if entry.choices else "give a value of the field's type"
    return InputError(f"the field {entry.name} {what}", hint=choices)


def _described(entry: Field) -> str:
    words = {
        "string": "text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "yes or no",
        "array": "a list",
        "object": "an object",
    }
    return " or ".join(words.get(kind, kind) for kind in entry.types)


def _short(given: object) -> str:
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, default=str)
    return repr(text if len(text) <= 60 else text[:59] + "…")


def _parsed(entry: Field, text: str) -> Any:
    """The JSON value a typed text stands for, of the first type it fits; the text itself where it fits none."""
    bare = text.strip()
    for kind in sorted(entry.types, key=lambda kind: kind == "string"):
        if kind == "string":
            return text
        if kind == "boolean" and bare.lower() in _YES + _NO:
            return bare.lower() in _YES
        if kind in ("integer", "number"):
            try:
                number = int(bare) if bare.lstrip("+-").isdecimal() else float(bare)
            except ValueError:
                continue
            if "_" not in bare and (kind == "number" or number == int(number if math.isfinite(number) else 0)) and math.isfinite(number):
                return int(number) if kind == "integer" else number
        if kind == "array" and not bare.startswith("[") and entry.is_list:
            return [line.strip() for line in text.splitlines() if line.strip()]
        if kind in ("array", "object"):
            try:
                return json.loads(bare)
            except (ValueError, RecursionError):
                continue
    return text


def _is(kind: str, value: object) -> bool:
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return isinstance(value, {"string": str, "array": list, "object": dict}.get(kind, ()))


def _validated(entry: Field, value: object) -> None:
    """What else the schema asks: choices, patterns, bounds, kinds of elements."""
    if entry.validator is None or _texts_only(entry, value):
        return
    fault = next(iter(entry.validator.iter_errors(value)), None)
    if fault is not None:
        raise _wrong(entry, f"refuses {_short(value)}: {fault.message}")


def _texts_only(entry: Field, value: object) -> bool:
    """Whether nothing more is asked than a list of texts, and the value is one: by far the commonest declaration."""
    plain = entry.declared.keys() <= {"type", "items", "description"} and entry.declared.get("items") == {"type": "string"}
    return plain and isinstance(value, list) and all(isinstance(text, str) for text in value)


def stored(entry: Field, value: Any) -> Cell:
    """A JSON value as SQLite keeps it: yes and no as 1 and 0, a number field as a real, lists and objects as compact JSON text."""
    if value is None:
        return None
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, int) and "integer" not in entry.types:
        return float(value)
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise _wrong(entry, f"takes whole numbers of 64 bits, not {value}")
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        raise _wrong(entry, "takes text, and this holds half of a character")
    return value if isinstance(value, str | int | float) else str(value)


def value_of(entry: Field | None, cell: Cell) -> Any:
    """The JSON value a stored cell stands for; the cell itself where it is not of the field's type."""
    if entry is None or cell is None:
        return cell
    if "boolean" in entry.types and cell in (0, 1) and "integer" not in entry.types and not isinstance(cell, str):
        return bool(cell)
    if isinstance(cell, str) and ("array" in entry.types or "object" in entry.types):
        try:
            value = json.loads(cell)
        except (ValueError, RecursionError):
            return cell
        if any(_is(kind, value) for kind in entry.types if kind in ("array", "object")):
            return value
    if isinstance(cell, float) and cell.is_integer() and "integer" in entry.types and "number" not in entry.types:
        return int(cell)
    return cell


def type_fault(entry: Field, cell: Cell) -> str | None:
    """Why a stored cell is not a value of its field; None where it is."""
    if cell is None:
        return None if entry.nullable else "empty, and may not be"
    value = value_of(entry, cell)
    if not any(_is(kind, value) for kind in entry.types):
        return f"not {_described(entry)}"
    try:
        _validated(entry, value)
    except InputError as fault:
        return fault.what.removeprefix(f"the field {entry.name} ")
    return None


def same_value(entry: Field | None, one: Cell, other: Cell) -> bool:
    """Whether two stored cells say the same: 10 and 10.0, and lists that differ in blanks alone; NULL and the empty text differ."""
    if one is None or other is None:
        return one is other
    first, second = value_of(entry, one), value_of(entry, other)
    if isinstance(first, list | dict) and isinstance(second, list | dict):
        return bool(first == second)
    return cell_text(one) == cell_text(other)


def cell_text(cell: Cell) -> str:
    """A stored cell as text, numbers as EcoExtract writes them into `original_value`."""
    if cell is None:
        return ""
    if isinstance(cell, bytes):
        return cell.hex()
    return r_number(cell) if isinstance(cell, float) else str(cell)


def typed_text(value: object) -> str:
    """A JSON value as a person would type it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return "\n".join(value)
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def r_number(number: float) -> str:
    """A double as R's `as.character` writes it: at most 15 significant digits, fixed unless scientific is shorter.

    See `docs/ecoextract-behaviour.md#cell-types`.
    """
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Inf" if number > 0 else "-Inf"
    mantissa, exponent = f"{abs(number):.14e}".split("e")
    digits, power = mantissa.replace(".", "").rstrip("0") or "0", int(exponent)
    behind = max(0, len(digits) - power - 1)
    fixed = max(power + 1, 1) + (behind + 1 if behind else 0)
    scientific = len(digits) + (len(digits) > 1) + max(4, 2 + len(str(abs(power))))
    sign = "-" if number < 0 else ""
    if fixed <= scientific:
        return f"{sign}{abs(number):.{behind}f}"
    head = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{head}e{'-' if power < 0 else '+'}{abs(power):02d}"
