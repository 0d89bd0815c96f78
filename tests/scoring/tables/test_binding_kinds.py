"""Statements of different kinds on one case hold side by side, whatever their order (`docs/adjudication.md#kinds`)."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.adjudication.decisions import Decisions
from scoring.adjudication.verdict_kinds import KINDS, kind_of
from scoring.tables.cases.queues import VERDICTS
from tests.scoring.tables.builders import Bench, material, nth, one
from tests.scoring.tables.test_binding import pairs

# 0.667: below the gate, so that `same` shows.
GT, READ = "Salamon Cormos", "Salmo Kormann"
CASE = ("borderline", f"{READ} ~ {GT}")
# 0.737: at the gate.
NEAR = ("borderline", "Anna Maria ~ Anna Rosa")


def below() -> Bench:
    return Bench(one([GT, "Zorzi"], [READ, "Zorzi"]))


def above() -> Bench:
    return Bench(one(["Anna Rosa", "Bruno"], ["Anna Maria", "Bruno"]))


def said(bench: Bench) -> object:
    """What holds, apart from which entry says it."""
    score = bench.evaluation.pages["a/n/1", "1"]
    return (
        score.counts,
        [(pair.gt, pair.model, pair.matched) for pair in score.pairs],
        [(row.row, row.label, bool(row.decided_by)) for row in score.surplus],
        sorted((case.id, case.status) for case in bench.cases),
    )


@pytest.mark.parametrize("verdict", ["gt-wrong", "gt-illegible", "gt-missing-row", "gt-extra-row", "equivalent", "misread", "invention"])
def test_what_is_said_besides_withdraws_no_match(verdict: str):
    bench = below()
    bench.give(bench.case(*CASE), "same")
    assert bench.evaluation.cells[0].counts.f1 == 1.0
    bench.give(bench.case(*CASE), verdict, value="X")
    assert bench.evaluation.cells[0].counts.f1 == 1.0
    assert bench.case(*CASE).status == "decided"


@pytest.mark.parametrize("verdict", ["gt-wrong", "equivalent", "misread"])
def test_what_a_colleague_says_besides_is_no_conflict(verdict: str):
    for order in ((0, 1), (1, 0)):
        bench = below()
        acts = [("same", "mp"), (verdict, "xy")]
        for at in order:
            bench.give(bench.case(*CASE), acts[at][0], by=acts[at][1], value="X")
        assert not bench.evaluation.binding.conflicts
        assert not bench.decisions.conflicts
        assert bench.evaluation.cells[0].counts.matched == 2
        assert bench.case(*CASE).status == "decided"


def test_unsure_withdraws_the_match_and_nothing_else():
    bench = above()
    bench.give(bench.case(*NEAR), "different")
    bench.give(bench.case(*NEAR), "invention")
    bench.give(bench.case(*NEAR), "unsure")
    score = bench.evaluation.pages["a/n/1", "1"]
    assert pairs(bench)[0] == (0, True)
    assert score.bound.labels[0].label == "invention"


def test_unsure_of_what_a_row_is_withdraws_its_label():
    bench = Bench(one(["Zorzi"], ["Zorzi", "Qqqq"]))
    bench.give(bench.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:1")
    assert bench.evaluation.cells[0].counts.distinct_travelers == 1
    bench.give(bench.case("surplus", "Qqqq"), "unsure")
    assert bench.evaluation.cells[0].counts.distinct_travelers == 2
    assert bench.case("surplus", "Qqqq").status == "decided"


def test_different_and_a_label_in_either_order():
    found = []
    for order in permutations(("different", "invention")):
        bench = above()
        for verdict in order:
            bench.give(bench.case(*NEAR), verdict)
        assert [(row.row, row.label) for row in bench.evaluation.pages["a/n/1", "1"].surplus] == [(0, "invention")]
        found.append(said(bench))
    assert found[0] == found[1]


def test_a_label_alone_says_nothing_about_the_match():
    bench = above()
    bench.give(bench.case(*NEAR), "invention")
    assert pairs(bench)[0] == (0, True)
    # The matched row is nobody's surplus, so nothing more is asked about it.
    assert [case.queue for case in bench.cases if case.title == "Anna Maria"] == []


def test_labels_on_the_pair_and_on_the_row_are_about_one_row():
    bench = above()
    bench.give(bench.case(*NEAR), "different")
    bench.give(bench.case(*NEAR), "invention", by="mp")
    bench.give(bench.case("surplus", "Anna Maria"), "misread", "gt:1:1", by="xy")
    assert {case.status for case in bench.cases if "Anna Maria" in case.title} == {"conflict"}
    found = bench.case("surplus", "Anna Maria")
    assert found.basis["conflicting"] == (nth(2), nth(3))
    assert found.note == "mp: invention, xy: misread"
    # The match is in no dispute, so it is applied.
    assert 0 not in pairs(bench)
    bench.give(found, "misread", "gt:1:1", by="chief", resolves=(nth(2), nth(3)))
    assert bench.evaluation.pages["a/n/1", "1"].surplus[0].label == "misread"
    assert not bench.evaluation.binding.conflicts


def test_the_later_of_two_labels_of_one_verifier_holds_wherever_they_were_given():
    bench = above()
    bench.give(bench.case(*NEAR), "different")
    bench.give(bench.case("surplus", "Anna Maria"), "misread", "gt:1:1")
    bench.give(bench.case(*NEAR), "invention")
    assert bench.evaluation.pages["a/n/1", "1"].surplus[0].label == "invention"
    assert bench.case("surplus", "Anna Maria").status == "decided"


def test_doubts_of_two_verifiers_that_differ_are_a_conflict_that_leaves_the_match_alone():
    bench = below()
    bench.give(bench.case(*CASE), "same", by="mp")
    bench.give(bench.case(*CASE), "gt-wrong", value="Salmo Cormann", by="mp")
    bench.give(bench.case(*CASE), "gt-wrong", value="Salmo Kormann", by="xy")
    assert bench.evaluation.cells[0].counts.matched == 2
    found = bench.case(*CASE)
    said = "mp: gt-wrong -> GT 1 “Salmo Cormann”, xy: gt-wrong -> GT 1 “Salmo Kormann”"
    assert (found.status, found.basis["conflicting"], found.note) == ("conflict", (nth(2), nth(3)), said)
    assert len(bench.decisions.conflicts) == 1


def test_a_label_narrowed_to_one_row_leaves_the_match_of_the_reading_there():
    runs = {f"a/n/{at}": {"1": [READ]} for at in (1, 2)}
    bench = Bench(material({"1": [GT]}, runs))
    bench.give(bench.case(*CASE), "same")
    bench.give(bench.case(*CASE), "misread", run="a/n/2")
    assert [bench.evaluation.pages[run, "1"].counts.matched for run in runs] == [1, 1]


def test_a_log_in_which_the_label_was_said_of_the_row_means_the_same():
    bench = above()
    bench.give(bench.case(*NEAR), "different")
    bench.give(bench.case(*NEAR), "invention")
    before = said(bench)
    label = bench.entries.pop()
    bench.give(bench.case("surplus", "Anna Maria"), "invention")
    assert bench.entries[-1].case != label.case
    assert said(bench) == before


def test_every_verdict_of_the_task_has_a_kind():
    bench = below()
    kinds = {}
    for at, verdict in enumerate(VERDICTS, 1):
        pointers = {"duplicate": ("model:a/n/1:1:2",), "merge": ("gt:1:1", "gt:1:2"), "invention": ()}
        entry = bench.give(bench.case(*CASE), verdict, *pointers.get(verdict, ("gt:1:1",)), value="X")
        assert entry.id == nth(at)
        kinds[verdict] = kind_of(entry)
    assert set(kinds.values()) == set(KINDS)
    assert [verdict for verdict in VERDICTS if kinds[verdict] == "match"] == ["same", "different", "unsure"]
    other = Decisions.of([entry_of_task("questions", verdict, at) for at, verdict in enumerate(("equivalent", "gt-wrong"), 1)])
    assert [stands.entry.verdict for stands in other.standing.values()] == ["gt-wrong"]


def entry_of_task(task: str, verdict: str, number: int):
    from msgspec.structs import replace

    bench = below()
    entry = bench.give(bench.case(*CASE), "same")
    return replace(entry, id=nth(number), task=task, verdict=verdict)


_ACTS = [
    ("same", ()),
    ("different", ()),
    ("misread", ("gt:1:1",)),
    ("invention", ()),
    ("gt-wrong", ()),
    ("gt-extra-row", ()),
    ("equivalent", ()),
]
_KIND = {"same": 0, "different": 0, "misread": 1, "invention": 1, "gt-wrong": 2, "gt-extra-row": 2, "equivalent": 3}


@st.composite
def side_by_side(draw: st.DrawFn) -> tuple[list[tuple[str, str, tuple[str, ...]]], list[int]]:
    """What one or two verifiers say of one case, one statement of a kind each, and another order of it."""
    acts = [
        (who, verdict, targets)
        for who in ("mp", "xy")
        for kind in draw(st.sets(st.integers(0, 3)))
        for verdict, targets in [draw(st.sampled_from([act for act in _ACTS if _KIND[act[0]] == kind]))]
    ]
    return acts, draw(st.permutations(range(len(acts))))


@given(side_by_side(), st.sampled_from([below, above]))
@settings(max_examples=60, deadline=None)
def test_a_set_of_statements_means_the_same_in_any_order(drawn, made):
    acts, order = drawn
    found = []
    for ordered in (range(len(acts)), order):
        bench = made()
        for at in ordered:
            who, verdict, targets = acts[at]
            case = next(case for case in bench.cases if case.queue == "borderline")
            bench.give(case, verdict, *targets, by=who, value="X")
        found.append(said(bench))
        # However the lines lie in the files.
        bench.entries.reverse()
        assert said(bench) == found[-1]
    assert found[0] == found[1]
