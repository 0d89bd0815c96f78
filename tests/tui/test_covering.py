"""Verdicts that stand already, at hand: taken back from what is new, kept with a note, laid to rest, narrowed to one row."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.adjudication.decisions import Decisions, LogEntry
from scoring.adjudication.log.write import read_log, require_sound
from scoring.foundations.problems import InputError
from tests.tui.cli_runner import Run
from tests.tui.small import small_session, small_workspace
from tests.tui.test_cli_review import ME, entries, first
from tests.tui.test_screens import drive, screen_text
from tests.tui.test_session import case_of, changed_rows
from tui.app import make_app
from tui.bench.session import Session

RULES = """## 2. Equivalences

| form | canonical | field | status | witness | note |
|---|---|---|---|---|---|
| durazzo | durazo | name | settled | P. Durazzo | |
"""


def said(root: Path) -> tuple[LogEntry, ...]:
    """The log's entries, of all verifiers."""
    return require_sound(read_log(root / "adjudications")).entries


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


def add_run(root: Path) -> None:
    """A run of beta more, which reads what its first did."""
    folder = root / "runs" / "beta" / "naive"
    answer = json.loads((folder / "run_01.json").read_text("utf-8"))
    (folder / "run_04.json").write_text(json.dumps({**answer, "run": 4}), "utf-8")


def judged_then_more(root: Path, verifier: str = "mp") -> Session:
    """A verdict on `P. Durazzo`, which two runs read; then a third run that reads so."""
    before = small_session(root, verifier)
    before.go(case_of(before, "P. Durazzo ~"))
    before.give("different", note="mind the r", certainty=3)
    add_run(root)
    session = small_session(root)
    session.show_case(case_of(session, "P. Durazzo ~"))
    return session


def test_a_verdict_taken_back_from_what_is_new_is_kept_without_it(root: Path):
    session = judged_then_more(root)
    session.uncover()
    page = root / "gt" / "gt_page_2.csv"
    page.write_text(page.read_text("utf-8").replace("Pietro Durazzo", "Pietre Durazzo"), "utf-8")
    session = small_session(root)
    session.open_queue("stale")
    session.keep()
    session.settle()
    assert runs_asked(session) == [("decided", ["run_01", "run_02"]), ("open", ["run_04"])]
    assert [case.status for case in session.cases.values() if case.status == "stale"] == []


def runs_asked(session: Session) -> list[tuple[str, list[str]]]:
    found = (case for case in session.cases.values() if case.title.startswith("P. Durazzo ~"))
    return sorted((case.status, [one.run.split("/")[-1] for one in case.occurrences]) for case in found)


def test_a_verdict_is_taken_back_from_the_new_and_undone(root: Path):
    session = judged_then_more(root)
    assert session.current.note.startswith("1 new since the verdict")
    text = json.dumps([str(block) for block in session.evidence()])
    assert "Occurs anew since the verdict, 1 times" in text
    assert "beta/naive/run_04" in text
    assert session.uncover() == "no longer covered: 1 new since the verdict; they are asked about again"
    session.settle()
    old = [run for run in ("run_01", "run_02", "run_03") if run in runs_asked(session)[0][1]]
    assert runs_asked(session) == [("decided", old), ("open", ["run_04"])]
    (first_entry, second) = said(root)
    assert (second.verdict, second.note, second.certainty, second.case) == ("different", "mind the r", 3, first_entry.case)
    with pytest.raises(InputError, match="is known to be new since"):
        session.uncover()
    assert len(session.undo()) == 1
    session.settle()
    assert runs_asked(session) == [("decided", [*old, "run_04"])]


def test_anothers_verdict_is_not_taken_back(root: Path):
    session = judged_then_more(root, "xy")
    with pytest.raises(InputError, match="xy's verdict covers them"):
        session.uncover()


def test_the_command_line_lists_the_new_and_takes_back(adjudicate: Run, register: Path):
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "durazzo")
    assert adjudicate("-C", register, *ME, "decide", case["id"], "different").code == 0
    assert adjudicate("-C", register, "next", "--filter", "new:yes").out == ""
    add_run(register)
    found = first(adjudicate, register, "--filter", "new:yes")
    assert (found["id"], found["note"]) == (case["id"], "1 new since the verdict")
    refused = adjudicate("-C", register, *ME, "decide", case["id"], "uncover", "--certainty", "3")
    assert (refused.code, "has no certainty" in refused.err) == (2, True)
    done = adjudicate("-C", register, *ME, "decide", case["id"], "uncover", "--note", "look again")
    assert (done.code, done.out.splitlines()[0]) == (
        0,
        f"{case['id']}: no longer covered: 1 new since the verdict; they are asked about again.",
    )
    assert [(entry["verdict"], entry["note"]) for entry in entries(register)] == [("different", None), ("different", "look again")]
    left = first(adjudicate, register, "--queue", "borderline", "--filter", "durazzo")
    assert left["id"] != case["id"]
    assert ([one["run"] for one in left["occurrences"]], left["status"]) == (["beta/naive/run_04"], "open")


def test_undo_says_that_all_are_covered_again(adjudicate: Run, register: Path):
    session = judged_then_more(register)
    session.uncover()
    done = adjudicate("-C", register, *ME, "undo")
    assert done.out.startswith("covers the new occurrences as before: different -> gt:2:4 on")
    assert first(adjudicate, register, "--filter", "new:yes")["note"].startswith("1 new")


def test_one_key_takes_a_verdict_back_from_the_new(root: Path):
    session = judged_then_more(root)

    async def act(pilot) -> None:
        assert "1 new since the verdict" in screen_text(pilot.app)
        assert "N not the new" in screen_text(pilot.app)
        await pilot.press("N")
        await pilot.pause(0.5)

    drawn = drive(make_app(session, root, start="review"), act, (120, 40))
    assert "no longer covered: 1 new since the verdict" in drawn
    assert "N not the new" not in drawn
    assert "not of the new" in session.history_lines(session.current)[-1]
    assert ("open", ["run_04"]) in runs_asked(session)


def test_the_row_shown_is_the_row_judged(root: Path):
    path = root / "runs" / "beta" / "naive" / "run_01.json"
    document = json.loads(path.read_text("utf-8"))
    document["pages"]["2"]["entries"] += [{"name": "Qqqqxx", "title": None, "arrival_date": "x"}] * 3
    path.write_text(json.dumps(document), "utf-8")
    session = small_session(root)
    session.show_case(case_of(session, "Qqqqxx"))
    assert [one.targets for one in session.current.occurrences] == [
        ("model:beta/naive/run_01:2:6",),
        ("model:beta/naive/run_01:2:7",),
    ]

    async def act(pilot) -> None:
        await pilot.press("right", "w", "i")
        await pilot.pause(0.3)

    drive(make_app(session, root, start="review"), act, (120, 40))
    (entry,) = said(root)
    assert (entry.verdict, entry.scope, entry.basis["subject"], entry.basis["nth"]) == (
        "invention",
        "row",
        "model:beta/naive/run_01:2:7",
        2,
    )


def test_a_verdict_kept_takes_the_note_and_certainty_given(adjudicate: Run, register: Path):
    session = small_session(register)
    session.go(case_of(session, "P. Durazzo"))
    session.give("same", note="old", certainty=2)
    changed_rows(register)
    stale = first(adjudicate, register, "--queue", "stale")
    done = adjudicate("-C", register, *ME, "decide", stale["id"], "keep", "--note", "new", "--certainty", "5")
    assert done.code == 0
    assert [(entry["verdict"], entry["note"], entry["certainty"]) for entry in entries(register)] == [
        ("same", "old", 2),
        ("same", "new", 5),
        ("retract", None, None),
    ]


def test_a_note_typed_before_a_stale_verdict_is_kept_goes_with_it(root: Path):
    session = small_session(root)
    session.go(case_of(session, "P. Durazzo"))
    session.give("same", note="old")
    changed_rows(root)
    again = small_session(root)
    again.open_queue("stale")

    async def act(pilot) -> None:
        await pilot.press("c", "c", "K")
        await pilot.pause(0.3)

    drive(make_app(again, root, start="review"), act, (120, 40))
    assert [(entry.verdict, entry.note, entry.certainty) for entry in said(root)][:2] == [("same", "old", None), ("same", "old", 2)]


def test_anothers_stale_verdict_is_laid_to_rest(root: Path):
    session = small_session(root, "xy")
    session.go(case_of(session, "P. Durazzo"))
    session.give("same")
    changed_rows(root)
    again = small_session(root)
    again.open_queue("stale")
    assert again.revisit() == "laid to rest: xy's same; the rows are asked about again"
    again.settle()
    assert (again.progress("stale").stale, again.progress("all").conflict) == (0, 0)
    last = small_session(root)
    assert last.progress("stale").stale == 0
    assert not any(case.status == "decided" for case in last.cases.values())
    assert not Decisions.of(said(root)).conflicts
    # Undone, it is stale again.
    assert [entry.verdict for entry in last.undo()] == ["revisit"]
    last.settle()
    assert last.progress("stale").stale == 1


def test_earlier_verdicts_are_shown_when_a_rule_has_changed_the_reading(root: Path):
    session = small_session(root)
    session.go(case_of(session, "P. Durazzo ~"))
    entry = session.give("different")
    (root / "EQUIVALENCES.md").write_text(RULES, "utf-8")
    again = small_session(root)
    case = again.cases[case_of(again, "P. Durazzo ~")]
    assert case.id != entry.case
    assert "judged under other rules" in case.note
    assert again.history(case) == (entry,)
    again.go(case.id)
    later = again.give("unsure")
    assert again.history(case) == (entry, later)
    blind = small_session(root, blind=True)
    assert not blind.hides(blind.cases[case.id])


def test_a_verdict_of_another_kind_is_no_ruling(root: Path):
    for verifier, value in (("aa", "Paolo Durazzo"), ("bb", "Piero Durazzo")):
        session = small_session(root, verifier)
        session.go(case_of(session, "P. Durazzo ~"))
        session.give("gt-wrong", value=value)
    session = small_session(root)
    case = session.cases[case_of(session, "P. Durazzo ~")]
    assert (case.status, case.note) == ("conflict", "aa: gt-wrong -> GT 4 “Paolo Durazzo”, bb: gt-wrong -> GT 4 “Piero Durazzo”")
    session.go(case.id)
    assert session.give("same").resolves is None
    session.settle()
    assert session.cases[case.id].status == "conflict"
    assert any(pair.decided_by for score in session.evaluation.pages.values() for pair in score.pairs)
    session.go(case.id)
    assert len(session.give("gt-wrong", value="Paolo Durazzo").resolves) == 2
    session.settle()
    assert session.cases[case.id].status == "decided"
