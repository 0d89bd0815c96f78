"""Every case whose values come from real R, bit for bit."""

import json

import pytest

from scoring.records.measures.accuracy import accuracy
from scoring.records.measures.figures import NAMES
from tests.shared import shared


def cases() -> list[str]:
    try:
        return sorted(json.loads(shared("data", "eco", "expected.json").read_text()))
    except pytest.skip.Exception:
        return ["(absent)"]


@pytest.mark.parametrize("name", cases())
def test_equals_r_bit_for_bit(name):
    case = json.loads(shared("data", "eco", "expected.json").read_text())[name]
    eco = shared("data", "eco")
    result = accuracy(
        eco / "db" / case["db"],
        case["document_ids"],
        eco / "schemas" / case["schema_file"] if case["schema_file"] else None,
        folder=eco / "cwd" / case["cwd"],
    )
    expected = case["expected"]
    assert list(result.ecoextract) == list(NAMES) + (["message"] if "message" in expected else [])
    assert json.dumps(result.ecoextract) == json.dumps(expected)
    assert len(result.notes) >= len(case["r_console"])
    literal = case.get("accuracy_md_literal")
    if literal:
        values = result.schema_values
        assert {key: values[key] for key in literal} == literal
