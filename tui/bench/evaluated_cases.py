"""A case list with the scores and the log behind it: what entries change, worked out afterwards in short steps (`settle`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from scoring.adjudication.blind import SHOWN, shown_as
from scoring.adjudication.cases import Case
from scoring.adjudication.decisions import Decisions, LogEntry
from scoring.adjudication.log.write import Log
from scoring.foundations.incremental import Steps
from tui.bench.case_list import CaseList


@dataclass(slots=True)
class ScoredCases(CaseList):
    """Cases, the scores they come from, and the decisions those are worked out under.

    Attributes:
        evaluation: scores under the decisions worked out so far; `settle` brings it up to date.
        decisions: all that the log says.
        blind: whether proposal, model, similarity and others' verdicts are hidden until the verdict is given.
    """

    evaluation: Any
    decisions: Decisions
    log: Log | None
    blind: bool = False
    clock: Callable[[], float] = time.monotonic
    _own: tuple[str | None, Decisions] | None = None
    _elsewhere: dict[str, list[LogEntry]] | None = None
    _changed: dict[str, set[tuple[str, str, str | None]]] = field(default_factory=dict)
    _work: Steps[None] | None = None

    @property
    def verifier(self) -> str | None:
        """Who gives the verdicts."""
        return self.log.verifier if self.log is not None else None

    @property
    def counted(self) -> Decisions:
        """The decisions that scores and cases follow: all of them; blind, one's own, so that nothing shown follows from others'."""
        if not self.blind:
            return self.decisions
        if self._own is None or self._own[0] != self.verifier:
            self._own = self.verifier, self.decisions.of_verifier(self.verifier)
        return self._own[1]

    def history(self, case: Case) -> tuple[LogEntry, ...]:
        """All entries of a case, retracted ones too.

        Also those given on it that were said of another, and those under the id it had before a rule changed.
        """
        if self._elsewhere is None:
            self._elsewhere = {}
            for entry in self.decisions.entries:
                self._file(entry)
        entries = self.decisions.of_case(self.task.name, case.id)
        elsewhere = [entry for entry in self._elsewhere.get(case.id, ()) if entry.task == self.task.name]
        written = getattr(self.task, "written", None)
        for name in written(self.evaluation, case) if written is not None else ():
            elsewhere += self.decisions.of_case(self.task.name, name)
        if not elsewhere:
            return entries
        found = {entry.id: entry for entry in (*entries, *elsewhere)}
        return tuple(found[id] for id in sorted(found))

    def _file(self, entry: LogEntry) -> None:
        if self._elsewhere is not None and SHOWN in entry.basis and shown_as(entry) != entry.case:
            self._elsewhere.setdefault(shown_as(entry), []).append(entry)

    def take_in(self, entries: Iterable[LogEntry]) -> None:
        """Let entries count that went to the log after this sitting had read it: those given while it was being made ready."""
        for entry in entries:
            if self.decisions.entry(entry.id) is None:
                self._enter(entry)

    def _enter(self, entry: LogEntry) -> None:
        """Let an entry that is on disk count."""
        own = self.counted if self.blind and entry.verifier == self.verifier else None
        self.decisions = self.decisions.with_entry(entry)
        self._file(entry)
        if own is not None:
            self._own = self.verifier, own.with_entry(entry)
        if own is not None or not self.blind:
            self._touch(entry)

    def _touch(self, entry: LogEntry) -> None:
        page = entry.basis.get("page")
        if page is None:
            judged = [one for one in self.decisions.of_case(entry.task, entry.case) if one.basis.get("page") is not None]
            page = judged[-1].basis["page"] if judged else None
        if page is not None:
            key = (entry.task, entry.case, entry.run if entry.scope == "row" else None)
            self._changed.setdefault(str(page), set()).add(key)

    @property
    def gate(self) -> float | None:
        """The gate of the workspace; None for a task without one."""
        return getattr(getattr(self.evaluation.material, "settings", None), "gate", None)

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
        decisions = self.counted
        evaluation = yield from self.task.reevaluation(self.evaluation, decisions, changed)
        yield from self._replacing(changed.keys(), (yield from self.task.gathering(evaluation, changed)))
        self.evaluation = evaluation

    def _judged_since(self, case: Case) -> bool:
        return any(key[:2] == (case.task, case.id) for key in self._changed.get(case.page, ()))
