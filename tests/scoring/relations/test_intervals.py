import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from scoring.relations.measures.bootstrap import Resamples, comparisons, holm, interval
from scoring.relations.measures.evaluation import aligned_runs, score_campaign
from tests.scoring.relations.builders import GOLD, labelled, material


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_the_librarys(values):
    assert np.allclose(holm(values), multipletests(values, method="holm")[1])


def runs(tmp_path):
    held = material(tmp_path, GOLD, {"team1_run1": GOLD, "team2_run1": [labelled(GOLD[0], at={0: "FALSE", 2: "FALSE"}), GOLD[1]]})
    return score_campaign(held, aligned_runs(held)).runs


def test_draws_are_the_same_every_time_and_their_scores_lie_between_nought_and_one(tmp_path):
    perfect, worse = runs(tmp_path)
    stem = perfect.reference.stem
    first, again = Resamples({stem: 2}, 500, 7), Resamples({stem: 2}, 500, 7)
    assert np.array_equal(first.scores(stem, worse.ours), again.scores(stem, worse.ours))
    assert not np.array_equal(first.scores(stem, worse.ours), Resamples({stem: 2}, 500, 8).scores(stem, worse.ours))
    assert interval(first.scores(stem, perfect.ours)).low == 1.0
    sure = interval(first.scores(stem, worse.ours))
    assert 0 <= sure.low <= float(worse.ours.score) <= sure.high <= 1


def test_a_draw_of_all_documents_once_is_the_score(tmp_path):
    worse = runs(tmp_path)[1]
    stem = worse.reference.stem
    made = Resamples({stem: 2}, 300, 1)
    draws = made.draws(stem)
    once = np.flatnonzero((draws == 1).all(axis=1))
    assert len(once)
    assert np.allclose(made.scores(stem, worse.ours)[once], float(worse.ours.score))


def test_equal_runs_do_not_differ_and_clearly_different_ones_do():
    random = np.random.default_rng(1)
    high, low = random.normal(0.8, 0.01, 2000), random.normal(0.5, 0.01, 2000)
    first, same, lower = comparisons([high, high.copy(), low], [None, 0.0, 0.3])
    assert first is None
    assert same.p == 1.0
    assert not same.differs
    assert lower.differs
    assert lower.interval.low > 0.2
