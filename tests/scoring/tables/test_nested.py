"""Nested records: declared paths scored as values and lists, undeclared ones unscorable and counted."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.foundations.problems import InputError
from scoring.reports.contents.overview import without_path
from scoring.tables.check import witnesses
from scoring.tables.execution.evaluation import evaluate
from scoring.tables.figures.levels import figures
from scoring.tables.inputs.material import Material, load
from scoring.tables.inputs.nested_values import KEY_LIST_NOTE, KEY_NOTE, LONG_NOTE, MISFIT_NOTE, NESTED_NOTE
from scoring.tables.inputs.rows import KeyUse, RowProblems, RowReader
from scoring.tables.measures.counts import FieldCounts
from scoring.tables.path_proposals import declaration, paths_to_declare
from tests.scoring.tables.test_material import texts, workspace

WORK = {"title": "On Ink", "author": [{"family": "Rossi", "given": "A."}, {"family": "Bianchi"}, {"family": "Verdi"}]}


def read(names: tuple[str, ...], record: dict[str, object], key: tuple[str, ...] = ()) -> tuple[dict[str, str], list[str]]:
    """The values of one record under a schema of these names, and what was repaired, with the severity."""
    report = RowProblems("x")
    (row,) = RowReader(names, ("unknown",), key).rows([{"id": "1", **record}], report, page="1", keys=KeyUse())
    return {name: row.values[name] for name in names if name != "id"}, [f"{one.severity}: {one.message}" for one in report.problems]


def value(path: str, record: dict[str, object]) -> tuple[str, list[str]]:
    """The value of one path, and what was repaired in it."""
    values, problems = read(("id", path), record)
    return values[path], problems


@pytest.mark.parametrize(
    ("path", "record", "text"),
    [
        ("author[].family", WORK, "Rossi | Bianchi | Verdi"),
        ("author[].given", WORK, "A."),
        ("author[].family", {"Author": [{"Family": "Rossi"}]}, "Rossi"),
        ("author[].family", {"author": []}, ""),
        ("author[].family", {"author": None}, ""),
        ("author[].family", {}, ""),
        ("author[].family", {"author": [None, {"family": None}, {"family": "Rossi"}]}, "Rossi"),
        ("author[].family", {"author[].family": "Rossi|Bianchi"}, "Rossi | Bianchi"),
        ("author[].family", {"author.family": " Rossi |Bianchi"}, "Rossi | Bianchi"),
        ("sender_persons[]", {"sender_persons": ["Anna Serri", "B | C"]}, r"Anna Serri | B \| C"),
        ("sender_persons[]", {"sender_persons": "Anna Serri|Bruno"}, "Anna Serri | Bruno"),
        ("sender_persons[]", {"sender_persons": []}, ""),
        ("place.country", {"place": {"country": "Italy", "city": "Rome"}}, "Italy"),
        ("place.country", {"place.country": "Italy"}, "Italy"),
        ("place.country", {"place": None}, ""),
        ("place.country", {"place": {"city": "Rome"}}, ""),
        ("a[].b.c[].d", {"a": [{"b": {"c": [{"d": 1}, {"d": 2}]}}, {"b": {"c": [{"d": 3}]}}]}, "1 | 2 | 3"),
    ],
)
def test_a_path_is_read_without_a_liberty(path: str, record: dict[str, object], text: str):
    found, problems = value(path, record)
    assert found == text
    assert not [one for one in problems if "keys read as fields" not in one]


@pytest.mark.parametrize(
    ("path", "record", "text", "note"),
    [
        ("author[].family", {"author": {"family": "Rossi"}}, "Rossi", "one value read as a list of one"),
        ("a[].b", {"a": {"1": {"b": "Rossi"}, "2": {"b": "Serri"}}}, "Rossi | Serri", "object of objects read as a list"),
        ("author[].family", {"author": '[{"family": "Rossi"}, {"family": "Serri"}]'}, "Rossi | Serri", "JSON in a text read as nested"),
        ("author[].family", {"author": "[{'family': 'Rossi'}]"}, "Rossi", "JSON in a text read as nested"),
        ("place.country", {"place": [{"country": "Italy"}]}, "Italy", "list of one read as its element"),
        ("tags[]", {"tags": ["unknown", "x"]}, "x", "'unknown' read as nothing"),
        ("years[]", {"years": [1769.0, 2]}, "1769 | 2", "a number with .0 read as whole"),
        ("years[]", {"years": 1769}, "1769", "one value read as a list of one"),
    ],
)  # fmt: skip
def test_a_liberty_is_named(path: str, record: dict[str, object], text: str, note: str):
    assert value(path, record) == (text, [f"repair: `{path}`: {note}"])


@pytest.mark.parametrize(
    ("path", "record"),
    [
        ("author[].family", {"author": "Rossi, A."}),
        ("author[].family", {"author": ["Rossi", "Bianchi"]}),
        ("author[].family", {"author": [{"family": "Rossi"}, "Bianchi"]}),
        ("author[].family", {"author": [{"family": ["Rossi", "Bianchi"]}]}),
        ("author[]", {"author": [{"family": "Rossi"}]}),
        ("place.country", {"place": [{"country": "Italy"}, {"country": "France"}]}),
        ("place.country", {"place": {"country": {"name": "Italy"}}}),
        ("place.country", {"place": "Italy"}),
    ],
)
def test_what_does_not_lie_at_the_path_is_kept_and_not_scored(path: str, record: dict[str, object]):
    found, problems = value(path, record)
    assert json.loads(found) == record
    assert problems == [f"repair: `{path}`: {MISFIT_NOTE}"]


@pytest.mark.parametrize(
    ("given", "text", "note"),
    [
        ({"family": "Rossi"}, '{"family": "Rossi"}', NESTED_NOTE),
        (["a", "b"], '["a", "b"]', NESTED_NOTE),
        ([{"a": 1}], '[{"a": 1}]', NESTED_NOTE),
        ('["a", "b"]', '["a", "b"]', NESTED_NOTE),
        ("['a', 'b']", "['a', 'b']", NESTED_NOTE),
        (["a"], "a", "list of one read as its element"),
        ({}, "", "empty object read as nothing"),
        ([], "", "empty list read as nothing"),
        ("[sic]", "[sic]", None),
        ("[1769]", "[1769]", None),
    ],
)
def test_a_value_without_a_path(given: object, text: str, note: str | None):
    assert read(("id", "author"), {"author": given}) == ({"author": text}, [] if note is None else [f"repair: `author`: {note}"])


@pytest.mark.parametrize(
    ("given", "text", "note"),
    [
        ({"first": "Anna"}, "", KEY_NOTE),
        ('{"first": "Anna"}', "", KEY_NOTE),
        ([{"first": "Anna"}, {"first": "Bruno"}], "", KEY_NOTE),
        (["Anna", "Bruno"], "Anna; Bruno", KEY_LIST_NOTE),
    ],
)
def test_a_nested_key_is_no_name(given: object, text: str, note: str):
    assert read(("id", "name"), {"name": given}, ("name",)) == ({"name": text}, [f"warning: `name`: {note}"])


def test_a_path_may_be_the_key():
    assert read(("id", "who.name"), {"who": {"name": "Anna"}}, ("who.name",)) == ({"who.name": "Anna"}, [])
    assert read(("id", "who.name"), {"who": "Anna"}, ("who.name",)) == ({"who.name": ""}, [f"warning: `who.name`: {KEY_NOTE}"])


def test_a_field_may_be_declared_beside_the_paths_in_it():
    names = ("id", "author", "author[].family")
    assert read(names, {"author": "Rossi"}) == ({"author": "Rossi", "author[].family": ""}, [])
    nested, problems = read(names, {"author": [{"family": "Rossi"}, {"family": "Serri"}]})
    assert nested["author[].family"] == "Rossi | Serri"
    assert problems == [f"repair: `author`: {NESTED_NOTE}"]


def test_a_column_with_a_full_stop_is_a_column():
    """As libraries number columns of one name."""
    names = ("id", "name", "name.1")
    assert read(names, {"name": "Anna", "name.1": "Bruno"}) == ({"name": "Anna", "name.1": "Bruno"}, [])
    assert read(names, {"name": "Anna"}) == ({"name": "Anna", "name.1": ""}, [])


def test_the_path_as_a_key_wins_over_what_lies_there():
    record = {"place": {"country": "Italy"}, "place.country": "France"}
    assert value("place.country", record) == ("France", ["repair: `place.country`: given twice, 'Italy' left out"])
    assert value("place.country", {**record, "place.country": None}) == ("Italy", [])


def test_a_list_given_twice_is_told():
    found, problems = value("tags[]", {"tags": ["a"], "tags[]": "b|c"})
    assert found == "a"
    assert problems[-1] == "repair: `tags[]`: given twice, 'b | c' left out"


def test_a_list_without_end_is_cut():
    found, problems = value("tags[]", {"tags": ["x"] * 5000})
    assert found.count("|") == 999
    assert problems == [f"warning: `tags[]`: {LONG_NOTE}"]


def test_paths_that_are_not_asked_for_are_unknown_keys():
    keys = KeyUse()
    RowReader(("title", "author[].family"), (), ("title",)).rows([WORK, WORK], RowProblems("x"), page="1", keys=keys)
    assert {key: one.count for key, one in keys.unknown.items()} == {"author[].given": 2}


def containers(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Lists and objects of values."""
    return st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["family", "b", "1"]), inner, max_size=3)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4), containers))
def test_any_value_gives_a_text_and_the_same_one_again(given: object):
    names = ("id", "a", "a[].family", "a[]", "a.b")
    values, _ = read(names, {"a": given})
    assert all(isinstance(text, str) for text in values.values())
    assert read(names, {"a": given})[0] == values


# Figures


def bibliography(root: Path, gt: str, answer: object, properties: dict[str, object] | None = None) -> Material:
    """A workspace of one page and one run."""
    space = workspace(root, {"1": gt}, {"m/naive/run_01/page_1.json": answer})
    if properties is not None:
        space.schema_file.write_text(json.dumps({"properties": properties}))
    return load(space)


def scores(material: Material) -> dict[str, FieldCounts]:
    """The counts of each value field."""
    evaluation = evaluate(material)
    return dict(zip([field.name for field in material.schema.scored], evaluation.cells[0].fields(), strict=True))


ANSWER = [{"title": "On Ink", "author": [{"family": "Rossi"}, {"family": "Bianchi"}, {"family": "Kuhn"}]}]


def test_two_of_three_authors(tmp_path: Path):
    material = bibliography(tmp_path, "title,author[].family\nOn Ink,Verdi|Rossi|Bianchi\n", ANSWER)
    assert scores(material) == {"author[].family": FieldCounts(1, 0, 2 / 3, 0)}
    assert not material.problems


def test_two_of_three_authors_in_order(tmp_path: Path):
    declared = {"title": {"x-key": True}, "author[].family": {"type": ["array"], "x-method": "text", "x-order": "kept"}}
    gt = "title,author[].family\nOn Ink,Verdi|Bianchi|Rossi\n"
    # Bianchi is right and Verdi reads as Rossi with one letter of five right; the second Rossi has no partner behind them.
    assert scores(bibliography(tmp_path, gt, ANSWER, declared))["author[].family"].accuracy == pytest.approx(2 * 1.2 / 6)


def test_without_a_path_the_value_is_left_out_and_counted(tmp_path: Path):
    material = bibliography(tmp_path, "title,author,year\nOn Ink,Rossi; Bianchi,1769\n", [{**ANSWER[0], "year": "1768"}])
    assert scores(material) == {"author": FieldCounts(0, 1, 0, 1), "year": FieldCounts(1, 0, 0.75, 0)}
    evaluation = evaluate(material)
    expected = "`author` holds nested values, 1 value of matched pairs not scored for want of a path; "
    expected += 'fields for `properties`: "author[].family": {"type": ["array"], "x-method": "text"}'
    assert [(one.severity.value, one.where, one.message) for one in paths_to_declare(evaluation)] == [
        ("warning", "gt/schema.json", expected)
    ]
    told = " Not scored, nested without a declared path: 1 of author; `adjudicate check` proposes paths."
    assert without_path(evaluation) == told
    grid = figures(evaluation, ("m", "naive"))[1][0]
    assert grid.header[-2:] == ("no path", "adj.")  # type: ignore[union-attr]
    assert grid.lines[0].cells == ("author", "–", "–", "0", "0", "1", "1", "1", "1")  # type: ignore[union-attr]


def test_the_paths_of_a_deep_value_are_counted_and_not_all_listed(tmp_path: Path):
    deep: dict[str, object] = {"b": ["v"]}
    for _ in range(12):
        deep = {"a": deep, "b": ["v"]}
    evaluation = evaluate(bibliography(tmp_path, "title,author\nOn Ink,Rossi\n", [{"title": "On Ink", "author": deep}]))
    (problem,) = paths_to_declare(evaluation)
    listed = (f'"author.{"a." * steps}b[]": {{"type": ["array"], "x-method": "text"}}' for steps in (3, 2, 1, 0))
    expected = "`author` holds nested values, 1 value of matched pairs not scored for want of a path; fields for `properties`: "
    assert problem.message == expected + ", ".join(listed) + ", 9 more paths not listed"


def test_a_nested_ground_truth_without_a_path_is_left_out(tmp_path: Path):
    material = bibliography(tmp_path, 'title,author\nOn Ink,"[""Rossi"", ""Bianchi""]"\n', [{"title": "On Ink", "author": "Rossi"}])
    assert scores(material) == {"author": FieldCounts(0, 1, 0, 1)}


def test_what_does_not_lie_at_its_path_is_proposed_as_it_lies(tmp_path: Path):
    material = bibliography(tmp_path, "title,author[].family\nOn Ink,Rossi\n", [{"title": "On Ink", "author": ["Rossi", "Serri"]}])
    assert scores(material) == {"author[].family": FieldCounts(0, 1, 0, 1)}
    (problem,) = paths_to_declare(evaluate(material))
    assert '"author[]": {"type": ["array"], "x-method": "text"}' in problem.message


def test_letters_and_a_catalogue(tmp_path: Path):
    declared = {
        "letter": {"x-key": True},
        "sender_persons[]": {"x-method": "name"},
        "place.country": {"x-method": "place"},
        "pages[]": {"x-method": "count"},
        "dates[]": {"x-method": "date"},
    }
    gt = "letter,sender_persons,place.country,pages,dates\nL 1,An?a Serri|Bruno,in Italy,1|02,May 01 1769\n"
    answer = [
        {
            "letter": "L 1",
            "sender_persons": ["bruno.", "Anna Serri"],
            "place": {"country": "Italy"},
            "pages": [2, 3, 1.0],
            "dates": ["May 1 1769"],
        }
    ]
    assert scores(bibliography(tmp_path, gt, answer, declared)) == {
        "sender_persons[]": FieldCounts(1, 0, 1.0, 0),
        "place.country": FieldCounts(1, 0, 1.0, 0),
        "pages[]": FieldCounts(1, 0, 0.8, 0),
        "dates[]": FieldCounts(1, 0, 1.0, 0),
    }


@pytest.mark.parametrize("count", [1, 2])
def test_a_list_longer_than_the_answer_is_no_list_of_records(tmp_path: Path, count: int):
    works = [{"title": f"Work {at}", "author": [{"family": "Rossi"}, {"family": "Serri"}, {"family": "Verdi"}]} for at in range(count)]
    gt = "title,author[].family\n" + "".join(f"Work {at},Rossi|Serri|Verdi\n" for at in range(count))
    for answer in (works, {"entries": works}, works[0] if count == 1 else works):
        material = bibliography(tmp_path, gt, answer)
        assert [row.values["title"] for row in material.runs[0].pages["1"].rows] == [f"Work {at}" for at in range(count)], texts(
            material.problems
        )
        assert scores(material)["author[].family"] == FieldCounts(count, 0, float(count), 0)


def test_a_wrapper_with_keys_of_its_own_is_still_passed_over(tmp_path: Path):
    works = [{"title": title, "author": [{"family": "Rossi"}]} for title in ("On Ink", "Of Water")]
    material = bibliography(tmp_path, "title,author[].family\nOn Ink,Rossi\n", [{"page": 28, "records": works}])
    assert scores(material) == {"author[].family": FieldCounts(1, 0, 1.0, 0)}


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("author[].family", '"author[].family": {"type": ["array"], "x-method": "text"}'),
        ("place.country", '"place.country": {"type": "string", "x-method": "text"}'),
        ("guests[].arrival_date", '"guests[].arrival_date": {"type": ["array"], "x-method": "date"}'),
        ('a".b', '"a\\".b": {"type": "string", "x-method": "text"}'),
    ],
)
def test_a_proposal_can_be_pasted(path: str, line: str):
    assert declaration(path) == line
    assert path in json.loads(f"{{{line}}}")


def test_witnesses_of_a_rule_are_entries(tmp_path: Path):
    material = bibliography(tmp_path, "title,author[].family\nOn Ink,Verdi|Rossi|Bianchi\n", ANSWER)
    found = witnesses(material)
    assert found.gt["author[].family"] == ("Verdi", "Rossi", "Bianchi")
    assert found.runs["author[].family"] == ("Rossi", "Bianchi", "Kuhn")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("page_1.json", [{"title": "On Ink", "author": [{"family": "Rossi"}, {"family": "Kuhn"}], "place": {"country": "Italy"}}]),
        ("page_1.json", [{"Title": "On Ink", "Author": [{"Family": "Rossi"}, {"Family": "Kuhn"}], "Place": {"Country": "Italy"}}]),
        ("page_1.json", [{"title": "On Ink", "author[].family": ["Rossi", "Kuhn"], "place.country": "Italy"}]),
        ("page_1.jsonl", '{"title": "On Ink", "author": [{"family": "Rossi"}, {"family": "Kuhn"}], "place": {"country": "Italy"}}'),
        ("page_1.csv", "title,author[].family,place.country\nOn Ink,Rossi|Kuhn,Italy\n"),
        ("page_1.csv", "title;author.family;place.country\nOn Ink;Rossi | Kuhn;Italy\n"),
        ("page_1.csv", "title,author,place\nOn Ink,\"[{'family': 'Rossi'}, {'family': 'Kuhn'}]\",{'country': 'Italy'}\n"),
        ("page_1.txt", "| title | author[].family | place.country |\n|---|---|---|\n| On Ink | Rossi \\| Kuhn | Italy |\n"),
    ],
)
def test_the_same_record_in_every_shape(tmp_path: Path, name: str, answer: object):
    gt = "title,author[].family,place.country\nOn Ink,Rossi|Verdi,Italy\n"
    space = workspace(tmp_path, {"1": gt}, {f"m/naive/run_01/{name}": answer})
    (row,) = load(space).runs[0].pages["1"].rows
    assert dict(row.values) == {"title": "On Ink", "author[].family": "Rossi | Kuhn", "place.country": "Italy"}


def test_ground_truth_of_lists_alone_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="every column is a list, and a record is matched by one name"):
        bibliography(tmp_path, "author[].family,tags[]\na,b\n", ANSWER)


def test_a_no_break_space_in_a_header_is_a_space(tmp_path: Path):
    material = bibliography(
        tmp_path,
        "title,arrival\u00a0date,ye\u200bar\nOn Ink,May 1 1769,1769\n",
        [{"title": "On Ink", "arrival_date": "May 1 1769", "y\u2060ear": "1769"}],
    )
    assert material.schema.names == ("title", "arrival date", "year")
    assert scores(material) == {"arrival date": FieldCounts(1, 0, 1.0, 0), "year": FieldCounts(1, 0, 1.0, 0)}
