"""What a surplus row probably is: the automatic label, a suggestion until a verifier settles it (`1-tables`, Step 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.settings import Settings
from scoring.tables.counts import share
from scoring.tables.pairing import ModelName, PagePairer
from scoring.tables.readings import Reading
from scoring.tables.similarity import ratio
from scoring.text import straightened, unpunctuated

FRAGMENT_CHARACTERS = 3
LONG_TOKEN = 3
# A merge joins the names of one line: more candidates or parts than these are a page of alike names, not a line.
MERGE_CANDIDATES, MERGE_PARTS = 12, 4


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A label with its evidence: GT rows and model row it points to (0-based), the similarity behind it."""

    label: str
    gt: tuple[int, ...] = ()
    model: int | None = None
    similarity: float | None = None


class Labeller:
    """Labels leftover rows of one page of one run.

    Args:
        pairer: similarities of this GT page, kept over runs.
        gt_forms: GT normal forms.
        models: the model rows' names, nameless ones with no readings.
        texts: the model rows' key texts as they stand, in which joiners are looked for.
        holders: GT row -> model row matched to it at the gate.
    """

    def __init__(
        self,
        pairer: PagePairer,
        gt_forms: Sequence[str],
        models: Sequence[ModelName],
        texts: Sequence[str],
        holders: Mapping[int, int],
        settings: Settings,
    ) -> None:
        self._pairer, self._gt, self._models, self._texts = pairer, gt_forms, models, texts
        self._holders, self._settings = holders, settings
        self._held_by_reading: dict[str, list[tuple[int, int]]] = {}
        for gt, row in sorted(holders.items(), key=lambda item: item[1]):
            for reading in models[row].readings:
                self._held_by_reading.setdefault(reading.text, []).append((row, gt))

    def suggest(self, row: int) -> Suggestion | None:
        """The label of a leftover model row; `None` for a nameless one."""
        if not self._models[row].readings:
            return None
        return self.of_name(self._models[row], self._texts[row], row)

    def merged(self, row: int, name: ModelName, text: str) -> Suggestion | None:
        """The merge rule alone, for a leftover row or for a matched one that may hold a missed traveler as well."""
        if name.readings[0].text in self._gt:
            return None
        joiners = frozenset(word for word in self._settings.joiners if word.isalnum())
        joined = has_joiner(text, self._settings.joiners)
        for reading in name.readings:
            rows = self._parts(reading, joiners, joined, row)
            if rows:
                return Suggestion("merge", rows)
        return None

    def of_name(self, name: ModelName, text: str, row: int = -1) -> Suggestion:
        """The label of a name that holds no GT row: the rules in their order, each with its evidence."""
        for reading in name.readings:
            for holder, gt in self._held_by_reading.get(reading.text, ()):
                if holder != row:
                    return Suggestion("duplicate", (gt,), holder, 1.0)
        merge = self.merged(row, name, text)
        if merge:
            return merge
        held = self._nearest(name, self._settings.gate, lambda gt: self._holder(gt, row) is not None)
        if held:
            return Suggestion("duplicate", (held[0],), self._holders[held[0]], held[1])
        whole = self._whole(name)
        if whole:
            return Suggestion("fragment", (whole[0],), None, whole[1])
        free = self._nearest(name, self._settings.misread_floor, lambda gt: self._holder(gt, row) is None)
        if free:
            return Suggestion("misread", (free[0],), None, free[1])
        return Suggestion("invention")

    def chance_of_misread(self, foreign: Sequence[ModelName]) -> float | None:
        """The share of `foreign` names (other pages' GT) that would be labelled `misread` here."""
        alike = sum(self.of_name(name, name.readings[0].text).label == "misread" for name in foreign)
        return share(alike, len(foreign))

    def _nearest(self, name: ModelName, least: float, wanted: Callable[[int], bool]) -> tuple[int, float] | None:
        """The most similar wanted GT row with at least that similarity: ever more rows are looked at, since most searches end early."""
        limit = 4
        while True:
            near = self._pairer.nearest_gt(name, limit)
            for gt, found in near:
                if found.value < least:
                    return None
                if wanted(gt):
                    return gt, found.value
            if limit >= len(self._gt):
                return None
            limit *= 4

    def _holder(self, gt: int, row: int) -> int | None:
        holder = self._holders.get(gt)
        return None if holder == row else holder

    def _parts(self, reading: Reading, joiners: frozenset[str], joined: bool, row: int) -> tuple[int, ...]:
        """GT rows whose names together make up this reading, or nothing."""
        words = [word for word in reading.text.split() if word not in joiners]
        needed = {at for at, word in enumerate(words) if len(word) >= LONG_TOKEN}
        used = list(self._found_in(words, row))[:MERGE_CANDIDATES]
        for size in range(2, min(len(used), MERGE_PARTS) + 1):
            for chosen in combinations(used, size):
                if not joined and any(self._holder(gt, row) is not None for gt, _ in chosen):
                    continue
                own = [places.difference(*(other for gt2, other in chosen if gt2 != gt)) for gt, places in chosen]
                if all(own) and needed <= frozenset().union(*(places for _, places in chosen)):
                    return tuple(gt for gt, _ in chosen)
        return ()

    def _found_in(self, words: Sequence[str], row: int) -> Iterator[tuple[int, frozenset[int]]]:
        """GT rows with different names all of whose tokens stand in `words`, with the places used; free rows speak for a repeated name."""
        seen: dict[str, tuple[int, frozenset[int]]] = {}
        for gt, form in enumerate(self._gt):
            if not form:
                continue
            if form in seen:
                if self._holder(seen[form][0], row) is not None and self._holder(gt, row) is None:
                    seen[form] = (gt, seen[form][1])
                continue
            places = _places(form.split(), words, self._settings.merge_token_ratio)
            if places:
                seen[form] = (gt, places)
        yield from sorted(seen.values())

    def _whole(self, name: ModelName) -> tuple[int, float] | None:
        """The most similar GT row that this name is a piece of."""
        for reading in name.readings:
            words, text = set(reading.text.split()), reading.text
            whole = [
                (self._pairer.similarity(gt, name).value, -gt)
                for gt, form in enumerate(self._gt)
                if words < set(form.split()) or (len(text) >= FRAGMENT_CHARACTERS and text != form and text in form)
            ]
            if whole:
                value, gt = max(whole)
                return -gt, value
        return None


def _places(tokens: Sequence[str], words: Sequence[str], least: float) -> frozenset[int] | None:
    """Where each of `tokens` stands in `words`, one place each, best first; `None` unless all are found."""
    taken: set[int] = set()
    for token in tokens:
        best = max(
            ((1.0 if token == word else ratio(token, word), -at) for at, word in enumerate(words) if at not in taken),
            default=(0.0, 0),
        )
        if best[0] < least:
            return None
        taken.add(-best[1])
    return frozenset(taken)


def has_joiner(text: str, joiners: Sequence[str]) -> bool:
    """Whether a joiner stands in a name as written: a word of the list, or one of its signs anywhere."""
    text = straightened(text).lower()
    words = set(text.split())
    return any(joiner in words if any(c.isalnum() for c in joiner) else joiner in text for joiner in joiners) and bool(unpunctuated(text))
