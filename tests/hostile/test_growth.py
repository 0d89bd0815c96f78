"""A reader's time grows with the text, no faster, whatever the text is made of; and the lenient reader reads strict JSON as it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hostile import BEGINNINGS, FIELDS, UNITS, grows
from scoring.answers import parse_json, parse_records
from scoring.answers.lenient import LenientReader
from scoring.rules.parse import parse
from scoring.texts.csv_tables import column_names

CULPRITS = ('{\\"', "\u2018\n", "\u00ab\n", '\\"', "{a}\n", "{\u2018\n}")
"""What once held a reader up."""


@pytest.mark.parametrize("beginning", BEGINNINGS, ids=ascii)
def test_no_repeated_text_holds_the_reader_of_answers_up(beginning: str):
    for unit in (*UNITS, *CULPRITS):
        assert grows(lambda text: parse_records(text, "txt", FIELDS), beginning, unit) is None, ascii(unit)
    assert grows(lambda text: parse_records(text, "csv", FIELDS), beginning, ",") is None


@pytest.mark.parametrize("unit", ["|", "`", "a|", "|-|-|\n", "> ", "- ", "<!--", "# 1\n"], ids=ascii)
def test_no_repeated_text_holds_the_reader_of_rules_up(unit: str):
    assert grows(lambda text: parse(text), "| token | field |\n|---|---|\n", unit) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(JSON) | st.dictionaries(st.text(), JSON), st.booleans(), st.sampled_from([None, 1]))
def test_strict_json_is_read_alike_by_both_readers(value: object, escaped: bool, indent: int | None):
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    reader = LenientReader(text)
    assert reader.read(0) == json.loads(text)
    assert (reader.end, reader.cut, dict(reader.notes)) == (len(text), False, {})


def test_the_reader_of_many_broken_objects_finds_the_last_one():
    parsed = parse_json("{a:x}\n" * 500 + '{"name": "Anna"}')
    assert parsed is not None
    assert parsed.value[-1] == {"name": "Anna"}


@given(st.lists(st.sampled_from(["", "a", "b", "column 2", "a (column 2)", "a (column 3)", " a"]), max_size=8))
def test_columns_have_as_many_names_as_there_are_and_each_once(header: list[str]):
    names, _ = column_names(header)
    assert len(names) == len(set(names)) == len(header)
