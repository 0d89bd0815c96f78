from __future__ import annotations

import csv
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import pairing as benchmark
from scoring.tables.matching.pairing import ModelName, PagePairer
from scoring.tables.matching.readings import Reading, readings
from scoring.tables.matching.upper_bounds import Bounds
from scoring.texts.forms import Ignore, name_form, wildcard_edits
from tests.scoring.tables import naive
from tests.shared import shared


def model(*texts):
    return ModelName(tuple(Reading(text, at) for at, text in enumerate(texts)))


def models(*texts):
    return [model(text) if isinstance(text, str) else model(*text) for text in texts]


def taken(pairs):
    return [(pair.gt, pair.model, pair.similarity) for pair in pairs]


def rows(pairs):
    return [(pair.gt, pair.model) for pair in pairs]


# By hand


def test_best_first_not_row_order():
    pairer = PagePairer(["anna serra", "anna serri"])
    assert rows(pairer.pair(models("anna serri", "anna serrb"))) == [(1, 0), (0, 1)]


def test_the_gate_is_inclusive():
    pairer = PagePairer(["aaaaaaaxxx"])
    names = models("aaaaaaayyy")
    assert pairer.similarity(0, names[0]).value == 0.70
    assert rows(pairer.pair(names, floor=0.70)) == [(0, 0)]
    assert pairer.pair(names, floor=0.7000000000000001) == ()


def test_without_a_floor_what_shares_nothing_pairs_too():
    found = PagePairer(["abc", "def"]).pair(models("xyz", "uvw"))
    assert rows(found) == [(0, 0), (1, 1)]
    assert [pair.similarity.value for pair in found] == [0.0, 0.0]


def test_swapped_homonyms_are_read_perfectly_by_their_own_rows():
    pairer = PagePairer(["franz anton", "anton franz"])
    found = pairer.pair(models("anton franz", "franz anton"), floor=0.70)
    assert sorted(rows(found)) == [(0, 1), (1, 0)]
    assert [pair.similarity.edits for pair in found] == [0, 0]


def test_homonyms_find_the_row_whose_other_fields_agree():
    pairer = PagePairer(["anna serri", "anna serri"])
    agreed = {(0, 0): 1, (0, 1): 3, (1, 0): 2, (1, 1): 3}
    names = models("anna serri", "anna serri")
    assert rows(pairer.pair(names, agreement=lambda gt, at: agreed[gt, at])) == [(0, 1), (1, 0)]
    assert rows(pairer.pair(names)) == [(0, 0), (1, 1)]


def test_agreement_is_asked_for_tied_pairs_only():
    def never(gt, at):
        raise AssertionError("no pair is tied")

    pairer = PagePairer(["anna", "bernardo lun"])
    assert sorted(rows(pairer.pair(models("bernardo lum", "anna"), floor=0.5, agreement=never))) == [(0, 1), (1, 0)]


def test_fewer_edits_come_before_agreement():
    pairer = PagePairer(["franz anton"])
    names = models("anton franz", "franz anton")
    assert rows(pairer.pair(names, agreement=lambda _, at: 9 if at == 0 else 0)) == [(0, 1)]


def test_gt_order_then_model_order_end_a_tie():
    pairer = PagePairer(["anna"] * 3)
    assert rows(pairer.pair(models("anna", "anna"))) == [(0, 0), (1, 1)]


def test_rows_without_a_name_never_pair():
    pairer = PagePairer(["", "anna"])
    names = [ModelName(()), model("anna"), model("berta")]
    assert rows(pairer.pair(names)) == [(1, 1)]
    assert rows(pairer.pair(names, same=[(0, 1), (1, 0)])) == [(1, 1)]
    assert pairer.nearest_gt(names[0], 3) == []
    assert pairer.nearest_models(0, names, 3) == []
    assert list(pairer.pairs_at_least(names, 0.0)) == [(1, 1), (1, 2)]
    with pytest.raises(ValueError, match="nameless"):
        pairer.similarity(1, names[0])


def test_nothing_pairs_with_nothing():
    assert PagePairer([]).pair(models("anna")) == ()
    assert PagePairer(["anna"]).pair([]) == ()
    assert PagePairer([]).nearest_gt(model("anna"), 3) == []
    assert PagePairer(["anna"]).nearest_models(0, [], 3) == []
    assert PagePairer([""]).pair([ModelName(())]) == ()


def test_the_same_rows_are_taken_first_whatever_their_similarity():
    pairer = PagePairer(["anna serri", "bruno lang"])
    names = models("anna serri", "xyz")
    assert rows(pairer.pair(names, floor=0.70, same=[(0, 1)])) == [(0, 1)]
    assert rows(pairer.pair(names, floor=0.0, same=[(0, 1)])) == [(0, 1), (1, 0)]


def test_of_several_said_to_be_the_same_the_more_alike_is_taken():
    pairer = PagePairer(["anna serri"])
    assert rows(pairer.pair(models("anna", "anna serra"), same=[(0, 0), (0, 1)])) == [(0, 1)]


def test_barred_pairs_are_never_taken():
    pairer = PagePairer(["anna serri", "anna serra"])
    names = models("anna serri")
    assert rows(pairer.pair(names, floor=0.70, barred={(0, 0)})) == [(1, 0)]
    assert pairer.pair(names, barred={(0, 0), (1, 0)}) == ()
    assert pairer.pair(names, same=[(0, 0)], barred={(0, 0), (1, 0)}) == ()


def test_values_are_kept_over_runs():
    pairer = PagePairer(["anna serri", "bruno lang", "anna serri"])
    names = models("anna sera", ("il bruno lung", "bruno lung"))
    first = pairer.pair(names)
    done = pairer.exact_ratios
    assert done > 0
    assert pairer.pair(names) == first
    assert pairer.exact_ratios == done


def test_a_row_repeated_a_thousand_times_costs_what_one_does():
    pairer = PagePairer([f"{name} serri" for name in ("anna", "bruno", "carla", "dario")])
    found = pairer.pair(models(*["anna sera"] * 1000), floor=0.0)
    assert len(found) == 4
    assert pairer.exact_ratios <= 4


# Against the naive way


def joined(alphabet, size):
    return st.text(alphabet, max_size=size).map(lambda text: " ".join(text.split()))


@st.composite
def pages(draw):
    alphabet = draw(st.sampled_from(["ab", "ab ", "ab? ", "abc ?", "aé'ß ", "a??  "]))
    name = joined(alphabet, draw(st.integers(1, 9)))
    pool = draw(st.lists(name, min_size=1, max_size=4))
    either = st.one_of(st.sampled_from(pool), name)
    gt = draw(st.lists(either, max_size=6))
    answer = (
        draw(st.lists(st.lists(either.filter(bool), max_size=3, unique=True).map(lambda texts: model(*texts)), max_size=6))
        if any(pool)
        else []
    )
    return gt, answer


CELLS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=4)


def within(cells, gt, answer):
    return [(g, m) for g, m in cells if g < len(gt) and m < len(answer)]


@settings(max_examples=400, deadline=None)
@given(pages(), pages(), st.sampled_from([0.0, 0.5, 0.7, 1.0]), CELLS, CELLS, st.one_of(st.none(), st.integers(1, 9)))
def test_lazy_is_naive(page, other, floor, same, barred, seed):
    gt, answer = page
    same, barred = within(same, gt, answer), within(barred, gt, answer)
    agreement = None if seed is None else lambda g, m: (g * seed + m * 5) % 3
    pairer = PagePairer(gt)
    expected = naive.pair(gt, answer, floor, agreement, same, barred)
    assert taken(pairer.pair(answer, floor=floor, agreement=agreement, same=same, barred=barred)) == expected
    # Values kept from this and another run change nothing.
    assert taken(pairer.pair(other[1], floor=floor)) == naive.pair(gt, other[1], floor)
    assert taken(pairer.pair(answer, floor=floor, agreement=agreement, same=same, barred=barred)) == expected


@settings(max_examples=200, deadline=None)
@given(pages(), st.integers(0, 4), st.sampled_from([0.0, 0.45, 0.7]))
def test_nearest_and_at_least_are_naive(page, limit, threshold):
    gt, answer = page
    exact = {
        (g, m): naive.similarity(form, name.readings)
        for g, form in enumerate(gt)
        for m, name in enumerate(answer)
        if form and name.readings
    }
    pairer = PagePairer(gt)
    assert list(pairer.pairs_at_least(answer, threshold)) == sorted(cell for cell, found in exact.items() if found.value >= threshold)
    matrix = pairer.matrix(answer, threshold)
    assert matrix.shape == (len(gt), len(answer))
    for (g, m), found in exact.items():
        assert matrix[g, m] == (found.value if found.value >= threshold else 0.0)
        assert pairer.similarity(g, answer[m]) == found
    for m, name in enumerate(answer):
        near = sorted(
            ((g, found) for (g, column), found in exact.items() if column == m),
            key=lambda entry: (-entry[1].value, entry[1].edits, entry[0]),
        )
        assert pairer.nearest_gt(name, limit) == near[:limit]
    for g in range(len(gt)):
        near = sorted(
            ((m, found) for (row, m), found in exact.items() if row == g), key=lambda entry: (-entry[1].value, entry[1].edits, entry[0])
        )
        assert pairer.nearest_models(g, answer, limit) == near[:limit]


@settings(max_examples=300, deadline=None)
@given(pages())
def test_no_similarity_exceeds_its_bound(page):
    gt, answer = page
    named = [name for name in answer if name.readings]
    bounds = Bounds(gt)
    matrix, order = bounds.matrix([[reading.text for reading in name.readings] for name in named])
    for g, form in enumerate(gt):
        for column, at in enumerate(order):
            if form:
                assert naive.similarity(form, named[at].readings).value <= matrix[g, column]
                assert matrix[g, column] == max(bounds.one(g, reading.text) for reading in named[at].readings)


def test_an_illegible_token_that_stands_twice_may_be_two():
    gt, answer = ["? ? ?", "?aa"], models("? b", "?aa a")
    assert Bounds(gt).one(0, "? b") == Bounds(gt).matrix([["? b"]])[0][0, 0] == 1.0
    found = PagePairer(gt).pair(answer)
    assert taken(found) == naive.pair(gt, answer)
    assert (found[0].model, found[0].similarity.value, found[0].similarity.resolved) == (0, 1.0, "? ? b")


@pytest.mark.parametrize("size", [180, 240, 300, 700])
@pytest.mark.parametrize("floor", [0.0, 0.7])
def test_long_names(size, floor):
    source = benchmark.Names(size)
    gt = []
    while len(gt) < 6:
        words = ""
        while len(words) < size:
            words += f"{source.name()} e "
        gt.append(words.strip())
    gt[2] = source.illegible(gt[2])
    answer = [
        model(source.misread(name.replace("?", "o"), rate), name.split(" ", 1)[1])
        for name, rate in zip(gt, (0, 0.05, 0.1, 0.2, 0.4, 0.8), strict=True)
    ]
    answer += models(gt[0][:100], "anna", gt[1][150:])
    random.Random(size).shuffle(answer)
    assert taken(PagePairer(gt).pair(answer, floor=floor)) == naive.pair(gt, answer, floor, edits=wildcard_edits)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("floor", [0.0, 0.7])
def test_a_whole_page(seed, floor):
    source = benchmark.Names(seed)
    gt = source.gt(30, illegible=0.15)
    gt[3], gt[7] = gt[4], gt[8]
    pairer = PagePairer(gt)
    for titled in (0.0, 0.5, 1.0):
        answer = source.run(gt, titled)
        assert taken(pairer.pair(answer, floor=floor)) == naive.pair(gt, answer, floor, edits=wildcard_edits)


def test_few_exact_ratios_are_needed_on_a_large_page():
    page = benchmark.page(2000, benchmark.SEED)
    for floor in (0.7, 0.0):
        pairer = PagePairer(page.gt)
        pairs = pairer.pair(page.models, floor=floor)
        assert len(pairs) > 1500
        assert 0 < pairer.exact_ratios <= 4 * len(page.gt)


def test_blocks_of_a_large_page_fit_together(monkeypatch):
    page = benchmark.page(40, 5)
    names = [[reading.text for reading in name.readings] for name in page.models]
    whole, order = Bounds(page.gt).matrix(names)
    monkeypatch.setattr("scoring.tables.matching.upper_bounds.BLOCK", 1000)
    parts, parts_order = Bounds(page.gt).matrix(names)
    assert parts_order == order
    assert (parts == whole).all()
    for gt in (0, 17, 39):
        assert (Bounds(page.gt).matrix(names, only=gt)[0][0] == whole[gt]).all()


@pytest.mark.parametrize("floor", [0.0, 0.7])
@pytest.mark.parametrize("run", ["claude-haiku-4.5/c2500", "gpt-5-mini/c2500"])
def test_real_names(run, floor):
    folder = shared("data", "tables", "basel_1900_double")
    with (folder / "gt" / "gt_page_01.csv").open(encoding="utf-8-sig", newline="") as file:
        gt = [name_form(row["name"]) for row in csv.DictReader(file)][:70]
    answer = json.loads((folder / "runs" / run / "run_01" / "page_01.json").read_text(encoding="utf-8"))
    forms = [name_form(str(row.get("name") or "")) for row in answer][:70]
    assert len(gt) > 20
    assert len(forms) > 20
    names = [
        ModelName(readings(form, (Ignore(("j",), "anywhere"), Ignore((form.split()[0],), "leading")))[0] if form else ()) for form in forms
    ]
    assert taken(PagePairer(gt).pair(names, floor=floor)) == naive.pair(gt, names, floor, edits=wildcard_edits)
