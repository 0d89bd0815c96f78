"""The text of an answer to records: JSON first, else a table (`1-tables`, Run files)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from scoring.answers.json_text import parse_json
from scoring.answers.lenient import Incomplete
from scoring.answers.lists import fields_held, find_records
from scoring.answers.tables import table_records
from scoring.cells import Records, plain_key

Kind = Literal["json", "jsonl", "csv", "txt"]
KINDS: Final[tuple[Kind, ...]] = ("json", "jsonl", "csv", "txt")


def parse_records(text: str, kind: Kind, fields: Sequence[str] = (), *, key: Sequence[str] = (), page: str = "") -> Records | None:
    """The records of an answer; None where no list of records can be read.

    Args:
        text: what the model returned.
        kind: what the file's name says it is; tried first, for the name may be wrong.
        fields: the names a record should have. By them one object alone, or a table without JSON, is known as an answer.
        key: those of `fields` that a record is matched by.
        page: the id of the page that was asked about, for an answer that holds several pages.

    Raises:
        InputError: the answer can be read but not relied on; its `what` is the reason the page failed.
    """
    if kind == "csv":
        table = None if text.lstrip(" \t\r\n\ufeff")[:1] in ("[", "{") else table_records(text, fields, trusted=True)
        if table is not None:
            return table
    parsed = parse_json(text, lines=kind == "jsonl")
    found = None
    if parsed is not None:
        found = find_records(parsed.value, fields)
        if found is None or fields_held(found.records, fields) < fields_held((parsed.value,), fields) or not found.records:
            found = _one_record(parsed.value, kind, fields) or found
        if found is not None:
            found = replace(found, repairs=(*parsed.repairs, *found.repairs), truncated=parsed.truncated or found.truncated)
    return found if found is not None or kind == "csv" else table_records(text, fields)


def _one_record(value: Any, kind: Kind, fields: Sequence[str]) -> Records | None:
    """An object alone, if half of its keys are fields (any object in a `.jsonl` of one line)."""
    if not isinstance(value, dict) or isinstance(value, Incomplete) or not value:
        return None
    known = {plain_key(name) for name in fields}
    fitting = sum(1 for key in value if plain_key(key) in known)
    if 2 * fitting >= len(value) or (kind == "jsonl" and not fields):
        return Records((value,), "$", ("one object alone read as a list of one",))
    return None
