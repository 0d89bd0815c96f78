"""The same records in every supported shape of an answer give the same scores."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.tables.evaluate import evaluate
from scoring.tables.material import load
from scoring.workspace import Workspace
from tests.scoring.answers.test_shapes import CELL, FIELDS, written

RECORD = st.fixed_dictionaries(dict.fromkeys(FIELDS, CELL))


@settings(max_examples=12, deadline=None)
@given(st.lists(RECORD, min_size=2, max_size=4), st.lists(RECORD, min_size=2, max_size=4))
def test_scores_do_not_depend_on_the_shape(
    tmp_path_factory: pytest.TempPathFactory, truth: list[dict[str, str]], answer: list[dict[str, str]]
) -> None:
    root = tmp_path_factory.mktemp("shapes")
    (root / "gt").mkdir()
    (root / "gt" / "gt_page_1.json").write_text(json.dumps(truth))
    shapes = written(answer)
    for shape, text in shapes.items():
        page = root / "runs" / shape / "p" / "run_01" / ("page_1.csv" if shape == "csv" else "page_1.txt")
        page.parent.mkdir(parents=True)
        page.write_text(text)
    material = load(Workspace(Path(root)))
    evaluation = evaluate(material)
    counts = {run.model: evaluation.of_cell(run.model, "p").counts for run in material.runs}
    assert set(counts) == set(shapes)
    assert {run.pages["1"].status for run in material.runs} == {"ok"}
    assert len({repr(count) for count in counts.values()}) == 1
