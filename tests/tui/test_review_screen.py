"""What the Review screen shows of a case, and how it is pointed elsewhere: driven by keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image
from textual.pilot import Pilot
from textual.widgets import Static

from scoring.adjudication.log.write import read_log
from scoring.foundations.wording import row_in_words
from tests.tui.pilots import bench, drive, screen_text, typed_at_once, until
from tests.tui.small import small_session, small_workspace
from tests.tui.test_screens import rest
from tui.bench.verdict_text import standing_in_words
from tui.screens.dialogs import Pages
from tui.screens.review.row_chooser import RowChooser
from tui.screens.review.scan import ScanScreen, prepare_pictures
from tui.widgets.entry import SafeInput
from tui.widgets.lines import LineList, LineView
from tui.widgets.side_lines import LEGEND

pytestmark = pytest.mark.usefixtures("alone")

VERDICTS = (
    *("same", "different", "duplicate → row 6?", "merge → GT 2+6?", "fragment", "misread", "invention", "unsure"),
    "gt-*, equivalent: = until applied",
)
PAIR = "Israel Bayson di Verona ~ Israel Baysan"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


def at(app, title: str, queue: str = "borderline"):
    """The app with the case of that title under its cursor."""
    app.session.open_queue(queue)
    app.session.show_case(next(case.id for case in app.session.cases.values() if case.title == title and case.queue == queue))
    return app


def test_all_that_decides_a_case_is_seen_at_80_by_24_without_scrolling(root: Path):
    app = at(bench(root), PAIR)
    shown = drive(app, rest, (80, 24))
    grids = [line.target for line in app.session.evidence()[3].lines]  # type: ignore[union-attr]
    assert len(grids) == 9
    names = ("Is this row that record?", "GT 2 ", "Israel Baysan", "Israel Bayson di Verona")
    for part in (*names, "similarity 0.667", "runner-up", "edits"):
        assert part in shown, part
    lines = shown.splitlines()
    first = next(number for number, line in enumerate(lines) if "Claimants" in line)
    assert [line.strip()[0] for line in lines[first + 1 : first + 10]] == list("123456789")
    effects = " ".join(lines[first : first + 12])
    for verdict in VERDICTS:
        assert verdict in effects, verdict


def test_all_effects_are_seen_as_a_table_at_120_by_40(root: Path):
    shown = drive(at(bench(root), PAIR), rest)
    assert "verdict" in shown
    for verdict in ("now", *VERDICTS):
        assert verdict in shown, verdict


def test_after_a_digit_names_reasons_and_effects_follow_and_the_verdict_goes_there(root: Path):
    app = at(bench(root), PAIR)
    row = app.session.candidates()[1]
    number = row.rsplit(":", 1)[1]
    case = app.session.current

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("2")
        await rest(pilot)
        shown = screen_text(app)
        assert f"GT {number}, picked" in shown
        assert "Why, of the row picked" in shown
        assert f"points to {row_in_words(row)}" in shown
        await pilot.press("2")
        await rest(pilot)
        assert "picked" not in screen_text(app)
        await pilot.press("2", "x")

    drive(app, act)
    (entry,) = read_log(root / "adjudications").entries
    assert entry.targets == (row,)
    assert entry.case != case.id, "it is said of the case of that pair"


def test_any_row_of_the_page_can_be_pointed_to_by_typing_a_part_of_its_name(root: Path):
    app = at(bench(root), PAIR)
    claimants = app.session.candidates()

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("0")
        await pilot.pause()
        assert isinstance(app.screen, RowChooser)
        listed = app.screen.query_one(LineList)
        assert listed._count == 6 + 6, "all GT rows, and the rows of the run that have a name, but the one judged"
        await pilot.press(*"mario")
        await pilot.pause()
        assert "GT   6  Mario Bassa" in screen_text(app)
        assert listed._count == 1
        await pilot.press("enter")
        await rest(pilot)
        shown = screen_text(app)
        assert "GT 6, picked" in shown
        assert "points to GT 6" in shown
        await pilot.press("0", *"gt:1:6", "enter")
        await rest(pilot)
        assert app.session.picked == [], "chosen again, it is let go"
        await pilot.press("0", "escape")
        await pilot.pause()
        assert app.session.picked == []
        await pilot.press("0", *"mario", "enter")
        await rest(pilot)
        await pilot.press("x")

    drive(app, act)
    assert "gt:1:6" not in claimants[:5] or len(claimants) == 9
    (entry,) = read_log(root / "adjudications").entries
    assert entry.targets == ("gt:1:6",)


def test_keys_typed_behind_one_that_asks_for_text_are_typed_into_it(root: Path):
    app = at(bench(root), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        typed_at_once(app, "0gt:1:6\rx")
        await until(pilot, lambda: "1 decided" in screen_text(app))
        typed_at_once(app, "tsame dux\ru")
        await until(pilot, lambda: "2 decided" in screen_text(app))
        typed_at_once(app, "g11udx")
        await until(pilot, lambda: app.focused is not None and app.screen.query_one(SafeInput).value.endswith("udx"))
        typed_at_once(app, "s\ru")
        await until(pilot, lambda: len(read_log(root / "adjudications").entries) == 4)
        typed_at_once(app, "/status:open\r:surplus\r")
        await until(pilot, lambda: app.session.queue == "surplus")

    drive(app, act)
    pointed, noted, doubt, last = read_log(root / "adjudications").entries
    assert (pointed.verdict, pointed.targets) == ("different", ("gt:1:6",))
    assert (noted.verdict, noted.note) == ("unsure", "same dux")
    assert doubt.verdict == "gt-wrong"
    assert str(doubt.value).endswith("udxs")
    assert (last.verdict, last.note) == ("unsure", None)
    assert app.session.filter.text == "status:open"


def test_the_row_chooser_moves_and_finds_numbers(root: Path):
    app = at(bench(root), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("0", "down", "down", "up", "pagedown", "pageup", "down", "enter")
        await rest(pilot)
        assert app.session.picked == ["gt:1:2"]
        await pilot.press("0", "3", "space", "g", "t", "enter")
        await rest(pilot)
        assert app.session.picked == ["gt:1:2", "gt:1:3"]
        await pilot.press("0", *"zzzz", "enter")
        await pilot.pause()
        assert isinstance(app.screen, RowChooser), "there is nothing to take"
        await pilot.press("escape")

    drive(app, act)


def test_blind_the_rows_of_the_page_name_no_model(root: Path):
    app = at(bench(root, blind=True), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("0")
        await pilot.pause()
        shown = screen_text(app)
        assert "Mario Bassa" in shown
        assert "0." not in shown.split("Mario Bassa")[0].split("Israel Baysan")[-1]
        await pilot.press(*"alfa")
        await pilot.pause()
        assert app.screen.query_one(LineList)._count == 0, "a model's name finds nothing"
        await pilot.press(*(["backspace"] * 4), *"mario", "enter")
        await rest(pilot)
        shown = screen_text(app)
        assert "points to row 6" in shown
        assert "similarity" not in shown
        assert "alfa" not in shown

    drive(app, act)


# Occurrences


def test_after_stepping_to_another_run_the_digits_point_to_rows_of_that_run(root: Path):
    app = at(bench(root), PAIR)
    case = app.session.current
    number = next(n for n, row in enumerate(app.session.candidates(), 1) if row.startswith("model:"))

    async def act(pilot: Pilot[None]) -> None:
        for key, shown in (("right", 1), ("right", 2), ("left", 1), ("left", 0), ("left", len(case.occurrences) - 1)):
            await pilot.press(key)
            await pilot.pause()
            run = case.occurrences[shown].run
            assert f"occurrence {shown + 1} of {len(case.occurrences)}" in screen_text(app)
            assert f"{run} row 2" in screen_text(app)
            await pilot.press(str(number))
            await pilot.pause()
            (picked,) = app.session.picked
            assert picked.startswith(f"model:{run}:1:")
            assert f"points to {row_in_words(picked)}" in screen_text(app)

    drive(app, act)


# Characters


def test_characters_of_every_text_are_named_and_those_alike_pointed_out(root: Path):
    path = root / "runs" / "alfa" / "naive" / "run_01.json"
    answer = json.loads(path.read_text("utf-8"))
    answer["pages"]["1"]["entries"][1]["title"] = "C\u043ente"  # a Cyrillic o
    answer["pages"]["1"]["entries"][2]["name"] = "fig[liuo]lo Kontſ"
    path.write_text(json.dumps(answer), "utf-8")
    app = at(bench(root), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("apostrophe")
        await pilot.pause()
        assert isinstance(app.screen, Pages)
        lines = [line.plain for line in app.screen.query_one(LineView)._lines]
        assert lines[0] == "Invisible, combined or alike"
        alike = [line.strip() for line in lines[1 : lines.index("")]]
        assert any(
            line.startswith("\u043e  U+043E CYRILLIC SMALL LETTER O: Cyrillic, looks like Latin o  in Fields, model title")
            for line in alike
        )
        assert any(line.startswith("ſ  U+017F LATIN SMALL LETTER LONG S: long s, looks like f  in ") for line in alike)
        assert "     I  U+0049 LATIN CAPITAL LETTER I" in lines, "the names are spelt out"

    drive(app, act)


def test_where_nothing_is_alike_that_is_said(root: Path):
    app = bench(root)
    app.session.show_case(next(case.id for case in app.session.cases.values() if case.title.startswith("P. Durazzo")))

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("apostrophe")

    shown = drive(app, act)
    assert "Invisible, combined or alike" in shown
    assert "P  U+0050 LATIN CAPITAL LETTER P" in shown


# Scans


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were opened outside; pictures are not drawn here."""
    found: list[str] = []
    monkeypatch.setattr("tui.app.Workbench.open_url", lambda self, url, new_tab=True: found.append(url))
    monkeypatch.setattr("tui.screens.review.scan.ScanScreen.possible", staticmethod(lambda picture: False))
    return found


def scan(root: Path, **boxes: list[int]) -> Path:
    (root / "images").mkdir()
    path = root / "images" / "page_1.png"
    Image.new("L", (200, 300), 255).save(path)
    if boxes:
        (root / "images" / "page_1.json").write_text(json.dumps({name.removeprefix("row_"): box for name, box in boxes.items()}), "utf-8")
    return path


def opened_size(url: str) -> tuple[int, int]:
    with Image.open(url.removeprefix("file://")) as picture:
        return picture.size


def test_the_line_of_the_row_asked_about_is_opened_and_of_the_row_picked(root: Path, opened: list[str]):
    scan(root, row_2=[20, 60, 180, 84], row_6=[0, 0, 100, 10])
    app = at(bench(root), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("o")
        await pilot.pause()
        assert "-line.png outside" in screen_text(app)
        assert opened_size(opened[-1]) == (160, 24)
        await pilot.press("0", *"mario", "enter")
        await rest(pilot)
        await pilot.press("o")
        await pilot.pause()
        assert opened_size(opened[-1]) == (100, 10)

    drive(app, act)


def test_the_page_is_opened_where_no_box_is_given(root: Path, opened: list[str]):
    path = scan(root)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("o")

    assert "opened page_1.png outside" in drive(at(bench(root), PAIR), act)
    assert opened == [path.resolve().as_uri()]


@pytest.mark.parametrize("there", [False, True])
def test_a_scan_that_cannot_be_shown_is_a_sentence(there: bool, root: Path, opened: list[str], tmp_path: Path):
    if there:
        (root / "images").mkdir()
        (tmp_path / "outside.png").write_bytes(b"")
        (root / "images" / "page_1.png").symlink_to(tmp_path / "outside.png")

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("o")

    said = "this is a link out of the workspace" if there else "There is no scan of page 1: put one at images/page_1.png."
    assert said in drive(at(bench(root), PAIR), act)
    assert opened == []


def test_where_pictures_can_be_drawn_the_line_lies_over_the_screen(root: Path):
    pytest.importorskip("textual_image")
    scan(root, row_2=[20, 60, 180, 84])
    assert prepare_pictures()
    app = at(bench(root), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("o")
        await pilot.pause()
        assert isinstance(app.screen, ScanScreen)
        assert "page 1, row 2" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, ScanScreen)

    drive(app, act)
    assert not ScanScreen.possible(Path("page_1.pdf")), "a document is opened outside"


def test_escape_takes_the_pointers_back(root: Path):
    app = at(bench(root), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("1", "2")
        await rest(pilot)
        assert len(app.session.picked) == 2
        assert "(Escape: to none)" in screen_text(app)
        await pilot.press("w")
        await rest(pilot)
        assert "this run only" in screen_text(app)
        await pilot.press("escape")
        await rest(pilot)
        assert app.session.picked == []
        assert app.session.narrowed_to() is None
        assert "points to" not in screen_text(app)
        assert "this run only" not in screen_text(app)

    drive(app, act, (80, 24))


def test_a_refusal_too_long_for_its_line_is_said_in_full(root: Path):
    app = at(bench(root), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("d")
        await rest(pilot)
        (told,) = app._notifications
        assert "points to the model row it repeats, not to nothing" in told.message
        assert told.message.endswith("Point with a digit key, or with --to ROW.")

    drive(app, act, (80, 24))


# What was said


def asked(app) -> str:
    """The line of the question."""
    return str(app.screen.query_one("#asked", Static).render()).strip()


def status(app) -> str:
    """The line that says what was done."""
    return str(app.screen.query_one("#status", Static).render()).strip()


def test_a_decided_case_shows_what_was_said_of_it(root: Path):
    other = small_session(root, "bb")
    other.show_case(next(case.id for case in other.cases.values() if case.title == PAIR))
    other.give("gt-wrong", value="Israel Bayson")
    app = at(bench(root), PAIR)
    case = app.session.cursor

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("s")
        await pilot.pause()
        assert app.session.cursor != case
        await pilot.press("b")
        await rest(pilot)
        assert app.session.cursor == case
        assert asked(app) == "[you: same -> GT 2; bb: gt-wrong -> GT 2 “Israel Bayson”]  Is this row that record?"
        await pilot.press("z")
        await rest(pilot)
        assert "[you" not in asked(app)

    drive(app, act, (160, 40))


def test_two_who_say_the_same_are_shown_as_one_and_nobody_while_blind(root: Path):
    for verifier in ("aa", "bb"):
        other = small_session(root, verifier)
        other.show_case(next(case.id for case in other.cases.values() if case.title == PAIR))
        other.give("different")
    app = at(bench(root, verifier="aa"), PAIR)
    case = app.session.current
    assert case is not None
    assert standing_in_words(app.session, case) == "you, bb: different -> GT 2"
    blind = at(bench(root, verifier="third", blind=True), PAIR).session
    assert blind.current is not None
    assert standing_in_words(blind, blind.current) == ""


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (("s",), "same -> GT 2, in all 3 places"),
        (("w", "s"), "same -> GT 2, in alfa/naive/run_01 alone"),
        (("i",), "invention, in all 3 places"),
    ],
)
def test_a_verdict_is_told_in_words_with_its_reach(root: Path, keys: tuple[str, ...], said: str):
    app = at(bench(root), PAIR)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press(*keys)
        await pilot.pause()
        (entry,) = read_log(root / "adjudications").entries
        assert status(app) == f"{said}; z takes it back  {entry.id[:13]}"

    drive(app, act, (80, 24))


def test_same_on_a_missed_traveler_goes_on_to_the_next_place_it_is_missed_in(root: Path):
    app = at(bench(root), "Israel Baysan", "unmatched")
    case = app.session.current
    assert case is not None
    assert [one.run for one in case.occurrences] == [f"{model}/naive/run_0{n}" for model in ("alfa", "beta") for n in (1, 2, 3)]

    async def act(pilot: Pilot[None]) -> None:
        row = next(row for row in app.session.candidates() if row == "model:alfa/naive/run_01:1:2")
        await pilot.press(str(app.session.candidates().index(row) + 1), "s")
        await pilot.pause()
        (entry,) = read_log(root / "adjudications").entries
        assert entry.case != case.id
        assert status(app) == f"same -> GT 2, on the pair; 3 places left; z takes it back  {entry.id[:13]}"
        for _ in range(2):
            assert app.session.cursor == case.id
            assert app.session.current is not None
            assert [one.run for one in app.session.current.occurrences] == [f"beta/naive/run_0{n}" for n in (1, 2, 3)]
            app.session.settle()
        row = next(row for row in app.session.candidates() if row == "model:beta/naive/run_01:1:2")
        await pilot.press(str(app.session.candidates().index(row) + 1), "s")
        await pilot.pause()
        # Found everywhere, nothing is asked any more.
        assert app.session.cursor != case.id
        assert app.session.cases[case.id].status == "decided"
        app.session.settle()
        assert (app.session.cases[case.id].status, app.session.cases[case.id].note) == ("decided", "settled by another verdict")

    drive(app, act)


def test_different_on_a_candidate_of_a_missed_traveler_leaves_it_open_and_goes_on(root: Path):
    app = at(bench(root), "Israel Baysan", "unmatched")
    case = app.session.current
    assert case is not None

    async def act(pilot: Pilot[None]) -> None:
        row = next(row for row in app.session.candidates() if row == "model:alfa/naive/run_01:1:2")
        await pilot.press(str(app.session.candidates().index(row) + 1), "x")
        await pilot.pause()
        assert "different -> GT 2, on the pair; this case is as it was; z takes it back  " in status(app)
        assert app.session.cursor != case.id
        assert app.session.cases[case.id].status == "open"

    drive(app, act)


def test_undone_the_traveler_is_missed_in_all_places_again(root: Path):
    session = at(bench(root), "Israel Baysan", "unmatched").session
    case = session.current
    assert case is not None
    session.give("same", targets=("model:alfa/naive/run_01:1:2",))
    session.settle()
    assert len(session.cases[case.id].occurrences) == 3
    session.undo()
    session.settle()
    assert session.cases[case.id] == case


# The Run


def test_the_marks_of_the_run_are_told_at_its_foot_and_in_its_help(root: Path):
    app = bench(root, "run")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        assert LEGEND in screen_text(app)
        await pilot.press("question_mark")
        await pilot.pause()
        shown = " ".join(screen_text(app).split())
        assert "Marks of a line" in shown
        assert "= ~ ≠ · one a field: equal, partly, wrong, not scored" in shown

    drive(app, act, (80, 24))
