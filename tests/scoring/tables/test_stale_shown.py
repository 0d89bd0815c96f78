"""A stale case shows the rows as judged beside the rows as they are now (`docs/adjudication.md#stale-verdicts`)."""

from __future__ import annotations

from msgspec.structs import replace as changed

from scoring.adjudication.cases import Block, Comparison, Facts, Grid, Line
from scoring.tables.display.evidence import claimants, evidence
from tests.scoring.tables.builders import Bench, one
from tests.scoring.tables.test_binding import with_answer, with_gt

TITLE = "Anna Maria ~ Anna Rosa"
GT = {"name": "Anna Rosa", "title": "Contessa", "arrival_date": "May 1 1769"}


def judged() -> Bench:
    made = Bench(one([GT], [{"name": "Anna Maria", "title": "Contesa"}]))
    made.give(made.case("borderline", TITLE), "different")
    return made


def blocks(now: Bench) -> tuple[Block, ...]:
    (case,) = [case for case in now.cases if case.status == "stale"]
    assert claimants(now.evaluation, case) == ()
    return evidence(now.evaluation, case)


def test_name_and_fields_as_judged_stand_beside_those_of_now():
    found = blocks(with_gt(judged(), [{**GT, "name": "Anna Rosina", "title": "Conte", "place_of_origin": "Udine"}]))
    assert found[0].title == "Stale"  # type: ignore[union-attr]
    assert found[1] == Comparison("row 1 as judged", "Anna Maria", "as it is now", "Anna Maria")
    assert found[3] == Comparison("GT 1 as judged", "Anna Rosa", "as it is now", "Anna Rosina")
    fields = found[4]
    assert isinstance(fields, Grid)
    assert (fields.title, fields.header) == ("Fields of gt:1:1", ("field", "as judged", "as it is now"))
    assert fields.lines == (
        Line(("title", "Contessa", "Conte"), "≠"),
        Line(("arrival_date", "May 1 1769", "May 1 1769"), "="),
        Line(("place_of_origin", "", "Udine"), "≠"),
    )


def test_a_row_that_is_gone_shows_what_it_was():
    found = blocks(with_answer(judged(), []))
    assert found[1] == Facts("model:a/n/1:1:1, as judged", (("name", "Anna Maria"), ("now", "this row is gone")))
    assert found[2] == Grid("Fields of model:a/n/1:1:1", ("field", "as judged"), (Line(("title", "Contesa")),))


def test_a_row_that_moved_says_where_it_stands_now():
    found = blocks(with_answer(with_gt(judged(), ["Bruno", GT]), ["Zzz"]))
    grid = next(block for block in found if isinstance(block, Grid) and block.title.startswith("Fields of gt:1:1"))
    assert grid.title == "Fields of gt:1:1 (now gt:1:2)"


def test_a_line_that_kept_no_fields_says_so():
    made = judged()
    made.entries[0] = changed(made.entries[0], basis={name: value for name, value in made.entries[0].basis.items() if name != "fields"})
    found = blocks(with_gt(made, [{**GT, "name": "Anna Rosina"}]))
    grid = next(block for block in found if isinstance(block, Grid) and "gt:1:1" in block.title)
    assert grid.title == "Fields of gt:1:1; the log does not have them as judged"
    assert grid.lines == (Line(("title", "Contessa")), Line(("arrival_date", "May 1 1769")))


def test_a_value_as_judged_stands_beside_that_of_now():
    made = Bench(one([GT], [{"name": "Anna Maria", "title": "Contesa"}]))
    made.give(made.case("borderline", TITLE), "gt-wrong", value="Duchessa", field="title")
    found = blocks(with_gt(made, ["Bruno", {**GT, "title": "Conte"}]))
    assert found[0] == Facts(
        "Stale",
        (
            ("cause", "title of GT row gt:1:1 (Anna Rosa) changed from Contessa to Conte"),
            ("verdict", f"gt-wrong of title by {made.entries[0].verifier} at {made.entries[0].at}"),
            ("pointing to", "gt:1:1"),
        ),
    )
    assert found[1] == Comparison("GT 1 title as judged", "Contessa", "as it is now", "Conte")
    assert found[2] == Facts("Row", (("name as judged", "Anna Rosa"), ("name now", "Anna Rosa")))


def test_a_value_of_a_row_that_is_gone_shows_what_it_was():
    made = Bench(one([GT], [{"name": "Anna Maria", "title": "Contesa"}]))
    made.give(made.case("borderline", TITLE), "gt-wrong", value="Duchessa", field="title")
    assert blocks(with_gt(made, []))[1] == Facts("GT 1 title as judged", (("title", "Contessa"), ("now", "this row is gone")))
