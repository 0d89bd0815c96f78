import random
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.adjudication import log_entry as module
from scoring.adjudication.decisions import NO_DECISIONS, Decisions, LogEntry, encode, live, new_id, retraction, standing, timestamp
from tests.scoring.adjudication.entries import entry, nth, undo

KEY = ("tables", "t-1", None)


def stands(*entries: LogEntry, **options: frozenset[str]):
    return standing(entries, **options).get(KEY)


def naive_live(entries: list[LogEntry]) -> list[LogEntry]:
    """The rule as it is written: live unless a live later entry of the same verifier retracts it."""

    def is_live(one: LogEntry) -> bool:
        return not any(o.retracts == one.id and o.verifier == one.verifier and o.id > one.id and is_live(o) for o in entries)

    return [one for one in sorted(entries, key=lambda e: e.id) if is_live(one)]


def test_the_greatest_id_of_a_verifier_wins():
    found = stands(entry(2, verdict="different"), entry(1))
    assert found.entry.verdict == "different"
    assert not found.conflict
    assert found.entries == (found.entry,)


def test_undo_brings_back_what_stood_before_and_undo_of_undo_takes_it_away_again():
    first, second = entry(1), entry(2, verdict="different")
    assert stands(first, second, undo(3, 2)).entry == first
    assert stands(first, second, undo(3, 2), undo(4, 3)).entry == second
    assert stands(first, second, undo(3, 2), undo(4, 3), undo(5, 4)).entry == first
    assert stands(first, undo(2, 1)) is None


def test_nobody_undoes_anothers_verdict_and_nothing_undoes_what_comes_later():
    assert stands(entry(1), undo(2, 1, "xy")).entry.verdict == "same"
    assert stands(entry(2), undo(1, 2)).entry.verdict == "same"


def test_two_retractions_hold_an_entry_down_until_both_are_undone():
    entries = [entry(1), undo(2, 1), undo(3, 1)]
    assert stands(*entries, undo(4, 3)) is None
    assert stands(*entries, undo(4, 3), undo(5, 2)).entry == entries[0]


def test_verdicts_of_different_verifiers_that_differ_conflict():
    assert stands(entry(1), entry(2, "xy", "different")).conflict
    assert stands(entry(1), entry(2, "xy", "different")).applied is None
    assert not stands(entry(1), entry(2, "xy")).conflict
    assert stands(entry(1, targets=("gt:28:4",)), entry(2, "xy", targets=("gt:28:5",))).conflict
    assert not stands(entry(1, targets=("gt:28:4", "gt:28:5")), entry(2, "xy", targets=("gt:28:5", "gt:28:4"))).conflict
    assert stands(entry(1, value="Anna"), entry(2, "xy", value="Hanna")).conflict
    assert not stands(entry(1, value={"a": 1, "b": 2}), entry(2, "xy", value={"b": 2, "a": 1})).conflict


def test_unsure_never_conflicts_and_gives_way_to_a_firm_verdict():
    found = stands(entry(1), entry(2, "xy", "unsure"))
    assert (found.entry.verdict, found.conflict, len(found.entries)) == ("same", False, 2)
    assert stands(entry(1, verdict="unsure")).entry.verdict == "unsure"


def test_a_ruling_settles_exactly_the_ids_it_names():
    mine, theirs = entry(1), entry(2, "xy", "different")
    ruling = entry(3, "pi", "different", resolves=(nth(1), nth(2)))
    found = stands(mine, theirs, ruling)
    assert (found.entry, found.conflict) == (ruling, False)
    assert found.entries == (mine, theirs, ruling)
    assert stands(mine, theirs, entry(3, "pi", "different", resolves=(nth(2),))).conflict
    # A later verdict, by someone not named or by one of the parties, opens it again.
    assert stands(mine, theirs, ruling, entry(4, "zz")).conflict
    assert stands(mine, theirs, ruling, entry(4, "mp")).conflict
    assert not stands(mine, theirs, ruling, entry(4, "zz", "different")).conflict
    # Undoing the ruling brings the conflict back.
    assert stands(mine, theirs, ruling, undo(4, 3, "pi")).conflict


def test_a_second_ruling_need_name_only_what_conflicts_now():
    first = entry(3, "pi", "different", resolves=(nth(1), nth(2)))
    found = stands(entry(1), entry(2, "xy", "different"), first, entry(4, "zz"), entry(5, "pi", "same", resolves=(nth(3), nth(4))))
    assert (found.entry.id, found.conflict) == (nth(5), False)


def test_a_ruling_by_a_party_and_rulings_that_differ():
    assert stands(entry(1), entry(2, "xy", "different"), entry(3, "mp", "same", resolves=(nth(1), nth(2)))).entry.id == nth(3)
    both = (nth(1), nth(2))
    two = [entry(3, "pi", "same", resolves=both), entry(4, "po", "different", resolves=both)]
    assert stands(entry(1), entry(2, "xy", "different"), *two).conflict


def test_a_row_is_judged_by_what_was_said_of_it_else_by_what_was_said_of_the_reading():
    on_row = entry(3, "mp", "different", scope="row", run="a/1/r1")
    found = standing([entry(1), entry(2, "xy"), on_row])
    assert found[KEY].entry.id == nth(2)
    row = found["tables", "t-1", "a/1/r1"]
    assert row.conflict
    assert row.entries == (entry(2, "xy"), on_row)
    alone = Decisions.of([entry(1), on_row])
    assert alone.standing_of("tables", "t-1", "a/1/r1").entry == on_row
    assert alone.standing_of("tables", "t-1", "a/1/r2").entry == entry(1)
    assert alone.standing_of("tables", "t-2") is None


def test_a_ruling_on_the_reading_reaches_the_row_verdicts_it_names():
    rows = [entry(1, "mp", "different", scope="row", run="a"), entry(2, "xy", scope="row", run="a")]
    ruling = entry(3, "mp", "same", resolves=(nth(1), nth(2)))
    found = standing([*rows, ruling])["tables", "t-1", "a"]
    assert (found.entry, found.conflict) == (ruling, False)


def test_repeats_and_machines_do_not_stand_unless_asked():
    assert stands(entry(1), entry(2, verdict="different", repeat=True)).entry.verdict == "same"
    machine = entry(2, "gpt", "different", by="model")
    assert not stands(entry(1), machine).conflict
    assert stands(entry(1), machine, apply_by=frozenset({"human", "model"})).conflict
    assert stands(machine) is None
    assert stands(entry(1), entry(2, "xy", "different"), entry(3, "gpt", by="model", resolves=(nth(1), nth(2)))).conflict


@st.composite
def logs(draw: st.DrawFn) -> list[LogEntry]:
    """Small logs with everything in them: several verifiers, rows, repeats, retractions of retractions, rulings."""
    made: list[LogEntry] = []
    for number in range(draw(st.integers(0, 14))):
        verifier = draw(st.sampled_from(["mp", "xy", "pi"]))
        kind = draw(st.sampled_from(["verdict", "verdict", "retract", "ruling"]))
        if kind == "retract" and made:
            target = draw(st.sampled_from(made))
            made.append(entry(number, verifier, "retract", target.case, retracts=target.id))
            continue
        run = draw(st.sampled_from([None, None, "r1", "r2"]))
        resolves = tuple(draw(st.lists(st.sampled_from([e.id for e in made]), max_size=3))) if kind == "ruling" and made else None
        made.append(
            entry(
                number,
                verifier,
                draw(st.sampled_from(["same", "different", "unsure"])),
                draw(st.sampled_from(["t-1", "t-2"])),
                repeat=draw(st.booleans()) and draw(st.booleans()),
                by=draw(st.sampled_from(["human", "human", "model"])),
                scope="row" if run else "reading",
                run=run,
                resolves=resolves,
            )
        )
    return made


@given(logs())
def test_live_is_the_rule_as_written(made: list[LogEntry]):
    assert list(live(made)) == naive_live(made)


@given(logs(), st.randoms(use_true_random=False))
def test_nothing_depends_on_the_order(made: list[LogEntry], chance: random.Random):
    mixed = made[:]
    chance.shuffle(mixed)
    assert standing(mixed) == standing(made)
    one, other = Decisions.of(made), Decisions.of(mixed)
    assert dict(one.standing) == dict(other.standing) == standing(made)
    assert one.fingerprint == other.fingerprint
    assert one.entries == other.entries


@settings(max_examples=200)
@given(logs(), st.randoms(use_true_random=False), st.booleans())
def test_one_entry_at_a_time_gives_what_all_at_once_give(made: list[LogEntry], chance: random.Random, mixed: bool):
    order = made[:]
    if mixed:
        chance.shuffle(order)
    growing = NO_DECISIONS
    for number, one in enumerate(order, 1):
        growing = growing.with_entry(one)
        whole = Decisions.of(order[:number])
        assert dict(growing.standing) == dict(whole.standing)
        assert len(growing.standing) == len(whole.standing)
        assert [e.id for e in growing.entries if growing.is_live(e)] == [e.id for e in live(order[:number])]
        assert growing.fingerprint == whole.fingerprint
        for case in ("t-1", "t-2"):
            assert growing.of_case("tables", case) == whole.of_case("tables", case)
    assert NO_DECISIONS.entries == ()


def test_the_layer_of_changes_is_folded_in():
    growing = NO_DECISIONS
    for number in range(1200):
        growing = growing.with_entry(entry(number, case=f"t-{number}"))
        if number % 3 == 2:
            growing = growing.with_entry(undo(100_000 + number, number, case=f"t-{number}")) if number == 1199 else growing
    assert len(growing.standing) == 1199
    assert dict(growing.standing) == standing(growing.entries)


def test_history_and_what_an_undo_would_undo():
    decisions = Decisions.of([entry(1), entry(2, verdict="different"), undo(3, 2), entry(4, "xy")])
    assert [one.id for one in decisions.of_case("tables", "t-1")] == [nth(1), nth(2), nth(3), nth(4)]
    assert decisions.latest_of("mp").id == nth(1)
    assert decisions.latest_of("nobody") is None
    undone = retraction(decisions.latest_of("mp"), id=nth(5), at="2026-11-29T22:10:05.123Z")
    assert decisions.with_entry(undone).latest_of("mp") is None
    assert decisions.entry(nth(2)).verdict == "different"
    assert decisions.entry(nth(9)) is None


def test_an_id_cannot_say_two_things():
    decisions = Decisions.of([entry(1)])
    assert decisions.with_entry(entry(1)) is decisions
    with pytest.raises(ValueError, match="two different entries"):
        decisions.with_entry(entry(1, verdict="different"))


def test_the_fingerprint_is_of_the_set_of_lines():
    assert NO_DECISIONS.fingerprint == "e3b0c442"
    assert Decisions.of([entry(1)]).fingerprint != Decisions.of([entry(1, note="x")]).fingerprint


def test_applying_more():
    decisions = Decisions.of([entry(1, by="model")])
    assert not decisions.standing
    assert decisions.applying({"human", "model"}).standing[KEY].entry.by == "model"
    assert decisions.applying({"human"}) is decisions


def test_ids_rise_whatever_the_clock_says(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_last_id", "")
    clock = iter([2_000_000_000_000_000_000, 2_000_000_000_000_000_000, 1_000_000_000_000_000_000, 3_000_000_000_000_000_000])
    ids = [new_id(clock=lambda: next(clock)) for _ in range(4)]
    assert ids == sorted(set(ids))
    assert int(ids[3].replace("-", "")[:12], 16) == 3_000_000_000_000


def test_ids_stay_above_the_greatest_in_the_log(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_last_id", "")
    greatest = "ffffff00-0000-7fff-bfff-ffffffffffff"
    after = new_id(greatest, clock=lambda: 0)
    assert after > greatest
    assert encode(entry(1, note=after))
    assert new_id(clock=lambda: 0) > after


def test_a_hundred_thousand_ids_in_a_moment_are_distinct_and_rising():
    ids = [new_id() for _ in range(20_000)]
    assert ids == sorted(set(ids))


def test_the_time_is_utc_to_the_millisecond():
    moment = datetime(2026, 11, 29, 23, 10, 5, 123_999, tzinfo=timezone(timedelta(hours=1)))
    assert timestamp(moment) == "2026-11-29T22:10:05.123Z"
    assert timestamp()[:4] >= str(datetime.now(UTC).year - 1)
