"""Which of several verdicts stands: precedence, conflicts and rulings on one page (`docs/adjudication.md#precedence`).

The log knows cases by their ids. Here they are known by the rows of today: verdicts given under other rules meet those given since,
pointers are compared as the rows they mean, and verdicts on different cases are seen to exclude each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from scoring.adjudication.decisions import UNSURE, Decisions, Key, LogEntry, Standing
from scoring.adjudication.verdict_kinds import answers
from scoring.tables.decisions.anchor import AnchoredVerdict, CaseKey, row_pointed_to
from scoring.tables.decisions.coverage import cover_of
from scoring.tables.matching.normalized import PreparedMaterial
from scoring.tables.measures.counts import LABELS


@dataclass(frozen=True, slots=True)
class Rulings:
    """Ids that live rulings name, with the greatest ruling that does: on readings, and on rows of one run."""

    on_readings: Mapping[str, LogEntry]
    on_rows: Mapping[tuple[str, str], LogEntry]

    def __bool__(self) -> bool:
        return bool(self.on_readings or self.on_rows)

    def of(self, entry: LogEntry, run: str | None = None) -> LogEntry | None:
        """The ruling that settles an entry (on a row of this run), if one does."""
        found = self.on_readings.get(entry.id)
        return found if found is not None or run is None else self.on_rows.get((run, entry.id))


def rulings(decisions: Decisions, keys: Iterable[Key]) -> Rulings:
    """The rulings among the verdicts of these cases. One settles earlier entries only, of whichever case."""
    on_readings: dict[str, LogEntry] = {}
    on_rows: dict[tuple[str, str], LogEntry] = {}
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


def _id(entry: LogEntry) -> str:
    return entry.id


Question = tuple[CaseKey, str]
"""What statements answer: a case, and the kind of statement."""


@dataclass(frozen=True, slots=True)
class CaseStanding:
    """What stands for one case of today: a standing for each kind of statement made on it, and these `kinds` in the same order."""

    parts: tuple[Standing, ...]
    kinds: tuple[str, ...]

    def answering(self, ask: str) -> tuple[Standing, ...]:
        """The standings that answer what the case asks: nothing else that is said of it decides it."""
        return tuple(part for kind, part in zip(self.kinds, self.parts, strict=True) if answers(kind, ask))

    @property
    def conflict(self) -> bool:
        """Whether verifiers contradict each other in one kind or another."""
        return any(part.conflict for part in self.parts)

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        """The entries behind it, in id order."""
        found = {entry.id: entry for part in self.parts for entry in part.entries}
        return tuple(found[id] for id in sorted(found))

    @property
    def disputed(self) -> tuple[LogEntry, ...]:
        """The entries that stand against each other, in id order."""
        found = {entry.id: entry for part in self.parts if part.conflict for entry in part.entries if entry.verdict != UNSURE}
        return tuple(found[id] for id in sorted(found))


@dataclass(frozen=True)
class PageVerdicts:
    """What stands on a page: statements that apply, standings by the id of today's case, and the statements in conflict.

    `rests` are the cases of occurrences for which a verdict was taken back or that have a verdict apart, by the case of the reading.
    """

    statements: tuple[AnchoredVerdict, ...] = ()
    standing: Mapping[str, CaseStanding] = field(default_factory=dict)
    contested: tuple[AnchoredVerdict, ...] = ()
    rests: Mapping[CaseKey, tuple[CaseKey, ...]] = field(default_factory=dict)


def weighed(prepared: PreparedMaterial, statements: Iterable[AnchoredVerdict], ruled: Rulings) -> PageVerdicts:
    """Weigh the verdicts of one page against each other, whatever their order."""
    given = _last_given(statements)
    readings: dict[Question, dict[str, AnchoredVerdict]] = defaultdict(dict)
    rows: dict[Question, dict[tuple[str, int], dict[str, AnchoredVerdict]]] = defaultdict(lambda: defaultdict(dict))
    for statement in _last_words(given):
        key, kind = statement.about, statement.kind
        if key.run is None:
            readings[key, kind][statement.entry.verifier] = statement
        else:
            rows[key.grouped, kind][key.run, key.nth][statement.entry.verifier] = statement
    apart: dict[Question, set[tuple[str, int]]] = defaultdict(set)
    for key, kind in readings:
        if key.beyond is not None:
            whole = replace(key, beyond=None)
            if (whole, kind) in readings:
                apart[whole, kind] |= _places(prepared, whole, key)
    page = _Page()
    for key, kind in dict.fromkeys((*readings, *rows)):
        on_reading, on_rows = readings.get((key, kind), {}), rows.get((key, kind), {})
        if key.beyond is not None:
            # Who has said nothing of these occurrences apart speaks of them by what he said of all.
            of_all = readings.get((replace(key, beyond=None), kind), {})
            on_reading = {who: one for who, one in of_all.items() if one.within is None} | on_reading
        if on_reading:
            page.weigh(key, kind, on_reading.values(), ruled, frozenset((*on_rows, *apart.get((key, kind), ()))))
        for (run, nth), on_row in on_rows.items():
            reaching = {who: one for who, one in on_reading.items() if _reaches(prepared, one, run, nth)}
            speakers = reaching | on_row
            page.weigh(key.on_row(run, nth), kind, speakers.values(), ruled)
    page.clash(prepared)
    page.shown_where_given(given)
    return PageVerdicts(
        tuple(sorted(page.applied.values(), key=_order)),
        {case: CaseStanding(tuple(parts[kind] for kind in sorted(parts)), tuple(sorted(parts))) for case, parts in page.standing.items()},
        tuple(sorted(page.contested.values(), key=_order)),
        page.rests(given),
    )


def _reaches(prepared: PreparedMaterial, statement: AnchoredVerdict, run: str, nth: int) -> bool:
    """Whether what is said of a reading speaks of its nth row in a run: not where the row it points to is read nowhere there."""
    if statement.model is None or run not in prepared.runs:
        return True
    page = prepared.pages[statement.key.page]
    answer = prepared.run_page(run, statement.key.page)
    row = next(iter(statement.key.rows(page, answer)[nth : nth + 1]), None)
    return row is None or row_pointed_to(page, answer, statement.model, row) is not None


def _places(prepared: PreparedMaterial, whole: CaseKey, part: CaseKey) -> set[tuple[str, int]]:
    """The rows (run, nth of the whole) that a part of a case is about."""
    gt, found = prepared.pages[whole.page], set()
    for run in prepared.runs:
        answer = prepared.run_page(run, whole.page)
        rows = set(part.rows(gt, answer))
        found |= {(run, nth) for nth, row in enumerate(whole.rows(gt, answer)) if row in rows}
    return found


def _order(statement: AnchoredVerdict) -> tuple[str, str, int]:
    return statement.entry.id, statement.key.run or "", statement.key.nth


def _last_given(statements: Iterable[AnchoredVerdict]) -> list[AnchoredVerdict]:
    """Each verifier's last verdict of each kind on each case."""
    last: dict[tuple[str, CaseKey, str], AnchoredVerdict] = {}
    for statement in sorted(statements, key=_order):
        last[statement.entry.verifier, statement.key, statement.kind] = statement
    return sorted(last.values(), key=_order)


def _last_words(given: Iterable[AnchoredVerdict]) -> list[AnchoredVerdict]:
    """Each verifier's last verdict on each question. Who gives one reading to two GT rows means the later: the earlier was not said."""
    kept: dict[tuple[object, ...], AnchoredVerdict] = {}
    for statement in given:
        key = statement.about
        if statement.entry.verdict == "same" and statement.names_pair:
            kept[statement.entry.verifier, key.form, key.others, key.run, key.nth, key.beyond] = statement
        else:
            kept[statement.entry.verifier, key, statement.kind] = statement
    return sorted(kept.values(), key=_order)


class _Page:
    def __init__(self) -> None:
        self.applied: dict[Question, AnchoredVerdict] = {}
        self.contested: dict[Question, AnchoredVerdict] = {}
        self.standing: dict[str, dict[str, Standing]] = defaultdict(dict)

    def weigh(
        self,
        key: CaseKey,
        kind: str,
        speakers: Collection[AnchoredVerdict],
        ruled: Rulings,
        elsewhere: frozenset[tuple[str, int]] = frozenset(),
    ) -> None:
        """What stands for one question among each verifier's last word on it."""
        if len(speakers) == 1 and not ruled:
            (only,) = speakers
            self.standing[key.id][kind] = Standing(key.id, only.entry, (only.entry,), False)
            self.applied[key, kind] = only if only.key is key and not elsewhere else replace(only, key=key, elsewhere=elsewhere)
            return
        ordered = sorted(speakers, key=_order)
        entries = tuple(one.entry for one in ordered)
        contest = [one for one in ordered if ruled.of(one.entry, key.run) is None]
        if not contest:
            # Settled by rulings on another case: nothing is said of this one any more, and nobody need be asked.
            settling = max((found for entry in entries if (found := ruled.of(entry, key.run)) is not None), key=_id)
            self.standing[key.id][kind] = Standing(key.id, settling, entries, False)
            return
        firm = [one for one in contest if one.entry.verdict != UNSURE]
        conflict = len({one.sense for one in firm}) > 1
        last = (firm or contest)[-1]
        winner = AnchoredVerdict(key, last.entry, last.gt, last.model, elsewhere, _within(firm or contest))
        self.standing[key.id][kind] = Standing(key.id, winner.entry, entries, conflict)
        (self.contested if conflict else self.applied)[key, kind] = winner

    def shown_where_given(self, given: Iterable[AnchoredVerdict]) -> None:
        """A label given on a case about a pair stands for that case too."""
        for statement in given:
            about, key = statement.about, statement.key
            if about != key and (found := self.standing.get(about.id, {}).get(statement.kind)) is not None:
                self.standing[key.id][statement.kind] = Standing(key.id, found.entry, found.entries, found.conflict)

    def rests(self, given: Iterable[AnchoredVerdict]) -> dict[CaseKey, tuple[CaseKey, ...]]:
        """By the case of a reading, the cases of those of its occurrences that its verdict does not speak of."""
        found: dict[CaseKey, dict[CaseKey, None]] = defaultdict(dict)
        for statement in given:
            key = statement.key
            if key.beyond is not None:
                found[replace(key.grouped, beyond=None)][key.grouped] = None
            standing = self.applied.get((statement.about, statement.kind))
            if key.run is None and standing is not None and standing.within is not None:
                for of in (key, statement.about):
                    found[of][of.after(cover_of(standing.within))] = None
        # What speaks of nothing leaves the whole case, which is no case beside itself.
        return {key: left for key, rests in found.items() if (left := tuple(rest for rest in rests if rest != key))}

    def clash(self, prepared: PreparedMaterial) -> None:
        """Verdicts of different verifiers that cannot hold together.

        One row cannot be two records or bear two labels, nor two rows of a run be one record.
        """
        against: dict[Question, set[Question]] = defaultdict(set)
        silent: dict[Question, set[tuple[str, int]]] = defaultdict(set)
        for sharing, one, other in self._candidates():
            runs = _runs_of_clash(prepared, sharing, one, other)
            if not runs:
                continue
            first, second = (one.key, one.kind), (other.key, other.kind)
            if (one.key.run is None) == (other.key.run is None):
                against[first].add(second)
                against[second].add(first)
                continue
            # A verdict on one row and one on a reading exclude each other on that run alone.
            narrow, wide = (first, second) if one.key.run is not None else (second, first)
            against[narrow].add(wide)
            page = prepared.pages[wide[0].page]
            for run in runs:
                silent[wide] |= {(run, nth) for nth, _ in enumerate(wide[0].rows(page, prepared.run_page(run, wide[0].page)))}
        for wide, places in silent.items():
            if wide not in against:
                self.applied[wide] = replace(self.applied[wide], elsewhere=self.applied[wide].elsewhere | places)
        for (key, kind), others in against.items():
            known = self.standing[key.id][kind]
            theirs = (self.standing[other.id][of].entry for other, of in others)
            entries = {entry.id: entry for entry in (*known.entries, *theirs)}
            self.standing[key.id][kind] = Standing(key.id, known.entry, tuple(entries[id] for id in sorted(entries)), True)
        for question in against:
            self.contested[question] = self.applied.pop(question)

    def _candidates(self) -> Iterator[tuple[str, AnchoredVerdict, AnchoredVerdict]]:
        """Pairs of verdicts of different verifiers on one reading or on one GT row that may exclude each other."""
        sharing: dict[tuple[object, ...], list[AnchoredVerdict]] = defaultdict(list)
        for statement in sorted(self.applied.values(), key=_order):
            if statement.entry.verdict == "same" and statement.names_pair:
                sharing["row", statement.key.form].append(statement)
                sharing["gt", statement.gt].append(statement)
                sharing["pair", statement.key.form, statement.gt].append(statement)
            elif statement.entry.verdict == "different" and statement.names_pair:
                sharing["pair", statement.key.form, statement.gt].append(statement)
            elif statement.entry.verdict in LABELS and statement.key.form:
                sharing["label", statement.key.form].append(statement)
        for (kind, *_), found in sharing.items():
            yield from ((str(kind), one, other) for one, other in _unlike(str(kind), found))


def _within(speakers: Iterable[AnchoredVerdict]) -> frozenset[str] | None:
    """The occurrences verdicts that agree speak of: all, if one of them speaks of all."""
    found: set[str] = set()
    for one in speakers:
        if one.within is None:
            return None
        found |= one.within
    return frozenset(found)


def _unlike(kind: str, found: Sequence[AnchoredVerdict]) -> Iterator[tuple[AnchoredVerdict, AnchoredVerdict]]:
    if len({one.entry.verifier for one in found}) < 2:
        return
    for one, other in combinations(found, 2):
        if one.entry.verifier == other.entry.verifier or one.key.grouped == other.key.grouped:
            continue
        if kind in ("label", "pair"):
            unlike = one.sense != other.sense
        elif kind == "row":
            unlike = one.gt != other.gt
        else:
            unlike = (one.key.form, one.key.others) != (other.key.form, other.key.others)
        if unlike:
            yield one, other


def _runs_of_clash(prepared: PreparedMaterial, kind: str, one: AnchoredVerdict, other: AnchoredVerdict) -> list[str]:
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
