"""Scores of pages and cells (`docs/method.md`): the method's own examples, exact."""

import math

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from scoring.adjudication.decisions import NO_DECISIONS
from scoring.tables.execution.evaluation import Evaluation, evaluate
from scoring.tables.execution.page_score import PageScore
from scoring.tables.measures.counts import Counts, FieldCounts, share, total
from scoring.workspace.settings import Settings
from tests.scoring.tables.builders import QUONDAM, SCHEMA, TITLES, Given, material, one, rules, scored

REGISTER = rules(names=QUONDAM, steps=TITLES)


def page(evaluation: Evaluation) -> PageScore:
    (score,) = evaluation.pages.values()
    return score


def pair(gt: Given, model: Given) -> tuple[float, int]:
    """Similarity and edits of one GT row and one model row under the register's rules."""
    (found,) = page(scored([gt], [model], made_with=REGISTER)).pairs
    return found.similarity.value, found.similarity.edits


# Step 1


def test_distinct_names_are_counted_without_matching():
    counts = page(scored(["Anna Serri", "Anna serri.", "Bruno", ""], ["X", "x", "Y-Z", "y z", "", "Q"])).counts
    assert counts is not None
    assert (counts.gt_rows, counts.gt_distinct) == (4, 2)
    assert (counts.model_rows, counts.distinct_travelers) == (6, 3)


def test_distinct_names_are_unreduced():
    counts = page(scored(["Bassa"], ["Bassa", "Il Barone Bassa"], made_with=REGISTER)).counts
    assert counts is not None
    assert counts.distinct_travelers == 2


# Step 2: the method's examples


@pytest.mark.parametrize(
    ("gt", "model", "similarity", "edits"),
    [
        ("Bassa", "Il Barone Bassa", 1.0, 0),
        ("Israel Baysan", {"name": "Israel Baysan di Verona", "place_of_origin": "Verona"}, 1.0, 0),
        ("Ernesto di Bargh", {"name": "Ernesto di Bargh", "place_of_origin": "Bargh"}, 1.0, 0),
        ("Ernesto di Bargh", {"name": "Conte Ernesto di Bargh", "place_of_origin": "Bargh"}, 1.0, 0),
        ("De Flamarin", "De Flamarin", 1.0, 0),
        ("Salamon Cormos", {"name": "Salamon Cormos", "place_of_origin": "Cormos"}, 1.0, 0),
        ("Salamon Cormos", {"name": "Salamon di Cormos", "place_of_origin": "Cormos"}, 28 / 31, 3),
        ("Francesco Kin?gsech", "Francesco Kingsech", 36 / 37, 1),
        ("Francesco Kin?gsech", "Francesco Kinigsech", 1.0, 0),
        ("Francesco Kin?gsech", "Francesco Kin?gsech", 1.0, 0),
        ("Niccolò ?lelingen", "Niccolò Hlelingen", 1.0, 0),
        ("Pavel", "Pavel (?)", 10 / 12, 2),
        ("Regina Vedova", "Regina (Vedova?)", 26 / 27, 1),
        ("Franz Anton", "Anton Franz", 1.0, 10),
    ],
)
def test_the_methods_own_examples(gt: Given, model: Given, similarity: float, edits: int):
    assert pair(gt, model) == (pytest.approx(similarity), edits)


@pytest.mark.parametrize("variant", [form for form, _ in QUONDAM])
def test_quondam_variants_match_fully(variant: str):
    assert pair("Leon q.m. Iacob Tedesco", f"Leon {variant} Iacob Tedesco") == (1.0, 0)


def test_a_rule_that_names_a_blank_origin_is_off():
    assert pair("Israel Baysan", "Israel Baysan di Verona")[0] < 0.9


def test_gt_names_are_never_reduced():
    assert pair("Conte Bassa", "Bassa")[0] < 1.0


def test_swapped_homonyms_that_are_read_perfectly_cost_no_edit():
    score = page(scored(["Franz Anton", "Anton Franz"], ["Anton Franz", "Franz Anton"]))
    assert {(one.gt, one.model, one.similarity.edits) for one in score.pairs} == {(0, 1, 0), (1, 0, 0)}


def test_the_gate_is_inclusive():
    # 7 of 10 characters on either side.
    gt, answer = "abcdefghij", "abcdefgxyz"
    at_gate = page(scored([gt], [answer]))
    assert at_gate.pairs[0].similarity.value == 0.7
    assert at_gate.pairs[0].matched
    assert not page(scored([gt], [answer], settings=Settings(gate=0.7001))).pairs[0].matched


def test_near_names_of_one_family_do_not_cross():
    both = ["Anna Maria", "Anna Rosa"]
    for answer in (both, both[::-1]):
        score = page(scored(both, answer))
        assert all(both[one.gt] == answer[one.model] and one.similarity.edits == 0 for one in score.pairs)
    assert pair("Anna Maria", "Anna Rosa") == (pytest.approx(12 / 19), 4)
    assert pair("Anna Rosa", "Anna Maria") == (14 / 19, 4)


def test_homonyms_find_their_own_row_by_their_other_fields():
    gt = [{"name": "Johann Forst", "title": "Maurer"}, {"name": "Johann Forst", "title": "Weber"}]
    score = page(scored(gt, gt[::-1]))
    assert {(one.gt, one.model) for one in score.pairs} == {(0, 1), (1, 0)}
    assert score.counts is not None
    assert (score.counts.matched, score.counts.surplus) == (2, 0)


# Detection


def test_detection_and_its_edges():
    counts = page(scored(["Anna", "Bruno", "Carlo", "Dora"], ["Anna", "Bruno", "Zzzz"])).counts
    assert counts is not None
    assert (counts.matched, counts.precision, counts.recall) == (2, 2 / 3, 0.5)
    assert counts.f1 == pytest.approx(2 * (2 / 3) * 0.5 / (2 / 3 + 0.5))
    nobody = page(scored(["Anna"], [])).counts
    assert nobody is not None
    assert (nobody.precision, nobody.recall, nobody.f1, nobody.name_cer) == (None, 0.0, 0.0, None)
    empty = page(scored([], [])).counts
    assert empty is not None
    assert (empty.precision, empty.recall, empty.f1) == (None, None, None)
    invented = page(scored([], ["Anna"])).counts
    assert invented is not None
    assert (invented.precision, invented.recall, invented.f1) == (0.0, None, 0.0)


def test_a_cell_pools_counts_and_leaves_failed_and_missing_pages_out():
    made = material(
        {"1": ["Anna", "Bruno"], "2": ["Carlo"], "3": ["Dora"]},
        {
            "a/n/1": {"1": ["Anna"], "2": ["Carlo"], "3": "no list"},
            "a/n/2": {"1": ["Anna", "Bruno", "Xxxxx"]},
            "a/g/1": {"1": [], "2": [], "3": []},
        },
    )
    evaluation = evaluate(made)
    cell = evaluation.of_cell("a", "n")
    assert (cell.runs, len(cell.pages), len(cell.scored)) == (2, 6, 3)
    assert [cell.having(status) for status in ("ok", "failed", "missing", "truncated")] == [3, 1, 2, 0]
    assert (cell.counts.gt_rows, cell.counts.model_rows, cell.counts.matched) == (5, 5, 4)
    assert (cell.counts.precision, cell.counts.recall, cell.counts.f1) == (0.8, 0.8, 0.8)
    silent = evaluation.of_cell("a", "g").counts
    assert (silent.gt_rows, silent.model_rows, silent.recall, silent.precision, silent.f1) == (4, 0, 0.0, None, 0.0)
    assert evaluation.pages["a/n/1", "3"].counts is None
    assert [score.page for score in evaluation.pages.values() if score.counts is not None] == ["1", "2", "1", "1", "2", "3"]
    assert [(one.model, one.phase) for one in evaluation.cells] == [("a", "n"), ("a", "g")]


# Step 3


def test_transcription_is_measured_without_the_gate_and_beside_it():
    counts = page(scored(["Anna Serri", "Zorzi"], ["Anna Serra", "Quqqu"])).counts
    assert counts is not None
    assert (counts.transcribed, counts.edits, counts.gt_characters) == (2, 1 + 5, 10 + 5)
    assert counts.name_cer == 6 / 15
    assert (counts.exact_names, counts.exact_share) == (0, 0.0)
    assert (counts.matched, counts.gated_edits, counts.gated_characters, counts.gated_name_cer) == (1, 1, 10, 0.1)
    assert (counts.below_gate, counts.missed, counts.surplus) == (1, 0, 0)


def test_name_cer_may_exceed_one():
    counts = page(scored(["Ab"], ["Xyzuvw"])).counts
    assert counts is not None
    assert counts.name_cer == 3.0


# Step 4 and the books


def test_surplus_rows_and_nameless_ones():
    counts = page(scored(["Anna Serri", ""], ["Anna Serri", "Anna Serri", "", "Qqqq"])).counts
    assert counts is not None
    assert (counts.matched, counts.below_gate, counts.missed, counts.surplus) == (1, 0, 1, 3)
    assert (counts.duplicate, counts.invention, counts.merge, counts.fragment, counts.misread) == (1, 1, 0, 0, 0)


# Fields


def test_fields_are_scored_on_gated_pairs_only():
    gt = [{"name": "Anna Serri", "title": "", "children_count": "2"}, {"name": "Zorzi", "title": "Conte"}]
    answer = [{"name": "Anna Serri", "title": "Signora", "children_count": "2"}, {"name": "Quqqu", "title": "Conte"}]
    score = page(scored(gt, answer))
    by_name = dict(zip([field.name for field in SCHEMA.scored], score.fields, strict=True))
    assert by_name["title"] == FieldCounts(1, 0, 0.0)
    assert by_name["children_count"] == FieldCounts(1, 0, 1.0)
    assert by_name["arrival_date"] == FieldCounts(0, 1, 0.0)
    assert by_name["arrival_date"].accuracy is None
    assert "name" not in by_name
    nothing = page(scored(gt, []))
    assert nothing.fields == tuple(FieldCounts() for _ in SCHEMA.scored)
    cell = scored(gt, answer).cells[0]
    assert cell.fields() == score.fields


# The books of any page

NAMES = [
    "Anna Serri",
    "Bruno Serri",
    "Anna e Bruno Serri",
    "Serri Anna",
    "Anna",
    "Zorzi",
    "?nna Serri",
    "Anna Sorri",
    "",
    "Il Barone Bassa",
    "Bassa",
]
_rows = st.lists(
    st.builds(lambda name, title: {"name": name, "title": title}, st.sampled_from(NAMES), st.sampled_from(["", "Conte", "Abate"])),
    max_size=7,
)


@given(_rows, _rows)
@hypothesis_settings(max_examples=150, deadline=None)
def test_the_books_balance(gt: list[dict[str, str]], answer: list[dict[str, str]]):
    made = one(gt, answer, made_with=REGISTER)
    evaluation = evaluate(made)
    balanced(page(evaluation))
    again = evaluate(made)
    assert page(again) == page(evaluation)


def balanced(score: PageScore) -> None:
    counts = score.counts
    assert counts is not None
    assert counts.model_rows == counts.matched + counts.below_gate + counts.surplus
    assert counts.gt_rows == counts.matched + counts.below_gate + counts.missed
    labels = counts.duplicate + counts.merge + counts.fragment + counts.misread + counts.invention
    nameless = sum(row.label is None for row in score.surplus)
    assert labels == counts.surplus - nameless
    assert counts.transcribed == counts.matched + counts.below_gate == len(score.pairs)
    assert len({one.gt for one in score.pairs}) == len({one.model for one in score.pairs}) == len(score.pairs)
    assert counts.gated_edits <= counts.edits
    for value in (counts.precision, counts.recall, counts.f1, counts.exact_share):
        assert value is None or 0 <= value <= 1
    if counts.precision and counts.recall:
        assert counts.f1 == pytest.approx(2 * counts.precision * counts.recall / (counts.precision + counts.recall))


@given(_rows, _rows)
@hypothesis_settings(max_examples=80, deadline=None)
def test_the_gated_pairs_begin_the_pairing_without_a_floor(gt: list[dict[str, str]], answer: list[dict[str, str]]):
    evaluation = scored(gt, answer, made_with=REGISTER)
    prepared, gate = evaluation.prepared.pages["1"], 0.7
    run_page = evaluation.prepared.run_page("a/n/1", "1")
    found = run_page.page.rows
    gated = prepared.pairer.pair(run_page.models, floor=gate, agreement=lambda g, m: prepared.agreement(found, g, m))
    free = page(evaluation).pairs
    assert [(one.gt, one.model) for one in gated] == [(one.gt, one.model) for one in free[: len(gated)]]
    assert [one.matched for one in free] == [True] * len(gated) + [False] * (len(free) - len(gated))


@given(_rows, _rows, st.randoms(use_true_random=False))
@hypothesis_settings(max_examples=60, deadline=None)
def test_pooled_totals_are_sums(gt: list[dict[str, str]], answer: list[dict[str, str]], random):
    shuffled = random.sample(answer, len(answer))
    made = material({"1": gt, "2": gt[::-1]}, {"a/n/1": {"1": answer, "2": shuffled}, "a/n/2": {"1": shuffled}}, made_with=REGISTER)
    cell = evaluate(made).cells[0]
    pages = [score.counts for score in cell.pages if score.counts is not None]
    assert cell.counts == total(pages)
    assert cell.counts.matched == sum(counts.matched for counts in pages)
    assert math.isclose(sum(f.points for f in cell.fields()), sum(f.points for score in cell.scored for f in score.fields))


def test_counts_add_up_and_change():
    one_page, other = Counts(gt_rows=2, matched=1), Counts(gt_rows=3, matched=3)
    assert total([one_page, other]) == Counts(gt_rows=5, matched=4)
    assert total([]) == Counts()
    assert total([one_page, other]).changed(one_page, Counts(gt_rows=2, matched=2)) == Counts(gt_rows=5, matched=5)
    assert share(0, 0) is None


def test_progress_and_the_automatic_scores():
    seen: list[tuple[int, int]] = []
    made = one(["Anna"], ["Anna"])
    evaluation = evaluate(made, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 1)]
    assert evaluation.as_scored is evaluation
    assert evaluate(made, NO_DECISIONS, automatic=evaluation).as_scored is evaluation
    with pytest.raises(StopIteration):
        evaluation.of_cell("nobody", "n")
