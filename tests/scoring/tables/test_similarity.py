from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tables.matching.readings import Reading, readings
from scoring.tables.matching.similarity import compare, ratio, token_overlap
from scoring.texts.forms import Ignore, name_form
from tests.scoring.tables import naive

RULES = (
    *(Ignore((word,), "leading") for word in ("il", "barone", "de")),
    Ignore(("{place_of_origin}",), "trailing"),
    Ignore(("di", "{place_of_origin}"), "trailing"),
)


def of(gt, model, origin=""):
    return compare(name_form(gt), readings(name_form(model), RULES, {"place_of_origin": name_form(origin)})[0])


@pytest.mark.parametrize(
    ("gt", "model", "origin"),
    [
        ("Bassa", "Il Barone Bassa", ""),
        ("Israel Baysan", "Israel Baysan di Verona", "Verona"),
        ("Ernesto di Bargh", "Ernesto di Bargh", "Bargh"),
        ("De Flamarin", "De Flamarin", ""),
        ("Salamon Cormos", "Salamon Cormos", "Cormos"),
    ],
)
def test_the_methods_own_examples_match_in_full(gt, model, origin):
    found = of(gt, model, origin)
    assert (found.value, found.edits) == (1.0, 0)


def test_a_revealed_name_says_what_was_stepped_over():
    found = of("Israel Baysan", "Israel Baysan di Verona", "Verona")
    assert found.reading == Reading("israel baysan", 2, 10, ("di verona",))


def test_an_illegible_glyph_asserts_that_it_is_there():
    found = of("Kin?gsech", "Kingsech")
    assert found.edits == 1
    assert found.value == found.literal == 2.0 * 8 / 17
    assert found.resolved is None
    assert of("Kin?sech", "Kingsech").value == 1.0


def test_a_resolved_name_is_told_with_its_literal_similarity():
    found = of("K?n?sech", "Kingsech")
    assert (found.value, found.edits, found.resolved, found.literal) == (1.0, 0, "kingsech", 0.75)
    assert (found.ratio, found.overlap) == (1.0, 1.0)


def test_a_question_mark_never_stands_for_white_space():
    found = of("anna?serri", "anna serri")
    assert found.resolved is None
    assert found.edits == 1


def test_an_unreadable_name_of_the_model_is_literal():
    assert of("Kingsech", "Kin?sech").edits == 1
    assert of("Kin?sech", "Kin?sech").value == 1.0


def test_the_literal_stays_where_resolving_would_lower_it():
    found = compare("?cab", [Reading("cb")])
    assert found.value == found.literal == naive.ratio("?cab", "cb")
    assert found.resolved is None


def test_gt_stands_first():
    assert ratio("ab", "bacb") == 2.0 * 2 / 6
    assert ratio("bacb", "ab") == 2.0 * 1 / 6
    assert compare("ab", [Reading("bacb")]).value == 2.0 * 2 / 6


def test_long_names_lose_nothing_to_autojunk():
    gt = "anna maria " * 30
    text = "anna mario " * 30
    from difflib import SequenceMatcher

    assert ratio(gt, text) == SequenceMatcher(None, gt, text, autojunk=False).ratio()
    assert ratio(gt, text) > SequenceMatcher(None, gt, text).ratio()


@pytest.mark.parametrize(
    ("gt", "model", "value"), [("a b", "b a", 1.0), ("a a b", "a", 0.5), ("a", "b", 0.0), ("", "", 0.0), ("", "a", 0.0)]
)
def test_token_overlap(gt, model, value):
    assert token_overlap(gt, model) == value


def test_swapped_name_order_ties_at_one_and_costs_edits():
    swapped = of("Franz Anton Wolf", "Anton Franz Wolf")
    assert swapped.value == 1.0
    assert swapped.edits > 0


def test_readings_that_tie_have_fewer_edits_first_then_their_order():
    assert compare("a b", [Reading("b a"), Reading("a b", 1)]).reading == Reading("a b", 1)
    assert compare("ab", [Reading("ac"), Reading("cb", 1)]).reading == Reading("ac")


def test_a_nameless_row_is_compared_with_nothing():
    with pytest.raises(ValueError, match="nameless"):
        compare("anna", [])


@given(
    st.text("ab? c", min_size=1, max_size=8).map(lambda text: " ".join(text.split())).filter(bool),
    st.lists(
        st.text("ab? c", min_size=1, max_size=8).map(lambda text: " ".join(text.split())).filter(bool), min_size=1, max_size=4, unique=True
    ),
)
def test_equals_the_naive_definition(gt, texts):
    candidates = [Reading(text, at) for at, text in enumerate(texts)]
    found = compare(gt, candidates)
    assert found == naive.similarity(gt, candidates)
    assert found.value >= found.literal
    assert found.value == max(found.ratio, found.overlap)
