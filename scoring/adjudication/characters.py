"""Characters that are not what they seem: invisible ones, marks that combine, and letters that look like others.

See `docs/review.md#characters`.

Two names may look the same and differ in a Cyrillic `а`; what is compared is code points, so those are shown by name on demand.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import regex

from scoring.adjudication.cases import Block, Comparison, Facts, Grid, Passage, Stack
from scoring.texts.forms import visible

# Letters of other scripts that a reader takes for Latin ones, and the Latin ones they look like.
_ALIKE = dict(
    zip(
        "АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορυχγ",
        "ABESIJKMHOPCTYXaesijopcyxhdqwABEZHIKMNOPTYXaiknopuxy",
        strict=True,
    )
)
# Characters of the Latin script and punctuation that are taken for another.
_SIGNS = {
    "ſ": "long s, looks like f",
    "ı": "dotless, looks like i",
    "ɑ": "looks like a",
    "ꝛ": "r rotunda, looks like 2",
    "’": "looks like '",
    "‘": "looks like '",
    "ʼ": "looks like '",
    "′": "looks like '",
    "`": "looks like '",
    "´": "looks like '",
    "“": 'looks like "',
    "”": 'looks like "',
    "‐": "looks like -",
    "–": "looks like -",
    "—": "looks like -",
    "−": "looks like -",
    "¦": "looks like |",
    "ǀ": "looks like |",
    "º": "looks like °",
    "˚": "looks like °",
}
_SCRIPTS = tuple(
    (name, regex.compile(rf"\p{{Script={name}}}")) for name in ("Cyrillic", "Greek", "Hebrew", "Arabic", "Armenian", "Cherokee")
)


@dataclass(frozen=True, slots=True)
class Character:
    """A character as it is drawn, its code point and name, and why it may not be what it seems (empty: it is)."""

    glyph: str
    name: str
    note: str


def character(one: str) -> Character:
    """One code point, looked at."""
    return Character(visible(one), f"U+{ord(one):04X} {unicodedata.name(one, 'unnamed')}", _note(one))


def _note(one: str) -> str:
    if " " <= one <= "~" and one != "`":
        return ""
    if visible(one) != one:
        return "invisible, or acts on the text around it"
    category = unicodedata.category(one)
    if category.startswith("M"):
        return "combines with the character before it"
    if category == "Co":
        return "private use: every font draws it as it likes"
    if one in _SIGNS:
        return _SIGNS[one]
    script = next((name for name, pattern in _SCRIPTS if pattern.match(one)), None)
    if script is not None:
        return f"{script}, looks like Latin {_ALIKE[one]}" if one in _ALIKE else script
    plain = unicodedata.normalize("NFKC", one)
    return f"stands for {visible(plain)}" if plain != one else ""


def notable(text: str) -> tuple[Character, ...]:
    """The characters of a text that may not be what they seem, each once, in order."""
    return tuple(found for one in dict.fromkeys(text) if (found := character(one)).note)


def texts_of(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """Every text of the evidence with where it stands; a text that stands in several places, at the first."""
    seen: set[str] = set()
    for where, text in _texts(blocks):
        if text and text not in seen:
            seen.add(text)
            yield where, text


def names_of(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """The texts a case is about, with where they stand: what is compared, or the one name there is."""
    for block in blocks:
        if isinstance(block, Comparison):
            yield block.upper_label, block.upper
            yield block.lower_label, block.lower
        elif isinstance(block, Facts):
            yield from ((block.title, value) for name, value in block.rows if name == "name")


def _texts(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    for block in blocks:
        if isinstance(block, Comparison):
            yield block.upper_label, block.upper
            yield block.lower_label, block.lower
        elif isinstance(block, Facts):
            yield from ((f"{block.title}: {name}", value) for name, value in block.rows)
        elif isinstance(block, Stack):
            yield block.title, block.reference
            yield from ((f"{block.title}: {line.cells[0]}", line.cells[1]) for line in block.lines if len(line.cells) > 1)
        elif isinstance(block, Grid):
            for line in block.lines:
                for name, cell in zip(block.header, line.cells, strict=False):
                    yield f"{block.title}, {name} {line.cells[0]}".rstrip() if name else block.title, cell
        elif isinstance(block, Passage):
            yield block.title, block.text
