"""Find and read the JSON in the text of an answer (`docs/method.md#run-files`)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.answers.lenient import MAX_DEPTH, LenientReader, RepeatedKeys, number
from scoring.answers.lists import longest
from scoring.texts.forms import visible


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value read from a text. `truncated`: the text ended in it; torn containers in it are `Incomplete`/`IncompleteList`."""

    value: Any
    repairs: tuple[str, ...] = ()
    truncated: bool = False


@dataclass(slots=True)
class Block:
    """A JSON container in a text between `start` and `end`; `cut`: the text ended in it."""

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
    bare = text.strip(" \t\r\n\ufeff")
    if not bare:
        return None
    strict = parse_strict(bare)
    if strict is not None:
        if not isinstance(strict.value, str):
            return strict
        inner = parse_json(strict.value, lines=lines)
        return inner and replace(inner, repairs=("JSON written as a text", *inner.repairs))
    found = list(containers(text))
    if not found:
        return None
    blocks = joined_lines(text, found, lines)
    chosen = max(blocks, key=lambda block: (longest(block.value), block.end - block.start))
    repairs = outside_text(text, blocks, (chosen,))
    if len(blocks) > 1:
        left = sum(max(longest(block.value), 0) for block in blocks if block is not chosen)
        repairs.append(f"{len(blocks)} blocks of JSON, the one with the longest list read; the others hold {left} objects in lists")
    return Parsed(chosen.value, (*repairs, *sentences(chosen.notes)), chosen.cut)


def parse_strict(text: str) -> Parsed | None:
    """Read a text that is one JSON value and nothing else; None where it is not, or is nested too deep."""
    notes: Counter[str] = Counter()
    try:
        value = strict_decoder(notes).decode(text)
    except (ValueError, RecursionError):
        return None
    return None if deeper_than(value, MAX_DEPTH) else Parsed(value, sentences(notes))


def strict_decoder(notes: Counter[str]) -> json.JSONDecoder:
    """Return a decoder that counts in `notes` what JSON leaves open: keys given twice, NaN and the infinities."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) == len(items):
            return found
        repeated = RepeatedKeys()
        for key, value in items:
            if key in repeated:
                notes[f"key {key!r} given twice, the last one kept"] = 1
            repeated.add(key, value)
        return repeated

    def constant(word: str) -> str:
        notes[f"{word} is no JSON, kept as text"] += 1
        return word

    return json.JSONDecoder(object_pairs_hook=pairs, parse_constant=constant, parse_float=lambda digits: number(digits, whole=False))


def deeper_than(value: Any, limit: int) -> bool:
    """Return whether containers are nested deeper than `limit` levels."""
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


def containers(text: str, at: int = 0) -> Iterator[Block]:
    """Yield every outermost object and list of the text from `at` on, in order."""
    failures = 0
    reader = LenientReader(text)
    while (match := _START.search(text, at)) is not None:
        start = match.start()
        notes: Counter[str] = Counter()
        try:
            if failures >= _STRICT_FAILURES:
                raise ValueError
            value, at = strict_decoder(notes).raw_decode(text, start)
            if deeper_than(value, MAX_DEPTH):
                raise RecursionError
            yield Block(start, at, value, notes, False)
        except (ValueError, RecursionError):
            failures += 1
            value = reader.read(start)
            at = max(reader.end, start + 1)
            yield Block(start, at, value, reader.notes, reader.cut)


def joined_lines(text: str, found: Sequence[Block], lines: bool) -> list[Block]:
    """Join JSON Lines: objects with nothing between them become one list."""
    blocks: list[Block] = []
    last: Block | None = None
    for item in found:
        follows = last is not None and isinstance(last.value, dict) and isinstance(item.value, dict)
        if follows and last is not None and (lines or _BETWEEN_LINES.fullmatch(text, last.end, item.start)):
            if not _BETWEEN_LINES.fullmatch(text, last.end, item.start):
                between = " ".join(text[last.end : item.start].split())
                blocks[-1].notes[f"text between the lines passed over: {between[:60]}"] += 1
            block = blocks[-1]
            if block is last:
                block = blocks[-1] = Block(last.start, last.end, [last.value], Counter(last.notes), last.cut)
                block.notes["objects one after another read as a list (JSON Lines)"] = 1
            block.value.append(item.value)
            block.notes.update(item.notes)
            block.end, block.cut = item.end, item.cut
        else:
            blocks.append(item)
        last = item
    return blocks


def outside_text(text: str, blocks: Sequence[Block], chosen: Sequence[Block]) -> list[str]:
    """Return repairs that name what lies around the chosen blocks."""
    repairs: list[str] = []
    outside, at = [], 0
    for block in blocks:
        outside.append((at, block.start))
        at = block.end
    outside.append((at, len(text)))
    marks = sum(len(_FENCE.findall(text, start, end)) for start, end in outside)
    if marks:
        repairs.append("Markdown fence removed" if marks % 2 == 0 else "Markdown fence that is not closed removed")
    before = [span for span in outside if span[1] <= chosen[0].start]
    after = [span for span in outside if span[0] >= chosen[-1].end]
    for word, spans in (("before", before), ("after", after)):
        prose = " ".join(" ".join(_FENCE.sub(" ", text[start:end]).split()) for start, end in spans).strip(" \ufeff,;")
        if prose:
            shown = prose if len(prose) <= 60 else prose[:59] + "…"
            repairs.append(f"text {word} the JSON passed over: {visible(shown)}")
    return repairs


def sentences(notes: Mapping[str, int]) -> tuple[str, ...]:
    """Return notes as sentences, each with how often it applies."""
    return tuple(visible(note) if count == 1 else f"{visible(note)} ({count} times)" for note, count in notes.items())
