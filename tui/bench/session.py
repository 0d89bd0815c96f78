"""One sitting of one verifier at one task: queue, cursor, filters, verdicts, undo, progress. Plain Python, no Textual.

The screens draw it and the commands use it. The cursor is a case, never an index. A verdict is on disk before anything
here changes; its consequences for other cases are worked out afterwards, in short steps (`settle`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median
from typing import Any

from scoring.adjudication.blind import SHOWN, shown_as
from scoring.adjudication.cases import Case, Judgement
from scoring.adjudication.decisions import LogEntry, new_id, retraction, timestamp
from scoring.adjudication.log.write import Log
from scoring.adjudication.verdict_kinds import answers, kind_of, kind_of_verdict
from scoring.foundations.problems import InputError
from scoring.tasks import UNDONE_ELSEWHERE
from tui.bench.case_list import ALL as ALL
from tui.bench.case_view import VerifierCases

PACE = 20
HOW_TO_UNDO_AN_EDIT = "take it back at the Records desk (z), or with `adjudicate records undo DATABASE`"


@dataclass(frozen=True, slots=True)
class Batch:
    """One verdict planned for several cases: what it says of each, and why it cannot be said of some."""

    verdict: str
    judged: tuple[tuple[Case, Judgement], ...]
    refused: tuple[tuple[Case, str], ...]


def beside(case: Case, judged: Judgement) -> bool:
    """Whether a judgement is about one value and leaves the case it was given on as it was: it is no answer to what that asks."""
    return bool(judged.basis.get("field")) and judged.case != case.id


@dataclass(slots=True)
class Session(VerifierCases):
    """What a verifier sees, with what is needed to judge it.

    Attributes:
        marked: cases chosen for a batch.
        left: after a verdict that is said of a pair and leaves the case it was given on open, in how many places that is still asked.
    """

    marked: list[str] = field(default_factory=list)
    left: int | None = None
    _given_at: list[float] = field(default_factory=list)

    # A sitting that goes on after everything was read again

    def continue_from(self, before: Session, known: str) -> None:
        """Go on where a sitting on the same task stopped that knew the files as they were before.

        Verdicts given while everything was read again (with ids above `known`) count; marks, order, pace and a pending repeat are kept.
        """
        self.take_in(entry for entry in before.decisions.entries if entry.id > known)
        self.settle()
        self.repeat_share = before.repeat_share
        if before.seed:
            self.order_by_seed(before.seed)
        self.marked = [case for case in before.marked if case in self.cases]
        self._given_at = list(before._given_at)
        if before.repeating in self.cases:
            self.repeating, self._repeat_for = before.repeating, before._repeat_for
            self._relist()

    def keep_pointing(self, before: Session) -> None:
        """Keep the way back, and point the next verdict to what was picked before everything was read again, as far as it is there."""
        if before is self or before.task.name != self.task.name:
            return
        self._trail = [case for case in before._trail if case in self.cases]
        case = self.current
        if case is None or before.cursor != self.cursor:
            return
        if before.occurrence < len(case.occurrences) and before.occurrence:
            self.show_occurrence(before.occurrence)
        rows = self.rows_to_point_to() if before.picked else ()
        self.picked = [row for row in before.picked if row in rows]

    # Verdicts

    def judge(
        self, verdict: str, *, targets: Sequence[str] = (), value: object = None, run: str | None = None, field: str = ""
    ) -> Judgement:
        """What the verdict would say of the case under the cursor, checked; nothing is written. A doubt may be about one field."""
        case = self.current
        if case is None:
            raise InputError("there is no case here", hint="open another queue, or take the filter off")
        pointed = targets or tuple(self.picked)
        return self._judged(case, verdict, targets=pointed, value=value, run=run, field=field, occurrence=self.occurrence)

    def _judged(
        self,
        case: Case,
        verdict: str,
        *,
        targets: Sequence[str] = (),
        value: object = None,
        run: str | None = None,
        field: str = "",
        occurrence: int = 0,
    ) -> Judgement:
        """What the verdict would say of a case, with this occurrence of it shown.

        Blind it points to nothing that is only proposed, whatever is proposed.
        """
        if field and not hasattr(self.task, "values"):
            raise InputError(f"a verdict of the task `{self.task.name}` names no field", hint="leave the field out")
        if self.hides(case):
            case = replace(case, basis={name: known for name, known in case.basis.items() if name != "pointers"})
            # What a value is of is taken from the proposal where nothing is asked: hidden, it is no GT row to speak of.
            case = replace(case, targets=()) if field else case
        more: dict[str, Any] = {"field": field, "occurrence": occurrence} if hasattr(self.task, "values") else {}
        judged = self.task.judge(self.evaluation, case, verdict, targets=targets, value=value, run=run, **more)
        told = judged.case == case.id or beside(case, judged)
        return judged if told else replace(judged, basis={**judged.basis, SHOWN: case.id})

    def give(
        self,
        verdict: str,
        *,
        targets: Sequence[str] = (),
        value: object = None,
        note: str | None = None,
        certainty: int | None = None,
        run: str | None = None,
        field: str = "",
    ) -> LogEntry:
        """Give a verdict on the case under the cursor. It is on disk when this returns.

        On a case shown to be in conflict it is a ruling, and settles the verdicts that differ (`settles`). A verdict on one field is
        said of that value and leaves another case as it was.

        Raises:
            InputError: the verdict cannot be said, or could not be written; the case stays undecided.
        """
        case = self.current
        judged = self.judge(verdict, targets=targets, value=value, run=run, field=field)
        assert case is not None
        entry = self._entry_of(case, judged, note=note, certainty=certainty)
        self._write(entry)
        self._after(((case, judged),))
        self.picked = []
        return entry

    def _after(self, given: Iterable[tuple[Case, Judgement]]) -> None:
        """Let the cases judged count as decided until the consequences are worked out; a repeat leaves its case as it was."""
        self._given_at.append(self.clock())
        self.left = None
        left_in = getattr(self.task, "places_left", None)
        for case, judged in given:
            left = left_in(self.evaluation, case, judged) if left_in is not None and case.id != self.repeating else None
            if left:
                # Said of the pair: the case stays, with the places the record is still missed in.
                self._put(replace(case, occurrences=left))
                self.left, self.occurrence, self._evidence = len(left), 0, None
                if judged.scope == "reading":
                    self._set_status(judged.case, "decided")
                continue
            aside = beside(case, judged)
            if case.id == self.repeating and not aside:
                self.end_repeat()
            elif judged.scope == "reading" and self._answers(judged):
                for decided in {judged.case} if aside else {case.id, judged.case}:
                    self._set_status(decided, "decided")

    def _answers(self, judged: Judgement) -> bool:
        """Whether a judgement answers what its case asks; what is said beside that leaves it open."""
        return answers(kind_of_verdict(self.task.name, judged.verdict, judged.basis), judged.basis.get("ask"))

    def settles(self, case: Case, judged: Judgement | None = None) -> tuple[str, ...] | None:
        """The ids a verdict on this case would settle, as a ruling: those that stand against each other, if they are shown to.

        A judgement settles those of its own kind alone: whether two are the same record rules no doubt about the ground truth.
        Blind there are none: a verdict given without knowing what others said is a judgement beside theirs.
        """
        conflicting = case.basis.get("conflicting")
        if self.blind or case.status != "conflict" or (judged is not None and beside(case, judged)):
            return None
        if not isinstance(conflicting, tuple):
            standing = self.decisions.standing_of(self.task.name, case.id)
            conflicting = tuple(entry.id for entry in standing.entries) if standing is not None and standing.conflict else ()
        if judged is not None:
            kind = kind_of_verdict(self.task.name, judged.verdict, judged.basis)
            disputed = (self.decisions.entry(one) for one in conflicting)
            conflicting = tuple(entry.id for entry in disputed if entry is not None and kind_of(entry) == kind)
        return conflicting or None

    def undo(self, entry_id: str | None = None) -> tuple[LogEntry, ...]:
        """Retract the verifier's last verdict (with all of its batch), or the one named; the entries retracted, none when there are none.

        A verdict kept, or taken back to revisit, is an act like a batch: undone, what it took back stands again.

        Edits of a database are taken back where they were made, so that log and database never differ; here they are passed over.

        Raises:
            InputError: no such live entry of this verifier, it is an edit of a database, or the undo could not be written.
        """
        log = self._own_log()
        last = self.decisions.latest_of(log.verifier, UNDONE_ELSEWHERE) if entry_id is None else self._entry(entry_id)
        if last is None:
            return ()
        if last.task in UNDONE_ELSEWHERE:
            raise InputError(f"that entry ({last.verdict} on {last.case}) is an edit of a database", hint=HOW_TO_UNDO_AN_EDIT)
        undone: tuple[LogEntry, ...] = (last,)
        if last.batch is not None and entry_id is None:
            own = (entry for entry in self.decisions.entries if entry.batch == last.batch and entry.verifier == log.verifier)
            undone = tuple(entry for entry in own if self.decisions.is_live(entry))
        written: list[LogEntry] = []
        for entry in undone:
            newest = max(self.decisions.greatest_id, written[-1].id if written else "")
            written.append(retraction(entry, id=new_id(newest), at=timestamp()))
        self._write(*written)
        if self.repeating in {shown_as(entry) for entry in undone}:
            self.end_repeat()
        for entry in undone:
            if self.counted.standing_of(entry.task, entry.case) is None:
                self._set_status(entry.case, "open")
        if last.case in self.cases and not self._only_said(last.case):
            self.show_case(last.case)
        return undone

    def _only_said(self, case: str) -> bool:
        """Whether a case exists for the sake of what was said of it: a value nobody but the verifier doubts."""
        known = self.cases[case]
        return "field" in known.basis and not any(target.startswith("model:") for one in known.occurrences for target in one.targets)

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
                judged.append((case, self._judged(case, verdict)))
            except InputError as fault:
                refused.append((case, str(fault)))
        return Batch(verdict, tuple(judged), tuple(refused))

    def alike(self) -> tuple[str, ...]:
        """The open cases of the list whose text is that of the case under the cursor, and that suggest the same, where that is shown."""
        case = self.current
        if case is None:
            return ()

        def said(one: Case) -> tuple[str, str | None]:
            return one.title.split(" ~ ")[0].casefold(), one.suggestion

        listed = (self.shown(self.cases[one]) for one in self.order)
        return tuple(one.id for one in listed if one.status == "open" and said(one) == said(self.shown(case)))

    def give_batch(self, batch: Batch, *, note: str | None = None, certainty: int | None = None) -> tuple[LogEntry, ...]:
        """Write a planned batch: an entry a case, one common batch id, all on disk or none.

        Raises:
            InputError: it could not be written.
        """
        name = new_id(self.decisions.greatest_id)
        entries = [self._entry_of(case, judged, note=note, certainty=certainty, batch=name) for case, judged in batch.judged]
        if not entries:
            return ()
        self._write(*entries)
        self._after(batch.judged)
        self.marked = []
        return tuple(entries)

    def uncover(self, *, note: str | None = None) -> str:
        """Take the verdict under the cursor back from the occurrences that are new since, so that they are asked about; in words.

        The verdict is said again of the occurrences it was given on. Undo lets it cover all of them as before.

        Raises:
            InputError: no occurrence is new, or another person's verdict covers them.
        """
        case, log = self.current, self._own_log()
        bounded = getattr(self.task, "bounded", None)
        # A case shown again looks as if it were open: nothing may tell that there is a verdict.
        if case is None or bounded is None or self.hides(case):
            raise InputError("this case has no occurrence that is new since a verdict")
        found = bounded(self.evaluation, case)
        other = next((entry for entry, _ in found if entry.verifier != log.verifier), None)
        if other is not None:
            raise InputError(f"{other.verifier}'s verdict covers them", hint="give your own verdict on them, of their run alone")
        act, entries = new_id(self.decisions.greatest_id), list[LogEntry]()
        for entry, judged in found:
            kept = {"note": note or entry.note, "certainty": entry.certainty, "resolves": entry.resolves}
            entries.append(self._entry_of(None, judged, batch=act, **kept))
        self._write(*entries)
        new = case.basis.get("new")
        times = len(new) if isinstance(new, tuple) else 0
        return f"no longer covered: {times} new since the verdict; they are asked about again"

    def revisit(self, *, note: str | None = None) -> str:
        """Take the stale verdict under the cursor back, so that its rows are asked about again; what was done, in words.

        Another's is laid to rest by an entry that names it and says nothing itself.

        Raises:
            InputError: the case is not stale.
        """
        entry, stale = self._stale_entry(), self.cursor
        # With a batch a retraction is an act that can be undone, and no undo itself.
        act = new_id(self.decisions.greatest_id)
        if entry.verifier == self._own_log().verifier:
            self._write(*self._taken_back(entry, act, act, note))
            told = "taken back:"
        else:
            basis = {"page": entry.basis.get("page")}
            judged = Judgement(entry.case, "revisit", entry.targets, None, entry.scope, entry.run, basis)
            self._write(self._entry_of(None, judged, note=note, resolves=tuple(one.id for one in self._said_before(entry))))
            told = f"laid to rest: {entry.verifier}'s"
        self._set_status(stale or entry.case, "decided")
        return f"{told} {entry.verdict}; the rows are asked about again"

    def keep(self, *, note: str | None = None, certainty: int | None = None) -> str:
        """Say of the rows as they are now what the stale verdict under the cursor said; what was done, in words.

        Args:
            note, certainty: of the verdict as kept; those it had, where none is given.

        Raises:
            InputError: the case is not stale, or its rows are gone.
        """
        entry, stale = self._stale_entry(), self.cursor
        judged = self.task.kept(self.evaluation, entry)
        mine = entry.verifier == self._own_log().verifier
        # One's own stale verdict is taken back; another's is laid to rest by naming it, as a ruling does.
        act = new_id(self.decisions.greatest_id) if mine else None
        laid = None if mine else tuple(one.id for one in self._said_before(entry))
        note, certainty = note or entry.note, certainty or entry.certainty
        fresh = self._entry_of(None, judged, batch=act, resolves=laid, note=note, certainty=certainty)
        undone = self._taken_back(entry, fresh.id, act) if mine else []
        self._write(fresh, *undone)
        self._set_status(stale or entry.case, "decided")
        return f"kept: {entry.verdict}, now of the rows as they are"

    def _said_before(self, entry: LogEntry) -> list[LogEntry]:
        """The verdict, after those of its verifier that it replaced: taken back alone, it would bring the one before it back."""
        row = entry.run if entry.scope == "row" else None
        return [
            one
            for one in self.decisions.of_case(entry.task, entry.case)
            if one.id <= entry.id and one.verifier == entry.verifier and one.retracts is None and not one.repeat
            if (one.scope, one.run if row else None, kind_of(one)) == (entry.scope, row, kind_of(entry)) and self.decisions.is_live(one)
        ]

    def _taken_back(self, entry: LogEntry, after: str, act: str | None, note: str | None = None) -> list[LogEntry]:
        """The lines, with ids above `after`, that take a verdict back with those it replaced, as one act."""
        lines: list[LogEntry] = []
        for one in self._said_before(entry):
            newest = lines[-1].id if lines else after
            lines.append(retraction(one, id=new_id(newest), at=timestamp(), batch=act, note=note))
        return lines

    def _stale_entry(self) -> LogEntry:
        case = self.current
        entry = case.basis.get("entry") if case is not None and case.status == "stale" else None
        if not isinstance(entry, LogEntry):
            raise InputError("this case is not stale", hint="keep and revisit are for the stale queue")
        return entry

    def _entry(self, prefix: str) -> LogEntry:
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
        case: Case | None,
        judged: Judgement,
        *,
        note: str | None = None,
        certainty: int | None = None,
        batch: str | None = None,
        resolves: tuple[str, ...] | None = None,
    ) -> LogEntry:
        """The line of the log for a judgement on a case, or, without one, on the rows of a stale verdict."""
        return LogEntry(
            id=new_id(self.decisions.greatest_id),
            at=timestamp(),
            verifier=self._own_log().verifier,
            blind=case is not None and self.hides(case),
            repeat=case is not None and case.id == self.repeating and not beside(case, judged),
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
            resolves=resolves if case is None else self.settles(case, judged),
        )

    def _write(self, *entries: LogEntry) -> None:
        """Put entries in the log, all or none; only then let them change anything."""
        self._own_log().append_many(entries)
        for entry in entries:
            self._enter(entry)

    # Pace

    def minutes_left(self) -> float | None:
        """Minutes the open cases of the queue will take at the pace of the last verdicts; unknown before the second verdict."""
        pauses = [later - earlier for earlier, later in pairwise(self._given_at[-PACE:])]
        return median(pauses) * self.progress().open / 60 if pauses else None
