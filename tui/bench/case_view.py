"""What a verifier sees of a case: evidence, claimants, earlier verdicts; blind, without what is hidden until the verdict.

Repeats are here too: a case shown again looks, and stands in the list, as if it had never been judged.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.adjudication.blind import refuse_telling, veiled
from scoring.adjudication.cases import Block, Case, Comparison, Grid, RuleDraft, in_seeded_order
from scoring.adjudication.decisions import LogEntry
from scoring.adjudication.filters import Filter, VerifiersByCase
from scoring.adjudication.log_entry import value_in_words, verdict_in_words
from scoring.foundations.problems import InputError
from scoring.foundations.wording import counted
from tui.bench.case_list import CaseList
from tui.bench.evaluated_cases import ScoredCases
from tui.bench.hidden_repeats import SHARE, due_repeat

HIDDEN = "hidden in a blind sitting: leave, and open again without --blind"


@dataclass(slots=True)
class VerifierCases(ScoredCases):
    """A scored case list as one verifier sees it.

    Attributes:
        repeating: the case shown again unannounced (blind), whose verdict feeds the agreement with oneself alone.
        repeat_share, seed: how often that happens, and the seed of the choice; no share, no repeats.
        narrow: whether the next verdict speaks of the row shown alone.
    """

    repeating: str | None = None
    repeat_share: float = SHARE
    seed: int = 0
    narrow: bool = False
    _repeat_for: str | None = None
    _evidence: tuple[tuple[object, ...], Sequence[Block]] | None = None

    # What is hidden

    def hides(self, case: Case) -> bool:
        """Whether proposal, model, similarity and others' verdicts of the case are hidden.

        Blind they are, until the verifier has said something of it; what was shown once, also in an earlier sitting or before an
        undo, is not hidden again. A repeat is hidden as it was the first time. A stale case is the verifier's own verdict.
        """
        if not self.blind:
            return False
        if case.id == self.repeating:
            return True
        return case.status != "stale" and all(entry.verifier != self.verifier for entry in self.history(case))

    def shown(self, case: Case) -> Case:
        """The case as this verifier may see it now."""
        if not self.hides(case):
            return case
        return replace(veiled(case), status="open") if case.id == self.repeating else veiled(case)

    def judges(self, case: Case) -> Collection[str]:
        """The verifiers who have a live verdict on the case, as far as that may be seen."""
        entries = (entry for entry in self.history(case) if entry.retracts is None and self.decisions.is_live(entry))
        judging = {entry.verifier for entry in entries}
        return judging if not self.hides(case) else ()

    def waits(self, case: Case) -> bool:
        """Whether "next undecided" stops at a case: while nobody has decided it, or, asked for by `mine:`, while I have not."""
        if case.id == self.repeating:
            return True
        if "mine" in self.filter.keys:
            return self.verifier not in self.judges(case)
        return CaseList.waits(self, case)

    def _passes(self, case: Case) -> bool:
        # Of a hidden case a filter that is let through asks by nothing hidden; a repeat is to be found as if it were open.
        seen = self.shown(case) if case.id == self.repeating else case
        return self.filter(seen, VerifiersByCase(lambda _: self.judges(case), self.verifier))

    def open_queue(self, queue: str, wanted: Filter | None = None) -> None:
        """List a queue under a filter.

        Raises:
            InputError: there is no such queue, or, blind, the filter asks by what is hidden.
        """
        if self.blind and wanted is not None:
            refuse_telling(wanted.keys)
        CaseList.open_queue(self, queue, wanted)

    # Repeats

    def order_by_seed(self, seed: int) -> None:
        """List cases of equal leverage in an order drawn from the seed, and draw hidden repeats from it too."""
        self.seed = seed
        self.load_cases(in_seeded_order(self.cases.values(), seed))

    def next_open(self) -> bool:
        """Move to the next case that waits for a verdict, from here round to the beginning; whether there is one.

        Blind, a case judged before may come instead, unannounced.
        """
        if self.blind and self.repeating is None:
            due, next_one = self.due_repeat(), self.next_waiting()
            # Where nothing else is open, a case that comes would be known for a repeat.
            if due in self._positions and due != self.cursor and next_one is not None and next_one != self.cursor:
                self.repeating, self._repeat_for = due, next_one
                self._list(self.order)
        return CaseList.next_open(self)

    def end_repeat(self) -> None:
        """Let the case shown again be what it was, in its own place."""
        order = self._swapped(self.order)
        self.repeating = self._repeat_for = None
        self._list(order)

    def due_repeat(self) -> str | None:
        """The case to be shown again now: the same for a screen and for a command, whatever is listed; mostly none."""
        if not self.blind or self.verifier is None or self.repeat_share <= 0:
            return None
        return due_repeat(
            self.counted.entries,
            is_live=self.decisions.is_live,
            may=lambda case: case in self.cases and self.cases[case].status == "decided",
            verifier=self.verifier,
            task=self.task.name,
            seed=self.seed,
            share=self.repeat_share,
        )

    def _list(self, order: list[str]) -> None:
        CaseList._list(self, self._swapped(order))

    def _swapped(self, order: list[str]) -> list[str]:
        """The order with the repeat in the place of the case that would have come: its own place would give it away."""
        again, instead = self.repeating, self._repeat_for
        if again is None or instead is None or again not in order or instead not in order:
            return order
        order = order.copy()
        one, other = order.index(again), order.index(instead)
        order[one], order[other] = instead, again
        return order

    # Looking at a case

    def evidence(self) -> Sequence[Block]:
        """The blocks of the case under the cursor, worked out once while nothing changes."""
        case = self.current
        if case is None:
            return ()
        hidden, pointed = self.hides(case), tuple(self.picked)
        key = (case.id, self.occurrence, hidden, pointed, id(self.evaluation))
        if self._evidence is None or self._evidence[0] != key:
            self._evidence = key, self.task.evidence(self.evaluation, case, self.occurrence, blind=hidden, pointed=pointed)
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
        self.point(rows[number - 1])
        return rows[number - 1]

    def point(self, target: str) -> None:
        """Point the next verdict to a row, or no longer."""
        if target in self.picked:
            self.picked.remove(target)
        else:
            self.picked.append(target)

    def point_to(self, targets: Sequence[str]) -> None:
        """Point the next verdict to these rows alone.

        Raises:
            InputError: the case cannot point to one of them.
        """
        known = self.rows_to_point_to() if targets else ()
        for target in targets:
            if target not in known:
                raise InputError(
                    f"this case cannot point to {target}", hint="point to a claimant by its number, or to a named row of its page and run"
                )
        self.picked = list(dict.fromkeys(targets))

    def rows_of_page(self) -> Grid | None:
        """Every row the next verdict could point to; `None` where there is no case, or a task whose cases have no page of rows."""
        case = self.current
        if case is None or not case.occurrences or not hasattr(self.task, "rows_of_page"):
            return None
        found: Grid = self.task.rows_of_page(self.evaluation, case, self.occurrence, blind=self.hides(case))
        return found

    def rows_to_point_to(self) -> frozenset[str]:
        """The ROWs the next verdict could point to: all of the page, or the claimants where there is no page of rows."""
        page = self.rows_of_page()
        rows = (line.target for line in page.lines) if page is not None else self.candidates()
        return frozenset(row for row in rows if row is not None)

    def show_occurrence(self, by: int) -> None:
        """Step through the places where the case occurs."""
        case = self.current
        if case is not None and case.occurrences:
            self.occurrence = (self.occurrence + by) % len(case.occurrences)
            self.picked = []

    def narrowed_to(self) -> str | None:
        """What the next verdict is narrowed to, if it is: the run shown; the very ROW, where the run has the reading more than once."""
        case = self.current
        if not self.narrow or case is None or not case.occurrences:
            return None
        shown = case.occurrences[self.occurrence]
        several = sum(one.run == shown.run for one in case.occurrences) > 1
        row = next((target for target in shown.targets if target.startswith("model:")), None)
        return row if several and row is not None else shown.run

    def overview(self, bands: Any = None) -> Sequence[Block]:
        """The task at a glance, with the bands of its figures where they have been worked out."""
        return self.task.overview(self.evaluation, bands)

    def draft(self, field: str = "") -> RuleDraft | None:
        """The rule the case under the cursor suggests, of its names or of a field's two values; `None` where it suggests none.

        Blind, of what is asked alone, not of what is proposed.

        Raises:
            InputError: the field has no two values that a rule could make one.
        """
        case = self.current
        if case is None:
            return None
        if not hasattr(self.task, "values"):
            return self.task.draft(self.evaluation, self.shown(case))
        of_field = (field, self.occurrence, tuple(self.picked))
        found: RuleDraft | None = self.task.draft(self.evaluation, self.shown(case), *of_field)  # type: ignore[call-arg]
        return found

    def proposal(self, verdict: str) -> str:
        """The text a ground-truth doubt starts from: for a row that lacks what the model reads, else what the ground truth has."""
        case = self.current
        if verdict == "gt-missing-row":
            return case.title.split(" ~ ")[0] if case is not None else ""
        return next((block.upper for block in self.evidence() if isinstance(block, Comparison)), "")

    def history_lines(self, case: Case) -> list[str]:
        """The verdicts of a case in words, oldest first; none of them while they are hidden."""
        if self.hides(case):
            return []
        return [self.in_words(entry) for entry in self.history(case)]

    def in_words(self, entry: LogEntry) -> str:
        """An entry of the log as a line: when, who, what, of what, and whether it was taken back."""
        pointed = f" -> {', '.join(entry.targets)}" if entry.targets else ""
        value = f" “{value_in_words(entry.value)}”" if entry.value is not None else ""
        kind = "" if entry.by == "human" else f" ({entry.by})"
        bounded = entry.basis.get("bounded") is True
        words = (("blind", entry.blind), ("repeat", entry.repeat), ("ruling", entry.resolves is not None), ("not of the new", bounded))
        marks = "".join(f"  {word}" for word, holds in words if holds)
        state = "" if self.decisions.is_live(entry) else "  (taken back)"
        note = f"  {entry.note}" if entry.note else ""
        said = verdict_in_words(entry)
        return f"{entry.at[:16].replace('T', ' ')} {entry.verifier}{kind}: {said}{pointed}{value}{note}{marks}{state}"

    def decisions_in_words(self) -> str:
        """How many decisions stand behind the adjudicated figures, and what is still open."""
        progress = self.progress("all")
        mine = sum(task == self.task.name for task, _, _ in self.counted.standing)
        waiting = f"{counted(progress.open, 'case')} open, {progress.stale} stale, {progress.conflict} in conflict"
        return f"{counted(mine, 'decision')}, {waiting}"
