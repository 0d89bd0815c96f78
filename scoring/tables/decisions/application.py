"""Which decisions hold on which rows: verdicts of the log bound to the rows of today (`docs/adjudication.md#reading-back`).

A verdict names a *reading* of a page, resolved run by run, or one run's row (`locating`); of several the one that stands is bound
(`weighing`, `resolving`). Verdicts given under other rules are read under today's: the rows are the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from scoring.adjudication.decisions import UNSURE, Decisions, Key, Standing
from scoring.tables.decisions.anchor import PREFIX, TASK, AnchoredVerdict, CaseKey, Stale, carried_out, locate, row_number
from scoring.tables.decisions.precedence import CaseStanding, rulings, weighed
from scoring.tables.decisions.resolution import NOTHING_BOUND, GivenLabel, PageDecisions, Split, resolved
from scoring.tables.matching.normalized import PreparedMaterial, PreparedPage, PreparedRunPage

__all__ = [
    "NOTHING_BOUND",
    "NOTHING_ON_PAGE",
    "PREFIX",
    "REVISIT",
    "TASK",
    "AnchoredVerdict",
    "Binding",
    "CaseKey",
    "GivenLabel",
    "PageBinding",
    "PageDecisions",
    "Stale",
    "bind",
    "bound_with",
    "rebound",
    "row_number",
]


@dataclass(frozen=True)
class PageBinding:
    """The decisions on one page.

    Attributes:
        by_form: standing statements by the reading they judge ("" for those about a GT row alone).
        standing: what stands, by the id of today's case.
        contested: one statement of each case in conflict.
        narrowed: grouped cases of which single rows have a standing of their own.
        keys: the keys of the log's standings that were looked at.
        acted_on: doubts about the ground truth that it has followed since.
        given: the cases verdicts were given on, as they are today.
        rests: by the case of a reading, those of occurrences its verdict does not speak of.
        written: under which other ids than today's the log has the verdicts on a case.
        splits: by run, what its verdicts mean and do not reach there, once that was worked out.
    """

    by_form: Mapping[str, tuple[AnchoredVerdict, ...]] = field(default_factory=dict)
    standing: Mapping[str, CaseStanding] = field(default_factory=dict)
    stale: tuple[Stale, ...] = ()
    conflicts: tuple[Standing, ...] = ()
    keys: frozenset[Key] = frozenset()
    contested: tuple[AnchoredVerdict, ...] = ()
    narrowed: frozenset[CaseKey] = frozenset()
    acted_on: tuple[Stale, ...] = ()
    given: tuple[CaseKey, ...] = ()
    rests: Mapping[CaseKey, tuple[CaseKey, ...]] = field(default_factory=dict)
    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    splits: dict[str, Split] = field(default_factory=dict, repr=False, compare=False)

    @property
    def statements(self) -> Iterator[AnchoredVerdict]:
        return (statement for found in self.by_form.values() for statement in found)

    def answered(self, key: CaseKey) -> bool:
        """Whether what a case asks is answered by what was said of it."""
        found = self.standing.get(key.id)
        return found is not None and bool(found.answering(key.ask))

    def decided(self, key: CaseKey) -> bool:
        """Whether nobody need be asked: a row of which something else was said alone is left where its reading was left `unsure`."""
        whole = self.standing.get(key.grouped.id) if key.run is not None else None
        left = whole is not None and any(part.entry.verdict == UNSURE for part in whole.answering(key.ask))
        return left or self.answered(key)

    def case_of_row(self, key: CaseKey, gt: PreparedPage, answer: PreparedRunPage, row: int) -> CaseKey:
        """The case that asks about a row: of the row alone where a verdict stands on it, of the occurrences a verdict left, else `key`."""
        if key in self.narrowed:
            own = key.on_row(answer.run.key, key.rows(gt, answer).index(row))
            if own.id in self.standing:
                return own
        rest = next((rest for rest in self.rests.get(key, ()) if row in rest.rows(gt, answer)), None)
        return self.case_of_row(rest, gt, answer, row) if rest is not None else key


NOTHING_ON_PAGE = PageBinding()
REVISIT = "revisit"
"""An entry that lays another verifier's stale verdict to rest; it says nothing itself."""


class ScoredPage(Protocol):
    """A page of a run as scored: what binding needs to know of it."""

    @property
    def holders(self) -> Mapping[int, int]:
        """GT row -> model row matched to it."""
        ...


@dataclass(frozen=True)
class Binding:
    """All decisions of the log on the material, page by page: what applies, what is stale and why, what is in conflict.

    `as_scored` are the automatic scores by (run, page): a row matched there keeps its record from a grouped `same`.
    """

    prepared: PreparedMaterial
    pages: Mapping[str, PageBinding]
    as_scored: Mapping[tuple[str, str], ScoredPage] = field(default_factory=dict, repr=False, compare=False)

    def of_page(self, page: str) -> PageBinding:
        """The decisions on one page."""
        return self.pages.get(page, NOTHING_ON_PAGE)

    def on(self, run: str, page: str) -> PageDecisions:
        """The decisions on one page of one run; `NOTHING_BOUND` when there are none."""
        statements = self._spoken(run, page)
        if not statements:
            return NOTHING_BOUND
        bound, self.of_page(page).splits[run] = self.resolved(run, page, statements)
        return bound

    def split_off(self, run: str, page: str) -> Split:
        """Rows (0-based) that a grouped verdict means and does not reach in this run, with the verdict's statement."""
        found = self.of_page(page)
        if found.by_form and run not in found.splits:
            self.on(run, page)
        return found.splits.get(run, ())

    def resolved(self, run: str, page: str, statements: list[AnchoredVerdict]) -> tuple[PageDecisions, Split]:
        """What statements settle on one page of one run, and the rows they do not reach."""
        scored = self.as_scored.get((run, page))
        return resolved(self.prepared.pages[page], self.prepared.run_page(run, page), statements, scored.holders if scored else {})

    def _spoken(self, run: str, page: str) -> list[AnchoredVerdict]:
        by_form = self.of_page(page).by_form
        if not by_form:
            return []
        return [statement for form in self.prepared.run_page(run, page).rows_by_form for statement in by_form.get(form, ())]

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

    def standing_of(self, case: str, page: str) -> CaseStanding | None:
        """What stands for a case of today."""
        return self.of_page(page).standing.get(case)


def bind(prepared: PreparedMaterial, decisions: Decisions, as_scored: Mapping[tuple[str, str], ScoredPage] | None = None) -> Binding:
    """Bind the standing decisions of the tables task to the rows of today."""
    keys: dict[str, set[Key]] = defaultdict(set)
    for key, standing in decisions.standing.items():
        if key[0] == TASK:
            keys[str(standing.entry.basis.get("page"))].add(key)
    pages = {page: _bind_page(prepared, decisions, frozenset(found)) for page, found in keys.items()}
    return Binding(prepared, pages, as_scored if as_scored is not None else {})


def rebound(binding: Binding, decisions: Decisions, page: str, changed: Iterable[Key]) -> Binding:
    """The binding with one page bound again: its decisions, and `changed` ones."""
    keys = binding.of_page(page).keys | frozenset(changed)
    return replace(binding, pages={**binding.pages, page: _bind_page(binding.prepared, decisions, keys)})


def bound_with(binding: Binding, said: AnchoredVerdict | None, run: str, page: str) -> PageDecisions:
    """The decisions on one page of one run as they would be with one statement more, in the place of what stands for its case.

    `None` says nothing of it (`said_by`).
    """
    prepared = binding.prepared
    answer, by_form = prepared.run_page(run, page), binding.of_page(page).by_form
    statements = [one for form in answer.rows_by_form for one in by_form.get(form, ())]
    if said is not None:
        gt, kind = prepared.pages[page], said.kind
        found = replace(said, key=said.about)
        others = [one for one in statements if (one.key, one.kind) != (found.key, kind)]
        wider = {one.key: one.elsewhere | _apart(gt, answer, found, one) for one in others if one.kind == kind}
        within = frozenset[tuple[str, int]]().union(*(_apart(gt, answer, one, found) for one in others if one.kind == kind))
        statements = [replace(one, elsewhere=wider[one.key]) if one.kind == kind else one for one in others]
        if found.key.form in answer.rows_by_form:
            statements.append(replace(found, elsewhere=within))
    return binding.resolved(run, page, statements)[0] if statements else NOTHING_BOUND


def _apart(gt: PreparedPage, answer: PreparedRunPage, narrow: AnchoredVerdict, wide: AnchoredVerdict) -> frozenset[tuple[str, int]]:
    """The rows (run, nth) of a statement that another on some of its occurrences takes from it, on one page of one run."""
    key = narrow.key
    if key.grouped == wide.key and key.run is not None:
        return frozenset({(key.run, key.nth)})
    if key.run is None and key.beyond is not None and replace(key, beyond=None) == wide.key:
        rows = set(key.rows(gt, answer))
        return frozenset((answer.run.key, nth) for nth, row in enumerate(wide.key.rows(gt, answer)) if row in rows)
    return frozenset()


def _bind_page(prepared: PreparedMaterial, decisions: Decisions, keys: frozenset[Key]) -> PageBinding:
    keys = frozenset(key for key in keys if key in decisions.standing)
    if not keys:
        return NOTHING_ON_PAGE
    entries = {entry.id: entry for key in keys for entry in decisions.standing[key].entries}
    ruled = rulings(decisions, keys)
    statements: list[AnchoredVerdict] = []
    stale: list[Stale] = []
    acted_on: list[Stale] = []
    for _, entry in sorted(entries.items()):
        if entry.verdict == REVISIT:
            continue
        found = locate(prepared, entry)
        if isinstance(found, AnchoredVerdict):
            statements.append(found)
        elif ruled.of(entry, entry.run) is None:
            (acted_on if carried_out(prepared, entry) else stale).append(Stale(entry, found))
    stands = weighed(prepared, statements, ruled)
    by_form: dict[str, list[AnchoredVerdict]] = defaultdict(list)
    for statement in stands.statements:
        by_form[statement.key.form].append(statement)
    given = {statement.key.id: statement.key for statement in statements}
    disputed = (part for case in given if case in stands.standing for part in stands.standing[case].parts if part.conflict)
    conflicts = sorted(disputed, key=lambda one: (one.entry.id, one.case))
    written: dict[str, dict[str, None]] = defaultdict(dict)
    for statement in statements:
        for case in {statement.key.id, statement.about.id} - {statement.entry.case}:
            written[case][statement.entry.case] = None
    return PageBinding(
        {form: tuple(found) for form, found in by_form.items()},
        stands.standing,
        tuple(stale),
        tuple(conflicts),
        keys,
        stands.contested,
        frozenset(key.grouped for one in statements if one.key.run is not None for key in (one.key, one.about)),
        tuple(acted_on),
        tuple(given.values()),
        stands.rests,
        {case: tuple(others) for case, others in written.items()},
    )
