"""Paths into nested records, and lists as the text of a cell."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.paths import is_list, is_nested, leaf_paths, list_entries, list_text, nested_text, parsed_nested, steps_of


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("author[].family", ("author", "[]", "family")),
        ("place.country", ("place", "country")),
        ("authors[]", ("authors", "[]")),
        ("Sent By.Place-Name[].geo id", ("sent by", "place name", "[]", "geo id")),
        ("name", None),
        ("no. of children", None),
        ("d.o.b.", None),
        ("d..b", None),
        (".a", None),
        ("[]", None),
        ("a[][]", None),
        ("a[0].b", None),
        ("", None),
    ],
)
def test_steps(name: str, steps: tuple[str, ...] | None):
    assert steps_of(name) == steps
    assert is_list(name) is (steps is not None and "[]" in steps)


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", ()),
        ("Rossi", ("Rossi",)),
        ("Rossi|Bianchi", ("Rossi", "Bianchi")),
        (" Rossi |  | Bianchi | ", ("Rossi", "Bianchi")),
        (r"a\|b | c", ("a|b", "c")),
        ("a\\ | b", ("a\\", "b")),
        ("Rossi; Bianchi", ("Rossi; Bianchi",)),
    ],
)
def test_a_bar_divides_a_list(text: str, entries: tuple[str, ...]):
    assert list_entries(text) == entries


@given(st.lists(st.text(alphabet="ab|\\ [{é", min_size=1).map(str.strip).filter(bool)))
def test_a_list_is_written_and_read_without_loss(entries: list[str]):
    assert list_entries(list_text(entries)) == tuple(entries)


@pytest.mark.parametrize(
    ("text", "nested"),
    [
        ('{"a": 1}', True),
        ('[{"a": 1}]', True),
        ('["a", "b"]', True),
        ("[1, 2]", True),
        ("['a', 'b']", True),
        ("{'a': None}", True),
        ("[1769]", False),
        ('["a"]', False),
        ("[sic]", False),
        ("[sic] Rossi", False),
        ("[...]", False),
        ("{}", False),
        ("[]", False),
        ('["a", "b"', False),
        ("['\\d', 'b'", False),
        ("Rossi", False),
        ("", False),
        ("[" * 50_000, False),
        ("[" * 50_000 + "]" * 50_000, False),
        ("{'a':" * 5_000, False),
    ],
)
def test_a_text_that_holds_a_nested_value(text: str, nested: bool):
    assert is_nested(text) is nested


def test_a_nested_value_too_long_for_a_cell_is_still_nested():
    text = nested_text({"a": "x" * 200_000})
    assert len(text) < 2000
    assert parsed_nested(text) == {"too long": '{"a": "' + "x" * 993}


def test_paths_of_the_plain_values():
    value = {"author": [{"family": "A", "given": None}, {"given": "B", "born": {"year": 1}}], "tags": ["x", "y"], "a.b": 1, "m": [[1]]}
    assert [*dict.fromkeys(leaf_paths(value["author"], "author"))] == ["author[].family", "author[].given", "author[].born.year"]
    assert [*dict.fromkeys(leaf_paths(value, "r"))][3:] == ["r.tags[]"]
    deep: object = 1
    for _ in range(40):
        deep = {"a": deep}
    assert list(leaf_paths(deep, "a")) == []


@given(
    st.recursive(
        st.none() | st.text(max_size=3) | st.integers(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_every_path_proposed_is_a_path(value: object):
    for path in leaf_paths(json.loads(json.dumps(value)), "top"):
        assert path == "top" or steps_of(path) is not None
