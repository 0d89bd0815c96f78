"""A blind sitting: what it hides, what the log says of it, and the cases it shows again unannounced."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.adjudication.agreement import agreement
from scoring.adjudication.cases import Case
from scoring.adjudication.filters import parse_filter
from scoring.adjudication.log.write import read_log
from scoring.foundations.problems import InputError
from tests.tui.pilots import drive, screen_text
from tests.tui.small import VERIFIER, small_session, small_workspace
from tui.app import make_app
from tui.bench.hidden_repeats import APART, due_repeat
from tui.bench.session import Session
from tui.widgets.drawing import drawn

PAIR = "P. Durazzo"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


def named(session: Session, text: str) -> Case:
    return next(case for case in session.cases.values() if text in case.title)


def said(root: Path, verifier: str, text: str, verdict: str, **options: object) -> str:
    """Another verifier's verdict; its id."""
    other = small_session(root, verifier)
    other.go(named(other, text).id)
    return other.give(verdict, **options).id  # type: ignore[arg-type]


def words(session: Session) -> str:
    return "\n".join(line.plain for line in drawn(session.evidence(), 100))


# What others said


def test_nothing_follows_from_others_verdicts(root: Path):
    before = small_session(root, "third", blind=True)
    cases = dict(before.cases)
    said(root, "aa", PAIR, "same")
    said(root, "bb", PAIR, "different")
    said(root, "aa", "Isaac Bayron", "different")
    blind = small_session(root, "third", blind=True)
    assert {name: case.status for name, case in blind.cases.items()} == dict.fromkeys(cases, "open")
    assert blind.cases == cases, "no case more, none less, no note, no mark"
    assert (blind.progress("all").open, blind.progress("all").conflict) == (len(cases), 0)
    seeing = small_session(root, "third")
    assert seeing.cases[named(seeing, PAIR).id].status == "conflict"


def test_a_case_that_was_seen_is_said_to_be_not_blind(root: Path):
    session = small_session(root, blind=True)
    session.open_queue("borderline")
    session.go(named(session, PAIR).id)
    app = make_app(session, root, start="review")

    async def act(pilot) -> None:
        assert "blind, but" not in screen_text(app)
        await pilot.press("x")
        await pilot.pause()
        assert "n goes on; shown as it is; different" in screen_text(app)
        await pilot.press("z")
        await pilot.pause()
        assert "blind, but this case you have seen" in screen_text(app)

    drive(app, act, (80, 24))


def test_after_the_verdict_all_is_shown(root: Path):
    said(root, "aa", PAIR, "different")
    session = small_session(root, blind=True)
    case = named(session, PAIR)
    session.go(case.id)
    assert session.hides(case)
    assert session.history_lines(case) == []
    shown = session.shown(case)
    assert (shown.suggestion, shown.targets, shown.leverage, shown.note, shown.basis.get("similarity")) == (None, (), 0.0, "", None)
    session.give("same")
    session.settle()
    case = named(session, PAIR)
    assert session.shown(case) is case
    assert [line.split(" ", 2)[2].split(" ->")[0] for line in session.history_lines(case)] == ["aa: different", f"{VERIFIER}: same"]
    assert "similarity" in words(session)


def test_another_ones_stale_verdict_is_no_case_of_a_blind_sitting(root: Path):
    said(root, "aa", PAIR, "same", note="the hand of the clerk")
    page = root / "gt" / "gt_page_2.csv"
    page.write_text(page.read_text("utf-8").replace("Pietro Durazzo", "Paolo Durazzo"), "utf-8")
    assert small_session(root).progress("stale").stale == 1
    blind = small_session(root, blind=True)
    assert blind.progress("stale").stale == 0
    assert all("aa" not in case.question for case in blind.cases.values())
    own = small_session(root, "aa", blind=True)
    own.open_queue("stale")
    assert "the hand of the clerk" in words(own), "one's own is shown, to be kept or revisited"
    assert "kept" in own.keep()
    assert read_log(root / "adjudications").entries[1].blind is False


def test_a_second_verifier_is_led_to_the_cases_of_the_first(root: Path):
    first = small_session(root, "aa")
    judged = []
    for _ in range(3):
        judged.append(first.cursor)
        first.give("unsure")
        first.next_open()
    assert small_session(root, "bb").cursor not in judged
    second = small_session(root, "bb", blind=True)
    seen = [second.cursor]
    for _ in range(2):
        second.give("unsure")
        second.next_open()
        seen.append(second.cursor)
    assert seen == judged


def test_three_blind_judgements_of_one_case_are_no_ruling(root: Path):
    for who, verdict in (("aa", "same"), ("bb", "different"), ("cc", "same")):
        session = small_session(root, who, blind=True)
        case = named(session, PAIR)
        session.go(case.id)
        entry = session.give(verdict)
        assert (entry.blind, entry.resolves) == (True, None)
    entries = read_log(root / "adjudications").entries
    assert agreement(entries).verifiers == ("aa", "bb", "cc")
    overall = agreement(entries).kinds[0]
    assert (overall.kind, overall.pairs, overall.agreed) == ("", 3, 1)
    seeing = small_session(root, "dd")
    assert seeing.cases[case.id].status == "conflict"
    seeing.go(case.id)
    assert seeing.settles(seeing.cases[case.id]) == tuple(entry.id for entry in entries)
    assert seeing.give("same").resolves == tuple(entry.id for entry in entries)


# What the log says


def test_only_the_verdict_before_the_reveal_is_blind(root: Path):
    session = small_session(root, blind=True)
    session.go(named(session, PAIR).id)
    assert session.give("same").blind is True
    assert session.give("different").blind is False
    session.undo()
    session.undo()
    assert not session.hides(session.cases[session.cursor or ""]), "what was shown cannot be hidden again"
    assert session.give("same").blind is False
    again = small_session(root, blind=True)
    again.go(named(again, PAIR).id)
    assert again.give("different").blind is False


def test_a_verdict_said_of_another_row_uncovers_the_case_it_was_given_on(root: Path):
    session = small_session(root, blind=True)
    case = named(session, PAIR)
    session.go(case.id)
    number = session.candidates().index("gt:2:3") + 1
    session.pick(number)
    entry = session.give("same")
    assert entry.case != case.id
    assert entry.basis["shown"] == case.id
    assert not session.hides(case)
    assert session.history(case) == (entry,)
    assert not small_session(root, blind=True).hides(case)
    assert "shown" not in small_session(root, "bb").judge("unsure").basis


# Claimants


def test_every_row_a_verdict_may_need_is_numbered_alike_blind_and_seeing(root: Path):
    seeing, blind = small_session(root), small_session(root, blind=True)
    for case in seeing.cases.values():
        for at in range(len(case.occurrences)):
            rows = []
            for session in (seeing, blind):
                session.go(None)
                session.go(case.id)
                session.show_occurrence(at)
                rows.append(session.candidates())
            assert rows[0] == rows[1]
            sides = [("gt" if row.startswith("gt:") else "model", int(row.rsplit(":", 1)[1])) for row in rows[0]]
            assert sides == sorted(sides), "in page order"
    case = next(case for case in blind.cases.values() if case.suggestion == "duplicate")
    blind.go(case.id)
    (repeated,) = case.targets
    assert blind.pick(blind.candidates().index(repeated) + 1) == repeated
    assert blind.give("duplicate").targets == (repeated,)
    assert blind.picked == [], "the case stays on the screen; the pointer was that verdict's"


def test_a_refusal_tells_nothing_of_the_proposal(root: Path):
    session = small_session(root, blind=True)
    refusals = []
    for suggestion in ("duplicate", "invention"):
        session.go(next(case.id for case in session.cases.values() if case.queue == "surplus" and case.suggestion == suggestion))
        with pytest.raises(InputError) as refused:
            session.give("duplicate")
        refusals.append(str(refused.value))
    assert refusals[0] == refusals[1]
    assert session.draft() is None, "the row proposed is not drafted from"


def test_a_batch_takes_no_pointer_from_hidden_proposals(root: Path):
    session = small_session(root, blind=True)
    cases = [case.id for case in session.cases.values() if case.queue == "surplus"]
    batch = session.plan("duplicate", cases)
    assert batch.judged == ()
    assert len(batch.refused) == len(cases)
    session.give_batch(session.plan("unsure", cases))
    assert [entry.blind for entry in session.decisions.entries] == [True] * len(cases)


# Filters


def test_filters_by_verifier(root: Path):
    said(root, "aa", PAIR, "same")
    said(root, "aa", "Isaac Bayron", "unsure")
    said(root, VERIFIER, PAIR, "same")
    session = small_session(root)

    def listed(text: str) -> set[str]:
        session.open_queue("all", parse_filter(text))
        return set(session.order)

    pair, other = named(session, PAIR).id, named(session, "Isaac Bayron").id
    assert listed("by:aa") == {pair, other}
    assert listed("by:AA mine:no") == {other}
    assert listed("mine:yes") == {pair}
    assert listed("-by:aa") == set(session.cases) - {pair, other}
    session.open_queue("all", parse_filter("mine:no by:aa"))
    session.go(None)
    assert session.next_open()
    assert session.cursor == other, "asked for what I have not judged, next leads to what others did"
    session.undo()
    assert listed("mine:yes") == set()


@pytest.mark.parametrize("text", ["similarity>=0.65", "-times>1", "leverage>2", "suggestion:same", "model:alfa", "run:run_01", "by:aa"])
def test_no_filter_by_what_is_hidden(text: str, root: Path):
    session = small_session(root, blind=True)
    before = session.order
    with pytest.raises(InputError, match="hidden until the verdict"):
        session.open_queue("all", parse_filter(text))
    assert session.order == before
    session.open_queue("all", parse_filter("page:2 status:open mine:no -anna"))
    assert session.order


# Shown again


def sitting(root: Path, seed: int = 0) -> Session:
    """A blind sitting in which a repeat is due now: after enough verdicts it is, and always."""
    session = small_session(root, blind=True)
    session.order_by_seed(seed)
    for count in range(APART + 3):
        if count:
            go_on(session)
        session.give("unsure")
        session.settle()
    session.repeat_share = 1.0
    return session


def go_on(session: Session) -> None:
    """On to the next open case, without a repeat."""
    share, session.repeat_share = session.repeat_share, 0.0
    session.next_open()
    session.repeat_share = share


def test_a_repeat_looks_like_any_open_case(root: Path):
    session = sitting(root)
    length, position, counts = len(session.order), session.position, session.progress("all")
    waiting = session.next_waiting()
    assert session.next_open()
    again = session.current
    assert again is not None
    assert again.id == session.repeating
    assert (len(session.order), session.progress("all")) == (length, counts)
    assert session.position == position + 1, "where the next case would have stood"
    assert session.shown(again).status == "open"
    assert session.hides(again)
    assert session.history_lines(again) == []
    assert session.waits(again)
    # Passed over, it waits like any other case, and no second one comes meanwhile.
    session.next_open()
    assert session.cursor not in (again.id, waiting)
    assert session.repeating == again.id
    session.go(again.id)
    entry = session.give("unsure")
    assert (entry.repeat, entry.blind, session.repeating) == (True, True, None)
    assert session.cases[again.id].status == "decided"
    assert [session.cases[case].leverage for case in session.order] == sorted((c.leverage for c in session.cases.values()), reverse=True)
    assert any("repeat" in line for line in session.history_lines(again))


def test_a_repeat_feeds_nothing_but_the_agreement_with_oneself(root: Path):
    session = sitting(root)
    session.next_open()
    standing = session.decisions.standing_of("tables", session.repeating)
    (first,) = session.history(session.current)
    session.give(first.verdict, targets=first.targets)
    assert session.decisions.standing_of("tables", first.case) == standing
    (own,) = agreement(session.decisions.entries).with_self
    assert (own.verifier, own.repeats, own.agreed) == (VERIFIER, 1, 1)


def test_a_repeat_that_points_elsewhere_disagrees(root: Path):
    session = sitting(root)
    case = named(session, PAIR).id
    session.go(case)
    session.give("same")
    session.settle()
    session.repeating = case
    assert session.hides(session.cases[case])
    session.pick(session.candidates().index("gt:2:3") + 1)
    entry = session.give("same")
    assert (entry.repeat, entry.case != case, entry.basis["shown"]) == (True, True, case)
    (own,) = agreement(session.decisions.entries).with_self
    assert (own.repeats, own.agreed) == (1, 0)


def test_the_draw_hangs_on_log_and_seed_alone(root: Path):
    session = sitting(root)
    entries = session.decisions.entries
    draws = [
        due_repeat(entries[:count], is_live=lambda _: True, may=lambda _: True, verifier=VERIFIER, task="tables", seed=seed, share=0.5)
        for seed in range(40)
        for count in (APART, APART + 3)
    ]
    assert set(draws[0::2]) == {None}, "nothing is shown again at once"
    given = {entry.case for entry in entries[:-APART]}
    assert set(draws[1::2]) <= given | {None}
    assert 10 <= sum(draw is not None for draw in draws[1::2]) <= 30
    fresh = small_session(root, blind=True)
    fresh.repeat_share = 1.0
    assert fresh.due_repeat() == session.due_repeat() is not None
    seeing = small_session(root)
    seeing.repeat_share = 1.0
    assert seeing.due_repeat() is None


def test_where_nothing_else_is_open_nothing_is_shown_again(root: Path):
    session = sitting(root)
    session.repeat_share = 0.0
    while session.next_open():
        session.give("unsure")
        session.settle()
    session.repeat_share = 1.0
    assert session.due_repeat() is not None
    assert not session.next_open()
    assert session.repeating is None


def test_what_is_read_again_keeps_the_repeat_and_the_way_back(root: Path):
    session = sitting(root, seed=7)
    session.next_open()
    again, trail, order = session.repeating, list(session._trail), list(session.order)
    assert order.index(again or "") == session.position
    assert again is not None
    fresh = small_session(root, blind=True)
    fresh.continue_from(session, session.decisions.greatest_id)
    fresh.show_case(again)
    fresh.keep_pointing(session)
    assert (fresh.repeating, fresh._trail, fresh.order, fresh.seed) == (again, trail, order, 7)
    assert fresh.hides(fresh.cases[again])
    assert fresh.minutes_left() == session.minutes_left()
    assert fresh.give("unsure").repeat is True


# Seeds


def test_a_seed_orders_equal_cases_and_equal_cases_alone(root: Path):
    orders = []
    for seed in (1, 1, 2, 3):
        session = small_session(root)
        session.order_by_seed(seed)
        leverages = [session.cases[case].leverage for case in session.order]
        assert leverages == sorted(leverages, reverse=True)
        orders.append(session.order)
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) == 3
    assert small_session(root).order not in orders


# Pace


def test_the_pace_is_that_of_the_pauses_between_verdicts(root: Path):
    now = 0.0
    session = small_session(root)
    session.clock = lambda: now
    for count in range(1, 6):
        session.give("unsure")
        now += 30.0
        session.next_open()
        left = session.progress().open
        assert session.minutes_left() == (None if count == 1 else pytest.approx(0.5 * left))


def test_named_later_a_blind_verifier_sees_own_verdicts(root: Path):
    said(root, VERIFIER, PAIR, "same")
    nameless = small_session(root, None, blind=True)
    assert nameless.progress("all").decided == 0
    app = make_app(nameless, root)
    assert app.session is nameless
    own = small_session(root, VERIFIER, blind=True)
    assert own.progress("all").decided == 1


# The other tasks


@pytest.mark.parametrize("task", ["questions", "relations"])
def test_in_the_other_tasks_too_nothing_follows_from_others_verdicts(task: str, example: Path):
    before = small_session(example, "third", task=task, blind=True)
    case = next(case for case in before.cases.values() if {"unsure"} < set(case.verdicts))
    verdicts = {"questions": ("misread", "gt-wrong"), "relations": ("stands", "false")}[task]
    for who, verdict in zip(("aa", "bb"), verdicts, strict=True):
        other = small_session(example, who, task=task)
        other.show_case(case.id)
        other.give(verdict, value="another text" if verdict == "gt-wrong" else None)
    assert small_session(example, "third", task=task).cases[case.id].status == "conflict"
    blind = small_session(example, "third", task=task, blind=True)
    assert blind.cases == before.cases
    blind.show_case(case.id)
    assert not any(word in words(blind) for word in ("aa", "bb"))
    entry = blind.give(verdicts[0])
    assert (entry.blind, entry.resolves, entry.targets) == (True, None, case.targets)
    assert [one.verifier for one in blind.history(case)] == ["aa", "bb", "third"]
