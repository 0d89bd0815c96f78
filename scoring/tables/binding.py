"""Which decisions hold on which rows: verdicts of the log bound to the rows of today (`4-adjudication`, Cases, Reading back).

A verdict names a *reading* of a page, resolved run by run, or one run's row (`locating`); of several the one that stands is bound
(`weighing`). Verdicts given under other rules are read under today's: the rows are the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.adjudication.decisions import Decisions, Entry, Key, Standing
from scoring.tables.counts import LABELS
from scoring.tables.locating import PREFIX, TASK, CaseKey, Stale, Statement, carried_out, locate, row_number, row_pointed_to
from scoring.tables.prepared import Prepared, PreparedPage, PreparedRunPage
from scoring.tables.weighing import rulings, weighed

__all__ = [
    "NOTHING_BOUND",
    "NOTHING_ON_PAGE",
    "PREFIX",
    "TASK",
    "Binding",
    "Bound",
    "CaseKey",
    "Given",
    "PageBinding",
    "Stale",
    "Statement",
    "bind",
    "bound_with",
    "rebound",
    "row_number",
]


@dataclass(frozen=True, slots=True)
class Given:
    """A label a verifier gave to a model row: rows it points to (0-based), and the entry's id."""

    label: str
    gt: tuple[int, ...]
    model: int | None
    decided_by: str


@dataclass(frozen=True, slots=True)
class Bound:
    """The decisions on one page of one run, rows 0-based: pairs settled `same` with their entry's id, pairs barred, labels given."""

    same: tuple[tuple[int, int, str], ...] = ()
    barred: frozenset[tuple[int, int]] = frozenset()
    labels: Mapping[int, Given] = field(default_factory=dict)
    entries: frozenset[str] = frozenset()


NOTHING_BOUND = Bound()


@dataclass(frozen=True)
class PageBinding:
    """The decisions on one register page.

    Attributes:
        by_form: standing statements by the reading they judge ("" for those about a GT row alone).
        standing: what stands, by the id of today's case.
        contested: one statement of each case in conflict.
        narrowed: grouped cases of which single rows have a standing of their own.
        keys: the keys of the log's standings that were looked at.
        acted_on: doubts about the ground truth that it has followed since.
    """

    by_form: Mapping[str, tuple[Statement, ...]] = field(default_factory=dict)
    standing: Mapping[str, Standing] = field(default_factory=dict)
    stale: tuple[Stale, ...] = ()
    conflicts: tuple[Standing, ...] = ()
    keys: frozenset[Key] = frozenset()
    contested: tuple[Statement, ...] = ()
    narrowed: frozenset[CaseKey] = frozenset()
    acted_on: tuple[Stale, ...] = ()

    @property
    def statements(self) -> Iterator[Statement]:
        return (statement for found in self.by_form.values() for statement in found)


NOTHING_ON_PAGE = PageBinding()


@dataclass(frozen=True)
class Binding:
    """All decisions of the log on the material, page by page: what applies, what is stale and why, what is in conflict."""

    prepared: Prepared
    pages: Mapping[str, PageBinding]

    def of_page(self, page: str) -> PageBinding:
        """The decisions on one register page."""
        return self.pages.get(page, NOTHING_ON_PAGE)

    def on(self, run: str, page: str) -> Bound:
        """The decisions on one page of one run; `NOTHING_BOUND` when there are none."""
        by_form = self.of_page(page).by_form
        if not by_form:
            return NOTHING_BOUND
        answer = self.prepared.run_page(run, page)
        statements = [statement for form in answer.rows_by_form for statement in by_form.get(form, ())]
        return _bound(self.prepared.pages[page], answer, statements) if statements else NOTHING_BOUND

    def unresolved(self, run: str, page: str) -> Iterator[tuple[Statement, int]]:
        """Rows (0-based) that a grouped verdict means but whose pointer does not exist in this run."""
        gt, answer, by_form = self.prepared.pages[page], self.prepared.run_page(run, page), self.of_page(page).by_form
        for form in answer.rows_by_form:
            for statement in by_form.get(form, ()):
                if statement.model is not None and statement.key.run is None:
                    for row in statement.rows(gt, answer):
                        if row_pointed_to(gt, answer, statement.model, row) is None:
                            yield statement, row

    @property
    def stale(self) -> tuple[Stale, ...]:
        return tuple(one for page in self.pages.values() for one in page.stale)

    @property
    def conflicts(self) -> tuple[Standing, ...]:
        return tuple(one for page in self.pages.values() for one in page.conflicts)

    @property
    def applied(self) -> frozenset[str]:
        """Ids of the entries that apply."""
        return frozenset(statement.entry.id for page in self.pages.values() for statement in page.statements)

    def standing_of(self, case: str, page: str) -> Standing | None:
        """What stands for a case of today."""
        return self.of_page(page).standing.get(case)


def bind(prepared: Prepared, decisions: Decisions) -> Binding:
    """Bind the standing decisions of the tables task to the rows of today."""
    keys: dict[str, set[Key]] = defaultdict(set)
    for key, standing in decisions.standing.items():
        if key[0] == TASK:
            keys[str(standing.entry.basis.get("page"))].add(key)
    return Binding(prepared, {page: _bind_page(prepared, decisions, frozenset(found)) for page, found in keys.items()})


def rebound(binding: Binding, decisions: Decisions, page: str, changed: Iterable[Key]) -> Binding:
    """The binding with one page bound again: its decisions, and `changed` ones."""
    keys = binding.of_page(page).keys | frozenset(changed)
    return Binding(binding.prepared, {**binding.pages, page: _bind_page(binding.prepared, decisions, keys)})


def bound_with(binding: Binding, entry: Entry, run: str, page: str) -> Bound:
    """The decisions on one page of one run as they would be with one entry more, in the place of what stands for its case."""
    prepared = binding.prepared
    found = locate(prepared, entry, keep=False)
    answer, by_form = prepared.run_page(run, page), binding.of_page(page).by_form
    statements = [one for form in answer.rows_by_form for one in by_form.get(form, ())]
    if isinstance(found, Statement):
        key = found.key
        place = frozenset({(key.run, key.nth)}) if key.run is not None else frozenset[tuple[str, int]]()
        if key.run is None:
            rows = (one.key for one in statements if one.key.grouped == key and one.key.run is not None)
            found = replace(found, elsewhere=frozenset((one.run, one.nth) for one in rows if one.run is not None))
        statements = [
            replace(one, elsewhere=one.elsewhere | place) if place and one.key == key.grouped else one
            for one in statements
            if one.key != key
        ]
        if key.form in answer.rows_by_form:
            statements.append(found)
    return _bound(prepared.pages[page], answer, statements) if statements else NOTHING_BOUND


def _bind_page(prepared: Prepared, decisions: Decisions, keys: frozenset[Key]) -> PageBinding:
    keys = frozenset(key for key in keys if key in decisions.standing)
    if not keys:
        return NOTHING_ON_PAGE
    entries = {entry.id: entry for key in keys for entry in decisions.standing[key].entries}
    ruled = rulings(decisions, keys)
    statements: list[Statement] = []
    stale: list[Stale] = []
    acted_on: list[Stale] = []
    for _, entry in sorted(entries.items()):
        found = locate(prepared, entry)
        if isinstance(found, Statement):
            statements.append(found)
        elif ruled.of(entry, entry.run) is None:
            (acted_on if carried_out(prepared, entry) else stale).append(Stale(entry, found))
    stands = weighed(prepared, statements, ruled)
    by_form: dict[str, list[Statement]] = defaultdict(list)
    for statement in stands.statements:
        by_form[statement.key.form].append(statement)
    conflicts = sorted((one for one in stands.standing.values() if one.conflict), key=lambda one: (one.entry.id, one.case))
    return PageBinding(
        {form: tuple(found) for form, found in by_form.items()},
        stands.standing,
        tuple(stale),
        tuple(conflicts),
        keys,
        stands.contested,
        frozenset(statement.key.grouped for statement in statements if statement.key.run is not None),
        tuple(acted_on),
    )


def _bound(gt: PreparedPage, answer: PreparedRunPage, statements: Sequence[Statement]) -> Bound:
    """Resolve a page's statements on one run. Row statements speak last: they narrow what a grouped verdict said."""
    same: dict[tuple[int, int], str] = {}
    barred: dict[tuple[int, int], str] = {}
    labels: dict[int, Given] = {}
    for statement in sorted(statements, key=lambda one: (one.key.run is not None, one.entry.id, one.key.run or "", one.key.nth)):
        verdict, by = statement.entry.verdict, statement.entry.id
        for row in statement.rows(gt, answer):
            if verdict == "same" and statement.names_pair:
                same = {pair: who for pair, who in same.items() if pair[1] != row}
                same[statement.gt[0], row] = by
                barred.pop((statement.gt[0], row), None)
            elif verdict == "different" and statement.names_pair:
                barred[statement.gt[0], row] = by
                same.pop((statement.gt[0], row), None)
            elif verdict in LABELS:
                model = row_pointed_to(gt, answer, statement.model, row) if statement.model is not None else None
                if statement.model is None or model is not None:
                    labels[row] = Given(verdict, statement.gt, model, by)
    if not (same or barred or labels):
        return NOTHING_BOUND
    by_ids = frozenset(same.values()) | frozenset(barred.values()) | frozenset(given.decided_by for given in labels.values())
    return Bound(tuple((g, m, by) for (g, m), by in same.items()), frozenset(barred), labels, by_ids)
