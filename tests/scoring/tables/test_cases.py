"""Cases and queues of the tables task (`docs/adjudication.md#cases`)."""

import pytest

from scoring.adjudication.cases import Case
from scoring.tables.cases.queues import cases, key_of, located, text_of
from scoring.tables.decisions.anchor import run_of
from scoring.tables.display.missed_places import places_left
from scoring.tables.execution.evaluation import evaluate
from scoring.tables.verdicts.validation import judge
from scoring.workspace.settings import Settings
from tests.scoring.tables.builders import Bench, Given, material, one, rules


def titles(bench: Bench, queue: str) -> list[str]:
    return [case.title for case in bench.cases if case.queue == queue]


# Ten characters: n of them common give a similarity of n / 10.
WHOLE = "abcdefghij"


def read(common: int) -> str:
    return WHOLE[:common] + "zyxwvutsrq"[: 10 - common]


@pytest.mark.parametrize(("common", "asked"), [(5, False), (6, True), (7, True), (8, True), (9, False)])
def test_borderline_takes_both_ends_in(common: int, asked: bool):
    bench = Bench(one([WHOLE], [read(common)]))
    assert titles(bench, "borderline") == ([f"{read(common)} ~ {WHOLE}"] if asked else [])


def test_the_window_is_compared_as_decimals():
    # 0.3 - 0.1 is below 0.2 in binary, 0.1 + 0.2 above 0.3.
    assert titles(Bench(one([WHOLE], [read(2)], settings=Settings(gate=0.3))), "borderline") != []
    assert titles(Bench(one([WHOLE], [read(3)], settings=Settings(gate=0.1, width=0.2))), "borderline") != []


def test_borderline_suggests_what_the_gate_says():
    assert [case.suggestion for case in Bench(one([WHOLE], [read(7)])).cases if case.queue == "borderline"] == ["same"]
    assert [case.suggestion for case in Bench(one([WHOLE], [read(6)])).cases if case.queue == "borderline"] == ["different"]


def test_leverage_is_occurrences_by_nearness_and_ties_go_by_page_and_row():
    gt = {"1": [WHOLE, "0123456789"], "2": [WHOLE]}
    runs: dict[str, dict[str, list[Given]]] = {f"a/n/{run}": {"1": [read(7), "012345____"[:6] + "!#$%"], "2": [read(7)]} for run in (1, 2)}
    runs["a/n/3"] = {"1": [read(7)], "2": [read(8)]}
    bench = Bench(material(gt, runs))
    found = {(case.page, case.title): case.leverage for case in bench.cases if case.queue == "borderline"}
    assert found["1", f"{read(7)} ~ {WHOLE}"] == 3.0
    assert found["2", f"{read(7)} ~ {WHOLE}"] == 2.0
    assert found["2", f"{read(8)} ~ {WHOLE}"] == pytest.approx(0, abs=1e-9)
    ordered = list(bench.cases)
    assert [case.leverage for case in ordered] == sorted((case.leverage for case in ordered), reverse=True)
    level = [case for case in ordered if case.leverage == 0.0]
    assert [case.order[:3] for case in level] == sorted(case.order[:3] for case in level)
    assert [-case.order[0] for case in level] == [len(case.occurrences) for case in level]


def test_as_far_below_the_gate_as_above_it_ties_and_the_page_decides():
    # In binary 0.65 is a little nearer to 0.7 than 0.75 is.
    latin, cyrillic = "abcdefghijklmnopqrst", "абвгдежзийклмнопрсту"
    bench = Bench(one([latin, cyrillic], [cyrillic[:13] + "0123456", latin[:15] + "zyxwv"]))
    found = [(case.title.split(" ~ ")[1], case.basis["similarity"], case.leverage) for case in bench.cases if case.queue == "borderline"]
    assert found == [(latin, 0.75, 0.5), (cyrillic, 0.65, 0.5)]


def test_of_cases_far_from_the_gate_the_more_frequent_come_first():
    runs = {f"a/n/{run}": {"1": ["Zorzi", "Qqqq" if run == 1 else "Wwww", *(["Vvvv"] if run < 3 else [])]} for run in (1, 2, 3, 4)}
    bench = Bench(material({"1": ["Zorzi"]}, runs))
    left = [(case.title, len(case.occurrences), case.leverage) for case in bench.cases if case.queue == "surplus"]
    assert left == [("Wwww", 3, 0.0), ("Vvvv", 2, 0.0), ("Qqqq", 1, 0.0)]


def test_half_way_to_the_edge_counts_half():
    bench = Bench(one([WHOLE * 2], [WHOLE + WHOLE[:5] + "zyxwv"]))
    (case,) = [case for case in bench.cases if case.queue == "borderline"]
    assert case.basis["similarity"] == 0.75
    assert case.leverage == pytest.approx(0.5)


def test_cases_are_grouped_by_reading_and_gt_row():
    runs = {f"{model}/n/{run}": {"1": [read(7) if model == "a" else read(8)]} for model in "ab" for run in (1, 2)}
    bench = Bench(material({"1": [WHOLE]}, runs))
    found = [case for case in bench.cases if case.queue == "borderline"]
    assert [(case.title, len(case.occurrences)) for case in found] == [(f"{read(7)} ~ {WHOLE}", 2), (f"{read(8)} ~ {WHOLE}", 2)]
    assert found[0].occurrences[0].targets == ("model:a/n/1:1:1", "gt:1:1")
    assert key_of(bench.evaluation.prepared, found[0]).form == read(7)


def test_homonyms_hold_their_other_fields_in_the_key():
    gt: list[Given] = [{"name": WHOLE, "title": "Conte"}, {"name": WHOLE, "title": "Abate"}]
    runs = {
        "a/n/1": {"1": [{"name": read(7), "title": "Conte"}]},
        "a/n/2": {"1": [{"name": read(7), "title": "conte."}]},
        "a/n/3": {"1": [{"name": read(7), "title": "Abate"}]},
    }
    bench = Bench(material({"1": gt}, runs))  # type: ignore[arg-type]
    found = [case for case in bench.cases if case.queue == "borderline"]
    assert sorted(len(case.occurrences) for case in found) == [1, 2]
    plain = Bench(material({"1": gt[:1]}, runs))  # type: ignore[arg-type]
    assert [len(case.occurrences) for case in plain.cases if case.queue == "borderline"] == [3]


def test_case_ids_hang_on_what_is_judged_alone():
    def ids(made: Bench) -> set[str]:
        return {case.id for case in made.cases if case.queue == "borderline"}

    base = ids(Bench(one([WHOLE, "Q"], [read(7)])))
    assert base == ids(Bench(one(["Q", WHOLE], ["Zzzz", read(7)])))
    assert base == ids(Bench(one([WHOLE], [read(7)], settings=Settings(misread_floor=0.3))))
    assert base != ids(Bench(one([WHOLE], [read(8)])))
    assert all(len(one) == 10 and one.startswith("t-") for one in base)


def test_unmatched_rows_and_rows_below_the_gate_are_asked_about():
    bench = Bench(one(["Anna Serri", "Zorzi", ""], ["Anna Serri", "Quqqu"]))
    assert titles(bench, "unmatched") == ["Zorzi"]
    bench = Bench(material({"1": ["Anna Serri"]}, {"a/n/1": {"1": []}, "a/n/2": {"1": "no list"}, "a/n/3": {}}))
    (case,) = bench.cases
    assert (case.queue, case.suggestion, [one.run for one in case.occurrences]) == ("unmatched", None, ["a/n/1"])


def test_surplus_suggests_the_automatic_label_most_runs_give():
    runs = {f"a/n/{run}": {"1": ["Carlo Bassa", "Carlo Bassa"]} for run in (1, 2)} | {"a/n/3": {"1": ["Carlo Bassa"]}}
    bench = Bench(material({"1": ["Carlo Bassa"]}, runs))
    case = bench.case("surplus", "Carlo Bassa")
    assert (case.suggestion, len(case.occurrences), case.targets) == ("duplicate", 2, ("model:a/n/1:1:1",))
    assert titles(bench, "borderline") == []


def test_nameless_rows_are_nobodys_case():
    assert Bench(one(["Anna"], ["Anna", ""])).cases == ()


def test_a_matched_row_that_may_be_a_merge():
    bench = Bench(one(["Anna Serri", "Bruno Serri"], ["Anna e Bruno Serri"]))
    case = bench.case("unmatched", "Anna e Bruno Serri")
    assert (case.suggestion, case.targets, case.question) == (
        "merge",
        ("gt:1:1", "gt:1:2"),
        "This row is matched, and may hold a second, missed record: is it a merge?",
    )
    # Where the second traveler has a row of its own, nothing is asked.
    held = Bench(one(["Anna Serri", "Bruno Serri"], ["Anna e Bruno Serri", "Bruno Serri"]))
    assert "Anna e Bruno Serri" not in titles(held, "unmatched")
    # Words a little misread are found too.
    near = Bench(one(["Francesca Lando", "Giovanna Lando"], ["Francesco e Giovanna Lando"]))
    assert "Francesco e Giovanna Lando" in titles(near, "unmatched")


def test_different_sets_a_row_free_and_asks_about_it():
    bench = Bench(one(["Anna Rosa"], ["Anna Maria"]))
    bench.give(bench.case("borderline", "Anna Maria ~ Anna Rosa"), "different")
    assert bench.case("surplus", "Anna Maria").status == "open"
    assert bench.case("unmatched", "Anna Rosa").status == "open"
    assert bench.case("borderline", "Anna Maria ~ Anna Rosa").status == "decided"


def test_a_verdict_elsewhere_settles_a_case():
    bench = Bench(one(["Anna Rosa", "Anna Rosi"], ["Anna Maria"]))
    bench.give(bench.case("borderline", "Anna Maria ~ Anna Rosa"), "same", "gt:1:2")
    case = bench.case("borderline", "Anna Maria ~ Anna Rosa")
    assert (case.status, case.note) == ("decided", "settled by another verdict")
    pointed = bench.case("borderline", "Anna Maria ~ Anna Rosi")
    assert pointed.status == "decided"


def test_a_verdict_no_queue_asks_about_stays_in_sight():
    bench = Bench(one(["Anna Serri", "Zorzi"], ["Anna Serri", "Quqqu"]))
    bench.say("gt:1:2", "same", "model:a/n/1:1:2")
    assert bench.case("borderline", "Quqqu ~ Zorzi").status == "decided"
    bench.say("gt:1:1", "different", "model:a/n/1:1:2", by="mp")
    bench.say("gt:1:1", "same", "model:a/n/1:1:2", by="jk")
    assert bench.case("borderline", "Quqqu ~ Anna Serri").status == "conflict"


def test_a_doubt_about_a_page_without_runs_stays_in_sight():
    bench = Bench(one(["Anna Serri"], []))
    bench.give(bench.case("unmatched", "Anna Serri"), "gt-extra-row")
    assert [case.status for case in bench.cases] == ["open"], "nobody has said whether a candidate is the one"
    assert bench.under(runs=()).cases == ()


@pytest.mark.parametrize(
    ("queue", "title", "beside", "answer"),
    [
        ("borderline", "Anna Maria ~ Anna Rosa", ("gt-wrong", "gt-illegible", "equivalent", "misread"), "different"),
        ("borderline", "Anna Maria ~ Anna Rosa", ("gt-wrong", "misread"), "unsure"),
        ("unmatched", "Quqqu Zorzi", ("gt-wrong", "gt-illegible", "gt-extra-row"), "different"),
        ("unmatched", "Quqqu Zorzi", ("gt-illegible",), "unsure"),
        ("surplus", "Bbbbb", ("gt-missing-row",), "invention"),
        ("surplus", "Bbbbb", ("gt-missing-row",), "unsure"),
    ],
)
def test_what_is_said_beside_the_question_leaves_a_case_open(queue, title, beside, answer):
    bench = Bench(material({"1": ["Anna Rosa"], "2": ["Quqqu Zorzi"], "3": []}, {"a/n/1": {"1": ["Anna Maria"], "2": [], "3": ["Bbbbb"]}}))
    for verdict in beside:
        bench.give(bench.case(queue, title), verdict, value="X")
        assert bench.case(queue, title).status == "open", verdict
    bench.give(bench.case(queue, title), answer)
    assert bench.case(queue, title).status == "decided"


def test_what_is_said_of_one_row_beside_the_question_leaves_it_open():
    bench = Bench(material({"1": ["Anna Rosa"]}, {"a/n/1": {"1": ["Anna Maria"]}, "a/n/2": {"1": ["Anna Maria"]}}))
    title = "Anna Maria ~ Anna Rosa"
    bench.give(bench.case("borderline", title), "gt-wrong", value="X", run="a/n/2")
    found = [(case.status, [one.run for one in case.occurrences]) for case in bench.cases if case.title == title]
    assert sorted(found) == [
        ("open", ["a/n/1"]),
        ("open", ["a/n/2"]),
    ]
    whole = next(case for case in bench.cases if case.title == title and case.occurrences[0].run == "a/n/1")
    bench.give(whole, "unsure")
    assert [case.status for case in bench.cases if case.title == title] == ["decided", "decided"]


# Against the key


def key_cases(readings: dict[str, list[str]], gt: str = "Vidussi Anna", **more: object) -> list[Case]:
    runs = {f"{model}/n/{at}": {"1": [text]} for model, texts in readings.items() for at, text in enumerate(texts)}
    return [case for case in Bench(material({"1": [gt]}, runs, **more)).cases if case.queue == "against the key"]  # type: ignore[arg-type]


def test_most_models_against_the_key():
    (case,) = key_cases({"a": ["Vidulfi Anna"] * 2, "b": ["Vidulfi Anna"], "c": ["Vidussi Anna"]})
    assert (case.title, case.suggestion, len(case.occurrences)) == ("Vidulfi Anna ~ Vidussi Anna", "gt-wrong", 3)
    assert case.question.endswith("is the ground truth right?")


@pytest.mark.parametrize(
    "readings",
    [
        {"a": ["Vidulfi Anna"], "b": ["Vidussi Anna"]},
        {"a": ["Vidulfi Anna"], "b": ["Vidussi Anna"], "c": ["Vidolfi Anna"], "d": ["Vidulfi Anna"]},
        {"a": ["Vidulfi Anna"]},
        {"a": ["Vidulfi Anna", "x", "y"], "b": ["Vidulfi Anna"]},
        {"a": ["Vidussi Anna"], "b": ["Vidussi Anna"]},
    ],
)
def test_no_doubt_where_no_majority_of_models_agrees(readings: dict[str, list[str]]):
    assert key_cases(readings) == []


def test_glyphs_nobody_read_are_no_doubt():
    assert key_cases({"a": ["Kinigsech"], "b": ["Kinigsech"]}, gt="Kin?gsech") == []


def test_a_doubt_by_reduced_readings_can_be_decided():
    made = rules(steps=(("conte", "leading"),))
    runs = {f"{model}/n/1": {"1": ["Conte Vidulfi Anna"]} for model in "ab"}
    bench = Bench(material({"1": ["Vidussi Anna"]}, runs, made_with=made))
    (case,) = [case for case in bench.cases if case.queue == "against the key"]
    bench.give(case, "gt-wrong", value="Vidulfi Anna")
    (case,) = [case for case in bench.cases if case.queue == "against the key"]
    assert case.status == "decided"
    assert not bench.evaluation.binding.stale
    entry = bench.give(case, "invention")
    assert entry.case != case.id
    assert bench.evaluation.pages["a/n/1", "1"].bound.labels[0].label == "invention"


# Ways to look


def test_cases_of_named_pages_and_rows_of_targets():
    made = material({"1": ["Zorzi"], "2": ["Anna"]}, {"a/n/1": {"1": [], "2": []}})
    evaluation = evaluate(made)
    assert [case.page for case in cases(evaluation, ["2"])] == ["2"]
    assert text_of(evaluation.prepared, "gt:2:1") == "Anna"
    assert located(evaluation.prepared, "gt:1:1") == ("1", 0)
    assert run_of("model:a/n/1:28:4") == "a/n/1"
    assert run_of("gt:28:4") == ""
    for target in ("gt:1:9", "gt:9:1", "model:x/y/z:1:1", "gt:1:x"):
        with pytest.raises(KeyError):
            located(evaluation.prepared, target)


def test_a_doubt_about_a_row_that_is_found_since_stays_in_sight():
    bench = Bench(one(["Anna Serri"], []))
    bench.give(bench.case("unmatched", "Anna Serri"), "gt-extra-row")
    found = bench.under(runs=one(["Anna Serri"], ["Anna Serri"]).runs)
    assert [(case.queue, case.title, case.status) for case in found.cases] == [("unmatched", "Anna Serri", "decided")]


def test_a_missed_traveler_is_asked_about_where_no_verdict_has_found_it() -> None:
    bench = Bench(material({"1": ["Anna Rosa"]}, {f"{model}/n/1": {"1": [name]} for model, name in (("a", "Enne Ross"), ("b", "Xyz"))}))
    (case,) = [one for one in bench.cases if one.queue == "unmatched"]
    assert [one.run for one in case.occurrences] == ["a/n/1", "b/n/1"]
    judged = judge(bench.evaluation, case, "same", targets=("model:a/n/1:1:1",))
    assert places_left(bench.evaluation, case, judged) == case.occurrences[1:]
    assert places_left(bench.evaluation, case, judge(bench.evaluation, case, "unsure")) is None
    apart = judge(bench.evaluation, case, "different", targets=("model:a/n/1:1:1",))
    assert places_left(bench.evaluation, case, apart) == case.occurrences
    bench.give(case, "same", "model:a/n/1:1:1")
    (after,) = [one for one in bench.cases if one.queue == "unmatched"]
    assert (after.id, after.status, after.occurrences) == (case.id, "open", case.occurrences[1:])
