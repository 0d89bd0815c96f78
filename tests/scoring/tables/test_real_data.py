"""The expected cells of real data, as an independent slow scorer finds them without rules (issue of the main job; `docs/method.md`)."""

from functools import cache

import pytest

from scoring.tables.execution.evaluation import Evaluation, evaluate
from scoring.tables.inputs.material import load
from scoring.workspace.layout import open_workspace
from tests.scoring.tables.test_evaluate import balanced
from tests.shared import shared

CELLS = [
    ("basel_1900_double", "claude-sonnet-4.5", "c2500", 1382, 1220, 0.1190),
    ("basel_1900_double", "gpt-oss-120b", "c5000", None, 116, 0.2831),
    ("citydir_1754_1870_docs", "gemini-2.0-flash", "img2csv", 781, 755, 0.0501),
    ("citydir_1754_1870_docs", "gemini-2.0-flash", "pdf2csv", 781, 773, 0.0301),
    ("citydir_1754_1870_docs", "gpt-4o", "img2csv", 781, 697, 0.1551),
    ("patents_1878_1918", "gemini-3.1-pro-preview", None, 1385, 1371, 0.0320),
    ("patents_1878_1918", "human", None, None, 1351, 0.0354),
]


@cache
def evaluation_of(name: str) -> Evaluation:
    return evaluate(load(open_workspace(shared("data", "tables", name))))


@pytest.mark.parametrize(("data", "model", "phase", "gt_rows", "matched", "cer"), CELLS)
def test_expected_cells(data: str, model: str, phase: str | None, gt_rows: int | None, matched: int, cer: float):
    shared("data", "tables", data)
    (cell,) = [cell for cell in evaluation_of(data).cells if cell.model.startswith(model) and phase in (None, cell.phase)]
    assert cell.counts.matched == matched
    assert cell.counts.name_cer is not None
    assert round(cell.counts.name_cer, 4) == cer
    assert gt_rows is None or cell.counts.gt_rows == gt_rows


@pytest.mark.parametrize("data", sorted({data for data, *_ in CELLS}))
def test_every_page_balances_and_no_real_name_makes_a_merge_by_chance(data: str):
    shared("data", "tables", data)
    evaluation = evaluation_of(data)
    for score in evaluation.pages.values():
        if score.counts is not None:
            balanced(score)
    traps = {"Johann Joseph Franzen", "Abt-Schweizer Joh.", "Baumann Joh. Hch.", "Aberle-Gross Hch."}
    for score in evaluation.pages.values():
        answer = evaluation.prepared.run_page(score.run, score.page)
        assert not [row for row in score.surplus if row.label == "merge" and answer.texts[row.row] in traps]
