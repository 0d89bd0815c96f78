"""`adjudicate export`, and `--date` of every command that writes files."""

from __future__ import annotations

import csv
import json
import shutil
import time
from pathlib import Path

import pytest

from tests.scoring.questions.small import right
from tests.scoring.questions.small import workspace as questions
from tests.scoring.records.build import make
from tests.scoring.relations.builders import GOLD, SURPRISE, campaign, jsonl, labelled
from tests.tui.cli_runner import Run
from tests.tui.test_cli_review import ME, first
from tests.tui.test_cli_truth import doubted as doubted

DATE = ("--date", "2026-11-29")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def truth(folder: Path) -> list[dict[str, str]]:
    with (folder / "data" / "ground_truth.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_export_writes_a_package_and_says_that_a_licence_is_missing(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    done = adjudicate("-C", register, "export", tmp_path / "a" / "deposit", *DATE, "--title", "Guests")
    assert done.code == 0
    assert "No licence is chosen" in done.err
    found = contents(tmp_path / "a" / "deposit")
    assert done.out == f"wrote {len(found)} files to {tmp_path / 'a' / 'deposit'}\n"
    package = json.loads(found["datapackage.json"])
    assert (package["title"], package["created"]) == ("Guests", "2026-11-29T00:00:00Z")
    assert {one["path"] for one in package["resources"]} == set(found) - {"datapackage.json", "ro-crate-metadata.json"}
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["deposit"]


def test_an_empty_folder_is_filled_and_a_full_one_refused(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    folder = tmp_path / "deposit"
    folder.mkdir()
    assert adjudicate("-C", register, "export", folder, *DATE).code == 0
    before = contents(folder)
    done = adjudicate("-C", register, "export", folder, *DATE)
    assert done.code == 2
    assert f"{folder}: this folder is not empty. Name a folder that does not exist yet" in done.err
    assert contents(folder) == before


def test_a_file_and_a_folder_of_inputs_are_refused(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = adjudicate("-C", register, "export", tmp_path / "file")
    assert (done.code, "this is not a folder" in done.err) == (2, True)
    done = adjudicate("-C", register, "export", register / "runs" / "new")
    assert (done.code, "inputs are read from `runs/`" in done.err) == (2, True)
    assert not (register / "runs" / "new").exists()


def test_a_fault_while_writing_leaves_nothing(adjudicate: Run, register: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scoring.deposit import folder as written

    real, count = written.write_whole, 0

    def fails(path: Path, data: bytes) -> None:
        nonlocal count
        count += 1
        if count == 5:
            raise OSError(28, "No space left on device")
        real(path, data)

    monkeypatch.setattr(written, "write_whole", fails)
    target = tmp_path / "out" / "deposit"
    done = adjudicate("-C", register, "export", target)
    assert done.code == 2
    assert f"{target}: this cannot be written (No space left on device)" in done.err
    assert list((tmp_path / "out").iterdir()) == []


def test_without_the_library_figures_are_csv_only(adjudicate: Run, register: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoring.deposit.resources.has_parquet", lambda: False)
    done = adjudicate("-C", register, "export", tmp_path / "deposit")
    assert done.code == 0
    assert "CSV only: Parquet needs the extra `parquet`" in done.err
    assert not list(tmp_path.rglob("*.parquet"))


def test_a_faulty_record_of_imports_is_a_sentence(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    (register / "import.json").write_text("{")
    for words in (("export", tmp_path / "deposit"), ("report", "--output", tmp_path / "report")):
        done = adjudicate("-C", register, *words)
        assert done.code == 2
        assert "import.json: the record of imports is not readable JSON" in done.err
    assert not (tmp_path / "deposit").exists()


def test_the_ground_truth_is_as_agreed(adjudicate: Run, doubted: Path, tmp_path: Path) -> None:
    """A wrong name, a row missing and a row too many: the rows are those that `truth apply` leaves."""
    case = first(adjudicate, doubted, "--queue", "surplus", "--filter", "owned")
    adjudicate("-C", doubted, *ME, "decide", case["id"], "gt-missing-row", "--value", 'Anna, "la Rossa"')
    other = first(adjudicate, doubted, "--queue", "unmatched", "--filter", "hohenstaufen")
    adjudicate("-C", doubted, *ME, "decide", other["id"], "gt-extra-row")
    assert adjudicate("-C", doubted, "export", tmp_path / "before", *DATE).code == 0
    found = truth(tmp_path / "before")
    changed = {one["name"]: (one["page"], one["source_row"], len(one["decided_by"].split())) for one in found if one["decided_by"]}
    assert changed == {"Israel Bayſan": ("1", "2", 2), 'Anna, "la Rossa"': ("1", "", 1)}
    assert not [one for one in found if "Hohenstaufen" in one["name"]]
    adjudicate("-C", doubted, "truth", "apply")
    assert adjudicate("-C", doubted, "export", tmp_path / "after", *DATE).code == 0
    plain = [[{**one, "source_row": "", "decided_by": ""} for one in rows] for rows in (found, truth(tmp_path / "after"))]
    assert plain[0] == plain[1]


# Dates


WRITERS = [
    ("score", "--output", "{out}", *DATE),
    ("report", "--output", "{out}", "--format", "html", "--format", "md", "--format", "xlsx", "--format", "tex", *DATE),
    ("export", "{out}", *DATE),
    ("log", "export", "--format", "xlsx", "--output", "{out}/log.xlsx", *DATE),
    ("log", "export", "--format", "csv", "--output", "{out}/log.csv", *DATE),
    ("truth", "patch", "--output", "{out}/gt.patch", *DATE),
    ("questions", "score", "--output", "{out}", *DATE),
    ("questions", "report", "--output", "{out}/q.md", *DATE),
    ("questions", "report", "--format", "html", "--output", "{out}/q.html", *DATE),
    ("campaign", "full", *DATE),
    ("campaign", "score", *DATE),
    ("campaign", "rankings", *DATE),
    ("campaign", "diagnostics", *DATE),
    ("campaign", "gt-validation", *DATE),
    ("campaign", "results-md", *DATE),
    ("campaign", "ensemble", *DATE),
    ("campaign", "snapshot", "first", *DATE),
    ("campaign", "export-gold", *DATE),
    ("campaign", "import", "{in}/new.jsonl", "--team", "team9", "--run", "run1", "--reference", "{reference}", *DATE),
    ("records", "promote", "{in}/reviewed.db", "--to", "{out}", *DATE),
]


@pytest.fixture
def everything(doubted: Path, tmp_path: Path) -> Path:
    """A workspace of all tasks with decisions, a campaign of one run, and files to bring in."""
    questions(doubted, {"m/p/run_01.json": right()})
    campaign(doubted, GOLD, {"team1_run1": [labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]], "team2_run1": GOLD})
    return doubted


@pytest.mark.parametrize("words", WRITERS, ids=lambda words: " ".join(word for word in words if word[0] not in "-{2"))
def test_the_same_date_gives_the_same_bytes(adjudicate: Run, everything: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    given = tmp_path / "in"
    given.mkdir()
    (given / "new.jsonl").write_text(jsonl(GOLD), encoding="utf-8")
    make(given, documents=1, reviewed_at="2026-01-02 03:04:05").rename(given / "reviewed.db")
    reference = next((everything / "data" / "reference").glob("*.jsonl")).stem
    made = []
    for name in ("one", "two"):
        # Each pass in a folder of the same name, so that a path in an output is no difference.
        root, out = tmp_path / "pass" / "w", tmp_path / "pass" / "out"
        shutil.copytree(everything, root)
        out.mkdir()
        filled = [word.format(out=out, reference=reference, **{"in": given}) for word in words]
        done = adjudicate("-C", root, *filled)
        assert done.code in (0, 1), done.err
        before = contents(everything)
        found = contents(tmp_path / "pass")
        made.append({name: data for name, data in found.items() if before.get(name.removeprefix("w/")) != data})
        shutil.rmtree(tmp_path / "pass")
        if name == "one":
            time.sleep(1.1)
    assert made[0]
    assert made[0] == made[1]


@pytest.mark.parametrize("words", WRITERS, ids=lambda words: " ".join(word for word in words if word[0] not in "-{2"))
def test_no_date_is_a_sentence(adjudicate: Run, everything: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    filled = [word.format(out=tmp_path / "out", reference=SURPRISE, **{"in": tmp_path}) for word in words[:-1]]
    done = adjudicate("-C", everything, *filled, "yesterday")
    assert done.code == 2
    assert "--date is 'yesterday', which is no date. Write it as 2026-11-29." in done.err
    assert not (tmp_path / "out").exists()


def test_the_environment_dates_what_has_no_option(adjudicate: Run, register: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    for name, more, date in (("a", (), "2026-09-21T14:13:20Z"), ("b", DATE, "2026-11-29T00:00:00Z")):
        assert adjudicate("-C", register, "score", "--output", tmp_path / name, *more).code == 0
        assert json.loads((tmp_path / name / "provenance.json").read_text())["generated"] == date
        assert (tmp_path / name / "provenance.txt").read_text().splitlines()[1] == f"Generated {date}"
        assert adjudicate("-C", register, "export", tmp_path / f"x{name}", *more).code == 0
        assert json.loads((tmp_path / f"x{name}" / "datapackage.json").read_text())["created"] == date
