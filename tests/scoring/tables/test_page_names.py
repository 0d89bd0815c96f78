"""Which page a file or key names, and which of several wins."""

import json
import tempfile
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.model_run import Usage
from scoring.tables.page_names import PageNames
from tests.scoring.tables.inputs import ANNA, BRUNO, GT, read, told

BOTH = [ANNA, BRUNO]
WHERE = "runs/m/p/run_1"


@pytest.mark.parametrize(
    ("exact", "loose"),
    [("28.json", "028.json"), ("28.txt", "028.json"), ("page_28.json", "Page_028.json"), ("28.md", "page_0028.csv")],
)
def test_the_exact_name_wins(tmp_path: Path, exact: str, loose: str):
    material = read(tmp_path, {f"m/p/run_1/{exact}": BOTH, f"m/p/run_1/{loose}": [ANNA]}, {"28": GT})
    assert len(material.runs[0].pages["28"].rows) == 2
    assert told(material.problems)[0] == f"warning: {WHERE}/{loose} (page 28): left out: {exact} is this page too"


def test_the_exact_name_wins_in_a_checkpoint_and_both_sizes_are_named(tmp_path: Path):
    pages = {"028": [ANNA], "28": BOTH, "page 0028": "no"}
    material = read(tmp_path, {"m/p/run_1.json": {"pages": pages}}, {"28": GT})
    assert len(material.runs[0].pages["28"].rows) == 2
    assert told(material.problems) == [
        f"warning: {WHERE}.json (page 28): left out: '028' is this page a second time (1 record; '28' with 2 records was read)",
        f"warning: {WHERE}.json (page 28): left out: 'page 0028' is this page a second time (2 characters; '28' with 2 records was read)",
    ]


def test_page_ids_that_differ_in_zeros_are_two_pages(tmp_path: Path):
    gt = {"1": GT, "01": GT}
    material = read(tmp_path, {"m/p/run_1/page_1.json": BOTH, "m/p/run_1/page_01.json": [ANNA]}, gt)
    assert {page: len(found.rows) for page, found in material.runs[0].pages.items()} == {"1": 2, "01": 1}
    assert material.problems == ()


@pytest.mark.parametrize("answer", ["NFC", "NFD"])
def test_page_ids_compare_in_nfc(tmp_path: Path, answer: str):
    name = unicodedata.normalize(answer, "page_Größe.json")
    material = read(tmp_path, {f"m/p/run_1/{name}": BOTH}, {"Größe": GT})
    assert [len(page.rows) for page in material.runs[0].pages.values()] == [2]
    assert material.problems == ()


TABLE = "| name | origin | guests |\n|---|---|---|\n| Anna Serri | Padua | 3 |\n| Bruno Bassa | Corfu | 2 |\n"
CSV = GT
RECORDS = '[{"name": "Anna Serri", "origin": "Padua", "guests": "3"}, {"name": "Bruno Bassa", "origin": "Corfu", "guests": "2"}]'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("page_1.md", TABLE),
        ("page_1.markdown", TABLE),
        ("page_1.tsv", CSV.replace(",", "\t")),
        ("page_1.log", RECORDS),
        ("page_1.json.txt", RECORDS),
        ("page_1.JSON", RECORDS),
        ("page_1.yml", RECORDS),
        ("page_1.yaml", RECORDS),
        ("page_1.html", RECORDS),
        ("page_1.ndjson", RECORDS[1:-1].replace("}, {", "}\n{")),
        ("page_1", RECORDS),
        ("response_1.json", RECORDS),
        ("answer-1.txt", RECORDS),
        ("output page 1.txt", RECORDS),
    ],
)
def test_answers_of_any_text(tmp_path: Path, name: str, content: str):
    material = read(tmp_path, {f"m/p/run_1/{name}": content})
    page = material.runs[0].pages["1"]
    assert [dict(row.values) for row in page.rows] == BOTH
    assert page.status == "ok"


def test_what_is_no_text_is_named(tmp_path: Path):
    files = {"page_1.json": BOTH, "page_1.docx": b"PK", "page_1.json.bak": "[]", "plan.pdf": b"%PDF", "page_2/x.json": "[]"}
    material = read(tmp_path, {f"m/p/run_1/{name}": value for name, value in files.items()})
    ends = "not taken as a page, for its name ends in none of .json, .jsonl, .csv, .txt, .ndjson, .tsv, .md, .markdown, .yaml, .yml, "
    ends += ".html, .htm, .log"
    assert told(material.problems) == [
        f"warning: {WHERE}/page_1.docx: {ends}",
        f"note: {WHERE}/page_1.json.bak: {ends}",
        f"note: {WHERE}/page_2: {ends}",
        f"note: {WHERE}/plan.pdf: {ends}",
    ]


def line(page: str, content: str = RECORDS) -> str:
    body = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
    body |= {"usage": {"prompt_tokens": 100, "completion_tokens": 20}}
    return json.dumps({"custom_id": page, "response": {"status_code": 200, "body": body}})


def test_a_batch_of_records_with_their_page(tmp_path: Path):
    gt = {"1": GT, "2": GT}
    lines = [{**ANNA, "page": 1}, {**BRUNO, "page": 1}, {**ANNA, "page": "02"}, {"note": "no page"}]
    material = read(tmp_path, {"m/p/run_1.jsonl": "\n".join(map(json.dumps, lines)) + "\nnot json\n"}, gt)
    assert {page: len(found.rows) for page, found in material.runs[0].pages.items()} == {"1": 2, "2": 1}
    assert told(material.problems)[:2] == [
        f"warning: {WHERE}.jsonl:4: left out: lines that are no JSON object with a `custom_id` or `page` (2 lines, first line 4)",
        f"repair: {WHERE}.jsonl (page 2): page '02' taken for page '2'",
    ]


def test_a_batch_of_entries_of_pages(tmp_path: Path):
    lines = [
        {"page": "1", "status": "ok", "response": RECORDS, "usage": {"input_tokens": 7, "cost": 0.5}},
        {"page": "2", "status": "failed", "error": "timeout", "duration": 1.5},
    ]
    material = read(tmp_path, {"m/p/run_1.jsonl": "\n".join(map(json.dumps, lines))}, {"1": GT, "2": GT})
    pages = material.runs[0].pages
    assert [(page.status, len(page.rows), page.error) for page in pages.values()] == [("ok", 2, ""), ("failed", 0, "timeout")]
    assert [page.usage for page in pages.values()] == [Usage(input_tokens=7, cost=0.5), Usage(seconds=1.5)]


def test_a_batch_without_a_page_fails(tmp_path: Path):
    material = read(tmp_path, {"m/p/run_1.jsonl": '{"name": "Anna"}\n'})
    page = material.runs[0].pages["1"]
    assert (page.status, page.error) == ("failed", "no line of the run file is an answer with a `custom_id` or `page`")


def test_a_batch_line_is_an_answer_of_its_page(tmp_path: Path):
    material = read(tmp_path, {"m/p/run_1.jsonl": line("page_1") + "\n" + line("page-2", "[]") + "\n" + line("other") + "\n"}, {"1": GT})
    assert [problem for problem in told(material.problems) if "not in the ground truth" in problem] == [
        f"note: {WHERE}.jsonl: page '2' is not in the ground truth and was left out",
        f"note: {WHERE}.jsonl: page 'other' is not in the ground truth and was left out",
    ]
    page = material.runs[0].pages["1"]
    assert (page.status, [dict(row.values) for row in page.rows]) == ("ok", BOTH)
    assert page.usage == Usage(100, 20)


def test_a_page_given_twice_in_a_checkpoint_names_all_sizes(tmp_path: Path):
    text = '{"pages": {"1": ' + RECORDS + ', "1": [{"name": "Anna Serri"}]}}'
    material = read(tmp_path, {"m/p/run_1.json": text})
    assert len(material.runs[0].pages["1"].rows) == 1
    assert f"warning: {WHERE}.json: page '1' is given 2 times, with 2 records, 1 record; the last one was read" in told(material.problems)


PIECES = st.sampled_from(
    ['{"custom_id": "1"', '"page": 1', '"page": [', ":", ", ", "}", "]", "null", '"name": "Anna"', "\n", "\ud800", "\x00", "28", "{", '"']
)


@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from([".json", ".jsonl"]))
@settings(deadline=None, max_examples=150)
def test_any_run_file_is_read_or_failed(text: str, suffix: str):
    with tempfile.TemporaryDirectory() as folder:
        content = text.encode("utf-8", "surrogatepass")
        material = read(Path(folder), {f"m/p/run_1{suffix}": content}, {"1": GT})
    page = material.runs[0].pages["1"]
    assert page.status in ("ok", "truncated", "failed", "missing")
    assert bool(page.error) == (page.status == "failed")


@given(st.text(max_size=12))
@settings(deadline=None)
def test_any_name_means_a_page_or_none(name: str):
    names = PageNames(["1", "28", "Größe"])
    found = names.find(name)
    assert isinstance(found, str) or found.page in ("1", "28", "Größe")
