"""The palette and `:`: every act of every screen by its name, and queues, pages, cells, runs and cases as places to go."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from scoring.foundations.problems import InputError
from tests.tui.pilots import bench, drive, screen_text, wait_until
from tests.tui.small import small_session, small_workspace
from tui.keys.actions import SCREENS, of_screen
from tui.navigation.palette import ActionCommands, PlaceCommands
from tui.navigation.places import cases_like, find_place, places

pytestmark = pytest.mark.usefixtures("alone")
RUN = "alfa/naive/run_02"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


async def chosen(pilot: Pilot[None], text: str) -> None:
    """Open the palette, type, and take the first entry."""
    app = pilot.app
    await pilot.press("ctrl+p")
    await pilot.pause()
    assert isinstance(app.screen, CommandPalette)
    app.screen.query_one(Input).value = text
    await wait_until(pilot, lambda: isinstance(app.screen, CommandPalette) and listed(pilot)[:1] != [] and fits(listed(pilot)[0], text))
    await pilot.press("enter")
    await pilot.pause()
    if isinstance(app.screen, CommandPalette):
        await pilot.press("enter")
    await pilot.pause(0.3)
    assert not isinstance(app.screen, CommandPalette)


def listed(pilot: Pilot[None]) -> list[str]:
    """What the palette lists, first to last."""
    found = pilot.app.screen.query_one(OptionList)
    return [str(found.get_option_at_index(at).prompt) for at in range(found.option_count)]


def fits(name: str, text: str) -> bool:
    return text.casefold() in name.casefold()


# What it lists


def test_it_lists_every_act_of_the_screen_and_of_every_other_screen(root: Path):
    app = bench(root, "overview")
    found: dict[str, set[str]] = {}

    async def act(pilot: Pilot[None]) -> None:
        for screen in SCREENS:
            await app.switch_mode(screen)
            await pilot.pause()
            found[screen] = {hit.name for hit in ActionCommands(app.screen).entries()}

    drive(app, act)
    for screen in SCREENS:
        here = {action.id for action in of_screen(screen, "tables")}
        for other in SCREENS:
            for action in of_screen(other, "tables"):
                if other != screen and (action.id in here or action.group == "Pointing"):
                    continue
                start = action.label if other == screen else f"{other.capitalize()}: {action.label}"
                assert any(name.startswith(f"{start} (") for name in found[screen]), (screen, other, action.id)
    assert "Rules: draft (d)" in found["overview"]
    assert "same (s)" in found["review"]


def test_it_lists_queues_pages_cells_runs_and_cases_by_their_ids(root: Path):
    app = bench(root, "overview")
    case = app.session.order[0]
    found: list[str] = []

    async def act(pilot: Pilot[None]) -> None:
        provider = PlaceCommands(app.screen)
        found.extend(hit.name for hit in provider.entries())
        found.extend(hit.name for hit in provider.also(f"go to case {case[:6]}"))

    drive(app, act)
    names = ["queue borderline", "queue all", "page 10", "cell beta/naive", f"run {RUN}", f"case {case}"]
    assert [name for name in names if f"go to {name}" not in found] == []
    assert len([name for name in found if name.startswith("go to run ")]) == 6


def test_names_from_data_are_text_in_the_palette(root: Path):
    for path in (root / "runs").iterdir():
        if path.name == "beta":
            path.rename(path.with_name("[red]beta[bold]"))
    app = bench(root, "overview")

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("ctrl+p")
        await pilot.pause()
        app.screen.query_one(Input).value = "cell [red]"
        await wait_until(pilot, lambda: "go to cell [red]beta[bold]/naive" in screen_text(app))

    drive(app, act)


# What it does


@pytest.mark.parametrize(
    ("typed", "screen", "sees"),
    [
        ("go to queue surplus", "review", "surplus  1/"),
        ("go to run alfa/naive/run_02", "run", "alfa/naive/run_02  page 1"),
        ("go to cell beta/naive", "run", "beta/naive/run_01  page 1"),
        ("go to page 10", "review", " page 10 "),
        ("Scores (", "scores", "P "),
        ("Rules: draft", "rules", "d is `draft` here."),
        ("Review: same", "review", "s is `same` here."),
        ("Review: filter", "text", "Filter"),
    ],
)
def test_an_entry_goes_there_and_never_judges_what_was_not_seen(typed: str, screen: str, sees: str, root: Path):
    app = bench(root, "overview")

    async def act(pilot: Pilot[None]) -> None:
        await chosen(pilot, typed)
        await wait_until(pilot, lambda: app.screen.kind == screen)

    assert sees in drive(app, act) or any(sees in one.message for one in app._notifications)
    assert not (root / "adjudications").exists()


def test_an_entry_goes_to_a_case_by_its_id(root: Path):
    app = bench(root, "scores")
    case = app.session.order[5]

    async def act(pilot: Pilot[None]) -> None:
        await chosen(pilot, f"go to case {case}")
        await wait_until(pilot, lambda: app.screen.kind == "review")

    drive(app, act)
    assert app.session.cursor == case


def test_an_act_of_the_screen_is_done(root: Path):
    app = bench(root)

    async def act(pilot: Pilot[None]) -> None:
        await chosen(pilot, "mark (")

    drive(app, act)
    assert len(app.session.marked) == 1


def test_the_palette_opens_by_the_keys_of_the_registry_alone(root: Path):
    from tui.app import make_app

    app = make_app(small_session(root), root, start="review", keymap={"palette": "f4", "undo": "ctrl+p"})

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("u")
        await pilot.press("ctrl+p")
        await pilot.pause()
        assert "undone: unsure" in screen_text(app)
        await pilot.press("f4")
        await pilot.pause()
        assert isinstance(app.screen, CommandPalette)

    drive(app, act)


# `:`


@pytest.mark.parametrize("start", SCREENS)
def test_a_colon_goes_to_a_place_from_every_screen(start: str, root: Path):
    app = bench(root, start)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("colon")
        await pilot.pause()
        await pilot.press(*"run_03 10" if start == "run" else "alfa run_03 10", "enter")
        await pilot.pause(0.2)

    if start == "run":
        assert "`run_03` is in the names of 2 runs" in drive(app, act) + " ".join(one.message for one in app._notifications)
        return
    assert "alfa/naive/run_03  page 10" in drive(app, act)


def test_a_page_typed_on_a_run_is_that_page_of_the_run(root: Path):
    app = bench(root, "run")

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("right_square_bracket", "colon")
        await pilot.pause()
        await pilot.press(*"10", "enter")
        await pilot.pause(0.2)

    assert "alfa/naive/run_02  page 10" in drive(app, act)


def test_places_are_found_by_what_people_type(root: Path):
    session = small_session(root)
    case = session.order[3]

    def found(text: str, run: str | None = None) -> tuple[object, ...]:
        place = find_place(session, text, run=run)
        return place.screen, place.queue, place.case, place.run, place.page

    assert found("surplus") == found("queue surplus") == ("review", "surplus", None, None, None)
    assert found("2") == found("page 2") == found("Page: 2") == ("review", None, None, None, "2")
    assert found("2", RUN) == ("run", None, None, RUN, "2")
    assert found(RUN) == found(f"run {RUN}") == found("alfa 02") == ("run", None, None, RUN, None)
    assert found(f"{RUN} 10") == found(f"{RUN} page 10") == ("run", None, None, RUN, "10")
    assert found("beta/naive") == ("run", None, None, "beta/naive/run_01", None)
    assert found(case) == found(f"case {case}") == found(case[:7]) == ("review", None, case, None, None)
    with pytest.raises(InputError, match="is in the names of 3 runs"):
        find_place(session, "beta")
    with pytest.raises(InputError, match="there is no case, page, queue, cell or run `nowhere`"):
        find_place(session, "nowhere")
    with pytest.raises(InputError, match="no place was named"):
        find_place(session, "  ")
    assert cases_like(session, "") == []
    assert [place.case for place in cases_like(session, case)] == [case]


def test_a_task_without_runs_has_places_without_runs(register: Path):
    session = small_session(register)
    session.task = type("Bare", (), {"queues": session.task.queues, "name": "tables"})()  # type: ignore[assignment]
    assert {place.name.split()[0] for place in places(session)} == {"queue", "page"}
