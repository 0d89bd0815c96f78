"""The screens in a blind sitting, and a ruling given on the screens."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from textual.pilot import Pilot

from scoring.adjudication.log.write import read_log
from tests.acceptance.test_acts import drive, press, shown
from tests.tui.small import VERIFIER, small_session, small_workspace
from tui.app import make_app
from tui.bench.hidden_repeats import APART
from tui.bench.session import Session
from tui.screens.agreement import agreement_blocks
from tui.widgets.drawing import drawn

PAIR = "P. Durazzo"
WAY_OUT = "hidden in a blind sitting: leave, and open again without --blind"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    for name in ("NO_COLOR", "ADJUDICATE_THEME", "ADJUDICATE_VERIFIER"):
        monkeypatch.delenv(name, raising=False)
    return small_workspace(tmp_path)


def named(session: Session, text: str) -> str:
    return next(case.id for case in session.cases.values() if text in case.title)


def conflict(root: Path) -> None:
    """Two verifiers at odds over one case."""
    for who, verdict in (("aa-one", "same"), ("bb-two", "different")):
        session = small_session(root, who)
        session.go(named(session, PAIR))
        session.give(verdict)


def at(root: Path, text: str, **options: object) -> Session:
    session = small_session(root, **options)  # type: ignore[arg-type]
    session.open_queue("all")
    session.go(named(session, text))
    return session


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_no_screen_of_a_blind_sitting_tells_what_is_hidden(size: tuple[int, int], root: Path):
    conflict(root)
    app = make_app(at(root, PAIR, blind=True), root, start="review")
    seen: dict[str, str] = {}

    async def act(pilot: Pilot[None]) -> None:
        seen["review"] = shown(app)
        await press(pilot, "l")
        seen["l"] = shown(app)
        for key, kind in (("R", "run"), ("S", "scores"), ("A", "agreement"), ("O", "overview")):
            await press(pilot, key)
            seen[kind] = shown(app)
        await press(pilot, "V", "s")
        seen["after"] = shown(app)

    drive(app, act, size)
    assert "⚡" not in seen["review"]
    assert "●" not in seen["review"]
    assert WAY_OUT in seen["l"]
    assert "ground truth" not in seen["l"].splitlines()[1], "the run is not opened"
    for kind, what in (("run", "The run is"), ("scores", "Scores are"), ("agreement", "Agreement is")):
        assert f"{what} {WAY_OUT}." in seen[kind]
    assert "1 in conflict" not in seen["overview"]
    assert "ruling" not in seen["overview"]
    for kind, text in seen.items():
        if kind != "after":
            assert not any(word in text for word in ("aa-one", "bb-two", "0.78")), kind
        if kind not in ("after", "overview"):
            assert "beta" not in text, kind
    assert "●" in seen["after"]
    entry = read_log(root / "adjudications").entries[-1]
    assert (entry.verifier, entry.blind, entry.resolves) == (VERIFIER, True, None)


def test_on_the_run_screen_of_a_blind_sitting_no_key_shows_it(root: Path):
    app = make_app(at(root, PAIR, blind=True), root, start="run")

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "right", "right_square_bracket", "right_curly_bracket", "j", "end", "enter")

    text = drive(app, act)
    assert "The run is hidden" in text
    assert "alfa" not in text


def test_a_repeat_is_not_announced(root: Path):
    session = small_session(root, blind=True)
    session.repeat_share = 0.0
    for count in range(APART + 3):
        if count:
            session.next_open()
        session.give("unsure")
        session.settle()
    session.repeat_share = 1.0
    app = make_app(session, root, start="review")
    seen: list[str] = []
    cursors: list[int] = []

    async def act(pilot: Pilot[None]) -> None:
        cursors.append(app.session.position)
        await press(pilot, "n")
        cursors.append(app.session.position)
        assert app.session.repeating == app.session.cursor
        seen.append(shown(app))
        await press(pilot, "u")
        seen.append(shown(app))

    drive(app, act)
    assert cursors[1] == cursors[0] + 1
    line = next(line for line in seen[0].splitlines() if f" {cursors[1] + 1}/" in line)
    assert "repeat" not in seen[0]
    assert f"{APART + 3} decided" in line
    assert "Earlier verdicts" not in seen[0]
    assert "similarity" not in seen[0]
    entry = read_log(root / "adjudications").entries[-1]
    assert (entry.repeat, entry.blind) == (True, True)
    assert "similarity" in seen[1], "after the verdict all is shown"


def test_a_reload_keeps_the_repeat_and_the_way_back(root: Path):
    session = small_session(root, blind=True)
    session.repeat_share = 0.0
    for count in range(APART + 2):
        if count:
            session.next_open()
        session.give("unsure")
        session.settle()
    session.repeat_share = 1.0
    before = session.cursor
    app = make_app(session, root, start="review")
    found: list[object] = []

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "n")
        again = app.session.repeating
        assert again is not None
        await press(pilot, "f5")
        end = time.monotonic() + 20
        while app.session is session and time.monotonic() < end:
            await pilot.pause(0.05)
        assert app.session is not session
        found.extend([again, app.session.repeating, app.session.cursor, "Earlier verdicts" in shown(app)])
        await press(pilot, "b")
        found.append(app.session.cursor)

    drive(app, act)
    again, kept, cursor, history, back = found
    assert (kept, cursor, history, back) == (again, again, False, before)


# Rulings


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_a_ruling_through_the_agreement_screen(size: tuple[int, int], root: Path):
    conflict(root)
    app = make_app(small_session(root), root, start="agreement")
    seen: list[str] = []

    async def act(pilot: Pilot[None]) -> None:
        seen.append(shown(app))
        await press(pilot, "enter")
        seen.append(shown(app))
        await press(pilot, "s")
        seen.append(shown(app))
        while app.session.unsettled:
            await pilot.pause(0.05)
        await press(pilot, "A")
        seen.append(shown(app))
        # What was begun is let come to its end.
        await app.workers.wait_for_complete([one for one in app.workers if one.group == "agreement"])

    drive(app, act, size)
    assert "conflicts: 1" in seen[0]
    assert "A ruling here settles 2 (aa-one: same, bb-two: different)." in seen[1]
    assert "a ruling: it settles 2 verdicts" in seen[2]
    assert "conflicts: 0" in seen[3]
    first, second, ruling = read_log(root / "adjudications").entries
    assert (ruling.verifier, ruling.verdict, ruling.resolves) == (VERIFIER, "same", (first.id, second.id))


def test_a_batch_says_which_verdicts_are_rulings(root: Path):
    conflict(root)
    app = make_app(at(root, PAIR), root, start="review")
    seen: list[str] = []

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "M", "B", "3")
        seen.append(shown(app))
        await press(pilot, "y")

    drive(app, act)
    assert "(a ruling: it settles 2)" in seen[0]
    assert len(read_log(root / "adjudications").entries[-1].resolves or ()) == 2


def test_agreement_with_oneself_is_shown_where_two_verifiers_have_met_nowhere():
    own = {"verifier": "mp", "repeats": 4, "agreed": 3, "percent": 75.0}
    text = "\n".join(line.plain for line in drawn(agreement_blocks({"kinds": [], "with_self": [own]}), 100))
    assert "No case has been judged by two verifiers yet." in text
    assert "75.0" in text
