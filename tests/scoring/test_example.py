"""The example workspace: made by the script, byte for byte; written out; and showing what it is there to show."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from scoring.adjudication.decisions import Decisions
from scoring.adjudication.log_reading import read_log, require_sound
from scoring.example import ENTRIES, PACKAGED, copy_example, example_files, example_source, write_example
from scoring.problems import InputError, Severity
from scoring.provenance import engine_fingerprint
from scoring.rules import read_rules
from scoring.rules.check import check
from scoring.schema import RecordName, default_schema, read_schema
from scoring.settings import Settings, read_settings
from scoring.tables.cases import cases
from scoring.tables.evaluate import CellScore, Evaluation, evaluate
from scoring.tables.material import load
from scoring.text import name_form
from scoring.workspace import open_workspace
from tests.shared import ROOT
from tui.rulebook import rulebook

SCRIPT = ROOT / "scripts" / "make_example.py"
MODELS, PHASES = ("alfa", "beta", "gamma", "delta", "epsilon"), ("naive", "guided", "expert")
CITED = {
    "28": {"Mandolin Todros", "Leon q.m. Iacob Tedesco", "Israel Baysan", "Salamon Cormos"},
    "36": {"Ernesto di Bargh", "De Flamarin", "Bassa", "Francesco Kin?gsech", "Niccolò ?lelingen", "Federico ?gorosd"},
    "39": set(),
}


def contents(root: Path) -> dict[str, bytes]:
    made = ("gt/", "runs/", "EQUIVALENCES.md", "adjudicate.toml")
    return {p.as_posix(): (root / p).read_bytes() for p in example_files(root) if p.as_posix().startswith(made)}


def run_script(to: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), "--to", str(to)], capture_output=True, text=True, env={**os.environ, **environment}, timeout=120
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("made") / "example"
    done = run_script(to, PYTHONHASHSEED="7", LC_ALL="C", TZ="Asia/Kathmandu")
    assert done.returncode == 0, done.stderr
    return to


def ground_truth(page: str) -> list[dict[str, str]]:
    with (ROOT / "gt" / f"gt_page_{page}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def checkpoint(model: str, phase: str, run: int) -> dict[str, dict[str, object]]:
    document = json.loads((ROOT / "runs" / model / phase / f"run_{run:02d}.json").read_text(encoding="utf-8"))
    assert (document["model"], document["phase"], document["run"]) == (model, phase, run)
    pages = document["pages"]
    assert isinstance(pages, dict)
    return pages


def test_the_files_at_the_root_are_what_the_script_writes(made: Path) -> None:
    here, there = contents(ROOT), contents(made)
    assert sorted(here) == sorted(there)
    assert [path for path in there if here[path] != there[path]] == []


def test_the_script_replaces_its_own_example_and_nobody_elses(tmp_path: Path, made: Path) -> None:
    copy_example(made, tmp_path / "own")
    stale = tmp_path / "own" / "runs" / "alfa" / "naive" / "run_99.json"
    stale.write_text("{}", encoding="utf-8")
    assert run_script(tmp_path / "own").returncode == 0
    assert not stale.exists()

    precious = tmp_path / "theirs" / "gt" / "gt_page_1.csv"
    precious.parent.mkdir(parents=True)
    precious.write_text("name\nMaria\n", encoding="utf-8")
    refused = run_script(tmp_path / "theirs")
    assert refused.returncode == 2
    assert "will not be replaced" in refused.stderr
    assert precious.read_text(encoding="utf-8") == "name\nMaria\n"


def test_size_stays_small() -> None:
    assert sum(map(len, contents(ROOT).values())) < 3_000_000


@pytest.mark.parametrize(("page", "travelers"), [("28", 18), ("36", 37), ("39", 10)])
def test_ground_truth(page: str, travelers: int) -> None:
    rows = ground_truth(page)
    assert len(rows) == travelers
    names = [row["name"] for row in rows]
    assert len({name_form(name) for name in names}) == travelers, "no name repeats on a page"
    assert CITED[page] <= set(names)
    for row in rows:
        assert row["arrival_date"] or row["departure_date"]
        assert all(re.fullmatch(r"(February|April|November) [1-9][0-9]? 1769|", row[f"{way}_date"]) for way in ("arrival", "departure"))
        assert {row["with_spouse"], row["with_siblings"]} <= {"Y", "N", ""}
        assert re.fullmatch("[0-9]?", row["children_count"])


def test_the_cited_details() -> None:
    by_name = {row["name"]: row for page in CITED for row in ground_truth(page)}
    todros, bassa = by_name["Mandolin Todros"], by_name["Bassa"]
    assert (todros["arrival_date"], todros["departure_date"]) == ("February 9 1769", "February 13 1769")
    assert by_name["Salamon Cormos"]["place_of_origin"] == "Cormos"
    assert bassa["title"] == "Barone"
    assert [name for name in by_name if "?" in name] == ["Francesco Kin?gsech", "Niccolò ?lelingen", "Federico ?gorosd"]
    assert {"Anna Serri", "Bruno Serri", "Abt", "Anna Maria Valieri", "Anna Rosa Valieri"} <= set(by_name)


def test_the_schema_declares_what_the_register_does_by_default() -> None:
    schema = read_schema(ROOT / "gt" / "schema.json")
    assert schema == replace(default_schema(list(ground_truth("28")[0])), record=RecordName("traveler", "travelers"))
    assert schema.key == ("name",)


def test_the_settings_written_out_are_the_defaults() -> None:
    assert read_settings(ROOT / "adjudicate.toml") == Settings()
    written = (ROOT / "adjudicate.toml").read_text(encoding="utf-8")
    assert all(re.search(rf"^{name} = ", written, re.M) for name in Settings().parsed())


def test_five_models_three_phases_ten_runs() -> None:
    runs = {
        (model.name, phase.name): sorted(entry.name.removesuffix(".json") for entry in phase.iterdir())
        for model in (ROOT / "runs").iterdir()
        for phase in model.iterdir()
    }
    assert runs == {(model, phase): [f"run_{run:02d}" for run in range(1, 11)] for model in MODELS for phase in PHASES}


def test_the_faults_put_in_by_hand_are_there() -> None:
    failed = checkpoint("epsilon", "naive", 7)["36"]
    assert failed["status"] == "failed"
    assert failed["error"]
    assert sorted(checkpoint("delta", "expert", 4)) == ["28", "36"]
    assert checkpoint("epsilon", "guided", 9)["39"]["travelers"] == []
    cut = checkpoint("beta", "naive", 5)["36"]["response"]
    assert isinstance(cut, str)
    assert cut.startswith("```json\n[")
    assert not cut.rstrip().endswith(("]", "```"))
    comma = checkpoint("beta", "guided", 3)["28"]["response"]
    assert isinstance(comma, str)
    assert comma.endswith("},\n]")
    assert "```json" in str(checkpoint("beta", "expert", 1)["28"]["response"])
    unknown = checkpoint("alfa", "naive", 3)["28"]["travelers"]
    assert isinstance(unknown, list)
    assert all("line" in row for row in unknown)
    folder = ROOT / "runs" / "gamma" / "guided"
    assert {path.suffix for path in folder.glob("run_*/*")} == {".json", ".jsonl", ".csv", ".txt"}
    assert (folder / "run_05" / "page_28.json").read_bytes().startswith(b"\xef\xbb\xbf[\r\n")
    everything = b"".join(contents(ROOT).values()).decode()
    for spelling in ('"unknown"', '"null"', ":null", '"-"', "9bre", '"with_spouse":false', '"place-of-stay"', '"NAME"', "\u200b", "\u00a0"):
        assert spelling in everything, spelling


def test_readings_recur_over_the_runs_of_a_model() -> None:
    """Grouping needs something to group: a model's reading of a line is the same in most of its runs, and not in all."""
    firsts: list[str] = []
    for run in range(1, 11):
        travelers = checkpoint("delta", "naive", run)["36"]["travelers"]
        assert isinstance(travelers, list)
        firsts += [row["name"] for row in travelers if isinstance(row, dict)]
    often = [name for name in set(firsts) if firsts.count(name) >= 5]
    assert len(often) >= 20
    assert len(set(firsts)) > len(often) + 10


def name_values() -> dict[str, list[str]]:
    """Every name that a model wrote under a phase whose answers are plain checkpoints."""
    out: dict[str, list[str]] = {}
    for model in ("alfa", "delta", "epsilon"):
        for phase in PHASES:
            for run in range(1, 11):
                for page in checkpoint(model, phase, run).values():
                    travelers = page.get("travelers", [])
                    assert isinstance(travelers, list)
                    out.setdefault(model, []).extend(str(row.get("name", row.get("NAME"))) for row in travelers)
    return out


def test_most_models_share_a_reading_that_differs_from_the_ground_truth() -> None:
    raw = {model: (ROOT / "runs" / model / "expert" / "run_01.json").read_text(encoding="utf-8") for model in MODELS}
    assert [model for model in MODELS if "Girolamo Ferratti" in raw[model]] == ["beta", "gamma", "delta"]
    assert [model for model in MODELS if "Odorico Vidulfi" in raw[model]] == ["alfa", "beta", "gamma", "delta"]
    assert {"Girolamo Feratti", "Odorico Vidussi"} <= {row["name"] for row in ground_truth("36")}


def test_what_the_method_steps_over_and_labels_is_there() -> None:
    names = {name for written in name_values().values() for name in written}
    assert {
        "Israel Baysan di Verona",
        "Anna e Bruno Serri",
        "Pincherle",
        "Francesco Petrelli",
        "Il Barone Bassa",
        "Capitano Valentin Kropf",
    } <= names


def test_every_rule_has_its_witness_in_the_ground_truth_or_the_runs() -> None:
    questions = {"Q10", "Q12", "Q22"}
    fields = read_schema(ROOT / "gt" / "schema.json").names
    rules = read_rules(ROOT / "EQUIVALENCES.md", (*fields, *questions))
    assert [str(problem) for problem in rules.problems] == []
    values = b"".join(content for path, content in contents(ROOT).items() if path.endswith((".json", ".csv", ".jsonl", ".txt"))).decode()
    rows = [row for row in (*rules.ignores, *rules.equivalences) if not questions & set(row.fields)]
    assert [row.witness for row in rows if not row.witness or row.witness not in values] == []
    near_misses = [row for row in rules.near_misses if not questions & set(row.fields)]
    assert [text for row in near_misses for text in (row.form, row.not_) if text not in values] == []
    assert {row.status for row in rules.ignores} == {row.status for row in rules.equivalences} == {"settled", "OPEN"}
    quondam = {row.form for row in rules.equivalences if row.canonical == "qm"}
    assert quondam == {"q.m", "q. m.", "qm", "q", "q(uonda)m", "q(uondam)", "quondam"}
    forms = {name_form(f"Leon {form} Iacob Tedesco", rules.name()) for form in (*quondam, "q.m.")}
    assert forms == {"leon qm iacob tedesco"}


# What it shows when it is scored


@pytest.fixture(scope="module")
def scored() -> Evaluation:
    return evaluate(load(open_workspace(ROOT)))


def f1_of(cell: CellScore) -> float:
    counts = cell.counts
    return 2 * counts.matched / (counts.model_rows + counts.gt_rows)


def test_every_page_status_occurs(scored: Evaluation) -> None:
    assert Counter(page.status for page in scored.pages.values()) == {"ok": 446, "failed": 2, "truncated": 1, "missing": 1}


def test_cells_differ_and_phases_help(scored: Evaluation) -> None:
    f1 = {(cell.model, cell.phase): f1_of(cell) for cell in scored.cells}
    assert 0.42 < min(f1.values()) < 0.5
    assert 0.96 < max(f1.values()) < 0.99
    for model in MODELS:
        assert f1[model, "naive"] < f1[model, "guided"] < f1[model, "expert"]


def test_the_decisions_show_the_conflict_and_the_stale_queue(scored: Evaluation) -> None:
    log = require_sound(read_log(ROOT / "adjudications"))
    examples = [entry for entry in log.entries if entry.verifier.startswith("example-")]
    assert {entry.verifier for entry in examples} == {"example-one", "example-two"}
    decided = cases(evaluate(scored.material, Decisions.of(examples), automatic=scored))
    assert Counter(case.status for case in decided if case.status in ("conflict", "stale")) == {"conflict": 1, "stale": 1}
    assert {"same", "different", "unsure", "duplicate", "merge", "fragment", "misread", "invention", "gt-wrong", "retract"} == {
        entry.verdict for entry in examples
    }


def test_the_decisions_are_given_under_the_engine_of_today() -> None:
    """Else the first thing a newcomer is told is that a verdict was judged under other rules."""
    entries = [entry for entry in read_log(ROOT / "adjudications").entries if entry.verifier.startswith("example-")]
    given = {entry.basis["engine"] for entry in entries if "engine" in entry.basis}
    assert given == {engine_fingerprint()}, "give them again: python scripts/make_example.py --decisions"


def test_what_is_proposed_for_the_ground_truth_resembles_the_row_it_is_said_of(scored: Evaluation) -> None:
    log = read_log(ROOT / "adjudications")
    entries = [entry for entry in log.entries if entry.verifier.startswith("example-") and entry.verdict == "gt-wrong"]
    assert entries
    for entry in entries:
        (row,) = entry.targets
        assert SequenceMatcher(None, str(entry.value), entry.basis["texts"][row]).ratio() > 0.8


def test_every_label_and_every_queue_is_there(scored: Evaluation) -> None:
    labels = Counter(row.label for page in scored.pages.values() for row in page.surplus)
    assert {"duplicate", "merge", "fragment", "misread", "invention"} <= set(labels)
    assert min(labels[label] for label in ("duplicate", "merge", "fragment", "misread", "invention")) >= 10
    found = cases(scored)
    queues = Counter(case.queue for case in found)
    assert {"borderline", "unmatched", "surplus", "against the key"} <= set(queues)
    assert {case.title.partition(" ~ ")[2] for case in found if case.queue == "against the key"} == {"Girolamo Feratti", "Odorico Vidussi"}
    assert any(case.queue == "unmatched" and case.suggestion == "merge" for case in found), "a matched row that may hold two travelers"
    assert max(len(case.occurrences) for case in found if case.queue == "borderline") >= 10, "one decision settles many occurrences"


def test_a_glyph_nobody_could_read_tips_pairs_over_the_gate(scored: Evaluation) -> None:
    tipped = 0
    for (run, page), score in scored.pages.items():
        for pair in score.pairs:
            gt = scored.prepared.pages[page].forms[pair.gt]
            if pair.matched and "?" in gt:
                readings = scored.prepared.run_page(run, page).models[pair.model].readings
                ratios = (SequenceMatcher(None, gt, reading.text, autojunk=False).ratio() for reading in readings)
                shared = (len({*gt.split()} & {*r.text.split()}) / max(len({*gt.split()}), len({*r.text.split()})) for r in readings)
                tipped += max(*ratios, *shared, 0.0) < 0.70
    assert tipped >= 5


def test_the_rules_are_clean_and_every_open_row_moves_something(scored: Evaluation) -> None:
    material = scored.material
    book = rulebook(open_workspace(ROOT), material)
    assert [str(found) for found in check(book.rules, book.witnesses, book.known) if found.severity != Severity.NOTE] == []
    plain = [(cell.counts, cell.fields()) for cell in scored.cells]
    assert len(material.rules.open_lines) >= 4
    own = set(material.schema.names)
    for line in material.rules.open_lines:
        row = material.rules.row_at(line)
        if row is None or not own & set(row.fields):
            continue
        switched = evaluate(replace(material, rules=material.rules.with_open([line])))
        assert [(cell.counts, cell.fields()) for cell in switched.cells] != plain, material.rules.row_at(line)


# Writing it out


def test_a_checkout_is_its_own_example() -> None:
    assert example_source() == ROOT


def test_written_out_whole(tmp_path: Path) -> None:
    to = tmp_path / "new" / "workspace"
    written = write_example(to)
    assert written == [to / ".gitattributes", *(to / path for path in example_files(ROOT))]
    assert written[0].read_bytes() == b"adjudications/*.jsonl merge=union\n"
    assert contents(to) == contents(ROOT)
    assert sorted(path for path in to.rglob("*") if path.is_file()) == sorted(written)


def test_an_empty_folder_is_taken_and_a_full_one_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert write_example(tmp_path / "empty")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"not empty.*Name a new|not empty.*name a new"):
        write_example(tmp_path / "full")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    with pytest.raises(InputError, match="a file, not a folder"):
        write_example(tmp_path / "full" / "mine.txt")
    with pytest.raises(InputError, match="cannot be written"):
        write_example(tmp_path / "full" / "mine.txt" / "deeper")


def test_a_verifiers_own_log_hidden_files_and_links_are_no_part_of_the_example(tmp_path: Path) -> None:
    source, log = tmp_path / "source", tmp_path / "source" / "adjudications"
    log.mkdir(parents=True)
    for name in ("example-a.jsonl", "me.jsonl", ".example-a.jsonl.lock"):
        (log / name).write_text("", encoding="utf-8")
    (source / "gt").mkdir()
    (source / "gt" / "gt_page_1.csv").write_text("name\n", encoding="utf-8")
    (source / "gt" / ".hidden").write_text("", encoding="utf-8")
    (source / "gt" / "link.csv").symlink_to(source / "adjudications" / "me.jsonl")
    (source / "unrelated.txt").write_text("", encoding="utf-8")
    assert [path.as_posix() for path in example_files(source)] == ["adjudications/example-a.jsonl", "gt/gt_page_1.csv"]


def test_the_packaged_copy_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "scoring"
    copy_example(ROOT, package / PACKAGED)
    monkeypatch.setattr("scoring.example.__file__", str(package / "example.py"))
    assert example_source() == package / PACKAGED
    (package / PACKAGED / "EQUIVALENCES.md").unlink()
    with pytest.raises(InputError, match="carries no example workspace"):
        example_source()


def test_the_build_carries_the_example_and_an_editable_one_does_not(tmp_path: Path) -> None:
    """The build step itself, run on the repository with its output elsewhere."""
    library = tmp_path / "lib"
    program = (
        "import sys, runpy; from setuptools import Distribution; import setuptools\n"
        "seen = {}\n"
        "setuptools.setup = lambda **given: seen.update(given)\n"
        "runpy.run_path('setup.py')\n"
        "command = seen['cmdclass']['build_py'](Distribution({'name': 'x', 'packages': ['scoring'], 'script_name': 'setup.py'}))\n"
        "command.build_lib = sys.argv[1]; command.ensure_finalized(); command.editable_mode = sys.argv[2] == 'editable'\n"
        "command.run(); print(sum('example_workspace' in path for path in command.get_outputs()))\n"
    )

    def build(mode: str) -> int:
        done = subprocess.run(
            [sys.executable, "-c", program, str(library), mode], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
        )
        return int(done.stdout.split()[-1])

    assert build("editable") == 0
    assert not (library / "scoring" / PACKAGED).exists()
    assert build("wheel") == len(example_files(ROOT))
    assert contents(library / "scoring" / PACKAGED) == contents(ROOT)


def test_entries_cover_what_a_workspace_holds() -> None:
    assert {entry.split("/")[0] for entry in ENTRIES} == {
        "EQUIVALENCES.md",
        "adjudicate.toml",
        "gt",
        "runs",
        "adjudications",
        "questions",
        "data",
    }
