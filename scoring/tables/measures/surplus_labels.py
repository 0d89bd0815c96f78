"""What a surplus row probably is: the automatic label, a suggestion until a verifier settles it (`docs/method.md#surplus-labels`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from rapidfuzz.distance import LCSseq

from scoring.tables.matching.pairing import ModelName, PagePairer
from scoring.tables.matching.readings import Reading
from scoring.tables.matching.similarity import ratio
from scoring.tables.measures.counts import share
from scoring.texts.forms import straightened, unpunctuated, wildcard_edits
from scoring.workspace.settings import Settings

FRAGMENT_CHARACTERS = 3
LONG_TOKEN = 3
# A merge joins the names of one line: more candidates than these are a page of alike names, not a line.
MERGE_CANDIDATES = 12
CHANCE_LIMIT = 0.20


def worded(label: str, chance: float | None) -> str:
    """How a suggested label reads: where chance alone gives many a `misread`, it may as well be an invention."""
    return "misread or invention" if label == "misread" and chance is not None and chance > CHANCE_LIMIT else label


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
        self._vocabulary = _vocabulary(tuple(gt_forms))
        self._joiners = frozenset(word for joiner in settings.joiners for word in unpunctuated(straightened(joiner).lower()).split())
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
        """The merge rule alone, for a leftover row or for a matched one that may hold a missed record as well."""
        if any(self._is_gt_name(reading.text) for reading in name.readings):
            return None
        joined = has_joiner(text, self._settings.joiners)
        for reading in name.readings:
            rows = self._parts(reading, joined, row)
            if rows:
                nearest = max(self._pairer.similarity(gt, name).value for gt in rows)
                return Suggestion("merge", rows, None, nearest)
        return None

    def _is_gt_name(self, text: str) -> bool:
        return text in self._gt or any("?" in form and wildcard_edits(form, text) == 0 for form in self._gt)

    def of_name(self, name: ModelName, text: str, row: int = -1) -> Suggestion:
        """The label of a name that holds no GT row: the rules in their order, each with its evidence."""
        for reading in name.readings:
            for holder, gt in self._held_by_reading.get(reading.text, ()):
                if holder != row:
                    return Suggestion("duplicate", (gt,), holder, 1.0)
        merge = self.merged(row, name, text)
        if merge:
            return merge
        held, free = self._nearest(name, row)
        if held:
            return Suggestion("duplicate", (held[0],), self._holders[held[0]], held[1])
        whole = self._whole(name)
        if whole:
            return Suggestion("fragment", (whole[0],), None, whole[1])
        if free:
            return Suggestion("misread", (free[0],), None, free[1])
        return Suggestion("invention")

    def chance_of_misread(self, foreign: Sequence[ModelName]) -> float | None:
        """The share of `foreign` names (other pages' GT) that would be labelled `misread` here."""
        alike = sum(self.of_name(name, name.readings[0].text).label == "misread" for name in foreign)
        return share(alike, len(foreign))

    def _nearest(self, name: ModelName, row: int) -> tuple[tuple[int, float] | None, tuple[int, float] | None]:
        """The most similar held GT row at the gate, else the most similar free one at the floor of a misreading."""
        gate = self._settings.gate
        # Where the floor stands above the gate, a row as similar as the gate to a GT row is still no invention.
        floor = min(self._settings.misread_floor, gate)
        free = None
        for gt, found in self._pairer.gt_by_nearness(name):
            if found.value < floor or (found.value < gate and free):
                break
            if self._holder(gt, row) is None:
                free = free or (gt, found.value)
            elif found.value >= gate:
                return (gt, found.value), free
        return None, free

    def _holder(self, gt: int, row: int) -> int | None:
        holder = self._holders.get(gt)
        return None if holder == row else holder

    def _parts(self, reading: Reading, joined: bool, row: int) -> tuple[int, ...]:
        """GT rows whose names together make up this reading, as few as do, or nothing."""
        words = reading.text.split()
        # A surname written behind each of two names is one token used twice: its first place speaks for all.
        needed = {words.index(word) for word in words if len(word) >= LONG_TOKEN and word not in self._joiners}
        used = [(gt, places) for gt, places in self._found_in(words, row) if joined or self._holder(gt, row) is None][:MERGE_CANDIDATES]
        if len(used) < 2 or not needed <= _together(used):
            return ()
        for size in range(2, len(used) + 1):
            for chosen in combinations(used, size):
                own = (places.difference(*(other for gt2, other in chosen if gt2 != gt)) for gt, places in chosen)
                if needed <= _together(chosen) and all(own):
                    return tuple(gt for gt, _ in chosen)
        return ()

    def _found_in(self, words: Sequence[str], row: int) -> Iterator[tuple[int, frozenset[int]]]:
        """GT rows with different names all of whose tokens stand in `words`, with the places used; free rows speak for a repeated name."""
        seen: dict[str, tuple[int, frozenset[int]]] = {}
        least = self._settings.merge_token_ratio
        for gt in self._vocabulary.standing_in(words, least):
            form = self._gt[gt]
            if form in seen:
                if self._holder(seen[form][0], row) is not None and self._holder(gt, row) is None:
                    seen[form] = (gt, seen[form][1])
                continue
            places = _places(form.split(), words, least)
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


def _together(names: Collection[tuple[int, frozenset[int]]]) -> frozenset[int]:
    return frozenset().union(*(places for _, places in names))


class _Vocabulary:
    """The tokens of a page's GT names, and which of them each word met so far is like."""

    def __init__(self, forms: tuple[str, ...]) -> None:
        self._names = [(gt, frozenset(form.split())) for gt, form in enumerate(forms) if form]
        self._tokens = sorted({token for _, tokens in self._names for token in tokens})
        self._near: dict[tuple[str, float], frozenset[str]] = {}

    def standing_in(self, words: Sequence[str], least: float) -> list[int]:
        """The GT rows each of whose tokens is like some word, in GT order."""
        near = frozenset[str]().union(*(self._like(word, least) for word in words))
        return [gt for gt, tokens in self._names if tokens <= near]

    def _like(self, word: str, least: float) -> frozenset[str]:
        found = self._near.get((word, least))
        if found is None:
            # Matched blocks are a common subsequence, so its length bounds the ratio.
            size = len(word)
            found = self._near[word, least] = frozenset(
                token
                for token in self._tokens
                if 2.0 * min(len(token), size) / (len(token) + size) >= least
                and 2.0 * LCSseq.similarity(token, word) / (len(token) + size) >= least
                and _alike(token, word, least) >= least
            )
        return found


@lru_cache(maxsize=64)
def _vocabulary(forms: tuple[str, ...]) -> _Vocabulary:
    return _Vocabulary(forms)


@lru_cache(maxsize=65536)
def _alike(token: str, word: str, least: float) -> float:
    """The ratio of two tokens; 0 where their longest common subsequence, which bounds it, keeps it below `least`."""
    if token == word:
        return 1.0
    return ratio(token, word) if 2.0 * LCSseq.similarity(token, word) / (len(token) + len(word)) >= least else 0.0


def _places(tokens: Sequence[str], words: Sequence[str], least: float) -> frozenset[int] | None:
    """Where each of `tokens` stands in `words`, one place each, equal words first, then the most alike; `None` unless all are found."""
    taken: set[int] = set()
    unlike: list[str] = []
    for token in tokens:
        at = next((at for at, word in enumerate(words) if word == token and at not in taken), None)
        if at is None:
            unlike.append(token)
        else:
            taken.add(at)
    for token in unlike:
        # Words of too unlike a length cannot be alike enough, and need no look.
        near = (
            (_alike(token, word, least), -at)
            for at, word in enumerate(words)
            if at not in taken and 2.0 * min(len(token), len(word)) / (len(token) + len(word)) >= least
        )
        best = max(near, default=(0.0, 0))
        if best[0] < least or best[0] == 0.0:
            return None
        taken.add(-best[1])
    return frozenset(taken)


@lru_cache(maxsize=65536)
def stands_in(name: str, text: str, least: float) -> bool:
    """Whether all tokens of a name stand in another, each at least so alike: what a merge asks of every name in it."""
    return _places(name.split(), text.split(), least) is not None


def has_joiner(text: str, joiners: Sequence[str]) -> bool:
    """Whether a joiner stands in a name as written: a word of the list (a full stop or comma behind it or not), or one of its signs."""
    text = straightened(text).lower()
    words = {form for word in text.split() for form in (word, word.rstrip(",.;:"))}
    for joiner in joiners:
        joiner = straightened(joiner).lower().strip()
        if joiner and (joiner in words if any(c.isalnum() for c in joiner) else joiner in text):
            return bool(unpunctuated(text))
    return False
