"""What each verdict would change, told before it is given, and what would flip the pairing (`docs/method.md#effects`)."""

from __future__ import annotations

from scoring.adjudication.cases import REFERENCE, Grid
from scoring.foundations.incremental import finished
from scoring.tables.display.effects import effects
from scoring.tables.display.effects_table import WAITING, effects_grid
from scoring.tables.display.pairing_margin import flips
from tests.scoring.tables.builders import Bench, material, one


def table(made: Bench, queue: str, title: str, *targets: str) -> dict[str, tuple[str, ...]]:
    case = made.case(queue, title)
    evaluation = made.evaluation
    found = finished(effects(evaluation, case, 0, targets))
    grid = effects_grid(found, "a n", evaluation.as_scored.of_cell("a", "n").counts)
    assert isinstance(grid, Grid)
    return {line.cells[0]: line.cells[1:] for line in grid.lines}


def test_every_verdict_that_can_be_given_has_its_effect():
    made = Bench(one(["Anna Rosa", "Anna Zosa", "Bruno"], ["Anna Maria", "Bruno"]))
    found = table(made, "borderline", "Anna Maria ~ Anna Rosa")
    assert list(found) == [
        "now",
        "same",
        "different",
        "duplicate → row 2?",
        "merge → GT 1+2?",
        "fragment",
        "misread",
        "invention",
        "unsure",
        WAITING,
    ]
    assert found["now"] == ("2", "1.0000", "0.6667", "0.8000", "0.2857", "")
    assert found["unsure"] == ("+0", "=", "=", "=", "=", "=")
    assert found["merge → GT 1+2?"][0] == "+1"
    assert found["same"] == ("+0", "=", "=", "=", "=", "=")


def test_labels_of_a_surplus_row_show_how_the_composition_changes():
    made = Bench(one(["Anna Maria"], ["Anna Maria", "Qqqq"]))
    found = table(made, "surplus", "Qqqq")
    assert made.case("surplus", "Qqqq").suggestion == "invention"
    assert found["invention"] == ("+0", "=", "=", "=", "=", "=")
    assert found["misread → GT 1?"] == ("+0", "=", "=", "=", "=", "mis+1 inv-1")
    assert found["duplicate → row 1?"] == ("-1", "=", "=", "=", "=", "dup+1 inv-1")


def test_a_missed_traveler_says_what_the_first_candidate_would_bring():
    made = Bench(one(["Anna Serri", "Anna Serra"], ["Anna Serri", "Qqqq"]))
    found = table(made, "unmatched", "Anna Serra")
    assert set(found) == {"now", "same → row 1?", "different", "unsure", WAITING}
    picked = table(made, "unmatched", "Anna Serra", "model:a/n/1:1:2")
    assert picked["same"] == ("+0", "+0.5000", "+0.5000", "+0.5000", "=", "=")


def test_after_a_pick_the_effects_are_those_of_the_row_picked():
    made = Bench(one(["Anna Rosa", "Zorzi Bassa"], ["Anna Maria"]))
    assert table(made, "borderline", "Anna Maria ~ Anna Rosa")["same"] == ("+0", "=", "=", "=", "=", "=")
    picked = table(made, "borderline", "Anna Maria ~ Anna Rosa", "gt:1:2")
    assert picked["same"][4] != "=", "another traveler's letters are counted"
    assert "invention" not in picked, "with a row picked it cannot be given"


def test_figures_as_scored_stand_beside_those_of_now_where_a_verdict_moved_them():
    made = Bench(one(["Anna Rosa", "Zorzi"], ["Anna Maria", "Qu"]))
    made.give(made.case("unmatched", "Zorzi"), "same", "model:a/n/1:1:2")
    case = made.case("borderline", "Anna Maria ~ Anna Rosa")
    grid = effects_grid(finished(effects(made.evaluation, case)), "a n", made.evaluation.as_scored.of_cell("a", "n").counts)
    assert [(line.cells[0], line.cells[4]) for line in grid.lines if line.mark == REFERENCE] == [("now", "1.0000"), ("as scored", "0.5000")]


def moved(made: Bench, run: str | None = None) -> dict[str, int]:
    """How many matches each verdict would add."""
    case = made.case("borderline", "Anna Maria ~ Anna Rosa")
    return {one.verdict: one.after.matched - one.before.matched for one in finished(effects(made.evaluation, case, run=run))}


def test_a_narrowed_verdict_changes_its_run_alone():
    made = Bench(material({"1": ["Anna Rosa"]}, {f"a/n/{at}": {"1": ["Anna Maria"]} for at in (1, 2, 3)}))
    assert moved(made)["different"] == -3
    assert moved(made, "a/n/2")["different"] == -1
    made.give(made.case("borderline", "Anna Maria ~ Anna Rosa"), "different", run="a/n/2")
    assert made.evaluation.cells[0].counts.matched == 2


def test_unsure_gives_back_what_the_automatic_rule_says():
    made = Bench(material({"1": ["Anna Rosa"]}, {f"a/n/{at}": {"1": ["Anna Maria"]} for at in (1, 2, 3)}))
    assert moved(made)["unsure"] == 0
    made.give(made.case("borderline", "Anna Maria ~ Anna Rosa"), "different")
    assert moved(made)["unsure"] == 3


# The pairing


def said(made: Bench, queue: str, title: str, *pointed: str) -> dict[str, str]:
    found = flips(made.evaluation, made.case(queue, title), pointed=pointed)
    assert found is not None
    return dict(found.rows)


def test_a_pair_says_what_would_flip_it_and_where_its_rows_go_apart():
    made = Bench(one(["Anna Rosa"], ["Anna Maria", "Zzz"]))
    assert said(made, "borderline", "Anna Maria ~ Anna Rosa") == {
        "as it stands": "GT 1 with row 1 at 0.737",
        "would flip if": "row 2 were more like GT 1 than 0.737 (it is 0.000)",
        "if different": "GT 1 goes with row 2 at 0.000, below the gate; row 1 is left over",
    }


def test_a_candidate_held_elsewhere_says_what_it_would_have_to_beat():
    made = Bench(one(["Anna Serri", "Anna Serra"], ["Anna Serri"]))
    assert flips(made.evaluation, made.case("unmatched", "Anna Serra")) is None, "no candidate is picked"
    assert said(made, "unmatched", "Anna Serra", "model:a/n/1:1:1") == {
        "as it stands": "GT 2 with no row; row 1 with GT 1 Anna Serri at 1.000",
        "would flip if": "it rose above 1.000 (it is 0.900), which row 1 has",
    }


def test_a_pair_by_a_verdict_flips_with_the_verdict_alone():
    made = Bench(one(["Anna Serri", "Anna Serra"], ["Anna Serri"]))
    made.give(made.case("unmatched", "Anna Serra"), "same", "model:a/n/1:1:1")
    (case,) = [case for case in made.cases if case.title == "Anna Serri ~ Anna Serra"]
    found = flips(made.evaluation, case)
    assert found is not None
    assert dict(found.rows) == {"as it stands": "GT 2 with row 1 at 0.900, by a verdict", "would flip if": "the verdict were taken back"}


def test_the_pairing_of_each_run_is_its_own():
    made = Bench(material({"1": ["Anna Rosa"]}, {"a/n/1": {"1": ["Anna Maria"]}, "a/n/2": {"1": ["Anna Maria", "Anna Rosi"]}}))
    case = made.case("surplus", "Anna Maria")
    found = flips(made.evaluation, case, pointed=("gt:1:1",))
    assert found is not None
    assert dict(found.rows)["as it stands"] == "GT 1 with row 2 Anna Rosi at 0.889; row 1 with no GT row"
