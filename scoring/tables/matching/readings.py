"""The readings of a model name: the name itself and what the ignore rules of the key field may reveal in it (`docs/method.md#readings`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from types import MappingProxyType

from scoring.texts.forms import Ignore, Position

LIMIT = 64

_NO_VALUES: Mapping[str, str] = MappingProxyType({})
_Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a model name.

    Attributes:
        text: the name in name normal form, less what was stepped over.
        tokens_removed: how many tokens were stepped over.
        characters_removed: by how many characters (spaces too) `text` is shorter than the unreduced name.
        removed: the token groups stepped over, in the order in which they were removed.
    """

    text: str
    tokens_removed: int = 0
    characters_removed: int = 0
    removed: tuple[str, ...] = ()


def readings(form: str, ignores: Sequence[Ignore], values: Mapping[str, str] = _NO_VALUES) -> tuple[tuple[Reading, ...], bool]:
    """Every reading that the rules allow, repeatedly and in every combination, never down to nothing (`docs/method.md#readings`).

    Args:
        form: a model name in name normal form.
        ignores: the settled ignore rules of the key field, tokens in name normal form. A token `{field}` stands for the
            tokens of that field of the same row.
        values: the row's other fields in name normal form. A rule that names a blank or absent one is off.

    Returns:
        At most `LIMIT` different readings, by tokens removed, then characters removed, then text, the unreduced name
        first; and whether there were more. No readings at all for an empty `form`: a nameless row.
    """
    words = tuple(form.split())
    if not words:
        return (), False
    rules = _applicable(words, ignores, values)
    if not rules:
        return (Reading(form),), False
    whole = len(form)
    found: list[Reading] = []
    seen: set[_Tokens] = set()
    # Every way to a token tuple comes from a longer one, so all of them are queued before the first is drawn: the queue yields
    # the readings in their final order, each by the least of its ways, and nothing beyond the limit is ever built.
    queue: list[tuple[int, int, str, tuple[str, ...], _Tokens]] = [(0, 0, form, (), words)]
    while queue:
        tokens_removed, characters_removed, text, removed, rest = heappop(queue)
        if rest in seen:
            continue
        if len(found) == LIMIT:
            return tuple(found), True
        seen.add(rest)
        found.append(Reading(text, tokens_removed, characters_removed, removed))
        for group, shorter in _steps(rest, rules):
            if shorter not in seen:
                shortened = " ".join(shorter)
                heappush(queue, (tokens_removed + len(group), whole - len(shortened), shortened, (*removed, " ".join(group)), shorter))
    return tuple(found), False


def _applicable(words: _Tokens, ignores: Sequence[Ignore], values: Mapping[str, str]) -> list[tuple[_Tokens, Position]]:
    """The rules whose every token stands somewhere in the name, with the row's own values in place."""
    present = set(words)
    rules: list[tuple[_Tokens, Position]] = []
    for rule in ignores:
        form: list[str] = []
        for token in rule.form:
            if not (token.startswith("{") and token.endswith("}")):
                form.append(token)
            elif value := values.get(token[1:-1], "").split():
                form.extend(value)
            else:
                break
        else:
            if form and present.issuperset(form):
                rules.append((tuple(form), rule.position))
    return rules


def _steps(words: _Tokens, rules: Sequence[tuple[_Tokens, Position]]) -> Iterator[tuple[_Tokens, _Tokens]]:
    """Each (token group, what is left) that one application of one rule gives, where something is left."""
    size = len(words)
    for form, position in rules:
        width = len(form)
        if width >= size:
            continue
        if position == "leading":
            places: Sequence[int] = (0,)
        elif position == "trailing":
            places = (size - width,)
        else:
            places = range(size - width + 1)
        for at in places:
            if words[at : at + width] == form:
                yield form, words[:at] + words[at + width :]
