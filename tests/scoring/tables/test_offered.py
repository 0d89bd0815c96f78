"""Which rows the digits point to, and in what order."""

from __future__ import annotations

from scoring.tables.display.blind_view import blinded
from scoring.tables.display.evidence import claimants, evidence
from tests.scoring.tables.builders import Bench, one


def test_rows_stand_in_page_order_whatever_is_proposed():
    names = ["Zorzi Alba", "Anna Serri", "Bruno Corvi", "Anna Serra", "Carlo Doria", "Anna Sera"]
    made = Bench(one(names, ["Carlo Doria", "Bruno Corvi", "Anna Sorru Qqq"]))
    case = next(case for case in made.cases if case.title.startswith("Anna Sorru Qqq"))
    found = claimants(made.evaluation, case)
    near = {row.target: row.similarity for row in found}
    assert [row.target for row in found if row.target.startswith("gt:")] == sorted(row for row in near if row.startswith("gt:"))
    assert max(near, key=near.__getitem__) != found[0].target, "the nearest is not the first"
    assert [row.target for row in found if row.target.startswith("model:")] == ["model:a/n/1:1:1", "model:a/n/1:1:2"]


def test_the_row_a_duplicate_repeats_is_offered_however_far_it_is():
    """Given to the traveler by a verdict, it is less like the GT row than four others."""
    answer = ["Anna Maria Sole", "Anna Maria Sola", "Anna Maria Sula", "Anna Mario Sole", "Anna Mary Sole", "Qqqqq Xxxxx"]
    made = Bench(one(["Anna Maria Sole"], answer))
    made.give(made.case("surplus", "Qqqqq Xxxxx"), "same", "gt:1:1")
    case = made.case("surplus", "Anna Maria Sola")
    assert case.suggestion == "duplicate"
    found = [row.target for row in claimants(made.evaluation, case) if row.target.startswith("model:")]
    assert (len(found), found[-1]) == (4, "model:a/n/1:1:6")


def test_blind_the_numbers_are_the_same_and_tell_nothing():
    made = Bench(one(["Anna Maria"], ["Anna Maria", "Anna Marie"]))
    case = made.case("surplus", "Anna Marie")
    assert case.suggestion == "duplicate"
    grids = []
    for blind in (False, True):
        blocks = evidence(made.evaluation, case, blind=blind)
        (grid,) = [block for block in blocks if getattr(block, "numbered", False)]
        grids.append(grid)
    seeing, hidden = grids
    assert [line.target for line in hidden.lines] == [line.target for line in seeing.lines] == ["gt:1:1", "model:a/n/1:1:1"]
    assert hidden.header == ("", "row", "name")
    assert {line.mark for line in hidden.lines} == {""}
    assert blinded((seeing,)) == (hidden,)
