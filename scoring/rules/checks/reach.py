"""How far a rule reaches: how many of the distinct values of its fields it stands in (`docs/rules.md#reach`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from scoring.rules.checks.check import Witnesses
from scoring.rules.pipelines import Fields, Pipeline, pipeline_of
from scoring.rules.rows import PLACEHOLDER, EquivalenceRow, IgnoreRow, Rules
from scoring.texts.forms import FieldRules, Side


def reach(rules: Rules, witnesses: Witnesses, known_fields: Fields | None = None) -> dict[int, int | None]:
    """Line of a row -> in how many distinct values of its fields, ground truth and runs together, its form or token stands.

    `None` where the token holds a placeholder, which stands for another word in each row.
    """
    found: dict[int, int | None] = {}
    values: dict[tuple[str, bool], _Values] = {}
    rows: tuple[IgnoreRow | EquivalenceRow, ...] = (*rules.ignores, *rules.equivalences)
    for row in rows:
        text = row.token if isinstance(row, IgnoreRow) else row.form
        if PLACEHOLDER.search(text):
            found[row.line] = None
            continue
        ignoring = isinstance(row, IgnoreRow)
        times = 0
        for name in row.fields:
            pipeline = pipeline_of(name, known_fields)
            key = (name, ignoring)
            if key not in values:
                values[key] = _Values(pipeline, witnesses, name, ignoring=ignoring)
            times += values[key].holding(_form(row, pipeline))
        found[row.line] = times
    return found


def _form(row: IgnoreRow | EquivalenceRow, pipeline: Pipeline) -> tuple[str, ...]:
    return pipeline.ignored(row.token, FieldRules()) if isinstance(row, IgnoreRow) else pipeline.form(row.form)


class _Values:
    """The distinct values of a field as their token sequences, counted by what stands in them."""

    def __init__(self, pipeline: Pipeline, witnesses: Witnesses, name: str, *, ignoring: bool) -> None:
        self._written: list[tuple[tuple[str, ...], ...]] = []
        self._places: dict[str, set[int]] = defaultdict(set)
        gt, runs = witnesses.gt.get(name, ()), witnesses.runs.get(name, ())
        sides: Iterable[tuple[str, Side]] = [*((value, "gt") for value in set(gt)), *((value, "model") for value in set(runs) - set(gt))]
        for at, (value, side) in enumerate(sides):
            written = pipeline.written(value, side, ignoring=ignoring)
            self._written.append(written)
            for word in {word for words in written for word in words}:
                self._places[word].add(at)

    def holding(self, form: tuple[str, ...]) -> int:
        """In how many values the form stands."""
        if not form:
            return 0
        candidates = set.intersection(*(self._places.get(word, set()) for word in form))
        size = len(form)
        return sum(
            any(words[at : at + size] == form for words in self._written[place] for at in range(len(words) - size + 1))
            for place in candidates
        )
