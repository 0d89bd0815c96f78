"""A preview is what settling would give, on every page; what it does not score again could not have moved."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.foundations.problems import InputError
from scoring.tables.execution.evaluation import Evaluation, evaluate
from scoring.tables.inputs.material import load
from scoring.tables.rules_preview import Preview, preview, previewing, previews
from scoring.workspace.layout import open_workspace

ROOT = Path(__file__).resolve().parents[3]
RULES = """\
## 1. Ignore rules

| token | field | position | side | status | witness | note |
|---|---|---|---|---|---|---|
| barone | name | leading | model | OPEN | Barone Bassa | |
| di {place} | name | trailing | model | OPEN | Anna Serri di Udine | |

## 2. Equivalences

| form | canonical | field | status | witness | note |
|---|---|---|---|---|---|
| zuanne | giovanni | name | OPEN | Zuanne Orsi | |
| wien | vienna | place | OPEN | Wien | |
| nowhere | never | place | OPEN | | |
| wien | viena | place | OPEN | | |
"""
BARONE, ORIGIN, ZUANNE, WIEN, NOWHERE, VIENA = 5, 6, 12, 13, 14, 15
GT = {"1": "name,place\nBassa,Vienna\nGiovanni Orsi,Udine\nAnna Serri,Udine\n", "2": "name,place\nCarlo Bon,\n"}
RUNS = {
    "alfa": {"1": [("Barone Bassa", "Wien"), ("Zuanne Orsi", "Udine"), ("Anna Serri di Udine", "Udine")], "2": [("Carlo Bon", "Wien")]},
    "beta": {"1": [("Bassa", "Vienna"), ("Giovanni Orsi", "Udine"), ("Anna Seri", "Udine")], "2": [("Carlo Bon", "")]},
}


@pytest.fixture
def evaluation(tmp_path: Path) -> Evaluation:
    (tmp_path / "gt").mkdir()
    for page, text in GT.items():
        (tmp_path / "gt" / f"gt_page_{page}.csv").write_text(text, "utf-8")
    fields = {"name": {"x-method": "name", "x-key": True}, "place": {"x-method": "place"}}
    (tmp_path / "gt" / "schema.json").write_text(json.dumps({"properties": fields}), "utf-8")
    (tmp_path / "EQUIVALENCES.md").write_text(RULES, "utf-8")
    for model, pages in RUNS.items():
        path = tmp_path / "runs" / model / "naive" / "run_01.json"
        path.parent.mkdir(parents=True)
        held = {
            page: {"status": "ok", "travelers": [{"name": name, "place": place} for name, place in rows]} for page, rows in pages.items()
        }
        path.write_text(json.dumps({"model": model, "phase": "naive", "run": 1, "pages": held}), "utf-8")
    return evaluate(load(open_workspace(tmp_path)))


def settled(evaluation: Evaluation, *lines: int) -> Evaluation:
    """The scores with the rows settled, all of them worked out anew."""
    return evaluate(replace(evaluation.material, rules=evaluation.material.rules.with_open(lines)))


def test_an_ignored_title_gains_a_pair(evaluation: Evaluation) -> None:
    found = preview(evaluation, [BARONE])
    (pair,) = found.pairs
    assert (pair.gained, pair.run, pair.page, pair.gt_row, pair.model_row) == (True, "alfa/naive/run_01", "1", 1, 1)
    assert (pair.gt_name, pair.model_name, pair.before, pair.after) == ("Bassa", "Barone Bassa", 2 * 5 / 17, 1.0)
    (cell,) = found.cells
    assert (cell.model, cell.before.matched, cell.after.matched) == ("alfa", 1, 2)
    assert found.pages == (("alfa/naive/run_01", "1"),)
    assert found.touched == 1
    # A pair that is matched anew brings its values with it, which is no value that scores otherwise.
    assert found.values == ()


def test_a_rule_may_name_another_field_of_the_row(evaluation: Evaluation) -> None:
    (pair,) = preview(evaluation, [ORIGIN]).pairs
    assert (pair.model_name, pair.before, pair.after) == ("Anna Serri di Udine", 2 * 10 / 29, 1.0)


def test_an_equivalence_of_values(evaluation: Evaluation) -> None:
    alone = preview(evaluation, [WIEN])
    # Matched already in page 2 alone, where the ground truth is blank; in page 1 Barone Bassa is not matched.
    assert not alone.moves
    assert alone.touched == 2
    both = preview(evaluation, [WIEN, BARONE])
    assert [(name, before.accuracy, after.accuracy) for name, before, after in both.cells[0].fields] == [("place", None, 1.0)]


def test_values_before_and_after(evaluation: Evaluation) -> None:
    rules = evaluation.material.rules.with_open([BARONE])
    standing = evaluate(replace(evaluation.material, rules=rules))
    (value,) = preview(standing, [WIEN]).values
    assert (value.field, value.gt, value.model, value.before, value.after, value.times) == ("place", "Vienna", "Wien", 0.5, 1.0, 1)


def test_a_row_that_reaches_nothing_moves_nothing(evaluation: Evaluation) -> None:
    found = preview(evaluation, [NOWHERE])
    assert found == Preview((NOWHERE,))
    assert not found.moves


def test_a_row_that_contradicts_is_not_tried(evaluation: Evaluation) -> None:
    found = preview(evaluation, [WIEN, VIENA])
    assert found.blocked
    assert found.cells == ()
    alone = {one.lines: one for one in previews(evaluation)}
    assert set(alone) == {(BARONE,), (ORIGIN,), (ZUANNE,), (WIEN,), (NOWHERE,), (VIENA,), tuple(max(alone, key=len))}


def test_a_line_without_a_rule(evaluation: Evaluation) -> None:
    with pytest.raises(InputError, match="no rule stands on this line"):
        preview(evaluation, [1])


def same_as_settled(evaluation: Evaluation, lines: tuple[int, ...]) -> None:
    found, after = preview(evaluation, lines), settled(evaluation, *lines)
    moved = {(cell.model, cell.phase): cell for cell in found.cells}
    names = [field.name for field in evaluation.material.schema.scored]
    for before, now in zip(evaluation.cells, after.cells, strict=True):
        cell = moved.get((before.model, before.phase))
        if cell is None:
            assert before.counts == now.counts
            assert before.fields() == now.fields()
        else:
            assert cell.after == now.counts
            assert {name: later for name, _, later in cell.fields} == {
                name: later for name, earlier, later in zip(names, before.fields(), now.fields(), strict=True) if earlier != later
            }
    pairs = {(pair.run, pair.page, pair.gt_row, pair.model_row, pair.gained): pair.after for pair in found.pairs}
    for place, score in evaluation.pages.items():
        later = after.pages[place]
        was = {(pair.gt, pair.model) for pair in score.pairs if pair.matched}
        now_matched = {(pair.gt, pair.model): pair.similarity.value for pair in later.pairs if pair.matched}
        gt, rows = evaluation.prepared.pages[place[1]].page.rows, evaluation.prepared.run_page(*place).page.rows
        for at, row in was ^ now_matched.keys():
            gained = (at, row) in now_matched
            value = pairs.pop((*place, gt[at].number, rows[row].number, gained))
            if gained:
                assert value == now_matched[at, row]
        if place not in found.pages:
            assert score.counts == later.counts
    assert not pairs


@pytest.mark.parametrize("lines", [(BARONE,), (ORIGIN,), (ZUANNE,), (WIEN,), (NOWHERE,), (BARONE, WIEN), (BARONE, ORIGIN, ZUANNE, WIEN)])
def test_a_preview_is_what_settling_gives(evaluation: Evaluation, lines: tuple[int, ...]) -> None:
    same_as_settled(evaluation, lines)


def test_so_it_is_on_the_example() -> None:
    evaluation = evaluate(load(open_workspace(ROOT)))
    same_as_settled(evaluation, evaluation.material.rules.open_lines)


def test_it_goes_in_short_steps(evaluation: Evaluation) -> None:
    steps = sum(1 for _ in previewing(evaluation, [BARONE]))
    assert steps >= 4
