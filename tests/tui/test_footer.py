"""The foot of a screen: what can be done now, most needed first, and how many more acts the help lists."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from scoring.adjudication.log.write import read_log
from tests.tui.pilots import bench, drive, footer, place_on_screen
from tests.tui.small import small_session, small_workspace
from tui.app import make_app
from tui.bench.offered_actions import offered
from tui.keys.actions import SCREENS, of_screen
from tui.keys.user_keys import with_keymap
from tui.navigation.help_text import help_lines
from tui.widgets.keyline import entries_of, laid_out

pytestmark = pytest.mark.usefixtures("alone")
VERDICTS = ["same", "different", "unsure", "duplicate", "merge", "fragment", "misread", "invention", "GT doubt", "equivalent"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


def stale_session(root: Path):
    """A sitting whose one verdict is stale: the ground truth was mended since."""
    session = small_session(root)
    session.open_queue("borderline")
    session.show_case(next(case for case in session.order if "~ Israel Baysan" in session.cases[case].title))
    session.give("same")
    path = root / "gt" / "gt_page_1.csv"
    path.write_text(path.read_text("utf-8").replace("Israel Baysan", "Israele Baysan"), "utf-8")
    return small_session(root)


# How entries are laid out


def entry(label: str, call: str = "act"):
    return "k", label, call


def test_entries_fill_lines_in_order_and_the_last_counts_what_is_left():
    # Each takes its key, its label and two spaces: 8 cells.
    five = [*(entry(f"act {n}") for n in range(1, 5)), ("?", "help", "app.help")]
    assert laid_out(five, 39, 1) == [five]
    assert laid_out(five, 38, 1) == [[*five[:3], ("?", "1 more", "app.help")]]
    assert laid_out(five, 32, 1) == [[*five[:2], ("?", "2 more", "app.help")]]
    assert laid_out(five, 17, 2) == [five[:2], [five[2], ("?", "1 more", "app.help")]]
    assert laid_out(five, 24, 2) == [five[:3], five[3:]]
    assert laid_out(five, 9, 1) == [[("?", "4 more", "app.help")]]
    assert laid_out(five[:4], 16, 1) == [five[:2]], "a question has no help"


def test_digits_share_an_entry_until_one_is_given_another_key():
    picks = [action for action in of_screen("review", "tables") if action.id.startswith("pick.")]
    assert entries_of(picks, with_keymap({})) == [("1-9", "claimant", "")]
    assert entries_of(picks, with_keymap({"pick.2": "f7"})) == [("1-8", "claimant", ""), ("f7", "claimant 2", "pick(2)")]


# What is offered


def test_a_stale_case_offers_to_keep_and_to_revisit_first_and_no_verdict_that_it_does_not_allow(root: Path):
    session = stale_session(root)
    known = of_screen("review", "tables")
    session.open_queue("stale")
    first = [action.id for action in offered(known, session, "review")]
    assert first[:2] == ["keep", "revisit"]
    assert not [one for one in first if one.startswith("verdict.")]
    session.open_queue("borderline")
    session.show_case(next(case.id for case in session.cases.values() if case.status == "open"))
    first = [action.id for action in offered(known, session, "review")]
    assert first[:3] == ["verdict.same", "verdict.different", "verdict.unsure"]
    assert not {"keep", "revisit"} & set(first)


def test_an_empty_queue_offers_nothing_to_be_said_of_a_case(root: Path):
    session = small_session(root)
    session.open_queue("conflicts")
    assert session.current is None
    ids = {action.id for action in offered(of_screen("review", "tables"), session, "review")}
    assert not {one for one in ids if one.startswith(("verdict.", "pick."))} | {"note", "mark", "batch", "scan"} & ids
    assert {"queue_next", "filter", "jump", "undo", "help", "quit"} <= ids


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_keys_of_a_stale_case_are_on_the_screen_and_answer_to_a_click(size: tuple[int, int], root: Path):
    app = make_app(stale_session(root), root, start="review")
    app.session.open_queue("stale")

    async def act(pilot: Pilot[None]) -> None:
        assert footer(app)[0].startswith("K keep v revisit ")
        await pilot.click(offset=place_on_screen(app, "v revisit", last=True))
        await pilot.pause()

    drive(app, act, size)
    assert [entry.retracts is not None for entry in read_log(root / "adjudications").entries] == [False, True]


def test_the_foot_at_80_columns_has_every_verdict_and_counts_the_rest(root: Path):
    app = bench(root)
    app.session.open_queue("borderline")
    found: list[str] = []

    async def act(pilot: Pilot[None]) -> None:
        found.extend(footer(app))
        await pilot.resize_terminal(80, 15)
        await pilot.pause()
        assert len(footer(app)) == 1
        assert footer(app)[0].endswith(" more")

    drive(app, act, (80, 24))
    assert len(found) == 2
    text = " ".join(found)
    assert [label for label in VERDICTS if label not in text] == []
    shown = laid_out(entries_of(offered_at(app), app.action_keys), 80, 2)
    more = len(entries_of(offered_at(app), app.action_keys)) - sum(map(len, shown))
    assert found[-1].endswith(f"? {more} more")
    assert more > 10


def offered_at(app):
    return offered(of_screen("review", "tables"), app.session, "review")


def test_a_wide_window_shows_every_act_of_most_screens_and_the_help_opens_by_a_click(root: Path):
    app = bench(root, "overview")

    async def act(pilot: Pilot[None]) -> None:
        for screen in SCREENS:
            await app.switch_mode(screen)
            await pilot.pause()
            text = " ".join(footer(app))
            missing = [action.id for action in of_screen(screen, "tables") if action.footer and f" {action.label} " not in f" {text} "]
            assert missing == ([] if " more" not in text else ["help"]), screen
        await pilot.click(offset=place_on_screen(app, "? help", last=True))
        await pilot.pause()
        assert app.screen.kind == "pages"

    drive(app, act, (160, 40))


def test_the_help_has_every_act_of_the_screen_and_of_the_questions_before_it():
    keys = with_keymap({})
    for screen in SCREENS:
        said = [line.plain for line in help_lines(screen, keys, "tables")]
        for action in (*of_screen(screen, "tables"), *of_screen("confirm"), *of_screen("text")):
            assert any(line.endswith(action.help) for line in said), (screen, action.id)
    assert "  y             Do what is listed." in said


def test_a_key_map_moves_what_a_question_answers_to_and_its_foot(root: Path):
    app = make_app(small_session(root), root, start="review", keymap={"confirm.yes": "n", "confirm.no": "y, escape", "choice.3": "f7"})
    seen: list[str] = []

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("home", "B")
        await pilot.pause()
        await pilot.press("f7")
        await pilot.pause()
        seen.append("n yes" if place_on_screen(app, "n yes y no", last=True) else "")
        await pilot.press("y")
        await pilot.pause()
        assert app.screen.kind == "review"
        assert not (root / "adjudications").exists()
        await pilot.press("B")
        await pilot.pause()
        await pilot.press("f7")
        await pilot.pause()
        await pilot.press("n")
        await pilot.pause()

    drive(app, act)
    assert seen == ["n yes"]
    assert {entry.verdict for entry in read_log(root / "adjudications").entries} == {"unsure"}
