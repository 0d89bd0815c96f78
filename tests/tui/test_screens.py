"""Every screen, driven by keys and fixed by a snapshot: 80x24 and 120x40, dark, light, without colour."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot

from scoring.adjudication.log.write import read_log
from scoring.foundations.wording import row_in_words
from tests.tui.pilots import Act, bench, drive, screen_text
from tests.tui.small import VERIFIER, small_session, small_workspace
from tui.app import Workbench, make_app
from tui.keys.actions import of_screen
from tui.screens.base import BenchScreen
from tui.screens.dialogs import Confirm
from tui.widgets.case_view import CaseView
from tui.widgets.lines import LineList, LineView

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}
HOSTILE = "Ros␛]0;owned␇so"
MARKS = "○●◌⚡*"
OPEN_ROW = """## 2. Equivalences

| form | canonical | field | status | witness | note |
|---|---|---|---|---|---|
| bayson | baysan | name | OPEN | Israel Bayson | |
"""
# What the screens ask of commands in processes of their own.
BEHIND = ("preview", "ways", "agreement", "rules", "rules-list", "rules-write")


pytestmark = pytest.mark.usefixtures("alone")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


async def nothing(_: Pilot[None]) -> None:
    """Only look."""


# Snapshots

PLACES: dict[str, tuple[str, tuple[str, ...]]] = {
    "overview": ("overview", ()),
    "review": ("review", ("tab",)),
    "review-hostile": ("review", ("tab", "tab", "tab", "j")),
    "review-picked": ("review", ("tab", "2", "c", "c", "w")),
    "review-scrolled": ("review", ("tab", "right_square_bracket")),
    "run": ("run", ()),
    "run-page-10": ("run", ("right", "right", "end")),
    "run-failed": ("run", ("right", "right", "right_curly_bracket")),
    "help": ("review", ("question_mark",)),
    "filter": ("review", ("slash",)),
    "truth": ("review", ("tab", "g")),
    "characters": ("review", ("tab", "tab", "tab", "j", "apostrophe")),
    "scores": ("scores", ()),
    "rules": ("rules", ()),
    "agreement": ("agreement", ()),
}
# Recorded once: what is drawn depends on the Unicode tables of the Python that draws it.
recorded = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the snapshots are recorded on Python 3.11, and compared there alone")


async def rest(pilot: Pilot[None]) -> None:
    """Until what is worked out while the keys rest stands on the screen."""
    app = pilot.app
    assert isinstance(app, Workbench)
    before, quiet = "", 0
    for _ in range(400):
        await pilot.pause(0.05)
        views = [view for screen in app.screen_stack for view in screen.query(CaseView)]
        resting = all(getattr(one, "resting", True) for one in (*views, *app.screen_stack))
        working = app.session.unsettled or not resting or any(one.group in BEHIND for one in app.workers)
        # Scroll bars and sizes follow a little later: at rest is what has looked the same for a while.
        before, seen = app.export_screenshot(), before
        quiet = 0 if working or seen != before else quiet + 1
        if quiet == 4:
            break
    else:
        pytest.fail("the screen did not come to rest")
    await pilot.pause()


@recorded
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("place", PLACES)
def test_screen(place: str, size: str, root: Path, snap_compare):
    start, keys = PLACES[place]
    assert snap_compare(bench(root, start), terminal_size=SIZES[size], run_before=rest_after(*keys))


def rest_after(*keys: str) -> Act:
    """Press the keys, at rest before the last of them (what it opens lies over the screen) and at the end."""

    async def act(pilot: Pilot[None]) -> None:
        await pilot.pause()
        await pilot.press(*keys[:-1])
        await rest(pilot)
        await pilot.press(*keys[-1:])
        await rest(pilot)

    return act


@recorded
@pytest.mark.parametrize("place", ["overview", "review", "run", "help"])
def test_screen_in_light(place: str, root: Path, snap_compare):
    start, keys = PLACES[place]
    assert snap_compare(bench(root, start), terminal_size=SIZES["120x40"], run_before=rest_after("T", *keys))


@recorded
@pytest.mark.parametrize("place", ["overview", "review", "run", "help"])
def test_screen_without_colour(place: str, root: Path, snap_compare, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    start, keys = PLACES[place]
    assert snap_compare(bench(root, start), terminal_size=SIZES["120x40"], run_before=rest_after(*keys))


@recorded
def test_screen_blind(root: Path, snap_compare):
    assert snap_compare(bench(root, blind=True), terminal_size=SIZES["120x40"], run_before=rest_after("tab"))


# What the keys do


def test_a_verdict_shows_as_written_and_the_next_case_comes_at_once(root: Path):
    app = bench(root)
    first = app.session.cursor

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("u")

    shown = drive(app, act)
    (entry,) = read_log(root / "adjudications").entries
    assert (entry.case, entry.verdict, entry.verifier) == (first, "unsure", VERIFIER)
    assert f"unsure -> {row_in_words(entry.targets[0])}, in all 6 places; z takes it back  {entry.id[:13]}" in shown
    assert app.session.cursor != first
    assert "16 open, 1 decided" in shown


def test_a_verdict_given_in_another_terminal_is_taken_in_also_from_oneself(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        await app._watch().wait()
        await pilot.press("u")
        await rest(pilot)
        await app._watch().wait()
        assert len(app.session.decisions.entries) == 1, "what was written here is no news"
        for verifier in (VERIFIER, "ab"):
            other = small_session(root, verifier)
            other.give("unsure")
            await app._watch().wait()
            assert app.session.decisions.entries[-1].verifier == verifier
            assert [one.message for one in app._notifications][-1] == f"1 verdict of {verifier} taken in"
        await rest(pilot)

    drive(app, act)
    assert len(app.session.decisions.entries) == 3


def test_a_rule_is_settled_after_its_preview_alone(root: Path):
    rules = root / "EQUIVALENCES.md"
    app = bench(root, "rules")

    async def act(pilot: Pilot[None]) -> None:
        for key in ("n", "y"):
            await rest(pilot)
            await pilot.press("s")
            for _ in range(400):
                await pilot.pause(0.05)
                if isinstance(app.screen, Confirm) and app.screen._compositor.render_strips(app.size):
                    break
            assert isinstance(app.screen, Confirm)
            assert "If switched on" in screen_text(app)
            assert "OPEN" in rules.read_text("utf-8")
            await pilot.press(key)
        await rest(pilot)

    rules.write_text(OPEN_ROW, "utf-8")
    drive(app, act)
    assert "| settled |" in rules.read_text("utf-8")


def test_undo_says_what_it_undoes_and_goes_there(root: Path):
    app = bench(root)
    first = app.session.cursor

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("u", "u", "z", "z")

    shown = drive(app, act)
    assert f"undone: unsure on {first}" in shown
    assert app.session.cursor == first
    assert "17 open, 0 decided" in shown


def test_an_impossible_verdict_is_a_sentence_on_the_screen(root: Path):
    app = bench(root)
    app.session.open_queue("surplus")
    before = app.session.cursor

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("m")

    shown = drive(app, act)
    assert "two or more" in shown or "merge" in shown.splitlines()[-4] or "merge" in "\n".join(shown.splitlines()[-6:])
    assert app.session.cursor == before
    assert not (root / "adjudications").exists()


def test_enter_goes_from_the_overview_to_a_queue_and_from_a_line_of_a_run_to_its_case(root: Path):
    app = bench(root, "overview")

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("down", "enter")
        await pilot.pause()
        assert app.session.queue == "unmatched"
        # The run stands on the row the case speaks of, and Enter opens what is asked about that row.
        assert app.session.current.title == "Israel Baysan"
        await pilot.press("l")
        await pilot.pause()
        assert "alfa/naive/run_01  page 1" in screen_text(app)
        assert app.screen.query_one("#lines", LineList).position == 1
        await pilot.press("enter")
        await pilot.pause()
        assert app.session.current.title == "Israel Bayson di Verona ~ Israel Baysan"

    assert "Claimants" in drive(app, act)


def test_note_certainty_and_row_go_with_the_next_verdict_alone(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("tab", "t")
        await pilot.pause()
        await pilot.press(*"[b]", "enter")
        await pilot.pause()
        await pilot.press("c", "c", "c", "w", "x")
        await pilot.pause()
        await pilot.press("u")

    drive(app, act)
    first, second = read_log(root / "adjudications").entries
    assert (first.note, first.certainty, first.scope) == ("[b]", 3, "row")
    assert (second.note, second.certainty, second.scope) == (None, None, "reading")


def test_escape_leaves_a_dialog_and_nothing_is_done(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        for key in ("t", "slash", "colon", "g", "question_mark"):
            await pilot.press(key)
            await pilot.pause()
            assert not isinstance(app.screen, BenchScreen)
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(app.screen, BenchScreen)

    drive(app, act)
    assert not (root / "adjudications").exists()


def test_a_filter_that_is_none_is_a_sentence(root: Path):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("slash")
        await pilot.pause()
        await pilot.press(*"similarity>=x", "enter")

    assert "is no number" in drive(bench(root), act)


def test_the_cursor_line_is_in_view_after_a_leap_and_after_a_resize(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("end")
        for size in ((80, 24), (40, 10), (120, 40)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            queue = app.screen.query_one("#list", LineList)
            if queue.size.height:
                assert queue.scroll_offset.y <= queue.position < queue.scroll_offset.y + queue.size.height

    drive(app, act)


def test_all_of_a_long_case_can_be_scrolled_to(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        for _ in range(12):
            await pilot.press("right_square_bracket")

    assert re.search(r"Occurs \d+ times", drive(app, act, (80, 24)))


@pytest.mark.parametrize("start", ["overview", "review", "run", "scores", "rules", "agreement"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10)])
def test_every_screen_shows_no_raw_character_and_keeps_its_width(start: str, size: tuple[int, int], root: Path):
    shown = drive(bench(root, start), rest, size)
    assert not set(shown) & set("\x1b\x00\x07\x9b\u202e\u200b\ufeff")
    assert all(len(line) <= size[0] * 3 for line in shown.splitlines())


def test_hostile_text_is_shown_as_it_is(root: Path):
    app = bench(root)
    case = next(case.id for case in app.session.cases.values() if "\x1b" in case.title)
    app.session.show_case(case)
    assert HOSTILE in drive(app, nothing)
    other = bench(root)
    other.session.show_case(next(case.id for case in other.session.cases.values() if "Invented" in case.title))
    assert "[bold red]Invented[/bold red]" in drive(other, nothing)


# State never by colour alone


def test_each_state_has_a_mark_of_its_own(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("home", "u")

    lines = drive(app, act).splitlines()
    assert any(line.startswith("●") for line in lines)
    assert any(line.startswith("○") for line in lines)


@pytest.mark.parametrize("start", ["review", "run", "overview"])
def test_without_colour_the_text_is_the_same(start: str, root: Path, monkeypatch: pytest.MonkeyPatch):
    """Everything that colour says is said by a letter or a sign besides: without colour no letter is missing."""
    coloured = drive(bench(root, start), rest)
    monkeypatch.setenv("NO_COLOR", "1")
    app = bench(root, start)
    assert drive(app, rest) == coloured


def test_without_colour_text_stands_out_from_its_ground(root: Path, monkeypatch: pytest.MonkeyPatch):
    """A Monochrome screen in dark and light: no text on its own colour, and at least the contrast of large print (3 to 1)."""
    monkeypatch.setenv("NO_COLOR", "1")
    app = bench(root)
    found: list[tuple[float, str]] = []

    def luminance(colour) -> float:
        parts = [one / 255 for one in (colour.red, colour.green, colour.blue)]
        linear = [one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    async def act(pilot: Pilot[None]) -> None:
        for _ in range(2):
            await pilot.press("tab")
            await pilot.pause()
            for strip in app.screen._compositor.render_strips(app.size):
                for segment in strip.apply_filter(app._filters[-1], app.screen.background_colors[1]):
                    style = segment.style
                    if not segment.text.strip() or style is None or style.color is None or style.bgcolor is None:
                        continue
                    if set(segment.text) <= set("│─▁▂▃▄▅▆▇█▔▊▎·╭╮╰╯ "):
                        continue
                    front, back = sorted((luminance(style.color.get_truecolor()), luminance(style.bgcolor.get_truecolor())))
                    found.append(((back + 0.05) / (front + 0.05), segment.text))
            await pilot.press("T")
            await pilot.pause()

    drive(app, act)
    assert len(found) > 50
    assert [one for one in found if one[0] < 3] == []


# Keys come from one registry


def test_every_action_of_a_screen_exists_and_is_in_the_help(root: Path):
    app = bench(root, "overview")
    missing: list[str] = []

    async def act(pilot: Pilot[None]) -> None:
        for mode in ("overview", "review", "run", "scores", "rules", "agreement"):
            await app.switch_mode(mode)
            await pilot.pause()
            offered = of_screen(mode, app.session.task.name)
            for action in offered:
                name = action.call.split("(")[0]
                where = app if name.startswith("app.") else app.screen
                method = f"action_{name.removeprefix('app.')}"
                if not (hasattr(where, method) or hasattr(app, method)):
                    missing.append(f"{mode}: {action.id}")
            await pilot.press("question_mark")
            await pilot.pause()
            lines = app.screen.query_one(LineView)._lines
            said = " ".join(" ".join(line.plain for line in lines).split())
            missing.extend(f"{mode} help: {action.id}" for action in offered if action.help not in said)
            await pilot.press("escape")
            await pilot.pause()

    drive(app, act)
    assert missing == []


def test_a_user_key_map_moves_an_action_and_its_footer(root: Path):
    app = make_app(small_session(root), root, start="review", keymap={"verdict.unsure": "ctrl+y"})

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+y")

    shown = drive(app, act)
    assert "^y unsure" in shown or "ctrl+y unsure" in shown
    assert [entry.verdict for entry in read_log(root / "adjudications").entries] == ["unsure"]
