"""One sitting of one verifier at one task: queue, cursor, filters, verdicts, undo, progress. Plain Python, no Textual.

The screens draw it and the commands use it. The cursor is a case, never an index. A verdict is on disk before anything
here changes; its consequences for other cases are worked out afterwards, in short steps (`settle`).
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from scoring.adjudication.cases import Block, Case, Grid, Judgement
from scoring.adjudication.decisions import Decisions, Entry, new_id, retraction, timestamp
from scoring.adjudication.filters import EVERYTHING, Filter
from scoring.adjudication.log import Log
from scoring.problems import InputError
from scoring.steps import Steps
from scoring.tasks import Task

ALL = "all"
BY_STATUS = {"conflicts": "conflict", "stale": "stale"}
PACE = 20


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a queue is: cases by status, and the minutes the open ones will take at the pace of the last verdicts."""

    open: int
    decided: int
    stale: int
    conflict: int
    minutes_left: float | None = None

    @property
    def total(self) -> int:
        return self.open + self.decided + self.stale + self.conflict


@dataclass(slots=True)
class Session:
    """State of one sitting.

    Attributes:
        evaluation: scores under the decisions worked out so far; `settle` brings it up to date.
        cases: every case of the task by id.
        queue, filter: what `order` lists.
        cursor: id of the case looked at, or `None` when the queue is empty.
        picked: ROWs chosen by digit for the next verdict.
        occurrence: which occurrence of the case is shown.
        blind: whether proposal, model, similarity and others' verdicts are hidden until the verdict is given.
    """

    task: Task
    evaluation: Any
    decisions: Decisions
    log: Log | None
    blind: bool = False
    clock: Callable[[], float] = time.monotonic
    cases: dict[str, Case] = field(default_factory=dict)
    queue: str = ALL
    filter: Filter = EVERYTHING
    order: list[str] = field(default_factory=list)
    cursor: str | None = None
    picked: list[str] = field(default_factory=list)
    occurrence: int = 0
    _trail: list[str] = field(default_factory=list)
    _given_at: list[float] = field(default_factory=list)
    _changed: dict[str, set[tuple[str, str, str | None]]] = field(default_factory=dict)
    _work: Steps[None] | None = None
    _evidence: tuple[tuple[object, ...], Sequence[Block]] | None = None
    _positions: dict[str, int] = field(default_factory=dict)
    _counts: dict[str, Counter[str]] = field(default_factory=dict)

    # Queue and cursor

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

    # Looking at a case

    def evidence(self) -> Sequence[Block]:
        """The blocks of the case under the cursor, worked out once while nothing changes."""
        case = self.current
        if case is None:
            return ()
        key = (case.id, self.occurrence, self.hides(case), id(self.evaluation))
        if self._evidence is None or self._evidence[0] != key:
            self._evidence = key, self.task.evidence(self.evaluation, case, self.occurrence, blind=key[2])
        return self._evidence[1]

    def candidates(self) -> tuple[str, ...]:
        """The ROWs digit keys point to: the lines of the numbered grids."""
        grids = (block for block in self.evidence() if isinstance(block, Grid) and block.numbered)
        return tuple(line.target for grid in grids for line in grid.lines if line.target is not None)

    def pick(self, number: int) -> str | None:
        """Choose the candidate of that number (from 1) for the next verdict, or let it go again; the ROW, or `None` if there is none."""
        rows = self.candidates()
        if not 1 <= number <= len(rows):
            return None
        target = rows[number - 1]
        if target in self.picked:
            self.picked.remove(target)
        else:
            self.picked.append(target)
        return target

    def show_occurrence(self, by: int) -> None:
        """Step through the places where the case occurs."""
        case = self.current
        if case is not None and case.occurrences:
            self.occurrence = (self.occurrence + by) % len(case.occurrences)
            self.picked = []

    @property
    def verifier(self) -> str | None:
        """Who gives the verdicts."""
        return self.log.verifier if self.log is not None else None

    def overview(self) -> Sequence[Block]:
        """The task at a glance."""
        return self.task.overview(self.evaluation)

    def hides(self, case: Case) -> bool:
        """Whether proposal, model, similarity and others' verdicts of the case are hidden: blind, until the verdict is given."""
        return self.blind and not any(entry.verifier == self.verifier and self.decisions.is_live(entry) for entry in self.history(case))

    def history_lines(self, case: Case) -> list[str]:
        """The verdicts of a case in words, oldest first; none of them while they are hidden."""
        if self.hides(case):
            return []
        lines = []
        for entry in self.history(case):
            pointed = f" -> {', '.join(entry.targets)}" if entry.targets else ""
            value = f" “{entry.value}”" if entry.value is not None else ""
            state = "" if self.decisions.is_live(entry) else "  (taken back)"
            note = f"  {entry.note}" if entry.note else ""
            lines.append(f"{entry.at[:16].replace('T', ' ')} {entry.verifier}: {entry.verdict}{pointed}{value}{note}{state}")
        return lines

    def proposal(self, verdict: str) -> str:
        """The text a ground-truth doubt starts from: what the model reads."""
        case = self.current
        return case.title.split(" ~ ")[0] if case is not None else ""

    def history(self, case: Case) -> tuple[Entry, ...]:
        """All entries of a case, retracted ones too."""
        return self.decisions.of_case(self.task.name, case.id)

    # Verdicts

    def judge(self, verdict: str, *, targets: Sequence[str] = (), value: object = None, run: str | None = None) -> Judgement:
        """What the verdict would say of the case under the cursor, checked; nothing is written."""
        case = self.current
        if case is None:
            raise InputError("there is no case here", hint="open another queue, or take the filter off")
        return self.task.judge(self.evaluation, case, verdict, targets=targets or tuple(self.picked), value=value, run=run)

    def give(
        self,
        verdict: str,
        *,
        targets: Sequence[str] = (),
        value: object = None,
        note: str | None = None,
        certainty: int | None = None,
        run: str | None = None,
        batch: str | None = None,
        resolves: tuple[str, ...] | None = None,
    ) -> Entry:
        """Give a verdict on the case under the cursor. It is on disk when this returns.

        Raises:
            InputError: the verdict cannot be said, or could not be written; the case stays undecided.
        """
        case = self.current
        judged = self.judge(verdict, targets=targets, value=value, run=run)
        assert case is not None
        entry = self._entry_of(judged, note=note, certainty=certainty, batch=batch, resolves=resolves)
        self._write(entry)
        self._given_at.append(self.clock())
        if judged.scope == "reading":
            for decided in {case.id, judged.case}:
                self._set_status(decided, "decided")
        return entry

    def undo(self, entry_id: str | None = None) -> Entry | None:
        """Retract the verifier's last verdict, or the one named; the entry retracted, or `None` when there is nothing to undo.

        Raises:
            InputError: no such live entry of this verifier, or it could not be written.
        """
        log = self._own_log()
        undone = self.decisions.latest_of(log.verifier) if entry_id is None else self._entry(entry_id)
        if undone is None:
            return None
        self._write(retraction(undone, id=new_id(self.decisions.greatest_id), at=timestamp()))
        standing = self.decisions.standing_of(undone.task, undone.case)
        if standing is None:
            self._set_status(undone.case, "open")
        if undone.case in self.cases:
            self.go(undone.case)
        return undone

    def revisit(self) -> str:
        """Take the stale verdict under the cursor back, so that its rows are asked about again; what was done, in words.

        Raises:
            InputError: the case is not stale, or the verdict is another person's.
        """
        entry = self._stale_entry()
        if entry.verifier != self._own_log().verifier:
            raise InputError(f"this verdict is {entry.verifier}'s", hint="give your own on the rows as they are now")
        self._write(retraction(entry, id=new_id(self.decisions.greatest_id), at=timestamp()))
        self._set_status(entry.case, "decided")
        return f"taken back: {entry.verdict}; the rows are asked about again"

    def keep(self) -> str:
        """Say of the rows as they are now what the stale verdict under the cursor said; what was done, in words.

        Raises:
            InputError: the case is not stale, or its rows are gone.
        """
        entry = self._stale_entry()
        judged = self.task.kept(self.evaluation, entry)
        own = self._own_log().verifier
        fresh = self._entry_of(judged, note=entry.note, certainty=entry.certainty)
        undone = [retraction(entry, id=new_id(fresh.id), at=timestamp())] if entry.verifier == own else []
        self._write(fresh, *undone)
        self._set_status(entry.case, "decided")
        return f"kept: {entry.verdict}, now of the rows as they are"

    def _stale_entry(self) -> Entry:
        case = self.current
        entry = case.basis.get("entry") if case is not None and case.status == "stale" else None
        if not isinstance(entry, Entry):
            raise InputError("this case is not stale", hint="keep and revisit are for the stale queue")
        return entry

    def _entry(self, prefix: str) -> Entry:
        found = [entry for entry in self.decisions.entries if entry.id.startswith(prefix)] if prefix else []
        if len(found) != 1:
            raise InputError(f"{'no' if not found else len(found)} entries begin with `{prefix}`", hint="`adjudicate log list` shows them")
        entry = found[0]
        if entry.verifier != self._own_log().verifier:
            raise InputError(f"entry {entry.id} is {entry.verifier}'s", hint="everyone undoes their own; give your own verdict instead")
        if not self.decisions.is_live(entry):
            raise InputError(f"entry {entry.id} is undone already")
        return entry

    def _own_log(self) -> Log:
        if self.log is None:
            raise InputError("who is the verifier?", hint="give --verifier NAME, or set ADJUDICATE_VERIFIER")
        return self.log

    def _entry_of(
        self,
        judged: Judgement,
        *,
        note: str | None = None,
        certainty: int | None = None,
        batch: str | None = None,
        resolves: tuple[str, ...] | None = None,
    ) -> Entry:
        return Entry(
            id=new_id(self.decisions.greatest_id),
            at=timestamp(),
            verifier=self._own_log().verifier,
            blind=self.blind,
            task=self.task.name,
            case=judged.case,
            verdict=judged.verdict,
            targets=judged.targets,
            value=judged.value,
            note=note or None,
            certainty=certainty,
            scope=judged.scope,
            run=judged.run,
            batch=batch,
            basis=dict(judged.basis),
            resolves=resolves,
        )

    def _write(self, *entries: Entry) -> None:
        """Put entries in the log, all or none; only then let them change anything."""
        self._own_log().append_many(entries)
        for entry in entries:
            self.decisions = self.decisions.with_entry(entry)
            self._touch(entry)

    def _touch(self, entry: Entry) -> None:
        page = entry.basis.get("page")
        if page is None:
            judged = [one for one in self.decisions.of_case(entry.task, entry.case) if one.basis.get("page") is not None]
            page = judged[-1].basis["page"] if judged else None
        if page is not None:
            key = (entry.task, entry.case, entry.run if entry.scope == "row" else None)
            self._changed.setdefault(str(page), set()).add(key)

    def _set_status(self, case_id: str, status: Any) -> None:
        case = self.cases.get(case_id)
        if case is None or case.status == status:
            return
        self._count(case, -1)
        self.cases[case_id] = case = replace(case, status=status, note="")
        self._count(case, 1)

    def _count(self, case: Case, by: int) -> None:
        for queue in self._queues_of(case):
            self._counts.setdefault(queue, Counter())[case.status] += by

    # Consequences

    @property
    def unsettled(self) -> bool:
        """Whether verdicts were given whose consequences are not worked out yet."""
        return self._work is not None or bool(self._changed)

    def settle(self, seconds: float | None = None) -> bool:
        """Work on the consequences of the verdicts given, for at most about `seconds`; whether cases or scores changed."""
        end = self.clock() + seconds if seconds is not None else None
        changed = False
        while self.unsettled:
            if self._work is None:
                self._work = self._consequences()
            try:
                next(self._work)
            except StopIteration:
                self._work, changed = None, True
            if end is not None and self.clock() >= end:
                break
        return changed

    def _consequences(self) -> Steps[None]:
        changed, self._changed = self._changed, {}
        decisions = self.decisions
        evaluation = yield from self.task.reevaluation(self.evaluation, decisions, changed)
        fresh = yield from self.task.gathering(evaluation, changed)
        self.evaluation = evaluation
        self._replace(frozenset(changed), fresh)

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

    # Progress

    def progress(self, queue: str | None = None) -> Progress:
        """How far a queue is (the one that is open, unless named)."""
        counts = self._counts.get(queue or self.queue, Counter())
        return Progress(counts["open"], counts["decided"], counts["stale"], counts["conflict"], self._minutes(counts["open"]))

    def _minutes(self, remaining: int) -> float | None:
        pauses = [later - earlier for earlier, later in zip(self._given_at[-PACE:], self._given_at[-PACE + 1 :], strict=False)]
        return median(pauses) * remaining / 60 if pauses else None
