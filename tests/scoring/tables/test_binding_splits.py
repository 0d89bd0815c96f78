"""Occurrences that a grouped verdict does not reach split off, and rows alike are told apart (`docs/adjudication.md#cases`)."""

import pytest

from scoring.foundations.problems import InputError
from tests.scoring.tables.builders import Bench, material, nth, one
from tests.scoring.tables.test_binding import pairs

GT, READ = "Anna Rosa", "Anna Maria"
CASE = ("borderline", f"{READ} ~ {GT}")


def two_runs() -> Bench:
    """In the second run the traveler has a row of his own, read in full."""
    return Bench(material({"1": [GT, "Zorzi"]}, {"a/n/1": {"1": [READ, "Zorzi"]}, "a/n/2": {"1": [GT, READ, "Zorzi"]}}))


def test_same_gives_no_traveler_a_second_row():
    bench = two_runs()
    before = bench.evaluation.cells[0].counts
    entry = bench.give(bench.case(*CASE), "same")
    assert entry.scope == "reading"
    assert pairs(bench, "a/n/1")[0] == (0, True)
    assert pairs(bench, "a/n/2")[0] == (0, True)
    assert [(row.row, row.label, row.decided_by) for row in bench.evaluation.pages["a/n/2", "1"].surplus] == [(1, "duplicate", "")]
    counts = bench.evaluation.cells[0].counts
    assert (counts.edits, counts.exact_names) == (before.edits, before.exact_names)
    case = bench.case(*CASE)
    assert (case.status, case.note, [one.run for one in case.occurrences]) == ("decided", "", ["a/n/1"])
    # The row left over is asked about by itself.
    left = bench.case("surplus", READ)
    assert (left.status, left.suggestion, [one.run for one in left.occurrences]) == ("open", "duplicate", ["a/n/2"])


def test_the_row_split_off_can_be_said_to_be_the_traveler():
    bench = two_runs()
    bench.give(bench.case(*CASE), "same")
    entry = bench.give(bench.case("surplus", READ), "same", "gt:1:1")
    assert (entry.scope, entry.run, entry.targets) == ("row", "a/n/2", ("gt:1:1",))
    assert pairs(bench, "a/n/2")[0] == (1, True)
    assert bench.evaluation.pages["a/n/1", "1"].bound.same == ((0, 0, nth(1)),)


def test_the_holder_gives_way_where_it_is_said_to_be_another_or_nobody():
    for by in ("mp", "xy"):
        for order in (0, 1):
            bench = two_runs()
            acts = [
                lambda bench=bench: bench.give(bench.case(*CASE), "same"),
                lambda bench=bench, by=by: bench.say("gt:1:1", "different", "model:a/n/2:1:1", by=by),
            ]
            for at in (order, 1 - order):
                acts[at]()
            assert pairs(bench, "a/n/2")[0] == (1, True)
    bench = two_runs()
    bench.say("gt:1:2", "same", "model:a/n/2:1:1")
    bench.give(bench.case(*CASE), "same")
    # Zorzi has a row of his own in that run, so the first verdict was said of that row alone.
    assert (bench.entries[0].scope, pairs(bench, "a/n/2")) == ("row", {0: (1, True), 1: (0, True)})


def test_two_rows_same_to_one_traveler_are_for_the_pairing_to_decide():
    bench = Bench(one(["Anna Serri", "Zorzi"], ["Anna Sorra", "Anna Serra", "Zorzi"]))
    for row in (1, 2):
        bench.say("gt:1:1", "same", f"model:a/n/1:1:{row}")
    assert pairs(bench)[0] == (1, True)
    assert bench.case("surplus", "Anna Sorra").suggestion == "duplicate"


def test_a_row_matched_to_another_splits_off_as_a_case_about_the_pair():
    gt = ["Anna Rosa", "Anna Morra"]
    runs = {"a/n/1": {"1": ["Anna Maria", "Anna Morra"]}, "a/n/2": {"1": ["Anna Rosa", "Anna Maria"]}}
    bench = Bench(material({"1": gt}, runs))
    assert pairs(bench, "a/n/2") == {0: (0, True), 1: (1, True)}
    bench.give(bench.case(*CASE), "same")
    assert pairs(bench, "a/n/2") == {0: (0, True), 1: (1, True)}
    split = bench.case(*CASE, status="open")
    assert [occurrence.targets for occurrence in split.occurrences] == [("model:a/n/2:1:2", "gt:1:1")]
    entry = bench.give(split, "different")
    assert (entry.scope, entry.case) == ("row", split.id)
    assert {case.status for case in bench.cases if case.title == CASE[1]} == {"decided"}


# Rows that read alike


def twins() -> Bench:
    return Bench(one(["Zorzi"], ["Zorzi", "Qqqq", "Qqqq"]))


def test_a_verdict_is_narrowed_to_the_row_named():
    bench = twins()
    case = bench.case("surplus", "Qqqq")
    entry = bench.give(case, "invention", run="model:a/n/1:1:3")
    assert (entry.scope, entry.run, entry.basis["subject"], entry.basis["nth"]) == ("row", "a/n/1", "model:a/n/1:1:3", 1)
    assert [(row.row, bool(row.decided_by)) for row in bench.evaluation.pages["a/n/1", "1"].surplus] == [(1, False), (2, True)]
    with pytest.raises(InputError, match="model:a/n/1:1:1 is no row of case"):
        bench.give(bench.case("surplus", "Qqqq", status="open"), "invention", run="model:a/n/1:1:1")


def test_narrowed_to_a_run_the_row_judged_is_not_the_one_it_repeats():
    bench = twins()
    entry = bench.give(bench.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:2", run="a/n/1")
    assert (entry.basis["subject"], entry.basis["nth"]) == ("model:a/n/1:1:3", 1)


def test_a_reading_that_repeats_itself_is_still_one_name():
    bench = twins()
    assert bench.evaluation.cells[0].counts.distinct_travelers == 2
    entry = bench.give(bench.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:2")
    score = bench.evaluation.pages["a/n/1", "1"]
    assert [(row.row, row.label, row.decided_by) for row in score.surplus] == [(1, "invention", ""), (2, "duplicate", entry.id)]
    assert score.counts is not None
    assert score.counts.distinct_travelers == 2
    # What the row repeated is, is still to be said.
    split = bench.case("surplus", "Qqqq", status="open")
    assert [occurrence.targets for occurrence in split.occurrences] == [("model:a/n/1:1:2",)]
    own = bench.give(split, "duplicate", "model:a/n/1:1:1")
    score = bench.evaluation.pages["a/n/1", "1"]
    assert [(row.row, row.label, row.decided_by) for row in score.surplus] == [(1, "duplicate", own.id), (2, "duplicate", entry.id)]
    assert bench.evaluation.cells[0].counts.distinct_travelers == 1
    bench = Bench(one(["Zorzi"], ["Zorzi", "Qqqq", "Qqqq"]))
    bench.give(bench.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:1")
    assert bench.evaluation.cells[0].counts.distinct_travelers == 1
