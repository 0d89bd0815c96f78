"""What OPEN rules would move: scores as they are beside scores with the rows switched on (`docs/rules.md#preview`).

A settled row is previewed as well: what reopening it would move.

Previews are of the automatic scores, which depend on nothing but ground truth, runs, settings and rules. A page of a run is
scored again only if a name or value on it comes out otherwise under the rules tried: a page score depends on the rules
through the normal forms and readings of its names and the forms of its values, and through nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from scoring.foundations.incremental import Steps, finished
from scoring.foundations.problems import Problem
from scoring.rules import Rules, Witnesses, blocking
from scoring.tables.check import known_fields
from scoring.tables.check import witnesses as witnesses_of
from scoring.tables.execution.evaluation import CellScore, Evaluation
from scoring.tables.execution.page_score import PageScore, score_page
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.tables.measures.counts import Counts, FieldCounts
from scoring.texts.forms import Side


@dataclass(frozen=True, slots=True)
class PairMoved:
    """A pair that is matched under one set of rules only (`gained`: under the rules tried). Rows from 1."""

    gained: bool
    run: str
    page: str
    gt_row: int
    gt_name: str
    model_row: int
    model_name: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class ValueMoved:
    """A value pair of a field that scores otherwise: its scores (None: not scorable) and in how many matched pairs it stands."""

    field: str
    gt: str
    model: str
    before: float | None
    after: float | None
    times: int


@dataclass(frozen=True, slots=True)
class CellMoved:
    """A cell whose counts change; `fields` holds (name, before, after) of those that do."""

    model: str
    phase: str
    before: Counts
    after: Counts
    fields: tuple[tuple[str, FieldCounts, FieldCounts], ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What the rows on `lines` would move together.

    Attributes:
        lines: their lines in EQUIVALENCES.md.
        blocked: errors that forbid trying them; then nothing was scored.
        touched: page scorings on which a name or value comes out otherwise, and which were scored again.
        pages: (run, page) of those whose score changed.
        pairs: gained and lost, in the order of runs and pages.
        values: of matched pairs, most frequent first.
    """

    lines: tuple[int, ...]
    blocked: tuple[Problem, ...] = ()
    touched: int = 0
    pages: tuple[tuple[str, str], ...] = ()
    cells: tuple[CellMoved, ...] = ()
    pairs: tuple[PairMoved, ...] = ()
    values: tuple[ValueMoved, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether anything moves."""
        return bool(self.pages or self.values)

    @property
    def gained(self) -> tuple[PairMoved, ...]:
        return tuple(pair for pair in self.pairs if pair.gained)

    @property
    def lost(self) -> tuple[PairMoved, ...]:
        return tuple(pair for pair in self.pairs if not pair.gained)


def previews(evaluation: Evaluation, rules: Rules | None = None, witnesses: Witnesses | None = None) -> tuple[Preview, ...]:
    """A preview of each OPEN row alone, in the order of the file, then of all that may be tried together (where they are several)."""
    rules = rules or evaluation.material.rules
    seen = witnesses if witnesses is not None else witnesses_of(evaluation.material)
    alone = [preview(evaluation, (line,), rules, seen) for line in rules.open_lines]
    free = tuple(line for one in alone if not one.blocked for line in one.lines)
    return (*alone, preview(evaluation, free, rules, seen)) if len(free) > 1 else tuple(alone)


def preview(evaluation: Evaluation, lines: Collection[int], rules: Rules | None = None, witnesses: Witnesses | None = None) -> Preview:
    """What the rows on `lines` would move, the OPEN ones switched on and the settled ones off, together.

    Args:
        evaluation: of the rules as they stand, with or without decisions.
        rules: those rules; by default the evaluation's own.
        witnesses: for the checks; by default the values of the evaluation's material.

    Raises:
        InputError: a line that holds no rule.
    """
    return finished(previewing(evaluation, lines, rules, witnesses))


def previewing(
    evaluation: Evaluation, lines: Collection[int], rules: Rules | None = None, witnesses: Witnesses | None = None
) -> Steps[Preview]:
    """`preview` in short steps."""
    standing = evaluation.as_scored
    material = standing.material
    rules = rules or material.rules
    tried = rules.switched(lines)
    ordered = tuple(sorted(lines))
    blocked = blocking(rules, ordered, witnesses if witnesses is not None else witnesses_of(material), known_fields(material))
    yield
    if blocked:
        return Preview(ordered, blocked)
    named = {name for line in ordered for name in _fields_of(rules, line)}
    prepared = PreparedMaterial(replace(material, rules=tried))
    yield
    difference = _Difference(standing.prepared, prepared, named)
    scores = dict(standing.pages)
    for place, score in standing.pages.items():
        if score.counts is not None and difference.touches(*place):
            scores[place] = score_page(prepared, *place)
            yield
    scored = [(score, scores[place]) for place, score in standing.pages.items() if score is not scores[place]]
    changed = [(before, after) for before, after in scored if _differ(before, after)]
    pairs = tuple(pair for before, after in changed for pair in _pairs(standing.prepared, prepared, before, after))
    yield
    values = _values(standing.prepared, prepared, scored)
    after = Evaluation(prepared, standing.decisions, standing.binding, scores)
    cells = tuple(_cells(standing, after))
    pages = tuple((before.run, before.page) for before, _ in changed)
    return Preview(ordered, (), len(scored), pages, cells, pairs, values)


def _fields_of(rules: Rules, line: int) -> tuple[str, ...]:
    row = rules.row_at(line)
    return row.fields if row is not None else ()


class _Difference:
    """Which pages two sets of rules tell apart. Every distinct text is normalised once under each."""

    def __init__(self, old: PreparedMaterial, new: PreparedMaterial, named: Collection[str]) -> None:
        self._old, self._new = old, new
        schema = old.material.schema
        self._names = schema.rule_field in named
        self._scorers = [
            (before, after)
            for before, after in zip(old.scorers.scorers, new.scorers.scorers, strict=True)
            if before.field.name in named and before.field.method not in ("flag", "count")
        ]
        self._differing: dict[tuple[str, str, Side], bool] = {}
        self._readings: dict[tuple[str, ...], bool] = {}
        self._gt: dict[str, bool] = {}

    def touches(self, run: str, page: str) -> bool:
        """Whether a name or a value of the page, on either side, comes out otherwise."""
        known = self._gt.get(page)
        if known is None:
            known = self._gt[page] = self._gt_touched(page)
        if known:
            return True
        rows = self._old.runs[run].pages[page].rows
        if self._names and self._names_differ(run, page):
            return True
        return any(self._value_differs(row.values.get(name, ""), at, "model") for row in rows for at, name in self._value_fields())

    def _value_fields(self) -> Iterator[tuple[int, str]]:
        return ((at, before.field.name) for at, (before, _) in enumerate(self._scorers))

    def _gt_touched(self, page: str) -> bool:
        old, new = self._old.pages[page], self._new.pages[page]
        if old.forms != new.forms:
            return True
        return any(self._value_differs(row.values.get(name, ""), at, "gt") for row in old.page.rows for at, name in self._value_fields())

    def _names_differ(self, run: str, page: str) -> bool:
        before, after = self._old.run_page(run, page), self._new.run_page(run, page)
        return before.models != after.models

    def _value_differs(self, value: str, at: int, side: Side) -> bool:
        if not value:
            return False
        before, after = self._scorers[at]
        key = (before.field.name, value, side)
        found = self._differing.get(key)
        if found is None:
            found = self._differing[key] = before.form(value, side) != after.form(value, side)
        return found


def _differ(before: PageScore, after: PageScore) -> bool:
    return (
        before.counts != after.counts
        or before.fields != after.fields
        or {(p.gt, p.model, p.matched) for p in before.pairs} != {(p.gt, p.model, p.matched) for p in after.pairs}
        or [(row.row, row.label) for row in before.surplus] != [(row.row, row.label) for row in after.surplus]
    )


def _pairs(old: PreparedMaterial, new: PreparedMaterial, before: PageScore, after: PageScore) -> Iterator[PairMoved]:
    gt, answer = old.pages[before.page], old.run_page(before.run, before.page)
    was = {(pair.gt, pair.model): pair for pair in before.pairs}
    now = {(pair.gt, pair.model): pair for pair in after.pairs}
    for place in sorted(was.keys() | now.keys()):
        earlier, later = was.get(place), now.get(place)
        matched = later is not None and later.matched
        if matched == (earlier is not None and earlier.matched):
            continue
        at, row = place
        yield PairMoved(
            matched,
            before.run,
            before.page,
            gt.page.rows[at].number,
            gt.texts[at],
            answer.page.rows[row].number,
            answer.texts[row],
            earlier.similarity.value if earlier is not None else _similarity(old, before, place),
            later.similarity.value if later is not None else _similarity(new, after, place),
        )


def _similarity(prepared: PreparedMaterial, score: PageScore, place: tuple[int, int]) -> float:
    at, row = place
    model = prepared.run_page(score.run, score.page).models[row]
    return prepared.pages[score.page].pairer.similarity(at, model).value if model.readings else 0.0


def _values(old: PreparedMaterial, new: PreparedMaterial, scored: list[tuple[PageScore, PageScore]]) -> tuple[ValueMoved, ...]:
    """Value pairs of the pairs matched under both that score otherwise."""
    times: Counter[tuple[int, str, str]] = Counter()
    for before, after in scored:
        gt, answer = old.pages[before.page].page.rows, old.run_page(before.run, before.page).page.rows
        both = {(p.gt, p.model) for p in before.pairs if p.matched} & {(p.gt, p.model) for p in after.pairs if p.matched}
        for at, row in both:
            for number, scorer in enumerate(old.scorers.scorers):
                times[number, gt[at].values.get(scorer.field.name, ""), answer[row].values.get(scorer.field.name, "")] += 1
    moved = []
    for (number, expected, found), count in times.items():
        earlier = old.scorers.scorers[number].score(expected, found)
        later = new.scorers.scorers[number].score(expected, found)
        if earlier != later:
            moved.append(ValueMoved(old.scorers.scorers[number].field.name, expected, found, earlier, later, count))
    return tuple(sorted(moved, key=lambda value: (-value.times, value.field, value.gt, value.model)))


def _cells(before: Evaluation, after: Evaluation) -> Iterator[CellMoved]:
    names = [field.name for field in before.material.schema.scored]
    for old, new in zip(before.cells, after.cells, strict=True):
        fields = tuple(_fields_moved(names, old, new))
        if old.counts != new.counts or fields:
            yield CellMoved(old.model, old.phase, old.counts, new.counts, fields)


def _fields_moved(names: list[str], old: CellScore, new: CellScore) -> Iterator[tuple[str, FieldCounts, FieldCounts]]:
    for name, earlier, later in zip(names, old.fields(), new.fields(), strict=False):
        if earlier != later:
            yield name, earlier, later
