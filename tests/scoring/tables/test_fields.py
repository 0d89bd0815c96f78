"""How one value is scored (`docs/method.md#per-field-accuracy`)."""

import pytest

from scoring.rules import NO_RULES_FILE
from scoring.tables.matching.field_scores import FieldScorer, FieldScorers
from scoring.workspace.schema import Field, Schema
from tests.scoring.tables.builders import rules


def score(method: str, gt: str, model: str, blank: str = "unscorable", name: str = "f", **more: object) -> float | None:
    return FieldScorer(Field(name, method, blank), rules(**more) if more else NO_RULES_FILE).score(gt, model)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "gt", "model", "expected"),
    [
        ("flag", "Y", "Y", 1.0),
        ("flag", "Y", "N", 0.0),
        ("flag", "N", "Yes", 0.0),
        ("flag", "Y", "", 0.0),
        ("flag", "", "Y", None),
        ("count", "2", "2", 1.0),
        ("count", "2", "02", 1.0),
        ("count", "2", "3", 0.0),
        ("count", "2", "two", 0.0),
        ("count", "2", "1_0", 0.0),
        ("count", "0", "", 0.0),
        ("count", "", "0", None),
        ("date", "February 9 1769", "February 09 1769", 1.0),
        ("date", "February 9 1769", "9 February 1769", pytest.approx(1 - 4 / 15)),
        ("date", "", "May 1 1769", None),
        ("text", "Conte", "conte.", 1.0),
        ("text", "Conte", "Cante", pytest.approx(0.8)),
        ("text", "Abbé", "Abbe", pytest.approx(0.75)),
        ("text", "ab", "abcdefgh", 0.0),
        ("text", "Conte?", "Conte", 1.0),
        ("text", "Conte", "Conte?", pytest.approx(0.8)),
        ("place", "Sant'Angelo", "S. Angelo", 1.0),
        ("place", "in Casa Zen", "Casa Zen", 1.0),
        ("place", "Casa Feltrina", "Casa Pestiora", pytest.approx(1 - 5 / 13)),
        ("name", "Kin?gsech", "Kinigsech", 1.0),
        ("name", "Anna-Maria", "anna maria", 1.0),
        ("name", "Anna", "Xy", 0.0),
    ],
)
def test_values(method: str, gt: str, model: str, expected: float | None):
    assert score(method, gt, model) == expected


@pytest.mark.parametrize(
    ("gt", "model", "expected"),
    [("", "Signor", 0.0), ("", "", None), ("Conte", "", 0.0), ("Conte", "Conte", 1.0), ("", ".", None), ("?", "Conte", None)],
)
def test_a_blank_title_is_a_deliberate_omission(gt: str, model: str, expected: float | None):
    assert score("text", gt, model, "wrong") == expected


def test_courtesy_forms_are_not_stripped_and_equivalences_are_applied_to_both_sides():
    made = {"fields": [("co.", "conte", "title")]}
    assert score("text", "Co.", "Conte", name="title", **made) == 1.0
    assert score("text", "Conte", "Co.", name="title", **made) == 1.0
    assert score("text", "Conte", "Signor Conte", name="title", **made) == 0.0
    assert score("text", "Co.", "Conte", name="other", **made) == 0.0


def test_agreement_counts_filled_and_equal_values():
    schema = Schema((Field("name", "name"), Field("a"), Field("b", "date"), Field("c", "count")), ("name",))
    scorers = FieldScorers(schema, NO_RULES_FILE)
    gt = {"name": "x", "a": "Weber", "b": "May 9 1769", "c": ""}
    assert scorers.agreement(gt, {"name": "y", "a": "weber.", "b": "May 09 1769", "c": ""}) == 2
    assert scorers.agreement(gt, {"name": "y", "a": "Maurer", "b": "", "c": "3"}) == 0
    assert scorers.agreement({**gt, "a": "?"}, {**gt, "a": "."}) == 1
    assert scorers.scores(gt, {"name": "y", "a": "weber", "b": "", "c": "1"}) == (1.0, 0.0, None)
    scorer = scorers.scorers[0]
    assert scorer.form("Weber.", "gt") is scorer.form("Weber.", "gt")
    assert scorer.score("Weber", "Webr") == scorer.score("Weber", "Webr") == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("method", "gt", "model", "expected"),
    [
        ("text", "Rossi | Bianchi | Verdi", "verdi | Rossi. | Bianchi", 1.0),
        ("text", "Rossi | Bianchi | Verdi", "Rossi | Bianchi", 0.8),
        ("text", "Rossi | Bianchi", "Rossi | Bianchi | Kuhn | Kuhn", pytest.approx(2 * 2 / 6)),
        ("text", "Rossi | Rossi", "Rossi", pytest.approx(2 / 3)),
        ("text", "Rossi", "Rosso", pytest.approx(0.8)),
        ("text", "Rossi", "", 0.0),
        ("text", "", "Rossi", None),
        ("text", "? | ,", "Rossi", None),
        ("text", "Rossi", ".", 0.0),
        ("text", r"a \| b", "a | b", pytest.approx(0.4 / 3)),
        ("text", r"a\|b | c", r"c | a\|b", 1.0),
        ("name", "An?a | Bruno", "Bruno | Anna", 1.0),
        ("place", "S. Angelo | Udine", "Sant'Angelo", pytest.approx(2 / 3)),
        ("date", "May 09 1769", "May 9 1769", 1.0),
        ("count", "1 | 02", "2 | 1", 1.0),
        ("count", "10 | 2", "1 | 2", 0.5),
        ("flag", "Y | N", "N | Y", 1.0),
    ],
)
def test_lists_score_the_best_matching_of_their_entries(method: str, gt: str, model: str, expected: float | None):
    assert score(method, gt, model, name="f[]") == expected


@pytest.mark.parametrize(
    ("model", "expected"), [("a | b | c", 1.0), ("c | b | a", pytest.approx(1 / 3)), ("b | c | a", pytest.approx(2 / 3))]
)
def test_a_list_whose_order_is_kept(model: str, expected: float):
    scorer = FieldScorer(Field("f[]", order="kept"), NO_RULES_FILE)
    assert scorer.score("a | b | c", model) == expected
    assert scorer.agree("a | b | c", model) is (expected == 1.0)


def test_lists_agree_whatever_their_order():
    scorer = FieldScorer(Field("f[]"), NO_RULES_FILE)
    assert scorer.form("Rossi. | bianchi", "gt") == scorer.form("Bianchi | Rossi", "model") == "bianchi | rossi"
    assert scorer.agree("Rossi | Bianchi", "bianchi|rossi")
    assert not scorer.agree("Rossi | Bianchi", "Rossi")


def test_a_rule_of_a_list_is_applied_to_each_entry():
    made = {"fields": [("kuhn", "verdi", "f[]")]}
    assert score("text", "Rossi | Verdi", "Kuhn | Rossi", name="f[]", **made) == 1.0


@pytest.mark.parametrize(
    ("gt", "model", "blank", "lacks"),
    [
        ('{"a": 1}', "x", "unscorable", True),
        ("x", '["a", "b"]', "unscorable", True),
        ('{"a": 1}', "", "unscorable", True),
        ('{"a": 1}', '{"a": 1}', "unscorable", True),
        ("", '{"a": 1}', "unscorable", False),
        ("", '{"a": 1}', "wrong", True),
        ("x", "[sic]", "unscorable", False),
    ],
)
def test_a_nested_value_is_never_scored(gt: str, model: str, blank: str, lacks: bool):
    scorer = FieldScorer(Field("f", "text", blank), NO_RULES_FILE)  # type: ignore[arg-type]
    assert scorer.lacks_path(gt, model) is lacks
    assert (scorer.score(gt, model) is None) is (lacks or not gt)
