"""Questions in front of a screen: answered by keys, by the mouse, and by double clicks on what lies behind them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from textual.pilot import Pilot

from scoring.adjudication.log.write import read_log
from tests.tui.pilots import bench, drive, place_on_screen, screen_text, wait_until
from tests.tui.small import command, environment, log_of, small_session, small_workspace
from tests.tui.terminal import Terminal
from tui.app import Workbench, make_app
from tui.environment.user_settings import read_user, remember

pytestmark = pytest.mark.usefixtures("alone")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


async def click(pilot: Pilot[None], text: str, times: int = 1) -> None:
    """Click where a text stands on the screen."""
    await pilot.click(offset=place_on_screen(pilot.app, text, last=True), times=times)
    await pilot.pause()


def verdicts(root: Path) -> list[str]:
    return [entry.verdict for entry in read_log(root / "adjudications").entries]


# By mouse


def test_a_choice_is_taken_by_a_click(root: Path):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("tab", "g")
        await pilot.pause()
        await click(pilot, "the ground truth reads what cannot be read")
        await click(pilot, " 1  name ")

    drive(bench(root), act)
    assert verdicts(root) == ["gt-illegible"]


def test_a_choice_is_taken_by_cursor_and_left_by_a_click(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("tab", "g")
        await pilot.pause()
        await click(pilot, "esc leave")
        assert app.screen.kind == "review"
        await pilot.press("g")
        await pilot.pause()
        await pilot.press("down", "enter")
        await pilot.pause()
        assert "Which value cannot be read?" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()

    drive(app, act)
    assert verdicts(root) == ["gt-illegible"]


def test_a_list_to_confirm_is_answered_by_clicks(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        for answer, written in (("n no", False), ("y yes", True)):
            await pilot.press("B")
            await pilot.pause()
            await click(pilot, " 3  unsure")
            assert app.screen.kind == "confirm"
            await click(pilot, answer)
            assert (root / "adjudications").exists() is written

    drive(app, act)
    assert set(verdicts(root)) == {"unsure"}


def test_a_line_of_text_is_taken_and_left_by_clicks(root: Path):
    async def act(pilot: Pilot[None]) -> None:
        for word, answer in (("left", "esc leave it"), ("taken", "⏎ take it")):
            await pilot.press("t")
            await pilot.pause()
            await pilot.press(*word)
            await click(pilot, answer)

    assert "note: taken" in drive(bench(root), act)


def test_what_is_read_is_closed_by_a_click(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await pilot.pause()
        await click(pilot, "esc close")
        assert app.screen.kind == "review"

    drive(app, act)


@pytest.mark.parametrize(
    ("start", "text", "then", "sees"),
    [
        ("overview", " surplus ", "review", "surplus  1/"),
        ("review", "Israel Bayson di Verona", "run", "alfa/naive/run_01  page 1"),
        ("run", "Mario Bassa", "review", "page 1"),
        ("scores", "alfa", "scores", "run_01"),
    ],
)
def test_a_double_click_opens(start: str, text: str, then: str, sees: str, root: Path):
    app = bench(root, start)

    async def act(pilot: Pilot[None]) -> None:
        column, row = next((line.index(text), row) for row, line in enumerate(screen_text(app).splitlines()) if text in line)
        await pilot.click(offset=(column, row))
        await pilot.pause()
        assert app.screen.kind == start, "one click opens nothing"
        await pilot.pause(0.6)
        await pilot.click(offset=(column, row), times=2)
        await pilot.pause()
        assert app.screen.kind == then

    assert sees in drive(app, act)


def test_a_double_click_on_a_conflict_opens_it(root: Path):
    first = small_session(root)
    case = next(case for case in first.cases.values() if case.queue == "borderline")
    for verifier, verdict in (("aa", "same"), ("bb", "different")):
        session = small_session(root, verifier)
        session.show_case(case.id)
        session.give(verdict)
    app = make_app(small_session(root), root, start="agreement")

    async def act(pilot: Pilot[None]) -> None:
        await pilot.click(offset=place_on_screen(app, "⚡"), times=2)
        await pilot.pause()
        assert app.screen.kind == "review"
        assert app.session.queue == "conflicts"

    drive(app, act)


def test_a_double_click_in_a_real_terminal(root: Path, tmp_path: Path):
    with Terminal(command(root), env=environment(tmp_path), size=(100, 30)) as terminal:
        terminal.wait_for("Next:")
        terminal.settle()
        row = next(row for row, line in enumerate(terminal.screen.lines) if line.startswith(" unmatched"))
        terminal.click(4, row)
        terminal.click(4, row)
        terminal.wait_for("unmatched  1/")


# Who is there


def named(root: Path, **options: object) -> Workbench:
    return make_app(small_session(root, None), root, start="overview", **options)  # type: ignore[arg-type]


def test_the_first_start_asks_who_is_there_and_keeps_the_name(root: Path, alone: Path):
    app = named(root, ask=True)

    async def act(pilot: Pilot[None]) -> None:
        assert "Who are you?" in screen_text(app)
        await pilot.press(*"no name", "enter")
        await pilot.pause()
        assert "cannot be a verifier" in screen_text(app)
        await pilot.press(*"ab", "enter")
        await wait_until(pilot, lambda: read_user().verifier == "ab")

    shown = drive(app, act)
    assert "verifier ab" in shown
    assert app.session.verifier == "ab"
    assert not list((root / "adjudications").glob("*")), "naming oneself writes no verdict"
    assert (alone / "user.toml").is_file()


def test_whoever_only_looks_around_is_asked_once_and_again_at_the_first_verdict(root: Path, tmp_path: Path):
    env = environment(tmp_path)
    with Terminal(command(root, verifier=None), env=env, size=(100, 30)) as terminal:
        terminal.wait_for("Who are you?")
        terminal.send("\x1b")
        terminal.wait_for(lambda screen: "Who are you?" not in screen.text)
        terminal.settle()
        terminal.send("q")
        assert terminal.wait() == 0
    assert (tmp_path / "config" / "user.toml").read_text("utf-8") == 'verifier = ""\n'
    with Terminal(command(root, verifier=None), env=env, size=(100, 30)) as terminal:
        terminal.wait_for("not named yet")
        terminal.settle(0.5)
        assert "Who are you?" not in terminal.screen.text
        terminal.send("Vu")
        terminal.wait_for("Who are you?")
        terminal.send("ab\r")
        terminal.wait_for("1 decided")
        terminal.settle()
    assert [entry.verifier for entry in read_log(root / "adjudications").entries] == ["ab"]


def test_a_pipe_is_asked_nothing(root: Path, adjudicate, alone: Path):
    done = adjudicate("-C", root, "review")
    assert done.code == 0
    assert "Who are you" not in done.out + done.err
    assert not (alone / "user.toml").exists()


# The theme


def test_the_theme_chosen_is_the_one_of_the_next_start(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("T")
        await wait_until(pilot, lambda: read_user().theme == "textual-light")

    drive(app, act)
    again = make_app(small_session(root), root, theme=read_user().theme)

    async def look(pilot: Pilot[None]) -> None:
        assert again.theme == "textual-light"

    drive(again, look)


def test_what_is_remembered_leaves_the_rest_and_follows_a_link(alone: Path, tmp_path: Path):
    kept = tmp_path / "dotfiles.toml"
    kept.write_text('# mine\n[keys]\nundo = "Z"\n', "utf-8")
    alone.mkdir()
    (alone / "user.toml").symlink_to(kept)
    remember(theme="nord")
    assert (alone / "user.toml").is_symlink()
    assert tomllib.loads(kept.read_text("utf-8")) == {"theme": "nord", "keys": {"undo": "Z"}}
    assert "# mine" in kept.read_text("utf-8")
    (alone / "user.toml").write_text("= broken", "utf-8")
    remember(theme="gruvbox")
    assert kept.read_text("utf-8") == "= broken", "what cannot be read is left alone"


def test_a_log_of_one_who_has_not_said_is_none(root: Path, alone: Path, adjudicate):
    alone.mkdir()
    (alone / "user.toml").write_text('verifier = ""\n', "utf-8")
    done = adjudicate("-C", root, "next")
    assert done.code == 0
    assert log_of(root).verifier == "mp"
