"""How alike a GT name and a model name are (`docs/method.md#similarity`, `docs/method.md#illegible-glyphs`): the one definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from scoring.tables.matching.readings import Reading
from scoring.texts.forms import resolve_illegible, wildcard_edits


def ratio(gt: str, reading: str) -> float:
    """The Ratcliff-Obershelp ratio as difflib gives it, GT first: it is not symmetric, and long texts lose nothing to autojunk."""
    return SequenceMatcher(None, gt, reading, autojunk=False).ratio()


def token_overlap(gt: str, reading: str) -> float:
    """Shared tokens over the larger token set, |A and B| / max(|A|, |B|). 0 where neither has a token."""
    ours, theirs = set(gt.split()), set(reading.split())
    return len(ours & theirs) / max(len(ours), len(theirs), 1)


@dataclass(frozen=True, slots=True)
class Measure:
    """What comparing one GT name with one text gives. The fields are those of `Similarity`."""

    value: float
    ratio: float
    overlap: float
    edits: int
    resolved: str | None
    literal: float


@dataclass(frozen=True, slots=True)
class Similarity:
    """The similarity of a GT name and a model name, by the reading that gives it.

    Attributes:
        value: the similarity, in [0, 1].
        ratio: the Ratcliff-Obershelp ratio behind it.
        overlap: the token overlap behind it; `value` is the larger of the two.
        reading: the reading of the model name that gave it.
        edits: character edits between GT name and reading, a `?` of GT matching any glyph.
        resolved: the GT name with its `?` resolved, where only that gave the value; else None.
        literal: the similarity of the same reading with every `?` taken literally.
    """

    value: float
    ratio: float
    overlap: float
    reading: Reading
    edits: int
    resolved: str | None
    literal: float


def _ratio_at_sight(gt: str, text: str) -> float | None:
    """The ratio where its own formula gives it without looking for blocks: equal texts are one block, foreign ones have none."""
    if gt == text:
        return 1.0
    return 0.0 if set(gt).isdisjoint(text) else None


def measure(gt: str, text: str, ratio: Callable[[str, str], float] = ratio) -> Measure:
    """GT name against one text. `ratio` may be replaced by one that also counts."""
    by_blocks = _ratio_at_sight(gt, text)
    if by_blocks is None:
        by_blocks = ratio(gt, text)
    by_tokens = token_overlap(gt, text)
    literal = max(by_blocks, by_tokens)
    edits = wildcard_edits(gt, text)
    if "?" in gt and literal < 1.0:
        # Without edits the alignment is one diagonal, which resolves GT into the text itself.
        resolved = text if edits == 0 else resolve_illegible(gt, text)
        if resolved != gt:
            resolved_blocks = 1.0 if resolved == text else ratio(resolved, text)
            resolved_tokens = token_overlap(resolved, text)
            value = max(resolved_blocks, resolved_tokens)
            if value > literal:
                return Measure(value, resolved_blocks, resolved_tokens, edits, resolved, literal)
    return Measure(literal, by_blocks, by_tokens, edits, None, literal)


def similarity_of(measured: Measure, reading: Reading) -> Similarity:
    """The measure of a reading's text, as the similarity of the name read so."""
    return Similarity(measured.value, measured.ratio, measured.overlap, reading, measured.edits, measured.resolved, measured.literal)


def compare(gt: str, candidates: Sequence[Reading]) -> Similarity:
    """The best similarity over the readings of a model name; readings that tie: fewer edits, then their order.

    Args:
        gt: a GT name in name normal form, never reduced.
        candidates: the readings of one model name, in their order (`readings`).

    Raises:
        ValueError: there is no reading; a nameless row is compared with nothing.
    """
    if not candidates:
        raise ValueError("a nameless row has no similarity")
    measured = [measure(gt, reading.text) for reading in candidates]
    best = min(range(len(measured)), key=lambda at: (-measured[at].value, measured[at].edits, at))
    return similarity_of(measured[best], candidates[best])
