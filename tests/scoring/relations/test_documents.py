import json
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scoring.relations.inputs.documents import line_fault, read_documents, schema, sound_record, split_lines
from tests.scoring.relations.builders import document, jsonl, pair

VALIDATOR = Draft202012Validator(schema())
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.just("true"),
    st.just("POSSIBLE"),
    st.just(""),
    st.just([1]),
    st.just({}),
    st.text(max_size=3),
)


@st.composite
def mutated(draw):
    held = document("d", [pair("a", "b"), pair("c", "d", "PROBABLE", at_explanation="x")])
    for _ in range(draw(st.integers(0, 3))):
        place = (
            draw(
                st.sampled_from(
                    [
                        held,
                        held["media"] if isinstance(held.get("media"), dict) else held,
                        *[p for p in held.get("sampled_pairs") or [] if isinstance(p, dict)],
                    ]
                )
            )
            if isinstance(held.get("sampled_pairs"), list)
            else held
        )
        key = draw(st.sampled_from([*place, "extra"]))
        if draw(st.booleans()):
            place.pop(key, None)
        else:
            # A copy: what is drawn here may itself be changed in the next turn, and must not be in the next test case.
            place[key] = deepcopy(draw(st.one_of(ODD, st.sampled_from([["x", "x"], ["x"], "TRUE", "1905-13-45"]))))
    return held


@settings(max_examples=400, deadline=None)
@given(mutated())
def test_the_fast_reading_and_the_schema_agree_on_every_line(held):
    line = json.dumps(held, ensure_ascii=False)
    legal = VALIDATOR.is_valid(held)
    assert (sound_record(line) is not None) == legal
    fault = line_fault(1, line)
    assert (fault is None) == legal
    if fault:
        assert len(fault.violations) == len(list(VALIDATOR.iter_errors(held)))


def test_the_shipped_schema_is_a_schema():
    Draft202012Validator.check_schema(schema())


def test_lines_end_at_newlines_alone_and_blank_ones_are_counted(tmp_path):
    assert split_lines("a\r\nb\rc\u2028d\u0085e\x0bf\n\ng") == ("a\n", "b\n", "c\u2028d\u0085e\x0bf\n", "\n", "g")
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\n" + jsonl([document("one")]).encode() + b" \t\r" + jsonl([document("two")]).encode())
    assert [(number, record.document_id) for number, record in read_documents(path).records] == [(2, "one"), (4, "two")]


@pytest.mark.parametrize("date", ["", "NA", "1756", "1905-13-45", "some day", None])
def test_any_text_is_a_date(date):
    assert sound_record(json.dumps(document(date=date))) is not None


def test_a_date_that_is_no_text_is_refused_in_the_official_words():
    fault = line_fault(1, json.dumps(document(date=1905)))
    assert fault.official == "1905 is not valid under any of the given schemas"


def test_every_violation_is_named_with_document_pair_ids_and_value():
    held = document("d9", [pair("a", "b"), pair("c", "d", at="POSSIBLE", is_at="PROBABLE")])
    del held["text"]
    fault = line_fault(7, json.dumps(held))
    assert fault.official == "'text' is a required property"
    said = [str(violation) for violation in fault.violations]
    assert len(said) == 3
    assert "document 'd9': 'text' is missing" in said
    assert any("pair 2 (c / d), at" in one and '"POSSIBLE"' in one and "TRUE, FALSE, PROBABLE, null" in one for one in said)
    assert any("isAt" in one and '"PROBABLE"' in one and "TRUE, FALSE, null" in one for one in said)


def test_not_utf8_is_an_error_like_others_with_its_offset(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"document_id": "a"}\n{"x": "\xe9"}\n')
    file = read_documents(path)
    assert not file.sound
    assert "0xe9 at offset 28 (line 2)" in file.unreadable


def test_a_byte_order_mark_is_refused_unless_accepted(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + jsonl([document("one")]).encode())
    assert "BOM" in read_documents(path).faults[0].official
    assert read_documents(path, accept_bom=True).records[0][1].document_id == "one"


def test_lone_surrogates_and_nan_in_extra_keys_are_read_by_the_slow_way(tmp_path):
    path = tmp_path / "x.jsonl"
    line = json.dumps(document("one"))[:-1] + ', "x": NaN, "y": "\\ud800"}\n'
    path.write_text(line)
    assert read_documents(path).records[0][1].document_id == "one"


def test_deep_nesting_is_a_fault_not_a_crash(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text("[" * 100_000 + "\n")
    assert not read_documents(path).sound
