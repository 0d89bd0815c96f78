"""The words of the data on screens, in commands and in reports, and the words that no text of the program has."""

import json
import re
from pathlib import Path

import pytest

from scoring.problems import InputError
from scoring.schema import RecordName, schema_of
from tests.shared import ROOT
from tests.tui.cli_runner import Run

# The JSON key and the columns of that name belong to formats that exist.
FORMATS = re.compile(
    r"distinct_travelers|adjudicated_travelers|\"travelers\"|`travelers`|\$\.travelers|REGISTER_METHODS|atexit\.register|registered under"
)
WORDS = re.compile(r"travell?er|\bregisters?\b|venice|venetian", re.IGNORECASE)


def workspace(root: Path, record: object) -> Path:
    (root / "gt").mkdir(parents=True)
    (root / "runs/m/p").mkdir(parents=True)
    (root / "gt/gt_page_1.csv").write_text("name,year\nSteam Engine,1769\nSpinning Mule,1779\nWater Frame,1768\n", "utf-8")
    declared = {"x-record": record} if record else {}
    properties = {"name": {"x-method": "name", "x-key": True}, "year": {"x-method": "text"}}
    (root / "gt/schema.json").write_text(json.dumps({**declared, "properties": properties}), "utf-8")
    rows = [{"name": "Steam Exxxxe", "year": "1769"}, {"name": "Spinning Mule", "year": "1779"}, {"name": "Qqqq Zzzz", "year": "1"}]
    (root / "runs/m/p/run_01.json").write_text(json.dumps({"pages": {"1": rows}}), "utf-8")
    return root


@pytest.mark.parametrize(
    ("record", "one", "many"),
    [
        (None, "record", "records"),
        ({"one": "patent", "many": "patents"}, "patent", "patents"),
        ({"one": "entry", "many": "entries"}, "entry", "entries"),
    ],
)
def test_questions_tables_and_reports_name_the_rows(adjudicate: Run, tmp_path: Path, record: object, one: str, many: str) -> None:
    root = workspace(tmp_path / "w", record)
    asked = adjudicate("-C", root, "next", "--queue", "borderline").out
    assert f"Is this row that {one}?" in asked
    assert "Page, around the GT row" in asked
    told = adjudicate("-C", root, "score").out
    assert f"Which {many} were found" in told
    assert f"how many {many} were counted" in told
    assert adjudicate("-C", root, "report", "--output", tmp_path / "report").code == 0
    report = (tmp_path / "report" / "report.md").read_text("utf-8")
    assert f"### Page 1: 3 distinct {many} in 3 rows" in report
    assert f"| {many} | adj. {many} |" in report
    assert f"the right number of {many}" in report
    assert not WORDS.search(FORMATS.sub("", report))
    assert not WORDS.search(FORMATS.sub("", asked + told))


def test_no_text_of_the_program_assumes_what_the_rows_are() -> None:
    files = [
        path for folder in ("scoring", "tui") for end in ("py", "html", "js", "css", "tcss") for path in (ROOT / folder).rglob(f"*.{end}")
    ]
    assert len(files) > 300
    found = [(path.name, line) for path in files for line in path.read_text("utf-8").split("\n") if WORDS.search(FORMATS.sub("", line))]
    assert [(name, line) for name, line in found if "travelers" not in line or name != "runs.py"] == []


def test_words_of_the_data_are_safe_and_short() -> None:
    fields = {"name": {"x-key": True}}
    read = schema_of({"x-record": {"one": " pa\u202etent\x1b ", "many": "two\n words"}, "properties": fields}, "schema.json").record
    assert read == RecordName("pa⟦RLO⟧tent␛", "two words")
    with pytest.raises(InputError, match="longer than 40 characters"):
        schema_of({"x-record": {"one": "x" * 41, "many": "y"}, "properties": fields}, "schema.json")
