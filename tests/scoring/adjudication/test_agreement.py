import itertools
import math

import pytest

from scoring.adjudication.agreement import agreement
from scoring.adjudication.decisions import LogEntry
from tests.scoring.adjudication.entries import entry, nth, undo


def rated(*ratings: tuple[str, ...], verifiers: str = "abcd") -> list[LogEntry]:
    """A case a rating; "" where a verifier gave none."""
    count = itertools.count(1)
    return [
        entry(next(count), who, verdict, f"t-{number}")
        for number, given in enumerate(ratings)
        for who, verdict in zip(verifiers, given, strict=False)
        if verdict
    ]


def test_kappa_by_hand():
    # 20 both same, 5 same/different, 10 different/same, 15 both different: observed 0.7, expected 0.5, kappa 0.4.
    pairs = [("same", "same")] * 20 + [("same", "different")] * 5 + [("different", "same")] * 10 + [("different", "different")] * 15
    overall, different, same = agreement(rated(*pairs)).kinds
    assert (overall.kind, overall.cases, overall.pairs, overall.agreed, overall.percent) == ("", 50, 50, 35, 70.0)
    assert overall.kappa.value == pytest.approx(0.4)
    assert overall.kappa.low < 0.4 < overall.kappa.high
    assert (different.kind, different.cases, different.agreed) == ("different", 30, 15)
    assert (same.kind, same.percent) == ("same", 100 * 20 / 35)
    assert same.kappa.value == pytest.approx(0.4)
    # Nominal alpha by its definition: observed disagreement 30/100, expected 2 * 55 * 45 / (100 * 99).
    assert overall.alpha.value == pytest.approx(1 - (30 / 100) / (2 * 55 * 45 / (100 * 99)))


def test_alpha_of_three_with_gaps_against_the_definition():
    ratings = [
        ("same", "same", ""),
        ("same", "different", "same"),
        ("", "different", "different"),
        ("merge", "merge", "merge"),
        ("same", "", ""),
    ]
    found = agreement(rated(*ratings))
    overall = found.kinds[0]
    assert found.verifiers == ("a", "b", "c")
    assert overall.kappa is None
    assert (overall.cases, overall.pairs, overall.agreed) == (4, 8, 6)
    units = [[v for v in given if v] for given in ratings]
    units = [unit for unit in units if len(unit) > 1]
    values = [v for unit in units for v in unit]
    observed = sum(sum(a != b for a, b in itertools.permutations(unit, 2)) / (len(unit) - 1) for unit in units) / len(values)
    expected = sum(a != b for a, b in itertools.permutations(values, 2)) / (len(values) * (len(values) - 1))
    assert overall.alpha.value == pytest.approx(1 - observed / expected)
    assert found == agreement(rated(*ratings))
    assert [(one, other, pair.cases) for one, other, pair in found.by_pair] == [("a", "b", 3), ("a", "c", 2), ("b", "c", 3)]


def test_what_is_undefined_is_none():
    overall, same = agreement(rated(("same", "same"), ("same", "same"))).kinds
    for kind in (overall, same):
        assert (kind.percent, kind.kappa, kind.alpha) == (100.0, None, None)
    (one_case, *_) = agreement(rated(("same", "different"))).kinds
    figures = [f for e in (one_case.kappa, one_case.alpha) if e for f in (e.value, e.low, e.high) if f is not None]
    assert all(math.isfinite(figure) for figure in figures)
    assert agreement([]).kinds == ()
    assert agreement(rated(("same", ""))).kinds == ()


def test_a_percentage_has_an_interval_over_its_cases():
    pairs = [("same", "same")] * 35 + [("same", "different")] * 15
    overall = agreement(rated(*pairs)).kinds[0]
    # Wilson, 35 of 50 at z = 1.96: (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    low, high = pytest.approx(56.2489, abs=1e-3), pytest.approx(80.8958, abs=1e-3)
    assert (overall.percent, overall.percent_low, overall.percent_high) == (70.0, low, high)
    # Three verifiers make three pairs of each case, which say no more than one.
    three = agreement(rated(*[("same", "same", "same")] * 10)).kinds[0]
    assert (three.pairs, three.percent_high) == (30, pytest.approx(100))
    assert three.percent_low == pytest.approx(72.2467, abs=1e-3)


def test_few_cases_give_no_interval_of_kappa():
    few = agreement(rated(*[("same", "same")] * 5, *[("same", "different")] * 2, *[("different", "different")] * 2)).kinds[0]
    assert few.cases == 9
    assert few.few
    assert (few.kappa.low, few.kappa.high, few.alpha.low, few.alpha.high) == (None,) * 4
    enough = agreement(rated(*[("same", "same")] * 5, *[("same", "different")] * 2, *[("different", "different")] * 3)).kinds[0]
    assert not enough.few
    assert enough.kappa.low < enough.kappa.value < enough.kappa.high
    perfect = agreement(rated(*[("same", "same")] * 6, *[("different", "different")] * 6)).kinds[0]
    assert (perfect.kappa.value, perfect.kappa.low, perfect.kappa.high) == (1.0, None, None), "[1.000, 1.000] would be no interval"


def test_rulings_machines_and_retracted_verdicts_do_not_count():
    entries = rated(("same", "different"))
    more = [
        entry(10, "c", "same", "t-0", resolves=(nth(1), nth(2))),
        entry(11, "gpt", "same", "t-0", by="model"),
        entry(12, "d", "same", "t-0"),
        undo(13, 12, "d", "t-0"),
    ]
    assert agreement([*entries, *more]).verifiers == ("a", "b")
    assert agreement([*entries, *more], by={"human", "model"}).verifiers == ("a", "b", "gpt")
    assert agreement(entries, task="relations").kinds == ()


def test_with_oneself():
    entries = [
        entry(1, "a", "same", "t-1"),
        entry(2, "a", "same", "t-1", repeat=True),
        entry(3, "a", "different", "t-2"),
        entry(4, "a", "same", "t-2", repeat=True),
        entry(5, "a", "same", "t-2"),
        entry(6, "a", "same", "t-3", repeat=True),
    ]
    (own,) = agreement(entries).with_self
    assert (own.verifier, own.repeats, own.agreed, own.percent) == ("a", 2, 1, 50.0)


def test_an_answer_to_another_question_takes_no_verdict_out_of_agreement():
    entries = [
        entry(1, "a", "same"),
        entry(2, "b", "same"),
        entry(3, "a", "gt-wrong", value="Anna"),
        entry(4, "b", "gt-wrong", value="Anna", basis={"field": "title"}),
        entry(5, "b", "equivalent"),
    ]
    found = agreement(entries)
    assert [(one.kind, one.cases, one.agreed) for one in found.kinds] == [("", 1, 1), ("same", 1, 1)]
    entries.append(entry(6, "b", "gt-illegible"))
    assert [(one.kind, one.cases, one.agreed) for one in agreement(entries).kinds] == [
        ("", 2, 1),
        ("gt-illegible", 1, 0),
        ("gt-wrong", 1, 0),
        ("same", 1, 1),
    ]


def test_a_repeat_is_compared_with_the_answer_to_its_own_question():
    said = [entry(1, "a", "same"), entry(2, "a", "equivalent"), entry(3, "a", "same", repeat=True)]
    assert agreement(said).with_self[0].agreed == 1
    # To another question than he had answered: neither agreement nor disagreement.
    said.append(entry(4, "a", "misread", repeat=True))
    assert (agreement(said).with_self[0].repeats, agreement(said).with_self[0].agreed) == (1, 1)
