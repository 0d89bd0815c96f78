"""What is shown of a case, a page side by side, and the overview (`docs/review.md`, `docs/adjudication.md#screens`)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from scoring.adjudication.cases import Block, Comparison, Facts, Gauge, Grid
from scoring.adjudication.decisions import NO_DECISIONS
from scoring.foundations.incremental import finished
from scoring.tables.cases.f1_band import bands
from scoring.tables.cases.queues import cases
from scoring.tables.display.evidence import claimants, evidence, stacked_readings
from scoring.tables.display.overview import overview, rate
from scoring.tables.display.side_by_side import SideBySide, side_by_side
from scoring.tables.execution.evaluation import evaluate, reevaluation
from scoring.tables.inputs.material import Material
from scoring.tables.measures.row_balance import RowBalance
from tests.scoring.tables.builders import TITLES, Bench, Given, material, one, rules, scored
from tests.scoring.tables.test_binding import with_answer, with_gt
from tests.scoring.tables.test_reevaluation import small_material, some_entry


def shown(made: Bench, queue: str, title: str, occurrence: int = 0) -> tuple[Block, ...]:
    return evidence(made.evaluation, made.case(queue, title), occurrence)


def facts(blocks: tuple[Block, ...], title: str) -> dict[str, str]:
    (found,) = [dict(block.rows) for block in blocks if isinstance(block, Facts) and block.title == title]
    return found


def stack(made: Bench, queue: str, title: str) -> list[tuple[str, ...]]:
    found = stacked_readings(made.evaluation, made.case(queue, title))
    assert found is not None
    return [line.cells for line in found.lines]


def grid(blocks: tuple[Block, ...], title: str) -> list[tuple[str, ...]]:
    (found,) = [block for block in blocks if isinstance(block, Grid) and block.title.startswith(title)]
    return [line.cells for line in found.lines]


def test_a_pair_is_shown_with_why_it_is_what_it_is():
    gt: list[Given] = [{"name": "Anna Rosa", "title": "Contessa", "children_count": "2"}, "Anna Rosi"]
    made = Bench(one(gt, [{"name": "Anna Maria", "title": "Contesa", "children_count": "3"}, "Zzz"]))
    blocks = shown(made, "borderline", "Anna Maria ~ Anna Rosa")
    assert blocks[0] == Comparison("GT 1", "Anna Rosa", "a/n/1 row 1", "Anna Maria")
    assert blocks[1] == Gauge("similarity", 14 / 19, 0.7)
    why = facts(blocks, "Why")
    assert why["reading"] == "anna maria"
    assert why["ratio, token overlap"] == "0.737, 0.500"
    assert why["edits"] == "4 in 9 characters"
    assert why["runner-up"].startswith("GT 2 Anna Rosi at 0.")
    fields = grid(blocks, "Fields")
    assert ("title", "Contessa", "Contesa", "0.88") in fields
    assert ("children_count", "2", "3", "0.00") in fields
    assert grid(blocks, "Claimants")[0][:3] == ("GT", "1", "Anna Rosa")
    assert [line[1] for line in grid(blocks, "Page")] == ["Anna Rosa", "Anna Rosi"]
    assert [line[1] for line in grid(blocks, "Answer")] == ["Anna Maria", "Zzz"]
    assert grid(blocks, "Occurs 1 time") == [("a", "n", "1")]


def test_what_was_stepped_over_and_what_a_glyph_tipped():
    made = Bench(one(["Bassa"], ["Il Barone Passo"], made_with=rules(steps=TITLES)))
    (case,) = [case for case in made.cases if case.queue == "borderline"]
    assert "(stepped over: il, barone)" in facts(evidence(made.evaluation, case), "Why")["reading"]
    made = Bench(one(["??rosd Abc"], ["zgrosq Abd"]))
    (case,) = [case for case in made.cases if case.queue == "borderline"]
    glyph = facts(evidence(made.evaluation, case), "Why")["illegible glyph"]
    assert glyph.startswith("read as zgrosd abc; literal 0.600")
    assert "tipped the gate" in glyph


def test_a_missed_traveler_shows_candidates_with_their_holders():
    made = Bench(one(["Anna Serri", "Anna Serra", "Zorzi"], ["Anna Serri", "Qqqq"]))
    case = made.case("unmatched", "Anna Serra")
    found = claimants(made.evaluation, case)
    assert [(one.target, one.text, one.held_by) for one in found] == [
        ("model:a/n/1:1:1", "Anna Serri", "GT 1"),
        ("model:a/n/1:1:2", "Qqqq", ""),
    ]
    blocks = evidence(made.evaluation, case)
    assert facts(blocks, "GT 2") == {"name": "Anna Serra"}
    assert ("a", "", "not found in 1") in stack(made, "unmatched", "Anna Serra")


def test_a_duplicate_is_shown_beside_the_row_it_repeats():
    made = Bench(one(["Anna Maria"], ["Anna Maria", "Anna Marie"]))
    blocks = shown(made, "surplus", "Anna Marie")
    assert Comparison("row 1", "Anna Maria", "row 2", "Anna Marie") in blocks
    assert facts(blocks, "Repeats") == {"similarity of the two rows": "0.900", "edits": "1"}


def test_a_misread_row_says_how_likely_chance_is():
    gt: dict[str, list[Given]] = {"1": ["abcdefghijklmnopqrst"], "2": ["abcdefghi98765432109"], "3": ["Zorzi"]}
    made = Bench(material(gt, {"a/n/1": {"1": ["abcdefghi01234567890", "abcdefghi01234567890"], "2": [], "3": []}}))
    why = facts(shown(made, "surplus", "abcdefghi01234567890"), "Why")
    assert why["chance"] == "50% of names from other pages would be labelled misread here: misread or invention"
    gt["2"], gt["3"] = ["Zorzi"], ["Vvv"]
    made = Bench(material(gt, {"a/n/1": {"1": ["abcdefghi01234567890", "abcdefghi01234567890"], "2": [], "3": []}}))
    why = facts(shown(made, "surplus", "abcdefghi01234567890"), "Why")
    assert why["chance"] == "0% of names from other pages would be labelled misread here"


def test_all_models_readings_are_stacked():
    runs = {
        f"{model}/n/{at}": {"1": [text]} for at, (model, text) in enumerate([("a", "Anna Rosi"), ("a", "Anna Rosi"), ("b", "Anna Maria")])
    }
    made = Bench(material({"1": ["Anna Rosa"]}, runs))  # type: ignore[arg-type]
    assert stack(made, "borderline", "Anna Maria ~ Anna Rosa") == [("a", "Anna Rosi", "2"), ("b", "Anna Maria", "1")]


def test_a_stale_case_shows_its_cause_and_its_verdict():
    made = Bench(one(["Anna Rosa"], ["Anna Maria"]))
    made.give(made.case("borderline", "Anna Maria ~ Anna Rosa"), "different")
    now = with_gt(made, ["Anna Rosina"])
    (case,) = [case for case in now.cases if case.status == "stale"]
    block = evidence(now.evaluation, case)[0]
    assert isinstance(block, Facts)
    assert dict(block.rows)["cause"] == "GT row gt:1:1 changed from Anna Rosa to Anna Rosina"
    assert dict(block.rows)["verdict"].startswith("different by mp")
    assert claimants(now.evaluation, case) == ()


# Side by side


def lines(page: SideBySide) -> list[tuple[int | None, int | None, str, str]]:
    return [(line.gt, line.model, line.status, line.label) for line in page.lines]


def test_a_page_side_by_side_and_its_books():
    made = Bench(one(["Anna Rosa", "Zorzi", "Bruno"], ["Anna Maria", "Bruno", "Bruno", "", "Zoqqqi"]))
    evaluation = made.evaluation
    known = {case.id: case for case in made.cases}
    page = side_by_side(evaluation, "a/n/1", "1", known)
    assert lines(page) == [
        (1, 1, "matched", ""),
        (2, 5, "below_gate", ""),
        (3, 2, "matched", ""),
        (None, 3, "surplus", "duplicate"),
        (None, 4, "surplus", "nameless"),
    ]
    books = page.books
    assert books is not None
    assert books.balanced
    assert not books.done
    assert books.sentence() == (
        "model rows 5 = 2 matched + 1 below gate + 1 open + 1 nameless   GT rows 3 = 2 matched + 1 below gate + 0 missed"
    )
    assert [known[line.case].queue if line.case else None for line in page.lines] == ["borderline", "unmatched", None, "surplus", None]
    assert (books.open, books.waiting, books.state()) == (1, 3, "3 lines to decide")


def test_a_surplus_row_is_open_until_its_label_is_settled_or_left_to_the_rule():
    made = Bench(one(["Bruno"], ["Bruno", "Bruno", "Zzzz Qqqq"]))

    def books() -> RowBalance:
        found = side_by_side(made.evaluation, "a/n/1", "1", {case.id: case for case in made.cases}).books
        assert found is not None
        assert found.balanced
        return found

    assert books().sentence().startswith("model rows 3 = 1 matched + 0 below gate + 2 open   ")
    made.give(made.case("surplus", "Bruno"), "fragment", "gt:1:1")
    assert books().sentence().startswith("model rows 3 = 1 matched + 0 below gate + 1 fragment + 1 open   ")
    assert (books().done, books().state()) == (False, "1 line to decide")
    made.give(made.case("surplus", "Zzzz Qqqq"), "unsure")
    assert books().sentence().startswith("model rows 3 = 1 matched + 0 below gate + 1 fragment + 1 invention + 0 open   ")
    assert (books().done, books().state()) == (True, "done")


def test_a_page_is_done_when_nothing_on_it_is_open():
    made = Bench(one(["Anna Rosa"], ["Anna Maria"]))
    made.give(made.case("borderline", "Anna Maria ~ Anna Rosa"), "same", run="a/n/1")
    page = side_by_side(made.evaluation, "a/n/1", "1", {case.id: case for case in made.cases})
    (line,) = page.lines
    assert (line.decided, line.case is not None) == (True, True)
    assert page.books is not None
    assert page.books.done


def test_a_failed_page_says_why():
    made = Bench(material({"1": ["Anna"], "2": ["Bruno"]}, {"a/n/1": {"1": "no list of records"}}))
    page = side_by_side(made.evaluation, "a/n/1", "1")
    assert (page.status, page.error, page.lines, page.books) == ("failed", "no list of records", (), None)
    assert side_by_side(made.evaluation, "a/n/1", "2").status == "missing"


def test_a_merge_and_a_split_off_row_lead_to_their_cases():
    made = Bench(one(["Annamaria Serri", "Bo Serri"], ["Annamaria e Bo Serri"]))
    known = {case.id: case for case in made.cases}
    page = side_by_side(made.evaluation, "a/n/1", "1", known)
    assert [known[line.case].title for line in page.lines if line.case] == ["Annamaria e Bo Serri", "Bo Serri"]
    runs: dict[str, dict[str, list[Given]]] = {
        "a/n/1": {"1": ["Carlo Bassa", "Qqqq"]},
        "a/n/2": {"1": ["Karl Bassa", "Qqqq"]},
    }
    made = Bench(material({"1": ["Carlo Bassa"]}, runs))
    made.give(made.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:1")
    known = {case.id: case for case in made.cases}
    split = side_by_side(made.evaluation, "a/n/2", "1", known).lines[-1].case
    assert split is not None
    assert known[split].status == "open"


# Overview


def test_the_overview_shows_both_scores_of_every_cell():
    made = Bench(material({"1": ["Anna Rosa"], "2": ["Bruno"]}, {"a/n/1": {"1": ["Anna Maria"], "2": "no"}, "b/n/1": {"1": []}}))
    made.give(made.case("borderline", "Anna Maria ~ Anna Rosa"), "different")
    evaluation = made.evaluation
    blocks = overview(evaluation, bands(evaluation))
    inputs = facts(blocks, "Inputs")
    assert inputs["ground truth"] == "2 pages, 2 rows"
    assert inputs["runs"] == "2 of 2 cells, 4 page scorings"
    assert inputs["pages"] == "2 ok, 0 truncated, 1 failed, 1 missing"
    assert inputs["decisions"] == "1 applied, 0 stale, 0 in conflict"
    cells = grid(blocks, "Cells")
    assert cells[0] == ("a", "n", "1.000", "0.000", "", "0.444", "–", "1/1", "1")
    assert cells[1] == ("b", "n", "0.000", "0.000", "", "–", "–", "0/1", "0")


def test_the_overview_shows_the_band_of_every_cell():
    evaluation = scored(["Anna Rosa", "Bruno"], ["Anna Maria", "Bruno"])
    assert [line[4] for line in grid(overview(evaluation), "Cells")] == ["…"], "the bands are still being worked out"
    blocks = overview(evaluation, bands(evaluation))
    assert [line[2:5] for line in grid(blocks, "Cells")] == [("1.000", "1.000", "0.500–1.000")]
    assert facts(blocks, "Inputs")["ground truth"] == "1 page, 2 rows"
    assert facts(blocks, "Inputs")["runs"] == "1 of 1 cell, 1 page scoring"


@pytest.mark.parametrize(("value", "text"), [(None, "–"), (0.0, "0.000"), (1 / 3, "0.333")])
def test_rates_on_screens(value: float | None, text: str):
    assert rate(value) == text


# Anything that can be asked can be shown


@given(small_material(), st.data())
@settings(max_examples=40, deadline=None)
def test_every_case_of_any_material_can_be_shown(made: Material, data: st.DataObject):
    evaluation, decisions = evaluate(made), NO_DECISIONS
    for number in range(1, 5):
        entry = some_entry(data, evaluation, decisions, number)
        if entry is not None and entry.retracts is None:
            decisions = decisions.with_entry(entry)
            key = (entry.task, entry.case, entry.run if entry.scope == "row" else None)
            evaluation = finished(reevaluation(evaluation, decisions, {entry.basis["page"]: {key}}))
    known = {case.id: case for case in cases(evaluation)}
    for case in known.values():
        for at in range(len(case.occurrences)):
            assert evidence(evaluation, case, at)
            found = claimants(evaluation, case, at)
            assert len(found) <= 9
            assert len({one.target for one in found}) == len(found)
    for run, page in evaluation.pages:
        side = side_by_side(evaluation, run, page, known)
        assert side.books is None or side.books.balanced
    assert overview(evaluation)


def test_a_changed_answer_leaves_nothing_behind():
    made = Bench(one(["Anna Rosa"], ["Anna Maria"]))
    made.give(made.case("borderline", "Anna Maria ~ Anna Rosa"), "different")
    now = with_answer(made, ["Anna Rosi"])
    assert [case.status for case in now.cases if case.queue == "stale"] == ["stale"]


def test_a_note_of_a_stale_verdict_is_shown():
    made = Bench(one(["Anna Rosa"], ["Anna Maria"]))
    entry = made.give(made.case("borderline", "Anna Maria ~ Anna Rosa"), "different")
    made.entries[-1] = changed(entry, note="two people")
    now = with_gt(made, ["Anna Rosina"])
    (case,) = [case for case in now.cases if case.status == "stale"]
    assert facts(evidence(now.evaluation, case), "Stale")["note"] == "two people"
