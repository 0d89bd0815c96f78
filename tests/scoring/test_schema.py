"""What a record is (`docs/method.md#material`): declared in JSON Schema, or by the header of the ground truth."""

import json
from pathlib import Path

import pytest

from scoring.foundations.problems import InputError
from scoring.workspace.schema import Field, Schema, default_schema, read_schema, schema_of
from tests.shared import ROOT

REGISTER = (
    *("name", "title", "arrival_date", "departure_date", "place_of_stay", "place_of_origin"),
    *("with_spouse", "with_siblings", "children_count"),
)


def declared(properties: object, **more: object) -> Schema:
    return schema_of({"properties": properties, **more}, "schema.json")


def test_without_a_schema_the_registers_names_take_its_methods():
    schema = default_schema(REGISTER)
    assert [field.method for field in schema.fields] == ["name", "text", "date", "date", "place", "place", "flag", "flag", "count"]
    assert [field.name for field in schema.fields if field.blank == "wrong"] == ["title"]
    assert schema.key == ("name",)
    assert schema.names == REGISTER
    assert [field.name for field in schema.scored] == list(REGISTER[1:])


def test_without_a_schema_the_first_column_is_the_key_and_all_else_is_text():
    schema = default_schema(("person", "trade", "title"))
    assert schema.fields == (Field("person", "name"), Field("trade"), Field("title", "text", "wrong"))
    assert schema.key == ("person",)
    assert default_schema(()) == Schema((), ())


def test_a_flat_schema():
    schema = declared(
        {
            "who": {"type": "string", "x-key": True},
            "when": {"x-method": "date"},
            "rank": {"x-blank": "wrong"},
            "open": True,
        }
    )
    assert schema.fields == (Field("who", "name"), Field("when", "date"), Field("rank", "text", "wrong"), Field("open"))
    assert (schema.key, schema.rule_field) == (("who",), "who")
    assert schema.key_text({"who": "Anna", "when": ""}) == "Anna"


def test_the_ecoextract_nesting():
    fields = {"given": {}, "family": {}, "place": {"x-method": "place"}}
    body = {"type": "object", "x-unique-fields": ["given", "family"], "properties": fields}
    schema = schema_of({"properties": {"records": {"type": "array", "items": body}}}, "schema.json")
    assert schema.key == ("given", "family")
    assert schema.rule_field == "name"
    assert schema.key_text({"given": "Anna", "family": "Serri"}) == "Anna Serri"
    assert schema.key_text({"given": "", "family": "Serri"}) == "Serri"
    assert [field.name for field in schema.scored] == ["place"]


def test_a_field_may_be_called_records():
    assert declared({"records": {"type": "string"}}).names == ("records",)


@pytest.mark.parametrize(
    ("properties", "more", "key"),
    [
        ({"a": {}, "b": {"x-key": True}}, {"x-unique-fields": ["a"]}, ("b",)),
        ({"a": {}, "b": {}}, {"x-unique-fields": ["b", "a", "b"]}, ("b", "a")),
        ({"a": {}, "b": {"x-method": "name"}}, {}, ("b",)),
        ({"a": {}, "b": {}}, {}, ("a",)),
        ({"a": {"x-key": False}, "b": {}}, {}, ("a",)),
    ],
)
def test_which_field_is_the_key(properties: object, more: dict[str, object], key: tuple[str, ...]):
    assert declared(properties, **more).key == key


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ([], "declares no fields"),
        ({}, "declares no fields"),
        ({"properties": {}}, "declares no fields"),
        ({"properties": {"records": {"items": {}}}}, "declares no fields"),
        ({"properties": {"a": {"x-method": "nmae"}}}, "field 'a' has x-method 'nmae'"),
        ({"properties": {"a": {"x-method": ["name"]}}}, "has x-method"),
        ({"properties": {"a": {"x-blank": "zero"}}}, "field 'a' has x-blank 'zero'"),
        ({"properties": {"a": {"x-key": "yes"}}}, "field 'a' has x-key 'yes'"),
        ({"properties": {"a[]": {"x-order": "fixed"}}}, "field 'a[]' has x-order 'fixed'"),
        ({"properties": {"a": {"x-order": "kept"}}}, "field 'a' has x-order and is no list"),
        ({"properties": {"a[]": {"x-key": True}, "b": {}}}, "'a[]' is a list, and a record is matched by one name"),
        ({"properties": {"a[]": {}, "b": {}}, "x-unique-fields": ["b", "a[]"]}, "'a[]' is a list"),
        ({"properties": {"a[]": {}}}, "every field is a list"),
        ({"properties": {"a": {"x-key": True}, "b": {"x-key": True}}}, "all marked x-key"),
        ({"properties": {"a": {}}, "x-unique-fields": ["b"]}, "names 'b', which is no field"),
        ({"properties": {"a": {}}, "x-unique-fields": "a"}, "must be a list of field names"),
        ({"properties": {"a": {}}, "x-unique-fields": [1]}, "must be a list of field names"),
    ],
)
def test_faults_are_sentences(document: object, says: str):
    with pytest.raises(InputError, match=r"schema\.json: ") as fault:
        schema_of(document, "schema.json")
    assert says in str(fault.value)


def test_names_are_cleaned():
    assert default_schema(("name\u00a0", "arrival\u00a0date", "arrival date", "x\u200b")).names == ("name", "arrival date", "x")
    schema = declared({"a\u00a0b": {}, "c\u200b": {}}, **{"x-unique-fields": ["c\u200b"], "x-aliases": {"d": "a\u00a0b"}})
    assert (schema.names, schema.key, schema.aliases) == (("a b", "c"), ("c",), {"d": "a b"})


def test_paths_through_a_list_are_lists():
    schema = declared(
        {"author[].family": {"x-order": "kept", "x-method": "name"}, "place.country": {}, "title": {}, "tags[]": {"x-order": "free"}}
    )
    assert [field.is_list for field in schema.fields] == [True, False, False, True]
    assert [field.order for field in schema.fields] == ["kept", "free", "free", "free"]
    assert [field.identity[2:] for field in schema.fields] == [["unscorable", "kept"], ["unscorable"], ["unscorable"], ["unscorable"]]
    assert schema.key == ("place.country",)
    assert default_schema(("author[].family", "title")) == Schema((Field("author[].family"), Field("title", "name")), ("title",))
    assert default_schema(("a[]",)).key == ()


def test_the_schema_of_the_page_is_read():
    page = (ROOT / "docs/schema.md").read_text(encoding="utf-8")
    lines = [line for line in page.splitlines() if line.startswith("    ")]
    schema = schema_of(json.loads("\n".join(lines)), "schema.json")
    assert (schema.key, schema.record.many) == (("shelfmark",), "letters")
    assert [(field.name, field.order) for field in schema.fields if field.is_list] == [
        ("sender_persons[]", "free"),
        ("author[].family", "kept"),
    ]


def test_reading(tmp_path: Path):
    path = tmp_path / "schema.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"properties": {"a": {}}}).encode())
    assert read_schema(path).names == ("a",)
    for content, says in (
        (b'{"properties":\n{', "schema.json:2: the schema is not readable JSON"),
        (b"\xff\xfe", "not readable JSON"),
        (b'{"a": 1, "a": 2}', "'a' is given twice"),
        (b"[" * 100_000, "not readable JSON"),
    ):
        path.write_bytes(content)
        with pytest.raises(InputError) as fault:
            read_schema(path)
        assert says in str(fault.value)
