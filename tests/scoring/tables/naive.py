"""The slow, obvious way: what the exact and lazy code must equal to the bit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import SequenceMatcher

from scoring.tables.matching.pairing import ModelName
from scoring.tables.matching.readings import Reading
from scoring.tables.matching.similarity import Similarity
from scoring.texts.forms import Ignore, resolve_illegible, wildcard_table


def all_readings(form: str, ignores: Sequence[Ignore], values: Mapping[str, str]) -> dict[str, set[tuple[str, ...]]]:
    """Every text that the rules allow, with every way to it (the groups removed, in order)."""
    found: dict[str, set[tuple[str, ...]]] = {}

    def go(words: list[str], removed: tuple[str, ...]) -> None:
        found.setdefault(" ".join(words), set()).add(removed)
        for rule in ignores:
            group: list[str] = []
            for token in rule.form:
                if token[0] == "{" and token[-1] == "}":
                    value = values.get(token[1:-1], "").split()
                    if not value:
                        group = []
                        break
                    group += value
                else:
                    group.append(token)
            if not group:
                continue
            for at in range(len(words)):
                if rule.position == "leading" and at != 0:
                    continue
                if rule.position == "trailing" and at + len(group) != len(words):
                    continue
                rest = words[:at] + words[at + len(group) :]
                if words[at : at + len(group)] == group and rest:
                    go(rest, (*removed, " ".join(group)))

    go(form.split(), ())
    return found


def readings(form: str, ignores: Sequence[Ignore], values: Mapping[str, str]) -> list[Reading]:
    """All of them, unlimited, in order."""
    out = []
    for text, ways in all_readings(form, ignores, values).items():
        gone = len(form.split()) - len(text.split())
        out.append(Reading(text, gone, len(form) - len(text), min(ways)))
    return sorted(out, key=lambda reading: (reading.tokens_removed, reading.characters_removed, reading.text))


def ratio(gt: str, text: str) -> float:
    return SequenceMatcher(None, gt, text, autojunk=False).ratio()


def overlap(gt: str, text: str) -> float:
    a, b = set(gt.split()), set(text.split())
    return len(a & b) / max(len(a), len(b)) if a or b else 0.0


def similarity(gt: str, candidates: Sequence[Reading], edits: Callable[[str, str], int] | None = None) -> Similarity:
    best: Similarity | None = None
    for reading in candidates:
        by_blocks, by_tokens = ratio(gt, reading.text), overlap(gt, reading.text)
        value = literal = max(by_blocks, by_tokens)
        resolved = None
        if "?" in gt:
            text = resolve_illegible(gt, reading.text)
            blocks, shared = ratio(text, reading.text), overlap(text, reading.text)
            if max(blocks, shared) > literal:
                value, by_blocks, by_tokens, resolved = max(blocks, shared), blocks, shared, text
        cost = edits(gt, reading.text) if edits else wildcard_table(gt, reading.text)[-1][-1]
        here = Similarity(value, by_blocks, by_tokens, reading, cost, resolved, literal)
        if best is None or here.value > best.value or (here.value == best.value and here.edits < best.edits):
            best = here
    assert best is not None
    return best


def pair(
    gt: Sequence[str],
    models: Sequence[ModelName],
    floor: float = 0.0,
    agreement: Callable[[int, int], int] | None = None,
    same: Sequence[tuple[int, int]] = (),
    barred: Collection[tuple[int, int]] = (),
    edits: Callable[[str, str], int] | None = None,
) -> list[tuple[int, int, Similarity]]:
    """(GT row, model row, similarity) in the order taken: every pair compared, all of them sorted, taken one after the other."""
    every = []
    for g, form in enumerate(gt):
        for m, name in enumerate(models):
            if form and name.readings and (g, m) not in barred:
                found = similarity(form, name.readings, edits)
                known = (g, m) in same
                if known or found.value >= floor:
                    agreed = agreement(g, m) if agreement else 0
                    every.append(((not known, -found.value, found.edits, -agreed, g, m), found))
    every.sort(key=lambda entry: entry[0])
    pairs, gone_gt, gone_model = [], set(), set()
    for (*_, g, m), found in every:
        if g not in gone_gt and m not in gone_model:
            gone_gt.add(g)
            gone_model.add(m)
            pairs.append((g, m, found))
    return pairs
