"""Character references left in cells."""

import html
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tables.references import References
from tests.scoring.tables.inputs import read, told

HTML, JSON = "HTML entities decoded", "\\u escapes decoded"


@pytest.mark.parametrize(
    ("text", "decoded", "note"),
    [
        ("Serri &amp; figli", "Serri & figli", HTML),
        ("Andr&#233; &#xE9;", "André é", HTML),
        ("Andr&eacute;", "André", HTML),
        ("&amp;eacute;", "&eacute;", HTML),
        ("Serri & figli", "Serri & figli", None),
        ("AT&T; &notaname; &amp &#233", "AT&T; &notaname; &amp &#233", None),
        (r"Andr\u00e9", "André", JSON),
        (r"\ud83d\ude00", "\U0001f600", JSON),
        (r"C:\users \u00", r"C:\users \u00", None),
        (r"&amp; \u00e9", "& é", f"{HTML}; {JSON}"),
    ],
)
def test_references_are_decoded_once(text: str, decoded: str, note: str | None):
    assert References(["Anna & Co."]).decode(text) == (decoded, note)


@pytest.mark.parametrize("held", ["Serri &amp; figli", "&#38;"])
def test_entities_stay_where_the_ground_truth_holds_them(held: str):
    assert References(["x", held]).decode(r"&amp; \u00e9") == ("&amp; é", JSON)


def test_escapes_stay_where_the_ground_truth_holds_them():
    assert References([r"16\u00b0"]).decode(r"&amp; \u00e9") == (r"& \u00e9", HTML)


@given(st.text(st.characters(exclude_characters="\\")))
def test_escaped_html_comes_back(text: str):
    assert References([]).decode(html.escape(text))[0] == text


@given(st.text(st.sampled_from("&#;xamp\\u00e9d8")))
def test_any_text_is_decoded_without_a_fault(text: str):
    References([]).decode(text)


def test_cells_of_a_run(tmp_path: Path):
    answer = [
        {"name": "Serri &amp; figli", "origin": "Padua&#8203;", "guests": "&nbsp;3&#x202e;"},
        {"name": "B", "origin": ["&lt;unknown&gt;"]},
    ]
    gt = {"1": "name,origin,guests\nSerri & figli,Padua,3\n"}
    material = read(tmp_path, {"m/p/run_1/page_1.json": answer}, gt)
    assert [dict(row.values) for row in material.runs[0].pages["1"].rows] == [
        {"name": "Serri & figli", "origin": "Padua", "guests": "3"},
        {"name": "B", "origin": "", "guests": ""},
    ]
    where = "repair: runs/m/p/run_1/page_1.json (page 1, row"
    assert told(material.problems)[:2] == [
        f"{where} 1): `name`: HTML entities decoded",
        f"{where} 1): `origin`: HTML entities decoded; zero-width or direction characters removed",
    ]


def test_the_ground_truth_itself_stays(tmp_path: Path):
    gt = {"1": "name,origin,guests\nSerri &amp; figli,Padua,3\n"}
    material = read(tmp_path, {"m/p/run_1/page_1.json": [{"name": "Serri &amp; figli", "origin": "P", "guests": "3"}]}, gt)
    assert material.pages[0].rows[0].values["name"] == "Serri &amp; figli"
    assert material.runs[0].pages["1"].rows[0].values["name"] == "Serri &amp; figli"
    assert material.problems == ()
