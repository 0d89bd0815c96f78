"""What is left over, and what it is called (`docs/method.md#surplus-labels`)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.tables.execution.evaluation import Evaluation, evaluate
from scoring.tables.execution.page_score import labeller_of
from scoring.tables.measures.surplus_labels import Suggestion, has_joiner, worded
from scoring.workspace.settings import Settings
from tests.scoring.tables.builders import TITLES, material, rules, scored


def suggestions(evaluation: Evaluation) -> dict[int, Suggestion | None]:
    (score,) = evaluation.pages.values()
    return {row.row: row.suggestion for row in score.surplus}


def label(gt: list[str], answer: list[str], row: int, **more: object) -> str | None:
    found = suggestions(scored(gt, answer, **more))[row]
    return found.label if found else None


# 1. duplicate by reading


def test_a_repeated_name_is_a_duplicate_with_its_evidence():
    found = suggestions(scored(["Anna Serri", "Bruno Bassa"], ["Anna Serri", "Bruno Bassa", "Anna Serri"]))
    assert found == {2: Suggestion("duplicate", (0,), 0, 1.0)}


def test_any_reading_may_repeat_any_reading_of_a_holder():
    made = rules(steps=TITLES)
    assert label(["Bassa"], ["Bassa", "Il Barone Bassa"], 1, made_with=made) == "duplicate"
    assert label(["Bassa"], ["Barone Bassa", "Conte Bassa"], 1, made_with=made) == "duplicate"


def test_a_repeat_of_a_row_that_holds_nobody_is_no_duplicate():
    found = suggestions(scored(["Anna Serri"], ["Anna Serri", "Xyz Qqq", "Xyz Qqq"]))
    assert [one.label for one in found.values() if one] == ["invention", "invention"]


# 2. merge


def test_two_brothers_in_one_line_are_a_merge_and_never_a_duplicate():
    gt = ["Anna Serri", "Bruno Serri", "Carlo Bassa"]
    found = suggestions(scored(gt, ["Anna Serri", "Bruno Serri", "Carlo Bassa", "Anna e Bruno Serri"]))
    assert found[3] is not None
    assert (found[3].label, found[3].gt, found[3].model) == ("merge", (0, 1), None)
    assert found[3].similarity == pytest.approx(22 / 29)


@pytest.mark.parametrize(
    "joined",
    [
        "Anna e Bruno Serri",
        "Anna et Bruno Serri",
        "Anna u. Bruno Serri",
        "Anna & Bruno Serri",
        "Anna, Bruno Serri",
        "Anna Serri e Bruno Serri",
    ],
)
def test_joiners(joined: str):
    assert label(["Anna Serri", "Bruno Serri"], ["Anna Serri", "Bruno Serri", joined], 2) == "merge"


def test_without_a_joiner_a_merge_needs_gt_rows_that_nobody_holds():
    assert label(["Anna Serri", "Bruno Serri"], ["Anna Serri", "Bruno Serri", "Anna Bruno Serri"], 2) == "duplicate"
    evaluation = scored(["Anna Rossi", "Bruno Serri"], ["Xxxx Yyyy", "Zzzz Vvvv", "Anna Rossi Bruno Serri"])
    (score,) = evaluation.pages.values()
    merged = labeller_of(evaluation.prepared, score).merged(
        2, evaluation.prepared.run_page("a/n/1", "1").models[2], "Anna Rossi Bruno Serri"
    )
    assert merged is not None
    assert merged.gt == (0, 1)


def test_a_row_that_is_a_gt_name_is_no_merge():
    gt = ["Johann Franzen", "Joseph Franzen", "Johann Joseph Franzen"]
    evaluation = scored(gt, ["Johann Franzen", "Joseph Franzen", "Johann Joseph Franzen", "Johann Joseph Franzen"])
    assert suggestions(evaluation)[3] == Suggestion("duplicate", (2,), 2, 1.0)
    made = rules(steps=(("signor", "leading"),))
    twice = [*gt[:2], "Signor Johann, Joseph Franzen"]
    (score,) = scored(gt, twice, made_with=made).pages.values()
    assert score.surplus == ()
    evaluation = scored(gt, twice, made_with=made)
    name = evaluation.prepared.run_page("a/n/1", "1").models[2]
    assert labeller_of(evaluation.prepared, score).merged(2, name, "Signor Johann, Joseph Franzen") is None


def test_the_glyph_nobody_read_does_not_make_a_gt_name_a_merge():
    gt = ["Franz Kin?gsech", "Anna Franz", "Anna Kinigsech"]
    evaluation = scored(gt, ["Anna Franz", "Anna Kinigsech", "Franz, Kinigsech"])
    (score,) = evaluation.pages.values()
    name = evaluation.prepared.run_page("a/n/1", "1").models[2]
    assert labeller_of(evaluation.prepared, score).merged(2, name, "Franz, Kinigsech") is None


@pytest.mark.parametrize(
    ("gt", "name", "expected"),
    [
        # The traps of real data: none of these is a merge, though a naive look finds two names in each.
        (["Abt Joh.", "Abt-Abt Joh."], "Abt-Schweizer Joh.", "invention"),
        (["Baumann Joh.", "Baumann Hch."], "Baumann Joh. Hch.", "duplicate"),
        (["Johann Franzen", "Joseph Franzen"], "Johann Joseph Franzen", "duplicate"),
        (["Aberle-Gross M."], "Aberle-Gross Hch.", "duplicate"),
        (["Ackermann-Moosmann Ad."], "Moosmann Ad.", "fragment"),
    ],
)
def test_traps(gt: list[str], name: str, expected: str):
    assert label(gt, [*gt, name], len(gt)) == expected


def test_a_merge_uses_every_long_token_and_each_name_one_of_its_own():
    gt = ["Anna Serri", "Bruno Serri", "Serri Anna", "Anna"]
    assert label(gt, [*gt, "Anna e Bruno Serri Pomponazzi"], 4) != "merge"
    assert label(gt, [*gt, "Anna e Bruno de Serri"], 4) == "merge"
    only = ["Anna Serri", "Anna Maria Serri"]
    assert label(only, [*only, "Anna e Maria Serri Anna"], 2) != "merge"


def test_a_joiner_of_three_letters_is_no_token_of_a_name():
    gt = ["Hans Abt", "Karl Abt"]
    assert label(gt, [*gt, "Hans und Karl Abt"], 2) == "merge"
    assert label(gt, [*gt, "Hans mit Karl Abt"], 2, settings=Settings(joiners=("mit",))) == "merge"
    assert label(gt, [*gt, "Hans mit Karl Abt"], 2) != "merge"


def test_tokens_of_a_merge_may_be_misread_a_little():
    gt = ["Francesco Serri", "Giovanna Bassa"]
    assert label(gt, [*gt, "Francesca Serri e Giovanna Bassa"], 2) == "merge"
    assert label(gt, [*gt, "Fran Serri e Giovanna Bassa"], 2) != "merge"
    assert label(gt, [*gt, "Francesca Serri e Giovanna Bassa"], 2, settings=Settings(merge_token_ratio=1.0)) != "merge"


def test_a_family_in_one_line():
    gt = [f"{name} Serri" for name in ("Anna", "Bruno", "Carlo", "Dora", "Elena")]
    found = suggestions(scored(gt, [*gt, "Anna, Bruno, Carlo, Dora e Elena Serri"]))[5]
    assert found is not None
    assert (found.label, found.gt) == ("merge", (0, 1, 2, 3, 4))


def test_homonyms_are_one_name_in_a_merge_and_the_free_one_speaks():
    evaluation = scored(
        ["Anna Serri", "Anna Serri", "Bruno Serri"], ["Anna Serri", "Anna e Bruno Serri", "Bruno Serri", "Bruno Serri Anna"]
    )
    (score,) = evaluation.pages.values()
    labeller = labeller_of(evaluation.prepared, score)
    name = evaluation.prepared.run_page("a/n/1", "1").models[1]
    merge = labeller.merged(1, name, "Anna e Bruno Serri")
    assert merge is not None
    assert len(merge.gt) == 2
    assert {evaluation.prepared.pages["1"].forms[at] for at in merge.gt} == {"anna serri", "bruno serri"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Anna e Bruno", True),
        ("Anna E Bruno", True),
        ("Anne Bruno", False),
        ("A & B", True),
        ("A&B", True),
        ("Serri, Anna", True),
        ("Hans u. Karl", True),
        ("Hans und, Karl", True),
        ("Hans undKarl", False),
        ("&", False),
        ("", False),
    ],
)
def test_where_a_joiner_stands(text: str, found: bool):
    assert has_joiner(text, Settings().joiners) is found


def test_a_blank_joiner_joins_nothing():
    assert not has_joiner("Anna Bruno", ("", " "))


# 3 to 6


def test_as_similar_as_the_gate_to_a_held_row_is_a_duplicate():
    found = suggestions(scored(["Anna Maria"], ["Anna Maria", "Anna Marie"]))[1]
    assert found == Suggestion("duplicate", (0,), 0, pytest.approx(0.9))


@pytest.mark.parametrize(
    ("gt", "name", "expected"),
    [
        ("Abt Johann", "Abt", "fragment"),
        ("Abt Johann", "oha", "fragment"),
        ("Abt Johann", "oh", "invention"),
        ("Abt q Johann", "q", "fragment"),
        ("Ackermann-Moosmann Adolf", "Moosmann", "fragment"),
        ("Abt Johann", "Abt Jo", "duplicate"),
    ],
)
def test_fragments(gt: str, name: str, expected: str):
    assert label([gt], [gt, name], 1) == expected


def test_misread_needs_a_row_nobody_holds():
    gt = ["Zuanne Orsi", "Pietro Lando", "Marco Foscari"]
    answer = ["Zuanne Orsi", "Pietro Lando", "Marco Foscari", "Zorzi Orsati"]
    assert label(gt, answer, 3) == "invention"
    evaluation = scored(["Leopold Trautner", "Anna Serri"], ["Leopold Trautner", "Xavtnor Qipolt", "Aeeda Surra"])
    (score,) = evaluation.pages.values()
    labeller = labeller_of(evaluation.prepared, score)
    name = evaluation.prepared.run_page("a/n/1", "1").models[2]
    assert labeller.of_name(name, "Aeeda Surra").label == "misread"
    assert labeller.of_name(name, "Aeeda Surra").gt == (1,)


def test_the_floor_of_misread_is_inclusive_and_a_setting():
    gt, name = "abcdefghijklmnopqrst", "abcdefghi01234567890"
    # Nine of twenty characters on either side: exactly 0.45.
    for floor, expected in ((0.45, "misread"), (0.4501, "invention")):
        evaluation = scored([gt], [name, name], settings=Settings(misread_floor=floor))
        assert [one.label for one in suggestions(evaluation).values() if one] == [expected]


def test_a_row_like_the_gate_to_any_gt_row_is_no_invention():
    evaluation = scored(["Anna Maria", "Carlo Bassa"], ["Carlo Bassa"], settings=Settings(misread_floor=0.95))
    (score,) = evaluation.pages.values()
    other = scored(["Anna Maria"], ["Anna Marie"]).prepared.run_page("a/n/1", "1").models[0]
    assert labeller_of(evaluation.prepared, score).of_name(other, "Anna Marie").label == "misread"


def test_a_nameless_row_has_no_label():
    evaluation = scored(["Anna Serri"], ["Anna Serri", "...", {"name": "", "title": "Conte"}])
    assert suggestions(evaluation) == {1: None, 2: None}
    (score,) = evaluation.pages.values()
    assert score.counts is not None
    assert (score.counts.model_rows, score.counts.surplus, score.counts.invention) == (3, 2, 0)


# Chance


def test_the_chance_of_misread_is_measured_on_the_names_of_other_pages():
    made = material({"1": ["Anna Serri", "Zorzi"], "2": ["Anna Sorri", "Vvvvv Wwwww", "Anna Serri"]}, {"a/n/1": {"1": ["Zorzi"], "2": []}})
    evaluation = evaluate(made)
    labeller = labeller_of(evaluation.prepared, evaluation.pages["a/n/1", "1"])
    foreign = evaluation.prepared.foreign_names("1")
    assert [name.readings[0].text for name in foreign] == ["anna sorri", "vvvvv wwwww"]
    assert labeller.chance_of_misread(foreign) == 0.5
    assert labeller.chance_of_misread(()) is None


@pytest.mark.parametrize(
    ("label", "chance", "reads"),
    [("misread", 0.2, "misread"), ("misread", 0.21, "misread or invention"), ("merge", 0.9, "merge"), ("misread", None, "misread")],
)
def test_above_a_fifth_a_misread_may_as_well_be_an_invention(label: str, chance: float | None, reads: str):
    assert worded(label, chance) == reads


_names = st.lists(
    st.sampled_from(["anna serri", "bruno serri", "anna", "serri", "bruno bassa", "carlo", "anna e bruno serri", "zz", "?nna serri"]),
    max_size=6,
)


@given(_names, _names)
def test_every_named_surplus_row_has_one_label_and_never_invention_at_the_gate(gt: list[str], answer: list[str]):
    evaluation = scored(gt, answer)
    (score,) = evaluation.pages.values()
    page = evaluation.prepared.pages["1"]
    models = evaluation.prepared.run_page("a/n/1", "1").models
    for row in score.surplus:
        assert row.suggestion is not None
        if row.label == "invention":
            assert all(page.pairer.similarity(at, models[row.row]).value < 0.7 for at in range(len(gt)))
        if row.label == "duplicate":
            assert row.suggestion.model in score.holders.values()
        if row.label == "merge":
            assert len({gt[at] for at in row.suggestion.gt}) >= 2
