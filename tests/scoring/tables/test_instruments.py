"""The four ways: each against what its definition says, and all of them against the slow way."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.tables.execution.evaluation import evaluate
from scoring.tables.figures.instruments import INSTRUMENTS, WAYS, instruments, one_less_cer
from scoring.tables.inputs.material import load
from scoring.texts.forms import wildcard_table
from scoring.workspace.layout import open_workspace
from tests.scoring.tables import naive

RULES = """## 1. Ignore rules

| token | field | position | side | status | witness | note |
|---|---|---|---|---|---|---|
| il | name | leading | model | settled | | |
| barone | name | leading | model | settled | | |
"""


def scored(root, gt, *runs, rules=RULES):
    (root / "gt").mkdir(parents=True, exist_ok=True)
    (root / "runs/m/p").mkdir(parents=True, exist_ok=True)
    (root / "gt/gt_page_1.csv").write_text("name,title\n" + "".join(f'"{name}",\n' for name in gt))
    (root / "EQUIVALENCES.md").write_text("# E\n\n" + rules)
    for at, names in enumerate(runs, 1):
        answer = {"pages": {"1": {"status": "ok", "travelers": [{"name": name, "title": "x"} for name in names]}}}
        (root / f"runs/m/p/run_{at:02d}.json").write_text(json.dumps(answer))
    return instruments(evaluate(load(open_workspace(root))))


def matched(found, page=0):
    return {name: dict(found.pages[page].matched[name]) for name in INSTRUMENTS}


def test_a_title_before_the_name_costs_all_but_the_adopted_way(tmp_path):
    by = matched(scored(tmp_path, ["Bassa"], ["Il Barone Bassa"]))
    assert by == {
        **{key: {0: 0} for key in ("adopted", "order_preserving", "without_wildcard", "optimal")},
        **{key: {} for key in ("original", "cer_gate")},
    }


def test_what_is_appended_costs_the_cer_gate_as_much_as_what_is_wrong(tmp_path):
    # 12 of 18 characters: a ratio of 0.8 and, with 6 edits on 12, a share of 0.5.
    by = matched(scored(tmp_path, ["Israel Baysa"], ["Israel Baysa Roman"]))
    assert by["original"] == by["adopted"] == {0: 0}
    assert by["cer_gate"] == {}


@pytest.mark.parametrize(("edits", "length", "reached"), [(3, 10, True), (6, 20, True), (9, 30, True), (4, 10, False), (31, 100, False)])
def test_the_cer_gate_is_inclusive_at_every_length(edits, length, reached):
    assert (one_less_cer("a" * length, edits) >= 0.70) is reached
    assert one_less_cer("a", 5) == 0.0


def test_order_must_be_followed(tmp_path):
    found = scored(tmp_path, ["Anna Serri", "Bruno Lang", "Carla Mori"], ["Bruno Lang", "Anna Serri", "Carla Mori"])
    by = matched(found)
    assert by["adopted"] == {0: 1, 1: 0, 2: 2}
    assert by["order_preserving"] == {0: 1, 2: 2}
    assert found.cells[0].f1("adopted") == 1.0
    assert found.cells[0].f1("order_preserving") == 2 * 2 / 6


def test_the_wildcard_moves_runs(tmp_path):
    # `?a?b?c?d` is like `xaxbxcxd` only because a ? fits any glyph.
    found = scored(tmp_path, ["?a?b?c?d"], ["xaxbxcxd"], ["?a?b?c?d"], ["qqqqqqqq"])
    assert [dict(page.matched["adopted"]) for page in found.pages] == [{0: 0}, {0: 0}, {}]
    assert [dict(page.matched["without_wildcard"]) for page in found.pages] == [{}, {0: 0}, {}]
    assert found.cells[0].wildcard_moves == (1, 0)
    assert found.cells[0].matches("without_wildcard") == 1


def test_greedy_and_optimal_may_differ(tmp_path):
    found = scored(tmp_path, ["abcdefghij", "abcdefgxyz"], ["abcdefghij", "abcdefghiz"], rules="")
    by = matched(found)
    assert by["adopted"] == {0: 0, 1: 1}
    assert by["optimal"] == {0: 0, 1: 1}
    assert found.cells[0].unlike == 0
    # The best pair takes the row that the other GT row needs.
    found = scored(tmp_path, ["abcdefghij", "abcdefghkl"], ["abcdefghij xx", "abcdefghij"], rules="")
    by = matched(found)
    assert by["adopted"][0] == 1


def test_disagreements_list_every_row_claimed_with_all_similarities(tmp_path):
    found = scored(tmp_path, ["Bassa", "Anna Serri"], ["Il Barone Bassa", "Anna Serri"])
    (one,) = found.disagreements
    assert (one.run, one.page, one.gt) == ("m/p/run_01", "1", 0)
    (claim,) = one.claims
    assert claim.row == 0
    assert claim.matched == ("adopted", "order_preserving")
    assert dict(zip(WAYS, claim.similarities, strict=True)) == {
        "original": naive.ratio("bassa", "il barone bassa"),
        "adopted": 1.0,
        "cer_gate": 0.0,
        "order_preserving": 1.0,
    }
    assert found.occurrences == 2


def test_failed_and_missing_pages_are_no_occurrences(tmp_path):
    found = scored(tmp_path, ["Bassa"], ["Bassa"])
    (tmp_path / "runs/m/p/run_02.json").write_text('{"pages": {"1": {"status": "failed", "error": "x"}}}')
    (tmp_path / "runs/m/p/run_03.json").write_text('{"pages": {"2": {"status": "ok", "travelers": []}}}')
    again = instruments(evaluate(load(open_workspace(tmp_path))))
    assert again.occurrences == found.occurrences == 1


NAME = st.text("ab?c ", max_size=6).map(lambda text: " ".join(text.split()))


def _greedy(values, count):
    """Best first over {(gt, model): (value, edits)}, all of it looked at again after each pair."""
    held, left = {}, dict(values)
    while left:
        best = min(left, key=lambda pair: (-left[pair][0], left[pair][1], *pair))
        held[best[0]] = best[1]
        left = {pair: value for pair, value in left.items() if pair[0] != best[0] and pair[1] != best[1]}
    return held


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(NAME, min_size=1, max_size=4), st.lists(NAME, max_size=4))
def test_equal_to_the_slow_way(tmp_path_factory, gt, names):
    found = scored(tmp_path_factory.mktemp("w"), [name or "z" for name in gt], [name or "z" for name in names], rules="")
    page = found.pages[0]
    prepared = found.evaluation.prepared
    forms, answer = prepared.pages["1"].forms, prepared.run_page(page.run, "1")
    texts = [answer.form(row) for row in range(len(answer.models))]
    pairs = [(g, m) for g in range(len(forms)) for m in range(len(texts)) if forms[g] and texts[m]]
    by_cer, literal = {}, {}
    for g, m in pairs:
        edits = wildcard_table(forms[g], texts[m])[-1][-1]
        value = max(0.0, 1 - edits / len(forms[g]))
        if value >= 0.70:
            by_cer[g, m] = (value, edits)
        alike = max(naive.ratio(forms[g], texts[m]), naive.overlap(forms[g], texts[m]))
        if alike >= 0.70:
            letter = wildcard_table(forms[g].replace("?", "\uffff"), texts[m].replace("?", "\uffff"))[-1][-1]
            literal[g, m] = (alike, letter)
    assert page.matched["cer_gate"] == _greedy(by_cer, len(pairs))
    assert page.matched["without_wildcard"] == _greedy(literal, len(pairs))
    assert page.matched["original"] == page.matched["adopted"] == found.evaluation.pages[page.run, "1"].holders
