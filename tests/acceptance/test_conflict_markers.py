"""What git leaves in a file that two people changed is an error with its line, never a row, a rule or prose."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.foundations.problems import conflict_line
from tests.tui.cli_runner import Run, runner
from tests.tui.small import small_workspace

RULES = """# Rules

## 2. Equivalences

| form | canonical | field | status | witness | note |
|---|---|---|---|---|---|
| q.m | qm | name | settled | Leon q.m. Tedesco | |

## 4. Prose

"""


@pytest.fixture
def adjudicate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def test_in_ground_truth(adjudicate: Run, tmp_path: Path):
    root = small_workspace(tmp_path)
    page = root / "gt" / "gt_page_1.csv"
    lines = page.read_text("utf-8").splitlines()
    conflict = ["<<<<<<< HEAD", lines[2], "=======", lines[2] + "x", ">>>>>>> theirs"]
    page.write_text("\n".join([*lines[:2], *conflict, *lines[3:]]) + "\n", "utf-8")
    done = adjudicate("-C", root, "score")
    assert done.code == 2
    assert "gt_page_1.csv:3: a git merge conflict was left in the file" in done.err
    checked = adjudicate("-C", root, "check")
    assert checked.code == 1
    assert "a git merge conflict was left in the file" in " ".join(checked.out.split())


@pytest.mark.parametrize("line", [2, 7, 12])
def test_in_the_rules_in_a_table_or_in_prose(line: int, adjudicate: Run, tmp_path: Path):
    root = small_workspace(tmp_path)
    rules = root / "EQUIVALENCES.md"
    lines = [*RULES.splitlines(), "text"]
    rules.write_text("\n".join([*lines[: line - 1], "<<<<<<< HEAD", *lines[line - 1 :]]) + "\n", "utf-8")
    done = adjudicate("-C", root, "rules", "check")
    assert done.code == 1
    assert f"EQUIVALENCES.md:{line}: a git merge conflict was left in the file" in done.out
    assert adjudicate("-C", root, "score").code == 2


def test_what_is_no_conflict():
    assert conflict_line("Title\n=======\n\nname <<<<<<< x\n<<<<<<<\n") is None
    assert conflict_line("a\nb\n>>>>>>> theirs\n") == 3
