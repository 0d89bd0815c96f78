"""The order of a queue, sorted in parts, is that of one sort."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from scoring.adjudication.cases import in_queue_order

ORDERS = st.tuples(st.integers(-3, 0), st.integers(0, 2), st.integers(0, 3), st.text("ab", max_size=3))
CASES = st.lists(st.builds(SimpleNamespace, leverage=st.sampled_from([0.0, 0.25, 0.5, 3.0]), order=ORDERS), max_size=60)


@given(CASES)
def test_in_parts_as_at_one_stroke(cases):
    whole = sorted(cases, key=lambda case: (-case.leverage, case.order))
    assert [id(case) for case in in_queue_order(cases)] == [id(case) for case in whole]
