"""Numbers in sentences: a similarity and the gate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.words import gate_text, similarity_text


@pytest.mark.parametrize(
    ("value", "gate", "digits", "text"),
    [
        (0.696, 0.70, 2, "0.69"),
        (0.6996, 0.70, 3, "0.699"),
        (0.7, 0.70, 2, "0.70"),
        (0.7000000001, 0.70, 3, "0.700"),
        (0.6999999999999999, 0.70, 3, "0.699"),
        (0.746, 0.70, 2, "0.75"),
        (0.6946, 0.695, 3, "0.694"),
        (0.696, 0.65, 2, "0.70"),
        (0.9996, 1.0, 3, "0.999"),
        (0.57, None, 2, "0.57"),
        (0.7368, None, 3, "0.736"),
        (1.0, None, 3, "1.000"),
        (0.0, 0.0, 3, "0.000"),
        (1e-07, None, 3, "0.000"),
    ],
)
def test_a_similarity_is_never_rounded_up_to_the_gate(value: float, gate: float | None, digits: int, text: str):
    assert similarity_text(value, gate, digits) == text


@given(st.floats(0, 1), st.floats(0, 1), st.integers(2, 4))
def test_what_is_below_the_gate_is_shown_below_it(value: float, gate: float, digits: int):
    assert value >= gate or float(similarity_text(value, gate, digits)) < gate
    assert abs(float(similarity_text(value, gate, digits)) - value) <= 10**-digits


@pytest.mark.parametrize(
    ("gate", "text"), [(0.7, "0.70"), (0.695, "0.695"), (1.0, "1.00"), (0.75, "0.75"), (0.12345, "0.12345"), (1e-05, "0.00001")]
)
def test_the_gate_is_shown_with_all_its_digits(gate: float, text: str):
    assert gate_text(gate) == text
