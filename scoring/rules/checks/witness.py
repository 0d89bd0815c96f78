"""The witness of a draft: where its form or token stands in the ground truth or the runs (`docs/rules.md#witnesses`).

A witness is what `check` asks of a row, a value of one of its fields that the form stands in. A pair is worth most: a
value of the one side, and a value of the other side on the same page, that the rule makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from scoring.foundations.problems import InputError
from scoring.rules.checks.conflicts import contains
from scoring.rules.pipelines import Fields, Pipeline, pipeline_of
from scoring.rules.rows import PLACEHOLDER, EquivalenceRow, IgnoreRow, Rules
from scoring.texts.forms import FieldRules, Position, Side


@dataclass(frozen=True, slots=True)
class ValueLocation:
    """A value where it stands: on which side and page (of questions: the document), and the ROW."""

    text: str
    side: Side
    page: str
    row: str

    def __str__(self) -> str:
        return f"{self.text}, page {self.page} ({self.row})"


Sightings = Callable[[str], Iterable[ValueLocation]]
"""The values of a field, each where it stands, in the order of the material."""


def found_witness(rule: EquivalenceRow | IgnoreRow, rules: Rules, sightings: Sightings, known: Fields | None = None) -> str:
    """A witness of a rule in words: a pair that it makes one, else a value its form stands in; `""` if there is none.

    Args:
        rule: the draft; its line and status do not matter.
        rules: the rules as they stand.
        sightings: the values of a field.
        known: the fields there are, each with its method.
    """
    alone: ValueLocation | None = None
    for name in rule.fields:
        search = _Search(rule, rules, pipeline_of(name, known))
        if not search.form:
            continue
        held, pages = search.holders(sightings(name))
        for one in held:
            other = next((other for other in pages.get((one.page, one.side), ()) if search.makes_one(one, other)), None)
            if other is not None:
                return f"{one.text} for {other.text}, page {one.page} ({one.row})"
        alone = alone or (held[0] if held else None)
    return str(alone) if alone is not None else ""


def given_witness(text: str, rule: EquivalenceRow | IgnoreRow, sightings: Sightings, known: Fields | None = None) -> str:
    """The witness a person names, in words: a ROW (`gt:28:3`, `model:MODEL/PHASE/RUN:28:3`) with its value, any other text as it is.

    Raises:
        InputError: nothing of the rule's fields stands in that ROW, or its form does not.
    """
    if not text.startswith(("gt:", "model:")):
        return text
    seen: list[str] = []
    for name in rule.fields:
        search = _Search(rule, Rules(), pipeline_of(name, known))
        for one in sightings(name):
            if one.row == text:
                if search.holds(one):
                    return str(one)
                seen.append(one.text)
    if not seen:
        raise InputError(f"nothing stands in `{', '.join(rule.fields)}` at {text}", hint="give a ROW there is, or page and reading")
    what = f"`{rule.token if isinstance(rule, IgnoreRow) else rule.form}` does not stand in `{seen[0]}`, at {text}"
    raise InputError(what, hint="a witness is a value that the rule changes")


class _Search:
    """One rule in one field: which values it meets, and which it makes one."""

    def __init__(self, rule: EquivalenceRow | IgnoreRow, rules: Rules, pipeline: Pipeline) -> None:
        self._pipeline, self._rule = pipeline, rule
        self._ignoring = isinstance(rule, IgnoreRow)
        self._before = pipeline.compiled(rules)
        settled = replace(rule, status="settled", line=0)
        if isinstance(settled, IgnoreRow):
            self.form = () if PLACEHOLDER.search(settled.token) else pipeline.ignored(settled.token, FieldRules())
            self._after = pipeline.compiled(replace(rules, ignores=(*rules.ignores, settled)))
        else:
            self.form = pipeline.form(settled.form)
            self._after = pipeline.compiled(replace(rules, equivalences=(settled, *rules.equivalences)))
        self._held: dict[tuple[str, Side], bool] = {}
        self._normals: dict[tuple[str, Side, bool], str] = {}

    def holds(self, one: ValueLocation) -> bool:
        """Whether the form stands in a value."""
        key = (one.text, one.side)
        if key not in self._held:
            written = self._pipeline.written(one.text, one.side, ignoring=self._ignoring)
            self._held[key] = bool(self.form) and any(contains(words, self.form) for words in written)
        return self._held[key]

    def holders(self, sightings: Iterable[ValueLocation]) -> tuple[list[ValueLocation], dict[tuple[str, Side], list[ValueLocation]]]:
        """The values that the form stands in, those of the models first, and what stands opposite them: page and side -> values.

        A text that a rules file cannot hold, or that is no text to read, is no witness.
        """
        values = [one for one in sightings if one.text.isprintable()]
        held = [one for one in values if self.holds(one)]
        pages = {one.page for one in held}
        opposite: dict[tuple[str, Side], list[ValueLocation]] = {}
        for one in values:
            if one.page in pages:
                opposite.setdefault((one.page, "gt" if one.side == "model" else "model"), []).append(one)
        return sorted(held, key=lambda one: one.side != "model"), opposite

    def makes_one(self, one: ValueLocation, other: ValueLocation) -> bool:
        """Whether the rule makes two values one that are not one without it."""
        if self._normal(one, self._before) == self._normal(other, self._before):
            return False
        after = self._normal(other, self._after)
        return any(reading == after for reading in self._readings(one))

    def _normal(self, one: ValueLocation, rules: FieldRules) -> str:
        key = (one.text, one.side, rules is self._after)
        if key not in self._normals:
            self._normals[key] = self._pipeline.normal(one.text, rules, one.side)
        return self._normals[key]

    def _readings(self, one: ValueLocation) -> Iterator[str]:
        """A value under the rule. What is stepped over in a name is a reading of it, and the name's normal form keeps it."""
        yield self._normal(one, self._after)
        if self._pipeline.is_name and isinstance(self._rule, IgnoreRow) and one.side == "model":
            words = self._pipeline.rewritten(one.text, self._before, one.side)
            token = self._pipeline.ignored(self._rule.token, self._before)
            for at in _places(words, token, self._rule.position):
                yield " ".join((*words[:at], *words[at + len(token) :]))


def _places(words: tuple[str, ...], form: tuple[str, ...], position: Position) -> Iterator[int]:
    last = len(words) - len(form)
    wanted = {"leading": range(1), "trailing": range(max(0, last), last + 1), "anywhere": range(last + 1)}[position]
    return (at for at in wanted if form and words[at : at + len(form)] == form)
