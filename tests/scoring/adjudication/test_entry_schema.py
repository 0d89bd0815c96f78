"""The JSON Schema that ships says what the reader does, and every example line of docs/log.md is an entry."""

import json
import re
from pathlib import Path

import jsonschema
import pytest

import scoring.adjudication
from scoring.adjudication.decisions import LogEntry, encode
from scoring.adjudication.log.read import decode
from scoring.questions.cases import queues as questions
from scoring.records.inputs import operations
from scoring.relations.cases import queues as relations
from scoring.tables.cases import queues as tables
from tests.scoring.adjudication.entries import entry, nth, undo
from tests.shared import ROOT

SCHEMA = json.loads((Path(scoring.adjudication.__file__).parent / "entry.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
EXAMPLES = re.findall(r"^\{.*\}$", (ROOT / "docs" / "log.md").read_text("utf-8"), flags=re.MULTILINE)
VERDICTS = {*tables.VERDICTS, *questions.VERDICTS, *relations.VERDICTS, *operations.VERDICTS, "keep", "revisit", "retract"}


def test_the_schema_is_one_and_has_the_fields_in_order():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert tuple(SCHEMA["properties"]) == LogEntry.__struct_fields__


@pytest.mark.parametrize(
    "good",
    [
        entry(1),
        undo(2, 1),
        entry(1, basis={"field": "arrival_date"}),
        entry(1, basis={"field": None}),
        entry(1, certainty=5, scope="row", run="a/b/c"),
        entry(3, resolves=(nth(1),), value={"a": [1]}, by="rule"),
    ],
)
def test_what_is_written_is_valid(good: LogEntry):
    VALIDATOR.validate(json.loads(encode(good)))
    assert decode(encode(good))[0] == good


CHANGES: list[dict[str, object]] = [
    {"schema": 2},
    {"schema": 0},
    {"id": "1"},
    {"id": nth(1).upper()},
    {"at": "yesterday"},
    {"verifier": "a b"},
    {"by": "ghost"},
    {"blind": None},
    {"task": ""},
    {"case": None},
    {"verdict": "retract"},
    {"retracts": nth(0)},
    {"targets": "gt:28:4"},
    {"note": 3},
    {"certainty": 6},
    {"certainty": 0},
    {"scope": "page"},
    {"scope": "row"},
    {"scope": "row", "run": ""},
    {"basis": []},
    {"basis": {"field": 3}},
    {"basis": {"field": ["arrival_date"]}},
    {"resolves": ["x"]},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_what_the_reader_refuses_the_schema_refuses(change: dict[str, object]):
    wrong = json.loads(encode(entry(1))) | change
    assert decode(json.dumps(wrong).encode())[0] is None
    assert not VALIDATOR.is_valid(wrong)


@pytest.mark.parametrize("missing", ["id", "at", "verifier", "task", "case", "verdict"])
def test_what_must_be_there(missing: str):
    wrong = json.loads(encode(entry(1)))
    del wrong[missing]
    assert decode(json.dumps(wrong).encode())[0] is None
    assert not VALIDATOR.is_valid(wrong)


def test_unknown_keys_are_accepted():
    line = encode(entry(1))[:-1] + b',"later": {"x": 1}}'
    assert decode(line)[0] == entry(1)
    VALIDATOR.validate(json.loads(line))


@pytest.mark.parametrize("line", EXAMPLES)
def test_the_examples_of_the_docs_are_lines_of_the_log(line: str):
    found, reason = decode(line.encode())
    assert found is not None, reason
    VALIDATOR.validate(json.loads(line))
    assert encode(found) == json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")).encode()


def test_every_verdict_has_an_example():
    shown = [json.loads(line) for line in EXAMPLES]
    assert {line["verdict"] for line in shown} == VERDICTS
    assert any(line["resolves"] for line in shown)
    assert len({line["id"] for line in shown}) == len(shown)
