"""Nested records flattened: what lies at the paths of a schema becomes the text of a cell; what has no path is kept as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.texts.cells import EXPONENT_NOTE, ZEROS_NOTE, plain_key
from scoring.texts.nested_paths import (
    LIST,
    holds_more,
    is_list,
    is_nested,
    leaf_paths,
    list_entries,
    list_text,
    nested_text,
    parsed_nested,
    steps_of,
)

MOST_ENTRIES: Final = 1000
NESTED_NOTE: Final = "nested value without a declared path, not scored"
MISFIT_NOTE: Final = "the value does not lie as the path says, not scored"
KEY_NOTE: Final = "nested value, read as nothing for records are matched by this field"
KEY_LIST_NOTE: Final = "list in the field records are matched by, joined as one name"
LONG_NOTE: Final = f"a list longer than {MOST_ENTRIES} entries, what follows was left out"
_WARNED = (KEY_NOTE, KEY_LIST_NOTE, LONG_NOTE, ZEROS_NOTE, EXPONENT_NOTE)


def asks_for_a_look(note: str) -> bool:
    """Whether figures depend on what the note of a cell says, so that it is a warning."""
    return any(warned in note for warned in _WARNED)


@dataclass(frozen=True, slots=True)
class NestedValue:
    """A value found at a path, as the text of a cell, and what was repaired in it."""

    text: str
    note: str | None = None

    def cell(self, *, key: bool) -> tuple[str, str | None]:
        """Return the cell; in a field records are matched by, a value that does not lie there is nothing."""
        return ("", KEY_NOTE) if key and self.note is not None and MISFIT_NOTE in self.note else (self.text, self.note)


Cell = Callable[[object], tuple[str, str | None]]


def nested_cell(value: object, text: str, note: str | None, *, key: bool) -> tuple[str, str | None]:
    """Return the cell of a value that may be nested, given what `cell_text` says of it.

    A nested value is kept as JSON, which no method scores. In a field records are matched by, a list of plain values is
    one name, and an object is nothing.
    """
    if isinstance(value, str):
        return (text, note) if not is_nested(text) else ("", KEY_NOTE) if key else (text, NESTED_NOTE)
    if not holds_more(value):
        return (text, note) if value != {} else ("", "empty object read as nothing")
    if not key:
        return nested_text(value), NESTED_NOTE
    plain = isinstance(value, list) and not any(isinstance(item, dict | list) for item in value)
    return (text, KEY_LIST_NOTE) if plain else ("", KEY_NOTE)


class _MisfitError(Exception):
    """A value does not lie as a path says."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A key of a record, the field that is read from it, and the steps from there; none for a column named by the path."""

    key: str
    field: str
    steps: tuple[str, ...]


class Paths:
    """The fields of a schema that are paths. Flattens records; `cell` reads one plain value."""

    def __init__(self, names: Sequence[str], field_of: Callable[[str], str | None], cell: Cell) -> None:
        self._steps = {name: steps for name in names if (steps := steps_of(name)) is not None}
        self._field_of, self._cell = field_of, cell
        self._plans: dict[tuple[str, ...], tuple[_Place, ...]] = {}

    @property
    def tops(self) -> tuple[str, ...]:
        """The keys under which the paths begin."""
        return tuple(dict.fromkeys(steps[0] for steps in self._steps.values()))

    def flat(self, record: Mapping[str, object]) -> Mapping[str, object]:
        """Return the record with a `NestedValue` under each path; nested values that no path reaches are named, without a value."""
        if not self._steps:
            return record
        keys = tuple(record)
        places = self._plans.get(keys)
        if places is None:
            places = self._plans[keys] = tuple(self._places(keys))
        if not places:
            return record
        taken = {place.key for place in places}
        found: dict[str, object] = {key: value for key, value in record.items() if key not in taken or self._is_plain(key)}
        for place in places:
            if self._answers(place, record[place.key]):
                found[place.field] = self._first(found.get(place.field), self._leaf(place, record[place.key]))
        for key in taken:
            for path in leaf_paths(record[key], key):
                if self._field_of(path) is None and "." in path:
                    found.setdefault(path, None)
        return found

    def _is_plain(self, key: str) -> bool:
        """Whether a key means a field of its own, which is no list."""
        field = self._field_of(key)
        return field is not None and not is_list(field)

    def _answers(self, place: _Place, value: object) -> bool:
        """Whether a value may hold what lies at a path: a plain value under a field of its own does not."""
        nested = isinstance(value, dict | list) or (isinstance(value, str) and is_nested(value))
        return nested or not self._is_plain(place.key)

    def _first(self, held: object, leaf: NestedValue) -> NestedValue:
        """Return the first of two values of one path that is filled, and tell of the other."""
        first = held if isinstance(held, NestedValue) else NestedValue(*self._cell(held))
        if not (first.text and leaf.text):
            return first if first.text else leaf
        return NestedValue(first.text, "; ".join(filter(None, (first.note, f"given twice, {leaf.text[:60]!r} left out"))))

    def _places(self, keys: Sequence[str]) -> Iterator[_Place]:
        """Yield the places to read; a key that is the path itself comes before one under which it lies."""
        named = {key: self._field_of(key) for key in keys}
        yield from (_Place(key, field, (LIST,)) for key, field in named.items() if field is not None and is_list(field))
        for key, field in named.items():
            for name, steps in self._steps.items():
                if name != field and steps[0] == plain_key(key):
                    yield _Place(key, name, steps[1:])

    def _leaf(self, place: _Place, value: object) -> NestedValue:
        notes: dict[str, None] = {}
        try:
            cells = [self._cell(one) for one in _leaves(value, place.steps, notes)]
            if any(is_nested(text) for text, _ in cells) or (len(cells) > 1 and not is_list(place.field)):
                raise _MisfitError
        except _MisfitError:
            return NestedValue(nested_text({place.key: value}), MISFIT_NOTE)
        notes |= dict.fromkeys(note for _, note in cells if note)
        entries = [text for text, _ in cells if text]
        if len(entries) > MOST_ENTRIES:
            notes[LONG_NOTE] = None
        text = list_text(entries[:MOST_ENTRIES]) if is_list(place.field) else "".join(entries)
        return NestedValue(text, "; ".join(notes) or None)


def _leaves(value: object, steps: tuple[str, ...], notes: dict[str, None]) -> Iterator[object]:
    """Yield the values at the end of the steps. Raises `_MisfitError` where something else lies on the way."""
    if value is None or value == "":
        return
    if isinstance(value, str) and steps and (parsed := parsed_nested(value)) is not None:
        notes["JSON in a text read as nested"] = None
        value = parsed
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if step == LIST:
        yield from _entries(value, rest, notes)
    elif isinstance(value, dict):
        yield from _leaves(next((item for key, item in value.items() if plain_key(str(key)) == step), None), rest, notes)
    elif isinstance(value, list) and len(value) <= 1:
        notes["list of one read as its element"] = None
        yield from _leaves(value[0] if value else None, steps, notes)
    else:
        raise _MisfitError


def _entries(value: object, rest: tuple[str, ...], notes: dict[str, None]) -> Iterator[object]:
    """Yield what lies at the end of the steps in each entry of a list."""
    if isinstance(value, dict) and value and all(isinstance(item, dict) for item in value.values()) and rest:
        notes["object of objects read as a list"] = None
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item, rest, notes)
    elif isinstance(value, str) and not rest:
        yield from list_entries(value)
    else:
        notes["one value read as a list of one"] = None
        yield from _leaves(value, rest, notes)
