"""The list a sitting works through: queues, filter, order, the cursor, and how many cases are in which state.

The cursor is a case, never an index. Counts are kept as cases change, so that a hundred thousand cases cost nothing to count.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from scoring.adjudication.cases import Case, Status
from scoring.adjudication.filters import EVERYTHING, Filter
from scoring.problems import InputError
from scoring.tasks import Task

ALL = "all"
BY_STATUS = {"conflicts": "conflict", "stale": "stale"}


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

    task: Task
    cases: dict[str, Case] = field(default_factory=dict, kw_only=True)
    queue: str = field(default=ALL, kw_only=True)
    filter: Filter = field(default=EVERYTHING, kw_only=True)
    order: list[str] = field(default_factory=list, kw_only=True)
    cursor: str | None = field(default=None, kw_only=True)
    picked: list[str] = field(default_factory=list, kw_only=True)
    occurrence: int = field(default=0, kw_only=True)
    _trail: list[str] = field(default_factory=list, kw_only=True)
    _positions: dict[str, int] = field(default_factory=dict, kw_only=True)
    _counts: dict[str, Counter[str]] = field(default_factory=dict, kw_only=True)

    def load_cases(self, cases: Iterable[Case]) -> None:
        """Take the cases of the task, in queue order, and list the current queue anew."""
        self.cases = {case.id: case for case in cases}
        self._counts = {}
        for case in self.cases.values():
            self._count(case, 1)
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
        self._list([case.id for case in self.cases.values() if self._is_listed(case)])

    def _list(self, order: list[str]) -> None:
        self.order = order
        self._positions = dict(zip(order, range(len(order)), strict=True))
        if self.cursor not in self._positions:
            self.go(next((case for case in order if self.cases[case].status == "open"), order[0] if order else None))

    def _is_listed(self, case: Case) -> bool:
        return self.queue in self._queues_of(case) and self.filter(case)

    @staticmethod
    def _queues_of(case: Case) -> tuple[str, ...]:
        by_status = tuple(queue for queue, status in BY_STATUS.items() if case.status == status and queue != case.queue)
        return (ALL, case.queue, *by_status)

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
        """Move to the next case that is not decided, from here round to the beginning; whether there is one."""
        start = self.position + 1
        found = next((case for case in (*self.order[start:], *self.order[:start]) if self.cases[case].status != "decided"), None)
        if found is not None:
            self.go(found)
        return found is not None

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

    def show_case(self, case: str) -> None:
        """Put the cursor on a case, opening its queue without a filter where the present list does not hold it."""
        if case in self.cases and case not in self._positions:
            self.queue, self.filter = self.cases[case].queue, EVERYTHING
            self._relist()
        self.go(case)

    def _set_status(self, case_id: str, status: Status) -> None:
        case = self.cases.get(case_id)
        if case is None or case.status == status:
            return
        self._count(case, -1)
        self.cases[case_id] = case = replace(case, status=status, note="")
        self._count(case, 1)

    def _count(self, case: Case, by: int) -> None:
        for queue in self._queues_of(case):
            self._counts.setdefault(queue, Counter())[case.status] += by

    def _replace(self, pages: frozenset[str], fresh: Sequence[Case]) -> None:
        """Put the pages' cases as they are now in the place of those before; known ones keep their place, new ones follow by leverage."""
        renewed = {case.id for case in fresh}
        gone = [case for case in self.cases.values() if case.page in pages and case.id not in renewed]
        for case in gone:
            self._count(case, -1)
            del self.cases[case.id]
        for case in fresh:
            known = self.cases.get(case.id)
            if known is not None:
                self._count(known, -1)
            self.cases[case.id] = case
            self._count(case, 1)
        order = [case for case in self.order if case in self.cases]
        joining = [case for case in fresh if case.id not in self._positions and self._is_listed(case)]
        for case in joining:
            order.insert(bisect_left(order, -case.leverage, key=lambda one: -self.cases[one].leverage), case.id)
        if gone or joining:
            self._list(order)

    def progress(self, queue: str | None = None) -> Progress:
        """How far a queue is (the one that is open, unless named)."""
        counts = self._counts.get(queue or self.queue, Counter())
        return Progress(counts["open"], counts["decided"], counts["stale"], counts["conflict"])
