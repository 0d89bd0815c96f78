"""One-to-one matching of rows and columns by a matrix of similarities: the best in all, and the best in order.

Generic: knows no task. Both answers are fully determined by the matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64] | Sequence[Sequence[float]]


def optimal_assignment(matrix: Matrix) -> list[tuple[int, int]]:
    """The one-to-one matching with the largest total similarity, blind to order.

    Args:
        matrix: rows x columns of finite similarities; need not be square, may be empty.

    Returns:
        min(rows, columns) pairs (row, column) by row, those of similarity 0 among them: what counts as a match is the
        caller's to say. Of several optima, the one that `scipy.optimize.linear_sum_assignment` finds; it draws no lots.

    Raises:
        ValueError: the matrix is not rectangular or holds something that is not a finite number.
    """
    values = _checked(matrix)
    if not values.size:
        return []
    # A third of a second to import, and only this function needs it.
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(values, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def ordered_alignment(matrix: Matrix) -> list[tuple[int, int]]:
    """The matching with the largest total similarity in which later rows take later columns; a gap costs nothing.

    Args:
        matrix: rows x columns of finite similarities. What is not to be matched must be 0 in it.

    Returns:
        Pairs (row, column), both rising; only similarities above 0 are ever paired. Of several optima: traced back from
        the end, a row is left out where nothing is lost by it, else a column, so that of equal rows the earliest is
        matched, and of equal columns the earliest.

    Raises:
        ValueError: the matrix is not rectangular or holds something that is not a finite number.
    """
    values = _checked(matrix)
    rows, columns = values.shape
    totals = np.zeros((rows + 1, columns + 1))
    for row in range(rows):
        above, here = totals[row], totals[row + 1]
        np.maximum(above[1:], above[:-1] + values[row], out=here[1:])
        np.maximum.accumulate(here, out=here)
    pairs: list[tuple[int, int]] = []
    row, column = rows, columns
    while row and column:
        total = totals[row, column]
        if total == totals[row - 1, column]:
            row -= 1
        elif total == totals[row, column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    pairs.reverse()
    return pairs


def _checked(matrix: Any) -> NDArray[np.float64]:
    values = np.asarray(matrix, dtype=np.float64)
    if values.size == 0:
        return values.reshape(values.shape[0] if values.ndim else 0, 0)
    if values.ndim != 2:
        raise ValueError(f"similarities must be rows and columns, not {values.ndim}-dimensional")
    if not np.isfinite(values).all():
        raise ValueError("a similarity is not a finite number")
    return values
