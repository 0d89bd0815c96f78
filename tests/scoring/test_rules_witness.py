"""The witness of a draft, and what a row is called (`docs/rules.md#witnesses`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from scoring.foundations.problems import InputError
from scoring.rules import (
    EquivalenceRow,
    IgnoreRow,
    NearMissRow,
    Rules,
    ValueLocation,
    found_witness,
    given_witness,
    line_named,
    row_named,
    row_names,
)

KNOWN = {"name": "name", "place": "place", "note": "text", "Q1": "question"}
VALUES: dict[str, tuple[ValueLocation, ...]] = {
    "name": (
        ValueLocation("Zorzi Orsi", "gt", "1", "gt:1:1"),
        ValueLocation("Anna Serri", "gt", "2", "gt:2:1"),
        ValueLocation("Giorgio Orso", "model", "1", "model:a/b/run_01:1:1"),
        ValueLocation("Giorgio Orsi", "model", "2", "model:a/b/run_01:2:1"),
        ValueLocation("Anna Serri q.m. Paolo", "model", "2", "model:a/b/run_01:2:2"),
        ValueLocation("Madama Anna Serri", "model", "2", "model:a/b/run_01:2:3"),
        ValueLocation("Giorgio Orsi", "model", "1", "model:a/b/run_02:1:1"),
    ),
    "place": (
        ValueLocation("Vienna", "gt", "1", "gt:1:1"),
        ValueLocation("d\x1b Prag", "model", "1", "model:a/b/run_01:1:1"),
        ValueLocation("Wien", "model", "2", "model:a/b/run_01:2:1"),
        ValueLocation("Wien", "model", "1", "model:a/b/run_02:1:1"),
    ),
    "note": (ValueLocation("a casa", "gt", "1", "gt:1:1"), ValueLocation("casa", "model", "1", "model:a/b/run_01:1:1")),
}


def sightings(field: str) -> Iterable[ValueLocation]:
    return VALUES.get(field, ())


def equal(form: str, canonical: str, *fields: str) -> EquivalenceRow:
    return EquivalenceRow(0, form, canonical, fields, "OPEN")


def ignored(token: str, position: str, *fields: str, side: str = "model") -> IgnoreRow:
    return IgnoreRow(0, token, fields, position, side, "OPEN")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "witness"),
    [
        # On page 1 `Giorgio Orso` is met first, but is made one with nothing; on page 2 there is no Zorzi.
        (equal("giorgio", "zorzi", "name"), "Giorgio Orsi for Zorzi Orsi, page 1 (model:a/b/run_02:1:1)"),
        # The form stands in the ground truth, and the model has the canonical.
        (equal("zorzi", "giorgio", "name"), "Zorzi Orsi for Giorgio Orsi, page 1 (gt:1:1)"),
        (equal("giorgio", "zanetto", "name"), "Giorgio Orso, page 1 (model:a/b/run_01:1:1)"),
        (equal("wien", "vienna", "place"), "Wien for Vienna, page 1 (model:a/b/run_02:1:1)"),
        (equal("wien", "vienna", "note", "place"), "Wien for Vienna, page 1 (model:a/b/run_02:1:1)"),
        (ignored("madama", "leading", "name"), "Madama Anna Serri for Anna Serri, page 2 (model:a/b/run_01:2:3)"),
        (ignored("madama", "trailing", "name"), "Madama Anna Serri, page 2 (model:a/b/run_01:2:3)"),
        (ignored("q.m. paolo", "trailing", "name"), "Anna Serri q.m. Paolo for Anna Serri, page 2 (model:a/b/run_01:2:2)"),
        (ignored("a", "leading", "note", side="both"), "a casa for casa, page 1 (gt:1:1)"),
        # What a rules file cannot hold is no witness; nor does a placeholder stand anywhere as it is.
        (equal("prag", "praga", "place"), ""),
        (ignored("di {place}", "trailing", "name"), ""),
        (equal("nobody", "x", "name"), ""),
        (equal("...", "x", "name"), ""),
    ],
)
def test_a_pair_the_rule_makes_one_else_a_value_it_changes(rule: EquivalenceRow | IgnoreRow, witness: str) -> None:
    assert found_witness(rule, Rules(), sightings, KNOWN) == witness


def test_what_a_settled_rule_makes_one_already_is_no_pair_of_the_draft() -> None:
    settled = replace(equal("orso", "orsi", "name"), line=5, status="settled")
    rule = equal("giorgio", "zorzi", "name")
    assert found_witness(rule, Rules(equivalences=(settled,)), sightings, KNOWN) == (
        "Giorgio Orso for Zorzi Orsi, page 1 (model:a/b/run_01:1:1)"
    )
    same = replace(equal("giorgio", "zorzi", "name"), line=6, status="settled")
    assert found_witness(rule, Rules(equivalences=(same,)), sightings, KNOWN) == "Giorgio Orso, page 1 (model:a/b/run_01:1:1)"


def test_a_witness_that_is_named() -> None:
    rule = equal("wien", "vienna", "place")
    assert given_witness("model:a/b/run_01:2:1", rule, sightings, KNOWN) == "Wien, page 2 (model:a/b/run_01:2:1)"
    assert given_witness("page 2: Wien", rule, sightings, KNOWN) == "page 2: Wien"
    with pytest.raises(InputError, match=r"^`wien` does not stand in `Vienna`, at gt:1:1\. A witness is a value that the rule changes\.$"):
        given_witness("gt:1:1", rule, sightings, KNOWN)
    with pytest.raises(InputError, match=r"^nothing stands in `place` at gt:8:8\. Give a ROW there is"):
        given_witness("gt:8:8", rule, sightings, KNOWN)


ROWS = Rules(
    ignores=(replace(ignored("a", "leading", "name"), line=5),),
    equivalences=(replace(equal("b", "c", "name"), line=9), replace(equal("b", "c", "name"), line=10)),
    near_misses=(NearMissRow(14, "b", "", ("name",)),),
)


def test_a_name_is_made_of_what_a_row_says_and_not_of_where_it_stands() -> None:
    names = row_names(ROWS)
    assert list(names) == [5, 9, 10, 14]
    assert len(set(names.values())) == 4
    moved = replace(ROWS, equivalences=tuple(replace(row, line=row.line + 30) for row in ROWS.equivalences))
    assert row_names(moved) == {5: names[5], 39: names[9], 40: names[10], 14: names[14]}
    settled = replace(ROWS, ignores=(replace(ROWS.ignores[0], status="settled"),))
    assert row_names(settled)[5] != names[5]
    assert [row_named(moved, names[line]).line for line in (5, 9, 10, 14)] == [5, 39, 40, 14]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("r-00000000", "no row is called r-00000000 now: it has changed or is gone. Read the rules again."),
        ("0", "`0` names no row. Give its line in the file, or its name, as `adjudicate rules list` shows them."),
        ("R-12", "`R-12` names no row. Give its line in the file, or its name, as `adjudicate rules list` shows them."),
        ("6", "no row of a table of rules stands on this line."),
    ],
)
def test_what_names_no_row(name: str, said: str) -> None:
    with pytest.raises(InputError) as fault:
        row_named(ROWS, name)
    assert str(fault.value) == said
    assert line_named(ROWS, "6") == 6


def test_rows_switched_for_a_preview() -> None:
    switched = ROWS.switched([5, 10])
    assert [(row.line, row.status) for row in switched.rules] == [(5, "settled"), (9, "OPEN"), (10, "settled")]
    assert switched.switched([10, 5]) == ROWS
    with pytest.raises(InputError, match="no rule stands on this line"):
        ROWS.switched([14])
