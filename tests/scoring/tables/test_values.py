"""Doubts about one value of a GT row: cases, verdicts, what stands, what goes stale, and rules drafted from two values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.adjudication.cases import Case, FieldValue, RuleDraft
from scoring.adjudication.decisions import Decisions
from scoring.adjudication.filters import parse_filter
from scoring.problems import InputError
from scoring.schema import Field, Schema
from scoring.settings import Settings
from scoring.tables.doubts import doubts
from scoring.tables.evaluate import evaluate
from scoring.tables.evidence import evidence, stacked_readings
from scoring.tables.locating import CaseKey, value_key
from scoring.tables.value_majority import Consensus, agreed_values, majority_values
from scoring.tables.values import field_values
from scoring.tables.verdicts import draft, judge, kept
from tests.scoring.tables.builders import Bench, Given, entry_of, material, one, rows, rules

GT: list[dict[str, str]] = [
    {"name": "Anna Serri", "arrival_date": "May 1 1769", "place_of_origin": "Francoforte", "children_count": "2", "title": "Conte"},
    {"name": "Bruno Volpe", "arrival_date": "May 2 1769", "place_of_origin": "Udine"},
]


def row(name: str = "Anna Serri", **values: str) -> dict[str, str]:
    return {"name": name, **values}


def made(answers: dict[str, list[dict[str, str]]], gt: list[dict[str, str]] | None = None, **more: Any) -> Bench:
    """A bench of one page; each model has as many runs as rows, each run that one row."""
    runs: dict[str, dict[str, list[Given]]] = {
        f"{model}/n/{at}": {"1": [given]} for model, given_rows in answers.items() for at, given in enumerate(given_rows, 1)
    }
    return Bench(material({"1": list(gt or GT)}, runs, **more))


def of_values(bench: Bench) -> list[Case]:
    return [case for case in bench.cases if "field" in case.basis]


def pair(bench: Bench) -> Case:
    """A case about a row and not a value: the traveler nobody found."""
    return bench.case("unmatched", "Bruno Volpe")


# Cases


def test_most_models_read_another_value():
    bench = made({"a": [row(arrival_date="May 7 1769")] * 2, "b": [row(arrival_date="may 7. 1769")], "c": [row(arrival_date="May 1 1769")]})
    (case,) = of_values(bench)
    assert (case.queue, case.title, case.suggestion, len(case.occurrences), case.status) == (
        "against the key", "arrival_date: May 7 1769 ~ May 1 1769, Anna Serri", "gt-wrong", 3, "open",
    )  # fmt: skip
    assert case.occurrences[0].targets == ("model:a/n/1:1:1", "gt:1:1")
    assert case.targets == ("gt:1:1",)
    assert case.question == "Most models read this value otherwise: is the ground truth right?"
    assert case.verdicts == ("gt-wrong", "gt-illegible", "different", "unsure", "equivalent")
    found = majority_values(bench.evaluation, "1")[0, "arrival_date"]
    assert found.consensus == Consensus("may 7 1769", "May 7 1769", 2, 3, True)
    assert found.places == (("a/n/1", 0), ("a/n/2", 0), ("b/n/1", 0))


@pytest.mark.parametrize(
    ("answers", "more"),
    [
        pytest.param({"a": [row(arrival_date="May 7 1769")]}, {}, id="one model is no majority"),
        pytest.param({m: [row(arrival_date=f"May {d} 1769")] for m, d in zip("abcd", "7718", strict=True)}, {}, id="half is not most"),
        pytest.param({m: [row(arrival_date="May 01 1769")] for m in "ab"}, {}, id="a rendering is no difference"),
        pytest.param({m: [row(arrival_date="")] for m in "ab"}, {}, id="a blank is no reading"),
        pytest.param({m: [row(with_spouse="Y")] for m in "ab"}, {}, id="a blank the scorer does not score"),
        pytest.param({m: [row("Quqqu", arrival_date="May 7 1769")] for m in "ab"}, {}, id="a row that is not matched"),
        pytest.param(
            {m: [row(place_of_origin="Frankfurt")] for m in "ab"},
            {"made_with": rules(fields=[("frankfurt", "francoforte", "place_of_origin")])},
            id="a settled rule",
        ),
        pytest.param(
            {"a": [row(arrival_date="May 7 1769")], "b": [row(arrival_date="May 7 1769")], "c": [row()]},
            {"settings": Settings(majority=0.8)},
            id="the threshold of the settings",
        ),
        pytest.param(
            {"a": [row(arrival_date="May 7 1769"), row(), row()], "b": [row(arrival_date="May 7 1769")]},
            {},
            id="less than half of a's runs",
        ),
    ],
)
def test_no_doubt_of_a_value(answers: dict[str, list[dict[str, str]]], more: dict[str, Any]):
    assert of_values(made(answers, **more)) == []


def test_a_title_where_the_register_has_none_is_a_difference():
    gt = [{"name": "Anna Serri"}]
    (case,) = of_values(made({m: [row(title="Contessa")] for m in "ab"}, gt))
    assert case.title == "title: Contessa ~ (blank), Anna Serri"


def test_one_case_a_row_and_field_after_all_others_and_the_greater_loss_first():
    read = row(arrival_date="May 7 1769", place_of_origin="Udina", children_count="3")
    bench = made({m: [read] for m in "ab"})
    found = of_values(bench)
    # A count is wrong or right; of a date of ten characters one is wrong; `francoforte` and `udina` share little.
    assert [case.basis["field"] for case in found] == ["children_count", "place_of_origin", "arrival_date"]
    assert [round(case.leverage, 3) for case in found] == [-0.333, -0.355, -0.833]
    assert bench.cases[-3:] == tuple(found)
    assert all(case.leverage >= 0 for case in bench.cases[:-3])
    assert [case.basis["field"] for case in found if parse_filter("field:arrival_date")(case)] == ["arrival_date"]
    assert [case for case in bench.cases if parse_filter("field:arrival_date")(case)] == [found[2]]


def test_evidence_of_a_value():
    bench = made({m: [row(arrival_date="May 7 1769")] for m in "abc"} | {"d": [row(arrival_date="May 1 1769")], "e": [row("Quqqu")]})
    evaluation, (case,) = bench.evaluation, of_values(bench)
    blocks = evidence(evaluation, case)
    assert [type(block).__name__ for block in blocks] == ["Comparison", "Facts", "Facts", "Grid", "Grid", "Grid"]
    assert (blocks[0].upper_label, blocks[0].upper, blocks[0].lower_label, blocks[0].lower) == (  # type: ignore[union-attr]
        "GT 1 arrival_date", "May 1 1769", "a/n/1 row 1 arrival_date", "May 7 1769",
    )  # fmt: skip
    assert blocks[1].rows == (  # type: ignore[union-attr]
        ("compared as", "may 1 1769 / may 7 1769"),
        ("score of the value", "0.90"),
        ("agreement", "3 of 5 models read May 7 1769"),
    )
    # Blind, nothing says what others read.
    assert [block.title for block in evidence(evaluation, case, blind=True) if not hasattr(block, "upper")] == [  # type: ignore[union-attr]
        "Row", "Fields", "Page, around the GT row",
    ]  # fmt: skip


def test_all_readings_of_a_value_are_stacked():
    bench = made({m: [row(arrival_date="May 7 1769")] for m in "abc"} | {"d": [row(arrival_date="May 1 1769")], "e": [row("Quqqu")]})
    (case,) = of_values(bench)
    stack = stacked_readings(bench.evaluation, case)
    assert stack is not None
    assert (stack.title, stack.reference) == ("All readings of arrival_date", "May 1 1769")
    assert [(line.cells, line.mark) for line in stack.lines] == [
        (("a", "May 7 1769", "1"), "★"),
        (("b", "May 7 1769", "1"), "★"),
        (("c", "May 7 1769", "1"), "★"),
        (("d", "May 1 1769", "1"), ""),
        (("e", "", "not found in 1"), ""),
    ]


# Verdicts


def test_a_doubt_of_a_value_names_row_and_field():
    bench = made({m: [row(arrival_date="May 7 1769")] for m in "ab"})
    (case,) = of_values(bench)
    entry = bench.give(case, "gt-wrong", value=" May 7 1769 ")
    assert (entry.case, entry.targets, entry.value, entry.scope) == (case.id, ("gt:1:1",), "May 7 1769", "reading")
    assert {name: entry.basis[name] for name in ("page", "ask", "field", "cell", "asked", "occurrences")} == {
        "page": "1", "ask": "value", "field": "arrival_date", "cell": "May 1 1769", "asked": "gt:1:1", "occurrences": 2,
    }  # fmt: skip
    (after,) = of_values(bench)
    assert (after.status, after.note) == ("decided", "")


def test_from_any_case_it_is_said_of_row_and_field_and_leaves_the_case_as_it_was():
    bench = made({"a": [row(arrival_date="May 7 1769")]})
    other = pair(bench)
    entry = bench.give(other, "gt-wrong", "gt:1:1", value="May 7 1769", field="arrival_date")
    prepared = bench.evaluation.prepared
    assert entry.case == value_key(prepared.pages["1"], 0, "arrival_date").id == CaseKey(
        "1", "value", anchor=prepared.pages["1"].anchors[0], field="arrival_date"
    ).id  # fmt: skip
    assert pair(bench).status == "open"
    (said,) = of_values(bench)
    assert (said.queue, said.title, said.status) == ("against the key", "arrival_date: May 1 1769, Anna Serri", "decided")
    assert said.question == "Somebody doubts this value: is the ground truth right?"
    assert bench.evaluation.cells[0].counts == bench.evaluation.as_scored.cells[0].counts


def test_without_a_field_the_name_is_meant_as_before():
    bench = made({"a": [row()]})
    for field in ("", "name"):
        judged = judge(bench.evaluation, pair(bench), "gt-wrong", value="Bruno Volpi", field=field)
        assert judged.case == pair(bench).id
        assert "field" not in judged.basis


def test_doubts_of_several_fields_hold_side_by_side_and_the_last_of_each_stands():
    bench = made({"a": [row()]})
    for field, value in (("arrival_date", "May 3 1769"), ("place_of_origin", "Roma"), ("arrival_date", "May 4 1769"), ("title", "")):
        bench.give(pair(bench), "gt-wrong", "gt:1:1", value=value, field=field)
    found = [(one.field, one.text, one.value, one.row, one.state) for one in doubts(bench.evaluation)]
    assert found == [
        ("arrival_date", "May 1 1769", "May 4 1769", 1, "agreed"),
        ("place_of_origin", "Francoforte", "Roma", 1, "agreed"),
        ("title", "Conte", "", 1, "agreed"),
    ]


def test_who_says_that_the_ground_truth_stands_opposes_a_doubt():
    bench = made({m: [row(arrival_date="May 7 1769")] for m in "ab"})
    (case,) = of_values(bench)
    doubt = bench.give(case, "gt-wrong", by="x", value="May 7 1769")
    against = bench.give(case, "different", by="y")
    (now,) = of_values(bench)
    assert (now.status, now.note) == ("conflict", "x: gt-wrong of arrival_date, y: different of arrival_date")
    assert [(one.state, one.field, one.why) for one in doubts(bench.evaluation)] == [
        ("conflict", "arrival_date", "against it stands y: different")
    ]
    bench.give(now, "gt-wrong", by="z", value="May 7 1769", resolves=(doubt.id, against.id))
    assert [one.state for one in doubts(bench.evaluation)] == ["agreed"]
    # Nothing is said of the pair: the traveler was found, and is.
    assert bench.evaluation.pages["a/n/1", "1"].counts == bench.evaluation.as_scored.pages["a/n/1", "1"].counts


def test_unsure_leaves_a_value_and_the_doubt_of_another():
    bench = made({m: [row(arrival_date="May 7 1769")] for m in "ab"})
    (case,) = of_values(bench)
    bench.give(case, "unsure", by="x")
    assert [one.status for one in of_values(bench)] == ["decided"]
    bench.give(case, "gt-wrong", by="y", value="May 7 1769")
    assert [one.state for one in doubts(bench.evaluation)] == ["agreed"]


@pytest.mark.parametrize(
    ("verdict", "more", "message"),
    [
        ("gt-wrong", {"field": "colour", "value": "red"}, "there is no field `colour`"),
        ("gt-wrong", {"field": "arrival_date"}, "needs the text you propose"),
        ("gt-wrong", {"field": "arrival_date", "value": "May 2 1769"}, "arrival_date of gt:1:2 reads so already: May 2 1769"),
        ("gt-wrong", {"field": "title", "value": " "}, "title of gt:1:2 reads so already: blank"),
        ("same", {"field": "arrival_date"}, "`same` is not said of a value"),
        ("different", {"field": "arrival_date"}, "`different` is not said of a value"),
        ("gt-wrong", {"field": "arrival_date", "value": "x", "targets": ("gt:1:1", "gt:1:2")}, "a value is of one GT row"),
        ("gt-wrong", {"field": "arrival_date", "value": "x", "targets": ("gt:1:9",)}, "there is no row gt:1:9"),
        ("gt-wrong", {"field": "arrival_date", "value": "x", "run": "a/n/1"}, "whatever a run reads"),
    ],
)
def test_what_cannot_be_said_of_a_value(verdict: str, more: dict[str, Any], message: str):
    bench = made({"a": [row()]})
    with pytest.raises(InputError, match=message):
        judge(bench.evaluation, pair(bench), verdict, **more)


def test_a_case_about_a_value_takes_no_verdict_on_rows():
    bench = made({m: [row(arrival_date="May 7 1769")] for m in "ab"})
    (case,) = of_values(bench)
    for verdict in ("same", "duplicate", "merge", "fragment", "misread", "invention", "gt-extra-row", "gt-missing-row"):
        with pytest.raises(InputError, match=f"`{verdict}` is not said of a value"):
            judge(bench.evaluation, case, verdict, value="x")


def test_a_surplus_row_needs_a_pointer():
    bench = Bench(one(["Anna Serri", "Bruno Volpe"], ["Anna Serri", "Bruno Volpe", "Quqqu"]))
    case = bench.case("surplus", "Quqqu")
    with pytest.raises(InputError, match="no GT row is asked about here"):
        judge(bench.evaluation, case, "gt-wrong", value="x", field="arrival_date")
    assert judge(bench.evaluation, case, "gt-wrong", targets=("gt:1:2",), value="x", field="arrival_date").targets == ("gt:1:2",)


# Found again


def changed(bench: Bench, at: int, **values: str) -> Bench:
    """The bench with values of one GT row changed."""
    gt = [dict(one) for one in GT]
    gt[at] |= values
    (page,) = bench.material.pages
    return bench.under(pages=(replace(page, rows=rows(gt)),))


def doubted(field: str = "arrival_date", value: str = "May 7 1769") -> Bench:
    bench = made({"a": [row()]})
    bench.give(pair(bench), "gt-wrong", "gt:1:1", value=value, field=field)
    return bench


def test_a_cell_that_has_changed_since_makes_the_doubt_stale():
    after = changed(doubted(), 0, arrival_date="May 9 1769")
    cause = "arrival_date of GT row gt:1:1 (Anna Serri) changed from May 1 1769 to May 9 1769"
    assert [(one.queue, one.status, one.note) for one in after.cases if one.status == "stale"] == [("stale", "stale", cause)]
    assert [(one.state, one.field, one.text, one.why) for one in doubts(after.evaluation)] == [
        ("stale", "arrival_date", "May 1 1769", cause)
    ]
    again = kept(after.evaluation, after.entries[0])
    assert (again.verdict, again.value, again.basis["cell"], again.basis["field"]) == (
        "gt-wrong",
        "May 7 1769",
        "May 9 1769",
        "arrival_date",
    )


def test_a_cell_that_was_set_right_makes_it_done_and_another_cell_makes_no_difference():
    bench = doubted()
    done = changed(bench, 0, arrival_date="May 7 1769")
    assert [one.status for one in done.cases if one.status == "stale"] == []
    assert [(one.state, one.value) for one in doubts(done.evaluation)] == [("done", "May 7 1769")]
    other = changed(bench, 0, place_of_origin="Roma")
    assert [(one.state, one.text) for one in doubts(other.evaluation)] == [("agreed", "May 1 1769")]
    renamed = changed(bench, 0, name="Anna Serra")
    assert [one.why for one in doubts(renamed.evaluation)] == ["GT row gt:1:1 changed from Anna Serri to Anna Serra"]
    both = changed(bench, 0, name="Anna Serra", arrival_date="May 7 1769")
    assert [one.state for one in doubts(both.evaluation)] == ["done"]


def test_a_field_the_schema_has_no_more_makes_it_stale():
    bench = doubted()
    fewer = Schema(tuple(one for one in bench.material.schema.fields if one.name != "arrival_date"), ("name",))
    found = doubts(bench.under(schema=fewer).evaluation)
    assert [(one.state, one.why) for one in found] == [("stale", "the schema has no field arrival_date")]
    with pytest.raises(InputError, match="there is no field `arrival_date`"):
        kept(bench.under(schema=fewer).evaluation, bench.entries[0])


def test_a_row_that_moved_is_still_the_row():
    bench = doubted()
    (page,) = bench.material.pages
    moved = bench.under(pages=(replace(page, rows=rows([{"name": "Zorzi"}, *GT])),))
    assert [(one.state, one.row, one.text) for one in doubts(moved.evaluation)] == [("agreed", 2, "May 1 1769")]


def test_a_namesake_whose_value_was_set_right_is_done():
    gt = [{"name": "Anna Serri", "arrival_date": "May 1 1769"}, {"name": "Anna Serri", "arrival_date": "May 2 1769"}]
    bench = Bench(material({"1": list(gt)}, {"a/n/1": {"1": []}}))
    case = next(case for case in bench.cases if case.targets == ("gt:1:2",))
    bench.give(case, "gt-wrong", value="May 7 1769", field="arrival_date")
    (page,) = bench.material.pages
    after = bench.under(pages=(replace(page, rows=rows([gt[0], {**gt[1], "arrival_date": "May 7 1769"}])),))
    assert [(one.state, one.row) for one in doubts(after.evaluation)] == [("done", 2)]
    other = bench.under(pages=(replace(page, rows=rows([gt[0], {**gt[1], "arrival_date": "May 8 1769"}])),))
    (doubt,) = doubts(other.evaluation)
    assert (doubt.state, doubt.text) == ("stale", "May 2 1769")
    assert "arrival_date from May 2 1769 to May 8 1769" in doubt.why


def test_a_row_too_many_contradicts_what_is_said_of_its_values():
    bench = doubted()
    bench.give(pair(bench), "gt-wrong", "gt:1:2", value="Roma", field="place_of_origin")
    bench.give(pair(bench), "gt-extra-row")
    found = {(one.verdict, one.field): (one.state, one.why) for one in doubts(bench.evaluation)}
    assert found == {
        ("gt-wrong", "arrival_date"): ("agreed", ""),
        ("gt-wrong", "place_of_origin"): ("conflict", "of the same row is said gt-extra-row"),
        ("gt-extra-row", ""): ("conflict", "of the same row is said gt-wrong of place_of_origin “Roma”"),
    }


def test_a_line_made_elsewhere_may_say_no_more_than_field_and_row():
    bench = doubted()
    (entry,) = bench.entries
    basis = {name: entry.basis[name] for name in ("page", "field", "rows", "texts")}
    bench.entries = [entry_of(replace_basis(judge(bench.evaluation, pair(bench), "unsure"), entry, basis), 1)]
    assert [(one.state, one.field, one.row) for one in doubts(bench.evaluation)] == [("agreed", "arrival_date", 1)]


def replace_basis(judged: Any, entry: Any, basis: dict[str, object]) -> Any:
    return replace(judged, verdict=entry.verdict, case="t-00000000", targets=entry.targets, value=entry.value, basis=basis)


# Choosing a field, and rules


def test_the_fields_there_are_to_choose_from():
    read = row(arrival_date="May 7 1769", place_of_origin="Frankfurt", children_count="3", title="Conte")
    bench = made({m: [read] for m in "ab"} | {"c": [row("Anna Serri", place_of_origin="Francfort")]})
    case = next(case for case in of_values(bench) if case.basis["field"] == "arrival_date")
    found = {one.field: one for one in field_values(bench.evaluation, case)}
    assert list(found) == ["name", "title", "arrival_date", "place_of_origin", "children_count", "with_spouse"]
    assert found["name"] == FieldValue("name", True, "Anna Serri", "Anna Serri", "Anna Serri", 3, 3, False)
    assert found["arrival_date"] == FieldValue("arrival_date", False, "May 1 1769", "May 7 1769", "May 7 1769", 2, 3, True)
    assert found["place_of_origin"] == FieldValue("place_of_origin", False, "Francoforte", "Frankfurt", "Frankfurt", 2, 3, True)
    assert found["children_count"] == FieldValue("children_count", False, "2", "3", "3", 2, 3, False)
    assert found["with_spouse"] == FieldValue("with_spouse", False, "", "", "", 0, 0, False)
    assert [found[name].proposal for name in ("arrival_date", "title", "with_spouse")] == ["May 7 1769", "Conte", ""]
    assert field_values(bench.evaluation, pair(bench))[0] == FieldValue("name", True, "Bruno Volpe", None, "", 0, 0, False)


def test_the_name_most_models_read_is_proposed_without_what_is_stepped_over():
    made_with = rules(steps=(("conte", "leading"),))
    bench = made({"a": [row("Conte Anna Serra")], "b": [row("Anna Serra")], "c": [row("Conte Anna Serra")]}, made_with=made_with)
    assert agreed_values(bench.evaluation, "1", 0)["name"] == Consensus("anna serra", "Anna Serra", 3, 3, True)


def test_a_rule_from_a_fields_two_values():
    bench = made({m: [row(place_of_origin="Frankfurt", children_count="3", arrival_date="may 1. 1769")] for m in "ab"})
    case = next(case for case in of_values(bench) if case.basis["field"] == "place_of_origin")
    wanted = RuleDraft("Frankfurt", "Francoforte", "place_of_origin", "Frankfurt (page 1 row 1, Anna Serri)")
    assert draft(bench.evaluation, case) == wanted
    other = next(case for case in of_values(bench) if case.basis["field"] == "children_count")
    assert draft(bench.evaluation, other, "place_of_origin") == wanted
    for field, message in (
        ("children_count", "`children_count` is scored as a count, so no rule is ever applied to it"),
        ("title", "`title` is blank in one of the two rows"),
        ("arrival_date", "both values of `arrival_date` are compared as the same already: May 1 1769"),
        ("colour", "there is no field `colour`"),
    ):
        with pytest.raises(InputError, match=message):
            draft(bench.evaluation, case, field)
    with pytest.raises(InputError, match="this case has no two rows"):
        draft(bench.evaluation, pair(bench), "arrival_date")
    # Said of the pair it is said of its case, and changes no figure.
    said = judge(bench.evaluation, case, "equivalent", value={"form": "Frankfurt", "canonical": "Francoforte", "field": "place_of_origin"})
    assert said.case == case.id


def test_a_doubt_about_a_part_of_a_joined_key():
    schema = Schema((Field("name", "name"), Field("surname", "name"), Field("arrival_date", "date")), ("name", "surname"))
    gt: list[Given] = [{"name": "Anna", "surname": "Serri", "arrival_date": "May 1 1769"}]
    runs: dict[str, dict[str, list[Given]]] = {f"{m}/n/1": {"1": [{"name": "Anna", "surname": "Serra"}]} for m in "ab"}
    bench = Bench(material({"1": gt}, runs, schema=schema))
    case = bench.case("against the key", "Anna Serra ~ Anna Serri")
    found = {one.field: one for one in field_values(bench.evaluation, case)}
    assert found["surname"] == FieldValue("surname", True, "Serri", "Serra", "Serra", 2, 2, True)
    entry = bench.give(case, "gt-wrong", value="Serra", field="surname")
    assert entry.basis["cell"] == "Serri"
    assert [(one.state, one.field, one.text, one.value) for one in doubts(bench.evaluation)] == [("agreed", "surname", "Serri", "Serra")]


def test_majorities_are_worked_out_once_and_from_the_scores_without_decisions():
    bench = made({m: [row(arrival_date="May 7 1769")] for m in "ab"})
    automatic = evaluate(bench.material)
    first = majority_values(automatic, "1")
    assert majority_values(automatic, "1") is first
    (case,) = of_values(bench)
    bench.give(case, "gt-wrong", value="May 7 1769")
    under = evaluate(bench.material, Decisions.of(bench.entries), automatic=automatic)
    assert under.as_scored.value_majorities["1"] is first


# Lists

WORKS = Schema((Field("name", "name"), Field("author[].family")), ("name",))


def works(gt: str, read: str) -> Bench:
    """One work whose authors two models read alike."""
    given: list[Given] = [{"name": "On Ink", "author[].family": read}]
    return Bench(material({"1": [{"name": "On Ink", "author[].family": gt}]}, {f"{m}/n/1": {"1": given} for m in "ab"}, schema=WORKS))


def test_a_list_is_doubted_as_a_whole():
    bench = works("Rossi | Verdi", "Kuhn | Rossi")
    (case,) = of_values(bench)
    assert case.title == "author[].family: Kuhn | Rossi ~ Rossi | Verdi, On Ink"
    assert judge(bench.evaluation, case, "gt-wrong", field="author[].family", value=r"Rossi|Kuhn \| Co").value == r"Rossi | Kuhn \| Co"
    with pytest.raises(InputError, match="reads so already"):
        judge(bench.evaluation, case, "gt-wrong", field="author[].family", value="Rossi|Verdi")
    with pytest.raises(InputError, match="is a list, and a rule is of one entry"):
        draft(bench.evaluation, case, "author[].family")


def test_a_list_in_another_order_is_no_doubt():
    assert of_values(works("Rossi | Verdi", "Verdi | Rossi")) == []


def test_a_nested_value_is_no_reading_and_takes_no_rule():
    bench = works("Rossi", '{"author": ["Rossi", "Verdi"]}')
    assert of_values(bench) == []
    nested = made({m: [row(title='{"a": "b"}', arrival_date="May 7 1769")] for m in "ab"})
    with pytest.raises(InputError, match="holds a nested value, to which no rule applies"):
        draft(nested.evaluation, of_values(nested)[0], "title")
