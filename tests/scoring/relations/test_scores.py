from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.relations.inputs.file_names import SCORED_LABELS, labels_of
from scoring.relations.measures.run_scores import binarised, confusion, exact_mean, published

AT = st.sampled_from(SCORED_LABELS["at"])
PAIRS = st.lists(st.tuples(AT, AT), min_size=1, max_size=40)


def naive_macro(gold, said, labels):
    recalls = []
    for label in labels:
        own = [answer == label for truth, answer in zip(gold, said, strict=True) if truth == label]
        recalls.append(Fraction(sum(own), len(own)) if own else Fraction(0))
    return sum(recalls) / len(recalls)


@given(PAIRS)
def test_published_macro_recall_is_over_the_labels_of_gold_and_answers(pairs):
    gold, said = zip(*pairs, strict=True)
    figures = published(gold, said)
    assert figures.macro_recall == pytest.approx(float(naive_macro(gold, said, sorted({*gold, *said}))), abs=1e-12)
    assert (figures.correct, figures.total) == (sum(a == b for a, b in pairs), len(pairs))


@given(PAIRS)
def test_ours_is_over_the_labels_the_gold_holds_whatever_is_answered(pairs):
    gold, said = zip(*pairs, strict=True)
    assert confusion(gold, said, labels_of("at")).macro_recall == naive_macro(gold, said, sorted(set(gold)))


def test_a_label_without_support_lowers_the_published_figure_once_it_is_said():
    gold = ["FALSE", "FALSE"]
    assert published(gold, ["FALSE", "FALSE"]).macro_recall == 1.0
    assert published(gold, ["FALSE", "TRUE"]).macro_recall == 0.25
    assert confusion(gold, ["FALSE", "TRUE"], labels_of("at")).macro_recall == Fraction(1, 2)


def test_nothing_to_score_is_none_not_zero():
    assert published([], []).macro_recall is None
    figures = confusion([], [], labels_of("isAt"))
    assert figures.macro_recall is None
    assert figures.accuracy is None


def test_f1_is_rounded_once():
    figures = confusion(["TRUE"] * 3 + ["FALSE"] * 4, ["TRUE", "FALSE", "FALSE", "TRUE", "FALSE", "FALSE", "FALSE"], ("FALSE", "TRUE"))
    assert figures.f1(1) == Fraction(2, 5)
    assert figures.precision(1) == Fraction(1, 2)
    assert figures.recall(1) == Fraction(1, 3)


def test_binary_maps_probable_to_true():
    assert binarised(["TRUE", "PROBABLE", "FALSE"]) == ["TRUE", "TRUE", "FALSE"]
    assert labels_of("at", "BINARY") == ("FALSE", "TRUE")


def test_the_mean_is_rounded_once():
    tenths = [0.1] * 10
    assert sum(map(float, tenths[:3])) / 3 != 0.1
    assert exact_mean(tenths) == 0.1


def test_recalls_are_added_in_the_order_of_the_labels_texts():
    """FALSE, PROBABLE, TRUE, one after the other: another order gives another last digit."""
    gold = ["FALSE"] * 10 + ["PROBABLE"] * 10 + ["TRUE"] * 10
    said = ["FALSE"] * 1 + ["TRUE"] * 9 + ["PROBABLE"] * 2 + ["TRUE"] * 8 + ["TRUE"] * 3 + ["FALSE"] * 7
    assert (0.1 + 0.2 + 0.3) / 3 != (0.3 + 0.2 + 0.1) / 3
    assert published(gold, said).macro_recall == (0.1 + 0.2 + 0.3) / 3
