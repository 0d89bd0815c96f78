"""A data package: what it holds, that validators accept it, and that the same inputs give the same bytes."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from scoring.adjudication.log_reading import read_log
from scoring.deposit.crate import LICENCE
from scoring.deposit.inputs import inputs
from scoring.deposit.package import package
from scoring.provenance import engine_fingerprint
from scoring.reports.sources import score_tables
from scoring.reports.tables_sections import gather
from scoring.tables.instruments import instruments
from scoring.workspace import Workspace, open_workspace
from tests.scoring.questions.small import right
from tests.scoring.questions.small import workspace as questions
from tests.scoring.records.build import make
from tests.scoring.relations.builders import GOLD, campaign, labelled
from tests.scoring.reports import small

WHEN = "2026-11-29T00:00:00Z"


def packed(root: Path, **more) -> dict[str, bytes]:
    workspace = open_workspace(root)
    figures = None
    if workspace.gt.is_dir():
        scored = score_tables(workspace)
        figures = gather(scored.evaluation, instruments(scored.evaluation), scored.problems)
    given = {"apply_by": ("human",), "generated": WHEN, "parquet": False, **more}
    return package(workspace, read_log(workspace.adjudications), figures, **given)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = small.write(tmp_path_factory.mktemp("deposit") / "w")
    small.evaluation(root)
    (root / "adjudicate.toml").write_text('blank_words = ["=none"]\n')
    schema = {"properties": {name: {"x-key": True} if name == "name" else {} for name in small.HEADER}}
    (root / "gt" / "schema.json").write_text(json.dumps(schema))
    return root


@pytest.fixture(scope="module")
def files(root):
    return packed(root, title="=T <b>|$")


def rows(files, name):
    return list(csv.DictReader(io.StringIO(files[f"data/{name}.csv"].decode())))


def described(files, name):
    found = json.loads(files["datapackage.json"])
    return next(one for one in found["resources"] if one["name"] == name)


def test_it_holds_truth_figures_decisions_rules_settings_and_schema(files, root):
    for name in ("ground_truth", "ground_truth_doubts", "scores_summary", "pairs", "intervals", "agreement", "log", "inputs", "problems"):
        assert f"data/{name}.csv" in files
    copies = {"EQUIVALENCES.md": "EQUIVALENCES.md", "adjudicate.toml": "adjudicate.toml", "schema.json": "gt/schema.json"}
    for copy, source in copies.items():
        assert files[copy] == (root / source).read_bytes()
    lines = sorted(line for path in (root / "adjudications").iterdir() for line in path.read_bytes().splitlines())
    assert sorted(files["log.jsonl"].splitlines()) == lines
    assert len(rows(files, "log")) == len(lines) == 6


def test_ground_truth_is_a_row_a_record_safe_for_spreadsheets(files):
    found = rows(files, "ground_truth")
    assert [(one["page"], one["row"], one["source_row"]) for one in found][:2] == [("28", "1", "1"), ("28", "2", "2")]
    assert [one["name"] for one in found][-2:] == ["Marco Polo", "'" + small.FORMULA]
    assert described(files, "ground_truth")["schema"]["primaryKey"] == ["page", "row"]


def test_frictionless_accepts_it(files, tmp_path):
    from frictionless import validate

    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    report = validate(str(tmp_path / "datapackage.json"))
    assert report.valid, report.flatten(["type", "message"])
    assert len(report.tasks) == len(files) - 2


def test_frictionless_would_find_a_changed_figure(files, tmp_path):
    from frictionless import validate

    for name, data in {**files, "data/pairs.csv": files["data/pairs.csv"].replace(b"matched", b"matchee", 1)}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    report = validate(str(tmp_path / "datapackage.json"))
    assert {error for (error,) in report.flatten(["type"])} == {"hash-count"}


def test_the_crate_names_files_verifiers_inputs_and_fingerprints(files, root, tmp_path):
    from rocrate.rocrate import ROCrate

    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    crate = ROCrate(tmp_path)
    assert crate.version == "1.2"
    assert crate.root_dataset["name"] == "=T <b>|$"
    assert crate.root_dataset["license"] == LICENCE
    assert str(crate.root_dataset["datePublished"])[:10] == "2026-11-29"
    assert {one["name"]: one.type for one in crate.root_dataset["contributor"]} == {"jd": "Person", "mp": "Person"}
    assert {unquote(one.id): one["sha256"] for one in crate.data_entities} == {
        name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "ro-crate-metadata.json"
    }
    action = crate.get("#scoring")
    assert action["instrument"]["identifier"]["value"] == engine_fingerprint()
    named = {one["name"]: one["sha256"] for one in action["object"]}
    assert named == {one["path"]: one["sha256"] for one in rows(files, "inputs")}
    assert named["gt/gt_page_28.csv"] == hashlib.sha256((root / "gt/gt_page_28.csv").read_bytes()).hexdigest()
    assert "runs/alfa/naive/run_01.json" in named
    prints = json.loads(files["datapackage.json"])["fingerprints"]
    assert list(prints) == ["ground_truth", "engine", "rules", "runs", "settings", "decisions"]
    assert {one["propertyID"]: one["value"] for one in crate.root_dataset["identifier"]} == prints
    assert crate.get("EQUIVALENCES.md")["identifier"] == prints["rules"]


def test_every_reference_of_the_crate_leads_somewhere(files):
    graph = json.loads(files["ro-crate-metadata.json"])["@graph"]
    known = [one["@id"] for one in graph]
    assert len(known) == len(set(known))
    pointed = {ref for ref in re.findall(r'"@id": "([^"]+)"', files["ro-crate-metadata.json"].decode()) if not ref.startswith("https://")}
    assert pointed == set(known)


def test_same_inputs_same_bytes_elsewhere_and_later(files, root, tmp_path):
    import shutil

    shutil.copytree(root, tmp_path / "moved")
    for path in (tmp_path / "moved").rglob("*"):
        os.utime(path, (1, 1))
    assert packed(tmp_path / "moved", title="=T <b>|$") == files


def test_parquet_beside_csv(root):
    pytest.importorskip("pyarrow", reason="needs the extra `parquet`")
    made = packed(root, parquet=True)
    assert {name for name in made if name.endswith(".parquet")} == {
        f"{name[:-4]}.parquet" for name in made if name.startswith("data/") and name.endswith(".csv")
    }
    assert made == packed(root, parquet=True)


def test_text_from_data_is_no_formula_and_no_markup(files):
    for name, data in files.items():
        if name.startswith("data/"):
            for row in csv.reader(io.StringIO(data.decode())):
                assert not [cell for cell in row if cell.startswith(("=", "+", "@", "\t")) or (cell.startswith("-") and not _number(cell))]
    assert r"# =T \<b\>\|\$" in files["README.md"].decode()


def _number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_questions_relations_and_records(tmp_path):
    root = questions(tmp_path / "w", {"m/p/run_01.json": right()})
    campaign(root, GOLD, {"team1_run1": [labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]]})
    make(root, documents=1)
    files = packed(root)
    assert files["ground_truth/questions.csv"] == (root / "questions" / "ground_truth.csv").read_bytes()
    assert {"data/questions_summary.csv", "data/questions_answers.csv", "data/questions_01.csv"} <= set(files)
    (gold,) = (root / "data" / "reference").glob("*.jsonl")
    assert files[f"ground_truth/{gold.stem.lower()}.jsonl"] == gold.read_bytes()
    assert "data/ranking-impresso-test-en.csv" in files
    database = next(root.glob("*.db"))
    assert f"data/records_{database.stem.lower()}_documents.csv" in files
    for name, data in files.items():
        (tmp_path / "out" / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / "out" / name).write_bytes(data)
    from frictionless import validate

    report = validate(str(tmp_path / "out" / "datapackage.json"))
    assert report.valid, report.flatten(["type", "message"])
    prints = json.loads(files["datapackage.json"])["fingerprints"]
    assert prints["engine"] == engine_fingerprint()
    assert "questions_ground_truth" in prints


def test_inputs_follow_no_link_out_of_the_workspace_and_no_loop(tmp_path):
    root = tmp_path / "w"
    (root / "gt" / "deep").mkdir(parents=True)
    (root / "gt" / "deep" / "a.csv").write_bytes(b"abc")
    (root / "gt" / "deep" / "again").symlink_to(root / "gt")
    (root / "gt" / "out").symlink_to(tmp_path)
    (root / "gt" / ".hidden").write_bytes(b"x")
    (root / "teams.json").write_bytes(b"{}")
    found = inputs(Workspace(root))
    assert [row[:2] for row in found.rows] == [("teams.json", 2), ("gt/deep/a.csv", 3)]
    assert found.rows[1][2] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
