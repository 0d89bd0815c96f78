from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tables.matching.readings import LIMIT, Reading, readings
from scoring.texts.forms import Ignore, name_form
from tests.scoring.tables import naive

ORIGIN = Ignore(("di", "{place_of_origin}"), "trailing")


def texts(form, ignores, values=None):
    found, more = readings(form, ignores, values or {})
    assert not more
    return [reading.text for reading in found]


def test_without_a_rule_there_is_only_the_name():
    assert readings("israel baysan", ()) == ((Reading("israel baysan"),), False)


@pytest.mark.parametrize("form", ["", " "])
def test_a_nameless_row_has_no_reading(form):
    assert readings(form, (Ignore(("il",), "leading"),)) == ((), False)


def test_articles_and_titles_are_stepped_over_one_after_the_other():
    rules = (Ignore(("barone",), "leading"), Ignore(("il",), "leading"))
    assert readings(name_form("Il Barone Bassa"), rules) == (
        (
            Reading("il barone bassa", 0, 0, ()),
            Reading("barone bassa", 1, 3, ("il",)),
            Reading("bassa", 2, 10, ("il", "barone")),
        ),
        False,
    )


def test_the_rows_own_origin_is_stepped_over_behind_the_name():
    assert texts("israel baysan di verona", (ORIGIN,), {"place_of_origin": "verona"}) == ["israel baysan di verona", "israel baysan"]


def test_an_origin_of_several_words():
    rule = Ignore(("{place_of_origin}",), "anywhere")
    assert texts("anna san pietro serri", (rule,), {"place_of_origin": "san pietro"}) == ["anna san pietro serri", "anna serri"]


@pytest.mark.parametrize(
    "values", [{}, {"place_of_origin": ""}, {"place_of_origin": " "}, {"place_of_origin": "padova"}, {"other": "verona"}]
)
def test_a_rule_that_names_a_blank_or_other_value_is_off(values):
    assert texts("israel baysan di verona", (ORIGIN,), values) == ["israel baysan di verona"]


def test_a_blank_origin_does_not_leave_the_rest_of_its_rule():
    assert texts("ernesto di", (ORIGIN,), {"place_of_origin": ""}) == ["ernesto di"]


def test_never_down_to_nothing():
    rules = (Ignore(("il",), "leading"), Ignore(("conte",), "leading"), Ignore(("il", "conte"), "leading"))
    assert texts("il conte", rules) == ["il conte", "conte"]
    assert texts("il il", rules) == ["il il", "il"]


def test_positions():
    assert texts("x a x b x", (Ignore(("x",), "leading"),)) == ["x a x b x", "a x b x"]
    assert texts("x a x b x", (Ignore(("x",), "trailing"),)) == ["x a x b x", "x a x b"]
    assert texts("x a x b x", (Ignore(("x",), "anywhere"),)) == [
        *["x a x b x", "a x b x", "x a b x", "x a x b"],
        *["a b x", "a x b", "x a b"],
        "a b",
    ]


def test_order_is_tokens_then_characters_then_text():
    rules = (Ignore(("sig",), "anywhere"), Ignore(("conte",), "anywhere"), Ignore(("nob", "sig"), "leading"), Ignore(("nob",), "leading"))
    found, _ = readings("nob sig conte rossi", rules)
    assert [(r.tokens_removed, r.characters_removed, r.text) for r in found] == sorted(
        (r.tokens_removed, r.characters_removed, r.text) for r in found
    )
    assert [r.text for r in found] == [
        "nob sig conte rossi",
        *["nob conte rossi", "sig conte rossi", "nob sig rossi"],
        *["conte rossi", "nob rossi", "sig rossi"],
        "rossi",
    ]


def test_the_limit_keeps_the_first_and_says_that_there_were_more():
    words = [f"t{at}" for at in range(7)]
    rules = tuple(Ignore((word,), "anywhere") for word in words)
    found, more = readings(" ".join(words), rules)
    every = naive.readings(" ".join(words), rules, {})
    assert len(every) == 2**7 - 1
    assert more
    assert list(found) == every[:LIMIT]


def test_exactly_the_limit_is_not_more():
    words = [f"t{at}" for at in range(6)]
    rules = tuple(Ignore((word,), "anywhere") for word in words)
    found, more = readings(" ".join([*words, "name"]), rules)
    assert len(found) == LIMIT == 2**6
    assert not more


def test_a_run_on_row_does_not_explode():
    rule = Ignore(("e",), "anywhere")
    words = [word for at in range(300) for word in (f"n{at}", "e")]
    start = time.perf_counter()
    found, more = readings(" ".join(words), (rule,))
    assert time.perf_counter() - start < 5
    assert len(found) == LIMIT
    assert more
    assert [reading.tokens_removed for reading in found] == [0] + [1] * (LIMIT - 1)


TOKENS = st.sampled_from(["a", "b", "ab", "il"])
RULE_TOKENS = st.sampled_from(["a", "b", "il", "{place}", "{blank}"])
RULES = st.lists(
    st.builds(
        Ignore,
        st.lists(RULE_TOKENS, min_size=1, max_size=2).map(tuple),
        st.sampled_from(["leading", "trailing", "anywhere"]),
    ),
    max_size=3,
).map(tuple)


@given(st.lists(TOKENS, min_size=1, max_size=5), RULES, st.lists(TOKENS, max_size=2))
def test_equals_the_naive_enumeration(words, rules, place):
    form, values = " ".join(words), {"place": " ".join(place), "blank": ""}
    every = naive.readings(form, rules, values)
    found, more = readings(form, rules, values)
    assert list(found) == every[:LIMIT]
    assert more == (len(every) > LIMIT)
    assert found[0] == Reading(form)
    assert all(reading.text for reading in found)
