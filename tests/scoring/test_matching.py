"""Best matching of two lists of entries."""

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.matching import EntryPair, best_pairs, list_f1, total_accuracy

SWAPPED = [[0.0, 1.0], [1.0, 0.25]]


def test_the_best_matching_is_blind_to_order_unless_order_is_kept():
    assert best_pairs(SWAPPED) == (EntryPair(0, 1, 1.0), EntryPair(1, 0, 1.0))
    assert best_pairs(SWAPPED, in_order=True) == (EntryPair(0, 1, 1.0),)


def test_a_pair_of_accuracy_nought_is_no_match():
    assert best_pairs([[0.0]]) == ()
    assert best_pairs([]) == best_pairs([[], []]) == ()


@pytest.mark.parametrize(("total", "gt", "model", "f1"), [(2.0, 3, 3, 2 / 3), (2.0, 3, 2, 0.8), (0.0, 0, 0, 1.0), (0.0, 2, 0, 0.0)])
def test_f1(total: float, gt: int, model: int, f1: float):
    assert list_f1(total, gt, model) == pytest.approx(f1)


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_no_permutation_is_better(matrix: list[list[float]]):
    best = max(math.fsum(matrix[row][column] for row, column in enumerate(order)) for order in permutations(range(len(matrix))))
    assert total_accuracy(best_pairs(matrix)) == pytest.approx(best)
    assert total_accuracy(best_pairs(matrix, in_order=True)) <= best + 1e-9
