"""`adjudicate score` and `adjudicate report` through the command line: what goes where, exit codes, files."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scoring.reports import small
from tests.shared import shared

ROOT = Path(__file__).resolve().parents[2]


def run(*args, root=None, **env):
    """The command in a process of its own."""
    given = ["-C", str(root)] if root is not None else []
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", **env}
    command = [sys.executable, "-m", "tui", *given, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, check=False)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = small.write(tmp_path_factory.mktemp("cli") / "w")
    small.evaluation(root)
    return root


def test_score_prints_tables_and_where_they_come_from(root):
    done = run("score", root=root)
    assert done.returncode == 0
    assert "Which records were found" in done.stdout
    assert "beta <i>" in done.stdout
    assert re.search(r"^Scoring inputs: ground truth [0-9a-f]{8}, engine [0-9a-f]{8}, rules ", done.stdout, flags=re.MULTILINE)
    alfa = next(line for line in done.stdout.splitlines() if line.startswith("alfa"))
    assert alfa.split()[:7] == ["alfa", "naive", "3", "6", "27", "33", "21"]
    assert "\x1b" not in done.stdout
    assert "scored four ways" not in done.stdout
    assert "scored four ways" in run("score", "--instruments", root=root).stdout


def test_score_as_json(root):
    done = run("score", "--format", "json", root=root)
    found = json.loads(done.stdout)
    assert list(found)[:6] == ["provenance", "cells", "pages", "fields", "instruments", "pairs"]
    assert found["cells"][0]["decisions_applied"] > 0
    names = {pair["model_name"] for pair in found["pairs"]}
    assert small.ESCAPES in names or any("Red [bold]Name" in name for name in names if name)
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


def test_score_as_csv_is_the_summary(root, tmp_path):
    printed = run("score", "--format", "csv", root=root).stdout
    done = run("score", "--format", "csv", "--output", tmp_path / "out", root=root)
    assert done.stdout == printed == (tmp_path / "out/scores_summary.csv").read_text(encoding="utf-8")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        *("scores_summary.csv", "scores_pages.csv", "scores_fields.csv", "pairs.csv", "instruments.csv"),
        *("pairs_as_scored.csv", "disagreements.csv", "provenance.txt", "provenance.json"),
    }
    line = (tmp_path / "out/provenance.txt").read_text().splitlines()[0]
    assert line in run("score", root=root).stdout
    assert json.loads((tmp_path / "out/provenance.json").read_text())["ground_truth"] in line


def test_score_as_markdown(root):
    text = run("score", "--format", "md", root=root).stdout
    assert text.startswith("## Which records were found\n")
    assert r"beta \<i\>" in text


def test_apply_by_leaves_people_out(root):
    rows = [
        list(csv.DictReader(io.StringIO(run("score", "--format", "csv", *more, root=root).stdout))) for more in ([], ["--apply-by", "rule"])
    ]
    assert any(row["decisions_applied"] != "0" for row in rows[0])
    assert all(row["decisions_applied"] == "0" and row["adjudicated_f1"] == row["f1"] for row in rows[1])
    assert [row["f1"] for row in rows[0]] == [row["f1"] for row in rows[1]]


def test_report_writes_what_it_names(root, tmp_path):
    out = tmp_path / "report"
    done = run("report", "--output", out, "--format", "html", "--format", "xlsx", "--date", "2026-11-29", root=root)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str(out / "report.html"), str(out / "report.xlsx")]
    assert "Generated 2026-11-29T00:00:00Z." in (out / "report.html").read_text(encoding="utf-8")
    assert not (out / "report.md").exists()
    assert (out / "data/scores_pages.csv").exists()


def test_report_is_the_same_twice(root, tmp_path):
    outs = [tmp_path / "one", tmp_path / "two"]
    for seed, out in enumerate(outs):
        run(
            "report",
            "--output",
            out,
            *("--format", "html", "--format", "md", "--format", "xlsx"),
            root=root,
            SOURCE_DATE_EPOCH="1000000000",
            PYTHONHASHSEED=str(seed),
        )
    one, two = ({path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()} for out in outs)
    assert one == two
    assert "Generated 2001-09-09T01:46:40Z." in one[Path("report.md")].decode()


def test_report_keeps_what_else_lies_in_the_folder(root, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    run("report", "--output", tmp_path, "--format", "md", root=root)
    assert (tmp_path / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (["report", "--date", "yesterday"], "--date is 'yesterday', which is no date"),
        (["score", "--format", "pdf"], "Invalid value for '--format'"),
        (["score", "--apply-by", "nobody"], "Invalid value for '--apply-by'"),
        (["score", "--output", "/proc/nowhere"], "cannot be written"),
        (["report", "--output", "/proc/nowhere"], "cannot be written"),
    ],
)
def test_bad_usage_is_a_sentence(root, args, sentence):
    done = run(*args, root=root)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def broken(tmp_path, name, text):
    root = small.write(tmp_path / "w")
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize("command", ["score", "report"])
@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("adjudications/mp.jsonl", '{"broken": 1}\n', "mp.jsonl:1"),
        ("EQUIVALENCES.md", small.RULES.replace("| leading |", "| sideways |", 1), "EQUIVALENCES.md:7"),
        ("EQUIVALENCES.md", small.RULES + "| di | titel | leading | model | settled | | |\n", "EQUIVALENCES.md:10"),
        ("adjudicate.toml", "gaet = 0.7\n", "Did you mean `gate`"),
        ("gt/gt_page_50.csv", "", "gt_page_50.csv"),
    ],
)
def test_what_must_stop_scoring_stops_it(tmp_path, command, name, text, place):
    root = broken(tmp_path, name, text)
    done = run(command, *(["--output", tmp_path / "r"] if command == "report" else []), root=root)
    assert done.returncode == 2
    assert place in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_folder_without_tables_says_so(tmp_path):
    (tmp_path / "questions").mkdir()
    done = run("score", root=tmp_path)
    assert done.returncode == 2
    assert "no tables to score" in done.stderr


def test_score_imports_neither_textual_nor_pandas_nor_matplotlib(root):
    code = (
        "import sys; from tui.cli import main\n"
        "try: main(['-C', sys.argv[1], 'score'])\n"
        "except SystemExit: pass\n"
        "heavy = ('textual', 'pandas', 'scipy', 'matplotlib', 'openpyxl', 'jinja2')\n"
        "print([name for name in heavy if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(root)], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"


def test_help_fits_a_screen_and_gives_an_example():
    for command in ("score", "report"):
        text = run(command, "--help").stdout
        assert len(text.splitlines()) <= 24
        assert f"Example: adjudicate {command}" in text


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            "citydir_1754_1870_docs",
            {
                ("gemini-2.0-flash", "img2csv"): (755, "0.0501"),
                ("gemini-2.0-flash", "pdf2csv"): (773, "0.0301"),
                ("gpt-4o", "img2csv"): (697, "0.1551"),
            },
        ),
        ("basel_1900_double", {("claude-sonnet-4.5", "c2500"): (1220, "0.1190"), ("gpt-oss-120b", "c5000"): (116, "0.2831")}),
        (
            "patents_1878_1918",
            {("gemini-3.1-pro-preview", "single_step"): (1371, "0.0320"), ("human-research-assistant", "manual"): (1351, "0.0354")},
        ),
    ],
)
def test_real_runs_score_as_an_independent_scorer_has_them(data, expected):
    done = run("score", "--format", "csv", root=shared("data", "tables", data))
    assert done.returncode == 0, done.stderr
    found = {(row["model"], row["phase"]): row for row in csv.DictReader(io.StringIO(done.stdout))}
    for cell, (matched, cer) in expected.items():
        assert (int(found[cell]["matched"]), f"{float(found[cell]['name_cer']):.4f}") == (matched, cer)


def test_the_page_on_outputs_lists_the_columns_there_are(root, tmp_path):
    page = (ROOT / "docs/outputs.md").read_text(encoding="utf-8")
    run("score", "--output", tmp_path, root=root)
    listed = re.findall(r"^`(\w+)\.csv`.*?Columns:\n(.*?)\.$", page, flags=re.MULTILINE | re.DOTALL)
    assert [name for name, _ in listed] == ["scores_summary", "scores_pages", "scores_fields", "pairs", "instruments", "disagreements"]
    for name, columns in listed:
        header = (tmp_path / f"{name}.csv").read_text(encoding="utf-8").splitlines()[0]
        assert re.findall(r"`(\w+)`", columns) == header.split(",")


def test_the_page_on_outputs_lists_the_files_there_are(root, tmp_path):
    page = (ROOT / "docs/outputs.md").read_text(encoding="utf-8")
    run("report", "--output", tmp_path, "--format", "md", root=root)
    written = {path.name for path in (tmp_path / "data").glob("*.csv")}
    assert written == set(re.findall(r"`(\w+\.csv)`", page))
