"""The band is what real verdicts would give: every open case said `different`, then every one `same`, through the log's own reading."""

from __future__ import annotations

import json
from itertools import count

import pytest

from scoring.adjudication.decisions import Decisions
from scoring.tables.cases.f1_band import band, bands, undecided_pairs
from scoring.tables.cases.queues import cases
from scoring.tables.execution.evaluation import evaluate
from scoring.tables.inputs.material import load
from scoring.workspace.layout import open_workspace
from tests.scoring.reports import small
from tests.scoring.tables.builders import Bench, one

# An id is one verdict: no two tests of one evaluation may share any.
NUMBERS = count(1000)


@pytest.fixture
def root(tmp_path):
    return small.write(tmp_path / "w")


def open_borderline(evaluation):
    return [case for case in cases(evaluation) if case.queue == "borderline" and case.status == "open"]


def answered(evaluation, verdict):
    """The evaluation with a verdict on every open borderline case, nearest pair last, as the log would hold them."""
    entries = list(evaluation.decisions.entries)
    for case in sorted(open_borderline(evaluation), key=lambda case: case.basis["similarity"]):
        entries.append(small.said(evaluation, next(NUMBERS), case, verdict))
    return evaluate(evaluation.material, Decisions.of(entries), automatic=evaluation.as_scored)


def f1(evaluation):
    return {(cell.model, cell.phase): cell.counts.f1 for cell in evaluation.cells}


def test_the_undecided_are_the_open_borderline_cases(root):
    evaluation = small.evaluation(root)
    found = {key.id for keys in undecided_pairs(evaluation).values() for key in keys}
    assert found == {case.id for case in open_borderline(evaluation)}
    assert found


@pytest.mark.parametrize("make", [small.automatic, small.evaluation])
def test_low_and_high_are_what_the_verdicts_give(root, make):
    evaluation = make(root)
    different, same = f1(answered(evaluation, "different")), f1(answered(evaluation, "same"))
    assert band(evaluation) == {cell: tuple(sorted((different[cell], same[cell]))) for cell in different}
    assert any(low < high for low, high in band(evaluation).values())


def test_bands_of_pages_add_up_to_those_of_cells(root):
    evaluation = small.evaluation(root)
    found = bands(evaluation)
    for cell in evaluation.cells:
        rows = sum(score.counts.gt_rows + score.counts.model_rows for score in cell.scored)
        for at in (0, 1):
            pooled = sum(found.pages[score.run, score.page][at] * (score.counts.gt_rows + score.counts.model_rows) for score in cell.scored)
            assert pooled / rows == pytest.approx(found.cells[cell.model, cell.phase][at])


def test_with_every_case_decided_the_band_is_the_figure(root):
    evaluation = answered(small.automatic(root), "different")
    for _ in range(10):
        evaluation = answered(evaluation, "different")
    assert band(evaluation) == {cell: (value, value) for cell, value in f1(evaluation).items()}
    assert bands(evaluation).undecided == {}


def test_a_verdict_gone_stale_opens_the_band_again(tmp_path):
    (tmp_path / "gt").mkdir()
    (tmp_path / "runs/m/p").mkdir(parents=True)
    gt = tmp_path / "gt/gt_page_1.csv"
    gt.write_text("name\nAnna Maria Serri\n")
    answer = {"pages": {"1": {"status": "ok", "travelers": [{"name": "Anna Mxxxx Serri"}]}}}
    (tmp_path / "runs/m/p/run_01.json").write_text(json.dumps(answer))
    before = evaluate(load(open_workspace(tmp_path)))
    (case,) = open_borderline(before)
    entry = small.said(before, 1, case, "different")
    decided = evaluate(before.material, Decisions.of([entry]), automatic=before)
    assert band(decided) == {("m", "p"): (0.0, 0.0)}
    # The GT name is corrected to something far off: no borderline pair any more, yet the case is not settled.
    gt.write_text("name\nOrsola Quarin\n")
    changed = evaluate(load(open_workspace(tmp_path)))
    stale = evaluate(changed.material, Decisions.of([entry]), automatic=changed)
    assert len(stale.binding.stale) == 1
    assert not open_borderline(stale)
    assert band(stale) == {("m", "p"): (0.0, 1.0)}


def test_nothing_scored_has_no_band(tmp_path):
    (tmp_path / "gt").mkdir()
    (tmp_path / "runs/m/p").mkdir(parents=True)
    (tmp_path / "gt/gt_page_1.csv").write_text("name\nAnna\n")
    (tmp_path / "runs/m/p/run_01.json").write_text('{"pages": {"1": {"status": "failed", "error": "x"}}}')
    assert band(evaluate(load(open_workspace(tmp_path)))) == {("m", "p"): (None, None)}


def test_unsure_leaves_a_case_decided(root):
    evaluation = small.automatic(root)
    first = open_borderline(evaluation)[0]
    entry = small.said(evaluation, 1, first, "unsure")
    decided = evaluate(evaluation.material, Decisions.of([entry]), automatic=evaluation)
    before, after = undecided_pairs(evaluation), undecided_pairs(decided)
    assert sum(map(len, before.values())) == sum(map(len, after.values())) + 1


@pytest.mark.parametrize("verdict", ["gt-wrong", "gt-illegible", "equivalent", "misread"])
@pytest.mark.parametrize("run", [None, "a/n/1"])
def test_what_is_said_beside_the_question_leaves_the_band_as_it_was(verdict, run):
    bench = Bench(one(["Salamon Cormos", "Zorzi"], ["Salmo Kormann", "Zorzi"]))
    case = bench.case("borderline", "Salmo Kormann ~ Salamon Cormos")
    assert band(bench.evaluation) == {("a", "n"): (0.5, 1.0)}
    bench.give(case, verdict, value="X", run=run)
    assert band(bench.evaluation) == {("a", "n"): (0.5, 1.0)}
    bench.give(bench.case("borderline", case.title), "different")
    assert band(bench.evaluation) == {("a", "n"): (0.5, 0.5)}


def test_a_row_decided_for_itself_keeps_its_verdict(tmp_path):
    """Two runs read alike; a verdict narrowed to one of them leaves the other's row open, and stands whatever the rest is taken for."""
    (tmp_path / "gt").mkdir()
    (tmp_path / "runs/m/p").mkdir(parents=True)
    (tmp_path / "gt/gt_page_1.csv").write_text("name\nAnna Maria Serri\n")
    for run in ("run_01", "run_02"):
        answer = {"pages": {"1": {"status": "ok", "travelers": [{"name": "Anna Mxxxx Serri"}]}}}
        (tmp_path / f"runs/m/p/{run}.json").write_text(json.dumps(answer))
    automatic = evaluate(load(open_workspace(tmp_path)))
    (case,) = open_borderline(automatic)
    for verdict, expected in (("different", (0.0, 0.5)), ("unsure", (0.5, 1.0))):
        entry = small.said(automatic, next(NUMBERS), case, verdict, run="m/p/run_01")
        decided = evaluate(automatic.material, Decisions.of([entry]), automatic=automatic)
        assert len(open_borderline(decided)) == 1
        different, same = (f1(answered(decided, one))["m", "p"] for one in ("different", "same"))
        assert band(decided) == {("m", "p"): expected} == {("m", "p"): (different, same)}
