"""`adjudicate truth list | patch | apply`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scoring.questions.small import right, workspace
from tests.tui.cli_runner import Run
from tests.tui.test_cli_review import ME, entries, first


@pytest.fixture
def doubted(adjudicate: Run, register: Path) -> Path:
    """A file with CRLF line ends, a byte order mark and a quoted cell; two verifiers propose another text for its second row."""
    gt = register / "gt" / "gt_page_1.csv"
    lines = gt.read_text("utf-8").replace("Israel Baysan", '"Israel Baysan"').replace("\n", "\r\n")
    gt.write_bytes(b"\xef\xbb\xbf" + lines.encode())
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "bayson")
    for verifier in ("ab", "cd"):
        adjudicate("-C", register, "--verifier", verifier, "decide", case["id"], "gt-wrong", "--value", "Israel Bayſan")
    return register


def test_nobody_doubts(adjudicate: Run, register: Path) -> None:
    assert "Nobody doubts" in adjudicate("-C", register, "truth", "list").out
    assert adjudicate("-C", register, "truth", "patch").out == ""
    assert adjudicate("-C", register, "truth", "apply").code == 0


def test_list_tells_who_said_what(adjudicate: Run, doubted: Path) -> None:
    (doubt,) = adjudicate("-C", doubted, "truth", "list", "--format", "json").json
    assert (doubt["state"], doubt["verdict"], doubt["page"], doubt["row"], doubt["text"], doubt["value"]) == (
        "agreed", "gt-wrong", "1", 2, "Israel Baysan", "Israel Bayſan",
    )  # fmt: skip
    assert [entry["verifier"] for entry in doubt["said"]] == ["ab", "cd"]
    assert "Israel Bayſan" in adjudicate("-C", doubted, "truth", "list").out


def test_apply_changes_one_cell_and_no_other_byte(adjudicate: Run, doubted: Path) -> None:
    gt = doubted / "gt" / "gt_page_1.csv"
    before = gt.read_bytes()
    gt.chmod(0o640)
    dry = adjudicate("-C", doubted, "truth", "apply", "--dry-run")
    assert dry.code == 0
    assert gt.read_bytes() == before
    done = adjudicate("-C", doubted, "truth", "apply")
    assert done.code == 0
    assert "row 2" in done.out
    assert gt.read_bytes() == before.replace(b'"Israel Baysan"', '"Israel Bayſan"'.encode())
    assert gt.stat().st_mode & 0o777 == 0o640
    # Done: told as such, and not done again.
    assert [one["state"] for one in adjudicate("-C", doubted, "truth", "list", "--format", "json").json] == ["done"]
    after = gt.read_bytes()
    again = adjudicate("-C", doubted, "truth", "apply")
    assert "Nothing agreed" in again.out
    assert gt.read_bytes() == after


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_the_patch_is_what_apply_does(adjudicate: Run, doubted: Path, tmp_path: Path) -> None:
    adjudicate("-C", doubted, "truth", "patch", "--output", tmp_path / "gt.patch")
    patched = tmp_path / "patched"
    shutil.copytree(doubted, patched)
    subprocess.run(
        ["git", "apply", str(tmp_path / "gt.patch")],
        cwd=patched,
        check=True,
        env={"PATH": "/usr/bin:/bin", "GIT_CEILING_DIRECTORIES": str(tmp_path)},
    )
    adjudicate("-C", doubted, "truth", "apply")
    assert (patched / "gt" / "gt_page_1.csv").read_bytes() == (doubted / "gt" / "gt_page_1.csv").read_bytes()


def test_a_conflict_is_refused_and_told(adjudicate: Run, doubted: Path) -> None:
    case = adjudicate("-C", doubted, "log", "list", "--format", "json").json[0]["case"]
    adjudicate("-C", doubted, *ME, "decide", case, "gt-wrong", "--value", "Something else")
    # The third verdict came without a conflict before it, so it contradicts the first two.
    states = {one["state"] for one in adjudicate("-C", doubted, "truth", "list", "--format", "json").json}
    assert states == {"conflict"}
    before = (doubted / "gt" / "gt_page_1.csv").read_bytes()
    done = adjudicate("-C", doubted, "truth", "apply")
    assert done.code == 1
    assert "left out (conflict)" in done.err
    assert (doubted / "gt" / "gt_page_1.csv").read_bytes() == before


def test_an_undone_doubt_is_none(adjudicate: Run, doubted: Path) -> None:
    adjudicate("-C", doubted, "--verifier", "ab", "undo")
    adjudicate("-C", doubted, "--verifier", "cd", "undo")
    assert adjudicate("-C", doubted, "truth", "list", "--format", "json").json == []


def test_one_page_alone(adjudicate: Run, doubted: Path) -> None:
    assert "Nothing agreed" in adjudicate("-C", doubted, "truth", "apply", "--page", "2").out
    assert adjudicate("-C", doubted, "truth", "apply", "--page", "99").code == 2


def test_a_write_protected_file_is_a_sentence(adjudicate: Run, doubted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    done = adjudicate("-C", doubted, "truth", "apply")
    assert done.code == 2
    assert "write-protected" in done.err


def test_rows_missing_and_too_many(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "surplus", "--filter", "owned")
    adjudicate("-C", register, *ME, "decide", case["id"], "gt-missing-row", "--value", 'Anna, "la Rossa"')
    other = first(adjudicate, register, "--queue", "unmatched", "--filter", "hohenstaufen")
    adjudicate("-C", register, *ME, "decide", other["id"], "gt-extra-row")
    before = {page: (register / "gt" / f"gt_page_{page}.csv").read_text("utf-8") for page in ("1", "2")}
    assert adjudicate("-C", register, "truth", "apply").code == 0
    after = {page: (register / "gt" / f"gt_page_{page}.csv").read_text("utf-8") for page in ("1", "2")}
    new = '"Anna, ""la Rossa""",,\n'
    assert after["1"].replace(new, "", 1) == before["1"]
    gone = set(before["2"].splitlines()) - set(after["2"].splitlines())
    assert len(gone) == 1
    assert other["title"] in gone.pop()
    assert {one["state"] for one in adjudicate("-C", register, "truth", "list", "--format", "json").json} == {"done"}


def test_a_doubt_that_points_to_no_row_is_left_to_people(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "surplus", "--filter", "owned")
    adjudicate("-C", register, *ME, "decide", case["id"], "gt-extra-row")
    done = adjudicate("-C", register, "truth", "apply")
    assert done.code == 1
    assert "no row of the ground truth was pointed to" in done.err


# The ground truth of the questions


@pytest.fixture
def asked(adjudicate: Run, tmp_path: Path) -> Path:
    """A workspace of questions alone, in which one answer of the ground truth is doubted."""
    root = workspace(tmp_path / "asked", {"a/p/run_01.json": right(_1={"Q10": "suo domestica | sua figliuola"})})
    case = first(adjudicate, root, "--filter", "domestica")
    assert adjudicate("-C", root, *ME, "decide", case["id"], "gt-wrong", "--value", "suo domestica").code == 0
    return root


def test_doubts_about_answers_are_listed_patched_and_written(adjudicate: Run, asked: Path) -> None:
    (doubt,) = adjudicate("-C", asked, "truth", "list", "--format", "json").json
    assert [doubt[key] for key in ("task", "state", "page", "question", "row", "text", "value", "file")] == [
        "questions", "agreed", "1", "Q10", 1, "suo domestico", "suo domestica", "questions/ground_truth.csv",
    ]  # fmt: skip
    assert "agreed  1     Q10         1  gt-wrong  “suo domestico” → “suo domestica”" in adjudicate("-C", asked, "truth", "list").out
    gt = asked / "questions" / "ground_truth.csv"
    before = gt.read_bytes()
    assert "+1,Y,1767/8,Y,bottom right,suo domestica | sua figliuola" in adjudicate("-C", asked, "truth", "patch").out
    done = adjudicate("-C", asked, "truth", "apply", "--page", "1")
    assert (done.code, done.err) == (0, "")
    assert "document 1, Q10 entry 1: gt-wrong" in done.out
    assert gt.read_bytes() == before.replace(b"suo domestico", b"suo domestica")
    (doubt,) = adjudicate("-C", asked, "truth", "list", "--format", "json").json
    assert doubt["state"] == "done"


def test_pages_and_documents_of_one_name_are_told_apart_by_the_task(adjudicate: Run, doubted: Path) -> None:
    workspace(doubted, {"a/p/run_01.json": right(_1={"Q10": "suo domestica | sua figliuola"})})
    case = first(adjudicate, doubted, "--task", "questions", "--filter", "domestica")
    adjudicate("-C", doubted, *ME, "decide", case["id"], "gt-wrong", "--value", "suo domestica")
    listed = adjudicate("-C", doubted, "truth", "list", "--format", "json").json
    assert [(doubt["task"], doubt["page"], doubt["state"]) for doubt in listed] == [("tables", "1", "agreed"), ("questions", "1", "agreed")]
    told = adjudicate("-C", doubted, "truth", "apply", "--dry-run", "--page", "1").out
    assert "gt/gt_page_1.csv: would change" in told
    assert "questions/ground_truth.csv: would change" in told
    told = adjudicate("-C", doubted, "truth", "apply", "--page", "1", "--task", "questions").out
    assert "gt_page_1" not in told
    listed = adjudicate("-C", doubted, "truth", "list", "--format", "json").json
    assert [doubt["state"] for doubt in listed] == ["agreed", "done"]


def test_a_page_without_doubts_is_a_page_and_one_that_is_none_is_not(adjudicate: Run, asked: Path) -> None:
    assert "Nothing agreed" in adjudicate("-C", asked, "truth", "apply", "--page", "2").out
    for task in ((), ("--task", "questions")):
        assert "there is no page 99. Pages are 1, 2" in adjudicate("-C", asked, "truth", "apply", "--page", "99", *task).err
    assert "no material for `tables`" in adjudicate("-C", asked, "truth", "list", "--task", "tables").err


def test_a_task_that_nobody_doubts_is_not_read(adjudicate: Run, doubted: Path) -> None:
    (doubted / "questions").mkdir()
    (doubted / "questions" / "questions.toml").write_text("half a file")
    assert adjudicate("-C", doubted, "truth", "list").code == 0
    assert adjudicate("-C", doubted, "truth", "apply").code == 0


def test_where_there_is_nothing_to_doubt(adjudicate: Run, tmp_path: Path) -> None:
    assert adjudicate("-C", tmp_path, "truth", "list").code == 2


# One value of a row


@pytest.fixture
def dated(adjudicate: Run, register: Path) -> Path:
    """A register in which the arrival of a row is doubted from the case of its name, and the name as well."""
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "bayson")
    said = ("decide", case["id"], "gt-wrong")
    done = adjudicate("-C", register, *ME, *said, "--field", "arrival_date", "--value", "May 5 1769")
    assert done.code == 0, done.err
    assert "gt-wrong of arrival_date -> gt:1:2 “May 5 1769”" in done.out
    assert adjudicate("-C", register, "--verifier", "ab", *said, "--value", "Israel Bayson").code == 0
    return register


def test_a_doubt_of_a_value_in_the_log_the_list_and_the_file(adjudicate: Run, dated: Path) -> None:
    (line,) = entries(dated)
    assert (line["basis"]["field"], line["basis"]["cell"], line["value"], line["targets"]) == (
        "arrival_date", "May 2 1769", "May 5 1769", ["gt:1:2"],
    )  # fmt: skip
    found = adjudicate("-C", dated, "truth", "list", "--format", "json").json
    assert [(one["field"], one["text"], one["value"], one["state"]) for one in found] == [
        (None, "Israel Baysan", "Israel Bayson", "agreed"), ("arrival_date", "May 2 1769", "May 5 1769", "agreed"),
    ]  # fmt: skip
    assert "arrival_date “May 2 1769” → “May 5 1769”" in adjudicate("-C", dated, "truth", "list").out
    gt = dated / "gt" / "gt_page_1.csv"
    before = gt.read_bytes()
    assert b"-Israel Baysan,Conte,May 2 1769\n+Israel Bayson,Conte,May 5 1769\n" in adjudicate("-C", dated, "truth", "patch").out.encode()
    done = adjudicate("-C", dated, "truth", "apply")
    assert done.code == 0
    assert "row 2: gt-wrong, arrival_date “May 2 1769” → “May 5 1769”" in done.out
    assert gt.read_bytes() == before.replace(b"Israel Baysan,Conte,May 2 1769", b"Israel Bayson,Conte,May 5 1769")
    assert [one["state"] for one in adjudicate("-C", dated, "truth", "list", "--format", "json").json] == ["done", "done"]


def test_a_value_changed_meanwhile_is_refused_with_a_sentence(adjudicate: Run, dated: Path) -> None:
    gt = dated / "gt" / "gt_page_1.csv"
    gt.write_text(gt.read_text("utf-8").replace("Conte,May 2", "Conte,May 9"), "utf-8")
    done = adjudicate("-C", dated, "truth", "apply")
    assert done.code == 1
    assert (
        "left out (stale): page 1 row 2, gt-wrong, arrival_date “May 2 1769” → “May 5 1769”: "
        "arrival_date of GT row gt:1:2 (Israel Baysan) changed from May 2 1769 to May 9 1769" in done.err
    )
    assert "Israel Bayson,Conte,May 9 1769" in gt.read_text("utf-8")


def test_undo_takes_the_doubt_of_the_value_back_and_the_case_stays(adjudicate: Run, dated: Path) -> None:
    listed = " ".join(adjudicate("-C", dated, "log", "list").out.split())
    assert "gt-wrong of arrival_date -> gt:1:2 “May 5 1769”" in listed
    assert "undone: gt-wrong of arrival_date -> gt:1:2" in adjudicate("-C", dated, *ME, "undo").out
    assert [one["field"] for one in adjudicate("-C", dated, "truth", "list", "--format", "json").json] == [None]


def test_a_field_that_is_none_is_refused(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "bayson")
    refused = adjudicate("-C", register, *ME, "decide", case["id"], "gt-wrong", "--field", "colour", "--value", "red")
    assert refused.code == 2
    assert "there is no field `colour`" in refused.err
    assert "Fields are name, title, arrival_date" in refused.err
    refused = adjudicate("-C", register, *ME, "decide", case["id"], "same", "--field", "arrival_date")
    assert (refused.code, "`same` is not said of a value" in refused.err) == (2, True)
    root = workspace(tmp_path / "asked", {"a/p/run_01.json": right(_1={"Q10": "suo domestica | sua figliuola"})})
    asked = first(adjudicate, root, "--filter", "domestica")
    refused = adjudicate("-C", root, *ME, "decide", asked["id"], "gt-wrong", "--field", "Q10", "--value", "x")
    assert (refused.code, "a verdict of the task `questions` names no field" in refused.err) == (2, True)


def test_a_rule_of_two_values_is_drafted_checked_and_logged(adjudicate: Run, register: Path) -> None:
    gt = register / "gt" / "gt_page_1.csv"
    gt.write_text(gt.read_text("utf-8").replace("Israel Baysan,Conte,May 2 1769", "Israel Baysan,Conte,Maggio 2 1769"), "utf-8")
    (register / "EQUIVALENCES.md").write_text("", "utf-8")
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "bayson")
    done = adjudicate("-C", register, *ME, "decide", case["id"], "equivalent", "--field", "arrival_date")
    assert done.code == 0, done.err
    assert "drafted, OPEN: `May 2 1769` = `Maggio 2 1769` in arrival_date" in done.out
    row = "| May 2 1769 | Maggio 2 1769 | arrival_date | OPEN | May 2 1769 (page 1 row 2, Israel Baysan) | |"
    assert row in (register / "EQUIVALENCES.md").read_text("utf-8")
    assert entries(register)[-1]["value"] == {"form": "May 2 1769", "canonical": "Maggio 2 1769", "field": "arrival_date"}
    # The checks run before anything is written.
    before = (register / "EQUIVALENCES.md").read_bytes()
    refused = adjudicate(
        "-C", register, *ME, "decide", case["id"], "equivalent", "--field", "arrival_date", "--value", "May 2 1769 = June 2 1769"
    )
    assert refused.code == 2
    assert "June 2 1769" in refused.err
    assert (register / "EQUIVALENCES.md").read_bytes() == before
    assert adjudicate("-C", register, *ME, "decide", case["id"], "equivalent", "--field", "title").code == 2
