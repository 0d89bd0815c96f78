"""Every rule of the scoring page with its exact value."""

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.questions.matching.answer_scores import (
    CLAIM,
    CORRECT,
    EXCLUDED,
    INCORRECT,
    AnswerScore,
    Outcome,
    condition_met,
    entries,
    is_blank,
    score,
)
from scoring.questions.matching.question_set import Condition, Question
from scoring.rules import EquivalenceRow, Rules
from scoring.texts.forms import QUESTION_STRIPPED, FieldRules, character_accuracy


def rules(*rows: tuple[str, str], field: str = "Q10") -> FieldRules:
    made = tuple(EquivalenceRow(line, form, canonical, (field,), "settled", "", "") for line, (form, canonical) in enumerate(rows, 1))
    return Rules(equivalences=made).field(field, stripped=QUESTION_STRIPPED)


BOOLEAN = Question("Q1", "boolean", "?", illegible=True)
Q21 = Question("Q21", "boolean", "?", Condition("Q19", "0", True), illegible=True)
Q2 = Question("Q2", "integer", "?", Condition("Q1", "Y"))
COUNT = Question("Q7", "integer", "?")
PAIR = Question("Q17", "paired_integer", "?")
Q5 = Question("Q5", "string", "?", Condition("Q4", "Y"), blank_blank="correct")
Q10 = Question("Q10", "text_array", "?", words=2, order="free", blank_blank="correct")
Q22 = Question("Q22", "text_array", "?", order="document", blank_blank="correct")

FAMILY = rules(
    ("figlio", "figliuolo"),
    ("fig.lo", "figliuolo"),
    ("fig.la", "figliuola"),
    ("figlia", "figliuola"),
    ("d.co", "domestico"),
    ("d.ca", "domestica"),
)


# Booleans


@pytest.mark.parametrize(
    ("gt", "model", "expected"),
    [
        ("Y", "Y", CORRECT),
        ("Y", "y", CORRECT),
        ("Y", " Y. ", CORRECT),
        ("Y?", "Y", CORRECT),
        ("Y", "N", INCORRECT),
        ("Y", "", INCORRECT),
        ("N", "yes", INCORRECT),
        ("Y", "illegible", CLAIM),
        ("N", "Illegible.", CLAIM),
        ("Y", "Y?", INCORRECT),
        ("Y", "partly illegible", INCORRECT),
    ],
)
def test_boolean(gt: str, model: str, expected: AnswerScore) -> None:
    assert score(BOOLEAN, gt, model) == expected


@pytest.mark.parametrize(("model", "expected"), [("", EXCLUDED), ("Y", INCORRECT), ("N", INCORRECT), ("illegible", INCORRECT)])
def test_boolean_not_asked(model: str, expected: AnswerScore) -> None:
    assert score(Q21, "", model) == expected


def test_illegible_is_an_ordinary_wrong_answer_where_the_question_does_not_take_it() -> None:
    assert score(Question("Q3", "boolean", "?"), "Y", "illegible") == INCORRECT
    assert score(COUNT, "3", "illegible") == AnswerScore(Outcome.INCORRECT, 0.0)
    assert score(PAIR, "3|4", "illegible") == INCORRECT
    assert score(Q5, "bottom right", "illegible").score == character_accuracy("bottom right", "illegible")


# Integers


def test_integer_is_exact_and_keeps_the_signed_difference() -> None:
    assert score(COUNT, "12", "12") == AnswerScore(Outcome.CORRECT, 1.0, 0)
    assert score(COUNT, "12", "012") == AnswerScore(Outcome.CORRECT, 1.0, 0)
    assert score(COUNT, "12", "9") == AnswerScore(Outcome.INCORRECT, 0.0, -3)
    assert score(COUNT, "12", "13") == AnswerScore(Outcome.INCORRECT, 0.0, 1)
    assert score(COUNT, "12?", "12") == AnswerScore(Outcome.CORRECT, 1.0, 0)
    assert score(COUNT, "12", "12?") == AnswerScore(Outcome.INCORRECT, 0.0)
    assert score(COUNT, "12", "") == INCORRECT
    assert score(COUNT, "12", "-12").score == 0
    assert score(COUNT, "12", "9" * 5000) == AnswerScore(Outcome.INCORRECT, 0.0)


def test_year_not_asked_blank_is_excluded_and_an_invented_year_is_wrong() -> None:
    assert score(Q2, "", "") == EXCLUDED
    assert score(Q2, "", "1769") == INCORRECT


def test_year_is_exact_and_punctuation_inside_a_word_stays() -> None:
    assert score(Q2, "1767/8", "1767/8.").outcome is Outcome.CORRECT
    assert score(Q2, "1767/8", "1767").outcome is Outcome.INCORRECT
    assert score(Q2, "1767", "176?") == AnswerScore(Outcome.INCORRECT, 0.0)


@pytest.mark.parametrize("model", ["3|4", "3 | 4", "3 | 4 ", " 3|4.", "03 | 4"])
def test_pair_however_it_is_spaced(model: str) -> None:
    assert score(PAIR, "3 | 4", model) == CORRECT


@pytest.mark.parametrize("model", ["4 | 3", "3 | 5", "3", "3 | 4 | 0", "", "|", "34"])
def test_pair_needs_both(model: str) -> None:
    assert score(PAIR, "3 | 4", model) == INCORRECT


def test_pair_blank_on_blank_is_excluded() -> None:
    assert score(PAIR, "", " | ") == EXCLUDED


# String


@pytest.mark.parametrize(
    ("gt", "model", "expected"),
    [
        ("bottom right", "Bottom, right.", 1.0),
        ("bottom right", "bottom left", 1 - 4 / 12),
        ("bottom right", "", 0.0),
        ("", "", 1.0),
        ("", "bottom right", 0.0),
        ("bottom right", "bottom right bottom right bottom", 0.0),
    ],
)
def test_string(gt: str, model: str, expected: float) -> None:
    assert score(Q5, gt, model).score == pytest.approx(expected, abs=0)


# Text arrays


def test_entries_are_split_and_empty_ones_dropped() -> None:
    found = entries(Q10, " suo domestico || Sua, moglie: cara |  | . ", "model")
    assert [(entry.number, entry.text, entry.form) for entry in found] == [
        (1, "suo domestico", "suo domestico"),
        (2, "Sua, moglie: cara", "sua moglie"),
    ]


def test_only_the_first_two_words_count_on_both_sides() -> None:
    assert score(Q10, "sua moglie cara", "sua moglie").score == 1
    assert score(Q10, "sua moglie", "sua moglie e figli").score == 1
    assert score(Q10, "? moglie cara", "la moglie").score == character_accuracy("moglie", "la moglie")
    assert score(Q22, "sua moglie cara", "sua moglie").score == character_accuracy("sua moglie cara", "sua moglie")


def test_order_is_free_and_the_matching_is_the_best_one() -> None:
    assert score(Q10, "suo domestico | sua moglie", "sua moglie | suo domestico").score == 1
    found = score(Q10, "ab | abcd", "ab | abc").match
    assert found is not None
    assert [(pair.gt, pair.model, pair.accuracy) for pair in found.pairs] == [(0, 0, 1.0), (1, 1, 0.75)]
    # Taken in order, aa would have aab, and aab what is left.
    crossed = score(Q10, "aa | aab", "aab | aac").match
    assert crossed is not None
    assert crossed.total == 1 + 0.5


def test_f1_of_recall_and_precision() -> None:
    missed = score(Q10, "suo domestico | sua moglie", "suo domestico")
    assert missed.match is not None
    assert (missed.match.recall, missed.match.precision, missed.score) == (0.5, 1.0, 2 * 1 / 3)
    invented = score(Q10, "suo domestico", "suo domestico | xxx zzz")
    assert invented.match is not None
    assert (invented.match.recall, invented.match.precision, invented.score) == (1.0, 0.5, 2 * 1 / 3)
    misread = score(Q10, "abcd | efgh", "abcx | efgh")
    assert misread.score == 2 * 1.75 / 4


def test_lists_both_empty_or_one_empty() -> None:
    for question in (Q10, Q22):
        assert score(question, "", "").score == 1
        assert score(question, " | ", "|").score == 1
        assert score(question, "fratelli", "").score == 0
        assert score(question, "", "fratelli").score == 0
        assert score(question, "abc", "xyz").score == 0


def test_bracket_words_keep_the_order_of_the_document() -> None:
    assert score(Q22, "fratelli | comici | sorelle", "fratelli | comici | sorelle").score == 1
    # One of two swapped entries is lost; in free order neither would be.
    assert score(Q22, "aaaa | bbbb", "bbbb | aaaa").score == 0.5
    # A gap on either side does not displace what follows.
    assert score(Q22, "aaaa | bbbb | cccc", "aaaa | cccc").score == 2 * 2 / 5
    assert score(Q22, "aaaa | cccc", "aaaa | bbbb | cccc").score == 2 * 2 / 5


def test_a_question_mark_of_a_model_is_a_character_like_any_other() -> None:
    assert score(Q22, "fratelli", "fratell?").score == 1 - 1 / 8
    assert score(Q22, "Caltran?", "Caltran").score == 1
    assert score(Q22, "Caltran?", "Caltran?").score == 1 - 1 / 7
    assert score(Q22, "Cal?ran", "Caltran").score == 1 - 1 / 7


def test_equivalences_expand_both_sides() -> None:
    assert score(Q10, "suo figliuolo", "suo fig.lo", FAMILY).score == 1
    assert score(Q10, "suo fig.lo", "suo figliuolo", FAMILY).score == 1
    assert score(Q10, "suo fig.lo", "suo figlio,", FAMILY).score == 1
    assert score(Q10, "suo domestico", "suo d.co.", FAMILY).score == 1
    # Compared as expanded: one letter of thirteen.
    assert score(Q10, "suo d.co", "suo domestica", FAMILY).score == 1 - 1 / 13


@pytest.mark.parametrize(("gt", "model"), [("suo figliuolo", "sua fig.la"), ("suo fig.lo", "suo figlia"), ("suo d.co", "suo d.ca")])
def test_forms_of_another_gender_or_number_are_wrong(gt: str, model: str) -> None:
    scored = score(Q10, gt, model, FAMILY).score
    assert scored is not None
    assert 0 < scored < 1


@pytest.mark.parametrize("corrupted", ["figlo", "figolo", "figlivoli", "figle", "figla"])
def test_corruptions_are_scored_by_their_characters(corrupted: str) -> None:
    assert score(Q10, "figliuolo", corrupted, FAMILY).score == character_accuracy("figliuolo", corrupted)


def test_pairs_called_equivalent_count_in_full() -> None:
    same = {("sua consorte", "sua cons.te")}
    assert score(Q10, "sua consorte | tre persone", "tre persone | sua cons.te", same=same).score == 1
    assert score(Q10, "sua consorte", "sua conste", same=same).score == 1 - 2 / 12


WORDS = st.text("abc", min_size=1, max_size=4)
LISTS = st.lists(WORDS, max_size=4)


@settings(max_examples=150, deadline=None)
@given(LISTS, LISTS)
def test_free_matching_equals_the_best_of_all(gt: list[str], model: list[str]) -> None:
    short, long = sorted((gt, model), key=len)
    best = max(
        sum(character_accuracy(*((a, b) if short is gt else (b, a))) for a, b in zip(short, chosen, strict=True))
        for chosen in permutations(long, len(short))
    )
    found = score(Q10, "|".join(gt), "|".join(model))
    expected = 2 * best / (len(gt) + len(model)) if gt or model else 1.0
    assert found.score == pytest.approx(expected, abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(LISTS, LISTS)
def test_ordered_matching_equals_the_alignment_table(gt: list[str], model: list[str]) -> None:
    table = [[0.0] * (len(model) + 1) for _ in range(len(gt) + 1)]
    for row, wanted in enumerate(gt, 1):
        for column, found in enumerate(model, 1):
            paired = table[row - 1][column - 1] + character_accuracy(wanted, found)
            table[row][column] = max(paired, table[row - 1][column], table[row][column - 1])
    expected = 2 * table[-1][-1] / (len(gt) + len(model)) if gt or model else 1.0
    assert score(Q22, "|".join(gt), "|".join(model)).score == pytest.approx(expected, abs=1e-12)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=12), st.text(max_size=12))
def test_every_type_scores_any_text(gt: str, model: str) -> None:
    for question in (BOOLEAN, COUNT, PAIR, Q5, Q10, Q22):
        scored = score(question, gt, model)
        assert scored.score is None or 0 <= scored.score <= 1
        assert (scored.score is None) == (scored.outcome is Outcome.EXCLUDED)


# Conditions


def test_conditions_are_read_from_the_ground_truth() -> None:
    assert condition_met(None, "")
    assert condition_met(Condition("Q1", "Y"), "y")
    assert not condition_met(Condition("Q1", "Y"), "N")
    assert not condition_met(Condition("Q1", "Y"), "")
    assert condition_met(Condition("Q19", "0", True), "3")
    assert not condition_met(Condition("Q19", "0", True), "00")
    assert not condition_met(Condition("Q19", "0", True), "")


def test_blank() -> None:
    assert is_blank(COUNT, " . ")
    assert is_blank(PAIR, "|")
    assert is_blank(Q10, "| ,")
    assert not is_blank(PAIR, "|0")
