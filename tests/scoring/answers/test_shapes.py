"""Shapes of an answer other than a list of objects, several lists in one answer, and several pages."""

import csv
import io
import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.answers import parse_json, parse_records
from scoring.answers.lenient import RepeatedKeys
from scoring.problems import InputError

FIELDS = ("name", "origin", "children")
ANNA, BRUNO = {"name": "Anna Serri", "origin": "Trento"}, {"name": "Bruno Bassa", "origin": "Roma"}
BOTH = [ANNA, BRUNO]


def read(value: object, *, page: str = "", key: tuple[str, ...] = ("name",), fields: tuple[str, ...] = FIELDS):
    text = value if isinstance(value, str) else json.dumps(value)
    found = parse_records(text, "txt", fields, key=key, page=page)
    assert found is not None
    return found


# One value


@pytest.mark.parametrize(
    "value",
    [
        {"name": ["Anna Serri", "Bruno Bassa"], "origin": ["Trento", "Roma"]},
        {"data": {"Name": ["Anna Serri", "Bruno Bassa"], "Origin": ["Trento", "Roma"]}},
        {"name": {"0": "Anna Serri", "1": "Bruno Bassa"}, "origin": {"0": "Trento", "1": "Roma"}},
        {"1": ANNA, "2": BRUNO},
        {"line_1": ANNA, "line_2": BRUNO},
        {"records": {"a": ANNA, "b": BRUNO}},
        {"metadata": {"source": "x"}, "1": ANNA, "2": BRUNO},
        [["name", "origin"], ["Anna Serri", "Trento"], ["Bruno Bassa", "Roma"]],
        {"columns": ["name", "origin"], "data": [["Anna Serri", "Trento"], ["Bruno Bassa", "Roma"]]},
        {"table": [["Name", "Origin"], ["Anna Serri", "Trento"], ["Bruno Bassa", "Roma"]]},
    ],
)
def test_a_shape_gives_the_records_in_order(value: object) -> None:
    found = read(value)
    assert [{name.casefold(): text for name, text in record.items()} for record in found.records] == BOTH
    assert found.repairs != ()


def test_columns_of_unequal_length_fail_the_page() -> None:
    with pytest.raises(InputError) as fault:
        read({"name": ["Anna Serri", "Bruno Bassa"], "origin": ["Trento"]})
    assert fault.value.what == "the answer gives columns of unequal length: name 2, origin 1"


def test_a_record_with_a_list_in_a_field_is_one_record() -> None:
    assert read({"name": "Anna Serri", "origin": ["Trento", "Roma"]}).records == ({"name": "Anna Serri", "origin": ["Trento", "Roma"]},)


def test_lists_inside_records_are_not_the_records() -> None:
    nested = {"1": {"name": "Anna", "children": [{"name": "x"}, {"name": "y"}, {"name": "z"}]}, "2": {"name": "Bruno", "children": []}}
    assert [record["name"] for record in read(nested).records] == ["Anna", "Bruno"]


def test_a_list_of_texts_alone_is_the_key_with_a_warning() -> None:
    for value in (["Anna", "Bruno"], {"names": ["Anna", "Bruno"]}):
        found = read(value)
        assert found.records == ({"name": "Anna"}, {"name": "Bruno"})
        assert found.warnings == ("a list of 2 texts read as `name` alone",)
    assert parse_records(json.dumps({"names": ["Anna"], "note": "x"}), "json", FIELDS, key=("name",)) is None


# YAML, HTML, Markdown, CSV


def test_yaml_values_keep_their_source_text() -> None:
    text = (
        "Here it is:\n```yaml\n- name: Anna Serri\n  origin: no\n  children: 007\n- name: 1769-04-08\n  origin: 12:30\n  children: ~\n```\n"
    )
    assert read(text).records == (
        {"name": "Anna Serri", "origin": "no", "children": "007"},
        {"name": "1769-04-08", "origin": "12:30", "children": None},
    )
    assert read("travelers:\n  - name: Anna Serri\n    origin: Trento\n").records == (ANNA,)


def test_yaml_with_an_alias_is_not_read() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\ntravelers:\n  - name: *b\n"
    assert parse_records(bomb, "txt", FIELDS, key=("name",)) is None


def test_prose_with_dashes_and_colons_is_no_yaml() -> None:
    assert parse_records("Notes:\n- the page is torn: I cannot read it\n- sorry", "txt", FIELDS, key=("name",)) is None


def test_an_html_table_is_read() -> None:
    text = "<p>Result</p><table><tr><th>Name</th><th>Origin</th></tr><tr><td>Anna <b>Serri</b></td><td>Trento</td></tr></table>"
    assert read(text).records == ({"Name": "Anna Serri", "Origin": "Trento"},)


def test_markdown_tables_of_two_columns_of_the_page_are_parts() -> None:
    table = "| name | origin |\n|---|---|\n| {} | {} |\n"
    found = read("Left:\n" + table.format("Anna Serri", "Trento") + "\nRight:\n" + table.format("Bruno Bassa", "Roma"))
    assert list(found.records) == BOTH
    assert found.warnings == ("two lists: 1 record and then 1; read as parts of one answer",)


def test_an_unclosed_quote_in_a_csv_fails_the_page() -> None:
    with pytest.raises(InputError) as fault:
        parse_records('name,origin\nAnna,Trento\n"Bruno,Roma\nCarla,Pisa\n', "csv", FIELDS, key=("name",))
    assert fault.value.what == "a quotation mark in line 3 of the table is never closed"


def test_a_csv_cut_in_its_last_line_keeps_the_complete_rows() -> None:
    found = parse_records('name,origin\nAnna,Trento\nBruno,"Ro', "csv", FIELDS, key=("name",))
    assert found is not None
    assert found.records == ({"name": "Anna", "origin": "Trento"},)
    assert found.truncated


def test_a_remark_behind_a_csv_is_no_record() -> None:
    found = read("name,origin\nAnna Serri,Trento\n\nNote: the rest is torn.\n")
    assert found.records == (ANNA,)
    assert "text behind the table passed over: Note: the rest is torn." in found.repairs


# Several blocks


@pytest.mark.parametrize(
    "words",
    ["Final answer:", "Corrected list:", "Here is the revised version:", "Updated:", "Korrigierte Fassung:", "Endgültige Liste:",
     "Version corrigée :", "Liste définitive :", "Versione corretta:", "Elenco definitivo:", "Versión corregida:", "Lista definitiva:"],
)  # fmt: skip
def test_words_between_say_that_the_later_block_replaces_the_earlier(words: str) -> None:
    found = read(f"```json\n{json.dumps([{'name': 'Draft'}])}\n```\n{words}\n```json\n{json.dumps([BRUNO])}\n```")
    assert found.records == (BRUNO,)
    assert found.warnings == ("two lists: 1 record and then 1; the later one is a revision and was read",)


@pytest.mark.parametrize("words", ["Finally, the right column:", "Page continues:", "And:"])
def test_other_words_join_the_parts_in_order(words: str) -> None:
    found = read(f"{json.dumps([ANNA])}\n{words}\n{json.dumps([BRUNO])}")
    assert list(found.records) == BOTH
    assert found.warnings == ("two lists: 1 record and then 1; read as parts of one answer",)


def test_a_block_that_repeats_half_of_the_earlier_is_a_revision() -> None:
    carla = {"name": "Carla Pisani", "origin": "Pisa"}
    repeated = read(f"{json.dumps(BOTH)}\nOnce more:\n{json.dumps([{'name': 'ANNA  serri'}, carla])}")
    assert [record["name"] for record in repeated.records] == ["ANNA  serri", "Carla Pisani"]
    three = [ANNA, BRUNO, carla]
    parts = read(f"{json.dumps(three)}\nOnce more:\n{json.dumps([ANNA])}")
    assert len(parts.records) == 4


def test_an_object_of_no_record_beside_the_list_is_passed_over() -> None:
    found = read(f'{{"status": "done"}}\n{json.dumps(BOTH)}\n[{{"box_2d": [1, 2], "label": "x"}}]')
    assert list(found.records) == BOTH


def test_objects_in_fences_of_their_own_are_parts() -> None:
    found = read("\n".join(f"{at}.\n```json\n{json.dumps(record)}\n```" for at, record in enumerate(BOTH, 1)))
    assert list(found.records) == BOTH


# Several pages


@pytest.mark.parametrize(
    "value",
    [
        [{"page": 27, "records": [BRUNO]}, {"page": 28, "records": [ANNA]}],
        {"pages": [{"page_number": "028", "travelers": [ANNA]}, {"page_number": "029", "travelers": [BRUNO]}]},
        {"pages": {"27": [BRUNO], "28": [ANNA]}},
        {"page_27": [BRUNO], "page_28": [ANNA]},
    ],
)
def test_the_entry_of_the_page_is_taken(value: object) -> None:
    found = read(value, page="28")
    assert found.records == (ANNA,)
    assert "the answer holds 2 pages; the one of page 28 read" in found.repairs


def test_an_answer_about_other_pages_fails_the_page() -> None:
    with pytest.raises(InputError) as fault:
        read([{"page": 27, "records": [BRUNO]}, {"page": 29, "records": [ANNA]}], page="28")
    assert fault.value.what == "the answer holds the pages 27, 29, and not page 28"


def test_a_page_number_inside_a_single_answer_is_not_believed() -> None:
    assert read([{"page": 1945, "records": BOTH}], page="28").records == tuple(BOTH)


def test_page_ids_are_compared_composed() -> None:
    value = [{"page": "fu\u0308nf", "records": [ANNA]}, {"page": "sechs", "records": [BRUNO]}]
    assert read(value, page="f\u00fcnf").records == (ANNA,)


# Keys given twice


@pytest.mark.parametrize("text", ['{"28": [1], "28": [2, 3]}', "{'28': [1], '28': [2, 3],}"])
def test_a_key_given_twice_keeps_its_earlier_values(text: str) -> None:
    parsed = parse_json(text)
    assert parsed is not None
    assert isinstance(parsed.value, RepeatedKeys)
    assert (dict(parsed.value), parsed.value.earlier) == ({"28": [2, 3]}, {"28": [[1]]})


# All shapes of the same records


CELL = st.text(st.sampled_from("aeiou ßÄñ'\"-,;:?&|3"), min_size=1, max_size=12).map(str.strip).filter(bool)
RECORDS = st.lists(st.fixed_dictionaries({"name": CELL, "origin": CELL, "children": CELL}), min_size=2, max_size=6)


def written(records: list[dict[str, str]]) -> dict[str, str]:
    import yaml

    table = io.StringIO()
    rows = [list(FIELDS), *([record[name] for name in FIELDS] for record in records)]
    csv.writer(table, quoting=csv.QUOTE_ALL).writerows(rows)
    listed = json.dumps(records, ensure_ascii=False)
    escaped = [[cell.replace("&", "&amp;").replace("<", "&lt;") for cell in row] for row in rows]
    barred = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return {
        "json": listed,
        "fenced": f"Sure:\n```json\n{listed}\n```",
        "lines": "\n".join(json.dumps(record) for record in records),
        "wrapped": json.dumps({"metadata": {"page": 1}, "entries": records}),
        "columns": json.dumps({name: [record[name] for record in records] for name in FIELDS}),
        "objects": json.dumps({f"line_{at}": record for at, record in enumerate(records)}),
        "rows": json.dumps(rows),
        "split": json.dumps({"columns": list(FIELDS), "data": rows[1:]}),
        "chat": json.dumps({"choices": [{"message": {"content": listed}, "finish_reason": "stop"}]}),
        "thinking": f"<think>[]</think>{listed}",
        "yaml": yaml.safe_dump(records, allow_unicode=True, default_style='"'),
        "csv": table.getvalue(),
        "html": "<table>" + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in escaped) + "</table>",
        "markdown": "\n".join(
            "| " + " | ".join(row) + " |" for row in (barred[0], ["---"] * len(FIELDS), *barred[1:])
        ),
    }  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(RECORDS)
def test_every_shape_of_the_same_records_is_read_alike(records: list[dict[str, str]]) -> None:
    for shape, text in written(records).items():
        found = parse_records(text, "csv" if shape == "csv" else "txt", FIELDS, key=("name",))
        assert found is not None, shape
        assert [dict(record) for record in found.records] == records, shape
        assert not found.truncated, shape


PIECES = (
    "<think>", "</think>", "```", '{"choices":[', '"name":', "[", "]", "{", "}", '"a"', ",", "|", "|-|", "\n", "- name: ",
    "<table><tr><td>", "data: ", "name,origin", '"',
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200) | st.lists(st.sampled_from(PIECES)).map("".join))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    for kind in ("json", "jsonl", "csv", "txt"):
        with suppress(InputError):
            parse_records(text, kind, FIELDS, key=("name",), page="1")
