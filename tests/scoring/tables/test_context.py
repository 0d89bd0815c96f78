"""A row in its register: neighbours, family and company (`docs/review.md`)."""

from __future__ import annotations

from scoring.adjudication.cases import Grid
from scoring.tables.display.evidence import evidence
from tests.scoring.tables.builders import Bench, Given, one


def company(made: Bench, title: str, side: str) -> list[tuple[str, ...]] | None:
    blocks = evidence(made.evaluation, made.case("borderline", title))
    found = [block for block in blocks if isinstance(block, Grid) and block.title == f"{side}, family and company of the {WHOSE[side]} row"]
    return [(line.mark, *line.cells) for line in found[0].lines] if found else None


WHOSE = {"Page": "GT", "Answer": "model"}


def test_a_family_is_gathered_over_the_page_with_its_flags():
    stay = {"arrival_date": "February 9 1769", "place_of_origin": "Udine"}
    gt: list[Given] = [
        {"name": "Zuanne Orsi", **stay, "with_spouse": "Y", "children_count": "2"},
        "Bruno",
        "Carlo Conti",
        "Dario",
        {"name": "Marina Orsi", **stay},
        {"name": "Lucia Bon", **stay},
        {"name": "Elena", "place_of_origin": "Udine"},
    ]
    made = Bench(one(gt, ["Zuanne Rtbb"]))
    assert company(made, "Zuanne Rtbb ~ Zuanne Orsi", "Page") == [
        ("▸", "1", "Zuanne Orsi", "", "2", "Y"),
        ("", "5", "Marina Orsi", "surname, arrival_date, place_of_origin", "", ""),
        ("", "6", "Lucia Bon", "arrival_date, place_of_origin", "", ""),
    ]
    assert company(made, "Zuanne Rtbb ~ Zuanne Orsi", "Answer") is None, "the answer has nobody of that name"


def test_a_date_alone_makes_no_company_and_neither_does_an_abbreviation():
    gt: list[Given] = [
        {"name": "Anna Rosa q", "arrival_date": "May 1 1769", "departure_date": "May 2 1769"},
        {"name": "Bruno q", "arrival_date": "May 1 1769", "departure_date": "May 2 1769"},
    ]
    made = Bench(one(gt, ["Anna Mifa q"]))
    assert company(made, "Anna Mifa q ~ Anna Rosa q", "Page") is None


def test_of_a_large_family_those_nearest_are_shown_in_the_order_of_the_page():
    made = Bench(one([f"{name} Orsi" for name in "abcdefghijkl"], ["a Orbb"]))
    (case,) = [case for case in made.cases if case.queue == "borderline"]
    found = company(made, case.title, "Page")
    assert found is not None
    assert [line[2] for line in found] == [f"{name} Orsi" for name in "abcdefghi"] + ["and 3 more"]


def test_a_family_is_gathered_from_the_answer_too():
    made = Bench(one(["Anna Rosa", "Zorzi"], ["Anna Maria", "Bruno Maria"]))
    found = company(made, "Anna Maria ~ Anna Rosa", "Answer")
    assert found == [("▸", "1", "Anna Maria", "", "", ""), ("", "2", "Bruno Maria", "surname", "", "")]
