"""One sitting without a terminal: cursor by case, verdicts, undo, progress, consequences."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scoring.adjudication.decisions import Decisions, LogEntry, new_id
from scoring.adjudication.filters import EVERYTHING, parse_filter
from scoring.adjudication.log.write import Log, LogWriteError, read_log, require_sound
from scoring.foundations.incremental import finished
from scoring.foundations.problems import InputError
from tests.tui.small import VERIFIER, log_of, small_session, small_workspace
from tui.bench.case_list import ALL
from tui.bench.session import Session
from tui.widgets.drawing import drawn


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


@pytest.fixture
def session(root: Path) -> Session:
    return small_session(root)


class FullDisk:
    """A log whose every append fails, as on a full disk."""

    verifier = VERIFIER

    def append_many(self, entries: Iterable[LogEntry]) -> None:
        raise LogWriteError("The verdict was not written and does not count: No space left on device")


def case_of(session: Session, text: str) -> str:
    return next(case.id for case in session.cases.values() if text in case.title)


# Verdicts


def test_a_verdict_is_in_the_log_before_anything_changes(session: Session, root: Path):
    case = session.cursor
    assert case is not None
    path = root / "adjudications" / f"{VERIFIER}.jsonl"
    seen: list[tuple[str, str | None]] = []
    append = session.log.append_many

    def watched(entries: Iterable[LogEntry]) -> None:
        entries = tuple(entries)
        append(entries)
        seen.append((session.cases[case].status, session.cursor))
        assert entries[-1].id in path.read_text()

    session.log.append_many = watched  # type: ignore[method-assign, union-attr]
    entry = session.give("unsure")
    assert seen == [("open", case)]
    assert session.cases[case].status == "decided"
    assert session.cursor == case, "the cursor moves when the screen says so, after the verdict"
    assert read_log(root / "adjudications").entries == (entry,)


def test_the_occurrence_shown_decides_which_row_is_judged(root: Path):
    """The first run has another row for the traveler pointed to, the second has none: shown the second, the verdict is said of it."""
    path = root / "runs" / "beta" / "naive" / "run_02.json"
    answer = json.loads(path.read_text("utf-8"))
    answer["pages"]["2"]["entries"] = [row for row in answer["pages"]["2"]["entries"] if row["name"] != "Bruno Seri"]
    path.write_text(json.dumps(answer), "utf-8")
    session = small_session(root)
    session.go(case_of(session, "P. Durazzo ~"))
    assert session.current is not None
    assert [one.run for one in session.current.occurrences] == ["beta/naive/run_01", "beta/naive/run_02"]
    first = session.judge("same", targets=["gt:2:3"])
    assert (first.scope, first.run, first.basis["subject"]) == ("row", "beta/naive/run_01", "model:beta/naive/run_01:2:4")
    session.show_occurrence(1)
    shown = session.current.occurrences[1].targets[0]
    second = session.give("same", targets=["gt:2:3"])
    assert (second.scope, second.run, second.basis["subject"]) == ("reading", None, shown)
    session.settle()
    pairs = session.evaluation.pages["beta/naive/run_02", "2"].pairs
    assert [(pair.gt, pair.decided_by) for pair in pairs if pair.decided_by] == [(2, second.id)]
    assert not any(pair.decided_by for pair in session.evaluation.pages["beta/naive/run_01", "2"].pairs)


@pytest.mark.parametrize("act", ["keep", "revisit"])
@pytest.mark.parametrize("verifier", [VERIFIER, "jk"])
def test_what_a_stale_verdict_had_replaced_comes_back_by_no_act(root: Path, act: str, verifier: str):
    before = small_session(root)
    for verdict in ("different", "same"):
        before.go(case_of(before, "P. Durazzo ~"))
        before.give(verdict)
        before.settle()
    page = root / "gt" / "gt_page_2.csv"
    page.write_text(page.read_text("utf-8").replace("Pietro Durazzo", "Paolo Durazzo"), "utf-8")

    def stale(session: Session) -> list[str]:
        return [case.basis["entry"].verdict for case in session.cases.values() if case.status == "stale"]  # type: ignore[attr-defined]

    session = small_session(root, verifier)
    assert stale(session) == ["same"]
    session.open_queue("stale")
    getattr(session, act)()
    session.settle()
    assert stale(session) == stale(small_session(root, verifier)) == []
    session.undo()
    session.settle()
    assert stale(session) == stale(small_session(root, verifier)) == ["same"]


def test_what_is_said_beside_the_question_leaves_the_case_open(session: Session):
    case = case_of(session, "P. Durazzo ~")
    session.open_queue("borderline")
    session.go(case)
    waiting = session.progress("borderline").open
    session.give("gt-wrong", value="Piero Durazzo")
    for settled in (False, True):
        if settled:
            session.settle()
        assert (session.cases[case].status, session.progress("borderline").open) == ("open", waiting)
    assert [entry.verdict for entry in session.history(session.cases[case])] == ["gt-wrong"]
    assert session.next_open()
    assert session.cursor != case
    session.go(case)
    session.give("different")
    session.settle()
    assert (session.cases[case].status, session.progress("borderline").open) == ("decided", waiting - 1)


def test_a_verdict_that_cannot_be_written_changes_nothing(session: Session):
    before = (dict(session.cases), session.cursor, session.progress(ALL), session.decisions, list(session.order))
    session.log = FullDisk()  # type: ignore[assignment]
    for act in (lambda: session.give("unsure"), lambda: session.give("gt-wrong", value="Anna")):
        with pytest.raises(LogWriteError, match="No space left"):
            act()
    assert (dict(session.cases), session.cursor, session.progress(ALL), session.decisions, list(session.order)) == before
    assert not session.unsettled
    assert session.minutes_left() is None


def test_an_undo_that_cannot_be_written_changes_nothing(session: Session):
    session.give("unsure")
    given = session.cursor
    session.settle()
    session.log = FullDisk()  # type: ignore[assignment]
    with pytest.raises(LogWriteError):
        session.undo()
    assert session.cases[given].status == "decided"
    assert session.decisions.latest_of(VERIFIER) is not None


def test_without_a_verifier_no_verdict_is_given(root: Path):
    session = small_session(root, None)
    with pytest.raises(InputError, match="verifier"):
        session.give("unsure")
    assert session.progress(ALL).decided == 0


def test_an_impossible_verdict_is_refused_and_nothing_is_written(session: Session, root: Path):
    session.go(case_of(session, "Invented"))
    with pytest.raises(InputError):
        session.give("merge", targets=("gt:10:1",))
    assert not (root / "adjudications").exists()
    assert session.current.status == "open"


def test_a_picked_claimant_is_what_the_next_verdict_points_to(session: Session):
    session.go(case_of(session, "Anna e Bruno Serri ~"))
    rows = session.candidates()
    assert rows
    number = next(at for at, row in enumerate(rows, 1) if row == "gt:2:2")
    assert session.pick(number) == "gt:2:2"
    entry = session.give("same")
    assert "gt:2:2" in entry.targets
    assert session.pick(99) is None


def test_pick_again_lets_go_and_another_case_begins_without_a_pick(session: Session):
    session.pick(1)
    session.pick(1)
    assert session.picked == []
    session.pick(1)
    session.move(1)
    assert session.picked == []


def test_narrowed_to_one_run_the_case_stays_open(session: Session):
    case = session.current
    entry = session.give("different", run=case.occurrences[0].run)
    assert entry.scope == "row"
    assert entry.run == case.occurrences[0].run
    assert session.cases[case.id].status == "open"


# Cursor, queue, filter


def test_the_cursor_stays_on_its_case_through_filters_queues_and_consequences(session: Session):
    session.open_queue(ALL)
    case = case_of(session, "P. Durazzo")
    session.go(case)
    session.open_queue("borderline")
    assert session.cursor == case
    session.open_queue("borderline", parse_filter("durazzo"))
    assert session.order == [case]
    session.open_queue(ALL, EVERYTHING)
    assert session.cursor == case
    other = case_of(session, "Isaac Bayron")
    session.go(other)
    session.give("different")
    session.go(case)
    session.settle()
    assert session.cursor == case
    assert session.order[session.position] == case


def test_a_filter_without_the_case_moves_to_the_first_open_one(session: Session):
    session.open_queue("borderline", parse_filter("page:2"))
    assert {session.cases[case].page for case in session.order} == {"2"}
    assert session.cursor in session.order
    session.open_queue("conflicts")
    assert (session.order, session.cursor, session.position, session.current) == ([], None, -1, None)
    session.move(1)
    assert not session.next_open()
    with pytest.raises(InputError, match="no case here"):
        session.give("unsure")


def test_an_unknown_queue_is_a_sentence(session: Session):
    with pytest.raises(InputError, match="no queue `nowhere`"):
        session.open_queue("nowhere")


def test_next_open_wraps_round_and_says_when_all_is_decided(session: Session):
    session.open_queue("surplus")
    session.go(session.order[-1])
    session.give("unsure")
    assert session.next_open()
    assert session.position == 0
    for _ in range(len(session.order) - 1):
        session.give("unsure")
        last = session.next_open()
    assert not last
    assert session.progress().open == 0


def test_move_stops_at_the_ends_and_back_returns(session: Session):
    session.move(-5)
    first = session.cursor
    assert first == session.order[0]
    session.move(10_000)
    assert session.cursor == session.order[-1]
    session.back()
    assert session.cursor == first


def test_back_to_a_case_the_list_does_not_hold_opens_everything(session: Session):
    session.open_queue("borderline")
    here = session.cursor
    session.open_queue("surplus")
    assert session.cursor != here
    session.back()
    assert session.cursor == here
    assert session.queue == ALL


def test_find_takes_the_beginning_of_an_id(session: Session):
    case = next(iter(session.cases.values()))
    assert session.find(case.id) is case
    assert session.find(case.id[:6]) is case
    with pytest.raises(InputError, match="beginning of"):
        session.find("t-")
    with pytest.raises(InputError, match="no case"):
        session.find("zz")


# Undo


def test_undo_is_an_entry_without_limit_and_across_sittings(session: Session, root: Path):
    given = []
    for _ in range(4):
        given.append(session.give("unsure"))
        session.next_open()
    session.settle()
    again = small_session(root)
    assert again.progress(ALL).decided == 4
    undone = [again.undo()[0].id for _ in range(4)]
    assert undone == [entry.id for entry in reversed(given)]
    assert again.undo() == ()
    again.settle()
    assert again.progress(ALL).decided == 0
    log = require_sound(read_log(root / "adjudications"))
    assert [entry.verdict for entry in log.entries] == ["unsure"] * 4 + ["retract"] * 4
    assert {entry.retracts for entry in log.entries[4:]} == {entry.id for entry in given}


def test_undo_shows_the_case_it_opens_again_even_outside_the_list(session: Session):
    case = session.cursor
    session.give("unsure")
    session.open_queue("surplus")
    session.undo()
    assert session.cursor == case
    assert session.cursor in session.order
    assert session.current.status == "open"


def test_others_verdicts_are_not_mine_to_undo(session: Session, root: Path):
    session.give("unsure")
    other = small_session(root, "ab")
    assert other.undo() == ()
    with pytest.raises(InputError, match=VERIFIER):
        other.undo(session.decisions.entries[0].id)


# Several verifiers, stale verdicts


def test_verdicts_that_differ_are_a_conflict_and_a_ruling_settles_it(session: Session, root: Path):
    case = case_of(session, "P. Durazzo")
    session.go(case)
    session.give("same")
    other = small_session(root, "ab")
    other.go(case)
    other.give("different")
    other.settle()
    assert other.cases[case].status == "conflict"
    other.open_queue("conflicts")
    assert other.order == [case]
    ruling = other.give("same")
    assert set(ruling.resolves) == {entry.id for entry in other.decisions.entries[:2]}
    other.settle()
    assert other.cases[case].status == "decided"


def test_a_batch_over_a_conflict_is_a_ruling(session: Session, root: Path):
    case = case_of(session, "P. Durazzo")
    session.go(case)
    session.give("same")
    other = small_session(root, "ab")
    other.go(case)
    other.give("different")
    other.settle()
    (ruling,) = other.give_batch(other.plan("unsure", [case]))
    assert set(ruling.resolves) == {entry.id for entry in other.decisions.entries[:2]}
    other.settle()
    assert other.cases[case].status == "decided"


def test_cases_alike_read_the_same_and_suggest_the_same(session: Session):
    case = session.cases[case_of(session, "Mario Bassa")]
    session.go(case.id)
    assert case.id in session.alike()
    session.cases[case.id] = replace(case, suggestion="another")
    assert session.alike() == (case.id,)


def changed_rows(root: Path) -> None:
    path = root / "gt" / "gt_page_2.csv"
    path.write_text(path.read_text().replace("Pietro Durazzo", "Paolo Durazzo"))


def test_a_stale_verdict_is_listed_with_its_cause_and_kept_by_one_key(session: Session, root: Path):
    session.go(case_of(session, "P. Durazzo"))
    session.give("same")
    changed_rows(root)
    again = small_session(root)
    again.open_queue("stale")
    assert again.progress("stale").stale == 1
    assert again.current.status == "stale"
    assert "Durazzo" in again.current.note
    assert "kept" in again.keep()
    again.settle()
    assert again.progress("stale").stale == 0
    entries = require_sound(read_log(root / "adjudications")).entries
    assert [entry.verdict for entry in entries] == ["same", "same", "retract"]
    last = small_session(root)
    assert last.progress("stale").stale == 0
    assert any(case.status == "decided" and "Durazzo" in case.title for case in last.cases.values())


def test_a_stale_verdict_is_taken_back_by_one_key(session: Session, root: Path):
    session.go(case_of(session, "P. Durazzo"))
    session.give("same")
    changed_rows(root)
    again = small_session(root)
    again.open_queue("stale")
    again.revisit()
    again.settle()
    assert again.progress("stale").stale == 0
    assert not any(case.status == "decided" for case in again.cases.values())
    with pytest.raises(InputError, match="not stale"):
        again.keep()


# Blind


def test_blind_hides_until_the_verdict_is_given(root: Path):
    session = small_session(root, blind=True)
    session.go(case_of(session, "P. Durazzo"))
    shown = "\n".join(line.plain for line in drawn(session.evidence(), 100))
    assert "P. Durazzo" in shown
    assert not any(word in shown for word in ("similarity", "beta", "naive", "same", "0.78"))
    entry = session.give("same")
    assert entry.blind
    shown = "\n".join(line.plain for line in drawn(session.evidence(), 100))
    assert "similarity" in shown
    assert "beta" in shown


def test_blind_a_verdict_takes_no_pointer_from_the_hidden_proposal(root: Path):
    session = small_session(root, blind=True)
    case = next(case for case in session.cases.values() if case.suggestion == "duplicate")
    session.go(case.id)
    with pytest.raises(InputError, match="points to the model row it repeats, not to nothing"):
        session.give("duplicate")
    assert not session.decisions.entries
    assert session.give("unsure").blind
    # The verdict given, the proposal is shown, and counts.
    assert session.give("duplicate").targets == case.targets


# Consequences


def test_a_verdict_given_while_consequences_are_worked_out_keeps_its_mark(session: Session):
    first, second = [case.id for case in session.cases.values() if case.page == "1" and case.status == "open"][:2]
    session.go(first)
    session.give("unsure")
    session.settle(0.0)
    assert session.unsettled, "there must be work left for this test to test anything"
    session.go(second)
    session.give("unsure")
    while session.unsettled:
        session.settle(0.0)
        assert session.cases[second].status == "decided"
    assert session.cases[first].status == session.cases[second].status == "decided"


def test_settled_in_slices_or_at_once_the_result_is_the_same(root: Path, tmp_path: Path):
    copy = tmp_path / "copy"
    shutil.copytree(root, copy)
    slices, once = small_session(root), small_session(copy)
    for session in (slices, once):
        for text in ("Isaac Bayron", "P. Durazzo", "Anna e Bruno Serri ~"):
            session.go(case_of(session, text))
            session.give("different" if text != "P. Durazzo" else "same")
    while slices.unsettled:
        slices.settle(0.0)
    once.settle()
    assert slices.order == once.order
    assert [(case.id, case.status) for case in slices.cases.values()] == [(case.id, case.status) for case in once.cases.values()]


def comparable(case) -> tuple[object, ...]:
    return (case.queue, case.page, case.title, case.suggestion, case.occurrences, case.leverage, case.targets, case.status, case.note)


class Sitting(RuleBasedStateMachine):
    """Random acts; after each, what is kept as it goes must equal what is worked out anew."""

    template: Path
    at: int = 0

    @initialize()
    def open(self) -> None:
        type(self).at += 1
        self.root = self.template.parent / f"sitting-{self.at}"
        shutil.copytree(self.template, self.root)
        self.session = small_session(self.root)
        self.session.log = log_of(self.root)

    @rule(by=st.integers(-3, 3))
    def move(self, by: int) -> None:
        self.session.move(by)

    @rule()
    def next_open(self) -> None:
        self.session.next_open()

    @rule()
    def back(self) -> None:
        self.session.back()

    @rule(queue=st.sampled_from([ALL, "borderline", "unmatched", "surplus", "conflicts", "stale"]))
    def open_queue(self, queue: str) -> None:
        self.session.open_queue(queue)

    @rule(text=st.sampled_from(["", "page:1", "status:open", "-anna", "similarity>=0.7", "times>2"]))
    def filter(self, text: str) -> None:
        self.session.open_queue(self.session.queue, parse_filter(text))

    @precondition(lambda self: self.session.candidates())
    @rule(number=st.integers(1, 3))
    def pick(self, number: int) -> None:
        self.session.pick(number)

    @rule(
        verdict=st.sampled_from(["same", "different", "unsure", "duplicate", "merge", "fragment", "misread", "invention"]),
        one=st.booleans(),
    )
    def give(self, verdict: str, one: bool) -> None:
        case = self.session.current
        run = case.occurrences[0].run if one and case is not None and case.occurrences else None
        size = len(self.session.decisions.entries)
        try:
            self.session.give(verdict, run=run)
        except InputError:
            assert len(self.session.decisions.entries) == size
        else:
            assert len(self.session.decisions.entries) == size + 1

    @rule()
    def undo(self) -> None:
        self.session.undo()

    @rule()
    def a_slice(self) -> None:
        self.session.settle(0.0)

    @rule()
    def settle(self) -> None:
        self.session.settle()
        self.as_worked_out_anew()

    @invariant()
    def counts_are_a_recount(self) -> None:
        session = self.session
        for queue in (ALL, *session.task.queues):
            wanted = {"conflicts": "conflict", "stale": "stale"}.get(queue)
            inside = [case for case in session.cases.values() if queue in (ALL, case.queue) or case.status == wanted]
            counted = Counter(case.status for case in inside)
            progress = session.progress(queue)
            assert (progress.open, progress.decided, progress.stale, progress.conflict) == tuple(
                counted[status] for status in ("open", "decided", "stale", "conflict")
            )

    @invariant()
    def what_a_queue_lists_is_kept_as_it_is(self) -> None:
        session = self.session
        for queue, kept in session._listings.items():
            wanted = {"conflicts": "conflict", "stale": "stale"}.get(queue)
            listed = [case for case in session._ranked if queue in (ALL, session.cases[case].queue) or session.cases[case].status == wanted]
            assert kept.order == listed
            assert list(kept.positions) == listed

    @invariant()
    def the_cursor_is_a_listed_case(self) -> None:
        session = self.session
        assert len(set(session.order)) == len(session.order)
        assert all(case in session.cases for case in session.order)
        if session.order:
            assert session.order[session.position] == session.cursor
        else:
            assert session.cursor is None

    def as_worked_out_anew(self) -> None:
        """Scores and cases are those of a fresh evaluation under the decisions of the log on disk."""
        session = self.session
        decisions = require_sound(read_log(self.root / "adjudications")).decisions()
        assert decisions.entries == session.decisions.entries
        assert decisions.fingerprint == session.decisions.fingerprint
        automatic = session.evaluation.as_scored
        fresh = session.task.evaluate(automatic.material, decisions, automatic=automatic)
        assert dict(session.evaluation.pages) == dict(fresh.pages)
        cases = {case.id: case for case in finished(session.task.gathering(fresh))}
        assert {case.id: comparable(case) for case in session.cases.values()} == {case.id: comparable(case) for case in cases.values()}

    def teardown(self) -> None:
        if hasattr(self, "root"):
            self.settle()
            shutil.rmtree(self.root)


def test_random_sittings(tmp_path: Path):
    class Here(Sitting):
        template = small_workspace(tmp_path)

    Here.TestCase.settings = settings(max_examples=12, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck))
    Here.TestCase().runTest()


def test_verdicts_given_while_another_sitting_was_made_ready_count_in_it(session: Session, root: Path):
    session.give("unsure")
    fresh = small_session(root)
    known = session.decisions.greatest_id
    later = case_of(session, "P. Durazzo")
    session.go(later)
    session.give("different")
    assert fresh.cases[later].status == "open"
    fresh.take_in(entry for entry in session.decisions.entries if entry.id > known)
    fresh.settle()
    session.settle()
    assert fresh.decisions.fingerprint == session.decisions.fingerprint
    assert {case.id: case.status for case in fresh.cases.values()} == {case.id: case.status for case in session.cases.values()}


# A list and its order


def test_new_cases_stand_by_leverage_in_every_queue(session: Session):
    """A case that a verdict brings up stands where its leverage puts it, after reopening the queue too."""
    session.open_queue(ALL)
    some = next(iter(session.cases.values()))
    new = replace(some, id="t-00000000", leverage=session.cases[session.order[3]].leverage, page="1", status="open")
    finished(session._replacing(["1"], [*(case for case in session.cases.values() if case.page == "1"), new]))
    at = session.order.index("t-00000000")
    leverages = [session.cases[case].leverage for case in session.order]
    assert leverages == sorted(leverages, reverse=True)
    session.open_queue(some.queue)
    session.open_queue(ALL)
    assert session.order.index("t-00000000") == at


def test_the_log_of_the_sitting_is_the_verifiers(root: Path):
    assert isinstance(small_session(root).log, Log)
    assert small_session(root, None).verifier is None
    assert Decisions.of(()).entries == ()


def test_an_edit_of_a_database_is_not_taken_back_here(session: Session):
    given = session.give("unsure")
    edit = LogEntry(
        id=new_id(given.id), at=given.at, verifier=VERIFIER, task="records", case="d-1", verdict="edit", basis={"database": "a-database"}
    )
    session.log.append_many((edit,))  # type: ignore[union-attr]
    session.take_in((edit,))
    with pytest.raises(InputError, match=r"edit of a database.*adjudicate records undo"):
        session.undo(edit.id)
    assert [one.id for one in session.undo()] == [given.id]
    assert session.decisions.is_live(edit)
    assert session.undo() == ()
