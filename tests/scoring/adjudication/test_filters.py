"""The filter language of screens and commands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.adjudication.cases import Case, Occurrence
from scoring.adjudication.filters import EVERYTHING, VerifiersByCase, parse_filter
from scoring.foundations.problems import InputError

CASE = Case(
    id="t-5f3a91c2",
    task="tables",
    queue="against the key",
    page="28a",
    title="Anna e Bruno Serri ~ Niccolò d'Este page:28",
    question="?",
    suggestion="merge",
    verdicts=("same",),
    occurrences=(Occurrence("Alfa/naive/run_01", ()), Occurrence("Beta two/guided/run_11", ())),
    leverage=1.5,
    basis={"similarity": 0.65},
)
BARE = Case("t-1", "tables", "surplus", "1", "Zorzi", "?", None, (), (), 0.0, status="decided")


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("", True),
        ("   ", True),
        ("anna", True),
        ("ANNA serri", True),
        ("anna zorzi", False),
        ('"anna e bruno"', True),
        ('"bruno e anna"', False),
        ("-zorzi", True),
        ("-anna", False),
        ('-"anna e"', False),
        ("niccolo\u0300", True),
        ("d\u2019este", True),
        ("page:28A", True),
        ("page:28", False),
        ('"page:28"', True),
        ("-page:28", True),
        ("queue:against", True),
        ('queue:"against the"', True),
        ("queue:surplus", False),
        ("status:open", True),
        ("-status:open", False),
        ("suggestion:merge", True),
        ("suggestion:same", False),
        ("model:alfa", True),
        ('model:"beta two"', True),
        ("model:alf", False),
        ("phase:guided", True),
        ("phase:x", False),
        ("run:run_01", True),
        ("run:run_1", False),
        ("run:alfa/naive/run_01", True),
        ("id:t-5f", True),
        ("id:t-6", False),
        ("t-5f3a91c2", True),
        ("similarity>=0.65", True),
        ("similarity>0.65", False),
        ("similarity<=0.65", True),
        ("similarity<0.65", False),
        ("similarity=0.65", True),
        ("times>1 times<3", True),
        ("times=3", False),
        ("leverage>1", True),
        ("-similarity<0.5", True),
        ("~", True),
        (":", True),
        ("-", False),
    ],
)
def test_terms(text: str, passes: bool):
    assert parse_filter(text)(CASE) is passes


def test_a_case_without_a_similarity_passes_no_comparison_of_it():
    assert not parse_filter("similarity<0.5")(BARE)
    assert parse_filter("-similarity<0.5")(BARE)
    assert parse_filter("times=0 status:decided")(BARE)
    assert not parse_filter("suggestion:merge")(BARE)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('"anna', "open quotation mark"),
        ('anna"', "open quotation mark"),
        ('model:"x', "open quotation mark"),
        ("colour:red", "no key `colour`"),
        ('colour:"dark red"', "no key `colour`"),
        ("page>3", "cannot be compared"),
        ("similarity>=x", "no number"),
        ("similarity>=nan", "no number"),
        ("similarity>=", "no number"),
        ("status:opne", "no status"),
        ("mine:perhaps", "mine:yes or mine:no"),
    ],
)
def test_faults_are_told(text: str, says: str):
    with pytest.raises(InputError, match=says):
        parse_filter(text)


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("mine:yes", True),
        ("mine:no", False),
        ("by:mp", True),
        ("by:MP by:ab", True),
        ("by:xy", False),
        ("-by:xy mine:yes", True),
    ],
)
def test_terms_about_who_judged(text: str, passes: bool):
    assert parse_filter(text)(CASE, VerifiersByCase(lambda _: ("mp", "ab"), "mp")) is passes


def test_nobody_has_judged_unless_told():
    assert parse_filter("mine:no")(CASE)
    assert not parse_filter("by:mp")(CASE)


def test_a_filter_tells_what_it_asks_by():
    assert parse_filter('anna page:28 -times>3 mine:no model:"my model"').keys == {"page", "times", "mine", "model"}
    assert EVERYTHING.keys == frozenset()


def test_an_empty_filter_lets_everything_pass():
    assert EVERYTHING(CASE)
    assert EVERYTHING(BARE)
    assert parse_filter(" anna  ").text == "anna"


@given(st.text(max_size=20))
def test_any_text_is_a_filter_or_a_fault(text: str):
    try:
        found = parse_filter(text)
    except InputError:
        return
    assert found(CASE) in (True, False)
