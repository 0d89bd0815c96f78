"""Where a document says what a record says: sentences found in its text, every place, weaker matches marked (`docs/records.md#evidence`).

Both sides are reduced to their letters and digits, in any script, so that case, punctuation, Markdown, tags, entities,
hyphenated line breaks and table cells do not hide a sentence. What is not found so is looked for without accents
(`close`), then with small differences (`weak`).
"""

from __future__ import annotations

import html
import unicodedata
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import regex

from scoring.records.inputs.fields import Field, RecordSchema
from scoring.records.inputs.layout import Cell
from scoring.records.inputs.values import cell_text, value_of

Strength = Literal["exact", "close", "weak"]

SHORT = 10
WEAK_LETTERS = 20
WEAK_SCORE = 80.0
MOST_WEAK_PLACES = 5

_PART = regex.compile(
    r"(?P<skip></?[a-zA-Z][^<>]*>|!\[[^\]\n]*\]\([^)\n]*\)|\]\([^)\s]*\)|\\[a-zA-Z]+)|(?P<entity>&(?:#\d+|#x[0-9a-fA-F]+|[a-zA-Z]\w*);)"
    r"|(?P<word>[\p{L}\p{N}\p{M}]+)"
)
_CLUSTER = regex.compile(r"[\p{L}\p{N}]\p{M}*|\p{M}+")
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", "abgdezhqiklmnxoprstufcyw", strict=True)) | {"ς": "s"}
_LATIN = _GREEK | {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "µ": "m"}
_SENTENCE = regex.compile(r"[^\s.!?。！？][^.!?。！？\n]*(?:[.!?](?!\s|$)[^.!?。！？\n]*)*[.!?。！？]?")
_EVIDENCE_NAME = regex.compile(r"sentence|evidence|support|quote|passage|citation|verbatim", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reduced:
    """A text reduced to letters and digits: each one's place in the text, and whether a word starts there."""

    letters: str
    starts: array[int]
    ends: array[int]
    word_starts: bytearray

    def is_whole(self, start: int, end: int) -> bool:
        """Whether a stretch begins and ends with words."""
        return bool(self.word_starts[start]) and (end == len(self.letters) or bool(self.word_starts[end]))


def reduced(text: str, fold: bool = False) -> Reduced:
    """The letters and digits of a text, case folded; with `fold` accents dropped and Greek letters as Latin ones."""
    letters: list[str] = []
    starts, ends, words = array("q"), array("q"), bytearray()
    for part in _PART.finditer(text):
        if part.lastgroup == "skip":
            continue
        word, base = part.group(), part.start()
        if part.lastgroup == "entity":
            found = _folded(html.unescape(word), fold) if html.unescape(word) != word else ""
            found = "".join(character for character in found if character.isalnum())
            pieces: Iterable[tuple[str, int, int]] = [(found, base, part.end())] if found else []
        elif word.isascii():
            lowered = word.lower()
            letters.append(lowered)
            starts.extend(range(base, part.end()))
            ends.extend(range(base + 1, part.end() + 1))
            words += b"\x01" + bytes(len(lowered) - 1)
            continue
        else:
            pieces = ((_folded(cluster.group(), fold), base + cluster.start(), base + cluster.end()) for cluster in _CLUSTER.finditer(word))
        first = True
        for folded, start, end in pieces:
            for character in folded:
                letters.append(character)
                starts.append(start)
                ends.append(end)
                words.append(first)
                first = False
    return Reduced("".join(letters), starts, ends, words)


def _folded(cluster: str, fold: bool) -> str:
    if not fold:
        return unicodedata.normalize("NFC", cluster).casefold()
    bare = "".join(character for character in unicodedata.normalize("NFKD", cluster).casefold() if not unicodedata.combining(character))
    return "".join(_LATIN.get(character, character) for character in bare)


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of the text that says it: start and end in characters, how sure, and the share of letters that agree."""

    start: int
    end: int
    strength: Strength
    score: float


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence of a record and every place that says it; where there is none, `reason` says why."""

    sentence: str
    places: tuple[Place, ...]
    reason: str = ""
    source: str = ""

    @property
    def strength(self) -> Strength | None:
        """The best of its places; None where it was not found."""
        order: tuple[Strength, ...] = ("exact", "close", "weak")
        return min((place.strength for place in self.places), key=order.index, default=None)


class SearchText:
    """A text made ready to be searched many times."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def exact(self) -> Reduced:
        return reduced(self.text)

    @cached_property
    def folded(self) -> Reduced:
        return reduced(self.text, fold=True)

    def find(self, sentence: str, source: str = "") -> Finding:
        """Every place that says the sentence, the surest kind there is."""
        wanted = reduced(sentence)
        if not wanted.letters:
            return Finding(sentence, (), "it holds no letter or digit", source)
        if not self.exact.letters:
            return Finding(sentence, (), "the document has no text", source)
        whole_only = len(sentence.strip()) < SHORT
        places = _hits(self.exact, wanted.letters, "exact", whole_only)
        if not places:
            places = _hits(self.folded, reduced(sentence, fold=True).letters, "close", whole_only)
        if not places and len(wanted.letters) >= WEAK_LETTERS:
            places = self._weak(reduced(sentence, fold=True))
        reason = "no passage is similar" if len(wanted.letters) >= WEAK_LETTERS else "too short to look for similar passages"
        return Finding(sentence, tuple(sorted(places, key=lambda place: place.start)), "" if places else reason, source)

    def _weak(self, wanted: Reduced) -> list[Place]:
        """Passages that differ a little, best first, each cut off where the next is looked for."""
        from rapidfuzz import fuzz

        text, words = self.folded, _words(wanted)
        stretches = [(0, len(text.letters))]
        places: list[Place] = []
        while stretches and len(places) < MOST_WEAK_PLACES:
            low, high = stretches.pop()
            if high - low < len(wanted.letters) * 0.6:
                continue
            match = fuzz.partial_ratio_alignment(wanted.letters, text.letters[low:high], score_cutoff=WEAK_SCORE)
            if match is None:
                continue
            start, end = low + match.dest_start, low + match.dest_end
            while start > low and not text.word_starts[start]:
                start -= 1
            while end < high and not text.word_starts[end]:
                end += 1
            if _shared(words, text, start, end) >= 0.5:
                places.append(_place(text, start, end, "weak", match.score / 100))
            stretches += [(low, start), (end, high)]
        return places


def _words(side: Reduced, start: int = 0, end: int | None = None) -> set[str]:
    end = len(side.letters) if end is None else end
    cuts = [at for at in range(start, end) if side.word_starts[at]] + [end]
    return {side.letters[one:other] for one, other in pairwise(cuts)}


def _shared(words: set[str], text: Reduced, start: int, end: int) -> float:
    """The share of the sentence's words that the passage has: letters alone can agree by chance."""
    return len(words & _words(text, start, end)) / len(words) if words else 0.0


def _hits(text: Reduced, letters: str, strength: Strength, whole_only: bool) -> list[Place]:
    places, at = [], text.letters.find(letters) if letters else -1
    while at >= 0:
        end = at + len(letters)
        whole = text.is_whole(at, end)
        if whole or not whole_only:
            places.append(_place(text, at, end, strength if whole else "close", 1.0))
        at = text.letters.find(letters, end)
    exact = [place for place in places if place.strength == strength]
    return exact or places


def _place(text: Reduced, start: int, end: int, strength: Strength, score: float) -> Place:
    return Place(text.starts[start], text.ends[end - 1], strength, score)


# A record's evidence


def evidence_columns(schema: RecordSchema | None) -> tuple[str, ...]:
    """The fields that hold supporting sentences: lists of texts whose name says so, else all lists of texts."""
    lists = [entry.name for entry in schema.fields if entry.is_list] if schema is not None else []
    return tuple(name for name in lists if _EVIDENCE_NAME.search(name)) or tuple(lists)


def sentences(values: dict[str, Cell], schema: RecordSchema | None, columns: Sequence[str]) -> list[tuple[str, str]]:
    """The supporting sentences of a record with their field, in order."""
    found = []
    for column in columns:
        value = value_of(schema.by_name.get(column) if schema is not None else None, values.get(column))
        texts = value if isinstance(value, list) else [value]
        found += [(str(text), column) for text in texts if isinstance(text, str) and text.strip()]
    return found


def record_evidence(text: SearchText, values: dict[str, Cell], schema: RecordSchema | None, columns: Sequence[str] = ()) -> list[Finding]:
    """A record's sentences in the text; without sentences, its own values of four letters and more."""
    columns = columns or evidence_columns(schema)
    given = sentences(values, schema, columns)
    if given:
        return [text.find(sentence, column) for sentence, column in given]
    fields: dict[str, Field] = dict(schema.by_name) if schema is not None else {}
    texts = {name: cell for name, cell in values.items() if name not in columns and isinstance(value_of(fields.get(name), cell), str)}
    shown = [(cell_text(cell), name) for name, cell in texts.items()]
    return [text.find(value, name) for value, name in shown if len(reduced(value).letters) >= 4]


def uncited(text: str, findings: Iterable[Finding]) -> list[tuple[int, int]]:
    """The sentences of a text that no finding touches, as (start, end): where records the model missed hide."""
    cited = sorted((place.start, place.end) for finding in findings for place in finding.places)
    spans, at = [], 0
    for sentence in _SENTENCE.finditer(text):
        start, end = sentence.span()
        while at < len(cited) and cited[at][1] <= start:
            at += 1
        if len(reduced(sentence.group()).letters) >= SHORT and not (at < len(cited) and cited[at][0] < end):
            spans.append((start, end))
    return spans
