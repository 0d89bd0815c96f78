"""`adjudicate log list | check | export | import` and `agreement`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from openpyxl import load_workbook

from tests.tui.cli_runner import Run
from tests.tui.test_cli_review import entries, first


def judged(adjudicate: Run, root: Path) -> list[str]:
    """Two cases judged by two verifiers, who disagree on the second; one verdict undone."""
    ids = []
    for verdicts in (("same", "same"), ("same", "different")):
        case = first(adjudicate, root, "--queue", "borderline")["id"]
        for verifier, verdict in zip(("ab", "cd"), verdicts, strict=True):
            adjudicate("-C", root, "--verifier", verifier, "decide", case, verdict, "--note", "=1+1")
        ids.append(case)
    third = first(adjudicate, root, "--queue", "borderline")["id"]
    adjudicate("-C", root, "--verifier", "ab", "decide", third, "unsure")
    adjudicate("-C", root, "--verifier", "ab", "undo")
    return ids


def test_list_filters(adjudicate: Run, register: Path) -> None:
    one, two = judged(adjudicate, register)

    def listed(*words: str) -> list[dict[str, object]]:
        found: list[dict[str, object]] = adjudicate("-C", register, "log", "list", "--format", "json", *words).json
        return found

    assert len(listed()) == 6
    assert [entry["id"] for entry in listed()] == sorted(str(entry["id"]) for entry in listed())
    assert {entry["verifier"] for entry in listed("--verifier", "ab")} == {"ab"}
    assert [entry["verdict"] for entry in listed("--verdict", "different")] == ["different"]
    assert {entry["case"] for entry in listed("--case", one[:6])} == {one}
    assert [entry["live"] for entry in listed("--verdict", "unsure")] == [False]
    assert {entry["verdict"] for entry in listed("--live")} == {"same", "different"}
    assert listed("--since", "2999-01-01") == []
    assert len(listed("--since", "2000-01-01T00:00")) == 6
    assert listed("--task", "records") == []
    assert len(listed("--case", two)) == 2


def test_list_as_a_table(adjudicate: Run, register: Path) -> None:
    judged(adjudicate, register)
    shown = adjudicate("-C", register, "log", "list")
    assert "undone" in shown.out
    assert "=1+1" in shown.out
    assert "6 entries of 6" in shown.err
    assert adjudicate("-C", register, "log", "list", "--since", "yesterday").code == 2


def test_the_environment_names_me_and_filters_nothing(adjudicate: Run, register: Path, monkeypatch: object) -> None:
    judged(adjudicate, register)
    monkeypatch.setenv("ADJUDICATE_VERIFIER", "ab")  # type: ignore[attr-defined]
    assert len(adjudicate("-C", register, "log", "list", "--format", "json").json) == 6


def test_check_tells_a_corrupt_line_with_its_place(adjudicate: Run, register: Path) -> None:
    judged(adjudicate, register)
    assert adjudicate("-C", register, "log", "check").code == 0
    path = register / "adjudications" / "ab.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"{corrupt\n", *lines[1:]]))
    done = adjudicate("-C", register, "log", "check")
    assert done.code == 1
    assert "ab.jsonl:2" in done.out
    found = adjudicate("-C", register, "log", "check", "--format", "json").json
    assert [(one["severity"], one["line"]) for one in found["problems"]] == [("error", 2)]
    for stopped in ("next", "agreement", "truth list", "log list"):
        refused = adjudicate("-C", register, *stopped.split())
        assert refused.code == 2
        assert "ab.jsonl:2" in refused.err


def test_export_in_three_forms(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    judged(adjudicate, register)
    for form in ("csv", "xlsx", "jsonl"):
        assert adjudicate("-C", register, "log", "export", "--format", form, "--output", tmp_path / f"log.{form}").code == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "log.csv").read_text("utf-8"))))
    assert len(rows) == 6
    assert {row["note"] for row in rows} == {"'=1+1", ""}
    sheet = load_workbook(tmp_path / "log.xlsx").active
    assert sheet is not None
    assert sheet.max_row == 7
    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == {entry["id"] for name in ("ab", "cd") for entry in entries(register, name)}
    assert adjudicate("-C", register, "log", "export", "--output", tmp_path / "no" / "such.csv").code == 2


def test_import_is_a_union(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    judged(adjudicate, register)
    adjudicate("-C", register, "log", "export", "--format", "jsonl", "--output", tmp_path / "all.jsonl")
    before = {name: (register / "adjudications" / f"{name}.jsonl").read_bytes() for name in ("ab", "cd")}
    (register / "adjudications" / "cd.jsonl").unlink()
    done = adjudicate("-C", register, "log", "import", tmp_path / "all.jsonl")
    assert "cd: 2 entries added" in done.out
    assert "2 entries added, 4 known already" in done.out
    assert "1 case came into conflict" in done.out
    assert {name: (register / "adjudications" / f"{name}.jsonl").read_bytes() for name in ("ab", "cd")} == before
    assert "0 entries added, 6 known already" in adjudicate("-C", register, "log", "import", tmp_path / "all.jsonl").out


def test_import_is_all_or_nothing(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    judged(adjudicate, register)
    lines = (register / "adjudications" / "cd.jsonl").read_text("utf-8").splitlines()
    (register / "adjudications" / "cd.jsonl").unlink()
    (tmp_path / "bad.jsonl").write_text(f"{lines[0]}\nnonsense\n{lines[1]}\n", "utf-8")
    done = adjudicate("-C", register, "log", "import", tmp_path / "bad.jsonl")
    assert done.code == 2
    assert "bad.jsonl:2" in done.err
    assert not (register / "adjudications" / "cd.jsonl").exists()
    assert adjudicate("-C", register, "log", "import", tmp_path / "nowhere.jsonl").code == 2


def test_agreement_counts_and_lists_conflicts(adjudicate: Run, register: Path) -> None:
    _, two = judged(adjudicate, register)
    found = adjudicate("-C", register, "agreement", "--format", "json").json
    overall = found["kinds"][0]
    assert (overall["cases"], overall["pairs"], overall["agreed"], overall["percent"]) == (2, 2, 1, 50.0)
    assert [one["case"] for one in found["conflicts"]] == [two]
    text = adjudicate("-C", register, "agreement").out
    assert two in text
    assert "50.0 [9.5, 90.5]" in text
    assert "(too few)" in text
    assert "[0.000, 0.000]" not in text
    adjudicate("-C", register, "--verifier", "judge", "decide", two, "same")
    ruled = adjudicate("-C", register, "agreement", "--format", "json").json
    assert ruled["conflicts"] == []
    assert ruled["kinds"][0]["percent"] == 50.0  # a ruling is no second opinion


def test_agreement_of_nobody(adjudicate: Run, register: Path) -> None:
    done = adjudicate("-C", register, "agreement")
    assert done.code == 0
    assert "No case has been judged by two verifiers." in done.out


def test_a_corrupt_line_may_be_excluded_by_name(adjudicate: Run, register: Path) -> None:
    one, _ = judged(adjudicate, register)
    path = register / "adjudications" / "ab.jsonl"
    path.write_bytes(b"{corrupt\n" + path.read_bytes())
    assert adjudicate("-C", register, "next").code == 2
    (register / "adjudicate.toml").write_text('exclude_log_lines = ["ab.jsonl:1"]\n', "utf-8")
    assert adjudicate("-C", register, "show", one, "--format", "json").json["status"] == "decided"
    assert adjudicate("-C", register, "log", "check").code == 1
    assert adjudicate("-C", register, "--verifier", "cd", "undo").code == 0
