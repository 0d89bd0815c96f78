"""The text of an answer to records: JSON first, else a table, else YAML (`docs/method.md#run-files`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from scoring.answers.blocks import Part, parts_that_count
from scoring.answers.columns import shaped_records
from scoring.answers.json_text import Block, containers, joined_lines, outside_text, sentences
from scoring.answers.lenient import Incomplete
from scoring.answers.lists import fields_held, find_records
from scoring.answers.opening import Answer, open_answer
from scoring.answers.pages import entry_of_page
from scoring.answers.tables import table_records
from scoring.answers.yaml_text import parse_yaml
from scoring.texts.cells import Records, cell_text, plain_key
from scoring.texts.forms import name_form

Kind = Literal["json", "jsonl", "csv", "txt"]
KINDS: Final[tuple[Kind, ...]] = ("json", "jsonl", "csv", "txt")


def parse_records(text: str, kind: Kind, fields: Sequence[str] = (), *, key: Sequence[str] = (), page: str = "") -> Records | None:
    """Return the records of an answer; None where no list of records can be read.

    Args:
        text: what the model returned, or the response that was saved of it.
        kind: what the file's name says it is; tried first, for the name may be wrong.
        fields: the names a record should have. By them one object alone, or a table without JSON, is known as an answer.
        key: those of `fields` that a record is matched by.
        page: the id of the page that was asked about, for an answer that holds several pages.

    Raises:
        InputError: the answer can be read but not relied on; its `what` is the reason the page failed.
    """
    answer = open_answer(text, lines=kind == "jsonl")
    reader = _Reader(kind, fields, key, page)
    found = reader.of_value(answer.value) if answer.is_value else reader.of_text(answer.text)
    return found and _with(found, answer)


def _with(found: Records, answer: Answer) -> Records:
    return replace(
        found,
        repairs=(*answer.repairs, *found.repairs),
        warnings=(*answer.warnings, *found.warnings),
        truncated=answer.truncated or found.truncated,
        usage=answer.usage,
    )


class _Reader:
    """Reads records out of values and texts, for the fields of one schema and one page."""

    def __init__(self, kind: Kind, fields: Sequence[str], key: Sequence[str], page: str) -> None:
        self._kind, self._fields, self._key, self._page = kind, fields, key, page
        self._known = {plain_key(name) for name in fields}
        self._keys = {plain_key(name) for name in key}

    def of_value(self, value: Any) -> Records | None:
        """The records of one parsed value."""
        value, told = entry_of_page(value, self._page)
        plain = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
        found = None if plain else shaped_records(value, self._known, self._key)
        if found is None:
            found = find_records(value, self._fields)
            held = fields_held(found.records, self._fields) if found is not None else 0
            if found is None or not found.records or held < fields_held((value,), self._fields):
                found = self._one_record(value) or found
        return found and replace(found, repairs=(*told, *found.repairs))

    def of_text(self, text: str) -> Records | None:
        """The records of a text that is no JSON value alone."""
        trusted = self._kind == "csv" and text.lstrip(" \t\r\n\ufeff")[:1] not in ("[", "{")
        found = self._of_tables(text, trusted=True) if trusted else None
        if found is None:
            found = self._of_json(text)
        if found is None and not trusted:
            found = self._of_tables(text)
        if found is None:
            value = parse_yaml(text)
            found = self.of_value(value) if value is not None else None
            found = replace(found, repairs=("YAML read", *found.repairs)) if found and self._names_fields(found) else None
        return found

    def _of_json(self, text: str) -> Records | None:
        blocks = joined_lines(text, list(containers(text)), self._kind == "jsonl")
        read = [(block, found) for block in blocks if (found := self.of_value(block.value)) is not None]
        filled = [(block, found) for block, found in read if found.records]
        named = [(block, found) for block, found in filled if self._names_fields(found)]
        read = named or filled or read[-1:]
        if not read:
            return None
        whole, chosen = self._combined(text, [(block.start, block.end, found, block.cut) for block, found in read])
        counted = [read[at][0] for at in chosen]
        notes = [sentence for block in counted for sentence in sentences(block.notes)]
        around = outside_text(text, blocks, counted)
        return replace(whole, repairs=(*around, *self._left_out(blocks, read), *notes, *whole.repairs))

    def _of_tables(self, text: str, *, trusted: bool = False) -> Records | None:
        tables = table_records(text, self._fields, trusted=trusted)
        if not tables:
            return None
        return self._combined(text, [(start, end, found, found.truncated) for start, end, found in tables])[0]

    def _combined(self, text: str, read: Sequence[tuple[int, int, Records, bool]]) -> tuple[Records, list[int]]:
        """The records of the blocks that count, and which blocks those are."""
        parts = [Part(start, end, found.records, tuple(self._ids(found)) if len(read) > 1 else (), cut) for start, end, found, cut in read]
        kept, warnings = parts_that_count(text, parts)
        chosen = [at for at, part in enumerate(parts) if any(part is one for one in kept)]
        founds = [read[at][2] for at in chosen]
        return (
            Records(
                tuple(record for found in founds for record in found.records),
                founds[0].found_at,
                tuple(repair for found in founds for repair in found.repairs),
                any(read[at][3] or read[at][2].truncated for at in chosen),
                (*warnings, *(warning for found in founds for warning in found.warnings)),
            ),
            chosen,
        )

    def _ids(self, found: Records) -> Iterator[str]:
        """What each record is recognised by in another block: the normal form of its key, else all it holds."""
        for record in found.records:
            names = [name for name in record if plain_key(str(name)) in self._keys]
            text = " ".join(cell_text(record[name])[0] for name in names)
            yield name_form(text) or json.dumps(record, sort_keys=True, default=str).casefold()

    def _names_fields(self, found: Records) -> bool:
        return not self._known or any(plain_key(str(name)) in self._known for record in found.records for name in record)

    @staticmethod
    def _left_out(blocks: Sequence[Block], read: Sequence[tuple[Block, Records]]) -> Iterator[str]:
        others = sum(1 for block in blocks if not any(block is one for one, _ in read))
        if others:
            yield f"{others} other JSON {'value' if others == 1 else 'values'} without records passed over"

    def _one_record(self, value: Any) -> Records | None:
        """An object alone, if half of its keys are fields (any object in a `.jsonl` of one line)."""
        if not isinstance(value, dict) or isinstance(value, Incomplete) or not value:
            return None
        fitting = sum(1 for name in value if plain_key(name) in self._known)
        if 2 * fitting >= len(value) or (self._kind == "jsonl" and not self._fields):
            return Records((value,), "$", ("one object alone read as a list of one",))
        return None
