"""Verdicts read back: which rows they mean, when they apply, when they are stale or in conflict (`docs/adjudication.md#reading-back`)."""

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from scoring.adjudication.decisions import Decisions, LogEntry
from scoring.tables.execution.evaluation import evaluate
from scoring.tables.inputs.material import GTPage, RunPage
from scoring.tables.verdicts.validation import judge
from scoring.workspace.settings import Settings
from tests.scoring.tables.builders import TITLES, Bench, Given, entry_of, material, nth, one, rows, rules

# A borderline pair: 0.737.
GT, READ = "Anna Rosa", "Anna Maria"


def pairs(bench: Bench, run: str = "a/n/1", page: str = "1") -> dict[int, tuple[int, bool]]:
    """GT row -> (model row, matched)."""
    return {pair.gt: (pair.model, pair.matched) for pair in bench.evaluation.pages[run, page].pairs}


def with_gt(bench: Bench, given: list[Given], page: str = "1") -> Bench:
    others = [one for one in bench.material.pages if one.id != page]
    return bench.under(pages=(GTPage(page, rows(given), f"gt/gt_page_{page}.csv"), *others))


def with_answer(bench: Bench, given: list[Given], run: str = "a/n/1", page: str = "1") -> Bench:
    runs = tuple(
        replace(one, pages={**one.pages, page: RunPage(page, "ok", rows(given))}) if one.key == run else one for one in bench.material.runs
    )
    return bench.under(runs=runs)


def causes(bench: Bench) -> list[str]:
    return [stale.cause for stale in bench.evaluation.binding.stale]


# same and different


def test_same_pairs_first_whatever_the_similarity():
    bench = Bench(one(["Anna Serri", "Zorzi"], ["Anna Serri", "Quqqu"]))
    assert pairs(bench) == {0: (0, True), 1: (1, False)}
    case = bench.case("unmatched", "Zorzi")
    entry = bench.give(case, "same", "model:a/n/1:1:1")
    assert pairs(bench) == {1: (0, True), 0: (1, False)}
    assert bench.evaluation.as_scored.cells[0].counts.matched == 1
    assert [pair.decided_by for pair in bench.evaluation.pages["a/n/1", "1"].pairs] == [entry.id, ""]


def test_different_bars_a_pair_at_the_gate_and_without_floor():
    bench = Bench(one([GT, "Bruno"], [READ, "Bruno"]))
    assert pairs(bench)[0] == (0, True)
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    assert 0 not in pairs(bench)
    score = bench.evaluation.pages["a/n/1", "1"]
    assert score.missed == (0,)
    assert [row.row for row in score.surplus] == [0]
    counts = score.counts
    assert counts is not None
    # All model rows stay in the denominator.
    assert (counts.model_rows, counts.matched, counts.precision) == (2, 1, 0.5)


def test_unsure_is_decided_and_changes_nothing():
    bench = Bench(one([GT], [READ]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "unsure")
    evaluation = bench.evaluation
    assert evaluation.pages == evaluation.as_scored.pages
    assert bench.case("borderline", f"{READ} ~ {GT}").status == "decided"


@pytest.mark.parametrize("verdict", ["gt-wrong", "gt-illegible", "gt-missing-row", "gt-extra-row", "equivalent"])
def test_verdicts_on_the_ground_truth_change_no_figure(verdict: str):
    bench = Bench(one([GT], [READ]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), verdict, value="Anna Maria")
    assert bench.evaluation.pages == bench.evaluation.as_scored.pages
    assert len(bench.evaluation.binding.applied) == 1


def test_only_verdicts_of_people_apply_unless_said_otherwise():
    bench = Bench(one([GT], [READ]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different", kind="model")
    assert pairs(bench) == {0: (0, True)}
    assert bench.case("borderline", f"{READ} ~ {GT}").status == "open"
    applied = evaluate(bench.material, bench.decisions.applying({"human", "model"}))
    assert applied.pages["a/n/1", "1"].pairs == ()


def test_a_retracted_verdict_is_as_if_it_had_not_been_given():
    bench = Bench(one([GT], [READ]))
    bench.retract(bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different"))
    assert pairs(bench) == {0: (0, True)}
    assert bench.case("borderline", f"{READ} ~ {GT}").status == "open"


def test_the_greatest_id_of_a_verifier_wins():
    bench = Bench(one([GT], [READ]))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    bench.give(case, "different")
    bench.give(case, "same")
    assert pairs(bench) == {0: (0, True)}
    bench.entries.reverse()
    assert pairs(bench) == {0: (0, True)}


# Over runs


def test_a_verdict_on_a_reading_holds_in_every_run_and_may_be_narrowed_to_one():
    bench = Bench(material({"1": [GT]}, {f"a/n/{at}": {"1": [READ]} for at in (1, 2, 3)}))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    assert len(case.occurrences) == 3
    entry = bench.give(case, "different", run="a/n/2")
    assert (entry.scope, entry.run) == ("row", "a/n/2")
    assert [pairs(bench, f"a/n/{at}") for at in (1, 2, 3)] == [{0: (0, True)}, {}, {0: (0, True)}]
    grouped = bench.case("borderline", f"{READ} ~ {GT}", status="open")
    assert [one.run for one in grouped.occurrences] == ["a/n/1", "a/n/3"]
    assert [one.run for one in bench.case("borderline", f"{READ} ~ {GT}", status="decided").occurrences] == ["a/n/2"]
    bench.give(grouped, "different")
    assert [pairs(bench, f"a/n/{at}") for at in (1, 2, 3)] == [{}, {}, {}]


def test_a_row_judged_apart_is_no_longer_meant_by_the_reading():
    bench = Bench(material({"1": [GT]}, {f"a/n/{at}": {"1": [READ]} for at in (1, 2)}))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    assert pairs(bench, "a/n/2") == {}
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "unsure", run="a/n/2")
    assert pairs(bench, "a/n/1") == {}
    assert pairs(bench, "a/n/2") == {0: (0, True)}


def test_new_runs_are_covered_and_counted():
    bench = Bench(material({"1": [GT]}, {"a/n/1": {"1": [READ]}}))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    more = material({"1": [GT]}, {f"a/n/{at}": {"1": [READ]} for at in (1, 2, 3)})
    bench = bench.under(runs=more.runs)
    assert [pairs(bench, f"a/n/{at}") for at in (1, 2, 3)] == [{}, {}, {}]
    case = bench.case("borderline", f"{READ} ~ {GT}")
    assert (case.status, case.note) == ("decided", "2 new since the verdict")


def test_homonyms_are_told_apart_by_their_other_fields():
    gt = [{"name": "Johann Forst", "title": "Maurer"}, {"name": "Johann Forst", "title": "Weber"}]
    answer = [{"name": "Johann Forst", "title": "Weber"}, {"name": "Johann Forst", "title": "Maurer"}]
    bench = Bench(one(gt, answer))
    assert pairs(bench) == {0: (1, True), 1: (0, True)}
    assert bench.cases == ()
    bench = Bench(one(gt, [answer[0]]))
    missed = bench.case("unmatched", "Johann Forst")
    bench.give(missed, "same", "model:a/n/1:1:1")
    assert pairs(bench) == {0: (0, True)}
    # Another row with the same name and other fields is not meant; the one meant splits off, for its traveler has that row.
    both = with_answer(bench, [{"name": "Johann Forst", "title": "Maurer"}, answer[0]])
    assert pairs(both) == {0: (0, True), 1: (1, True)}
    assert [row for _, row in both.evaluation.binding.split_off("a/n/1", "1")] == [1]


# Of several rows


def test_of_several_rows_same_to_one_gt_row_the_tie_break_decides_and_the_others_are_duplicates():
    bench = Bench(one(["Anna Serri", "Zorzi"], ["Anna Sorra", "Anna Serra", "Zorzi"]))
    bench.say("gt:1:1", "same", "model:a/n/1:1:1")
    bench.say("gt:1:1", "same", "model:a/n/1:1:2")
    score = bench.evaluation.pages["a/n/1", "1"]
    assert pairs(bench) == {0: (1, True), 1: (2, True)}
    (left,) = score.surplus
    assert (left.row, left.label) == (0, "duplicate")
    assert left.suggestion is not None
    assert (left.suggestion.gt, left.suggestion.model, left.suggestion.similarity) == ((0,), 1, 0.8)
    case = bench.case("surplus", "Anna Sorra")
    assert (case.status, case.suggestion, case.targets) == ("open", "duplicate", ("model:a/n/1:1:2",))


def test_a_row_that_is_the_same_traveler_as_another_pairs_with_nobody_else():
    bench = Bench(one(["Anna Serri", "Zorzi"], ["Anna Sorra", "Anna Serra"]))
    assert len(pairs(bench)) == 2
    for row in (1, 2):
        bench.say("gt:1:1", "same", f"model:a/n/1:1:{row}")
    assert pairs(bench) == {0: (1, True)}
    assert bench.evaluation.pages["a/n/1", "1"].missed == (1,)


def test_one_row_that_one_verifier_gives_to_two_travelers_is_the_later():
    bench = Bench(one(["Anna Rosa", "Anna Rosi"], ["Anna Maria"]))
    case = bench.case("borderline", "Anna Maria ~ Anna Rosa")
    bench.give(case, "same", "gt:1:2")
    bench.give(case, "same", "gt:1:1")
    assert pairs(bench) == {0: (0, True)}
    bench.give(case, "same", "gt:1:2")
    assert pairs(bench) == {1: (0, True)}
    assert not bench.evaluation.binding.conflicts


# Labels


def test_labels_and_what_they_change():
    gt = ["Anna Serri", "Bruno Serri", "Carlo Bassa"]
    answer = ["Anna e Bruno Serri", "Carlo Bassa", "Karl Passa", "Carlo", "Anna Serrj", "Qqqq"]
    bench = Bench(one(gt, answer))
    automatic = bench.evaluation.cells[0].counts
    assert automatic.distinct_travelers == 6
    left = {case.title: case for case in bench.cases if case.queue == "surplus"}

    def label(title: str, verdict: str, *targets: str) -> int:
        found = [case for case in bench.cases if case.title.split(" ~ ")[0] == title]
        bench.give(min(found, key=lambda case: case.queue != "surplus"), verdict, *targets)
        return bench.evaluation.cells[0].counts.distinct_travelers

    assert set(left) <= set(answer)
    assert label("Anna e Bruno Serri", "merge", "gt:1:1", "gt:1:2") == 7
    assert label("Karl Passa", "duplicate", "model:a/n/1:1:2") == 6
    assert label("Carlo", "fragment", "gt:1:3") == 5
    assert label("Qqqq", "invention") == 5
    counts = bench.evaluation.cells[0].counts
    assert (counts.matched, counts.precision, counts.recall) == (automatic.matched, automatic.precision, automatic.recall)
    assert counts.settled >= 2


def test_a_label_on_a_matched_row_says_nothing_about_its_match():
    bench = Bench(one(["Anna Serri", "Bruno Serri"], ["Anna e Bruno Serri"]))
    case = bench.case("unmatched", "Anna e Bruno Serri")
    assert (case.suggestion, case.targets) == ("merge", ("gt:1:1", "gt:1:2"))
    before = bench.evaluation.cells[0].counts
    bench.give(case, "merge")
    after = bench.evaluation.cells[0].counts
    assert (after.matched, after.surplus, after.distinct_travelers) == (before.matched, before.surplus, before.distinct_travelers + 1)
    assert bench.case("unmatched", "Anna e Bruno Serri").status == "decided"


def test_a_matched_duplicate_still_counts():
    bench = Bench(one([GT, "Bruno"], [READ, "Bruno"]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "duplicate", "model:a/n/1:1:2")
    counts = bench.evaluation.cells[0].counts
    assert (counts.matched, counts.distinct_travelers) == (2, 2)
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    assert bench.evaluation.cells[0].counts.matched == 1


def test_different_and_a_label_hold_together():
    bench = Bench(one([GT, "Bruno"], [READ, "Bruno"]))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    bench.give(case, "different")
    assert bench.case("surplus", READ).status == "open"
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "duplicate", "model:a/n/1:1:2")
    score = bench.evaluation.pages["a/n/1", "1"]
    assert [(row.row, row.label) for row in score.surplus] == [(0, "duplicate")]
    assert score.counts is not None
    assert score.counts.distinct_travelers == 1
    assert {case.status for case in bench.cases if case.title in (READ, f"{READ} ~ {GT}")} == {"decided"}


def test_a_pointer_names_a_reading_and_a_run_without_it_splits_off():
    runs = {
        "a/n/1": {"1": ["Carlo Bassa", "Qqqq"]},
        "a/n/2": {"1": ["Qqqq", "Carlo Bassa"]},
        "a/n/3": {"1": ["Karl Bassa", "Qqqq"]},
    }
    bench = Bench(material({"1": ["Carlo Bassa"]}, runs))
    case = bench.case("surplus", "Qqqq")
    assert len(case.occurrences) == 3
    entry = bench.give(case, "duplicate", "model:a/n/1:1:1")
    labels = {run: [(row.label, row.decided_by) for row in bench.evaluation.pages[run, "1"].surplus] for run in runs}
    assert labels == {"a/n/1": [("duplicate", entry.id)], "a/n/2": [("duplicate", entry.id)], "a/n/3": [("invention", "")]}
    grouped = bench.case("surplus", "Qqqq", status="decided")
    assert [one.run for one in grouped.occurrences] == ["a/n/1", "a/n/2"]
    split = bench.case("surplus", "Qqqq", status="open")
    assert [one.run for one in split.occurrences] == ["a/n/3"]
    own = bench.give(split, "duplicate", "model:a/n/3:1:1")
    assert (own.scope, own.run) == ("row", "a/n/3")
    assert {case.status for case in bench.cases if case.title == "Qqqq"} == {"decided"}
    assert bench.evaluation.pages["a/n/3", "1"].surplus[0].decided_by == own.id


@pytest.mark.parametrize("verdict", ["duplicate", "fragment"])
def test_where_a_pointer_does_not_reach_another_verifier_is_free_to_judge(verdict: str):
    runs = {"a/n/1": {"1": ["Carlo Bassa", "Qqqq"]}, "a/n/3": {"1": ["Karl Bassa", "Qqqq"]}}
    bench = Bench(material({"1": ["Carlo Bassa"]}, runs))
    bench.give(bench.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:1")
    split = bench.case("surplus", "Qqqq", status="open")
    own = bench.give(split, verdict, "model:a/n/3:1:1" if verdict == "duplicate" else "gt:1:1", by="jb")
    assert {case.status for case in bench.cases if case.title == "Qqqq"} == {"decided"}
    assert bench.evaluation.pages["a/n/3", "1"].surplus[0].decided_by == own.id
    # Where it does reach, who says something else of a row alone is against it.
    reached = next(case for case in bench.cases if case.title == "Qqqq" and case.occurrences[0].run == "a/n/1")
    bench.give(reached, "invention", run="a/n/1", by="jb")
    assert [case.status for case in bench.cases if case.title == "Qqqq" and case.occurrences[0].run == "a/n/1"] == ["conflict"]


def test_a_matched_row_does_not_split_off():
    runs = {"a/n/1": {"1": ["Carlo Bassa", "Karlo Bassa"]}, "a/n/2": {"1": ["Karlo Bassa"]}}
    bench = Bench(material({"1": ["Carlo Bassa"]}, runs))
    bench.give(bench.case("surplus", "Karlo Bassa"), "duplicate")
    assert [case.status for case in bench.cases if case.title == "Karlo Bassa"] == ["decided"]


# Stale


def test_a_changed_gt_row_makes_a_verdict_stale_with_its_cause():
    bench = Bench(one([GT, "Bruno"], [READ, "Bruno"]))
    entry = bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    changed = with_gt(bench, ["Anna Rosina", "Bruno"])
    assert causes(changed) == [f"GT row gt:1:1 changed from {GT} to Anna Rosina"]
    assert pairs(changed)[0] == (0, True)
    case = next(case for case in changed.cases if case.status == "stale")
    assert (case.queue, case.verdicts, case.basis["entry"]) == ("stale", ("keep", "revisit"), entry)
    assert causes(with_gt(bench, ["Bruno"])) == [f"GT row gt:1:1 changed from {GT} to Bruno"]
    assert causes(with_gt(bench, [])) == [f"GT row gt:1:1 ({GT}) is gone"]
    assert causes(bench.under(pages=())) == ["the ground truth has no page 1"]


def test_a_moved_gt_row_is_still_the_row_that_was_judged():
    bench = Bench(one([GT, "Bruno"], [READ, "Bruno"]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    moved = with_gt(bench, ["Bruno", "Carlo", GT])
    assert causes(moved) == []
    assert 2 not in pairs(moved)


def test_other_fields_of_a_lone_name_may_change():
    bench = Bench(one([GT], [READ]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    assert causes(with_gt(bench, [{"name": GT, "title": "Contessa"}])) == []
    assert pairs(with_gt(bench, [{"name": GT, "title": "Contessa"}])) == {}


def test_the_distinguishing_fields_of_homonyms_may_not():
    gt: list[Given] = [{"name": GT, "title": "Contessa"}, {"name": GT, "title": "Badessa"}]
    bench = Bench(one(gt, [{"name": READ, "title": "Contessa"}]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    changed = with_gt(bench, [{"name": GT, "title": "Marchesa"}, {"name": GT, "title": "Badessa"}])
    told = "which tell it from its namesakes, have changed: title from Contessa to Marchesa"
    assert causes(changed) == [f"the other fields of GT row gt:1:1 ({GT}), {told}"]
    read = with_answer(bench, [{"name": READ, "title": "Marchesa"}])
    assert causes(read) == [f"the other fields of model row model:a/n/1:1:1 ({READ}), {told}"]
    emptied = with_gt(bench, [GT, {"name": GT, "title": "Badessa"}])
    assert causes(emptied)[0].endswith("have changed: title from Contessa to blank")


def test_a_namesake_that_comes_or_goes_makes_nothing_stale():
    bench = Bench(one([{"name": GT, "title": "Contessa"}], [{"name": READ, "title": "Contessa"}]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    twins = with_gt(bench, [{"name": GT, "title": "Badessa"}, {"name": GT, "title": "Contessa"}])
    assert causes(twins) == []
    assert 1 not in pairs(twins)
    assert any(case.status == "decided" and case.queue == "borderline" for case in twins.cases)
    two: list[Given] = [{"name": GT, "title": "Contessa"}, {"name": GT, "title": "Badessa"}]
    bench = Bench(one(two, [{"name": READ, "title": "Contessa"}]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    alone = with_gt(bench, two[:1])
    assert causes(alone) == []
    assert pairs(alone) == {}
    assert causes(with_gt(bench, two[1:])) != []


def test_a_reading_that_no_run_gives_any_more_is_stale():
    bench = Bench(material({"1": [GT]}, {f"a/n/{at}": {"1": [READ]} for at in (1, 2)}))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    assert causes(with_answer(bench, ["Anna Rosa"])) == []
    gone = with_answer(with_answer(bench, ["Anna Rosa"]), [], "a/n/2")
    assert causes(gone) == [f"model row model:a/n/1:1:1 changed from {READ} to Anna Rosa"]
    assert causes(with_answer(gone, [])) == [f"model row model:a/n/1:1:1 ({READ}) is gone"]
    assert causes(bench.under(runs=())) == [f"no run reads {READ} on this page any more"]


def test_a_pointer_that_changed_makes_a_label_stale():
    bench = Bench(one(["Carlo Bassa"], ["Carlo Bassa", "Qqqq"]))
    bench.give(bench.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:1")
    changed = with_answer(bench, ["Karl Bassa", "Qqqq"])
    assert causes(changed) == ["what it points to: model row model:a/n/1:1:1 changed from Carlo Bassa to Karl Bassa"]
    # The row itself is asked about again, under its old id, beside the stale verdict.
    ids = [case.id for case in changed.cases]
    assert len(ids) == len(set(ids))
    assert {case.status for case in changed.cases if case.page == "1" and "Qqqq" in case.title} == {"open", "stale"}
    bench = Bench(one(["Carlo Bassa"], ["Carlo Bassa", "Qqqq"]))
    bench.give(bench.case("surplus", "Qqqq"), "misread", "gt:1:1")
    assert causes(with_gt(bench, ["Carlo Passa"])) == ["GT row gt:1:1 changed from Carlo Bassa to Carlo Passa"]


def test_changed_rules_and_gate_make_nothing_stale_and_are_told():
    bench = Bench(one(["Anna Rosa"], ["Conte Anna Maria"]))
    case = next(case for case in bench.cases if case.queue == "unmatched")
    bench.give(case, "same", "model:a/n/1:1:1")
    ruled = bench.under(rules=rules(steps=TITLES))
    assert causes(ruled) == []
    assert pairs(ruled) == {0: (0, True)}
    found = [case for case in ruled.cases if case.status == "decided" and "other rules" in case.note]
    assert found
    assert found[0].note == "judged under other rules (changed since: rules)"
    strict = bench.under(settings=Settings(gate=0.9))
    assert any(case.note.endswith("(changed since: gate)") for case in strict.cases)
    renamed = bench.under(rules=rules(names=(("maria", "marina"),)))
    assert pairs(renamed) == {0: (0, True)}
    assert causes(renamed) == []


def test_rules_that_make_namesakes_make_nothing_stale():
    bench = Bench(one(["Zuanne Orsi", "Giovanni Orsi"], ["Zuan Orsati", "Giovanni Orsi"]))
    bench.say("gt:1:1", "different", "model:a/n/1:1:1")
    assert pairs(bench) == {1: (1, True)}
    ruled = bench.under(rules=rules(names=(("zuanne", "giovanni"),)))
    assert causes(ruled) == []
    assert pairs(ruled) == {0: (1, True), 1: (0, False)}


# Conflict


def test_verifiers_that_differ_are_in_conflict_until_a_ruling():
    bench = Bench(one([GT], [READ]))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    first = bench.give(case, "different", by="mp")
    second = bench.give(case, "same", by="jk")
    assert pairs(bench) == {0: (0, True)}
    found = bench.case("borderline", f"{READ} ~ {GT}")
    assert (found.status, found.note) == ("conflict", "mp: different, jk: same")
    assert found.basis["conflicting"] == (first.id, second.id)
    assert [standing.conflict for standing in bench.evaluation.binding.conflicts] == [True]
    bench.give(case, "different", by="chief", resolves=(first.id, second.id))
    assert pairs(bench) == {}
    assert bench.case("borderline", f"{READ} ~ {GT}").status == "decided"


def test_unsure_contradicts_nobody():
    bench = Bench(one([GT], [READ]))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    bench.give(case, "different", by="mp")
    bench.give(case, "unsure", by="jk")
    assert pairs(bench) == {}
    assert bench.case("borderline", f"{READ} ~ {GT}").status == "decided"


def test_pointers_are_compared_as_the_rows_they_mean():
    bench = Bench(material({"1": ["Carlo Bassa"]}, {f"a/n/{at}": {"1": ["Carlo Bassa", "Qqqq"]} for at in (1, 2)}))
    case = bench.case("surplus", "Qqqq")
    bench.give(case, "duplicate", "model:a/n/1:1:1", by="mp")
    bench.give(case, "duplicate", "model:a/n/2:1:1", by="jk")
    assert bench.case("surplus", "Qqqq").status == "decided"
    assert bench.evaluation.cells[0].counts.settled == 2


def test_a_row_moved_between_two_verdicts_is_one_row():
    bench = Bench(one([GT, "Bruno"], [READ, "Bruno"]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different", by="mp")
    bench = with_gt(bench, ["Bruno", GT])
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different", by="jk")
    assert not bench.evaluation.binding.conflicts
    assert 1 not in pairs(bench)


def two_claims(first: str = "mp", second: str = "jk") -> Bench:
    """One row `same` to two GT rows."""
    bench = Bench(one(["Anna Rosa", "Anna Rosi"], ["Anna Maria"]))
    case = bench.case("borderline", "Anna Maria ~ Anna Rosa")
    bench.give(case, "same", "gt:1:1", by=first)
    bench.give(case, "same", "gt:1:2", by=second)
    return bench


def test_one_row_cannot_be_two_travelers():
    bench = two_claims()
    assert [pair.decided_by for pair in bench.evaluation.pages["a/n/1", "1"].pairs] == [""]
    found = [case for case in bench.cases if case.status == "conflict"]
    assert [case.basis["conflicting"] for case in found] == [(nth(1), nth(2))] * 2
    bench.give(found[0], "same", "gt:1:2", by="chief", resolves=(nth(1), nth(2)))
    assert pairs(bench) == {1: (0, True)}
    assert not [case for case in bench.cases if case.status == "conflict"]
    assert not two_claims("mp", "mp").evaluation.binding.conflicts


def test_two_rows_of_a_run_cannot_be_one_traveler():
    def claims(second: str, runs: dict[str, dict[str, list[str]]]) -> Bench:
        bench = Bench(material({"1": ["Anna Serri", "Zorzi"]}, runs))
        bench.say("gt:1:1", "same", "model:a/n/1:1:1", by="mp")
        last = list(runs)[-1]
        bench.say("gt:1:1", "same", f"model:{last}:1:{2 if len(runs) == 1 else 1}", by=second)
        return bench

    both = {"a/n/1": {"1": ["Anna Sorri", "Anna Serra", "Zorzi"]}}
    assert len(claims("jk", both).evaluation.binding.conflicts) == 2
    assert not claims("mp", both).evaluation.binding.conflicts
    apart = {"a/n/1": {"1": ["Anna Sorri", "Zorzi"]}, "a/n/2": {"1": ["Anna Serra", "Zorzi"]}}
    assert not claims("jk", apart).evaluation.binding.conflicts


def test_two_labels_on_one_row_by_two_verifiers_are_a_conflict():
    runs = {"a/n/1": {"1": ["Anna e Bruno Serri", "Anna Serri"]}, "a/n/2": {"1": ["Anna e Bruno Serri"]}}
    bench = Bench(material({"1": ["Anna Serri", "Bruno Serri"]}, runs))
    asks = [case for case in bench.cases if case.title.startswith("Anna e Bruno Serri")]
    keys = {case.id: case for case in asks}
    assert len(keys) >= 2
    bench.give(asks[0], "merge", "gt:1:1", "gt:1:2", by="mp")
    bench.give(asks[1], "invention", by="jk")
    assert len(bench.evaluation.binding.conflicts) == 2
    assert bench.evaluation.pages == bench.evaluation.as_scored.pages


def test_a_verdict_on_one_row_and_one_on_the_reading_exclude_each_other_there_alone():
    bench = Bench(material({"1": ["Anna Rosa", "Anna Rosi"]}, {f"a/n/{at}": {"1": ["Anna Maria"]} for at in (1, 2)}))
    case = bench.case("borderline", "Anna Maria ~ Anna Rosa")
    bench.give(case, "same", "gt:1:2", by="mp")
    assert pairs(bench, "a/n/1") == pairs(bench, "a/n/2") == {1: (0, True)}
    bench.give(case, "same", "gt:1:1", by="jk", run="a/n/2")
    assert pairs(bench, "a/n/1") == {1: (0, True)}
    assert pairs(bench, "a/n/2") == {0: (0, True)}
    assert [score.decided_by for score in bench.evaluation.pages["a/n/2", "1"].pairs] == [""]
    (conflict,) = bench.evaluation.binding.conflicts
    assert {entry.verifier for entry in conflict.entries} == {"mp", "jk"}


def test_one_row_in_dispute_leaves_the_reading_alone():
    bench = Bench(material({"1": [GT]}, {f"a/n/{at}": {"1": [READ]} for at in (1, 2)}))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    bench.give(case, "different", by="mp", run="a/n/2")
    bench.give(bench.case("borderline", f"{READ} ~ {GT}", status="open"), "same", by="jk")
    assert pairs(bench, "a/n/1") == pairs(bench, "a/n/2") == {0: (0, True)}
    assert [score.decided_by for score in bench.evaluation.pages["a/n/2", "1"].pairs] == [""]
    assert [score.decided_by for score in bench.evaluation.pages["a/n/1", "1"].pairs] == [nth(2)]
    assert {case.status for case in bench.cases if case.queue == "borderline"} == {"decided", "conflict"}


def test_a_machines_ruling_settles_nothing_unless_machines_apply():
    bench = Bench(one([GT], [READ]))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    first, second = bench.give(case, "different"), bench.give(case, "same", by="jk")
    bench.give(case, "different", by="bot", kind="rule", resolves=(first.id, second.id))
    assert len(bench.evaluation.binding.conflicts) == 1
    assert evaluate(bench.material, bench.decisions.applying({"human", "rule"})).pages["a/n/1", "1"].pairs == ()


def test_verdicts_given_under_other_rules_meet_those_given_since():
    plain = Bench(one([GT, "Q"], ["Anna-Marina", "Q"]))
    first = plain.case("borderline", f"Anna-Marina ~ {GT}")
    plain.give(first, "different", by="mp")
    ruled = plain.under(rules=rules(names=(("anna-marina", "anna maria"),)))
    case = ruled.case("borderline", f"Anna-Marina ~ {GT}")
    assert case.id != first.id
    assert case.status == "decided"
    ruled.give(case, "same", by="jk")
    assert ruled.case("borderline", f"Anna-Marina ~ {GT}").status == "conflict"


def test_an_entry_without_a_page_is_stale_not_lost():
    bench = Bench(one([GT], [READ]))
    entry = bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    bench.entries = [changed(entry, basis={})]
    assert causes(bench) == ["the ground truth has no page None"]
    assert Decisions.of(bench.entries).standing


def test_entries_made_by_hand_are_bound_as_far_as_they_go():
    bench = Bench(one([GT], [READ]))
    judged = judge(bench.evaluation, bench.case("borderline", f"{READ} ~ {GT}"), "different")
    bench.entries = [entry_of(judged, 1)]
    assert pairs(bench) == {}


def test_a_ruling_on_one_row_settles_that_row_alone():
    bench = Bench(material({"1": [GT]}, {f"a/n/{at}": {"1": [READ]} for at in (1, 2)}))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    first, second = bench.give(case, "different", by="mp"), bench.give(case, "same", by="jk")
    assert pairs(bench, "a/n/1") == pairs(bench, "a/n/2") == {0: (0, True)}
    bench.give(case, "different", by="chief", run="a/n/2", resolves=(first.id, second.id))
    assert pairs(bench, "a/n/1") == {0: (0, True)}
    assert pairs(bench, "a/n/2") == {}
    assert sorted(case.status for case in bench.cases if case.queue == "borderline") == ["conflict", "decided"]


def test_a_ruling_names_earlier_verdicts_only():
    bench = Bench(one([GT], [READ]))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    bench.give(case, "different", by="chief", resolves=(nth(2),))
    bench.give(case, "same", by="jk")
    assert bench.case("borderline", f"{READ} ~ {GT}").status == "conflict"


def test_a_retracted_ruling_settles_nothing():
    bench = Bench(one([GT], [READ]))
    case = bench.case("borderline", f"{READ} ~ {GT}")
    first, second = bench.give(case, "different", by="mp"), bench.give(case, "same", by="jk")
    bench.retract(bench.give(case, "different", by="chief", resolves=(first.id, second.id)))
    assert bench.case("borderline", f"{READ} ~ {GT}").status == "conflict"
    # One who ruled and then speaks again has still settled what was said before.
    bench.give(case, "different", by="chief", resolves=(first.id, second.id))
    bench.give(case, "unsure", by="chief")
    found = bench.case("borderline", f"{READ} ~ {GT}")
    assert (found.status, pairs(bench)) == ("decided", {0: (0, True)})


def test_a_stale_verdict_that_a_ruling_names_is_laid_to_rest():
    bench = Bench(one([GT], [READ]))
    first = bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different", by="mp")
    now = with_gt(bench, ["Anna Rosi"])
    assert len(causes(now)) == 1
    now.give(now.case("borderline", f"{READ} ~ Anna Rosi"), "same", by="jk", resolves=(first.id,))
    assert causes(now) == []


def test_entries_shown_again_and_duplicates_of_lines_change_nothing():
    bench = Bench(one([GT], [READ]))
    entry = bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "different")
    bench.entries.append(changed(entry, id=nth(2), verdict="same", repeat=True))
    assert pairs(bench) == {}


def test_of_two_rows_that_read_alike_the_matched_one_is_the_one_repeated():
    bench = Bench(one(["Carlo Bassa"], ["Carlo Bassa", "Carlo Bassa"]))
    entry = bench.give(bench.case("surplus", "Carlo Bassa"), "duplicate")
    score = bench.evaluation.pages["a/n/1", "1"]
    assert pairs(bench) == {0: (0, True)}
    assert [(row, given.decided_by) for row, given in score.labels.items()] == [(1, entry.id)]
    assert [(row.row, row.decided_by) for row in score.surplus] == [(1, entry.id)]
    assert score.counts is not None
    assert (score.counts.distinct_travelers, score.counts.settled) == (1, 1)
    assert Bench(one([GT], [READ])).evaluation.pages["a/n/1", "1"].labels == {}


def line(verdict: str, targets: tuple[str, ...], basis: dict[str, object]) -> LogEntry:
    """A line as the method's page gives it, made by somebody else's program."""
    given = {"id": nth(1), "at": "2026-11-29T22:10:05.123Z", "verifier": "mp", "task": "tables", "case": "t-5f3a91c2"}
    return LogEntry(verdict=verdict, targets=targets, basis=basis, **given)  # type: ignore[arg-type]


def test_a_line_made_elsewhere_is_read_as_far_as_it_says_what_it_means():
    bench = Bench(one(["Anna Serri", "Bruno Serri"], ["Anna e Bruno Serri"]))
    page = bench.evaluation.prepared.pages["1"]
    held = {f"gt:1:{at + 1}": page.gt_hash(at) for at in (0, 1)}
    bench.entries = [line("merge", tuple(held), {"page": "1", "reading": "anna e bruno serri", "rows": held})]
    assert bench.evaluation.pages["a/n/1", "1"].labels[0].gt == (0, 1)
    bench.entries = [line("same", ("gt:1:1",), {"page": "1", "reading": "anna e bruno serri", "rows": {"gt:1:1": held["gt:1:1"]}})]
    assert pairs(bench) == {0: (0, True)}
    assert [case.status for case in bench.cases if case.title == "Anna e Bruno Serri ~ Anna Serri"] == ["decided"]
    bench.entries = [line("same", ("gt:1:1",), {"page": "1", "reading": "anna e bruno serri"})]
    assert causes(bench) == ["the log line does not say what gt:1:1 held"]
    bench.entries = [line("duplicate", ("model:a/n/1:1:1",), {"page": "1", "reading": "anna e bruno serri"})]
    assert causes(bench) == ["the log line does not say what model:a/n/1:1:1 read"]
    bench.entries = [line("gt-illegible", ("gt:1:1",), {"page": "1", "rows": {"gt:1:1": held["gt:1:1"]}})]
    assert (causes(bench), len(bench.evaluation.binding.applied)) == ([], 1)
    bench.entries = [line("different", ("gt:1:1",), {"page": "1", "reading": "nobody", "rows": {"gt:1:1": held["gt:1:1"]}})]
    assert causes(bench) == ["no run reads nobody on this page any more"]


def test_a_doubt_that_was_acted_on_is_no_stale_verdict():
    bench = Bench(one([GT, "Bruno"], [READ, "Bruno"]))
    bench.give(bench.case("borderline", f"{READ} ~ {GT}"), "gt-wrong", value="Anna Marta")
    assert causes(with_gt(bench, ["Anna Marta", "Bruno"])) == []
    assert causes(with_gt(bench, ["Anna Rita", "Bruno"])) == [f"GT row gt:1:1 changed from {GT} to Anna Rita"]
