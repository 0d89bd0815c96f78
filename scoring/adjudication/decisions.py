"""What the log says: entries, which of them are live, and what stands for every case (`docs/adjudication.md#precedence`).

Pure: entries in, values out; files are `log`'s matter. Nothing here depends on the order in which entries come: ids are
time-ordered and unique, everything is decided by them.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from scoring.adjudication.layered_map import LayeredMap
from scoring.adjudication.log_entry import RETRACT, SCHEMA, UNSURE, By, LogEntry, Scope, by_id, encode, new_id, retraction, timestamp
from scoring.adjudication.verdict_kinds import kind_of
from scoring.foundations.memory import garbage_kept, set_aside
from scoring.foundations.problems import Problem

__all__ = [
    "HUMAN",
    "NO_DECISIONS",
    "RETRACT",
    "SCHEMA",
    "UNSURE",
    "By",
    "Decisions",
    "Key",
    "LogEntry",
    "Scope",
    "Standing",
    "encode",
    "line_digest",
    "live",
    "meaning",
    "new_id",
    "retraction",
    "standing",
    "timestamp",
]

HUMAN: frozenset[str] = frozenset({"human"})
Key = tuple[str, str, str | None]
"""(task, case, run): run is None for what stands for a whole reading, `MODEL/PHASE/RUN` for one run's row."""


_MANY = 20_000


@contextmanager
def garbage_kept_of(size: int) -> Iterator[None]:
    """`garbage_kept` while values for `size` entries are made. What a long log leaves behind is then set aside for good."""
    if size < _MANY:
        yield
        return
    with garbage_kept():
        yield
        set_aside()


# What is live, and what stands.


def _retracted(entries: Collection[LogEntry]) -> set[str]:
    """The ids undone. Retractions are weighed from the greatest id down: each one's own fate is known when its turn comes."""
    retractions = [entry for entry in entries if entry.retracts is not None]
    if not retractions:
        return set()
    named = {entry.retracts for entry in retractions}
    owner = {entry.id: entry.verifier for entry in entries if entry.id in named}
    dead: set[str] = set()
    for entry in sorted(retractions, key=by_id, reverse=True):
        target = entry.retracts
        if target is not None and entry.id not in dead and target < entry.id and owner.get(target) == entry.verifier:
            dead.add(target)
    return dead


def live(entries: Iterable[LogEntry]) -> tuple[LogEntry, ...]:
    """The entries less the retracted ones, in id order.

    An entry is live unless a live, later entry of the same verifier retracts it; so the undo of an undo brings it back.
    """
    entries = sorted(entries, key=by_id)
    dead = _retracted(entries)
    return tuple(entry for entry in entries if entry.id not in dead)


_canonical = msgspec.json.Encoder(order="sorted")


def meaning(entry: LogEntry) -> tuple[str, frozenset[str], bytes]:
    """What two verdicts must share to agree: verdict, pointer (in any order) and value."""
    return entry.verdict, frozenset(entry.targets), b"" if entry.value is None else _canonical.encode(entry.value)


class Standing(msgspec.Struct, frozen=True, gc=False):
    """What stands for one case (or one row of it).

    `entry` applies unless `conflict`; `entries` are the live ones behind it, the greatest of each verifier and kind, in id order,
    including those a ruling has settled.
    """

    case: str
    entry: LogEntry
    entries: tuple[LogEntry, ...]
    conflict: bool

    @property
    def applied(self) -> LogEntry | None:
        """The entry to apply; None while there is a conflict."""
        return None if self.conflict else self.entry


def _judged(case: str, candidates: Iterable[LogEntry], settled: set[str], otherwise: Iterable[LogEntry] = ()) -> Standing:
    """The standing among each verifier's greatest entries; `otherwise` speaks where rulings settled all of them."""
    entries = sorted(candidates, key=by_id)
    contest = [entry for entry in entries if entry.id not in settled]
    if not contest:
        contest = sorted((entry for entry in otherwise if entry.id not in settled), key=by_id)
        entries = sorted({entry.id: entry for entry in (*entries, *contest)}.values(), key=by_id)
    firm = [entry for entry in contest if entry.verdict != UNSURE]
    conflict = len(firm) > 1 and len({(kind_of(entry), meaning(entry)) for entry in firm}) > len({kind_of(entry) for entry in firm})
    return Standing(case, (firm or contest)[-1], tuple(entries), conflict)


def _settled(entries: Iterable[LogEntry]) -> set[str]:
    """The ids that rulings among these entries name; a ruling settles earlier entries only."""
    return {named for entry in entries if entry.resolves for named in entry.resolves if named < entry.id}


def _standings(task: str, case: str, entries: list[LogEntry]) -> dict[Key, Standing]:
    """All standings of one case from its live verdicts in id order.

    On one run's row a verifier who judged that row speaks by that, any other by what he said of the reading. Statements of
    different kinds stand side by side.
    """
    if len(entries) == 1:
        (entry,) = entries
        return {(task, case, entry.run if entry.scope == "row" else None): Standing(case, entry, (entry,), False)}
    on_reading = [entry for entry in entries if entry.scope == "reading"]
    reading = {(entry.verifier, kind_of(entry)): entry for entry in on_reading}
    settled = _settled(on_reading)
    standings: dict[Key, Standing] = {}
    if reading:
        standings[task, case, None] = _judged(case, reading.values(), settled)
    if len(on_reading) < len(entries):
        rows: dict[str | None, list[LogEntry]] = defaultdict(list)
        for entry in entries:
            if entry.scope == "row":
                rows[entry.run].append(entry)
        for run, on_row in rows.items():
            speakers = reading | {(entry.verifier, kind_of(entry)): entry for entry in on_row}
            standings[task, case, run] = _judged(case, speakers.values(), settled | _settled(on_row), reading.values())
    return standings


def _counts(entry: LogEntry, apply_by: Collection[str]) -> bool:
    """Whether an entry is a verdict that can stand: entries shown again feed self-agreement alone."""
    return entry.retracts is None and not entry.repeat and entry.by in apply_by


def standing(entries: Iterable[LogEntry], *, apply_by: Collection[str] = HUMAN) -> dict[Key, Standing]:
    """What stands for each (task, case, run or None) under the entries, whatever their order.

    One verifier, one case (one row where the scope is `row`), one kind of statement: the greatest id wins. Verdicts of different
    verifiers that are of one kind, not `unsure`, and differ in verdict, pointer or value are a conflict until a live ruling names
    them; a ruling settles exactly the ids it names. Source: `docs/adjudication.md#precedence`.
    """
    by_case: dict[tuple[str, str], list[LogEntry]] = defaultdict(list)
    for entry in live(entries):
        if _counts(entry, apply_by):
            by_case[entry.task, entry.case].append(entry)
    result: dict[Key, Standing] = {}
    for (task, case), judged in by_case.items():
        result.update(_standings(task, case, judged))
    return result


# All decisions as one value.


@dataclass(frozen=True, slots=True)
class _Lines:
    """Hashes of log lines; a chain, so that one more costs nothing."""

    digests: tuple[bytes, ...]
    before: _Lines | None = None

    def __iter__(self) -> Iterator[bytes]:
        link: _Lines | None = self
        while link is not None:
            yield from link.digests
            link = link.before


def line_digest(line: bytes) -> bytes:
    """SHA-256 of a log line without its line end."""
    return hashlib.sha256(line).digest()


@dataclass(frozen=True, eq=False)
class Decisions:
    """Everything the log says, as evaluation takes it: immutable; `with_entry` gives the next one at each key press.

    `entries` are all entries in id order, retracted ones too; `standing` is what `standing(entries)` gives; `problems` are
    what reading found. Make one with `Decisions.of`.
    """

    entries: tuple[LogEntry, ...]
    standing: LayeredMap[Key, Standing]
    problems: tuple[Problem, ...] = ()
    apply_by: frozenset[str] = HUMAN
    _lines: _Lines = field(default=_Lines(()), repr=False)
    _cases: LayeredMap[tuple[str, str], tuple[LogEntry, ...]] = field(default_factory=lambda: LayeredMap({}), repr=False)
    _retracted: LayeredMap[str, bool] = field(default_factory=lambda: LayeredMap({}), repr=False)

    @classmethod
    def of(
        cls,
        entries: Iterable[LogEntry],
        *,
        digests: Iterable[bytes] | None = None,
        problems: Iterable[Problem] = (),
        apply_by: Collection[str] = HUMAN,
    ) -> Decisions:
        """Decisions from entries in any order.

        Args:
            entries: with unique ids.
            digests: `line_digest` of each entry's line in the log; without them the lines are those `encode` writes.
            problems: what reading the log found.
            apply_by: whose verdicts apply: of `human`, `model`, `rule`.
        """
        entries = tuple(entries)
        with garbage_kept_of(len(entries)):
            return cls._of(entries, digests, tuple(problems), frozenset(apply_by))

    @classmethod
    def _of(
        cls, entries: Iterable[LogEntry], digests: Iterable[bytes] | None, problems: tuple[Problem, ...], apply_by: frozenset[str]
    ) -> Decisions:
        ordered = tuple(sorted(entries, key=by_id))
        dead = _retracted(ordered)
        cases: dict[tuple[str, str], list[LogEntry]] = defaultdict(list)
        for entry in ordered:
            cases[entry.task, entry.case].append(entry)
        stands: dict[Key, Standing] = {}
        for (task, case), history in cases.items():
            if len(history) == 1 and _counts(history[0], apply_by) and history[0].id not in dead:
                (only,) = history
                stands[task, case, only.run if only.scope == "row" else None] = Standing(case, only, (only,), False)
                continue
            judged = [entry for entry in history if entry.id not in dead and _counts(entry, apply_by)]
            if judged:
                stands.update(_standings(task, case, judged))
        return cls(
            ordered,
            LayeredMap(stands),
            problems,
            apply_by,
            _Lines(tuple(line_digest(encode(entry)) for entry in ordered) if digests is None else tuple(digests)),
            LayeredMap({key: tuple(history) for key, history in cases.items()}),
            LayeredMap(dict.fromkeys(dead, True)),
        )

    @cached_property
    def fingerprint(self) -> str:
        """8 hex digits of SHA-256 over the sorted set of the lines (each by its own SHA-256): equal sets of lines, equal fingerprints."""
        return hashlib.sha256(b"".join(sorted(set(self._lines)))).hexdigest()[:8]

    @property
    def greatest_id(self) -> str:
        """The greatest id in the log, "" when empty: what `new_id` must stay above."""
        return self.entries[-1].id if self.entries else ""

    @property
    def conflicts(self) -> tuple[tuple[Key, Standing], ...]:
        """All standings in conflict."""
        return tuple((key, stands) for key, stands in self.standing.items() if stands.conflict)

    def entry(self, id: str) -> LogEntry | None:
        """The entry with this id."""
        at = bisect_left(self.entries, id, key=by_id)
        return self.entries[at] if at < len(self.entries) and self.entries[at].id == id else None

    def is_live(self, entry: LogEntry) -> bool:
        """Whether nothing live retracts the entry."""
        return entry.id not in self._retracted

    def of_case(self, task: str, case: str) -> tuple[LogEntry, ...]:
        """The case's whole history in id order: retracted entries, retractions, repeats and machines' verdicts too."""
        return self._cases.get((task, case), ())

    def standing_of(self, task: str, case: str, run: str | None = None) -> Standing | None:
        """What stands for the case; for one run's row, what was said of that row, else of the reading."""
        on_row = self.standing.get((task, case, run)) if run is not None else None
        return on_row or self.standing.get((task, case, None))

    def latest_of(self, verifier: str, but_of: Collection[str] = ()) -> LogEntry | None:
        """The verifier's last entry that an undo would undo: live, and no plain undo itself (one with a batch is part of an act).

        Entries of the tasks `but_of` are passed over.
        """
        for entry in reversed(self.entries):
            ours = entry.verifier == verifier and entry.task not in but_of
            if ours and (entry.retracts is None or entry.batch is not None) and self.is_live(entry):
                return entry
        return None

    def applying(self, apply_by: Collection[str]) -> Decisions:
        """The same log read with the verdicts of others applied (`--apply-by`)."""
        if frozenset(apply_by) == self.apply_by:
            return self
        return Decisions.of(self.entries, digests=self._lines, problems=self.problems, apply_by=apply_by)

    def of_verifier(self, verifier: str | None) -> Decisions:
        """What one verifier's entries alone decide, as if nobody else had written: what a blind sitting goes by."""
        return Decisions.of((entry for entry in self.entries if entry.verifier == verifier), apply_by=self.apply_by)

    def with_entry(self, entry: LogEntry) -> Decisions:
        """The decisions with one entry more; its cost depends on the entry's case, hardly on the size of the log.

        Raises:
            ValueError: the log has another entry with this id.
        """
        known = self.entry(entry.id)
        if known is not None:
            if known != entry:
                raise ValueError(f"two different entries with the id {entry.id}")
            return self
        lines = _Lines((line_digest(encode(entry)),), self._lines)
        if entry.id < self.greatest_id:
            return Decisions.of((*self.entries, entry), digests=lines, problems=self.problems, apply_by=self.apply_by)
        key = (entry.task, entry.case)
        cases = self._cases.changed({key: (*self._cases.get(key, ()), entry)})
        changed = {key}
        dead: set[str] = set()
        revived: set[str] = set()
        if entry.retracts is not None:
            dead, revived, touched = self._undone(entry)
            changed |= touched
        retracted = self._retracted.changed(dict.fromkeys(dead, True), revived) if dead or revived else self._retracted
        put: dict[Key, Standing] = {}
        remove: set[Key] = set()
        for task, case in changed:
            history = cases[task, case]
            runs = {None} | {one.run for one in history if one.scope == "row"}
            judged = [one for one in history if one.id not in retracted and _counts(one, self.apply_by)]
            stands = _standings(task, case, judged) if judged else {}
            put.update(stands)
            remove |= {(task, case, run) for run in runs if (task, case, run) in self.standing} - stands.keys()
        stands_now = self.standing.changed(put, remove)
        return Decisions((*self.entries, entry), stands_now, self.problems, self.apply_by, lines, cases, retracted)

    def _undone(self, newest: LogEntry) -> tuple[set[str], set[str], set[tuple[str, str]]]:
        """What the newest retraction kills and brings back, down the chain of undone undos, and the cases touched."""
        dead: set[str] = set()
        revived: set[str] = set()
        touched: set[tuple[str, str]] = set()
        actor: LogEntry | None = newest
        kills = True
        while actor is not None and actor.retracts is not None:
            target = self.entry(actor.retracts)
            if target is None or target.verifier != actor.verifier or target.id >= actor.id:
                break
            if kills == (not self.is_live(target)):
                break
            if not kills and self._others_retract(target, actor, dead | {actor.id}):
                break
            (dead if kills else revived).add(target.id)
            touched.add((target.task, target.case))
            actor, kills = target, not kills
        return dead, revived, touched

    def _others_retract(self, target: LogEntry, actor: LogEntry, gone: set[str]) -> bool:
        """Whether a live retraction other than the one just undone still holds the target down."""
        return any(
            other.retracts == target.id and other.verifier == target.verifier and other.id not in gone and self.is_live(other)
            for other in self.entries[bisect_left(self.entries, target.id, key=by_id) :]
        )


NO_DECISIONS = Decisions.of(())
