"""Where values stand in tables and questions, for the witness of a draft."""

from __future__ import annotations

import json
from pathlib import Path

from scoring.questions.inputs.field_values import sightings as of_questions
from scoring.questions.inputs.material import load as load_questions
from scoring.rules import ValueLocation
from scoring.tables.inputs.field_values import sightings as of_tables
from scoring.tables.inputs.material import load as load_tables
from scoring.workspace.layout import open_workspace

QUESTIONS = """[[question]]
id = "Q1"
type = "boolean"
text = "Is there a servant?"

[[question]]
id = "Q2"
type = "text_array"
text = "Which servants?"
"""


def test_tables(tmp_path: Path) -> None:
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt" / "gt_page_3.csv").write_text("first,last,place\nAnna,Serri,\nBruno,,Wien\n", "utf-8")
    fields = {"first": {"x-method": "text"}, "last": {"x-method": "text"}, "place": {"x-method": "place"}}
    (tmp_path / "gt" / "schema.json").write_text(json.dumps({"properties": fields, "x-unique-fields": ["first", "last"]}), "utf-8")
    run = tmp_path / "runs" / "alfa" / "naive" / "run_01.json"
    run.parent.mkdir(parents=True)
    page = {"status": "ok", "entries": [{"first": "Ana", "last": "Seri", "place": "Vienna"}]}
    run.write_text(json.dumps({"model": "alfa", "phase": "naive", "run": 1, "pages": {"3": page}}), "utf-8")
    material = load_tables(open_workspace(tmp_path))
    assert list(of_tables(material, "place")) == [
        ValueLocation("Wien", "gt", "3", "gt:3:2"),
        ValueLocation("Vienna", "model", "3", "model:alfa/naive/run_01:3:1"),
    ]
    # The parts of a key are one name to the rules.
    assert [one.text for one in of_tables(material, "name")] == ["Anna Serri", "Bruno", "Ana Seri"]
    assert list(of_tables(material, "age")) == []


def test_questions(tmp_path: Path) -> None:
    folder = tmp_path / "questions"
    folder.mkdir()
    (folder / "questions.toml").write_text(QUESTIONS, "utf-8")
    (folder / "ground_truth.csv").write_text("document,Q1,Q2\n7,Y,un d.co|una serva\n", "utf-8")
    run = folder / "runs" / "alfa" / "naive" / "run_01.json"
    run.parent.mkdir(parents=True)
    answers = {"Q1": "Y", "Q2": " | domestico"}
    run.write_text(json.dumps({"model": "alfa", "phase": "naive", "run": 1, "pages": {"7": {"status": "ok", "answers": answers}}}), "utf-8")
    material = load_questions(open_workspace(tmp_path))
    found = list(of_questions(material, "Q2"))
    assert found[:2] == [ValueLocation("un d.co", "gt", "7", "gt:7:Q2:1"), ValueLocation("una serva", "gt", "7", "gt:7:Q2:2")]
    assert [(one.text.strip(), one.side, one.row) for one in found[2:]] == [("domestico", "model", "model:alfa/naive/run_01:7:Q2:1")]
    assert list(of_questions(material, "Q1")) == []
