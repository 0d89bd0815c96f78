"""Which model row is which GT row: greedy, best first, one to one, blind to order (`docs/method.md#pairing`).

Exact and lazy. Bounds of every pair come from one sweep (`bounds`); the similarity itself is worked out only where a bound
stands at the head of a best-first queue, and a pair is taken when nothing left can beat or tie it. Values are kept for the
GT page over all runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush, heapreplace
from itertools import islice

import numpy as np

from scoring.tables.matching.readings import Reading
from scoring.tables.matching.similarity import Measure, Similarity, measure, ratio, similarity_of, token_overlap
from scoring.tables.matching.upper_bounds import Bounds, Floats

Agreement = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class ModelName:
    """The name of a model row by its readings, in their order. None for a nameless row, which never pairs."""

    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """A GT row and a model row taken together, by index from 0."""

    gt: int
    model: int
    similarity: Similarity


class PagePairer:
    """The GT names of one page, and every similarity to them worked out so far.

    Args:
        gt_forms: the GT names in name normal form, in GT order. An empty one never pairs.

    Attributes:
        exact_ratios: how many difflib ratios have been computed.
    """

    def __init__(self, gt_forms: Sequence[str]) -> None:
        self._forms = tuple(gt_forms)
        self._bounds = Bounds(self._forms)
        by_form: dict[str, dict[str, Measure]] = {}
        self._known = [by_form.setdefault(form, {}) for form in self._forms]
        self.exact_ratios = 0

    def similarity(self, gt: int, model: ModelName) -> Similarity:
        """Similarity of a GT name and a model name, as `compare` gives it, kept for the next time.

        Raises:
            ValueError: the model name has no reading; a nameless row is compared with nothing.
        """
        measured, reading = self._best(gt, model)
        return similarity_of(measured, reading)

    def learned(self, gt: int, text: str, measured: Measure) -> Measure:
        """Take in what a GT name and a text were measured at elsewhere; what is known here already stays, and is given back."""
        return self._known[gt].setdefault(text, measured)

    def pair(
        self,
        models: Sequence[ModelName],
        *,
        floor: float = 0.0,
        agreement: Agreement | None = None,
        same: Sequence[tuple[int, int]] = (),
        barred: Collection[tuple[int, int]] = (),
    ) -> tuple[Pair, ...]:
        """Pair the model rows of one page with its GT rows.

        The best pair is taken, both rows leave, and so on: highest similarity (exact float equality ties), fewer edits of
        the best reading, more agreement of the other fields, GT order, model order.

        Args:
            models: the names of the model rows, in their order.
            floor: the least similarity of a pair, inclusive; the gate, or 0.0 for the transcription pairs.
            agreement: (GT row, model row) -> number of other fields that agree; asked for tied pairs only.
            same: pairs known to be one, taken before all others and whatever their similarity; of several on one row the
                order above decides.
            barred: pairs that are never taken, not even where `same` names them.

        Returns:
            The pairs in the order taken.
        """
        barred = frozenset(barred)
        taking = _Taking(models, agreement)
        self._take_same(taking, same, barred)
        columns = [at for at, name in enumerate(models) if name.readings and at not in taking.model_taken]
        rows = [at for at, form in enumerate(self._forms) if form and at not in taking.gt_taken]
        if columns and rows:
            self._take_best_first(taking, rows, columns, floor, barred)
        return tuple(taking.pairs)

    def pairs_at_least(self, models: Sequence[ModelName], threshold: float) -> Iterator[tuple[int, int]]:
        """Each (GT row, model row) with at least this similarity, in GT order, then model order."""
        columns = [at for at, name in enumerate(models) if name.readings]
        bounds, order = self._bounds.matrix([[reading.text for reading in models[at].readings] for at in columns])
        for gt, form in enumerate(self._forms):
            if not form:
                continue
            for model in sorted(columns[order[at]] for at in np.flatnonzero(bounds[gt] >= threshold).tolist()):
                if self.reaches(gt, models[model], threshold):
                    yield gt, model

    def reaches(self, gt: int, model: ModelName, threshold: float) -> bool:
        """Whether the similarity is at least `threshold`; false for a row without a name."""
        form, known = self._forms[gt], self._known[gt]
        if not form:
            return False
        for reading in model.readings:
            text = reading.text
            measured = known.get(text)
            if measured is not None:
                if measured.value >= threshold:
                    return True
            elif token_overlap(form, text) >= threshold or (
                self._bounds.one(gt, text) >= threshold and self._measure(gt, text).value >= threshold
            ):
                return True
        return False

    def matrix(self, models: Sequence[ModelName], floor: float = 0.0) -> Floats:
        """Exact similarities, (GT rows) x (model rows); 0.0 where below `floor` or where a row has no name."""
        out = np.zeros((len(self._forms), len(models)))
        for gt, model in self.pairs_at_least(models, floor):
            out[gt, model] = self._best(gt, models[model])[0].value
        return out

    def gt_by_nearness(self, model: ModelName) -> Iterator[tuple[int, Similarity]]:
        """The GT rows, most like a model name first: by similarity, then fewer edits, then GT order. None for a nameless row.

        Each is worked out when it is asked for, so that a look at the first few costs a few.
        """
        if not model.readings:
            return
        bounds, _ = self._bounds.matrix([[reading.text for reading in model.readings]])
        rows = [at for at, form in enumerate(self._forms) if form]
        yield from self._by_nearness([(at, at, model) for at in rows], bounds[rows, 0])

    def models_by_nearness(self, gt: int, models: Sequence[ModelName]) -> Iterator[tuple[int, Similarity]]:
        """The model rows, most like a GT name first: by similarity, then fewer edits, then model order. None for a nameless GT row."""
        if not self._forms[gt]:
            return
        columns = [at for at, name in enumerate(models) if name.readings]
        bounds, order = self._bounds.matrix([[reading.text for reading in models[at].readings] for at in columns], only=gt)
        named = [columns[at] for at in order]
        yield from self._by_nearness([(at, gt, models[at]) for at in named], bounds[0])

    def nearest_gt(self, model: ModelName, limit: int) -> list[tuple[int, Similarity]]:
        """The first `limit` of `gt_by_nearness`."""
        return list(islice(self.gt_by_nearness(model), limit))

    def nearest_models(self, gt: int, models: Sequence[ModelName], limit: int) -> list[tuple[int, Similarity]]:
        """The first `limit` of `models_by_nearness`."""
        return list(islice(self.models_by_nearness(gt, models), limit))

    def _by_nearness(self, pairs: Sequence[tuple[int, int, ModelName]], bounds: Floats) -> Iterator[tuple[int, Similarity]]:
        """(index, similarity) of (index, GT row, model name), worked out in the order of their bounds."""
        measured: list[tuple[float, int, int, Measure, Reading]] = []
        places = np.argsort(-bounds, kind="stable").tolist()
        following = [*bounds[places[1:]].tolist(), -1.0]
        for place, bound in zip(places, following, strict=False):
            at, gt, model = pairs[place]
            found, reading = self._best(gt, model)
            heappush(measured, (-found.value, found.edits, at, found, reading))
            while measured and -measured[0][0] > bound:
                _, _, index, best, best_reading = heappop(measured)
                yield index, similarity_of(best, best_reading)

    def _counted_ratio(self, gt: str, text: str) -> float:
        self.exact_ratios += 1
        return ratio(gt, text)

    def _measure(self, gt: int, text: str) -> Measure:
        known = self._known[gt]
        found = known.get(text)
        if found is None:
            found = known[text] = measure(self._forms[gt], text, self._counted_ratio)
        return found

    def _best(self, gt: int, model: ModelName) -> tuple[Measure, Reading]:
        """The best reading and its measure: readings are measured in the order of their bounds, as far as they could win or tie."""
        readings = model.readings
        if len(readings) == 1:
            return self._measure(gt, readings[0].text), readings[0]
        if not readings:
            raise ValueError("a nameless row has no similarity")
        form, known = self._forms[gt], self._known[gt]
        best: tuple[float, int, int] | None = None
        unmeasured: list[int] = []
        for at, reading in enumerate(readings):
            if reading.text == form and "?" not in form:
                # Similarity 1.0 without an edit, which no other text reaches.
                return self._measure(gt, form), reading
            measured = known.get(reading.text)
            if measured is None:
                unmeasured.append(at)
                continue
            key = (-measured.value, measured.edits, at)
            if best is None or key < best:
                best = key
        if unmeasured:
            for bound, at in sorted((-self._bounds.one(gt, readings[at].text), at) for at in unmeasured):
                if best is not None and best[0] < bound:
                    break
                measured = self._measure(gt, readings[at].text)
                key = (-measured.value, measured.edits, at)
                if best is None or key < best:
                    best = key
        assert best is not None
        chosen = readings[best[2]]
        return known[chosen.text], chosen

    def _take_same(self, taking: _Taking, same: Iterable[tuple[int, int]], barred: frozenset[tuple[int, int]]) -> None:
        tied: dict[float, list[_Known]] = {}
        for gt, model in dict.fromkeys(same):
            if (gt, model) not in barred and self._forms[gt] and taking.models[model].readings:
                measured, reading = self._best(gt, taking.models[model])
                tied.setdefault(measured.value, []).append((measured.edits, gt, model, measured, reading))
        for value in sorted(tied, reverse=True):
            taking.take(tied[value])

    def _take_best_first(
        self, taking: _Taking, rows: Sequence[int], columns: Sequence[int], floor: float, barred: frozenset[tuple[int, int]]
    ) -> None:
        models = taking.models
        bounds, order = self._bounds.matrix([[reading.text for reading in models[at].readings] for at in columns])
        named = [columns[at] for at in order]
        places = {model: at for at, model in enumerate(named)}
        for gt, model in barred:
            if model in places:
                bounds[gt, places[model]] = -1.0
        lowest = max(floor, 0.0)
        # The best bound left of each GT row that may still pair. One whose model row has left is replaced when it comes to the head.
        heads = bounds.argmax(axis=1).tolist()
        queue = [(-bound, gt, heads[gt]) for gt in rows if (bound := bounds.item(gt, heads[gt])) >= lowest]
        heapify(queue)
        # Pairs whose similarity is known, by that similarity; `values` is the queue of the similarities.
        tied: dict[float, list[_Known]] = {}
        values: list[float] = []
        gt_taken, model_taken = taking.gt_taken, taking.model_taken
        taken = np.zeros(len(named), dtype=bool)
        room = min(len(rows), len(named))
        while room:
            while queue:
                _, gt, head = queue[0]
                if gt in gt_taken:
                    heappop(queue)
                elif named[head] in model_taken:
                    np.copyto(bounds[gt], -1.0, where=taken)
                    _advance(queue, bounds, gt, lowest)
                else:
                    break
            if values and (not queue or values[0] < queue[0][0]):
                # Every pair of this similarity is known: its bound stood above all that are left.
                for pair in taking.take(tied.pop(-heappop(values))):
                    taken[places[pair.model]] = True
                    room -= 1
                continue
            if not queue:
                return
            _, gt, head = queue[0]
            measured, reading = self._best(gt, models[named[head]])
            value = measured.value
            if value >= lowest:
                if value not in tied:
                    tied[value] = []
                    heappush(values, -value)
                tied[value].append((measured.edits, gt, named[head], measured, reading))
            bounds[gt, head] = -1.0
            _advance(queue, bounds, gt, lowest)


def _advance(queue: list[tuple[float, int, int]], bounds: Floats, gt: int, lowest: float) -> None:
    """Put the best bound left of a GT row, the head of the queue, in its place there; out of the queue if below `lowest`."""
    row = bounds[gt]
    head = int(row.argmax())
    bound = row.item(head)
    if bound >= lowest:
        heapreplace(queue, (-bound, gt, head))
    else:
        heappop(queue)


# A pair whose similarity is known: edits, GT row, model row, and what gave it.
_Known = tuple[int, int, int, Measure, Reading]


class _Taking:
    """The pairs taken so far on one page, and the rows that have left."""

    def __init__(self, models: Sequence[ModelName], agreement: Agreement | None) -> None:
        self.models = models
        self.pairs: list[Pair] = []
        self.gt_taken: set[int] = set()
        self.model_taken: set[int] = set()
        self._agreement = agreement

    def take(self, tied: Iterable[_Known]) -> list[Pair]:
        """Take what can be taken of pairs of one similarity: fewest edits first, then most agreement. Returns what was taken."""
        before = len(self.pairs)
        by_edits: dict[int, list[_Known]] = {}
        for entry in tied:
            by_edits.setdefault(entry[0], []).append(entry)
        for edits in sorted(by_edits):
            group = [entry for entry in by_edits[edits] if self._free(entry)]
            if len(group) > 1:
                agreement = self._agreement
                if agreement is None:
                    group.sort(key=lambda entry: entry[1:3])
                else:
                    group.sort(key=lambda entry: (-agreement(entry[1], entry[2]), entry[1], entry[2]))
            for entry in group:
                if self._free(entry):
                    _, gt, model, measured, reading = entry
                    self.gt_taken.add(gt)
                    self.model_taken.add(model)
                    self.pairs.append(Pair(gt, model, similarity_of(measured, reading)))
        return self.pairs[before:]

    def _free(self, entry: _Known) -> bool:
        return entry[1] not in self.gt_taken and entry[2] not in self.model_taken
