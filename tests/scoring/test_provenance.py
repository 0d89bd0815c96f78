"""Provenance: equal on every machine, different when an input is."""

from pathlib import Path

import pytest

import scoring
from scoring.foundations.problems import InputError
from scoring.workspace.provenance import (
    Provenance,
    engine_fingerprint,
    generation_date,
    provenance_line,
    run_dates,
    stated_date,
    tree_fingerprint,
)


def test_line():
    provenance = Provenance("36c390d2", "5c52b890", "355f2e77", "00000001", "00000002", "00000003")
    line = "Scoring inputs: ground truth 36c390d2, engine 5c52b890, rules 355f2e77, runs 00000001, settings 00000002, decisions 00000003"
    assert provenance_line(provenance) == line
    dated = Provenance(*["0" * 8] * 6, runs_from="2026-01-01", runs_to="2026-02-03", generated="2026-11-29T22:10:05Z")
    assert provenance_line(dated).endswith("; runs of 2026-01-01 to 2026-02-03")
    assert dated.as_dict()["generated"] == "2026-11-29T22:10:05Z"


def test_engine_is_the_source_of_the_package():
    assert engine_fingerprint() == tree_fingerprint(Path(scoring.__file__).parent)
    assert len(engine_fingerprint()) == 8


def test_a_tree_is_its_python_files_by_path_and_text(tmp_path: Path):
    def write(name: str, content: bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return tree_fingerprint(tmp_path)

    first = write("a.py", b"x = 1\ny = 2\n")
    assert write("a.py", b"x = 1\r\ny = 2\r\n") == first
    assert write("notes.md", b"x") == first
    assert write("__pycache__/a.py", b"x") == first
    assert write("example_workspace/a.py", b"x") == first
    second = write("sub/b.py", b"")
    assert second != first
    assert write("a.py", b"x = 1\ny = 3\n") not in (first, second)
    (tmp_path / "a.py").rename(tmp_path / "c.py")
    (tmp_path / "c.py").write_bytes(b"x = 1\ny = 2\n")
    assert tree_fingerprint(tmp_path) != second


def test_dates_of_runs():
    assert run_dates([None, "2026-03-01T23:30:00-05:00", "2026-01-02", "yesterday", "2026-02-01T00:00:00Z"]) == ("2026-01-02", "2026-03-02")
    assert run_dates(["soon", None, ""]) == (None, None)


def test_date_of_generation_can_be_set(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    assert generation_date() == "2026-09-21T14:13:20Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH is 'soon'"):
        generation_date()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert generation_date().endswith("Z")


@pytest.mark.parametrize(
    ("date", "moment"),
    [
        ("2026-11-29", "2026-11-29T00:00:00Z"),
        ("2026-11-29T22:10", "2026-11-29T22:10:00Z"),
        ("2026-11-29T22:10:05.9+02:00", "2026-11-29T20:10:05Z"),
        ("0900-01-02", "0900-01-02T00:00:00Z"),
    ],
)
def test_a_stated_date_goes_before_the_environment(monkeypatch, date, moment):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    assert stated_date(date) == generation_date(date) == moment
    assert stated_date() == "2026-09-21T14:13:20Z"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert stated_date() == ""


@pytest.mark.parametrize("date", ["yesterday", "2026-13-01", "29.11.2026", " ", "0001-01-01T00:00+14:00"])
def test_what_is_no_date_is_a_sentence(date):
    with pytest.raises(InputError, match="which is no date"):
        stated_date(date)
