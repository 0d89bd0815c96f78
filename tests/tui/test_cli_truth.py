"""`adjudicate truth list | patch | apply`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tui.cli_runner import Run
from tests.tui.test_cli_review import ME, first


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
