"""What a verdict may say, and what it may not (`docs/adjudication.md#pointers`): every pointer is checked."""

import pytest

from scoring.foundations.problems import InputError
from scoring.tables.verdicts.validation import draft, judge, kept
from tests.scoring.tables.builders import Bench, Given, entry_of, material, one
from tests.scoring.tables.test_binding import with_answer, with_gt

PAIR, ROW = ("borderline", "Anna Maria ~ Anna Rosa"), ("surplus", "Qqqq")


def given_runs() -> Bench:
    runs = {f"a/n/{at}": {"1": ["Anna Maria", "Carlo Bassa", "Qqqq"][:: 1 if at < 3 else -1]} for at in (1, 2, 3)}
    return Bench(material({"1": ["Anna Rosa", "Carlo Bassa"]}, runs))


def refused(made: Bench, case: tuple[str, str], verdict: str, *targets: str, **more: object) -> str:
    before = len(made.entries)
    with pytest.raises(InputError) as fault:
        made.give(made.case(*case), verdict, *targets, **more)
    assert len(made.entries) == before
    return str(fault.value)


def pair_bench() -> Bench:
    return Bench(one(["Anna Rosa", "Bruno Serri", "Carlo Bassa", ""], ["Anna Maria", "Bruno Serri", "Carlo Bassa", "Qqqq", ""]))


@pytest.mark.parametrize(
    ("case", "verdict", "targets", "says"),
    [
        (PAIR, "perhaps", (), "`perhaps` is no verdict"),
        (PAIR, "same", ("gt:1:9",), "there is no row gt:1:9"),
        (PAIR, "same", ("gt:9:1",), "there is no row gt:9:1"),
        (PAIR, "same", ("nonsense",), "there is no row nonsense"),
        (PAIR, "same", ("model:x/y/z:1:1",), "there is no row model:x/y/z:1:1"),
        (PAIR, "same", ("gt:1:1", "gt:1:2"), "is said of one GT row"),
        (PAIR, "same", ("gt:1:4",), "gt:1:4 has no name and is never paired"),
        (PAIR, "different", ("model:a/n/1:1:2",), "is said of one GT row"),
        (ROW, "duplicate", ("model:a/n/1:1:4",), "a row cannot be a duplicate of itself"),
        (ROW, "duplicate", (), "not to nothing"),
        (ROW, "duplicate", ("gt:1:1",), "points to the model row it repeats"),
        (ROW, "duplicate", ("model:a/n/1:1:2", "model:a/n/1:1:3"), "points to the model row it repeats"),
        (ROW, "duplicate", ("model:a/n/1:1:5",), "model:a/n/1:1:5 has no name"),
        (ROW, "merge", ("gt:1:1",), "points to two or more GT rows"),
        (ROW, "merge", ("gt:1:1", "gt:1:1"), "points to two or more GT rows"),
        (ROW, "merge", ("gt:1:1", "model:a/n/1:1:1"), "points to two or more GT rows"),
        (ROW, "fragment", (), "points to the one GT row or model row it is a piece of"),
        (ROW, "fragment", ("gt:1:1", "gt:1:2"), "points to the one GT row or model row it is a piece of"),
        (ROW, "fragment", ("model:a/n/1:1:4",), "a row cannot be a fragment of itself"),
        (ROW, "misread", ("model:a/n/1:1:1",), "points to one GT row"),
        (ROW, "misread", (), "points to one GT row"),
        (ROW, "invention", ("gt:1:1",), "points to nothing"),
        (PAIR, "gt-wrong", (), "needs the text you propose"),
        (PAIR, "same", (), ""),
    ],
)
def test_impossible_pointers_are_refused(case: tuple[str, str], verdict: str, targets: tuple[str, ...], says: str):
    made = pair_bench()
    if not says:
        assert made.give(made.case(*case), verdict, *targets).targets == ("gt:1:1",)
        return
    assert says in refused(made, case, verdict, *targets)


def test_a_merge_joins_different_names():
    made = Bench(one(["Anna Rosa", "Bruno Serri", "Bruno Serri"], ["Anna Rosa", "Bruno Serri", "Bruno Serri", "Qqqq"]))
    assert "two or more different GT names" in refused(made, ROW, "merge", "gt:1:2", "gt:1:3")


def test_rows_of_another_page_are_refused():
    made = Bench(material({"1": ["Zorzi"], "2": ["Anna"]}, {"a/n/1": {"1": ["Zorzi", "Qqqq"], "2": []}}))
    assert "lies on page 2" in refused(made, ROW, "misread", "gt:2:1")


def test_two_rows_are_not_duplicates_of_each_other():
    made = Bench(one(["Anna Rosa"], ["Anna Rosa", "Qqqq", "Wwww"]))
    made.give(made.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:3")
    assert "is labelled a duplicate of this very row" in refused(made, ("surplus", "Wwww"), "duplicate", "model:a/n/1:1:2")


def test_labels_need_a_model_row():
    made = Bench(one(["Anna Rosa", "Zorzi"], ["Anna Rosa"]))
    for verdict, targets in (("misread", ("gt:1:1",)), ("invention", ())):
        said = refused(made, ("unmatched", "Zorzi"), verdict, *targets)
        assert "is said of a model row" in said
    assert "cannot be a misread of itself" in refused(made, ("unmatched", "Zorzi"), "misread")


def test_a_missed_traveler_is_same_as_a_candidate_or_as_none():
    made = Bench(one(["Anna Serri", "Zorzi"], ["Anna Serri", "Quqqu", ""]))
    missed = ("unmatched", "Zorzi")
    assert "needs the one model row" in refused(made, missed, "same")
    assert "has no name and is never paired" in refused(made, missed, "same", "model:a/n/1:1:3")
    none = made.give(made.case(*missed), "different")
    assert (none.case, none.targets) == (made.case(*missed).id, ("gt:1:2",))
    entry = made.give(made.case(*missed), "same", "model:a/n/1:1:2")
    assert entry.case != none.case
    assert (entry.targets, entry.basis["asked"], entry.basis["subject"]) == (("gt:1:2",), "gt:1:2", "model:a/n/1:1:2")
    assert (
        entry.basis["similarity"]
        == made.evaluation.prepared.pages["1"].pairer.similarity(1, made.evaluation.prepared.run_page("a/n/1", "1").models[1]).value
    )


def test_what_a_log_line_keeps_of_the_evidence():
    made = given_runs()
    entry = made.give(made.case(*PAIR), "same")
    basis = entry.basis
    assert (basis["page"], basis["reading"], basis["text"], basis["occurrences"]) == ("1", "anna maria", "Anna Maria", 3)
    assert basis["texts"] == {"model:a/n/1:1:1": "Anna Maria", "gt:1:1": "Anna Rosa"}
    assert set(basis["rows"]) == {"model:a/n/1:1:1", "gt:1:1"}
    assert (basis["gate"], basis["similarity"]) == (0.7, 14 / 19)
    assert len(basis["gt"]) == len(basis["rules"]) == len(basis["engine"]) == 8
    assert (entry.scope, entry.run, entry.value) == ("reading", None, None)


def test_a_doubt_about_ground_truth_carries_its_value():
    made = pair_bench()
    entry = made.give(made.case(*PAIR), "gt-wrong", value="Anna Marina")
    assert (entry.value, entry.targets) == ("Anna Marina", ("gt:1:1",))
    assert made.give(made.case(*PAIR), "gt-missing-row").value == "Anna Maria"
    bare = Bench(one(["Zorzi"], []))
    assert "needs the name that the source has" in refused(bare, ("unmatched", "Zorzi"), "gt-missing-row")
    assert bare.give(bare.case("unmatched", "Zorzi"), "gt-missing-row", value="Zorzi").value == "Zorzi"


def test_narrowing_to_a_run():
    made = given_runs()
    assert "does not occur in run a/n/9" in refused(made, PAIR, "same", run="a/n/9")
    entry = made.give(made.case(*PAIR), "different", run="a/n/2")
    assert (entry.scope, entry.run, entry.basis["nth"], entry.basis["subject"]) == ("row", "a/n/2", 0, "model:a/n/2:1:1")
    made = Bench(material({"1": ["Zorzi"]}, {f"a/n/{at}": {"1": ["Quqqu"]} for at in (1, 2)}))
    assert "is no row of run a/n/2" in refused(made, ("unmatched", "Zorzi"), "same", "model:a/n/1:1:1", run="a/n/2")


def test_a_proposed_pointer_is_found_in_the_run_judged():
    runs: dict[str, dict[str, list[Given]]] = {
        "a/n/1": {"1": ["Carlo Bassa", "Karlo Bassa"]},
        "a/n/2": {"1": ["Karlo Bassa", "Zorzi", "Carlo Bassa"]},
        "a/n/3": {"1": ["Carl Bassa", "Karlo Bassa"]},
    }
    made = Bench(material({"1": ["Carlo Bassa"]}, runs))
    case = ("surplus", "Karlo Bassa")
    entry = made.give(made.case(*case), "duplicate", run="a/n/2")
    assert entry.targets == ("model:a/n/2:1:3",)
    made.entries.clear()
    occurs = [one.run for one in made.case(*case).occurrences]
    assert occurs[:2] == ["a/n/1", "a/n/2"]
    # A row pointed to in another run is said of the row there.
    entry = made.give(made.case(*case), "duplicate", "model:a/n/2:1:3")
    assert entry.basis["subject"] == "model:a/n/2:1:1"
    if "a/n/3" in occurs:
        made.entries.clear()
        assert "has no row that reads Carlo Bassa" in refused(made, case, "duplicate", run="a/n/3")


def test_a_duplicate_repeats_a_row_of_its_own_run():
    runs = {"a/n/1": {"1": ["Carlo Bassa", "Qqqq"]}, "a/n/2": {"1": ["Carlo Bassa"]}}
    made = Bench(material({"1": ["Carlo Bassa"]}, runs))
    assert "a duplicate repeats a row of its own run" in refused(made, ROW, "duplicate", "model:a/n/2:1:1")
    assert "a fragment is a piece of a row of its own run" in refused(made, ROW, "fragment", "model:a/n/2:1:1")
    assert made.give(made.case(*ROW), "fragment", "model:a/n/1:1:1").verdict == "fragment"


# Stale verdicts kept


def test_a_kept_verdict_is_said_of_the_rows_as_they_are():
    made = pair_bench()
    entry = made.give(made.case(*PAIR), "different")
    now = with_gt(made, ["Anna Rosina", "Bruno Serri", "Carlo Bassa"])
    judged = kept(now.evaluation, entry)
    assert (judged.verdict, judged.targets, judged.scope) == ("different", ("gt:1:1",), "reading")
    assert judged.basis["texts"] == {"model:a/n/1:1:1": "Anna Maria", "gt:1:1": "Anna Rosina"}
    assert judged.basis["occurrences"] == 1
    now.entries.append(entry_of(judged, 2))
    assert (0, 0) not in {(one.gt, one.model) for one in now.evaluation.pages["a/n/1", "1"].pairs}


def test_a_kept_verdict_follows_the_rows_that_only_moved():
    made = Bench(one(["Anna Serri", "Bruno Bassa"], ["Anna Serri", "Bruno Bassa", "Anna e Bruno"]))
    case = next(case for case in made.cases if case.title == "Anna e Bruno")
    entry = made.give(case, "merge", "gt:1:1", "gt:1:2")
    moved = kept(with_gt(made, ["Bruno Bassa Conti", "Zorzi", "Anna Serri"]).evaluation, entry)
    assert moved.targets == ("gt:1:3", "gt:1:2")


def test_a_verdict_whose_rows_are_gone_cannot_be_kept():
    made = pair_bench()
    entry = made.give(made.case(*PAIR), "different")
    with pytest.raises(InputError, match="there is no row gt:1:1"):
        kept(with_gt(made, []).evaluation, entry)
    with pytest.raises(InputError, match="there is no row model:a/n/1:1:1"):
        kept(with_answer(made, []).evaluation, entry)
    with pytest.raises(InputError, match="page 1 is gone"):
        kept(made.under(pages=()).evaluation, entry)


def test_a_stale_case_takes_no_verdict():
    made = pair_bench()
    made.give(made.case(*PAIR), "different")
    now = with_gt(made, [])
    (stale,) = [case for case in now.cases if case.status == "stale"]
    with pytest.raises(InputError, match="is stale"):
        judge(now.evaluation, stale, "same")


def test_a_narrowed_verdict_is_kept_narrow():
    made = given_runs()
    entry = made.give(made.case(*PAIR), "different", run="a/n/2")
    judged = kept(with_gt(made, ["Anna Rosina", "Carlo Bassa"]).evaluation, entry)
    assert (judged.scope, judged.run, judged.basis["nth"]) == ("row", "a/n/2", 0)


# Drafts


def test_a_rule_draft_takes_the_words_that_differ():
    made = Bench(one(["Zuanne Rosa"], ["Zani Rosa"]))
    (case,) = [case for case in made.cases if case.queue == "borderline"]
    found = draft(made.evaluation, case)
    assert found is not None
    assert (found.form, found.canonical) == ("Zani", "Zuanne")
    bare = Bench(one(["Zorzi"], []))
    assert draft(bare.evaluation, bare.cases[0]) is None
