from __future__ import annotations

import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.foundations.assignment import optimal_assignment, ordered_alignment


def test_optimal_takes_the_larger_total():
    assert optimal_assignment([[0.9, 0.8], [0.8, 0.1]]) == [(0, 1), (1, 0)]
    assert optimal_assignment([[0.0, 0.0, 1.0]]) == [(0, 2)]


def test_ordered_crosses_nothing():
    assert ordered_alignment([[0.0, 1.0], [0.9, 0.0]]) == [(0, 1)]
    assert ordered_alignment([[0.5, 1.0], [0.9, 0.6]]) == [(0, 0), (1, 1)]


def test_ordered_never_pairs_for_nothing():
    assert ordered_alignment([[0.0, 0.0], [0.0, 0.0]]) == []
    assert ordered_alignment([[-1.0]]) == []


def test_of_equal_rows_and_columns_the_earliest_are_matched():
    assert ordered_alignment([[1.0], [1.0], [1.0]]) == [(0, 0)]
    assert ordered_alignment([[1.0, 1.0, 1.0]]) == [(0, 0)]
    assert ordered_alignment([[1.0, 1.0]] * 3) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("empty", [[], [[]], [[], []], np.zeros((0, 3)), np.zeros((3, 0))])
@pytest.mark.parametrize("match", [optimal_assignment, ordered_alignment])
def test_nothing_to_match(match, empty):
    assert match(empty) == []


@pytest.mark.parametrize("match", [optimal_assignment, ordered_alignment])
@pytest.mark.parametrize("wrong", [[[math.nan]], [[math.inf]], [0.5, 0.6], [[1.0], [1.0, 2.0]]])
def test_what_is_no_matrix_of_numbers_is_refused(match, wrong):
    with pytest.raises(ValueError, match=r".+"):
        match(wrong)


# Quarters: their sums are exact, so that totals can be compared exactly.
MATRICES = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.lists(st.integers(0, 4).map(lambda n: n / 4), min_size=columns, max_size=columns), min_size=1, max_size=4)
)


@given(MATRICES)
def test_both_equal_trying_everything(matrix):
    rows, columns = len(matrix), len(matrix[0])
    free = ordered = 0.0
    for count in range(min(rows, columns) + 1):
        for left in combinations(range(rows), count):
            for right in permutations(range(columns), count):
                total = sum(matrix[row][column] for row, column in zip(left, right, strict=True))
                free = max(free, total)
                if list(right) == sorted(right):
                    ordered = max(ordered, total)
    assigned, aligned = optimal_assignment(matrix), ordered_alignment(matrix)
    assert sum(matrix[row][column] for row, column in assigned) == free
    assert sum(matrix[row][column] for row, column in aligned) == ordered
    assert len(assigned) == min(rows, columns)
    assert len({row for row, _ in assigned}) == len({column for _, column in assigned}) == len(assigned)
    assert all(matrix[row][column] > 0 for row, column in aligned)
    assert aligned == sorted(aligned)
    assert [column for _, column in aligned] == sorted({column for _, column in aligned})
