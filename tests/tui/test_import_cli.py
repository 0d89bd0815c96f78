"""`adjudicate import` at the command line: the plan first, nothing overwritten, a record of what came in."""

import json
from pathlib import Path

from tests.tui.cli_runner import Run

ANSWER = json.dumps([{"name": "Anna Serri"}])


def source(root: Path) -> Path:
    for name, text in {"truth/page 28.csv": "name\nAnna Serri\n", "answers/gpt/28.json": ANSWER, "x.docx": "x"}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def test_without_a_terminal_the_plan_is_printed_and_nothing_written(adjudicate: Run, tmp_path: Path) -> None:
    done = adjudicate("import", source(tmp_path / "s"), "--into", tmp_path / "ws")
    assert done.code == 0
    assert "gt/gt_page_28.csv" in done.out
    assert "Nothing was written: --yes writes it." in done.err
    assert not (tmp_path / "ws").exists()


def test_yes_writes_and_the_workspace_scores(adjudicate: Run, tmp_path: Path) -> None:
    done = adjudicate("import", source(tmp_path / "s"), "--into", tmp_path / "ws", "--yes", "--date", "2026-11-29")
    assert (done.code, "2 files written" in done.out) == (0, True)
    record = json.loads((tmp_path / "ws" / "import.json").read_text())
    assert [(one["source"], one["kind"], one["date"], len(one["files"])) for one in record["imports"]] == [("s", "folder", "2026-11-29", 2)]
    scored = adjudicate("-C", tmp_path / "ws", "score", "--format", "json")
    assert json.loads(scored.out)["cells"][0]["matched"] == 1
    assert (tmp_path / "ws" / "adjudicate.toml").exists()


def test_again_writes_nothing_and_a_conflict_is_told_of(adjudicate: Run, tmp_path: Path) -> None:
    adjudicate("import", source(tmp_path / "s"), "--into", tmp_path / "ws", "--yes")
    before = (tmp_path / "ws" / "import.json").read_bytes()
    assert adjudicate("import", tmp_path / "s", "--into", tmp_path / "ws", "--yes").code == 0
    (tmp_path / "s" / "truth" / "page 28.csv").write_text("name\nBruno\n")
    done = adjudicate("import", tmp_path / "s", "--into", tmp_path / "ws", "--yes")
    assert done.code == 1
    assert "1 file not taken: another content is there already." in done.err
    assert (tmp_path / "ws" / "gt" / "gt_page_28.csv").read_text() == "name\nAnna Serri\n"
    assert (tmp_path / "ws" / "import.json").read_bytes() == before


def test_the_plan_as_data(adjudicate: Run, tmp_path: Path) -> None:
    source(tmp_path / "s")
    plan = json.loads(adjudicate("import", tmp_path / "s", "--into", tmp_path / "ws", "--plan", "--format", "json").out)
    assert [(one["source"], one["goes_to"], one["state"]) for one in plan["files"]] == [
        ("x.docx", "-", "skipped"),
        ("truth/page 28.csv", "gt/gt_page_28.csv", "new"),
        ("answers/gpt/28.json", "runs/gpt/default/run_01/page_28.json", "new"),
    ]
    listed = adjudicate("import", tmp_path / "s", "--into", tmp_path / "ws", "--plan", "--format", "csv").out.splitlines()
    assert listed[0] == "source,taken for,goes to,state,why"
    assert len(listed) == 4


def test_a_long_plan_is_summed_up(adjudicate: Run, tmp_path: Path) -> None:
    source(tmp_path / "s")
    for page in range(100):
        (tmp_path / "s" / "answers" / "gpt" / f"{page + 100}.json").write_text(ANSWER)
    done = adjudicate("import", tmp_path / "s", "--into", tmp_path / "ws", "--plan")
    assert "answers/gpt/ (101 files)" in done.out
    assert len(done.out.splitlines()) < 20


def test_what_cannot_be_imported_is_a_sentence(adjudicate: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    files = source(tmp_path / "s")
    for arguments in ((tmp_path / "none",), (tmp_path / "empty",), (files, "--pattern", "{model}"), (files, "--as", "x")):
        done = adjudicate("import", *arguments, "--into", tmp_path / "ws", "--yes")
        assert done.code == 2
        assert done.err.startswith("adjudicate: ")
    assert not (tmp_path / "ws").exists()
