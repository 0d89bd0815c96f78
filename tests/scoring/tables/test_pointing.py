"""What is shown of a case follows the row picked, and a verdict can point to any row of the page (`docs/review.md#pointing-elsewhere`)."""

from __future__ import annotations

import pytest

from scoring.adjudication.cases import OTHER, Block, Comparison, Facts, Gauge, Grid
from scoring.tables.display.evidence import evidence, stacked_readings
from scoring.tables.verdicts.targets import rows_of_page, supposed
from tests.scoring.tables.builders import Bench, Given, material, one

TITLE = "Anna Maria ~ Anna Rosa"


@pytest.fixture(scope="module")
def made() -> Bench:
    gt: list[Given] = [{"name": "Anna Rosa", "title": "Contessa"}, {"name": "Anna Zosa", "title": "Conte"}]
    gt += ["Zorzi Bassa", "Bruno Serri", "Carlo", "Ugo"]
    return Bench(one(gt, [{"name": "Anna Maria", "title": "Conte"}, "Zorzi Bassa", "Bruno Serri", "Elena", "Q"]))


def shown(made: Bench, *pointed: str, blind: bool = False) -> tuple[Block, ...]:
    return evidence(made.evaluation, made.case("borderline", TITLE), blind=blind, pointed=pointed)


def of_kind(blocks: tuple[Block, ...], kind: type) -> list:
    return [block for block in blocks if isinstance(block, kind)]


def grid(blocks: tuple[Block, ...], title: str) -> Grid:
    (found,) = [block for block in blocks if isinstance(block, Grid) and block.title.startswith(title)]
    return found


def test_names_reasons_and_fields_follow_the_gt_row_picked(made: Bench):
    blocks = shown(made, "gt:1:2")
    assert blocks[0] == Comparison("GT 2, picked", "Anna Zosa", "a/n/1 row 1", "Anna Maria")
    assert blocks[1] == Gauge("similarity", pytest.approx(12 / 19), 0.7)
    assert isinstance(blocks[2], Facts)
    assert blocks[2].title == "Why, of the row picked"
    assert dict(blocks[2].rows)["runner-up"] == "GT 1 Anna Rosa at 0.737 (margin -0.105)"
    title = next(line for line in grid(blocks, "Fields").lines if line.cells[0] == "title")
    assert (title.cells, title.mark) == (("title", "Conte", "Conte", "1.00"), "=")
    assert [line.cells[1] for line in grid(blocks, "Page, around").lines if line.mark] == ["Anna Zosa"]
    assert shown(made)[0] == Comparison("GT 1", "Anna Rosa", "a/n/1 row 1", "Anna Maria"), "unpicked, the row asked about"


def test_the_digits_stay_what_they_were_when_rows_are_picked(made: Bench):
    before = [line.target for line in grid(shown(made), "Claimants").lines]
    for picked in (before[1], before[-1]):
        assert picked is not None
        assert [line.target for line in grid(shown(made, picked), "Claimants").lines] == before


def test_a_row_that_is_no_claimant_stands_behind_them(made: Bench):
    before = [line.target for line in grid(shown(made), "Claimants").lines]
    assert "gt:1:6" not in before
    lines = grid(shown(made, "gt:1:6"), "Claimants").lines
    assert [line.target for line in lines] == [*before, "gt:1:6"]
    assert (lines[-1].mark, lines[-1].cells[:3]) == (OTHER, ("GT", "6", "Ugo"))
    assert shown(made, "gt:1:6")[0] == Comparison("GT 6, picked", "Ugo", "a/n/1 row 1", "Anna Maria")
    hidden = grid(shown(made, "gt:1:6", blind=True), "Claimants").lines
    assert hidden[-1].target == "gt:1:6", "blind, too, no digit changes"


def test_a_model_row_picked_is_held_against_the_row_judged(made: Bench):
    blocks = shown(made, "model:a/n/1:1:2")
    assert blocks[0] == Comparison("GT 1", "Anna Rosa", "a/n/1 row 1", "Anna Maria")
    assert Comparison("row 2, picked", "Zorzi Bassa", "row 1", "Anna Maria") in blocks
    (picked,) = [block for block in blocks if isinstance(block, Facts) and block.title == "Picked"]
    assert [name for name, _ in picked.rows] == ["similarity of the two rows", "edits"]


def test_both_names_of_a_merge_are_held_against_the_row(made: Bench):
    names = [block.upper for block in of_kind(shown(made, "gt:1:1", "gt:1:2"), Comparison)]
    assert names == ["Anna Zosa", "Anna Rosa"]


def test_a_candidate_picked_for_a_missed_traveler_is_compared_with_it():
    made = Bench(one(["Anna Serri", "Anna Serra", "Zorzi"], [{"name": "Anna Serri", "title": "Conte"}, "Qqqq"]))
    case = made.case("unmatched", "Anna Serra")
    blocks = evidence(made.evaluation, case, pointed=("model:a/n/1:1:1",))
    assert blocks[0] == Comparison("GT 2, picked", "Anna Serra", "a/n/1 row 1", "Anna Serri")
    assert blocks[1] == Gauge("similarity", 0.9, 0.7)
    assert ("title", "", "Conte") in [line.cells[:3] for line in grid(blocks, "Fields").lines]


def test_blind_a_row_picked_shows_its_name_and_no_similarity(made: Bench):
    blocks = shown(made, "gt:1:2", blind=True)
    assert blocks[0] == Comparison("GT 2, picked", "Anna Zosa", "answer", "Anna Maria")
    assert not of_kind(blocks, Gauge)
    assert not [block for block in blocks if isinstance(block, Facts) and block.title.startswith("Why")]
    hidden = shown(made, "model:a/n/1:1:2", blind=True)
    assert not [block for block in hidden if isinstance(block, Facts) and block.title == "Picked"]


def test_readings_are_those_of_the_row_picked(made: Bench):
    found = stacked_readings(made.evaluation, made.case("borderline", TITLE), pointed=("gt:1:3",))
    assert found is not None
    assert (found.reference, [line.cells for line in found.lines]) == ("Zorzi Bassa", [("a", "Zorzi Bassa", "1")])


# Any row


def test_every_row_of_the_page_and_of_the_run_can_be_pointed_to(made: Bench):
    found = rows_of_page(made.evaluation, made.case("borderline", TITLE))
    assert [line.target for line in found.lines] == [f"gt:1:{n}" for n in range(1, 7)] + [f"model:a/n/1:1:{n}" for n in range(2, 6)]
    assert found.lines[2].cells == ("GT", "3", "Zorzi Bassa", f"{6 / 21:.3f}", "row 2")
    assert found.lines[6].cells[:3] + found.lines[6].cells[4:] == ("row", "2", "Zorzi Bassa", "GT 3")


def test_rows_without_a_name_are_not_offered():
    made = Bench(one(["Anna Rosa", ""], ["Anna Maria", ""]))
    assert [line.target for line in rows_of_page(made.evaluation, made.case("borderline", TITLE)).lines] == ["gt:1:1"]


def test_blind_the_rows_of_the_page_say_no_similarity_and_no_holder(made: Bench):
    found = rows_of_page(made.evaluation, made.case("borderline", TITLE), blind=True)
    assert found.header == ("", "row", "name")
    assert found.lines[2].cells == ("GT", "3", "Zorzi Bassa")


# The row a verdict would take


def to_pick(made: Bench, verdict: str, *targets: str, queue: str = "borderline", title: str = TITLE) -> tuple[str, ...] | None:
    found = supposed(made.evaluation, made.case(queue, title), 0, verdict, targets)
    return found.to_pick if found is not None else None


def test_a_verdict_that_needs_a_pointer_takes_the_nearest_row(made: Bench):
    assert to_pick(made, "same") == ()
    assert to_pick(made, "duplicate") == ("model:a/n/1:1:2",)
    assert to_pick(made, "merge") == ("gt:1:1", "gt:1:2")
    assert to_pick(made, "merge", "gt:1:2") == ("gt:1:2", "gt:1:1"), "with the row picked as the first"
    assert to_pick(made, "merge", "gt:1:2", "gt:1:3") == ()
    assert to_pick(made, "invention", "gt:1:2") is None, "what is picked stands in the way, and nothing is to be picked"


def test_a_missed_travelers_same_takes_the_first_candidate_and_no_label():
    made = Bench(one(["Anna Serri", "Anna Serra"], ["Anna Serri", "Qqqq"]))
    assert to_pick(made, "same", queue="unmatched", title="Anna Serra") == ("model:a/n/1:1:1",)
    assert to_pick(made, "merge", queue="unmatched", title="Anna Serra") is None


def test_a_pointer_of_another_page_is_no_row_of_the_case():
    made = Bench(material({"1": ["Anna Rosa"], "2": ["Bruno"]}, {"a/n/1": {"1": ["Anna Maria"], "2": ["Bruno"]}}))
    with pytest.raises(KeyError):
        evidence(made.evaluation, made.case("borderline", TITLE), pointed=("gt:2:1",))
