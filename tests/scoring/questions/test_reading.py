"""Ground truth and runs: forgiving in reading, strict in reporting."""

import json
from pathlib import Path

import pytest

from scoring.foundations.problems import InputError, Severity
from scoring.questions.inputs.material import load
from scoring.questions.inputs.responses import QuestionNames, find_answers
from scoring.workspace.layout import open_workspace
from tests.scoring.questions.small import GT, RIGHT, material, ok, right, workspace

RUN = "m/p/run_01.json"


def told(found: object, severity: Severity) -> list[str]:
    return [str(problem) for problem in found.problems if problem.severity is severity]  # type: ignore[attr-defined]


def test_a_clean_workspace_has_no_problems(tmp_path: Path) -> None:
    found = material(tmp_path, {RUN: right()})
    assert found.problems == ()
    assert [document.id for document in found.documents] == ["1", "2"]
    assert found.runs[0].pages["1"].answers["Q19"] == "2"
    assert found.runs[0].key == "m/p/run_01"


def page_one(tmp_path: Path, page: object) -> tuple[str, dict[str, str], list[str]]:
    found = material(tmp_path, {RUN: {"1": page, "2": ok(RIGHT["2"])}})
    one = found.runs[0].pages["1"]
    return one.status, dict(one.answers), [str(problem) for problem in found.problems]


ONE = {name: str(value) for name, value in RIGHT["1"].items()}


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ({"status": "ok", "response": json.dumps(RIGHT["1"])}, None),
        ({"response": "Sure:\n```json\n" + json.dumps(RIGHT["1"]) + "\n```\nDone."}, "fence"),
        ({"response": json.dumps(RIGHT["1"])[:-1] + ",}"}, "trailing comma"),
        ({"answers": {"result": {"answers": RIGHT["1"]}}}, "the answers lay in $.result.answers"),
        ({"answers": {f"Question {name[1:]}": value for name, value in RIGHT["1"].items()}}, "keys written otherwise: Question 1 for Q1"),
        ({"answers": {f"q_{name[1:]}": value for name, value in RIGHT["1"].items()}}, "q_1 for Q1"),
        ({"answers": [{"question": name, "answer": value} for name, value in RIGHT["1"].items()]}, "list of questions with answers"),
        ({"answers": {**RIGHT["1"], "Q10": ["sua fig.la", "suo domestico"]}}, "Q10: a list joined with `|`"),
        ({"answers": {**RIGHT["1"], "Q17": {"left": 3, "right": 4}}}, "Q17: an object joined with `|`"),
        ({"answers": {**RIGHT["1"], "Q1": True}}, "Q1: true read as Y"),
        ({"answers": {**RIGHT["1"], "Q19": 2.0}}, "read as whole"),
        ({"response": "\n".join(f"**{name}:** {value}" for name, value in RIGHT["1"].items())}, "lines such as `Q1: Y` were read"),
        (RIGHT["1"], None),
    ],
)
def test_repairs_give_the_same_answers_and_are_told(tmp_path: Path, page: object, said: str | None) -> None:
    status, answers, problems = page_one(tmp_path, page)
    assert status == "ok"
    squeezed = {name: value.replace(" | ", "|") for name, value in answers.items()}
    assert squeezed == {name: value.replace(" | ", "|") for name, value in ONE.items()}
    if said is None:
        assert problems == []
    else:
        assert any(said in problem for problem in problems)
        assert all(problem.startswith("questions/runs/m/p/run_01.json (page 1): ") for problem in problems)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ({"status": "failed", "error": "timed out"}, "the run says: timed out"),
        ({"status": "ok", "response": "I cannot read this."}, "no answers can be found"),
        ({"status": "ok", "response": ""}, "the response is empty"),
        ({"status": "ok", "answers": [1, 2]}, "no answers can be found"),
        (None, "the response is empty"),
        ({"status": "ok", "response": '{"Q1": "Y'}, "no answers can be found"),
    ],
)
def test_failed_pages_are_told_and_never_zero(tmp_path: Path, page: object, said: str) -> None:
    status, answers, problems = page_one(tmp_path, page)
    assert (status, answers) == ("failed", {})
    assert problems == [f"questions/runs/m/p/run_01.json (page 1): failed page, left out of the figures ({said})"]


def test_an_answer_cut_off_keeps_the_complete_ones(tmp_path: Path) -> None:
    text = '```json\n{"Q1": "Y", "Q2": 1768, "Q10": ["sua figliuola", "suo dom'
    status, answers, problems = page_one(tmp_path, {"status": "ok", "response": text})
    assert status == "truncated"
    assert answers == {name: {"Q1": "Y", "Q2": "1768"}.get(name, "") for name in ONE}
    assert any("Q10: an answer that is cut off is left out" in problem for problem in problems)
    assert any("cut off; complete answers are kept" in problem for problem in problems)
    assert any("no answer given to Q4, Q5, Q10" in problem for problem in problems)


def test_a_run_file_cut_off_keeps_the_pages_before_the_end(tmp_path: Path) -> None:
    text = json.dumps({"pages": right()})
    found = material(tmp_path, {RUN: text[: text.index('"Q19"', text.index('"2": {'))]})
    assert [page.status for page in found.runs[0].pages.values()] == ["ok", "truncated"]
    assert found.runs[0].pages["2"].answers["Q17"] == "5 | 0"
    found = material(tmp_path, {RUN: text[: text.index('"2": {')]})
    assert [page.status for page in found.runs[0].pages.values()] == ["ok", "missing"]


def test_missing_unknown_and_unreadable(tmp_path: Path) -> None:
    pages = {"1": ok({**RIGHT["1"], "Q99": "x"}), "3": ok(RIGHT["2"])}
    found = material(tmp_path, {RUN: pages, "m/p/run_02.json": "nothing here", "m/p/notes.md": "x"})
    assert [page.status for run in found.runs for page in run.pages.values()] == ["ok", "missing", "failed", "failed"]
    assert told(found, Severity.WARNING) == [
        "questions/runs/m/p/run_01.json: missing pages, left out of the figures: 2",
        'questions/runs/m/p/run_02.json: no run can be read here (`{"pages": {"1": ...}}`); all its pages count as failed',
    ]
    assert told(found, Severity.NOTE) == [
        "questions/runs/m/p/notes.md: no run file (`run_01.json`); ignored",
        "questions/runs/m/p/run_01.json: keys that are no question of the set: Q99",
        "questions/runs/m/p/run_01.json (page 3): the ground truth has no such document; ignored",
    ]


def test_a_run_as_a_folder_of_pages(tmp_path: Path) -> None:
    root = workspace(tmp_path, {RUN: right(), "m/p/run_02.json": right()})
    folder = root / "questions/runs/m/p/run_02"
    folder.mkdir()
    (folder / "page_1.json").write_text(json.dumps(RIGHT["1"]), encoding="utf-8")
    (folder / "page_2.txt").write_text("Q1: N\nQ4: N\nQ17: 5 | 0\nQ19: 0\n", encoding="utf-8")
    found = load(open_workspace(root))
    second = found.runs[1]
    assert second.name == "run_02"
    assert {page.status for page in second.pages.values()} == {"ok"}
    assert second.pages["2"].answers["Q17"] == "5 | 0"
    assert any("the folder counts" in problem for problem in told(found, Severity.WARNING))


def test_blank_words_are_blank_on_both_sides(tmp_path: Path) -> None:
    pages = {"1": ok(RIGHT["1"]), "2": ok({**RIGHT["2"], "Q2": None, "Q5": "N/A", "Q10": ["null"], "Q21": "none", "Q22": []})}
    found = material(tmp_path, {RUN: pages}, gt=GT.replace("2,N,,N,,", "2,N,-,N,null,"))
    assert found.documents[1].values["Q2"] == found.documents[1].values["Q5"] == ""
    assert {name: found.runs[0].pages["2"].answers[name] for name in ("Q2", "Q5", "Q10", "Q21", "Q22")} == dict.fromkeys(
        ("Q2", "Q5", "Q10", "Q21", "Q22"), ""
    )


def test_a_key_given_twice(tmp_path: Path) -> None:
    found = find_answers({"Q1": "Y", "q1": "N"}, QuestionNames(("Q1",)))
    assert found is not None
    assert found.values == {"Q1": "Y"}
    assert "Q1 is answered twice; the first answer counts" in found.repairs


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps({"pages": right()}), encoding="utf-8")
    root = workspace(tmp_path / "w", {RUN: right()})
    (root / "questions/runs/m/p/run_02.json").symlink_to(outside)
    found = load(open_workspace(root))
    assert [run.name for run in found.runs] == ["run_01"]
    assert any("leads out of the workspace" in problem for problem in told(found, Severity.WARNING))


# Ground truth


@pytest.mark.parametrize(
    ("gt", "said"),
    [
        (GT.replace("Q22", "Q23"), "column 'Q23' is no question of the set. Did you mean Q2"),
        (GT.replace(",Q22", ""), "no column for Q22"),
        (GT.replace("Q22", "Q21"), "two columns are called Q21"),
        (GT.replace("\n2,", "\n1,"), "document 1 stands here and in line 2"),
        (GT.replace("\n2,", "\n,"), "a document is called ''"),
        (GT.replace("\n2,", "\na:b,"), "a document is called 'a:b'"),
        (GT.replace("5 | 0,0,,", "5 | 0,0,,,extra"), "the row has 11 cells, the header 10"),
        ("document,Q1\n", "has no rows"),
    ],
)
def test_faulty_ground_truth_is_a_sentence(tmp_path: Path, gt: str, said: str) -> None:
    with pytest.raises(InputError, match=r"questions/ground_truth\.csv") as fault:
        material(tmp_path, {RUN: right()}, gt=gt)
    assert said.lower() in str(fault.value).lower()


def test_no_ground_truth(tmp_path: Path) -> None:
    root = workspace(tmp_path, {RUN: right()})
    (root / "questions/ground_truth.csv").unlink()
    with pytest.raises(InputError, match="there is no ground truth"):
        load(open_workspace(root))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("2,N,,N", "2,N,1767,N", "Q2: '1767' although the question is asked only when Q1 is Y"),
        ("1,Y,1767/8", "1,Y,", "Q2: no value, though the question is asked"),
        ("1,Y,", "1,yes,", "Q1: 'yes' is neither Y nor N"),
        ("3 | 4", "3", "Q17: '3' is not two whole numbers"),
        ("3 | 4,2,", "3 | 4,two,", "Q19: 'two' is no whole number"),
        ("fratelli | comici", "fratelli | ?", "Q22: an entry of 'fratelli | ?' is nothing after pre-processing"),
    ],
)
def test_doubts_about_the_ground_truth_are_told(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in GT
    found = material(tmp_path, {RUN: right()}, gt=GT.replace(old, new))
    assert any(said in problem for problem in told(found, Severity.WARNING))
    assert all(problem.startswith("questions/ground_truth.csv:") for problem in told(found, Severity.WARNING))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize(("delimiter", "end"), [(",", "\n"), (";", "\r\n"), ("\t", "\r\n")])
def test_dialects(tmp_path: Path, mark: str, delimiter: str, end: str) -> None:
    root = workspace(tmp_path, {RUN: right()})
    plain = load(open_workspace(root))
    written = mark + GT.replace(",", delimiter).replace("\n", end)
    (root / "questions/ground_truth.csv").write_bytes(written.encode())
    found = load(open_workspace(root))
    assert [document.values for document in found.documents] == [document.values for document in plain.documents]
    assert bool(told(found, Severity.REPAIR)) == (written != GT)


def test_half_the_rules_are_never_applied(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"EQUIVALENCES\.md"):
        material(tmp_path, {RUN: right()}, rules="## 2. Equivalences\n\n| form | kanonical |\n|---|---|\n| a | b |\n")


def test_fingerprints_follow_what_was_read(tmp_path: Path) -> None:
    first = material(tmp_path / "a", {RUN: right()}).fingerprints
    assert material(tmp_path / "b", {RUN: right()}).fingerprints == first
    other = material(tmp_path / "c", {RUN: right(_1={"Q1": "N"})}).fingerprints
    assert {key for key in first if first[key] != other[key]} == {"runs"}
    other = material(tmp_path / "d", {RUN: right()}, gt=GT.replace("comici", "sorelle")).fingerprints
    assert {key for key in first if first[key] != other[key]} == {"ground truth"}
