"""Loading a workspace's tables: what real ground truth and runs do wrong, read and reported."""

import json
import time
from pathlib import Path

import pytest

from scoring.problems import InputError, Problem, Severity
from scoring.tables.material import Material, load, read_gt
from scoring.workspace import Workspace, open_workspace
from tests.shared import shared

HEADER = "name,title,arrival_date,children_count,with_spouse"
ROW = {"name": "Anna Serri", "title": "Contessa", "arrival_date": "May 1 1769", "children_count": "2", "with_spouse": "Y"}


def workspace(root: Path, gt: dict[str, str | bytes] | None = None, runs: dict[str, object] | None = None) -> Workspace:
    """A workspace of these files of ground truth and these files of runs (texts, or values written as JSON)."""
    gt = {"28": f"{HEADER}\nAnna Serri,Contessa,May 1 1769,2,Y\nBruno Bassa,,May 2 1769,,\n"} if gt is None else gt
    (root / "gt").mkdir(exist_ok=True)
    for page, content in gt.items():
        content = content.encode() if isinstance(content, str) else content
        (root / "gt" / f"gt_page_{page}.csv").write_bytes(content)
    for name, value in (runs or {}).items():
        path = root / "runs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(value if isinstance(value, bytes) else (value if isinstance(value, str) else json.dumps(value)).encode())
    return open_workspace(root)


def checkpoint(pages: object, **head: object) -> dict[str, object]:
    return {"model": "m", "phase": "naive", "run": 1, "generated": "2026-01-02T03:04:05Z", **head, "pages": pages}


def one_page(root: Path, answer: object, name: str = "page_28.json") -> tuple[Material, object]:
    material = load(workspace(root, runs={f"m/naive/run_01/{name}": answer}))
    return material, material.runs[0].pages["28"]


def texts(problems: object) -> str:
    return "\n".join(f"{problem.severity.value}: {problem}" for problem in problems)


# Ground truth


def test_ground_truth_and_the_default_schema(tmp_path: Path):
    material = load(workspace(tmp_path))
    assert material.schema.names == ("name", "title", "arrival_date", "children_count", "with_spouse")
    assert material.schema.key == ("name",)
    assert [(page.id, page.file) for page in material.pages] == [("28", "gt/gt_page_28.csv")]
    assert [(row.number, dict(row.values)) for row in material.pages[0].rows] == [
        (1, ROW),
        (2, {"name": "Bruno Bassa", "title": "", "arrival_date": "May 2 1769", "children_count": "", "with_spouse": ""}),
    ]
    assert material.problems == ()
    assert material.runs == ()


def test_pages_in_natural_order_each_with_its_own_columns(tmp_path: Path):
    head = "name,title\n"
    material = load(workspace(tmp_path, {"10": head + "c,d\n", "2": head + "a,b\n", "9": "title,name\nd,e\n", "11": "name,Place\nx,y\n"}))
    assert [page.id for page in material.pages] == ["2", "9", "10", "11"]
    assert dict(material.pages[1].rows[0].values) == {"name": "e", "title": "d"}
    assert texts(material.problems).splitlines() == [
        "warning: gt/gt_page_11.csv:1 (page 11): the columns are not those of gt/gt_page_2.csv, which are the fields",
        "warning: gt/gt_page_11.csv:1 (page 11): there is no column `title`; read as blank",
        "warning: gt/gt_page_11.csv:1 (page 11): column 'Place' is no field and was left out (1 cell filled)",
    ]


@pytest.mark.parametrize(
    ("content", "repair"),
    [
        ("name;title\nBürde Ö.;Abbé\n", "semicolon"),
        ("name\ttitle\nBürde Ö.\tAbbé\n", "tab"),
        ("\ufeffname,title\nBürde Ö.,Abbé\n", "byte order mark"),
        ("name,title\r\nBürde Ö.,Abbé\r\n", "CRLF"),
        ("name,title\nBu\u0308rde O\u0308.,Abbe\u0301\n", "decomposed"),
        ("name,title\nBürde\u00a0Ö.,Abbé\u200b\n", "zero-width"),
        (" name ,\"title \"\nBürde Ö.,Abbé\n", None),
        ("Name,TITLE\nBürde Ö.,Abbé\n", None),
        ("name,title,,\nBürde Ö.,Abbé,,\n", None),
        ("name,title\n\nBürde Ö.,Abbé\n\n", None),
        ("name,title\nBürde Ö.,Abbé\n,\n", "(page 28, row 2): every field blank, dropped"),
        ("name,title\nBürde Ö.,Abbé\nnull,NULL.\n", "every field blank, dropped"),
        ("name,title\nBürde Ö.\n", "1 cell for 2 columns, the rest blank"),
        ("name,title\nBürde Ö.,Abbé,more\n", "3 cells for 2 columns, left out: more"),
        ("name,title,name\nBürde Ö.,Abbé,other\n", "column 'name' is there twice, the first one counts"),
        ('name,title\nBürde Ö.,Abbé\na"b"c,x\n"y" z,x\n', "quotation marks that do not fit"),
        ("name,title\nBürde Ö.,Abbé\n".encode("utf-16"), "read as UTF-16"),
    ],
)  # fmt: skip
def test_ground_truth_as_spreadsheets_write_it(tmp_path: Path, content: str | bytes, repair: str | None):
    material = load(workspace(tmp_path, {"28": content}))
    row = material.pages[0].rows[0]
    assert (row.number, row.values[material.schema.names[0]]) == (1, "Bürde Ö.")
    assert row.values[material.schema.names[1]] == ("" if repair and "rest blank" in repair else "Abbé")
    assert material.problems == () if repair is None else repair in texts(material.problems)
    assert not material.errors


def test_repairs_name_file_line_page_and_row(tmp_path: Path):
    material = load(workspace(tmp_path, {"28": 'name,title\n"two\nlines",x\nAnna,N/A\n'}))
    assert material.pages[0].rows[0].values["name"] == "two\nlines"
    assert material.problems == (Problem(Severity.REPAIR, "`title`: 'N/A' read as nothing", "gt/gt_page_28.csv", 4, "28", 2),)


def test_a_declared_schema(tmp_path: Path):
    space = workspace(tmp_path, {"28": "Publisher Place,full_name,extra\nBasel,Anna,1\n"})
    schema = {"properties": {"full-name": {"x-method": "name"}, "publisher_place": {"x-method": "place"}, "year": {}}}
    space.schema_file.write_text(json.dumps(schema))
    material = load(space)
    assert dict(material.pages[0].rows[0].values) == {"full-name": "Anna", "publisher_place": "Basel", "year": ""}
    assert sorted(texts(material.problems).splitlines()) == [
        "repair: gt/gt_page_28.csv:2 (page 28, row 1): "
        "keys read as fields: 'Publisher Place' as `publisher_place`, 'full_name' as `full-name`",
        "warning: gt/gt_page_28.csv:1 (page 28): column 'extra' is no field and was left out (1 cell filled)",
        "warning: gt/gt_page_28.csv:1 (page 28): there is no column `year`; read as blank",
    ]


def test_what_stops_scoring(tmp_path: Path):
    with pytest.raises(InputError, match="there is no ground truth"):
        load(workspace(tmp_path, {}))
    space = workspace(tmp_path, {"1": "name,title\na,b\n", "2": "title\nb\n", "3": ""})
    with pytest.raises(InputError, match=r"gt/gt_page_2.csv:1: there is no column `name`, and records are matched by it"):
        load(space)
    assert [problem.page for problem in load(space, keep_errors=True).errors] == ["2", "3"]
    (tmp_path / "gt" / "gt_page_3.csv").unlink()
    (tmp_path / "gt" / "gt_page_2.csv").write_bytes(b"")
    with pytest.raises(InputError, match="the file is empty"):
        load(space)


def test_a_header_alone_is_a_page_of_no_records(tmp_path: Path):
    material = load(workspace(tmp_path, {"1": "name,title\n"}))
    assert material.pages[0].rows == ()
    assert texts(material.problems) == "note: gt/gt_page_1.csv (page 1): a page of no records"


# Runs


def test_a_checkpoint(tmp_path: Path):
    gt = dict.fromkeys(("28", "36", "39", "40", "41"), f"{HEADER}\nAnna Serri,,,,\n")
    fenced = '```json\n[{"name": "Anna Serri", "title": "Contessa",}]\n```'
    pages = {
        "28": {"status": "ok", "travelers": [ROW, {**ROW, "name": "Bruno"}]},
        "36": {"status": "failed", "error": "timeout"},
        "39": {"status": "ok", "response": fenced},
        "40": {"status": "ok", "response": ""},
        "99": {"status": "ok", "travelers": [ROW]},
    }
    material = load(workspace(tmp_path, gt, {"m/naive/run_01.json": checkpoint(pages)}))
    run = material.runs[0]
    assert (run.key, run.cell, run.generated) == ("m/naive/run_01", ("m", "naive"), "2026-01-02T03:04:05Z")
    assert [(page.page, page.status, len(page.rows), page.error) for page in run.pages.values()] == [
        ("28", "ok", 2, ""),
        ("36", "failed", 0, "timeout"),
        ("39", "ok", 1, ""),
        ("40", "failed", 0, "the page is without a list of records"),
        ("41", "missing", 0, ""),
    ]
    said = texts(material.problems)
    for expected in (
        "repair: runs/m/naive/run_01.json (page 39): Markdown fence removed",
        "repair: runs/m/naive/run_01.json (page 39): trailing comma",
        "note: runs/m/naive/run_01.json: page '99' is not in the ground truth and was left out",
        "warning: runs/m/naive/run_01.json (page 36): failed: timeout",
        "warning: runs/m/naive/run_01.json (page 41): missing: the run does not have this page",
    ):
        assert expected in said
    assert "found at" not in said


@pytest.mark.parametrize(
    ("entry", "status", "rows"),
    [
        ({"status": "ok", "travelers": [ROW]}, "ok", 1),
        ({"status": "OK", "entries": [ROW]}, "ok", 1),
        ({"travelers": [ROW]}, "ok", 1),
        ({"status": "done", "travelers": []}, "ok", 0),
        ([ROW], "ok", 1),
        (json.dumps([ROW]), "ok", 1),
        ({"status": "ok", "travelers": json.dumps([ROW])}, "ok", 1),
        ({"status": "ok", "travelers": None, "warnings": [], "response": json.dumps([ROW])}, "ok", 1),
        ({"status": "ok", "travelers": [], "response": "There is nobody."}, "ok", 0),
        ({"status": "ok", "response": {"entries": [ROW]}}, "ok", 1),
        ({"status": "ok", "response": json.dumps([ROW])[:-1]}, "truncated", 1),
        ({"status": "ok", "response": '[{"name": "An'}, "failed", 0),
        ({"status": "truncated", "travelers": [ROW]}, "truncated", 1),
        ({"status": "error", "travelers": [ROW]}, "failed", 0),
        ({"error": "refused"}, "failed", 0),
        ({"status": "pending"}, "missing", 0),
        ({"status": "strange", "travelers": [ROW]}, "ok", 1),
        ({"status": "ok", "travelers": ["Anna"]}, "failed", 0),
        ({"status": "ok"}, "failed", 0),
        (None, "failed", 0),
        (7, "failed", 0),
    ],
)
def test_pages_of_a_checkpoint(tmp_path: Path, entry: object, status: str, rows: int):
    material = load(workspace(tmp_path, runs={"m/naive/run_01.json": checkpoint({"28": entry})}))
    page = material.runs[0].pages["28"]
    assert (page.status, len(page.rows)) == (status, rows)
    assert bool(page.error) == (status == "failed")
    if status != "ok":
        assert status in texts(material.problems)


@pytest.mark.parametrize("key", ["028", "page_28", "Page 28", "gt_page_28"])
def test_the_page_is_what_its_key_says(tmp_path: Path, key: str):
    material = load(workspace(tmp_path, runs={"m/naive/run_01.json": checkpoint({key: {"travelers": [ROW], "page_number": 1945}})}))
    assert material.runs[0].pages["28"].status == "ok"


def test_a_loose_page_is_taken_only_where_it_is_clear(tmp_path: Path):
    gt = {"1": f"{HEADER}\na,,,,\n", "01": f"{HEADER}\nb,,,,\n"}
    material = load(workspace(tmp_path, gt, {"m/p/run_01.json": checkpoint({"001": [ROW], "01": [ROW]})}))
    assert [(page.page, page.status) for page in material.runs[0].pages.values()] == [("01", "ok"), ("1", "missing")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "the run file is empty"),
        ("not json", "there is no readable JSON in the run file"),
        ("[]", "the run file holds no `pages` by page id"),
        ('{"pages": []}', "the run file holds no `pages` by page id"),
    ],
)
def test_a_run_file_without_pages_fails_with_its_reason(tmp_path: Path, content: str, reason: str):
    material = load(workspace(tmp_path, runs={"m/naive/run_01.json": content}))
    page = material.runs[0].pages["28"]
    assert page.status == "failed"
    assert page.error.startswith(reason)


def test_a_run_file_cut_off_keeps_what_was_complete(tmp_path: Path):
    gt = dict.fromkeys(("28", "36", "39"), f"{HEADER}\na,,,,\n")
    text = json.dumps(checkpoint({"28": {"status": "ok", "travelers": [ROW]}, "36": {"status": "ok", "travelers": [ROW, ROW, ROW]}}))
    material = load(workspace(tmp_path, gt, {"m/naive/run_01.json": text[: text.rindex('"name"') + 3]}))
    assert [(page.status, len(page.rows)) for page in material.runs[0].pages.values()] == [("ok", 1), ("truncated", 2), ("missing", 0)]
    assert "the run file is cut off" in texts(material.problems)


@pytest.mark.parametrize(
    ("name", "answer", "status", "rows"),
    [
        ("page_28.json", [ROW], "ok", 1),
        ("page_28.jsonl", json.dumps(ROW) + "\n" + json.dumps(ROW) + "\n", "ok", 2),
        ("page_28.jsonl", json.dumps(ROW) + "\n", "ok", 1),
        ("page_28.csv", f"{HEADER}\nAnna Serri,Contessa,May 1 1769,2,Y\n", "ok", 1),
        ("page_28.txt", "Certainly!\n```json\n" + json.dumps({"entries": [ROW]}) + "\n```", "ok", 1),
        ("28.JSON", [ROW], "ok", 1),
        ("page_28.json", b"\xff\xfe" + json.dumps([ROW]).encode("utf-16-le"), "ok", 1),
        ("page_28.json", json.dumps([ROW, ROW])[:-5], "truncated", 1),
        ("page_28.json", b"", "failed", 0),
        ("page_28.txt", "I am sorry, I cannot read it.", "failed", 0),
        ("page_28.json", [], "ok", 0),
    ],
)
def test_a_folder_of_answers(tmp_path: Path, name: str, answer: object, status: str, rows: int):
    material, page = one_page(tmp_path, answer, name)
    assert (page.status, len(page.rows)) == (status, rows)
    assert material.runs[0].generated is None
    if rows:
        assert dict(page.rows[0].values) == ROW


def test_keys_and_cells_of_a_model(tmp_path: Path):
    answer = [
        {
            " Name ": "Anna\u00a0Serri",
            "TITLE": ["Contessa"],
            "arrival-date": {"day": 1},
            "Children Count": 2.0,
            "with_spouse": True,
            "id": 1,
        },
        {"name": "<UNKNOWN>", "title": "NaN", "arrival_date": None, "with_spouse": "n/a"},
        {"name": "Leodegar <UNKNOWN>", "name ": "other", "children_count": 0, "id": 2},
    ]
    material, page = one_page(tmp_path, {"entries": answer})
    assert [(row.number, dict(row.values)) for row in page.rows] == [
        (1, {"name": "Anna Serri", "title": "Contessa", "arrival_date": '{"day": 1}', "children_count": "2", "with_spouse": "Y"}),
        (3, {"name": "Leodegar <UNKNOWN>", "title": "", "arrival_date": "", "children_count": "0", "with_spouse": ""}),
    ]
    where = "runs/m/naive/run_01/page_28.json (page 28"
    said = texts(material.problems)
    for expected in (
        f"note: {where}): records found at $.entries",
        f"repair: {where}, row 1): `name`: no-break or unusual spaces read as spaces",
        f"repair: {where}, row 1): `title`: list of one read as its element",
        f"repair: {where}, row 1): `arrival_date`: nested value without a declared path, not scored",
        f"repair: {where}, row 1): `children_count`: a number with .0 read as whole",
        f"repair: {where}, row 1): `with_spouse`: true read as Y",
        f"repair: {where}, row 1): keys read as fields: ' Name ' as `name`, 'TITLE' as `title`, 'arrival-date' as `arrival_date`",
        "'Children Count' as `children_count`, 'name ' as `name` (rows 1, 3)",
        f"repair: {where}, row 2): `name`: '<UNKNOWN>' read as nothing",
        f"repair: {where}, row 3): `name`: given twice, 'other' left out",
        f"repair: {where}, row 2): every field blank, dropped",
        "note: runs/m/naive/run_01: key 'id' is no field and was left out (2 records, first row 1 of page 28)",
    ):
        assert expected in said, said


def test_repairs_of_many_rows_are_one_problem(tmp_path: Path):
    material, _ = one_page(tmp_path, [{**ROW, "title": word} for word in ("null", "x", "null", "null", "None")])
    assert texts(material.problems).splitlines() == [
        "repair: runs/m/naive/run_01/page_28.json (page 28, row 1): `title`: 'null' read as nothing (rows 1, 3-4)",
        "repair: runs/m/naive/run_01/page_28.json (page 28, row 5): `title`: 'None' read as nothing",
    ]


def test_blank_words_are_a_setting(tmp_path: Path):
    space = workspace(tmp_path, runs={"m/naive/run_01/page_28.json": [{**ROW, "title": "NULL"}, {**ROW, "title": "Ohne"}]})
    space.settings_file.write_text('blank_words = ["ohne"]\n')
    rows = load(open_workspace(tmp_path)).runs[0].pages["28"].rows
    assert [row.values["title"] for row in rows] == ["NULL", ""]


def test_an_answer_to_another_task_is_told_of(tmp_path: Path):
    material, page = one_page(tmp_path, [{"box_2d": [16, 801, 50, 830], "label": "page_number"}] * 41)
    assert (page.status, page.rows) == ("failed", ())
    said = texts(material.problems)
    assert "failed: no record has a `name`; the keys are `box_2d`, `label`; a line under [aliases] in adjudicate.toml maps a key" in said
    assert "key 'box_2d' is no field and was left out (41 records" in said


def test_a_field_that_no_record_has_is_told_of(tmp_path: Path):
    material, _ = one_page(tmp_path, [{"name": "Anna"}])
    assert texts(material.problems).count("no record has the field") == 4


def test_a_row_without_a_name_stays(tmp_path: Path):
    _, page = one_page(tmp_path, [{**ROW, "name": None}, ROW])
    assert [row.values["name"] for row in page.rows] == ["", "Anna Serri"]


def test_what_lies_in_the_wrong_place(tmp_path: Path):
    answer = [ROW]
    files = {
        "m/naive/run_01/page_28.json": answer,
        "m/naive/run_01/page_28.txt": json.dumps([ROW, ROW]),
        "m/naive/run_01/notes.docx": "x",
        "m/naive/run_01.json": checkpoint({"28": []}),
        "m/naive/notes.md": "x",
        "m/run_02.json": checkpoint({}),
        "loose.json": checkpoint({}),
    }
    material = load(workspace(tmp_path, runs=files))
    assert [(run.key, len(run.pages["28"].rows)) for run in material.runs] == [("m/naive/run_01", 1)]
    said = texts(material.problems)
    for expected in (
        "warning: runs/m/naive/run_01.json: left out: the folder run_01/ beside it is the same run",
        "warning: runs/m/naive/run_01/page_28.txt (page 28): left out: page_28.json is this page too",
        "note: runs/m/naive/run_01/notes.docx: not taken as a page",
        "note: runs/m/naive/notes.md: not taken as a run",
        "warning: runs/m/run_02.json: not taken as a run",
        "warning: runs/loose.json: not taken as a run",
    ):
        assert expected in said, said


def test_notes_for_readers_are_passed_over_without_a_word_and_data_never(tmp_path: Path):
    files = {"m/naive/run_01/page_28.json": [ROW]}
    readmes = ("README.md", "m/README", "m/naive/readme.de.md", "m/naive/run_01/README.txt")
    space = workspace(tmp_path, runs=files | dict.fromkeys(readmes, "x"))
    (tmp_path / "gt" / "README.md").write_text("x", encoding="utf-8")
    (tmp_path / "gt" / "README").write_text("x", encoding="utf-8")
    material = load(space)
    assert [run.key for run in material.runs] == ["m/naive/run_01"]
    assert "readme" not in texts(material.problems).casefold()
    (tmp_path / "gt" / "README.csv").write_text("name\nAnna\n", encoding="utf-8")
    (tmp_path / "runs" / "m" / "naive" / "run_01" / "README.json").write_text("[]", encoding="utf-8")
    said = texts(load(space).problems)
    assert "warning: gt/README.csv: not taken as ground truth" in said
    assert "README' is not in the ground truth and was left out" in said


def test_a_page_may_be_called_readme(tmp_path: Path):
    material = load(workspace(tmp_path, gt={"readme": b"name\nAnna\n"}, runs={"m/p/run_1/readme.txt": json.dumps([{"name": "Anna"}])}))
    assert [len(run.pages["readme"].rows) for run in material.runs] == [1]


def test_runs_are_sorted_and_progress_is_told(tmp_path: Path):
    names = ("b/p/run_10.json", "b/p/run_2.json", "a/p/run_1.json", "a/o/run_1.json")
    seen: list[tuple[int, int]] = []
    material = load(workspace(tmp_path, runs={name: checkpoint({}) for name in names}), progress=lambda at, total: seen.append((at, total)))
    assert [run.key for run in material.runs] == ["a/o/run_1", "a/p/run_1", "b/p/run_2", "b/p/run_10"]
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_checkpoint_that_says_it_is_another(tmp_path: Path):
    material = load(workspace(tmp_path, runs={"m/naive/run_01.json": checkpoint({"28": []}, model="gpt", run=2)}))
    said = texts(material.problems)
    assert "says model 'gpt', lies under 'm'" in said
    assert "says run '2', lies under 'run_01'" in said
    assert "says phase" not in said


def test_a_page_of_ground_truth_read_again_is_as_it_was_loaded(tmp_path: Path):
    space = workspace(tmp_path)
    material = load(space)
    page, _, _ = read_gt(tmp_path / "gt" / "gt_page_28.csv", space, material.schema)
    assert page == material.pages[0]


def test_fingerprints_are_of_what_was_parsed(tmp_path: Path):
    def prints(gt: str | bytes, answer: object) -> tuple[str, str]:
        material = load(workspace(tmp_path, {"28": gt}, {"m/naive/run_01/page_28.json": answer}))
        return material.gt_fingerprint, material.runs_fingerprint

    gt = "name,title\nBürde,Abbé\n"
    first = prints(gt, [{"name": "Anna"}])
    assert prints("\ufeffname;title\r\nBu\u0308rde;Abbé\r\n", '```json\n[{"Name": "Anna",}]\n```') == first
    assert prints(gt, [{"name": "Anna", "title": "x"}])[1] != first[1]
    assert prints(gt + "x,y\n", [{"name": "Anna"}])[0] != first[0]
    material = load(open_workspace(tmp_path))
    provenance = material.provenance("12345678")
    assert (provenance.decisions, provenance.rules, len(provenance.settings)) == ("12345678", material.rules.fingerprint, 8)


def test_a_hundred_and_fifty_run_files_load_fast(tmp_path: Path):
    gt = {page: HEADER + "\n" + "Anna,,,,\n" * size for page, size in (("28", 18), ("36", 37), ("39", 12))}
    answers = {page: json.dumps([ROW] * size, indent=1) for page, size in (("28", 18), ("36", 37), ("39", 12))}
    entry = {page: {"status": "ok", "response": f"```json\n{answer}\n```"} for page, answer in answers.items()}
    runs = {f"m{model}/p{phase}/run_{run:02}.json": checkpoint(entry) for model in range(5) for phase in range(3) for run in range(10)}
    space = workspace(tmp_path, gt, runs)
    spent = []
    for _ in range(3):
        start = time.process_time()
        material = load(space)
        spent.append(time.process_time() - start)
    assert sum(len(page.rows) for run in material.runs for page in run.pages.values()) == 10050
    # About 0.2 s; the bound leaves room for a busy machine.
    assert min(spent) < 2


# Real ground truth and runs


@pytest.mark.parametrize(
    ("name", "pages", "rows", "runs"),
    [("basel_1900_double", 6, 1382, 10), ("citydir_1754_1870_docs", 10, 781, 3), ("patents_1878_1918", 41, 1385, 4)],
)
def test_real_sets(name: str, pages: int, rows: int, runs: int):
    material = load(open_workspace(shared("data", "tables", name)))
    assert (len(material.pages), sum(len(page.rows) for page in material.pages), len(material.runs)) == (pages, rows, runs)
    assert not material.errors
    root = material.workspace.root
    for run in material.runs:
        for page in run.pages.values():
            path = root / "runs" / run.key / f"page_{page.page}.json"
            assert (page.status == "missing") == (not path.exists())
            if path.exists():
                dropped = sum(
                    1
                    for record in json.loads(path.read_bytes())
                    if all(str(v or "NaN").casefold() in ("nan", "null") for v in record.values())
                )
                assert len(page.rows) == len(json.loads(path.read_bytes())) - dropped


def test_real_oddities():
    basel = load(open_workspace(shared("data", "tables", "basel_1900_double")))
    runs = {run.key: run for run in basel.runs}
    sonnet = runs["claude-sonnet-4.5/c5000/run_01"]
    assert [page.status for page in sonnet.pages.values()] == ["ok"] * 3 + ["missing"] * 3
    empty = runs["gpt-oss-120b/c5000/run_01"].pages["05"]
    assert (empty.status, empty.rows) == ("ok", ())
    said = texts(basel.problems)
    assert said.count("missing: the run does not have this page") == 3
    assert "`first_name`: '<UNKNOWN>' read as nothing" in said
    assert "decomposed Unicode composed (NFC)" in said
    city = load(open_workspace(shared("data", "tables", "citydir_1754_1870_docs")))
    assert texts(city.problems) == (
        "note: runs/gemini-2.0-flash/pdf2csv/run_01: key 'id' is no field and was left out (90 records, first row 1 of page 06)"
    )
    patents = load(open_workspace(shared("data", "tables", "patents_1878_1918")))
    human = next(run for run in patents.runs if run.model == "human-research-assistant")
    assert human.pages["1885"].rows[0].values["patent_id"] == "34351"
