"""Acts that are more than one key: batches, undo of what was kept or revisited, picks that outlive a reload, going to a page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from scoring.adjudication.log.write import read_log
from scoring.foundations.problems import InputError
from tests.tui.small import VERIFIER, small_session, small_workspace
from tui.app import Workbench, make_app
from tui.bench.position.saved_position import keep_place
from tui.bench.session import Session
from tui.bench.verdict_text import undone_in_words

Act = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    for name in ("NO_COLOR", "ADJUDICATE_THEME", "ADJUDICATE_VERIFIER"):
        monkeypatch.delenv(name, raising=False)


def drive(app: Workbench, act: Act, size: tuple[int, int] = (120, 40)) -> str:
    """Run the app headless, act, and give what the screen shows at the end."""

    async def run() -> str:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await act(pilot)
            await pilot.pause()
            return shown(app)

    return asyncio.run(run())


def shown(app: Workbench) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips(app.size))


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


def stale(root: Path) -> Session:
    """A sitting whose one verdict is stale, with the cursor on it."""
    session = small_session(root)
    session.go(next(case.id for case in session.cases.values() if "P. Durazzo" in case.title))
    session.give("same", note="the same hand")
    page = root / "gt" / "gt_page_2.csv"
    page.write_text(page.read_text("utf-8").replace("Pietro Durazzo", "Paolo Durazzo"), "utf-8")
    again = small_session(root)
    again.open_queue("stale")
    assert again.progress("stale").stale == 1
    return again


# Batches


def test_a_batch_is_listed_confirmed_written_and_taken_back_as_one(root: Path):
    app = make_app(small_session(root), root, start="review")
    seen: list[str] = []

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "t", *"hand", "enter", "M", "M", "B")
        seen.append(shown(app))
        await press(pilot, "3")
        seen.append(shown(app))
        assert not (root / "adjudications").exists(), "nothing is written before the y"
        await press(pilot, "y", "u", "z", "z")

    end = drive(app, act)
    assert "choice ⏎ take esc leave" in seen[0]
    assert "unsure for these 2 cases, an entry each? (0 left out)" in seen[1]
    entries = read_log(root / "adjudications").entries
    first, second, alone, *undone = entries
    assert first.batch == second.batch is not None
    assert (first.verdict, first.note, second.note) == ("unsure", "hand", "hand")
    assert (alone.verdict, alone.note, alone.batch) == ("unsure", None, None), "the note ends with the batch"
    assert [entry.retracts for entry in undone] == [alone.id, first.id, second.id]
    assert "and the 1 other of its batch" in end


def test_a_batch_that_is_not_confirmed_writes_nothing(root: Path):
    app = make_app(small_session(root), root, start="review")

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "M", "M", "B", "3", "n")

    drive(app, act)
    assert not (root / "adjudications").exists()
    assert len(app.session.marked) == 2


# Keep and revisit are undone like any other act


@pytest.mark.parametrize("act", ["keep", "revisit"])
def test_undone_the_verdict_is_stale_again(act: str, root: Path):
    session = stale(root)
    said = session.current.basis["entry"]
    getattr(session, act)()
    session.settle()
    assert session.progress("stale").stale == 0
    undone = session.undo()
    assert "stale again" in undone_in_words(undone)
    session.settle()
    assert session.progress("stale").stale == 1
    assert session.decisions.is_live(said)
    assert session.undo()[0].id == said.id, "the next undo takes the verdict itself back"
    fresh = small_session(root)
    assert fresh.progress("stale").stale == 0
    assert fresh.undo() == ()


def test_the_command_undoes_a_revisit(root: Path, capsys: pytest.CaptureFixture[str]):
    from tui.cli import main

    session = stale(root)
    case = session.cursor
    for words in (("decide", case, "revisit"), ("undo",)):
        with pytest.raises(SystemExit) as ended:
            main(["-C", str(root), "--verifier", VERIFIER, *words])
        assert ended.value.code == 0
    assert f"stands again: the verdict taken back on {case}" in capsys.readouterr().out
    assert small_session(root).progress("stale").stale == 1


# Reloading


def test_a_pick_outlives_a_reload(root: Path):
    before = small_session(root)
    before.open_queue("borderline")
    row = before.candidates()[1]
    before.pick(2)
    after = small_session(root)
    after.open_queue("borderline")
    after.show_case(before.cursor)
    after.keep_pointing(before)
    assert after.picked == [row]
    after.go(after.order[1])
    after.keep_pointing(before)
    assert after.picked == [], "on another case nothing is picked"


def test_the_place_kept_is_no_part_of_a_repository(root: Path):
    keep_place(root, small_session(root))
    assert (root / ".adjudicate-cache" / ".gitignore").read_text("utf-8") == "*\n"


# Going to a page


def test_go_to_a_page_or_a_case(root: Path):
    app = make_app(small_session(root), root, start="review")

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "colon", *"10", "enter")

    drive(app, act)
    assert app.session.current.page == "10"
    assert app.session.case_or_page("Page 2").page == "2"
    other = app.session.order[-1]
    assert app.session.case_or_page(other).id == other
    with pytest.raises(InputError, match="no case `nowhere`"):
        app.session.case_or_page("nowhere")


# The number of times a case occurs


@pytest.mark.parametrize("status", ["open", "decided", "stale", "conflict"])
def test_the_number_of_times_is_whole_whatever_the_mark(status: str, root: Path):
    from rich.cells import cell_len

    session = small_session(root)
    case = session.current
    assert case is not None
    many = replace(case, status=status, occurrences=(case.occurrences * 23)[:23])
    session.cases[case.id] = many
    app = make_app(session, root, start="review")
    lines: list[str] = []

    async def act(pilot: Pilot[None]) -> None:
        line = app.screen._line(session.position, 46)
        assert cell_len(line.plain) == 46
        lines.append(line.plain)

    drive(app, act)
    assert lines[0].endswith(" ×23")


def test_consequences_that_come_due_on_the_way_out_are_left_alone(root: Path):
    app = make_app(small_session(root), root, start="review")

    async def act(pilot: Pilot[None]) -> None:
        await press(pilot, "n")

    drive(app, act)
    app.session.give("unsure")
    app._work()
    assert app.session.unsettled
