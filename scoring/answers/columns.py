"""Records in other shapes than a list of objects: columns, objects under keys, rows under a header, bare texts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from scoring.answers.lenient import Incomplete, IncompleteList
from scoring.cells import Records, plain_key
from scoring.problems import InputError
from scoring.text import visible
from scoring.words import counted

_DEPTH = 4


def shaped_records(value: Any, fields: Collection[str], key: Sequence[str] = ()) -> Records | None:
    """Return the records of a value that is no list of objects; None where none of the known shapes fits.

    Args:
        value: a parsed answer.
        fields: names a record may have, as `plain_key` gives them.
        key: the names of the fields a record is matched by.

    Raises:
        InputError: columns of unequal length.
    """
    for shape in (_columns, _header_and_rows, _objects):
        for path, container in _containers(value, "$"):
            records = shape(container, fields, {plain_key(name) for name in key})
            if records is not None:
                torn = isinstance(container, Incomplete | IncompleteList)
                return Records(tuple(records[0]), path, (records[1],), torn)
    return _texts(value, key)


def _containers(value: Any, path: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield a value and the containers in its objects, outer before inner."""
    level = [(path, value)]
    for _ in range(_DEPTH):
        yield from level
        level = [
            (f"{at}.{visible(str(name))}", inner)
            for at, container in level
            if isinstance(container, Mapping)
            for name, inner in container.items()
            if isinstance(inner, Mapping | list)
        ]


def _columns(container: Any, fields: Collection[str], key: Collection[str]) -> tuple[list[Mapping[str, Any]], str] | None:
    """Lists of values under the names of fields, or objects from row to value as pandas writes columns."""
    if not isinstance(container, Mapping) or not container:
        return None
    if len(container) < 2 and not all(plain_key(str(name)) in key for name in container):
        return None
    columns = {str(name): value for name, value in container.items() if isinstance(value, list)}
    if not columns and all(isinstance(value, Mapping) and value for value in container.values()):
        rows = [tuple(value) for value in container.values()]
        if not all(plain_key(str(name)) in fields for name in container) or any(one != rows[0] for one in rows):
            return None
        columns = {str(name): list(value.values()) for name, value in container.items()}
    known = [name for name in columns if plain_key(name) in fields]
    if not known or 2 * len(known) < len(columns) or any(isinstance(cell, Mapping | list) for name in known for cell in columns[name]):
        return None
    if len(columns) < len(container) and not any(plain_key(name) in key for name in known):
        return None
    if len(known) < 2 and len(container) > 1 and not any(plain_key(name) in key for name in known):
        return None
    if any(plain_key(str(name)) in key and not isinstance(value, list) for name, value in container.items() if str(name) not in columns):
        return None
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{visible(name)} {length}" for name, length in list(lengths.items())[:8])
        raise InputError(f"the answer gives columns of unequal length: {told}")
    size = next(iter(lengths.values()))
    return [{name: column[at] for name, column in columns.items()} for at in range(size)], f"columns read as {counted(size, 'record')}"


def _objects(container: Any, fields: Collection[str], key: Collection[str]) -> tuple[list[Mapping[str, Any]], str] | None:
    """Objects under numbers or names that are no fields: `{"1": {..}, "line_2": {..}}`."""
    if not isinstance(container, Mapping) or any(plain_key(str(name)) in fields for name in container):
        return None
    inner = [value for value in container.values() if isinstance(value, Mapping) and _fits(value, fields, key)]
    others = [value for value in container.values() if isinstance(value, Mapping | list) and value not in inner]
    if not inner or len(others) > 1 or (len(inner) == 1 and len(container) > 1):
        return None
    complete = [one for one in inner if not isinstance(one, Incomplete)]
    return complete, f"an object of {counted(len(complete), 'object')} read as a list"


def _fits(value: Mapping[Any, Any], fields: Collection[str], key: Collection[str]) -> bool:
    names = {plain_key(str(name)) for name in value}
    return bool(names & (set(key) or set(fields))) and 2 * len(names & set(fields)) >= min(len(names), len(fields))


def _header_and_rows(container: Any, fields: Collection[str], _key: Collection[str]) -> tuple[list[Mapping[str, Any]], str] | None:
    """A list of lists whose first names fields, or an object that holds a header beside its rows."""
    header: Any = None
    rows: Any = container
    if isinstance(container, Mapping):
        lists = [value for value in container.values() if isinstance(value, list) and value]
        header = next((one for one in lists if _is_header(one, fields)), None)
        rows = next((one for one in lists if one is not header and all(isinstance(row, list) for row in one)), None)
    elif isinstance(container, list) and len(container) > 1 and isinstance(container[0], list) and _is_header(container[0], fields):
        header, rows = container[0], container[1:]
    if header is None or rows is None or not all(isinstance(row, list) for row in rows):
        return None
    names = [str(name) for name in header]
    longest = max((len(row) for row in rows), default=0)
    names += [f"column {at}" for at in range(len(names) + 1, longest + 1)]
    complete = [row for row in rows if not isinstance(row, IncompleteList)]
    return [dict(zip(names, row, strict=False)) for row in complete], f"a header and {counted(len(complete), 'row')} read as records"


def _is_header(value: Any, fields: Collection[str]) -> bool:
    if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
        return False
    known = sum(1 for name in value if plain_key(name) in fields)
    return known > 0 and 2 * known >= len(value)


def _texts(value: Any, key: Sequence[str]) -> Records | None:
    """A list of texts, alone in the answer, as records of the key field."""
    path = "$"
    while isinstance(value, Mapping) and len(value) == 1:
        name, value = next(iter(value.items()))
        path += f".{visible(str(name))}"
    if len(key) != 1 or not isinstance(value, list) or not value or not all(isinstance(text, str) for text in value):
        return None
    records = tuple({key[0]: text} for text in value)
    warning = f"a list of {counted(len(records), 'text')} read as `{visible(key[0])}` alone"
    return Records(records, path, truncated=isinstance(value, IncompleteList), warnings=(warning,))
