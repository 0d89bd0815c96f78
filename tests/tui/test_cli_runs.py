"""Runs of any layout on the command line: what `check` says, models with a `/` in their name, and exit codes."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from scoring.adjudication.filters import parse_filter
from tests.scoring.tables.inputs import ANNA, BRUNO, write
from tests.tui.cli_runner import Run
from tui.opening import open_session
from tui.places import find_place

GPT, LLAMA = "openai/gpt-5@high", "meta llama/llama3:70b"
ROWS = [{**ANNA, "name": "Anna Sarri"}, {**BRUNO, "name": "Bruno Bossa Xx"}, {"name": "Zorzi Qui", "origin": "", "guests": ""}]


@pytest.fixture
def providers(tmp_path: Path) -> Path:
    runs = {f"{model}/naive/run_{number}/page_1.json": ROWS for model in (GPT, LLAMA) for number in (1, 2)}
    return write(tmp_path / "providers", dict(runs))


# Models with a slash in their name


def test_the_cells_are_those_of_provider_and_model(adjudicate: Run, providers: Path):
    done = adjudicate("-C", providers, "score", "--format", "csv")
    cells = list(csv.DictReader(done.out.splitlines()))
    assert [(cell["model"], cell["phase"], cell["runs"], cell["matched"]) for cell in cells] == [
        (LLAMA, "naive", "2", "4"),
        (GPT, "naive", "2", "4"),
    ]


def test_a_cell_a_run_and_a_page_are_found(adjudicate: Run, providers: Path):
    words = ("-C", providers, "score", "--cell", f"{GPT}/naive")
    runs = adjudicate(*words, "--format", "csv")
    assert [row["run"] for row in csv.DictReader(runs.out.splitlines())] == ["run_1", "run_2"]
    pages = adjudicate(*words, "--run", "run_2", "--format", "csv")
    assert [row["page"] for row in csv.DictReader(pages.out.splitlines())] == ["1"]
    page = adjudicate(*words, "--run", "run_2", "--page", "1")
    assert page.out.splitlines()[0] == f"{GPT}/naive/run_2  page 1  ok"
    wrong = adjudicate("-C", providers, "score", "--cell", f"{GPT}/nave")
    assert (wrong.code, wrong.err.splitlines()[-1]) == (
        2,
        f"adjudicate: there is nothing called `{GPT}/nave`. Did you mean `{GPT}/naive`?",
    )


def test_a_verdict_names_its_run_and_is_found_again(adjudicate: Run, providers: Path):
    session = open_session(providers, None, task="tables")
    case = next(case for case in session.cases.values() if case.title == "Zorzi Qui")
    run = f"{LLAMA}/naive/run_1"
    words = ("-C", providers, "--verifier", "mp")
    assert adjudicate(*words, "decide", case.id, "duplicate", "--to", f"model:{run}:1:1", "--run", run).code == 0
    behind = adjudicate(*words, "log", "list", "--behind", f"{run}/1", "--format", "json").json
    assert [entry["run"] for entry in behind] == [run]
    assert adjudicate(*words, "log", "list", "--behind", f"{GPT}/naive/run_1", "--format", "json").json == []
    assert adjudicate(*words, "check", "--format", "json").json["counts"]["error"] == 0


def test_filters_take_the_name_apart_from_the_right(providers: Path):
    session = open_session(providers, None, task="tables")
    case = next(case for case in session.cases.values() if case.title == "Zorzi Qui")
    for text, passes in (
        (f"model:{GPT}", True),
        (f'model:"{LLAMA}"', True),
        ("model:openai", False),
        ("phase:naive", True),
        ("phase:gpt-5@high", False),
        ("run:run_2", True),
        (f"run:{GPT}/naive/run_2", True),
    ):
        assert parse_filter(text)(case) is passes, text


def test_places_are_cells_and_runs(providers: Path):
    session = open_session(providers, None, task="tables")
    assert find_place(session, f"cell {GPT}/naive").run == f"{GPT}/naive/run_1"
    assert find_place(session, f"run {LLAMA}/naive/run_2").run == f"{LLAMA}/naive/run_2"


def test_a_report_of_such_models_is_written(adjudicate: Run, providers: Path, tmp_path: Path):
    out = tmp_path / "report"
    assert adjudicate("-C", providers, "report", "--output", out, "--format", "md").code == 0
    assert sorted(path.name for path in out.iterdir()) == ["compare_1.md", "data", "figures", "report.md"]
    pages = list(csv.DictReader((out / "data" / "scores_pages.csv").read_text(encoding="utf-8").splitlines()))
    assert {(page["model"], page["phase"], page["run"]) for page in pages} == {
        (model, "naive", run) for model in (GPT, LLAMA) for run in ("run_1", "run_2")
    }


# Check


def test_check_names_the_layout_and_proposes_aliases(adjudicate: Run, tmp_path: Path):
    answer = [{"nome": row["name"], "provenienza": row["origin"]} for row in (ANNA, BRUNO)]
    root = write(tmp_path / "w", {"org/m/p/run_1/page_1.json": answer})
    done = adjudicate("-C", root, "check")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0] == (
        "1 page of ground truth with 2 rows; 1 run in 1 cell (runs/<provider>/<model>/<phase>/<run>); page scorings: 0 ok, 1 failed."
    )
    at = lines.index("[aliases]")
    assert lines[at + 1 : at + 3] == ['nome = "name"', 'provenienza = "origin"']
    summary = adjudicate("-C", root, "check", "--format", "json").json["summary"]
    assert summary["layout"] == "runs/<provider>/<model>/<phase>/<run>"
    assert summary["aliases"] == {"nome": "name", "provenienza": "origin"}
    (root / "adjudicate.toml").write_text("\n".join(lines[at : at + 3]), encoding="utf-8")
    again = adjudicate("-C", root, "check")
    assert again.code == 0
    assert "page scorings: 1 ok." in again.out


def test_warnings_of_one_kind_are_shortened(adjudicate: Run, tmp_path: Path):
    root = write(tmp_path / "w", {f"m/p/run_{number}/page_1.json": "no" for number in range(30)})
    done = adjudicate("-C", root, "check")
    assert done.out.count("failed: there is no readable list") == 11
    assert "and 20 more of this kind: failed: there is no readable list of records in the answer" in " ".join(done.out.split())
    assert adjudicate("-C", root, "check", "--all").out.count("failed: there is no") == 30


# Exit codes


@pytest.mark.parametrize(
    ("runs", "reason"),
    [
        ({}, "no page was scored: no run could be read in `runs/`. `adjudicate check` names what lies there."),
        ({"page_1.json": [ANNA]}, "no page was scored: no run could be read in `runs/`. `adjudicate check` names what lies there."),
        (
            {"m/p/run_1/page_1.json": "no", "m/p/run_2.json": {"pages": {}}},
            "no page was scored: 1 failed and 1 missing. `adjudicate check` gives the reasons.",
        ),
    ],
)
def test_no_page_scored_is_no_success(adjudicate: Run, tmp_path: Path, runs: dict[str, object], reason: str):
    root = write(tmp_path / "w", runs)
    for form in ("text", "json", "csv", "md"):
        done = adjudicate("-C", root, "score", "--format", form)
        assert (done.code, done.err.splitlines()[-1]) == (2, f"adjudicate: {reason}")
        assert done.out
    out = tmp_path / "report"
    done = adjudicate("-C", root, "report", "--output", out, "--format", "md")
    assert (done.code, done.err.splitlines()[-1]) == (2, f"adjudicate: {reason}")
    assert (out / "report.md").exists()


def test_one_page_scored_is_success(adjudicate: Run, tmp_path: Path):
    root = write(tmp_path / "w", {"m/p/run_1/page_1.json": [ANNA], "m/p/run_2/page_1.json": "no"})
    assert adjudicate("-C", root, "score").code == 0


def test_runs_of_which_none_can_be_read_are_found_by_check(adjudicate: Run, tmp_path: Path):
    done = adjudicate("-C", write(tmp_path / "w", {"page_1.json": [ANNA]}), "check")
    assert done.code == 1
    assert "no run could be read of what lies here" in " ".join(done.out.split())


def test_a_wrong_alias_is_named_with_its_line(adjudicate: Run, tmp_path: Path):
    root = write(tmp_path / "w", {"m/p/run_1/page_1.json": [ANNA]}, settings='gate = 0.7\n[aliases]\nnome = "nam"\n')
    done = adjudicate("-C", root, "score")
    assert done.code == 2
    assert done.err.splitlines()[-1].endswith(
        "adjudicate.toml:3: `[aliases]` maps 'nome' to `nam`, which is no field. Did you mean `name`?"
    )
    checked = adjudicate("-C", root, "check", "--format", "json")
    assert checked.code == 1
    assert [(one["kind"], one["line"]) for one in checked.json["problems"]] == [("settings", 3)]


# The gate


def test_a_queue_shows_no_similarity_as_the_gate_it_is_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from tui.screens.review import ReviewScreen

    name, read = "abcdefghijklmnopqrstuvw", "abcdefghijklmnop1234567"
    root = write(tmp_path / "w", {"m/p/run_1/page_1.json": [{"name": read}]}, {"1": f"name\n{name}\n"})
    session = open_session(root, None, task="tables")
    (case,) = [case for case in session.cases.values() if case.queue == "borderline"]
    assert case.basis["similarity"] == 32 / 46
    assert f"{32 / 46:.2f}" == "0.70"
    session.open_queue("borderline")
    monkeypatch.setattr(ReviewScreen, "session", session)
    screen = ReviewScreen.__new__(ReviewScreen)
    assert screen._line(0, 60).plain.split()[-1] == "0.69"
