"""The command gives what the official pipeline gave, on every case of the shared data: bytes, words, exit codes."""

import json
import lzma
import tarfile
from pathlib import Path

import pytest

from tests.shared import ROOT, shared
from tests.tui.campaign_runner import laid_out, run

STAGES = (
    ("validate_reference", ("validate", "--only", "reference", "--official")),
    ("validate_submissions", ("validate", "--only", "submissions", "--official")),
    ("validate_info", ("validate", "--only", "info", "--official")),
    ("score", ("score", "--official")),
    ("diagnostics", ("diagnostics", "--official")),
)


def index() -> dict:
    path = ROOT.parent / "shared" / "data" / "hipe" / "edge_cases" / "INDEX.json"
    return json.loads(path.read_text()) if path.exists() else {"(no shared data)": {}}


def ranking_cases() -> list[str]:
    folder = ROOT.parent / "shared" / "data" / "hipe" / "ranking_edge_cases"
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else ["(no shared data)"]


@pytest.mark.parametrize("case", index())
def test_every_edge_case_prints_returns_and_writes_what_the_official_scripts_do(case, tmp_path):
    source = shared("data", "hipe", "edge_cases", case)
    expected = json.loads((source / "expected.json").read_text())
    folder = laid_out(source, tmp_path / case)
    places = ("--reference-dir", "reference", "--submissions-dir", "systems", "--per-run-dir", "_out/per-run")
    places += ("--diagnostics-dir", "_out/diagnostics", "--at-label-mode", expected["at_label_mode"])
    for stage, words in STAGES:
        result = run("-C", folder, "campaign", *words, *places)
        said = {
            "exit": result.code,
            "stdout": result.out.replace(str(tmp_path), "<OUT>"),
            "stderr": result.err.replace(str(tmp_path), "<OUT>"),
        }
        assert said == expected[stage], stage
    written = {path.name: json.loads(path.read_text()) for path in (folder / "_out" / "per-run").glob("*.json")}
    assert written == expected["per_run"]
    shown = {path.name: json.loads(path.read_text()) for path in (folder / "_out" / "diagnostics").glob("*.json")}
    assert shown == expected["diagnostics_files"]
    listed = index()[case]
    assert {stage: expected[stage]["exit"] for stage in listed["exit"]} == listed["exit"]
    assert {name: record["scores"] for name, record in written.items()} == listed["scores"]


@pytest.mark.parametrize("case", ranking_cases())
def test_every_ranking_case_gives_the_official_tables_and_page(case, tmp_path):
    source = shared("data", "hipe", "ranking_edge_cases", case)
    folder = laid_out(source, tmp_path / case)
    expected = {path.name: path.read_bytes() for path in (source / "expected" / "system-rankings").glob("*.tsv")}
    places = ("--per-run-dir", "per-run", "--rankings-dir", "out/system-rankings", "--results-md", "out/results.md")
    assert run("-C", folder, "campaign", "rankings", *places).code == 0
    assert {path.name: path.read_bytes() for path in (folder / "out" / "system-rankings").glob("*.tsv")} == expected
    assert run("-C", folder, "campaign", "results-md", *places).code == 0
    page = (folder / "out" / "results.md").read_text().replace("`out/system-rankings/", "`expected/system-rankings/")
    assert page == (source / "expected" / "results.md").read_text()


@pytest.fixture(scope="module")
def real_campaign(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("real")
    laid_out(shared("data", "hipe", "reference"), folder / "data" / "reference")
    laid_out(shared("data", "hipe", "real_runs", "systems"), folder / "data" / "systems")
    for name in ("teams.json", "competition_config.json"):
        (folder / name).write_bytes(shared("data", "hipe", "published", name).read_bytes())
    return folder


@pytest.mark.parametrize("mode", ["ternary", "binary"])
def test_the_real_runs_give_every_official_byte_in_one_pass(real_campaign, mode):
    expected = shared("data", "hipe", "real_runs", "expected", mode)
    binary = ("--binary",) if mode == "binary" else ()
    results = real_campaign / ("results-binary.d" if binary else "results.d")
    result = run("-C", real_campaign, "campaign", "full", "--with", "gt-validation,ensemble", *binary)
    assert result.code == 0
    assert "no baseline" in result.err
    for part in ("per-run", "system-rankings", "diagnostics"):
        wanted = {path.name: path.read_bytes() for path in (expected / part).iterdir()}
        assert {path.name: path.read_bytes() for path in (results / part).iterdir()} == wanted, part
    page = real_campaign / ("HIPE_2026_evaluation_results-binary.md" if binary else "HIPE_2026_evaluation_results.md")
    official = (
        (expected / "results.md")
        .read_text()
        .replace(f"<DATA>/real_runs/expected/{mode}/system-rankings", f"{results.name}/system-rankings")
    )
    assert page.read_text().replace("(results-binary.d/diagnostics/", "(results.d/diagnostics/") == official
    check_workbooks(results / "gt-validation", expected / "gt-validation")


def check_workbooks(folder: Path, expected: Path) -> None:
    from openpyxl import load_workbook

    names = sorted(path.name for path in expected.glob("*.xlsx"))
    assert sorted(path.name for path in folder.iterdir()) == names
    for name in names:
        book = load_workbook(folder / name)
        sheets = {
            sheet.title: [["" if cell is None else cell for cell in row] for row in sheet.iter_rows(values_only=True)] for sheet in book
        }
        assert sheets == json.loads((expected / name.replace(".xlsx", ".json")).read_text()), name


def test_validation_and_information_of_the_real_runs_say_what_the_official_logs_say(real_campaign):
    logs = shared("data", "hipe", "real_runs", "expected")
    for log, only in (("ternary.validate.log", "submissions"), ("ternary.info.log", "info")):
        result = run("-C", real_campaign, "campaign", "validate", "--only", only, "--official")
        said = (result.out + result.err).replace(f"{real_campaign}/data/systems", "<DATA>/real_runs/systems")
        assert said == (logs / log).read_text(), log
        assert result.code == 0


@pytest.fixture(scope="module")
def full_campaign(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("full")
    archive = shared("data", "hipe", "full_campaign", "campaign_equiv_185.tar.xz")
    with lzma.open(archive) as stream, tarfile.open(fileobj=stream) as held:
        held.extractall(folder / "data", filter="data")
    (folder / "lib").mkdir()
    for name in ("teams.json", "competition_config.json"):
        (folder / "lib" / name).write_bytes(shared("data", "hipe", "published", name).read_bytes())
    return folder


def test_a_campaign_of_185_gives_the_published_tables_and_report_byte_for_byte(full_campaign):
    published = shared("data", "hipe", "published")
    expected = shared("data", "hipe", "full_campaign", "expected")
    result = run("-C", full_campaign, "campaign", "full", "--with", "gt-validation,ensemble")
    assert result.code == 0
    results = full_campaign / "results.d"
    for table in published.glob("*.tsv"):
        assert (results / "system-rankings" / table.name).read_bytes() == table.read_bytes(), table.name
    report = "HIPE_2026_evaluation_results.md"
    assert (full_campaign / report).read_bytes() == (published / report).read_bytes()
    for path in (expected / "per-run").iterdir():
        assert (results / "per-run" / path.name).read_bytes() == path.read_bytes(), path.name
    for path in (expected / "diagnostics").iterdir():
        assert (results / "diagnostics" / path.name).read_bytes() == path.read_bytes(), path.name
    check_workbooks(results / "gt-validation", expected / "gt-validation")
    assert len(list((results / "per-run").iterdir())) == 185


def test_scores_are_those_listed(full_campaign, real_campaign):
    listed = json.loads(shared("data", "hipe", "EXPECTED.json").read_text())
    for folder, entries in ((full_campaign, listed["full_campaign"]), (real_campaign, listed["real_runs"])):
        result = run("-C", folder, "campaign", "score", "--format", "json")
        records = {record["submission"]: record for record in json.loads(result.out)["runs"]}
        for name, entry in entries.items():
            record = records[name]
            for key, value in entry["published"].items():
                if key in record["scores"]:
                    assert record["scores"][key] == value, (name, key)
            assert record["scores"]["global_score"] == entry["published"]["score"], name
            assert record["counts"] == entry.get("counts", record["counts"]), name


def test_the_samples_score_as_the_campaign_and_the_old_scorers_say(tmp_path):
    samples = shared("data", "hipe", "sample_submissions")
    folder = tmp_path / "samples"
    laid_out(shared("data", "hipe", "sample_gold"), folder / "data" / "reference")
    laid_out(samples / "campaign_names" / "systems", folder / "data" / "systems")
    for name in ("teams.json", "competition_config.json"):
        (folder / name).write_bytes(shared("data", "hipe", "published", name).read_bytes())
    assert run("-C", folder, "campaign", "full").code == 0
    expected = samples / "campaign_names" / "expected"
    for part in ("per-run", "system-rankings", "diagnostics"):
        wanted = {path.name: path.read_bytes() for path in (expected / part).iterdir()}
        assert {path.name: path.read_bytes() for path in (folder / "results.d" / part).iterdir()} == wanted, part
    for team, log in (("random_baseline", "teamA"), ("random_baseline_including_dropout", "teamAdropout")):
        said = (samples / "expected" / f"{log}.folder_scorer.txt").read_text()
        for language in ("de", "en", "fr"):
            file = samples / team / f"{log}_HIPE-2026-v1.0-impresso-sample-{language}_run1.jsonl"
            gold = shared("data", "hipe", "sample_gold", f"HIPE-2026-v1.0-impresso-sample-{language}.jsonl")
            result = run("-C", tmp_path, "campaign", "score", file, "--gold", gold)
            block = said.split(f"sample-{language}.jsonl:")[1].split("\n\n")[0]
            for target in ("at", "isAt"):
                figures = next(line for line in block.splitlines() if f"'{target}'" in line).split(": ", 1)[1]
                assert f"{target}: {figures}" in result.out


def test_another_version_of_the_gold_gives_its_scores(tmp_path):
    versions = shared("data", "hipe", "gold_versions")
    folder = tmp_path / "campaign"
    stem = "HIPE-2026-v1.0-surprise-test-fr"
    (folder / "data" / "reference").mkdir(parents=True)
    gold = (versions / f"{stem}.adjudication3.jsonl").read_bytes()
    (folder / "data" / "reference" / f"{stem}.jsonl").write_bytes(gold)
    laid_out(shared("data", "hipe", "real_runs", "systems"), folder / "data" / "systems")
    for path in (folder / "data" / "systems").glob("*impresso*"):
        path.unlink()
    assert run("-C", folder, "campaign", "score").code == 0
    for path in (versions / "expected").iterdir():
        assert (folder / "results.d" / "per-run" / path.name).read_bytes() == path.read_bytes()
