"""The list a sitting works through: queues, filter, order, the cursor, and how many cases are in which state.

The cursor is a case, never an index. Counts are kept as cases change, so that a hundred thousand cases cost nothing to count.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from scoring.adjudication.cases import Case, Status
from scoring.adjudication.filters import EVERYTHING, Filter
from scoring.foundations.incremental import Steps
from scoring.foundations.problems import InputError
from scoring.tasks import AnyTask

ALL = "all"
BY_STATUS = {"conflicts": "conflict", "stale": "stale"}
# How many cases are looked at in one short step.
_STEP = 500


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a queue is: cases by status."""

    open: int
    decided: int
    stale: int
    conflict: int

    @property
    def total(self) -> int:
        return self.open + self.decided + self.stale + self.conflict


def _positions(order: Sequence[str]) -> dict[str, int]:
    return dict(zip(order, range(len(order)), strict=True))


@dataclass(frozen=True, slots=True)
class _Listing:
    """Cases in the order in which they are listed, and where each stands. Never changed."""

    order: list[str]
    positions: dict[str, int]

    @classmethod
    def of(cls, order: list[str]) -> _Listing:
        return cls(order, _positions(order))


@dataclass(slots=True)
class CaseList:
    """Cases by id, and the part of them that is listed.

    Attributes:
        cases: every case of the task by id.
        queue, filter: what `order` lists.
        cursor: id of the case looked at, or `None` when the list is empty.
        picked: ROWs chosen by digit for the next verdict.
        occurrence: which occurrence of the case is shown.
    """

    task: AnyTask
    cases: dict[str, Case] = field(default_factory=dict, kw_only=True)
    queue: str = field(default=ALL, kw_only=True)
    filter: Filter = field(default=EVERYTHING, kw_only=True)
    order: list[str] = field(default_factory=list, kw_only=True)
    cursor: str | None = field(default=None, kw_only=True)
    picked: list[str] = field(default_factory=list, kw_only=True)
    occurrence: int = field(default=0, kw_only=True)
    _ranked: list[str] = field(default_factory=list, kw_only=True)
    _on_page: dict[str, set[str]] = field(default_factory=dict, kw_only=True)
    _trail: list[str] = field(default_factory=list, kw_only=True)
    _positions: dict[str, int] = field(default_factory=dict, kw_only=True)
    _counts: dict[str, Counter[str]] = field(default_factory=dict, kw_only=True)
    # Queue -> what it lists without a filter: to look at a hundred thousand cases at each change of the queue would be seen.
    _listings: dict[str, _Listing] = field(default_factory=dict, kw_only=True)

    def load_cases(self, cases: Iterable[Case]) -> None:
        """Take the cases of the task, in queue order, and list the current queue anew."""
        self.cases = {case.id: case for case in cases}
        self._ranked = list(self.cases)
        self._counts, self._on_page = {}, {}
        alike: Counter[tuple[str, Status]] = Counter()
        for case in self.cases.values():
            alike[case.queue, case.status] += 1
            self._on_page.setdefault(case.page, set()).add(case.id)
        for (queue, status), times in alike.items():
            self._count(queue, status, times)
        listed: dict[str, list[str]] = {queue: [] for queue in (ALL, *self.task.queues)}
        for case in self.cases.values():
            for queue in self._queues_of(case.queue, case.status):
                listed.setdefault(queue, []).append(case.id)
        self._listings = {queue: _Listing.of(order) for queue, order in listed.items()}
        self._relist()

    def open_queue(self, queue: str, wanted: Filter | None = None) -> None:
        """List a queue (`all`: every case) under a filter; the cursor stays on its case if it is listed, else the first open one."""
        if queue != ALL and queue not in self.task.queues:
            raise InputError(f"there is no queue `{queue}`", hint=f"queues are {', '.join((*self.task.queues, ALL))}")
        self.queue = queue
        if wanted is not None:
            self.filter = wanted
        self._relist()

    def _relist(self) -> None:
        self._list(self._listed(self._ranked))

    def _listed(self, ranked: list[str]) -> list[str]:
        """Those of the ranked cases that the queue and the filter let through."""
        cases = self.cases
        listed = self.in_queue(self.queue) if ranked is self._ranked else list(self._of_queue(self.queue, ranked))
        return [case for case in listed if self._passes(cases[case])] if self.filter.tests else listed

    def in_queue(self, queue: str) -> list[str]:
        """All cases of a queue in its order, whatever the filter; not to be changed."""
        if queue not in self._listings:
            # As many as are known to be in it: behind the last one nothing need be looked at.
            listed = islice(self._of_queue(queue, self._ranked), self.progress(queue).total)
            self._listings[queue] = _Listing.of(list(listed))
        return self._listings[queue].order

    def _of_queue(self, queue: str, ranked: Sequence[str]) -> Iterator[str]:
        if queue == ALL:
            return iter(ranked)
        cases, status = self.cases, BY_STATUS.get(queue)
        return (case for case in ranked if cases[case].queue == queue or cases[case].status == status)

    def _passes(self, case: Case) -> bool:
        """Whether the filter lets a case through."""
        return self.filter(case)

    def waits(self, case: Case) -> bool:
        """Whether "next undecided" stops at a case: while nobody has decided it."""
        return case.status != "decided"

    def _list(self, order: list[str]) -> None:
        known = self._listings.get(self.queue)
        self.order, self._positions = order, known.positions if known is not None and known.order is order else _positions(order)
        if self.cursor not in self._positions:
            self.go(next((case for case in order if self.cases[case].status == "open"), order[0] if order else None))

    @staticmethod
    def _queues_of(queue: str, status: Status) -> tuple[str, ...]:
        """The queues that list a case of this queue in this state."""
        by_status = tuple(other for other, wanted in BY_STATUS.items() if status == wanted and other != queue)
        return (ALL, queue, *by_status)

    @property
    def current(self) -> Case | None:
        return self.cases.get(self.cursor) if self.cursor is not None else None

    @property
    def position(self) -> int:
        """Where the cursor stands in `order`, from 0; -1 in an empty queue."""
        return self._positions.get(self.cursor, -1) if self.cursor is not None else -1

    def go(self, case: str | None) -> None:
        """Put the cursor on a case."""
        if case == self.cursor:
            return
        if self.cursor is not None:
            self._trail.append(self.cursor)
        self._place(case)

    def _place(self, case: str | None) -> None:
        self.cursor, self.picked, self.occurrence = case, [], 0

    def move(self, by: int) -> None:
        """Move the cursor by so many lines, stopping at the ends."""
        if self.order:
            self.go(self.order[min(max(self.position + by, 0), len(self.order) - 1)])

    def back(self) -> None:
        """Return to the case looked at before."""
        while self._trail:
            last = self._trail.pop()
            if last in self.cases:
                if last not in self._positions:
                    self.queue, self.filter = ALL, EVERYTHING
                    self._relist()
                self._place(last)
                return

    def next_open(self) -> bool:
        """Move to the next case that waits for a verdict, from here round to the beginning; whether there is one."""
        found = self.next_waiting()
        if found is not None:
            self.go(found)
        return found is not None

    def next_waiting(self) -> str | None:
        """The next case that waits for a verdict, from the cursor round to the beginning."""
        start, order, cases = self.position + 1, self.order, self.cases
        onward = chain(range(start, len(order)), range(start))
        return next((order[at] for at in onward if self.waits(cases[order[at]])), None)

    def find(self, prefix: str) -> Case:
        """The case whose id begins so.

        Raises:
            InputError: none, or several do.
        """
        exact = self.cases.get(prefix)
        if exact is not None:
            return exact
        found = [case for case in self.cases if case.startswith(prefix)] if prefix else []
        if len(found) == 1:
            return self.cases[found[0]]
        if not found:
            raise InputError(f"there is no case `{prefix}`", hint="`adjudicate next` shows one; ids change when the judged rows change")
        raise InputError(f"`{prefix}` is the beginning of {len(found)} cases: {', '.join(found[:5])}", hint="give more of the id")

    def case_or_page(self, text: str) -> Case:
        """The first case of the list on that page (`28`, `page 28`), else the first of any queue; else the case whose id begins so.

        Raises:
            InputError: neither.
        """
        page = text.casefold().removeprefix("page").lstrip(" :") or text
        on_page = next(
            (self.cases[one] for names in (self.order, self._ranked) for one in names if self.cases[one].page.casefold() == page), None
        )
        return on_page if on_page is not None else self.find(text)

    def show_case(self, case: str) -> None:
        """Put the cursor on a case, opening its queue without a filter where the present list does not hold it."""
        if case in self.cases and case not in self._positions:
            self.queue, self.filter = self.cases[case].queue, EVERYTHING
            self._relist()
        self.go(case)

    def _set_status(self, case_id: str, status: Status) -> None:
        case = self.cases.get(case_id)
        if case is not None and case.status != status:
            self._put(replace(case, status=status, note=""))

    def _put(self, case: Case) -> None:
        """Put a case in the place of what was known of it."""
        known = self.cases.get(case.id)
        if known is not None:
            self._drop(known)
        if known is None or known.queue != case.queue:
            self._listings.clear()
        elif known.status != case.status:
            for queue in BY_STATUS:
                self._listings.pop(queue, None)
        self.cases[case.id] = case
        self._on_page.setdefault(case.page, set()).add(case.id)
        self._count(case.queue, case.status, 1)

    def _drop(self, case: Case) -> None:
        self._count(case.queue, case.status, -1)
        self._on_page[case.page].discard(case.id)

    def _count(self, queue: str, status: Status, by: int) -> None:
        for of in self._queues_of(queue, status):
            self._counts.setdefault(of, Counter())[status] += by

    def _replacing(self, pages: Collection[str], fresh: Iterable[Case]) -> Steps[None]:
        """Put the pages' cases as they are now in the place of those before, in short steps; nothing changes before the last one.

        Known cases keep their place, new ones follow by leverage. A case judged since the fresh ones were worked out keeps the
        state the verdict gave it.
        """
        renewed: dict[str, Case] = {}
        for number, case in enumerate(fresh, 1):
            renewed[case.id] = case
            if number % _STEP == 0:
                yield
        # Let go of one by one: to free a hundred thousand cases at once would be the longest step of all.
        del fresh
        names, changed = set(renewed), list[Case]()
        while renewed:
            _, case = renewed.popitem()
            known = self.cases.get(case.id)
            if known is None or known != case:
                changed.append(case)
            if len(renewed) % _STEP == 0:
                yield
        changed.reverse()
        yield
        gone = [case for page in pages for case in self._on_page.get(page, ()) if case not in names]
        joining = sorted((case for case in changed if case.id not in self.cases), key=lambda case: -case.leverage)
        for case in changed:
            known = self.cases.get(case.id)
            judged_since = known is not None and known.status != case.status and self._judged_since(case)
            self._put(replace(case, status=known.status, note=known.note) if known is not None and judged_since else case)
        for name in gone:
            self._drop(self.cases.pop(name))
        if gone or joining:
            self._listings.clear()
            kept = [case for case in self._ranked if case in self.cases] if gone else self._ranked
            self._ranked = self._merged(kept, joining)
        entering = {case for case in self._listed([case.id for case in changed]) if case not in self._positions}
        if gone or entering:
            everything = self.queue == ALL and not self.filter.tests
            listed = self._positions.keys()
            self._list(self._ranked.copy() if everything else [one for one in self._ranked if one in listed or one in entering])

    def _judged_since(self, case: Case) -> bool:
        """Whether a verdict on the case was given whose consequences are not worked out yet."""
        raise NotImplementedError

    def _merged(self, ranked: list[str], joining: Sequence[Case]) -> list[str]:
        """The ranking with new cases in it, each behind those of no less leverage."""
        if not joining:
            return ranked
        cases, merged, at = self.cases, list[str](), 0
        for case in joining:
            place = bisect_right(ranked, -case.leverage, lo=at, key=lambda one: -cases[one].leverage)
            merged += ranked[at:place]
            merged.append(case.id)
            at = place
        return merged + ranked[at:]

    def progress(self, queue: str | None = None) -> Progress:
        """How far a queue is (the one that is open, unless named)."""
        counts = self._counts.get(queue or self.queue, Counter())
        return Progress(counts["open"], counts["decided"], counts["stale"], counts["conflict"])
