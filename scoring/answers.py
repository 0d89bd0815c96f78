"""A model's answer, read: bytes to text, text to a value, a value to records, a cell to text (`1-tables`, Run files).

Forgiving in reading and strict in reporting: each function returns what it read beside the repairs it made, sentences
without their full stop. Nothing here knows a task; whoever calls puts file, page and row to the repairs.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from scoring.cells import Records, cell_text, plain_key
from scoring.delimited import table_records
from scoring.files import SIZE_LIMIT, read_bytes
from scoring.lenient import MAX_DEPTH, Incomplete, IncompleteList, LenientReader, number
from scoring.text import visible

Kind = Literal["json", "jsonl", "csv", "txt"]
__all__ = [
    "KINDS", "LOST", "SIZE_LIMIT", "Kind", "Parsed", "Records",
    "cell_text", "decode", "find_records", "parse_json", "parse_records", "plain_key", "read_text",
]  # fmt: skip
LOST: Final = "bytes that are no"
KINDS: Final[tuple[Kind, ...]] = ("json", "jsonl", "csv", "txt")


# Bytes to text


def read_text(path: Path, *, limit: int = SIZE_LIMIT) -> tuple[str, tuple[str, ...]]:
    """The text of a file and what was repaired in reading it. Line ends become `\\n`.

    Raises:
        InputError: the file cannot be read, is no regular file, or is larger than `limit` bytes.
    """
    return decode(read_bytes(path, limit=limit, hint="it is hardly a model's answer; remove it"))


def decode(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Bytes to text as `read_text`."""
    repairs: list[str] = []
    encoding = "utf-8"
    for mark, named in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if content.startswith(mark):
            encoding, content = named, content[len(mark) :]
            repairs.append("byte order mark removed")
            break
    else:
        sample = content[:4096]
        for offset, named in ((1, "utf-16-le"), (0, "utf-16-be")):
            zeros = sample[offset::2].count(0)
            if zeros > len(sample) // 4 and sample[1 - offset :: 2].count(0) < zeros // 4:
                encoding = named
    if encoding != "utf-8":
        repairs.append(f"read as {encoding.upper()}")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as fault:
        text = content.decode(encoding, "replace")
        line = content.count(b"\n", 0, fault.start) + 1
        repairs.append(f"{LOST} {encoding.upper()} (first in line {line}) replaced by \ufffd; save the file as UTF-8")
    if "\0" in text:
        repairs.append(f"NUL characters removed ({text.count(chr(0))})")
        text = text.replace("\0", "")
    if "\r" in text:
        repairs.append("CRLF line ends read as LF" if "\r\n" in text else "CR line ends read as LF")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, tuple(repairs)


# Text to a value


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value read from a text. `truncated`: the text ended in it; torn containers in it are `Incomplete`/`IncompleteList`."""

    value: Any
    repairs: tuple[str, ...] = ()
    truncated: bool = False


@dataclass(slots=True)
class _Found:
    """A container found in a text between `start` and `end`."""

    start: int
    end: int
    value: Any
    notes: Counter[str]
    cut: bool


# A bracket in the middle of a word is an editor's, not JSON's.
_START = re.compile(
    r"""\{(?=\s*(?:["'“„}\[{]|//|/\*|\#|[\w$.-]+\s*:|\Z))|(?<!\w)\[(?=\s*(?:[\[{"'“„\]\d-]|//|/\*|\#|(?:true|false|null|NaN|None)\b|\Z))"""
)
_FENCE = re.compile(r"(?:```|~~~)[ \t]*[\w+-]*")
_BETWEEN_LINES = re.compile(r"[\s,;\ufeff]*")


def parse_json(text: str, *, lines: bool = False) -> Parsed | None:
    """The JSON in a model's answer, whatever stands around it and is wrong with it; None where there is none.

    Strict JSON is read as such. Else every object and list that stands in the text is read: objects that follow one
    another are JSON Lines and become one list; of several blocks, the one with the longest list of objects is the answer.
    With `lines` the text is known to be JSON Lines: its objects are one list, whatever stands between them.
    """
    notes: Counter[str] = Counter()
    bare = text.strip(" \t\r\n\ufeff")
    if not bare:
        return None
    try:
        value = _strict(notes).decode(bare)
    except (ValueError, RecursionError):
        notes.clear()
    else:
        if isinstance(value, str) and bare.startswith('"'):
            inner = parse_json(value, lines=lines)
            return inner and replace(inner, repairs=("JSON written as a text", *inner.repairs))
        if not _deeper(value, MAX_DEPTH):
            return Parsed(value, _sentences(notes))
        notes.clear()
    found = list(_containers(text))
    if not found:
        return None
    blocks = _blocks(text, found, lines)
    chosen = max(blocks, key=lambda block: (_length(block.value), block.end - block.start))
    repairs = _around(text, blocks, chosen)
    if len(blocks) > 1:
        left = sum(max(_length(block.value), 0) for block in blocks if block is not chosen)
        repairs.append(f"{len(blocks)} blocks of JSON, the one with the longest list read; the others hold {left} objects in lists")
    return Parsed(chosen.value, (*repairs, *_sentences(chosen.notes)), chosen.cut)


def _strict(notes: Counter[str]) -> json.JSONDecoder:
    """A decoder that says in `notes` what JSON leaves open: keys given twice, NaN and the infinities."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) != len(items):
            counted = Counter(key for key, _ in items)
            notes.update(f"key {key!r} given twice, the last one kept" for key, count in counted.items() if count > 1)
        return found

    def constant(word: str) -> str:
        notes[f"{word} is no JSON, kept as text"] += 1
        return word

    return json.JSONDecoder(object_pairs_hook=pairs, parse_constant=constant, parse_float=lambda digits: number(digits, whole=False))


def _deeper(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            child
            for container in level
            for child in (container.values() if isinstance(container, dict) else container if isinstance(container, list) else ())
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


# A failure of the strict decoder costs time that grows with the text (it counts lines for its message); so after this many in
# one text the lenient reader, which reads strict JSON alike, does it alone.
_STRICT_FAILURES = 64


def _containers(text: str) -> Iterator[_Found]:
    """Every outermost object and list of the text, in order."""
    at, failures = 0, 0
    reader = LenientReader(text)
    while (match := _START.search(text, at)) is not None:
        start = match.start()
        notes: Counter[str] = Counter()
        try:
            if failures >= _STRICT_FAILURES:
                raise ValueError
            value, at = _strict(notes).raw_decode(text, start)
            if _deeper(value, MAX_DEPTH):
                raise RecursionError
            yield _Found(start, at, value, notes, False)
        except (ValueError, RecursionError):
            failures += 1
            value = reader.read(start)
            at = max(reader.end, start + 1)
            yield _Found(start, at, value, reader.notes, reader.cut)


def _blocks(text: str, found: Sequence[_Found], lines: bool) -> list[_Found]:
    """JSON Lines put together: objects with nothing between them become one list."""
    blocks: list[_Found] = []
    last: _Found | None = None
    for item in found:
        follows = last is not None and isinstance(last.value, dict) and isinstance(item.value, dict)
        if follows and last is not None and (lines or _BETWEEN_LINES.fullmatch(text, last.end, item.start)):
            if not _BETWEEN_LINES.fullmatch(text, last.end, item.start):
                between = " ".join(text[last.end : item.start].split())
                blocks[-1].notes[f"text between the lines passed over: {between[:60]}"] += 1
            block = blocks[-1]
            if block is last:
                block = blocks[-1] = _Found(last.start, last.end, [last.value], Counter(last.notes), last.cut)
                block.notes["objects one after another read as a list (JSON Lines)"] = 1
            block.value.append(item.value)
            block.notes.update(item.notes)
            block.end, block.cut = item.end, item.cut
        else:
            blocks.append(item)
        last = item
    return blocks


def _around(text: str, blocks: Sequence[_Found], chosen: _Found) -> list[str]:
    """What stands outside the JSON, said."""
    repairs: list[str] = []
    outside, at = [], 0
    for block in blocks:
        outside.append((at, block.start))
        at = block.end
    outside.append((at, len(text)))
    marks = sum(len(_FENCE.findall(text, start, end)) for start, end in outside)
    if marks:
        repairs.append("Markdown fence removed" if marks % 2 == 0 else "Markdown fence that is not closed removed")
    for word, spans in (("before", [s for s in outside if s[1] <= chosen.start]), ("after", [s for s in outside if s[0] >= chosen.end])):
        prose = " ".join(" ".join(_FENCE.sub(" ", text[start:end]).split()) for start, end in spans).strip(" \ufeff,;")
        if prose:
            shown = prose if len(prose) <= 60 else prose[:59] + "…"
            repairs.append(f"text {word} the JSON passed over: {visible(shown)}")
    return repairs


def _sentences(notes: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(visible(note) if count == 1 else f"{visible(note)} ({count} times)" for note, count in notes.items())


# A value to records


@dataclass(frozen=True, slots=True)
class _List:
    path: tuple[str | int, ...]
    value: list[Any]
    complete: int


def _lists(value: Any) -> list[_List]:
    """Every list of objects in a value, and every empty list; the outer before the inner, else in order."""
    found: list[_List] = []
    level: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    for _ in range(MAX_DEPTH + 2):
        following: list[tuple[tuple[str | int, ...], Any]] = []
        for path, container in level:
            if isinstance(container, list):
                objects = [item for item in container if isinstance(item, dict)]
                if objects or not container:
                    found.append(_List(path, container, sum(1 for item in objects if not isinstance(item, Incomplete))))
                following += [((*path, at), item) for at, item in enumerate(container) if isinstance(item, dict | list)]
            elif isinstance(container, dict):
                following += [((*path, key), item) for key, item in container.items() if isinstance(item, dict | list)]
        if not following:
            break
        level = following
    return found


def _length(value: Any) -> int:
    """How long the longest list of objects in a value is; -1 where there is none."""
    return max((found.complete for found in _lists(value)), default=-1)


def _shown(path: Sequence[str | int]) -> str:
    steps = ("." + step if isinstance(step, str) and step.isidentifier() else f"[{json.dumps(step, ensure_ascii=False)}]" for step in path)
    return visible("$" + "".join(steps))


def find_records(value: object) -> Records | None:
    """The longest list of objects in a value (of equal ones the outermost, then the first); None where there is none.

    An empty list is an answer of no records. Elements that are no objects, and other lists of objects outside the
    records, are left out and reported.
    """
    lists = _lists(value)
    if not lists:
        return None
    chosen = max(lists, key=lambda found: found.complete)
    records = tuple(item for item in chosen.value if isinstance(item, dict) and not isinstance(item, Incomplete))
    torn = any(isinstance(item, Incomplete | IncompleteList) for item in chosen.value) or isinstance(chosen.value, IncompleteList)
    repairs: list[str] = []
    strays = [item for item in chosen.value if not isinstance(item, dict) and item is not None and not isinstance(item, IncompleteList)]
    if strays:
        first = cell_text(strays[0])[0]
        repairs.append(f"{len(strays)} elements of the list are no objects and were left out, first {visible(first[:60])!r}")
    depth = len(chosen.path)
    for other in lists:
        inside, around = other.path[:depth] == chosen.path, chosen.path[: len(other.path)] == other.path
        if other.complete and not inside and not around:
            repairs.append(f"another list of {other.complete} objects at {_shown(other.path)} was not read")
    return Records(records, _shown(chosen.path), tuple(repairs), torn)


def parse_records(text: str, kind: Kind, fields: Sequence[str] = ()) -> Records | None:
    """The records of an answer; None where no list of records can be read.

    Args:
        text: what the model returned.
        kind: what the file's name says it is; tried first, for the name may be wrong.
        fields: the names a record should have. By them one object alone, or a table without JSON, is known as an answer.
    """
    if kind == "csv":
        table = None if text.lstrip(" \t\r\n\ufeff")[:1] in ("[", "{") else table_records(text, fields, trusted=True)
        if table is not None:
            return table
    parsed = parse_json(text, lines=kind == "jsonl")
    found = None
    if parsed is not None:
        found = find_records(parsed.value)
        if found is None or not found.records:
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
