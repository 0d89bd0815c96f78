"""The shared workspaces of odd shapes, each against the figures that a person expects."""

import json

import pytest

from scoring.problems import InputError
from scoring.tables.evaluate import evaluate
from scoring.tables.material import load
from scoring.workspace import open_workspace
from tests.shared import shared

NAMES = (
    "thinking_with_a_list",
    "draft_then_final",
    "revision_by_overlap",
    "yaml_list",
    "object_of_objects",
    "object_of_lists",
    "object_of_lists_unequal",
    "openai_chat_envelope",
    "openai_cut_by_length",
    "list_of_names",
    "unknown_keys",
    "html_entities",
    "excel_sep_line",
    "latin_1",
    "provider_and_model_folders",
)


@pytest.mark.parametrize("name", NAMES)
def test_shared_workspace(name: str):
    expected = json.loads(shared("data", "inputs", "expected.json").read_bytes())[name]
    try:
        material = load(open_workspace(shared("data", "inputs", name)))
    except InputError as fault:
        pytest.fail(str(fault))
    assert [(run.model, run.phase) for run in material.runs] == [("org/model-1" if name.startswith("provider") else "m", "p")]
    evaluation = evaluate(material)
    (score,) = evaluation.pages.values()
    rows = sum(len(page.rows) for run in material.runs for page in run.pages.values())
    counts = score.counts
    matched, edits = (counts.matched, counts.edits) if counts is not None else (0, 0)
    assert {"status": score.status, "model_rows": rows, "matched": matched, "edits": edits} == {
        key: expected[key] for key in ("status", "model_rows", "matched", "edits")
    }


def test_every_shared_workspace_is_tried():
    assert set(json.loads(shared("data", "inputs", "expected.json").read_bytes())) == set(NAMES)
