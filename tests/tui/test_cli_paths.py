"""Nested values at the command line: proposed, counted, and doubted as lists."""

from __future__ import annotations

import json
from pathlib import Path

from tests.tui.cli_runner import Run

ANSWER = [{"title": "On Ink", "author": [{"family": "Rossi"}, {"family": "Bianchi"}, {"family": "Kuhn"}]}]


def workspace(root: Path, gt: str) -> None:
    """A workspace of one page, which two models read alike."""
    (root / "gt").mkdir()
    (root / "gt/gt_page_1.csv").write_text(gt)
    for model in ("m", "n"):
        folder = root / f"runs/{model}/naive/run_01"
        folder.mkdir(parents=True)
        (folder / "page_1.json").write_text(json.dumps(ANSWER))


def test_check_proposes_paths_and_score_counts_what_lacks_them(adjudicate: Run, tmp_path: Path) -> None:
    workspace(tmp_path, "title,author\nOn Ink,Rossi\n")
    done = adjudicate("-C", tmp_path, "check", "--format", "json")
    assert done.code == 1
    (found,) = [one for one in done.json["problems"] if one["kind"] == "fields"]
    assert (found["severity"], found["where"]) == ("warning", "gt/schema.json")
    assert found["message"].endswith('"author[].family": {"type": ["array"], "x-method": "text"}')
    scored = adjudicate("-C", tmp_path, "score", "--format", "json").json["fields"]
    assert [(one["scored"], one["unscorable"], one["no_path"], one["accuracy"]) for one in scored] == [(0, 1, 1, None)] * 2
    assert "2 of author" in " ".join(adjudicate("-C", tmp_path, "score").out.split())
    assert adjudicate("-C", tmp_path, "report", "--format", "md", "--output", tmp_path / "out").code == 0
    assert "no_path" in (tmp_path / "out/data/scores_fields.csv").read_text()


def test_a_list_is_doubted_and_written(adjudicate: Run, tmp_path: Path) -> None:
    workspace(tmp_path, "title,author[].family\nOn Ink,Rossi | Bianchi | Verdi\n")
    told = ("-C", tmp_path, "--verifier", "mp")
    case = adjudicate(*told, "next", "--queue", "against the key", "--format", "json").json["id"]
    refused = adjudicate(*told, "decide", case, "equivalent")
    assert refused.code == 2
    assert "`author[].family` is a list, and a rule is of one entry" in refused.err
    assert adjudicate(*told, "decide", case, "gt-wrong", "--value", r"Rossi|Bianchi|Kuhn \| Co").code == 0
    assert adjudicate(*told, "truth", "apply").code == 0
    assert (tmp_path / "gt/gt_page_1.csv").read_text() == "title,author[].family\nOn Ink,Rossi | Bianchi | Kuhn \\| Co\n"
    assert "done" in adjudicate(*told, "truth", "list").out


def test_a_rule_of_a_list_moves_its_entries(adjudicate: Run, tmp_path: Path) -> None:
    workspace(tmp_path, "title,author[].family\nOn Ink,Rossi | Bianchi | Verdi\n")
    told = ("-C", tmp_path, "--verifier", "mp")
    drafted = adjudicate(*told, "rules", "draft", "--form", "kuhn", "--canonical", "verdi", "--field", "author[].family")
    assert drafted.code == 0
    assert "author[].family 0.667 → 1.000" in " ".join(adjudicate(*told, "rules", "preview").out.split())
