"""Text forms, character accuracy and edits. Imports nothing of ours.

The one home of: how a text is normalised before it is compared (`docs/method.md#name-normal-form`),
the edit distance with the `?` wildcard (Step 2, Illegible glyphs), character accuracy (Per-field accuracy),
and how text from data is made safe to draw.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import regex
from Levenshtein import distance as levenshtein
from rapidfuzz.distance import Levenshtein as LevenshteinAlignment

Side = Literal["gt", "model"]
Position = Literal["leading", "trailing", "anywhere"]

TABLE_STRIPPED = ",.;:]["
QUESTION_STRIPPED = ",.;:)]"
NAME_STRIPPED = ",.;:"

# Other characters for the apostrophe: quotation marks, modifier letters, the full-width form. The backtick and the acute
# accent are accents, primes and half rings are letters or signs of their own: they stay.
_APOSTROPHE = str.maketrans(dict.fromkeys("\u2018\u2019\u201b\u02bb\u02bc\u02bd\uff07", "'"))


# Forms


def straightened(text: str) -> str:
    """Return a text in NFC with every form of the apostrophe straightened. Accents stay."""
    return unicodedata.normalize("NFC", text).translate(_APOSTROPHE)


def tokens(text: str, stripped: str = TABLE_STRIPPED) -> tuple[str, ...]:
    """Steps 1 to 3 of base normalisation: straightened, lower case, split on white space, trailing `stripped` removed."""
    words = (word.rstrip(stripped) for word in straightened(text).lower().split())
    return tuple(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Replacement:
    """A form rewritten to its canonical, both as tokens of the pipeline that applies it."""

    form: tuple[str, ...]
    canonical: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ignore:
    """Tokens left out at a position on a side. A token `{field}` stands for the row's own value of that field (names only)."""

    form: tuple[str, ...]
    position: Position
    both_sides: bool = False


@dataclass(frozen=True, slots=True)
class FieldRules:
    """The settled rules of one field, compiled: what the pipeline applies. `replacements` are ordered longest first.

    `singles` are the forms of one token, `sequences` those of several, both worked out when the rules are made.
    """

    replacements: tuple[Replacement, ...] = ()
    ignores: tuple[Ignore, ...] = ()
    singles: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    sequences: tuple[Replacement, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "singles", {rule.form[0]: rule.canonical for rule in self.replacements if len(rule.form) == 1})
        object.__setattr__(self, "sequences", tuple(rule for rule in self.replacements if len(rule.form) > 1))


NO_RULES = FieldRules()


def replaced(words: Sequence[str], rules: Iterable[Replacement]) -> tuple[str, ...]:
    """Each form found, left to right, rewritten to its canonical. `rules` come longest first, so the longest form at a place wins."""
    rules = tuple(rules)
    if not rules:
        return tuple(words)
    words, at = tuple(words), 0
    out: list[str] = []
    while at < len(words):
        for rule in rules:
            if words[at : at + len(rule.form)] == rule.form:
                out.extend(rule.canonical)
                at += len(rule.form)
                break
        else:
            out.append(words[at])
            at += 1
    return tuple(out)


def without_ignored(words: Sequence[str], ignores: Iterable[Ignore], side: Side) -> tuple[str, ...]:
    """Step 7: ignore rules of the field, by position and side, over and over until none of them applies. May leave nothing."""
    words = tuple(words)
    rules = [rule for rule in ignores if rule.form and (side == "model" or rule.both_sides)]
    if not rules:
        return words
    while words:
        left = words
        for rule in rules:
            left = _without(left, rule)
        if left == words:
            break
        words = left
    return words


def _without(words: tuple[str, ...], rule: Ignore) -> tuple[str, ...]:
    form, size = rule.form, len(rule.form)
    if rule.position == "leading":
        while words[:size] == form:
            words = words[size:]
    elif rule.position == "trailing":
        while len(words) >= size and words[-size:] == form:
            words = words[:-size]
    else:
        at = 0
        while at <= len(words) - size:
            if words[at : at + size] == form:
                words = words[:at] + words[at + size :]
            else:
                at += 1
    return words


def base_tokens(text: str, side: Side, stripped: str = TABLE_STRIPPED) -> tuple[str, ...]:
    """Steps 1 to 4 of base normalisation: on the GT side a trailing `?` is also removed from each token."""
    words = tokens(text, stripped)
    if side == "gt":
        words = tuple(word for word in (word.rstrip("?") for word in words) if word)
    return words


def ruled(words: Sequence[str], side: Side, rules: FieldRules) -> tuple[str, ...]:
    """Steps 5 to 7 of base normalisation: single-token equivalences, then sequences longest first, then ignore rules."""
    singles = rules.singles
    if singles:
        words = [part for word in words for part in singles.get(word, (word,))]
    return without_ignored(replaced(words, rules.sequences), rules.ignores, side)


def base_form(text: str, side: Side, rules: FieldRules = NO_RULES, stripped: str = TABLE_STRIPPED) -> str:
    """Base normalisation (`docs/method.md#base-normalisation`), steps 1 to 7, tokens joined by one space."""
    return " ".join(ruled(base_tokens(text, side, stripped), side, rules))


_SAINTS = frozenset({"s", "san", "sant", "santo", "santa", "sta", "sto", "s.ta", "s.to"})


def place_tokens(words: Sequence[str]) -> tuple[str, ...]:
    """Place normalisation of tokens that have passed steps 1 to 4: `in`, the elided saint, the saint words, `ss`. Order matters."""
    words = list(words)
    if words and words[0] == "in":
        del words[0]
    out: list[str] = []
    for at, word in enumerate(words):
        followed = at + 1 < len(words)
        if word.startswith("sant'") and (len(word) > len("sant'") or followed):
            out += ["san", word[len("sant'") :]] if len(word) > len("sant'") else ["san"]
        elif word in _SAINTS and followed:
            out.append("san")
        elif word == "ss":
            out.append("santi")
        else:
            out.append(word)
    return tuple(out)


def place_form(text: str, side: Side, rules: FieldRules = NO_RULES) -> str:
    """Place normalisation (`docs/method.md#place-normalisation`): base steps 1 to 4, the place steps, then base steps 5 to 7."""
    return " ".join(ruled(place_tokens(base_tokens(text, side)), side, rules))


_PADDED_DAY = regex.compile(r"(?<!\S)0(?=[1-9](?!\S))")


def date_form(text: str, side: Side, rules: FieldRules = NO_RULES) -> str:
    """Base normalisation and removal of a leading zero of the day: `February 09 1769` and `February 9 1769` are one.

    A day is a token of its own, as the format asked for has it. `1769-02-09` is another format and stays as it is.
    """
    return str(_PADDED_DAY.sub("", base_form(text, side, rules)))


def _name_character(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Pd" or character in "/,":
        return " "
    if category.startswith("P") and character != "?":
        return ""
    return character


class _NameTable(dict[int, str]):
    """Translation of one character of a name, worked out once for each character seen."""

    def __missing__(self, code: int) -> str:
        self[code] = _name_character(chr(code))
        return self[code]


_NAME_TABLE = _NameTable()


def unpunctuated(text: str) -> str:
    """Hyphens, slashes and commas become a space, other punctuation (category P) goes, except `?`; white space collapsed."""
    return " ".join(text.translate(_NAME_TABLE).split())


def name_form(text: str, rules: FieldRules = NO_RULES) -> str:
    """The name normal form (`docs/method.md#name-normal-form`). Empty when the text holds no name."""
    return unpunctuated(" ".join(replaced(tokens(text, NAME_STRIPPED), rules.replacements)))


# Edits and accuracy


def wildcard_edits(gt: str, model: str) -> int:
    """Levenshtein distance in which a `?` of `gt` matches any one non-space character at no cost; it still asserts a glyph.

    Bit-parallel (Hyyrö 2003) over Python integers; `wildcard_table` is the definition it is tested against.
    """
    if "?" not in gt:
        return levenshtein(gt, model)
    masks: dict[str, int] = {}
    for at, character in enumerate(gt):
        masks[character] = masks.get(character, 0) | 1 << at
    wild, size = masks["?"], len(gt)
    full, last = (1 << size) - 1, 1 << (size - 1)
    positive, negative, edits = full, 0, size
    for character in model:
        equal = masks.get(character, 0) | (0 if character.isspace() else wild)
        diagonal = ((((equal & positive) + positive) ^ positive) | equal | negative) & full
        horizontal_positive = (negative | ~(diagonal | positive)) & full
        horizontal_negative = positive & diagonal
        if horizontal_positive & last:
            edits += 1
        elif horizontal_negative & last:
            edits -= 1
        horizontal_positive = (horizontal_positive << 1 | 1) & full
        horizontal_negative = (horizontal_negative << 1) & full
        positive = (horizontal_negative | ~(diagonal | horizontal_positive)) & full
        negative = horizontal_positive & diagonal
    return edits


def wildcard_table(gt: str, model: str) -> list[list[int]]:
    """The dynamic-programming table of `wildcard_edits`, (len(gt)+1) x (len(model)+1): the definition, and the ground of the traceback."""
    table = [list(range(len(model) + 1))]
    for row, expected in enumerate(gt, 1):
        above, line = table[-1], [row]
        for column, found in enumerate(model, 1):
            same = expected == found or (expected == "?" and not found.isspace())
            line.append(min(above[column - 1] + (not same), above[column] + 1, line[-1] + 1))
        table.append(line)
    return table


def resolve_illegible(gt: str, model: str) -> str:
    """`gt` with each `?` replaced by the character opposite it on one minimum-cost alignment with `model`.

    Traced back from the end, preferring the diagonal, then a GT character without partner, then a model character
    without partner. A `?` opposite a gap or white space stays: it stands for a glyph, and white space is none.
    """
    if "?" not in gt:
        return gt
    table = wildcard_table(gt, model)
    out: list[str] = []
    row, column = len(gt), len(model)
    while row:
        expected, here = gt[row - 1], table[row][column]
        if column:
            found = model[column - 1]
            wild = expected == "?" and not found.isspace()
            if here == table[row - 1][column - 1] + (not (wild or expected == found)):
                out.append(found if wild else expected)
                row, column = row - 1, column - 1
                continue
        if here == table[row - 1][column] + 1:
            out.append(expected)
            row -= 1
        else:
            column -= 1
    return "".join(reversed(out))


def character_accuracy(gt: str, model: str) -> float:
    """`1 - levenshtein(gt, model) / len(gt)`, clamped to [0, 1], on normalised forms. An empty `gt` scores 1 only against nothing."""
    if not gt:
        return 0.0 if model else 1.0
    return max(0.0, 1 - levenshtein(gt, model) / len(gt))


# Looking at text

_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x0A: "⏎", 0x0D: "␍", 0x7F: "␡"}
_SHORT_NAMES = {
    0x00A0: "NBSP", 0x00AD: "SHY", 0x034F: "CGJ",
    0x061C: "ALM", 0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM", 0x200F: "RLM",
    0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO", 0x2060: "WJ",
    0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFEFF: "BOM",
}  # fmt: skip
# Controls, formats, surrogates, noncharacters, separators other than the space, and whatever Unicode lets a renderer leave out.
_UNSAFE = regex.compile(
    r"[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800[\p{Zs}--[ ]]]", regex.V1
)


def _picture(match: regex.Match[str]) -> str:
    code = ord(match.group())
    return _PICTURES.get(code) or f"⟦{_SHORT_NAMES.get(code) or format(code, '04X')}⟧"


def visible(text: str) -> str:
    """Text from data with every control, format, bidi, zero-width, separator and surrogate character drawn as a visible, harmless mark.

    The space is the only blank that stays blank.
    """
    if text.isascii() and text.isprintable():
        return text
    return str(_UNSAFE.sub(_picture, text))


def graphemes(text: str) -> list[str]:
    """User-perceived characters (extended grapheme clusters)."""
    return list(regex.findall(r"\X", text))


Marked = tuple[tuple[str, bool], ...]


# Cells of the alignment above which the differing middles of two texts are marked as a whole.
MARKING_LIMIT = 4_000_000


def marked_difference(upper: str, lower: str, same: Callable[[str, str], bool] | None = None) -> tuple[Marked, Marked]:
    """Both texts by grapheme, each with whether it differs from its partner on a minimum-cost alignment.

    `same` may widen equality of two opposite graphemes (an illegible glyph that matches). What two texts share at their
    beginnings and ends is never marked; where what lies between is too long to align, all of it is.
    """
    above, below = graphemes(upper), graphemes(lower)
    start, shorter = 0, min(len(above), len(below))
    while start < shorter and above[start] == below[start]:
        start += 1
    end = 0
    while end < shorter - start and above[-1 - end] == below[-1 - end]:
        end += 1
    middle_above, middle_below = above[start : len(above) - end], below[start : len(below) - end]
    long = len(middle_above) * len(middle_below) > MARKING_LIMIT
    changed_above, changed_below = [long] * len(middle_above), [long] * len(middle_below)
    for step in () if long else LevenshteinAlignment.editops(middle_above, middle_below):
        if step.tag == "replace":
            if same is not None and same(middle_above[step.src_pos], middle_below[step.dest_pos]):
                continue
            changed_above[step.src_pos] = changed_below[step.dest_pos] = True
        elif step.tag == "delete":
            changed_above[step.src_pos] = True
        else:
            changed_below[step.dest_pos] = True
    return _marked(above, changed_above, start), _marked(below, changed_below, start)


def _marked(whole: Sequence[str], changed: Sequence[bool], start: int) -> Marked:
    flags = (*(False,) * start, *changed, *(False,) * (len(whole) - start - len(changed)))
    return tuple(zip(whole, flags, strict=True))


INSERTED = 2


def stacked(reference: str, readings: Sequence[str]) -> tuple[Marked, tuple[Marked, ...]]:
    """The reference and every reading of it in columns: graphemes one above the other, `""` where one has nothing.

    Each reading is aligned with the reference at minimum cost; what it has beyond the reference widens the columns for all, and
    where that is more than `INSERTED` graphemes, one `…` stands for it. A grapheme is marked where it differs from the
    reference's, and where it stands against nothing.
    """
    above = graphemes(reference)
    aligned = [_against(above, graphemes(reading)) for reading in readings]
    extra = [max((len(one.between[at]) for one in aligned), default=0) for at in range(len(above) + 1)]

    def laid_out(between: Sequence[Sequence[str]], opposite: Sequence[tuple[str, bool]]) -> Marked:
        columns: list[tuple[str, bool]] = []
        for at, wide in enumerate(extra):
            columns += [(grapheme, True) for grapheme in between[at]] + [("", False)] * (wide - len(between[at]))
            if at < len(opposite):
                columns.append(opposite[at])
        return tuple(columns)

    head = laid_out([()] * len(extra), [(grapheme, False) for grapheme in above])
    return head, tuple(laid_out(one.between, one.opposite) for one in aligned)


@dataclass(frozen=True, slots=True)
class _Alignment:
    """A reading against a reference: opposite each reference grapheme, and what stands between them."""

    opposite: tuple[tuple[str, bool], ...]
    between: tuple[tuple[str, ...], ...]


def _against(above: Sequence[str], below: Sequence[str]) -> _Alignment:
    opposite: list[tuple[str, bool]] = []
    between: list[list[str]] = [[] for _ in range(len(above) + 1)]
    for step in LevenshteinAlignment.opcodes(above, below):
        if step.tag == "insert":
            between[step.src_start] += below[step.dest_start : step.dest_end]
        elif step.tag == "delete":
            opposite += [("", True)] * (step.src_end - step.src_start)
        else:
            opposite += [(grapheme, step.tag == "replace") for grapheme in below[step.dest_start : step.dest_end]]
    return _Alignment(tuple(opposite), tuple(tuple(one) if len(one) <= INSERTED else ("…",) for one in between))


@lru_cache(maxsize=4096)
def character_names(text: str) -> tuple[tuple[str, str], ...]:
    """Each character with its code point and name, for looking at invisible and look-alike ones."""
    return tuple((visible(c), f"U+{ord(c):04X} {unicodedata.name(c, 'unnamed')}") for c in text)
