"""Which of several verdicts stands: precedence, conflicts and rulings on one register page (`4-adjudication`, Precedence and conflict).

The log knows cases by their ids. Here they are known by the rows of today: verdicts given under other rules meet those given since,
pointers are compared as the rows they mean, and verdicts on different cases are seen to exclude each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from scoring.adjudication.decisions import UNSURE, Decisions, Entry, Key, Standing
from scoring.tables.counts import LABELS
from scoring.tables.locating import CaseKey, Statement
from scoring.tables.prepared import Prepared


@dataclass(frozen=True, slots=True)
class Rulings:
    """Ids that live rulings name, with the greatest ruling that does: on readings, and on rows of one run."""

    on_readings: Mapping[str, Entry]
    on_rows: Mapping[tuple[str, str], Entry]

    def __bool__(self) -> bool:
        return bool(self.on_readings or self.on_rows)

    def of(self, entry: Entry, run: str | None = None) -> Entry | None:
        """The ruling that settles an entry (on a row of this run), if one does."""
        found = self.on_readings.get(entry.id)
        return found if found is not None or run is None else self.on_rows.get((run, entry.id))


def rulings(decisions: Decisions, keys: Iterable[Key]) -> Rulings:
    """The rulings among the verdicts of these cases. One settles earlier entries only, of whichever case."""
    on_readings: dict[str, Entry] = {}
    on_rows: dict[tuple[str, str], Entry] = {}
    for task, case in sorted({key[:2] for key in keys}):
        for entry in decisions.of_case(task, case):
            if not entry.resolves or entry.repeat or entry.by not in decisions.apply_by or not decisions.is_live(entry):
                continue
            for named in entry.resolves:
                if named >= entry.id:
                    continue
                if entry.scope == "reading":
                    on_readings[named] = max(entry, on_readings.get(named, entry), key=_id)
                elif entry.run is not None:
                    on_rows[entry.run, named] = max(entry, on_rows.get((entry.run, named), entry), key=_id)
    return Rulings(on_readings, on_rows)


def _id(entry: Entry) -> str:
    return entry.id


@dataclass(frozen=True)
class Weighed:
    """What stands on a page: statements that apply, standings by the id of today's case, and the statements in conflict."""

    statements: tuple[Statement, ...] = ()
    standing: Mapping[str, Standing] = field(default_factory=dict)
    contested: tuple[Statement, ...] = ()


def weighed(prepared: Prepared, statements: Iterable[Statement], ruled: Rulings) -> Weighed:
    """Weigh the verdicts of one register page against each other, whatever their order."""
    readings: dict[CaseKey, dict[str, Statement]] = defaultdict(dict)
    rows: dict[CaseKey, dict[tuple[str, int], dict[str, Statement]]] = defaultdict(lambda: defaultdict(dict))
    for statement in _last_words(statements):
        key = statement.key
        if key.run is None:
            readings[key][statement.entry.verifier] = statement
        else:
            rows[key.grouped][key.run, key.nth][statement.entry.verifier] = statement
    page = _Page()
    for key in dict.fromkeys((*readings, *rows)):
        on_reading, on_rows = readings.get(key, {}), rows.get(key, {})
        if on_reading:
            page.weigh(key, on_reading.values(), ruled, frozenset(on_rows))
        for (run, nth), on_row in on_rows.items():
            speakers = on_reading | on_row
            page.weigh(key.on_row(run, nth), speakers.values(), ruled)
    page.clash(prepared)
    return Weighed(
        tuple(sorted(page.applied.values(), key=_order)),
        page.standing,
        tuple(sorted(page.contested.values(), key=_order)),
    )


def _order(statement: Statement) -> tuple[str, str, int]:
    return statement.entry.id, statement.key.run or "", statement.key.nth


def _last_words(statements: Iterable[Statement]) -> list[Statement]:
    """Each verifier's last verdict on each case. Who gives one reading to two GT rows means the later: the earlier was not said."""
    last: dict[tuple[str, CaseKey], Statement] = {}
    for statement in sorted(statements, key=_order):
        last[statement.entry.verifier, statement.key] = statement
    kept: dict[tuple[object, ...], Statement] = {}
    for statement in sorted(last.values(), key=_order):
        key = statement.key
        if statement.entry.verdict == "same" and statement.names_pair:
            kept[statement.entry.verifier, key.form, key.others, key.run, key.nth] = statement
        else:
            kept[statement.entry.verifier, key] = statement
    return sorted(kept.values(), key=_order)


class _Page:
    def __init__(self) -> None:
        self.applied: dict[CaseKey, Statement] = {}
        self.contested: dict[CaseKey, Statement] = {}
        self.standing: dict[str, Standing] = {}

    def weigh(
        self, key: CaseKey, speakers: Collection[Statement], ruled: Rulings, elsewhere: frozenset[tuple[str, int]] = frozenset()
    ) -> None:
        """What stands for one case among each verifier's last word on it."""
        if len(speakers) == 1 and not ruled:
            (only,) = speakers
            self.standing[key.id] = Standing(key.id, only.entry, (only.entry,), False)
            self.applied[key] = only if only.key is key and not elsewhere else replace(only, key=key, elsewhere=elsewhere)
            return
        ordered = sorted(speakers, key=_order)
        entries = tuple(one.entry for one in ordered)
        contest = [one for one in ordered if ruled.of(one.entry, key.run) is None]
        if not contest:
            # Settled by rulings on another case: nothing is said of this one any more, and nobody need be asked.
            settling = max((found for entry in entries if (found := ruled.of(entry, key.run)) is not None), key=_id)
            self.standing[key.id] = Standing(key.id, settling, entries, False)
            return
        firm = [one for one in contest if one.entry.verdict != UNSURE]
        conflict = len({one.sense for one in firm}) > 1
        last = (firm or contest)[-1]
        winner = Statement(key, last.entry, last.gt, last.model, elsewhere)
        self.standing[key.id] = Standing(key.id, winner.entry, entries, conflict)
        (self.contested if conflict else self.applied)[key] = winner

    def clash(self, prepared: Prepared) -> None:
        """Verdicts of different verifiers that cannot hold together.

        One row cannot be two travelers or bear two labels, nor two rows of a run be one traveler.
        """
        against: dict[CaseKey, set[CaseKey]] = defaultdict(set)
        silent: dict[CaseKey, set[tuple[str, int]]] = defaultdict(set)
        for kind, one, other in self._candidates():
            runs = _runs_of_clash(prepared, kind, one, other)
            if not runs:
                continue
            if (one.key.run is None) == (other.key.run is None):
                against[one.key].add(other.key)
                against[other.key].add(one.key)
                continue
            # A verdict on one row and one on a reading exclude each other on that run alone.
            narrow, wide = (one, other) if one.key.run is not None else (other, one)
            against[narrow.key].add(wide.key)
            page = prepared.pages[wide.key.page]
            for run in runs:
                silent[wide.key] |= {(run, nth) for nth, _ in enumerate(wide.key.rows(page, prepared.run_page(run, wide.key.page)))}
        for key, places in silent.items():
            if key not in against:
                self.applied[key] = replace(self.applied[key], elsewhere=self.applied[key].elsewhere | places)
        for key, others in against.items():
            known = self.standing[key.id]
            entries = {entry.id: entry for entry in (*known.entries, *(self.standing[other.id].entry for other in others))}
            self.standing[key.id] = Standing(key.id, known.entry, tuple(entries[id] for id in sorted(entries)), True)
        for key in against:
            self.contested[key] = self.applied.pop(key)

    def _candidates(self) -> Iterator[tuple[str, Statement, Statement]]:
        """Pairs of verdicts of different verifiers on one reading or on one GT row that may exclude each other."""
        sharing: dict[tuple[object, ...], list[Statement]] = defaultdict(list)
        for statement in sorted(self.applied.values(), key=_order):
            if statement.entry.verdict == "same" and statement.names_pair:
                sharing["row", statement.key.form].append(statement)
                sharing["gt", statement.gt].append(statement)
            elif statement.entry.verdict in LABELS and statement.key.form:
                sharing["label", statement.key.form].append(statement)
        for (kind, *_), found in sharing.items():
            yield from ((str(kind), one, other) for one, other in _unlike(str(kind), found))


def _unlike(kind: str, found: Sequence[Statement]) -> Iterator[tuple[Statement, Statement]]:
    if len({one.entry.verifier for one in found}) < 2:
        return
    for one, other in combinations(found, 2):
        if one.entry.verifier == other.entry.verifier or one.key.grouped == other.key.grouped:
            continue
        if kind == "label":
            unlike = one.sense != other.sense
        elif kind == "row":
            unlike = one.gt != other.gt
        else:
            unlike = (one.key.form, one.key.others) != (other.key.form, other.key.others)
        if unlike:
            yield one, other


def _runs_of_clash(prepared: Prepared, kind: str, one: Statement, other: Statement) -> list[str]:
    """The runs in which both speak: of one row, or of two rows where they give one GT row to both (`kind` gt)."""
    page = prepared.pages[one.key.page]
    runs = [run for run in (one.key.run, other.key.run) if run is not None]
    found = []
    for run in runs or prepared.runs:
        if run not in prepared.runs or any(run != named for named in runs):
            continue
        answer = prepared.run_page(run, one.key.page)
        ours, theirs = set(one.rows(page, answer)), set(other.rows(page, answer))
        if ours and theirs and (kind == "gt" or ours & theirs):
            found.append(run)
    return list(dict.fromkeys(found))
