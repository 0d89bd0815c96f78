"""Statements resolved on one page of one run: what they settle there, and the rows they do not reach (`docs/adjudication.md#cases`).

A grouped verdict names a reading. Where its pointer does not exist in a run, or where `same` would give one GT row two rows, the
occurrence splits off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.tables.decisions.anchor import AnchoredVerdict, row_pointed_to
from scoring.tables.matching.normalized import PreparedPage, PreparedRunPage
from scoring.tables.measures.counts import LABELS

Pair = tuple[int, int]
"""(GT row, model row), from 0."""


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """A label a verifier gave to a model row: rows it points to (0-based), and the entry's id."""

    label: str
    gt: tuple[int, ...]
    model: int | None
    decided_by: str


@dataclass(frozen=True, slots=True)
class PageDecisions:
    """The decisions on one page of one run, rows 0-based: pairs settled `same` with their entry's id, pairs barred, labels given."""

    same: tuple[tuple[int, int, str], ...] = ()
    barred: frozenset[Pair] = frozenset()
    labels: Mapping[int, GivenLabel] = field(default_factory=dict)
    entries: frozenset[str] = frozenset()


NOTHING_BOUND = PageDecisions()
Split = tuple[tuple[AnchoredVerdict, int], ...]


def resolved(
    gt: PreparedPage, answer: PreparedRunPage, statements: Sequence[AnchoredVerdict], holders: Mapping[int, int]
) -> tuple[PageDecisions, Split]:
    """Resolve a page's statements on one run.

    Row statements speak last: they narrow what a grouped verdict said; one on the occurrences since speaks before them.

    Args:
        statements: those that apply and whose readings this run has.
        holders: GT row -> model row matched to it as scored.

    Returns:
        What is settled, and the rows (0-based) that a grouped statement means and does not reach.
    """
    same: dict[Pair, AnchoredVerdict] = {}
    barred: dict[Pair, str] = {}
    given: list[tuple[AnchoredVerdict, int]] = []
    for statement in sorted(statements, key=_precision):
        verdict, by = statement.entry.verdict, statement.entry.id
        for row in statement.rows(gt, answer):
            if verdict == "same" and statement.names_pair:
                same = {pair: who for pair, who in same.items() if pair[1] != row}
                same[statement.gt[0], row] = statement
                barred.pop((statement.gt[0], row), None)
            elif verdict == "different" and statement.names_pair:
                barred[statement.gt[0], row] = by
                same.pop((statement.gt[0], row), None)
            elif verdict in LABELS:
                given.append((statement, row))
    taken = _held_elsewhere(same, barred, holders)
    split = [(same.pop(pair), pair[1]) for pair in taken]
    labels: dict[int, GivenLabel] = {}
    stands = _standing_rows(gt, answer, given, {*holders.values(), *(row for _, row in same)})
    for statement, row in given:
        model = None
        if statement.model is not None:
            model = stands.get(id(statement), row_pointed_to(gt, answer, statement.model, row))
        if statement.model is not None and model in (None, row):
            if statement.key.run is None:
                split.append((statement, row))
            continue
        labels[row] = GivenLabel(statement.entry.verdict, statement.gt, model, statement.entry.id)
    if not (same or barred or labels):
        return NOTHING_BOUND, tuple(split)
    pairs = tuple((at, row, who.entry.id) for (at, row), who in same.items())
    by_ids = {by for _, _, by in pairs} | set(barred.values()) | {label.decided_by for label in labels.values()}
    return PageDecisions(pairs, frozenset(barred), labels, frozenset(by_ids)), tuple(split)


def _precision(statement: AnchoredVerdict) -> tuple[bool, bool, str, str, int]:
    key = statement.key
    return key.run is not None, key.beyond is not None, statement.entry.id, key.run or "", key.nth


def _held_elsewhere(same: Mapping[Pair, AnchoredVerdict], barred: Iterable[Pair], holders: Mapping[int, int]) -> tuple[Pair, ...]:
    """The grouped `same` pairs whose GT row another row of the run holds as scored.

    That row gives way where it is itself said to be another record, or not to be this one. Where it is said to be this one, the
    order of the pairing decides between the two. A pair let go may leave a row where it was, so this goes on until nothing changes.
    """
    barred, kept = frozenset(barred), dict(same)
    while True:
        elsewhere = {row: at for at, row in kept}
        held = [
            (at, row)
            for (at, row), statement in kept.items()
            if statement.key.run is None
            and (holder := holders.get(at)) is not None
            and holder != row
            and holder not in elsewhere
            and (at, holder) not in barred
        ]
        if not held:
            return tuple(pair for pair in same if pair not in kept)
        for pair in held:
            del kept[pair]


def _standing_rows(
    gt: PreparedPage, answer: PreparedRunPage, given: Sequence[tuple[AnchoredVerdict, int]], paired: Iterable[int]
) -> dict[int, int]:
    """For grouped `duplicate` statements of a reading that repeats itself: the row that is repeated, by the statement's identity.

    That is the row matched, else one judged apart that repeats none of them, else the first it speaks of: that one repeats nothing.
    """
    paired = frozenset(paired)
    rows: dict[int, list[int]] = {}
    pointers: dict[int, tuple[str, str | None]] = {}
    repeating: set[int] = set()
    for statement, row in given:
        pointer = statement.model
        if statement.entry.verdict != "duplicate" or pointer is None or not _reads(gt, answer, row, pointer):
            continue
        if statement.key.run is not None:
            repeating.add(row)
        else:
            rows.setdefault(id(statement), []).append(row)
            pointers[id(statement)] = pointer
    found: dict[int, int] = {}
    for identity, own in rows.items():
        alike = answer.rows_by_form.get(pointers[identity][0], ())
        able = [row for row in alike if _reads(gt, answer, row, pointers[identity]) and (row in own or row not in repeating)]
        found[identity] = min(able, key=lambda row: (row not in paired, row in own, row))
    return found


def _reads(gt: PreparedPage, answer: PreparedRunPage, row: int, pointer: tuple[str, str | None]) -> bool:
    form, others = pointer
    return answer.form(row) == form and (others is None or gt.others(answer.page.rows[row]) == others)
