"""Thinking of a model is never the answer."""

import json

import pytest

from scoring.answers import parse_records
from scoring.answers.thinking import without_thinking

FIELDS = ("name", "origin")
DRAFT = json.dumps([{"name": "Draft one"}, {"name": "Draft two"}, {"name": "Draft three"}])
ANSWER = json.dumps([{"name": "Anna Serri", "origin": "Trento"}])
ANNA = ({"name": "Anna Serri", "origin": "Trento"},)


@pytest.mark.parametrize(
    "text",
    [
        f"<think>{DRAFT}</think>\n{ANSWER}",
        f"<thinking>\nMaybe {DRAFT}?\n</thinking>{ANSWER}",
        f"<reasoning effort='high'>{DRAFT}</reasoning>\n```json\n{ANSWER}\n```",
        f"<SCRATCHPAD>{DRAFT}</SCRATCHPAD> Here:\n{ANSWER}",
        f"<think>a</think><think>{DRAFT}</think>{ANSWER}",
        f"<think>outer <think>{DRAFT}</think> still thinking {DRAFT}</think>{ANSWER}",
        f"I consider {DRAFT} first.\n</think>\n{ANSWER}",
        f"<think>{DRAFT} so the answer is\n```json\n{ANSWER}\n```",
        f"<think>{DRAFT} and in the end\n{ANSWER}",
    ],
)
def test_the_answer_is_what_stands_outside(text: str) -> None:
    found = parse_records(text, "txt", FIELDS, key=("name",))
    assert found is not None
    assert found.records == ANNA
    assert any(repair.startswith("thinking of the model passed over") for repair in found.repairs)


def test_thinking_alone_is_no_answer() -> None:
    assert parse_records(f"<think>{DRAFT}</think> I cannot read this page.", "txt", FIELDS) is None


def test_a_tag_inside_a_strict_answer_is_data() -> None:
    found = parse_records(json.dumps([{"name": "<think>"}]), "json", FIELDS)
    assert found is not None
    assert found.records == ({"name": "<think>"},)
    assert found.repairs == ()


def test_what_is_passed_over_is_counted() -> None:
    assert without_thinking("<think>12345</think>x") == ("x", ("thinking of the model passed over (20 characters)",))
    assert without_thinking("plain <b>text</b>") == ("plain <b>text</b>", ())
