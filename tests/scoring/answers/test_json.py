"""Reading answers: every kind of mess that was counted in real model output, and that nothing makes a reader raise."""

import copy
import json
import pickle
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.answers import find_records, parse_json, parse_records
from scoring.answers.lenient import LenientReader
from scoring.cells import Number, cell_text, plain_key
from scoring.decoding import decode, read_text
from scoring.problems import InputError

TWO = [{"name": "Anna Serri", "title": "Contessa"}, {"name": "Bruno Bassa", "title": None}]
FIELDS = ("name", "title", "arrival_date")


def read(text, kind="txt", fields=FIELDS):
    found = parse_records(text, kind, fields)
    assert found is not None
    return found


def said(found, words):
    return any(words in told for told in (*found.repairs, *found.warnings))


# The response as a whole


@pytest.mark.parametrize(
    ("text", "place", "repair"),
    [
        (json.dumps(TWO), "$", None),
        (json.dumps({"entries": TWO, "contains_no_content_of_requested_type": False}), "$.entries", None),
        (json.dumps({"metadata": {"page_number": 1945}, "travelers": TWO}), "$.travelers", None),
        (json.dumps({"$PARAMETER_NAME": {"entries": TWO}}), '$["$PARAMETER_NAME"].entries', None),
        ("```json\n" + json.dumps(TWO, indent=2) + "\n```", "$", "Markdown fence removed"),
        ("~~~\n" + json.dumps(TWO) + "\n~~~", "$", "Markdown fence removed"),
        ("```json\n" + json.dumps(TWO), "$", "Markdown fence that is not closed removed"),
        ("Certainly! Here's the list:\n" + json.dumps(TWO), "$", "text before the JSON passed over: Certainly! Here's the list:"),
        (
            "Certainly! [sic] {see}:\n```json\n" + json.dumps(TWO) + "\n```",
            "$",
            "text before the JSON passed over: Certainly! [sic] {see}:",
        ),
        (json.dumps(TWO) + "\nNote: this is a famous page.", "$", "text after the JSON passed over: Note: this is a famous page."),
        ("\ufeff" + json.dumps(TWO), "$", None),
        (json.dumps("```\n" + json.dumps(TWO) + "\n```"), "$", "JSON written as a text"),
        ('[{"name": "Anna Serri", "title": "Contessa",}, {"name": "Bruno Bassa", "title": null},]', "$", "trailing comma (2 times)"),
        ("[{'name': 'Anna Serri', 'title': 'Contessa'}, {'name': 'Bruno Bassa', 'title': None}]", "$", "single quotes"),
        ("[{“name”: “Anna Serri”, “title”: “Contessa”}, {“name”: “Bruno Bassa”, “title”: null}]", "$", "typographic quotes"),
        ("[{name: 'Anna Serri', title: Contessa}, {name: 'Bruno Bassa', title: null}]", "$", "key without quotes"),
        (
            '[ // all\n{"name": "Anna Serri", /* a countess */ "title": "Contessa"},\n# one more\n{"name": "Bruno Bassa", "title": null}]',
            "$",
            "comment passed over (3 times)",
        ),
        ('[{"name": "Anna Serri" "title": "Contessa"} {"name": "Bruno Bassa", "title": null}]', "$", "comma missing (2 times)"),
        (
            '{"entries": [{"name": "Anna Serri", "title": "Contessa"}, {"name": "Bruno Bassa", "title": null}}',
            "$.entries",
            "closing bracket missing",
        ),
        ('[{"name": "Anna Serri", "title": "Contessa", {"name": "Bruno Bassa", "title": null}]', "$", "closing bracket missing"),
        ('{{"name": "Anna Serri", "title": "Contessa"}, {"name": "Bruno Bassa", "title": null}}', '$[""]', "value without a key"),
        ('{"name": "Anna Serri", "title": "Contessa"}\n{"name": "Bruno Bassa", "title": null}\n', "$", "JSON Lines"),
        ('{"name": "Anna Serri", "title": "Contessa"},\n{"name": "Bruno Bassa", "title": null}', "$", "JSON Lines"),
        (
            '[{"name": "x", "name": "Anna Serri", "title": "Contessa"}, {"name": "Bruno Bassa", "title": null}]',
            "$",
            "key 'name' given twice, the last one kept",
        ),
    ],
)
def test_envelopes_and_faults(text, place, repair):
    found = read(text)
    assert list(found.records) == TWO
    assert found.found_at == place
    assert found.truncated is False
    if repair is None:
        assert found.repairs == ()
    else:
        assert said(found, repair), found.repairs


def test_another_list_outside_the_records_is_told_of_and_one_inside_is_not():
    found = read(json.dumps({"entries": [{"name": "a", "reviews": [{"name": "r"}]}, {"name": "b"}], "sections": [{"name": "s"}]}))
    assert [record["name"] for record in found.records] == ["a", "b"]
    assert found.warnings == ("another list of 1 objects at $.sections was not read",)


def test_remark_outside_the_quotes_stays_with_its_text():
    found = read('[{"people": ["Felix Faure" (President of the Republic),\n "Papa" (Pope)], "name": "Anna" }]')
    assert found.records[0] == {"people": ["Felix Faure (President of the Republic)", "Papa (Pope)"], "name": "Anna"}
    assert said(found, "remark outside the quotes, kept with the text (2 times)")


def test_quotes_inside_a_text_are_kept():
    found = read('[{"name": "the "J\'accuse" letter", "title": "n"Magd."}, {"name": "b"}]')
    assert found.records[0] == {"name": 'the "J\'accuse" letter', "title": 'n"Magd.'}
    assert said(found, "quotes inside a text")


def test_a_stray_single_quote_does_not_swallow_the_rest():
    found = read('[\n{\'name": "Anna",\n "title": "x"},\n{"name": "Bruno"}\n]')
    assert [dict(record) for record in found.records] == [{"name": "Anna", "title": "x"}, {"name": "Bruno"}]
    assert not found.truncated


def test_a_range_that_is_no_number_is_text():
    assert parse_json('{"issued": 1952-1953, "x": 3, "y": -1.5e3}').value == {"issued": "1952-1953", "x": 3, "y": -1500.0}


def test_numbers_that_json_has_not():
    parsed = parse_json('{"a": NaN, "b": -Infinity, "c": 1e999, "d": ' + "9" * 5000 + "}")
    assert parsed.value == {"a": "NaN", "b": "-Infinity", "c": "1e999", "d": "9" * 5000}
    assert any("NaN is no JSON" in repair for repair in parsed.repairs)


def test_raw_line_break_and_odd_escapes_in_a_text():
    parsed = parse_json('{"a": "Seilgraben\nA 790.", "b": "16\\°", "c": "\\ud83d\\ude00\\u00e9", "d": "it\\\'s"}')
    assert parsed.value == {"a": "Seilgraben\nA 790.", "b": "16\\°", "c": "😀é", "d": "it's"}
    assert any("line break" in repair for repair in parsed.repairs)


@pytest.mark.parametrize("text", ["", "  \n", "\ufeff", "I cannot read this page.", "I saw [illegible] and {nothing}", "See B[]rb."])
def test_nothing_readable(text):
    assert parse_json(text) is None
    assert parse_records(text, "txt", FIELDS) is None


@pytest.mark.parametrize(
    "text", ["[]", '{"contains_no_content_of_requested_type": false, "entries": []}', "There are none:\n```json\n[]\n```"]
)
def test_an_empty_list_is_an_answer(text):
    found = read(text)
    assert found.records == ()
    assert found.truncated is False


def test_a_list_of_no_objects_is_no_answer():
    assert parse_records('["Anna", "Bruno"]', "json", FIELDS) is None
    assert parse_records('{"error": "cannot read"}', "json", FIELDS) is None
    assert parse_records("42", "json", FIELDS) is None


def test_strays_among_the_records_are_told_of():
    found = read('[{"name": "a"}, "and so on", null, {"name": "b"}, ...]')
    assert [record["name"] for record in found.records] == ["a", "b"]
    assert said(found, "2 elements of the list are no objects and were left out, first 'and so on'")


def test_bounding_boxes_are_still_a_list():
    assert (
        len(read('```json\n[{"box_2d": [16, 801, 50, 830], "label": "page_number"}, {"box_2d": [1, 2, 3, 4], "label": "x"}]\n```').records)
        == 2
    )


def test_one_object_alone_is_a_record_only_when_it_looks_like_one():
    assert read('{"Name": "Anna", "arrival date": "May 1 1769"}').records == ({"Name": "Anna", "arrival date": "May 1 1769"},)
    assert parse_records('{"date": "1769", "page": 3, "name": "p"}', "json", FIELDS) is None
    assert read('{"name": "Anna", "children": []}').records == ({"name": "Anna", "children": []},)


def test_a_line_of_json_lines_that_is_none_is_passed_over():
    found = read('{"name": "a"}\n-- cut here --\n{"name": "b"}\n', "jsonl")
    assert [record["name"] for record in found.records] == ["a", "b"]
    assert said(found, "-- cut here --")


def test_truncated_as_in_a_real_answer():
    found = read('{"entries": [\n{"name": "Anna", "title": "x"},\n{"name": "Callois, R. P.",\n      "title": "De la')
    assert found.records == ({"name": "Anna", "title": "x"},)
    assert found.truncated


def test_one_brace_missing_at_the_end_keeps_all_records():
    found = read('{"response": {"entries": [\n{"name": "a"}\n,{"name": "b"}\n ]\n }\n')
    assert [record["name"] for record in found.records] == ["a", "b"]
    assert found.truncated


def test_records_inside_a_torn_outer_list_are_found():
    found = read('[{"page": 28, "travelers": [{"name": "a"}, {"name": "b"}, {"na')
    assert [record["name"] for record in found.records] == ["a", "b"]
    assert found.found_at == "$[0].travelers"
    assert found.truncated


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(st.text(max_size=5) | st.integers(), max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
RECORDS = st.lists(st.dictionaries(st.text(max_size=6), NESTED, min_size=1, max_size=4), min_size=1, max_size=5)


@settings(max_examples=150, deadline=None)
@given(records=RECORDS, wrapped=st.booleans(), ascii_only=st.booleans(), indent=st.sampled_from([None, 1]), data=st.data())
def test_a_cut_answer_keeps_exactly_the_complete_records(records, wrapped, ascii_only, indent, data):
    parts = [json.dumps(record, ensure_ascii=ascii_only, indent=indent) for record in records]
    head = '{"metadata": {"n": 1}, "entries": [' if wrapped else "["
    text, ends = head, []
    for at, part in enumerate(parts):
        text += (",\n" if at else "") + part
        ends.append(len(text))
    text += "]}" if wrapped else "]"
    cut = data.draw(st.integers(len(head), len(text) - 1))
    parsed = parse_json(text[:cut])
    found = find_records(parsed.value)
    assert parsed.truncated
    assert list(found.records) == records[: sum(1 for end in ends if end <= cut)]


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from(list("[]{}\"'\\:,\n /*#`a1-.eutrnfls“”\ufeff")), max_size=60) | st.text(max_size=60))
def test_nothing_makes_the_reader_raise(text):
    parsed = parse_json(text)
    if parsed is not None:
        json.dumps(parsed.value)
        find_records(parsed.value)
    for kind in ("json", "jsonl", "csv", "txt"):
        found = parse_records(text, kind, FIELDS)
        for record in found.records if found else ():
            for value in record.values():
                cell_text(value)[0].encode("utf-8")
    for at, sign in enumerate(text):
        if sign in "[{":
            LenientReader(text).read(at)
            break


@settings(max_examples=100, deadline=None)
@given(NESTED | RECORDS)
def test_the_lenient_reader_reads_json_as_json_does(value):
    text = json.dumps({"x": value})
    reader = LenientReader(text)
    assert reader.read(0) == {"x": value}
    assert (reader.cut, reader.end, dict(reader.notes)) == (False, len(text), {})


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 100_000, '{"a":' * 500 + "1" + "}" * 500, "[" * 300 + "]" * 300])
def test_deep_nesting_is_bounded(text):
    parsed = parse_json(text)
    json.dumps(parsed.value)
    found = find_records(parsed.value)
    assert found is None or found.records == () or len(found.found_at) < 2000


def test_hostile_texts_take_no_time():
    import time

    start = time.perf_counter()
    for text in (
        '"a' * 200_000,
        '["a' + '"a' * 100_000,
        "[1, " * 50_000,
        "[{'a' " * 30_000,
        "{" * 50_000 + '"',
        "[/*" * 50_000,
        '[{"a": "' + "\\" * 100_001,
    ):
        parse_json(text)
    for text in ("a|b\n|" + "-" * 500_000 + "x", "```\n" * 50_000, "name," * 100_000, '"' * 300_001, ("name" + "\n") * 50_000):
        parse_records(text, "csv", FIELDS)
    assert time.perf_counter() - start < 10


# Tables


@pytest.mark.parametrize(
    ("text", "repair"),
    [
        ("name,title\nAnna Serri,Contessa\nBruno Bassa,\n", None),
        ("name;title\nAnna Serri;Contessa\nBruno Bassa;\n", "semicolon"),
        ("name\ttitle\nAnna Serri\tContessa\nBruno Bassa\t\n", "tab"),
        ("name|title\nAnna Serri|Contessa\nBruno Bassa|\n", "vertical bar"),
        ("```csv\nname,title\nAnna Serri,Contessa\nBruno Bassa,\n```", "Markdown fence removed"),
        ("Here it is:\n```\nname,title\nAnna Serri,Contessa\nBruno Bassa,\n```\nDone.", "Here it is: Done."),
        ("Here it is:\n\nname,title\nAnna Serri,Contessa\nBruno Bassa,\n", "text before the table passed over: Here it is:"),
        ("| name | title |\n|---|:--|\n| Anna Serri | Contessa |\n| Bruno Bassa |  |\n\nDone", "Markdown table read"),
    ],
)
@pytest.mark.parametrize("kind", ["csv", "txt", "json"])
def test_tables(text, repair, kind):
    found = read(text, kind, ("name", "title"))
    assert [dict(record) for record in found.records] == [
        {"name": "Anna Serri", "title": "Contessa"},
        {"name": "Bruno Bassa", "title": ""},
    ]
    assert found.repairs == () if repair is None else said(found, repair)


def test_rows_that_do_not_fit_the_header():
    found = read("name,title\nAnna\nBruno,Conte,left over\n", "csv")
    assert [dict(record) for record in found.records] == [{"name": "Anna"}, {"name": "Bruno", "title": "Conte", "column 3": "left over"}]
    assert found.repairs == ("line 2 of the table has fewer cells than the header", "line 3 of the table has more cells than the header")


def test_editorial_brackets_in_csv_are_text():
    assert read("```\nname,title\nJoh. B[]rb.,[1]\n```", "csv").records == ({"name": "Joh. B[]rb.", "title": "[1]"},)


def test_a_table_whose_header_names_no_field_is_no_answer():
    assert parse_records("Anna,Contessa\nBruno,Conte\n", "csv", FIELDS) is None


def test_json_in_a_csv_file_is_read_as_json():
    assert list(read(json.dumps(TWO), "csv").records) == TWO


# Keys and cells


@pytest.mark.parametrize(
    "key",
    [
        "arrival_date",
        " Arrival-Date",
        "ARRIVAL DATE",
        "arrival__date ",
        "arrival\u2010date",
        "\ufeffarrival_date",
        "arrival\u00a0date",
        "arri\u200bval_date\u00ad",
    ],
)
def test_keys_compare_without_case_and_separators(key):
    assert plain_key(key) == plain_key("arrival_date")


def test_keys_compare_composed():
    assert plain_key("datum_gehaltsa\u0308nderung") == plain_key("datum gehaltsänderung")


@pytest.mark.parametrize(
    ("value", "text", "repair"),
    [
        ("Anna", "Anna", None),
        ("  MORRIS, R. ", "MORRIS, R.", None),
        ("BRUXELLES\n (Belgique)", "BRUXELLES\n (Belgique)", None),
        (None, "", None),
        (True, "Y", "true read as Y"),
        (False, "N", "false read as N"),
        (919, "919", None),
        (0, "0", None),
        (34351.0, "34351", "a number with .0 read as whole"),
        ("34351.0", "34351", "a number with .0 read as whole"),
        ("34351", "34351", None),
        ("3.00", "3.00", "a number with .00 or .000 kept as text (3.000 may be 3000)"),
        ("3.000", "3.000", "a number with .00 or .000 kept as text (3.000 may be 3000)"),
        ("Lire 3.000", "Lire 3.000", None),
        (3.0, "3", "a number with .0 read as whole"),
        (Number("12.50"), "12.50", None),
        (Number("2.0"), "2", "a number with .0 read as whole"),
        (Number("9007199254740993.0"), "9007199254740993", "a number with .0 read as whole"),
        (Number("3.000"), "3.000", "a number with .00 or .000 kept as text (3.000 may be 3000)"),
        (Number("-0.0"), "-0", "a number with .0 read as whole"),
        (Number("0.10"), "0.10", None),
        (Number("1e3"), "1e3", "a number with an exponent kept as text"),
        (Number("1.0E+3"), "1.0E+3", "a number with an exponent kept as text"),
        (-0.5, "-0.5", None),
        ("12.50", "12.50", None),
        ("1.10.1769", "1.10.1769", None),
        (["1926-02-16"], "1926-02-16", "list of one read as its element"),
        ([None], "", "list of one read as its element"),
        ([], "", "empty list read as nothing"),
        (["a", None, "b"], "a; b", "list kept as text"),
        ({"street": "Elsässerstr.", "n": 4}, '{"street": "Elsässerstr.", "n": 4}', "nested object kept as text"),
        ("Bu\u0308rstenm.", "Bürstenm.", "decomposed Unicode composed (NFC)"),
        ("Anna\u00a0Serri", "Anna Serri", "no-break or unusual spaces read as spaces"),
        ("An\u200bna\u00ad\u200e", "Anna", "zero-width or direction characters removed"),
        ("A\ud800", "A\ufffd", "half a surrogate pair replaced by \ufffd"),
        ("[bold]x[/]\x1b[31m", "[bold]x[/]\x1b[31m", None),
        ("Kochstraſse’", "Kochstraſse’", None),
        ("М. Рögе", "М. Рögе", None),
    ],
)
def test_cells(value, text, repair):
    assert cell_text(value) == (text, repair)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("12.50", "12.50"),
        ("9007199254740993.0", "9007199254740993"),
        ("9007199254740993", "9007199254740993"),
        ("0.30000000000000000001", "0.30000000000000000001"),
        ("3.000", "3.000"),
        ("-0", "0"),
        ("1e3", "1e3"),
        ("1e999", "1e999"),
        ("1e-999", "1e-999"),
        ("00.50", "00.50"),
        ("1" * 5000, "1" * 5000),
    ],
)
@pytest.mark.parametrize("around", ['[{{"n": {}}}]', '[{{"n": {}}},]'])
def test_a_number_keeps_its_text(written: str, text: str, around: str):
    """Strict JSON and the forgiving reader alike."""
    (record,) = read(around.format(written)).records
    assert cell_text(record["n"])[0] == text


def test_a_number_goes_to_other_processes_with_its_text():
    assert pickle.loads(pickle.dumps(Number("12.50"))).source == "12.50"
    assert copy.deepcopy(Number("12.50")).source == "12.50"
    assert Number("12.50") == 12.5


# Bytes


@pytest.mark.parametrize(
    ("content", "text", "repair"),
    [
        ("naïve".encode(), "naïve", None),
        (b"\xef\xbb\xbfname", "name", "byte order mark removed"),
        ("name,né\n".encode("utf-16"), "name,né\n", "read as UTF-16"),
        ("name,né\n".encode("utf-16-be"), "name,né\n", "read as UTF-16-BE"),
        (b"a\r\nb\rc\n", "a\nb\nc\n", "CRLF line ends read as LF"),
        (b"ok\nAbb\xe9,x", "ok\nAbb\u00e9,x", "not UTF-8, read as cp1252: line 2 is"),
        (b"a\0b", "ab", "NUL characters removed (1)"),
        (b"", "", None),
    ],
)
def test_bytes(content, text, repair):
    read = decode(content)
    told = (*read.repairs, *read.warnings)
    assert read.text == text
    assert told == () if repair is None else any(repair in one for one in told)


def test_bytes_of_no_known_encoding_are_refused_with_their_line():
    with pytest.raises(InputError) as fault:
        decode(b"ok\nAbb\x81")
    assert (fault.value.what, fault.value.line) == ("bytes that are neither UTF-8 nor cp1252", 2)


def test_a_file_too_large_or_not_there_is_said(tmp_path: Path):
    (tmp_path / "a.json").write_bytes(b"[]" * 600_000)
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_text(tmp_path / "a.json", limit=1024 * 1024)
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path / "b.json")


@given(st.binary(max_size=80))
def test_any_bytes_are_text_or_refused(content):
    with suppress(InputError):
        decode(content).text.encode("utf-8")
