"""Kinds of sources: recognised by content, planned with exact targets, written once, and refused where they are a danger."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.importing.answer_names import AnswerName, proposed_pattern, read_name
from scoring.importing.kinds import Options, plan_import
from scoring.importing.page_xml import text_lines
from scoring.importing.plan import Plan, compared
from scoring.importing.record import carry_out
from scoring.importing.sources import open_source
from scoring.problems import InputError
from scoring.tables.material import load
from scoring.workspace import Workspace

ANSWER = json.dumps([{"name": "Anna Serri"}])


def put(root: Path, files: dict[str, object]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes | str) else json.dumps(content)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return root


def plan(source: Path, kind: str = "", **options: str) -> Plan:
    return plan_import(open_source(source), kind, Options(**options))


def targets(found: Plan) -> dict[str, str]:
    return {item.source: item.target for item in found.items if item.state != "skipped"}


def xlsx(rows: list[tuple[str, ...]]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def request(model: str = "gpt-4o", provider: str = "openai") -> dict[str, object]:
    return {"provider": provider, "model": model, "duration": 1.5, "parsed": {"entries": [{"name": "Anna Serri"}]}, "text": ""}


# Each kind


def test_a_benchmark_folder_with_its_results(tmp_path: Path) -> None:
    source = put(
        tmp_path / "s",
        {
            "ground_truths/page_2.json": [{"name": "Anna Serri"}],
            "images/page_2.jpg": b"\xff\xd8\xff",
            "results/2025-03-02/T0007/request_T07_page_2.json": request(),
            "results/2025-03-04/T0007/request_T07_page_2.json": request(),
            "results/2025-03-04/T0008/request_T08_page_2.json": {"no": "model"},
        },
    )
    found = plan(source)
    assert found.kind == "benchmark"
    assert targets(found) == {
        "ground_truths/page_2.json": "gt/gt_page_page_2.json",
        "images/page_2.jpg": "images/page_page_2.jpg",
        "results/2025-03-02/T0007/request_T07_page_2.json": "runs/openai/gpt-4o/T0007/run_2025-03-02/page_page_2.json",
        "results/2025-03-04/T0007/request_T07_page_2.json": "runs/openai/gpt-4o/T0007/run_2025-03-04/page_page_2.json",
    }
    assert [item.why for item in found.of("skipped")] == ["it names no model"]


def test_of_a_collection_one_benchmark_is_named(tmp_path: Path) -> None:
    source = put(
        tmp_path / "s",
        {
            "benchmarks/lists/ground_truths/a.json": [{"name": "Anna"}],
            "benchmarks/letters/ground_truths/b.json": [{"name": "Bruno"}],
            "benchmarks/benchmarks_tests.csv": "id,name,provider,model\nT0001,lists,openai,x\nT0002,letters,openai,x\n",
            "results/2025-03-02/T0001/request_T01_a.json": request(),
            "results/2025-03-02/T0002/request_T02_a.json": request(),
        },
    )
    with pytest.raises(InputError, match="Name one with --benchmark: letters, lists"):
        plan(source)
    found = plan(source, benchmark="lists")
    assert list(targets(found).values()) == ["gt/gt_page_a.json", "runs/openai/gpt-4o/T0001/run_2025-03-02/page_a.json"]


def log(output: object, sample: object = "p1", epoch: int = 2) -> dict[str, object]:
    return {"id": sample, "epoch": epoch, "output": output}


OUTPUT = {"model": "m", "choices": [{"message": {"role": "assistant", "content": ANSWER}, "stop_reason": "stop"}]}


def test_inspect_logs_packed_and_plain(tmp_path: Path) -> None:
    packed = io.BytesIO()
    head = {"eval": {"model": "openai/gpt-4o", "task": "x/lists"}}
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("header.json", json.dumps(head))
        archive.writestr("samples/p1_epoch_2.json", json.dumps(log(OUTPUT)))
        archive.writestr("samples/p2_epoch_1.json", json.dumps(log({}, "p2", 1)))
    source = put(tmp_path / "s", {"a.eval": packed.getvalue(), "b.json": {**head, "samples": [log(OUTPUT, 7, 1)]}})
    found = plan(source)
    assert found.kind == "inspect"
    assert targets(found) == {
        "a.eval!samples/p1_epoch_2.json": "runs/openai/gpt-4o/lists/run_02/page_p1.json",
        "b.json": "runs/openai/gpt-4o/lists/run_01/page_7.json",
    }
    assert [item.why for item in found.of("skipped")] == ["it holds no completion"]


def test_batch_output_of_two_providers(tmp_path: Path) -> None:
    chat = {"model": "gpt-5", "choices": [{"message": {"role": "assistant", "content": ANSWER}}]}
    claude = {"model": "claude", "role": "assistant", "content": [{"type": "text", "text": ANSWER}]}
    lines = [
        json.dumps({"custom_id": "page_28_run_3", "response": {"status_code": 200, "body": chat}}),
        json.dumps({"custom_id": "page_29_run_3", "result": {"type": "succeeded", "message": claude}}),
        "broken",
    ]
    found = plan(put(tmp_path / "s", {"out.jsonl": "\n".join(lines)}))
    assert found.kind == "batch"
    assert targets(found) == {
        "out.jsonl:1": "runs/gpt-5/default/run_03/page_28.json",
        "out.jsonl:2": "runs/claude/default/run_03/page_29.json",
    }
    assert found.of("skipped")[0].source == "out.jsonl:3"


def test_transcribed_pages_become_ground_truth_of_one_column(tmp_path: Path) -> None:
    page = """<PcGts xmlns="http://x"><Page><ReadingOrder><OrderedGroup>
      <RegionRefIndexed index="0" regionRef="r2"/><RegionRefIndexed index="1" regionRef="r1"/></OrderedGroup></ReadingOrder>
      <TextRegion id="r1"><TextLine><TextEquiv><Unicode>second</Unicode></TextEquiv></TextLine></TextRegion>
      <TextRegion id="r2"><TextLine><TextEquiv><Unicode>first, "x"</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>"""
    alto = """<alto xmlns="http://y"><Layout><TextLine><String CONTENT="Anna"/><SP/><String CONTENT="Serri"/></TextLine></Layout></alto>"""
    found = plan(put(tmp_path / "s", {"page_28.xml": page, "29.xml": alto, "mets.xml": "<mets/>"}))
    assert found.kind == "pagexml"
    written = {item.target: list(csv.reader(io.StringIO(item.data().decode()))) for item in found.items if item.data}  # type: ignore[misc]
    assert written == {
        "gt/gt_page_28.csv": [["text"], ['first, "x"'], ["second"]],
        "gt/gt_page_29.csv": [["text"], ["Anna Serri"]],
    }


def test_entities_of_a_transcription_are_not_read() -> None:
    bomb = b'<!DOCTYPE a [<!ENTITY b "x"><!ENTITY c SYSTEM "file:///etc/passwd">]><PcGts><TextLine>&b;</TextLine></PcGts>'
    with pytest.raises(InputError, match="declares entities"):
        text_lines(bomb)


def test_a_dataset_of_predictions(tmp_path: Path) -> None:
    from pyarrow import Table, parquet

    rows = [{"image": "page_28.jpg", "model": "org/m-1", "prediction": ANSWER}, {"image": "29", "model": "org/m-1", "prediction": None}]
    out = io.BytesIO()
    parquet.write_table(Table.from_pylist(rows), out)
    for name, content in (("d.parquet", out.getvalue()), ("d.jsonl", "\n".join(map(json.dumps, rows)))):
        found = plan(put(tmp_path / name, {name: content}))
        assert found.kind == "dataset"
        assert targets(found) == {f"{name}:1": "runs/org/m-1/default/run_01/page_28.txt"}


def test_workbooks_of_ground_truth_beside_saved_responses(tmp_path: Path) -> None:
    book = xlsx([("name",), ("Anna Serri",)])
    chat = {"choices": [{"message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"}]}
    files: dict[str, object] = {"truth/page 28.xlsx": book, "truth/page 29.xlsx": book, "notes.docx": b"x"}
    files |= {f"responses/gpt-5/page{page}_run{run}.json": chat for page in (28, 29) for run in (1, 2)}
    root = tmp_path / "ws"
    found = compared(plan(put(tmp_path / "s", files)), root)
    assert found.kind == "folder"
    assert targets(found)["responses/gpt-5/page29_run2.json"] == "runs/gpt-5/default/run_02/page_29.json"
    carry_out(found, root, "2026-11-29")
    material = load(Workspace(root))
    assert [page.id for page in material.pages] == ["28", "29"]
    assert [(run.key, [len(page.rows) for page in run.pages.values()]) for run in material.runs] == [
        ("gpt-5/default/run_01", [1, 1]),
        ("gpt-5/default/run_02", [1, 1]),
    ]


def test_one_table_for_all_pages_and_a_flat_folder_of_answers(tmp_path: Path) -> None:
    files = {"export.csv": "page,name\n28,Anna\n29,Bruno\n", "gpt-4o_page28_run3.json": ANSWER, "gpt-4o_page29_run3.json": ANSWER}
    found = plan(put(tmp_path / "s", files))
    assert targets(found) == {
        "export.csv": "gt/export.csv",
        "gpt-4o_page28_run3.json": "runs/gpt-4o/default/run_03/page_28.json",
        "gpt-4o_page29_run3.json": "runs/gpt-4o/default/run_03/page_29.json",
    }
    assert "{model}_page{page}_run{run}" in found.notes[-1]


def test_a_workspace_is_copied_as_it_lies(tmp_path: Path) -> None:
    files = {"gt/gt_page_1.csv": "name\nAnna\n", "runs/m/p/run_01/page_1.json": ANSWER, "adjudicate.toml": "gate = 0.8\n", "x.py": "1"}
    found = plan(put(tmp_path / "s", files))
    assert found.kind == "workspace"
    assert targets(found) == {name: name for name in ("adjudicate.toml", "gt/gt_page_1.csv", "runs/m/p/run_01/page_1.json")}


# Names


@pytest.mark.parametrize(
    ("names", "pattern", "first"),
    [
        (["gpt_page28_run3.json", "gpt_page29_run1.json"], "{model}_page{page}_run{run}", AnswerName("28", "gpt", "", "3")),
        (["28_gpt-4o.json", "29_gpt-4o.json"], "{page}_{model}", AnswerName("28", "gpt-4o")),
        (["page28_run3.json"], "page{page}_run{run}", AnswerName("28", "", "", "3")),
        (["response_28.json", "response_29.json"], "response_{page}", AnswerName("28")),
        (["28.json"], "{page}", AnswerName("28")),
    ],
)
def test_a_pattern_is_proposed_from_all_names(names: list[str], pattern: str, first: AnswerName) -> None:
    assert proposed_pattern(names) == pattern
    assert read_name(Path(names[0]).stem, pattern) == first


@pytest.mark.parametrize("pattern", ["{model}", "{page}_{colour}", "{page}_{page}"])
def test_a_pattern_that_is_none_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match="pattern"):
        read_name("x", pattern)


@given(st.text(max_size=30))
def test_any_name_is_read_or_not(stem: str) -> None:
    for pattern in ("{page}", "{model}_page{page}_run{run}"):
        read_name(stem, pattern)


# Writing


def test_again_adds_only_what_is_new_and_overwrites_nothing(tmp_path: Path) -> None:
    source = put(tmp_path / "s", {"gt/gt_page_1.csv": "name\nAnna\n", "runs/m/p/run_01/page_1.json": ANSWER})
    root = tmp_path / "ws"
    first = compared(plan(source), root)
    assert len(carry_out(first, root, "2026-11-29")) == 3
    put(source, {"runs/m/p/run_02/page_1.json": ANSWER, "gt/gt_page_1.csv": "name\nBruno\n"})
    again = compared(plan(source), root)
    assert [item.state for item in again.items] == ["conflict", "there already", "new"]
    carry_out(again, root, "2026-11-30")
    assert (root / "gt/gt_page_1.csv").read_text() == "name\nAnna\n"
    kept = json.loads((root / "import.json").read_text())
    assert [(one["date"], [file["to"] for file in one["files"]]) for one in kept["imports"]] == [
        ("2026-11-29", ["gt/gt_page_1.csv", "runs/m/p/run_01/page_1.json"]),
        ("2026-11-30", ["runs/m/p/run_02/page_1.json"]),
    ]
    assert str(tmp_path) not in (root / "import.json").read_text()


def test_two_files_for_one_place_are_told_of(tmp_path: Path) -> None:
    source = put(tmp_path / "s", {"a/page_1.json": ANSWER, "A /page_1.json": ANSWER, "gt_1.csv": "name\nx\n"})
    found = compared(plan(source), tmp_path / "ws")
    (left,) = found.of("skipped")
    assert (left.source, left.why) == ("a/page_1.json", "runs/a/default/run_01/page_1.json comes from A /page_1.json already")


# Dangers


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (zipped(**{"../header.json": b"{}"}), "names a file outside itself"),
        (zipped(**{"/header.json": b"{}"}), "names a file outside itself"),
        (zipped(**{"samples/a.json": b"0" * (64 * 1024 * 1024)}), "unpacks to 64 MB"),
        (b"PK\x03\x04 broken", "no readable archive"),
        (zipped(**{"x.json": b"{}"}), "no readable header"),
    ],
    ids=["outside", "absolute", "bomb", "broken", "no header"],
)
def test_a_dangerous_archive_is_a_sentence(tmp_path: Path, content: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        plan(put(tmp_path / "s", {"a.eval": content}))


def test_links_are_not_followed(tmp_path: Path) -> None:
    source = put(tmp_path / "s", {"gt/gt_page_1.csv": "name\nAnna\n"})
    (source / "gt" / "gt_page_2.csv").symlink_to("/etc/passwd")
    found = plan(source)
    assert [(item.source, item.why) for item in found.of("skipped")] == [("gt/gt_page_2.csv", "a link is not followed")]


def test_what_is_nothing_known_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing that can be imported; looked for: a workspace"):
        plan(put(tmp_path / "s", {"a.docx": b"x"}))
    with pytest.raises(InputError, match="there is no kind `x`"):
        plan(tmp_path / "s", "x")
    with pytest.raises(InputError, match="no such file"):
        open_source(tmp_path / "none")


def test_deep_json_and_long_lines_end_in_time(tmp_path: Path) -> None:
    source = put(tmp_path / "s", {"deep.json": b"[" * 1_000_000, "long.jsonl": b"x" * 5_000_000, "gt_1.csv": "name\nAnna\n"})
    assert targets(plan(source))["gt_1.csv"] == "gt/gt_page_1.csv"
