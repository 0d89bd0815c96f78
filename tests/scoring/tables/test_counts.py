"""The figures of the tables task, each against its definition; gates, spread over runs, readings of a row, intervals."""

from __future__ import annotations

from collections import Counter
from statistics import median, stdev

import numpy as np
import pytest

from scoring.tables.execution.evaluation import CellScore
from scoring.tables.execution.page_score import PageScore
from scoring.tables.figures.bootstrap import REPLICATES, SEED, intervals
from scoring.tables.figures.consistency import by_run, row_consistency, spreads
from scoring.tables.figures.gates import gate_curve
from scoring.tables.measures.counts import Counts, FieldCounts, share, total
from tests.scoring.reports import small


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory):
    return small.evaluation(small.write(tmp_path_factory.mktemp("w") / "w"))


def test_a_rate_without_a_whole_is_undefined():
    assert share(0, 0) is None
    assert Counts().precision is Counts().recall is Counts().f1 is Counts().name_cer is Counts().exact_share is None
    assert FieldCounts(0, 3).accuracy is None


def test_f1_is_zero_when_something_was_there_and_nothing_matched():
    assert Counts(gt_rows=3).f1 == 0.0
    assert Counts(model_rows=2).f1 == 0.0
    assert Counts(gt_rows=3).precision is None


def test_figures_by_hand():
    counts = Counts(gt_rows=4, model_rows=5, matched=3, edits=12, gt_characters=10, transcribed=4, exact_names=1)
    assert (counts.precision, counts.recall, counts.f1) == (3 / 5, 3 / 4, 2 * 3 / 9)
    assert counts.name_cer == 1.2
    assert counts.exact_share == 0.25


def test_counts_add_up():
    assert total([]) == Counts()
    one, other = Counts(gt_rows=1, invention=2, settled=1), Counts(gt_rows=4, merge=3)
    assert total([one, other]) == Counts(gt_rows=5, invention=2, merge=3, settled=1)


def test_the_books_balance(evaluation):
    for scored in (evaluation, evaluation.as_scored):
        for score in scored.pages.values():
            c = score.counts
            if c is not None:
                assert c.model_rows == c.matched + c.below_gate + c.surplus
                assert c.gt_rows == c.matched + c.below_gate + c.missed
                nameless = sum(row.label is None for row in score.surplus)
                assert c.duplicate + c.merge + c.fragment + c.misread + c.invention == c.surplus - nameless


def test_every_gate_is_what_pairing_at_that_gate_gives(evaluation):
    automatic = evaluation.as_scored
    curve = gate_curve(automatic.pages.values())
    assert [point.gate for point in curve[:3]] == [0.0, 0.01, 0.02]
    assert len(curve) == 101
    for at in (0, 30, 55, 70, 80, 100):
        matched = 0
        for score in automatic.pages.values():
            if score.counts is None:
                continue
            gt, answer = automatic.prepared.pages[score.page], automatic.prepared.run_page(score.run, score.page)
            rows = answer.page.rows
            matched += len(
                gt.pairer.pair(answer.models, floor=curve[at].gate, agreement=lambda g, m, gt=gt, rows=rows: gt.agreement(rows, g, m))
            )
        assert curve[at].matched == matched
    pooled = total(score.counts for score in automatic.pages.values() if score.counts is not None)
    assert (curve[70].precision, curve[70].recall, curve[70].f1) == (pooled.precision, pooled.recall, pooled.f1)


def test_what_is_settled_same_matches_at_every_gate(evaluation):
    settled = sum(bool(pair.decided_by) for score in evaluation.pages.values() for pair in score.pairs)
    assert settled
    exact = sum(
        pair.similarity.value == 1.0 and not pair.decided_by
        for score in evaluation.pages.values()
        for pair in score.pairs
        if score.counts is not None
    )
    assert gate_curve(evaluation.pages.values())[100].matched == settled + exact


def test_spread_over_runs(evaluation):
    for cell in evaluation.as_scored.cells:
        figures = {run: counts.f1 for run, counts in by_run(cell).items() if counts.f1 is not None}
        found = {one.figure: one for one in spreads(cell)}["f1"]
        values = list(figures.values())
        assert (found.runs, found.least, found.median, found.greatest) == (len(values), min(values), median(values), max(values))
        assert found.deviation == (stdev(values) if len(values) > 1 else None)


def test_one_run_has_no_deviation():
    cell = CellScore("m", "p", (PageScore("m/p/r", "1", "ok", Counts(gt_rows=1, model_rows=1, matched=1)),), 1)
    assert {one.deviation for one in spreads(cell)} == {None}
    assert spreads(CellScore("m", "p", (PageScore("m/p/r", "1", "failed"),), 1)) == ()


def test_readings_of_each_row(evaluation):
    found = {(one.model, one.page, one.gt): one for one in row_consistency(evaluation.as_scored)}
    one = found["alfa", "28", 0]
    assert one.runs == 3
    assert one.readings == (("barone bassa", 1), ("bassa", 1), ("il barone bassa", 1))
    # The failed page of beta is no run in which anything could be found.
    assert found["beta <i>", "36", 0].runs == 1
    matched = Counter()
    for score in evaluation.as_scored.pages.values():
        matched.update((score.page, pair.gt) for pair in score.pairs if pair.matched)
    summed = Counter()
    for (_, page, gt), one in found.items():
        summed[page, gt] += one.found
    assert +summed == matched


def test_intervals_are_those_of_drawing_pages_and_runs(evaluation):
    cell = next(cell for cell in evaluation.as_scored.cells if cell.model == "alfa")
    runs, pages = sorted({score.run for score in cell.scored}), ["28", "36"]
    counts = {(score.run, score.page): score.counts for score in cell.scored}
    draws = np.random.Generator(np.random.PCG64(SEED))
    drawn_runs, drawn_pages = draws.integers(0, len(runs), (REPLICATES, len(runs))), draws.integers(0, len(pages), (REPLICATES, len(pages)))
    values = [
        total(counts[runs[run], pages[page]] for run in of_runs for page in of_pages).f1
        for of_runs, of_pages in zip(drawn_runs, drawn_pages, strict=True)
    ]
    found = intervals(cell)["f1"]
    assert [found.low, found.high] == pytest.approx(np.quantile(values, [0.025, 0.975]).tolist())
    assert found.low <= cell.counts.f1 <= found.high
    assert intervals(cell) == intervals(cell)


def test_no_page_no_interval():
    found = intervals(CellScore("m", "p", (PageScore("m/p/r", "1", "failed"),), 1))
    assert all(one.low is None and one.high is None for one in found.values())
