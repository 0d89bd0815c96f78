"""A question set is data; what is wrong with it is said in a sentence."""

from pathlib import Path

import pytest

from scoring.foundations.problems import InputError
from scoring.questions.matching.question_set import Condition, read_questions
from tests.shared import ROOT

FIRST = '[[question]]\nid = "Q1"\ntype = "boolean"\ntext = "?"\n'


def read(tmp_path: Path, text: str) -> object:
    path = tmp_path / "questions.toml"
    path.write_text(text, encoding="utf-8")
    return read_questions(path)


def test_the_published_set() -> None:
    found = read_questions(ROOT / "questions" / "questions.toml")
    assert found.ids == tuple(f"Q{number}" for number in range(1, 23))
    types: dict[str, list[str]] = {}
    for question in found.questions:
        types.setdefault(question.type, []).append(question.id)
    assert types == {
        "boolean": ["Q1", "Q3", "Q4", "Q6", "Q21"],
        "integer": ["Q2", "Q7", "Q8", "Q9", "Q11", "Q13", "Q14", "Q15", "Q16", "Q18", "Q19"],
        "paired_integer": ["Q17", "Q20"],
        "string": ["Q5"],
        "text_array": ["Q10", "Q12", "Q22"],
    }
    by_id = {question.id: question for question in found.questions}
    assert {name: by_id[name].condition for name in ("Q2", "Q5", "Q21")} == {
        "Q2": Condition("Q1", "Y"),
        "Q5": Condition("Q4", "Y"),
        "Q21": Condition("Q19", "0", negated=True),
    }
    assert sum(question.condition is not None for question in found.questions) == 3
    assert [question.id for question in found.questions if question.illegible] == types["boolean"]
    assert {question.id: question.words for question in found.questions if question.words} == {"Q10": 2, "Q12": 2}
    assert [by_id[name].order for name in types["text_array"]] == ["free", "free", "document"]
    assert found.rule_fields == ("Q5", "Q10", "Q12", "Q22")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no questions"),
        ("[[question]]\n", "has the id None"),
        ("x = ", "not readable TOML"),
        (FIRST + FIRST, "two questions have the id Q1"),
        (FIRST.replace("boolean", "bool"), "`type` of Q1 is 'bool'"),
        (FIRST.replace("text =", "txt ="), "Did you mean `text`"),
        (FIRST.replace('"?"', '" "'), "Q1 has no text"),
        (FIRST + 'asked_when = "Q0 is Y"\n', "depending on Q0, which is no earlier question"),
        (FIRST + 'asked_when = "whenever"\n', "`asked_when` of Q1"),
        (FIRST + "words = 2\n", "no text"),
        (FIRST + 'order = "free"\n', "no text_array"),
        (FIRST + "illegible = 1\n", "true or false"),
        (FIRST.replace("boolean", "integer") + "illegible = true\n", "ordinary wrong answer"),
        (FIRST.replace("boolean", "string") + "words = 0\n", "whole number from 1"),
        (FIRST + 'blank_blank = "maybe"\n', "`blank_blank` of Q1"),
        ("review_below = 2\n" + FIRST, "`review_below`"),
        ("titel = 'x'\n" + FIRST, "Did you mean `title`"),
    ],
)
def test_faults_are_sentences(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=r"questions\.toml(:1)?: ") as fault:
        read(tmp_path, text)
    assert said in str(fault.value)


def test_no_set(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no question set"):
        read_questions(tmp_path / "questions.toml")


def test_conditions_in_both_spellings(tmp_path: Path) -> None:
    second = FIRST.replace("Q1", "Q2")
    for written, negated in (("Q1 is Y", False), ("Q1 = Y", False), ("Q1 is not Y", True), ("Q1 != Y", True)):
        found = read(tmp_path, f'{FIRST}{second}asked_when = "{written}"\n')
        assert found.questions[1].condition == Condition("Q1", "Y", negated)  # type: ignore[attr-defined]
