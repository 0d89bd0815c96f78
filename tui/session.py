"""One sitting of one verifier at one task: queue, cursor, filters, verdicts, undo, progress. Plain Python, no Textual.

The screens draw it and the commands use it. The cursor is a case, never an index. A verdict is on disk before anything
here changes; its consequences for other cases are worked out afterwards, in short steps (`settle`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

from scoring.adjudication.cases import Block, Case, Grid, Judgement, in_seeded_order
from scoring.adjudication.decisions import Decisions, Entry, new_id, retraction, timestamp
from scoring.adjudication.entries import value_in_words
from scoring.adjudication.log import Log
from scoring.problems import InputError
from scoring.steps import Steps
from scoring.words import counted
from tui.case_list import ALL as ALL
from tui.case_list import CaseList

PACE = 20


@dataclass(frozen=True, slots=True)
class Batch:
    """One verdict planned for several cases: what it says of each, and why it cannot be said of some."""

    verdict: str
    judged: tuple[tuple[Case, Judgement], ...]
    refused: tuple[tuple[Case, str], ...]


@dataclass(slots=True)
class Session(CaseList):
    """A case list with what is needed to judge: scores, decisions, log.

    Attributes:
        evaluation: scores under the decisions worked out so far; `settle` brings it up to date.
        blind: whether proposal, model, similarity and others' verdicts are hidden until the verdict is given.
        marked: cases chosen for a batch.
        repeating: the case shown again unannounced (blind), whose verdict feeds the agreement with oneself alone.
        repeat_share, seed: how often that happens, and the seed of the choice.
    """

    evaluation: Any
    decisions: Decisions
    log: Log | None
    blind: bool = False
    clock: Callable[[], float] = time.monotonic
    marked: list[str] = field(default_factory=list)
    repeating: str | None = None
    repeat_share: float = 0.1
    seed: int = 0
    _given_at: list[float] = field(default_factory=list)
    _changed: dict[str, set[tuple[str, str, str | None]]] = field(default_factory=dict)
    _work: Steps[None] | None = None
    _steps_since_repeat: int = 0
    _evidence: tuple[tuple[object, ...], Sequence[Block]] | None = None

    def next_open(self) -> bool:
        """Move to the next case that is not decided, from here round to the beginning; whether there is one.

        Blind, a case judged before may come instead, unannounced.
        """
        self.repeating = None
        again = self._case_to_repeat() if self.blind else None
        if again is not None:
            self.go(again)
            self.repeating = again
            return True
        return CaseList.next_open(self)

    def order_by_seed(self, seed: int) -> None:
        """List cases of equal leverage in an order drawn from the seed, and draw hidden repeats from it too."""
        self.seed = seed
        self.load_cases(in_seeded_order(self.cases.values(), seed))

    def _case_to_repeat(self) -> str | None:
        """Now and then, by a seeded draw, one of the verifier's cases judged at least a few cases ago."""
        self._steps_since_repeat += 1
        draw = Random(f"{self.seed}:{self.verifier}:{len(self._given_at)}")
        if draw.random() >= self.repeat_share or self._steps_since_repeat < PACE // 4:
            return None
        own = [case for case in self.order if case != self.cursor and self._judged_by_me(self.cases[case])]
        if not own:
            return None
        self._steps_since_repeat = 0
        return draw.choice(own)

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

    def keep_pointing(self, before: Session) -> None:
        """Point the next verdict to what was picked before everything was read again, as far as it is still there."""
        case = self.current
        if case is None or before is self or before.cursor != self.cursor or before.task.name != self.task.name:
            return
        if before.occurrence < len(case.occurrences) and before.occurrence:
            self.show_occurrence(before.occurrence)
        rows = self.candidates()
        self.picked = [row for row in before.picked if row in rows]

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

    def overview(self, bands: Any = None) -> Sequence[Block]:
        """The task at a glance, with the bands of its figures where they have been worked out."""
        return self.task.overview(self.evaluation, bands)

    def hides(self, case: Case) -> bool:
        """Whether proposal, model, similarity and others' verdicts of the case are hidden: blind, until the verdict is given."""
        if case.id == self.repeating:
            return True
        return self.blind and not self._judged_by_me(case)

    def _judged_by_me(self, case: Case) -> bool:
        return any(entry.verifier == self.verifier and self.decisions.is_live(entry) for entry in self.history(case))

    def history_lines(self, case: Case) -> list[str]:
        """The verdicts of a case in words, oldest first; none of them while they are hidden."""
        if self.hides(case):
            return []
        return [self.in_words(entry) for entry in self.history(case)]

    def in_words(self, entry: Entry) -> str:
        """An entry of the log as a line: when, who, what, of what, and whether it was taken back."""
        pointed = f" -> {', '.join(entry.targets)}" if entry.targets else ""
        value = f" “{value_in_words(entry.value)}”" if entry.value is not None else ""
        kind = "" if entry.by == "human" else f" ({entry.by})"
        marks = "".join(f"  {word}" for word, holds in (("blind", entry.blind), ("repeat", entry.repeat)) if holds)
        state = "" if self.decisions.is_live(entry) else "  (taken back)"
        note = f"  {entry.note}" if entry.note else ""
        return f"{entry.at[:16].replace('T', ' ')} {entry.verifier}{kind}: {entry.verdict}{pointed}{value}{note}{marks}{state}"

    def decisions_in_words(self) -> str:
        """How many decisions stand behind the adjudicated figures, and what is still open."""
        progress = self.progress("all")
        mine = sum(task == self.task.name for task, _, _ in self.decisions.standing)
        return (
            f"{counted(mine, 'decision')}, {counted(progress.open, 'case')} open, {progress.stale} stale, {progress.conflict} in conflict"
        )

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
        if not targets and not self.picked and self.hides(case) and verdict in (case.basis.get("pointers") or ()):
            raise InputError(f"`{verdict}` has to point to a row", hint="the proposal is hidden: choose the row by its digit first")
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
    ) -> Entry:
        """Give a verdict on the case under the cursor. It is on disk when this returns.

        On a case in conflict it is a ruling, and settles the verdicts that differ.

        Raises:
            InputError: the verdict cannot be said, or could not be written; the case stays undecided.
        """
        case = self.current
        judged = self.judge(verdict, targets=targets, value=value, run=run)
        assert case is not None
        repeat = case.id == self.repeating
        entry = self._entry_of(judged, note=note, certainty=certainty, resolves=self._ruled(case), repeat=repeat)
        self._write(entry)
        self._given_at.append(self.clock())
        self.repeating = None
        if judged.scope == "reading" and not repeat:
            for decided in {case.id, judged.case}:
                self._set_status(decided, "decided")
        return entry

    def _ruled(self, case: Case) -> tuple[str, ...] | None:
        """The ids a verdict on this case settles: those that stand against each other, if they do."""
        conflicting = case.basis.get("conflicting")
        if case.status != "conflict":
            return None
        if isinstance(conflicting, tuple):
            return conflicting
        standing = self.decisions.standing_of(self.task.name, case.id)
        return tuple(entry.id for entry in standing.entries) if standing is not None and standing.conflict else None

    def undo(self, entry_id: str | None = None) -> tuple[Entry, ...]:
        """Retract the verifier's last verdict (with all of its batch), or the one named; the entries retracted, none when there are none.

        A verdict kept, or taken back to revisit, is an act like a batch: undone, what it took back stands again.

        Raises:
            InputError: no such live entry of this verifier, or it could not be written.
        """
        log = self._own_log()
        last = self.decisions.latest_of(log.verifier) if entry_id is None else self._entry(entry_id)
        if last is None:
            return ()
        undone: tuple[Entry, ...] = (last,)
        if last.batch is not None and entry_id is None:
            own = (entry for entry in self.decisions.entries if entry.batch == last.batch and entry.verifier == log.verifier)
            undone = tuple(entry for entry in own if self.decisions.is_live(entry))
        written: list[Entry] = []
        for entry in undone:
            newest = max(self.decisions.greatest_id, written[-1].id if written else "")
            written.append(retraction(entry, id=new_id(newest), at=timestamp()))
        self._write(*written)
        for entry in undone:
            if self.decisions.standing_of(entry.task, entry.case) is None:
                self._set_status(entry.case, "open")
        if last.case in self.cases:
            self.show_case(last.case)
        return undone

    # Batches

    def mark(self) -> bool:
        """Choose the case under the cursor for a batch, or let it go again; whether it is chosen now."""
        if self.cursor is None:
            return False
        if self.cursor in self.marked:
            self.marked.remove(self.cursor)
            return False
        self.marked.append(self.cursor)
        return True

    def plan(self, verdict: str, cases: Sequence[str]) -> Batch:
        """What a batch would write: a judgement for each case it can be said of, and why not for the others. Nothing is written."""
        judged, refused = [], []
        for case_id in cases:
            case = self.cases[case_id]
            try:
                judged.append((case, self.task.judge(self.evaluation, case, verdict)))
            except InputError as fault:
                refused.append((case, str(fault)))
        return Batch(verdict, tuple(judged), tuple(refused))

    def alike(self) -> tuple[str, ...]:
        """The open cases of the list whose text is that of the case under the cursor, and that suggest the same as it."""
        case = self.current
        if case is None:
            return ()

        def said(one: Case) -> tuple[str, str | None]:
            return one.title.split(" ~ ")[0].casefold(), one.suggestion

        listed = (self.cases[one] for one in self.order)
        return tuple(one.id for one in listed if one.status == "open" and said(one) == said(case))

    def give_batch(self, batch: Batch, *, note: str | None = None, certainty: int | None = None) -> tuple[Entry, ...]:
        """Write a planned batch: an entry a case, one common batch id, all on disk or none.

        Raises:
            InputError: it could not be written.
        """
        name = new_id(self.decisions.greatest_id)
        entries = [
            self._entry_of(judged, note=note, certainty=certainty, batch=name, resolves=self._ruled(case)) for case, judged in batch.judged
        ]
        if not entries:
            return ()
        self._write(*entries)
        self._given_at.append(self.clock())
        for case, judged in batch.judged:
            for decided in {case.id, judged.case}:
                self._set_status(decided, "decided")
        self.marked = []
        return tuple(entries)

    def revisit(self) -> str:
        """Take the stale verdict under the cursor back, so that its rows are asked about again; what was done, in words.

        Raises:
            InputError: the case is not stale, or the verdict is another person's.
        """
        entry = self._stale_entry()
        if entry.verifier != self._own_log().verifier:
            raise InputError(f"this verdict is {entry.verifier}'s", hint="give your own on the rows as they are now")
        stale = self.cursor
        # With a batch a retraction is an act that can be undone, and no undo itself.
        act = new_id(self.decisions.greatest_id)
        self._write(retraction(entry, id=new_id(act), at=timestamp(), batch=act))
        self._set_status(stale or entry.case, "decided")
        return f"taken back: {entry.verdict}; the rows are asked about again"

    def keep(self) -> str:
        """Say of the rows as they are now what the stale verdict under the cursor said; what was done, in words.

        Raises:
            InputError: the case is not stale, or its rows are gone.
        """
        entry, stale = self._stale_entry(), self.cursor
        judged = self.task.kept(self.evaluation, entry)
        mine = entry.verifier == self._own_log().verifier
        # One's own stale verdict is taken back; another's is laid to rest by naming it, as a ruling does.
        act = new_id(self.decisions.greatest_id) if mine else None
        laid = None if mine else (entry.id,)
        fresh = self._entry_of(judged, note=entry.note, certainty=entry.certainty, batch=act, resolves=laid)
        undone = [retraction(entry, id=new_id(fresh.id), at=timestamp(), batch=act)] if mine else []
        self._write(fresh, *undone)
        self._set_status(stale or entry.case, "decided")
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
        repeat: bool = False,
    ) -> Entry:
        return Entry(
            id=new_id(self.decisions.greatest_id),
            at=timestamp(),
            verifier=self._own_log().verifier,
            blind=self.blind,
            repeat=repeat,
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

    def take_in(self, entries: Iterable[Entry]) -> None:
        """Let entries count that went to the log after this sitting had read it: those given while it was being made ready."""
        for entry in entries:
            if self.decisions.entry(entry.id) is None:
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
        yield from self._replacing(changed.keys(), (yield from self.task.gathering(evaluation, changed)))
        self.evaluation = evaluation

    def _judged_since(self, case: Case) -> bool:
        return any(key[:2] == (case.task, case.id) for key in self._changed.get(case.page, ()))

    # Pace

    def minutes_left(self) -> float | None:
        """Minutes the open cases of the queue will take at the pace of the last verdicts; unknown before the second verdict."""
        pauses = [later - earlier for earlier, later in zip(self._given_at[-PACE:], self._given_at[-PACE + 1 :], strict=False)]
        return median(pauses) * self.progress().open / 60 if pauses else None
