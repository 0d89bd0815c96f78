"""Occurrences that new runs add: covered, known by their content, and taken back (`docs/adjudication.md#new-occurrences`)."""

import pytest
from msgspec.structs import replace as changed

from scoring.adjudication.filters import parse_filter
from scoring.foundations.problems import InputError
from scoring.tables.verdicts.log_basis import bounded
from tests.scoring.tables.builders import Bench, Given, entry_of, material, nth
from tests.scoring.tables.test_binding import pairs, with_answer

GT, READ = "Anna Rosa", "Anna Maria"
CASE = ("borderline", f"{READ} ~ {GT}")


def over(*runs: int, gt: list[Given] | None = None) -> Bench:
    return Bench(material({"1": gt or [GT]}, {f"a/n/{at}": {"1": [READ]} for at in runs}))


def later(bench: Bench, *runs: int) -> Bench:
    """The same log with these runs."""
    return bench.under(runs=over(*runs).material.runs)


def uncover(bench: Bench, verifier: str = "mp") -> None:
    """Take the verdict back from what is new since."""
    for entry, judged in bounded(bench.evaluation, bench.case(*CASE, status="decided")):
        assert entry.verifier == verifier
        bench.entries.append(entry_of(judged, len(bench.entries) + 1, verifier))


def new(bench: Bench) -> list[str]:
    case = bench.case(*CASE, status="decided")
    return [one.run for one in case.basis.get("new", ())]


def test_new_is_what_the_verdict_was_not_given_on_whatever_the_count():
    bench = over(1, 2, 3)
    bench.give(bench.case(*CASE), "different")
    assert (new(bench), bench.case(*CASE).note) == ([], "")
    replaced = later(bench, 4, 5, 6)
    assert (new(replaced), replaced.case(*CASE).note) == (["a/n/4", "a/n/5", "a/n/6"], "3 new since the verdict")
    assert (new(later(bench, 1, 3)), later(bench, 1, 3).case(*CASE).note) == ([], "")
    assert new(later(bench, 3, 4)) == ["a/n/4"]
    assert pairs(replaced, "a/n/5") == {}


def test_the_same_run_read_anew_is_new_where_it_reads_otherwise():
    bench = over(1, 2)
    bench.give(bench.case(*CASE), "different")
    assert new(with_answer(bench, [{"name": READ, "title": "Contessa"}])) == []
    (case,) = [case for case in with_answer(bench, ["anna maria"]).cases if case.status == "decided"]
    assert [one.run for one in case.basis["new"]] == ["a/n/1"]


def test_rows_that_a_verdict_moves_are_not_new():
    bench = Bench(material({"1": [GT, "Zorzi"]}, {"a/n/1": {"1": [READ]}, "a/n/2": {"1": [GT, READ]}}))
    bench.give(bench.case(*CASE), "different")
    bench.say("gt:1:1", "different", "model:a/n/2:1:1")
    assert [case.note for case in bench.cases if case.status == "decided"] == ["", ""]


def test_lines_that_do_not_name_what_they_cover_tell_how_many_are_new():
    bench = over(1)
    entry = bench.give(bench.case(*CASE), "different")
    bench.entries = [changed(entry, basis={key: value for key, value in entry.basis.items() if key != "covers"})]
    more = later(bench, 1, 2, 3)
    assert (more.case(*CASE).note, new(more)) == ("2 new since the verdict", [])
    with pytest.raises(InputError, match="is known to be new since"):
        bounded(more.evaluation, more.case(*CASE))


def test_what_either_of_two_verifiers_saw_is_known():
    bench = over(1)
    bench.give(bench.case(*CASE), "different", by="mp")
    bench = later(bench, 2)
    bench.give(bench.case(*CASE), "different", by="xy")
    assert new(later(bench, 1, 2, 3)) == ["a/n/3"]


def test_a_doubt_given_later_has_not_looked_at_the_match():
    bench = over(1)
    bench.give(bench.case(*CASE), "different")
    bench = later(bench, 1, 2)
    bench.give(bench.case(*CASE), "gt-wrong", value=READ)
    assert new(bench) == ["a/n/2"]


def test_the_filter_lists_them():
    bench = over(1)
    bench.give(bench.case(*CASE), "different")
    more = later(bench, 1, 2)
    found = [case.title for case in more.cases if parse_filter("new:yes")(case)]
    assert found == [CASE[1]]
    assert len([case for case in more.cases if parse_filter("new:no")(case)]) == len(more.cases) - 1
    with pytest.raises(InputError, match="does not say whether anything is new"):
        parse_filter("new:maybe")


def test_a_verdict_taken_back_from_the_new_asks_about_them_in_one_case():
    bench = over(1, 2)
    bench.give(bench.case(*CASE), "different")
    bench = later(bench, 1, 2, 3, 4)
    assert [pairs(bench, f"a/n/{at}") for at in (1, 2, 3, 4)] == [{}, {}, {}, {}]
    uncover(bench)
    assert [pairs(bench, f"a/n/{at}") for at in (1, 2, 3, 4)] == [{}, {}, {0: (0, True)}, {0: (0, True)}]
    kept, left = bench.case(*CASE, status="decided"), bench.case(*CASE, status="open")
    assert kept.id == bench.entries[0].case == bench.entries[1].case
    assert [[one.run for one in case.occurrences] for case in (kept, left)] == [["a/n/1", "a/n/2"], ["a/n/3", "a/n/4"]]
    assert (kept.note, "new" in kept.basis) == ("", False)
    # The case of the new ones takes a verdict of its own, and later runs join it.
    entry = bench.give(left, "same")
    assert (entry.scope, entry.case) == ("reading", left.id)
    assert [by for _, _, by in bench.evaluation.pages["a/n/3", "1"].bound.same] == [entry.id]
    assert pairs(bench, "a/n/1") == {}
    more = later(bench, 1, 2, 3, 4, 5)
    assert [by for _, _, by in more.evaluation.pages["a/n/5", "1"].bound.same] == [entry.id]
    noted = [case for case in more.cases if case.note == "1 new since the verdict"]
    assert [case.id for case in noted] == [left.id]


def test_where_every_run_is_another_nothing_is_left_of_the_case_judged():
    bench = over(1)
    bench.give(bench.case(*CASE), "different")
    bench = later(bench, 2)
    uncover(bench)
    assert [one.run for one in bench.case(*CASE, status="open").occurrences] == ["a/n/2"]
    assert pairs(bench, "a/n/2") == {0: (0, True)}
    judged = next(case for case in bench.cases if case.id == bench.entries[0].case)
    with pytest.raises(InputError, match="no row is left that this verdict would be said of"):
        bench.give(judged, "same")


def test_undone_it_covers_all_of_them_again():
    bench = over(1)
    bench.give(bench.case(*CASE), "different")
    bench = later(bench, 1, 2)
    uncover(bench)
    assert pairs(bench, "a/n/2") == {0: (0, True)}
    bench.retract(bench.entries[-1])
    assert pairs(bench, "a/n/2") == {}
    assert new(bench) == ["a/n/2"]


def test_a_verdict_given_anew_on_the_reading_covers_all():
    bench = over(1)
    bench.give(bench.case(*CASE), "different")
    bench = later(bench, 1, 2)
    uncover(bench)
    bench.give(bench.case(*CASE, status="decided"), "different")
    assert pairs(bench, "a/n/2") == {}
    assert (new(bench), [case.title for case in bench.cases if case.status == "open" and case.queue == "borderline"]) == ([], [])


def test_what_two_verifiers_say_is_covered_as_long_as_one_covers_it():
    bench = over(1)
    bench.give(bench.case(*CASE), "different", by="xy")
    bench.give(bench.case(*CASE), "different", by="mp")
    bench = later(bench, 1, 2)
    mine = next(judged for entry, judged in bounded(bench.evaluation, bench.case(*CASE)) if entry.verifier == "mp")
    bench.entries.append(entry_of(mine, 3, "mp"))
    assert pairs(bench, "a/n/2") == {}


def test_what_is_said_of_the_new_against_a_colleagues_verdict_on_all_is_a_conflict():
    bench = over(1)
    bench.give(bench.case(*CASE), "different")
    bench = later(bench, 1, 2)
    uncover(bench)
    bench.give(bench.case(*CASE, status="open"), "same")
    assert pairs(bench, "a/n/2") == {0: (0, True)}
    bench.give(bench.case(*CASE, id=bench.entries[0].case), "different", by="xy")
    found = {case.status: [one.run for one in case.occurrences] for case in bench.cases if case.title == CASE[1]}
    assert found == {"decided": ["a/n/1"], "conflict": ["a/n/2"]}


def test_a_label_taken_back_from_the_new():
    runs = {f"a/n/{at}": {"1": [GT, "Qqqq"]} for at in (1, 2)}
    bench = Bench(material({"1": [GT]}, {"a/n/1": runs["a/n/1"]}))
    bench.give(bench.case("surplus", "Qqqq"), "duplicate", "model:a/n/1:1:1")
    bench = bench.under(runs=material({"1": [GT]}, runs).runs)
    assert [score.counts.settled for score in bench.evaluation.pages.values()] == [1, 1]
    ((_, judged),) = bounded(bench.evaluation, bench.case("surplus", "Qqqq"))
    bench.entries.append(entry_of(judged, 2))
    assert [score.counts.settled for score in bench.evaluation.pages.values()] == [1, 0]
    left = bench.case("surplus", "Qqqq", status="open")
    assert [one.run for one in left.occurrences] == ["a/n/2"]
    assert bench.give(left, "invention").id == nth(3)
    assert [row.label for row in bench.evaluation.pages["a/n/2", "1"].surplus] == ["invention"]
