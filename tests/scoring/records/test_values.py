"""Values typed by the schema: what is stored, what is refused, what counts as the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.foundations.problems import InputError
from scoring.records.inputs.fields import default_schema, review_schema, schema_from, severity_schema
from scoring.records.inputs.values import cell_text, r_number, same_value, type_fault, typed, typed_text, value_of


def field(**declared):
    items = {"properties": {"f": declared}, "required": declared.pop("required", [])}
    return schema_from({"properties": {"records": {"items": items}}}, "test").by_name["f"]


@pytest.mark.parametrize(
    ("declared", "given", "stored"),
    [
        ({"type": ["integer", "null"]}, "12", 12),
        ({"type": ["integer", "null"]}, " -3 ", -3),
        ({"type": ["integer", "null"]}, "1e3", 1000),
        ({"type": ["integer", "null"]}, "", None),
        ({"type": ["integer", "null"]}, "   ", None),
        ({"type": ["number", "null"]}, "7", 7.0),
        ({"type": ["number", "null"]}, "1.25", 1.25),
        ({"type": ["boolean", "null"]}, "Yes", 1),
        ({"type": ["boolean", "null"]}, False, 0),
        ({"type": ["string", "null"]}, "12", "12"),
        ({"type": ["string", "null"]}, "  two  ", "  two  "),
        ({"type": ["string", "integer"]}, "12", 12),
        ({"type": ["string", "integer"]}, "12-14", "12-14"),
        ({"type": "array", "items": {"type": "string"}}, "a\n b \n", '["a","b"]'),
        ({"type": "array", "items": {"type": "string"}}, '["a", "ü"]', '["a","ü"]'),
        ({"type": "array", "items": {"type": "string"}}, None, "[]"),
        ({"type": ["object", "null"]}, '{"lat": 1}', '{"lat":1}'),
        ({"enum": ["a", "b", None], "type": ["string", "null"]}, "b", "b"),
        ({"type": "string", "format": "date"}, "2026-02-28", "2026-02-28"),
    ],
)
def test_stored(declared, given, stored):
    found = typed(field(**declared), given)
    assert (found, type(found)) == (stored, type(stored))


@pytest.mark.parametrize(
    ("declared", "given"),
    [
        ({"type": ["integer", "null"]}, "12-14"),
        ({"type": ["integer", "null"]}, "1.5"),
        ({"type": ["integer", "null"]}, "1_000"),
        ({"type": ["integer", "null"]}, True),
        ({"type": ["integer", "null"]}, str(2**63)),
        ({"type": ["number", "null"]}, "nan"),
        ({"type": ["number", "null"]}, "inf"),
        ({"type": ["boolean", "null"]}, "maybe"),
        ({"type": "string"}, ""),
        ({"type": "string"}, 5),
        ({"type": "string"}, "\ud800"),
        ({"type": "array", "items": {"type": "string"}}, "[1]"),
        ({"type": "array", "items": {"type": "integer"}}, "x"),
        ({"enum": ["a"], "type": ["string", "null"]}, "c"),
        ({"type": ["integer", "null"], "minimum": 0}, "-1"),
        ({"type": "string", "format": "date"}, "2026-02-30"),
    ],
)
def test_refused(declared, given):
    with pytest.raises(InputError, match="the field f"):
        typed(field(**declared), given)


def test_a_broken_declaration_is_said():
    with pytest.raises(InputError, match="broken"):
        typed(field(type="string", pattern="("), "x")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1e5, "1e+05"), (123456.0, "123456"), (0.1 + 0.2, "0.3"), (1e-5, "1e-05"), (1e-4, "1e-04"), (0.00012, "0.00012"), (7.0, "7"),
        (1.5, "1.5"), (-2.25, "-2.25"), (1e22, "1e+22"), (1e100, "1e+100"), (0.0, "0"), (float("inf"), "Inf"), (1234567.8, "1234567.8"),
        (3e5, "3e+05"), (300001.0, "300001"), (1 / 3, "0.333333333333333"),
    ],
)  # fmt: skip
def test_numbers_as_r_writes_them(number, text):
    assert r_number(number) == text


@given(st.floats(-1e300, 1e300))
def test_a_number_as_r_writes_it_reads_back_to_fifteen_digits(number):
    assert float(r_number(number)) == pytest.approx(number, rel=1e-14, abs=5e-324)


def test_the_same_and_not_the_same():
    tags = field(type="array", items={"type": "string"})
    assert same_value(tags, '["a", "b"]', '["a","b"]')
    assert not same_value(tags, '["a","b"]', '["b","a"]')
    assert same_value(None, 10, 10.0)
    assert not same_value(None, None, "")
    assert same_value(None, None, None)


def test_faults_of_stored_values():
    assert type_fault(field(type=["integer", "null"]), "many") == "not a whole number"
    assert type_fault(field(type=["integer", "null"]), None) is None
    assert type_fault(field(type="string"), None) == "empty, and may not be"
    assert "is not one of" in type_fault(field(type="string", enum=["a"]), "b")
    assert type_fault(field(type="array", items={"type": "string"}), '["a"]') is None
    assert type_fault(field(type="array", items={"type": "string"}), "broken [") == "not a list"
    assert type_fault(field(type=["boolean", "null"]), 1) is None


@given(st.text())
def test_any_text_typed_into_a_text_field_comes_back_as_it_was(text):
    entry = field(type=["string", "null"])
    if any("\ud800" <= character <= "\udfff" for character in text):
        with pytest.raises(InputError):
            typed(entry, text)
    else:
        assert (typed(entry, text) or "") == text


@given(st.one_of(st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.lists(st.text(st.characters(exclude_categories=["Cs"])))))
def test_what_is_stored_reads_back_as_the_same_value(value):
    kind = {bool: "boolean", int: "integer", list: "array", type(None): "string"}[type(value)]
    entry = field(type=[kind, "null"])
    assert value_of(entry, typed(entry, value)) == value


def test_texts_for_people():
    assert [typed_text(value) for value in (True, ["a", "b"], None, 5, {"a": 1})] == ["yes", "a\nb", "", "5", '{"a": 1}']
    assert cell_text(b"\x00\xff") == "00ff"


def test_schema_look_up(tmp_path):
    assert severity_schema(None, tmp_path)[0] == default_schema()
    assert severity_schema(tmp_path / "none.json", tmp_path)[0] is None
    (tmp_path / "schema.json").write_text('{"properties": {"records": {"items": {"properties": {"a": {"type": "string"}}}}}}')
    assert severity_schema(None, tmp_path)[0] == default_schema()
    assert review_schema(None, tmp_path / "x.db", ("a", "b")).names == ("a",)
    assert review_schema(None, tmp_path / "x.db", ("b",)) is None
    assert review_schema(None, tmp_path / "x.db", default_schema().names).names == default_schema().names
    with pytest.raises(InputError, match="declares none"):
        review_schema(tmp_path / "schema.json", tmp_path / "x.db", ("b",))
