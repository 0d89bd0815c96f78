from __future__ import annotations

from itertools import combinations, permutations
from math import fsum

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.tables.matching.other_assignments import optimal, order_preserving
from scoring.tables.matching.pairing import ModelName, PagePairer
from scoring.tables.matching.readings import Reading
from tests.scoring.tables import naive


def models(*texts):
    return [ModelName((Reading(text),) if text else ()) for text in texts]


def rows(pairs):
    return [(pair.gt, pair.model) for pair in pairs]


def test_row_order_must_follow_gt():
    pairer = PagePairer(["anna serri", "bruno lang", "carla mori"])
    names = models("bruno lang", "anna serri", "carla mori")
    assert rows(order_preserving(pairer, names, 0.7)) == [(0, 1), (2, 2)]
    assert rows(optimal(pairer, names, 0.7)) == [(0, 1), (1, 0), (2, 2)]


def test_the_best_total_may_differ_from_best_first():
    pairer = PagePairer(["abcdefghij", "abcdefgxyz"])
    names = models("abcdefghij", "abcdefghiz")
    assert [pair.similarity.value for pair in optimal(pairer, names, 0.0)] == [1.0, 0.8]


def test_below_the_gate_counts_nothing():
    pairer = PagePairer(["anna serri", "bruno lang"])
    names = models("xyz", "brxno laxg")
    assert rows(order_preserving(pairer, names, 0.7)) == [(1, 1)]
    assert rows(optimal(pairer, names, 0.7)) == [(1, 1)]
    assert order_preserving(pairer, models("xyz"), 0.7) == ()


def test_rows_without_a_name_never_pair():
    pairer = PagePairer(["", "anna"])
    assert rows(optimal(pairer, models("anna", ""), 0.0)) == [(1, 0)]
    assert rows(order_preserving(pairer, models("", "anna"), 0.0)) == [(1, 1)]


NAMES = st.lists(st.text("ab ", max_size=5).map(lambda text: " ".join(text.split())), max_size=4)


@settings(deadline=None)
@given(NAMES, NAMES, st.sampled_from([0.3, 0.7]))
def test_totals_are_those_of_trying_everything(gt, texts, gate):
    names = models(*texts)
    values = {
        (g, m): found
        for g, form in enumerate(gt)
        for m, name in enumerate(names)
        if form and name.readings and (found := naive.similarity(form, name.readings).value) >= gate
    }
    size = min(len(gt), len(texts))
    ordered = free = 0.0
    for count in range(size + 1):
        for left in combinations(range(len(gt)), count):
            for right in permutations(range(len(texts)), count):
                total = fsum(values.get(cell, 0.0) for cell in zip(left, right, strict=True))
                free = max(free, total)
                if list(right) == sorted(right):
                    ordered = max(ordered, total)
    pairer = PagePairer(gt)
    for found, best in ((order_preserving(pairer, names, gate), ordered), (optimal(pairer, names, gate), free)):
        assert abs(fsum(pair.similarity.value for pair in found) - best) < 1e-12
        assert all(pair.similarity.value >= gate for pair in found)
        assert len({pair.gt for pair in found}) == len({pair.model for pair in found}) == len(found)
    in_order = rows(order_preserving(pairer, names, gate))
    assert [model for _, model in in_order] == sorted(model for _, model in in_order)
