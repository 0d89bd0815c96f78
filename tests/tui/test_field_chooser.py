"""The field is chosen on the screen: for a doubt about the ground truth, and for a rule of a field's two values."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from scoring.adjudication.cases import FieldValue
from scoring.adjudication.filters import parse_filter
from scoring.foundations.incremental import finished
from scoring.foundations.problems import InputError
from tests.tui.small import VERIFIER, small_session, small_workspace
from tests.tui.test_screens import Act
from tui.app import Workbench, make_app
from tui.bench.case_fields import values_of
from tui.screens.dialogs import AskText, Choose
from tui.screens.review.field_chooser import described

ROW = '"~ mario bassa" queue:borderline'


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    for name in ("NO_COLOR", "ADJUDICATE_THEME", "ADJUDICATE_VERIFIER", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The small workspace, in which both models read the arrival of the sixth row, and its title, otherwise than the ground truth."""
    folder = small_workspace(tmp_path)
    gt = folder / "gt" / "gt_page_1.csv"
    gt.write_text(gt.read_text("utf-8").replace("Mario Bassa,,May 6 1769", "Mario Bassa,Abate,Mai 6 1769"), "utf-8")
    return folder


def at(root: Path, wanted: str, queue: str = "all", **options: Any) -> Workbench:
    session = small_session(root, **options)
    session.open_queue(queue, parse_filter(wanted))
    assert session.current is not None
    return make_app(session, root, start="review")


def run(app: Workbench, act: Act) -> None:
    async def driven() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            await act(pilot)

    asyncio.run(driven())


def log(root: Path) -> list[dict[str, Any]]:
    path = root / "adjudications" / f"{VERIFIER}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def asked(app: Workbench) -> list[str]:
    """The choices offered."""
    assert isinstance(app.screen, Choose)
    return list(app.screen._choices)


def test_a_doubt_of_a_field_from_the_case_of_a_name(root: Path) -> None:
    app = at(root, ROW)
    case = app.session.cursor

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("g", "1")
        await pilot.pause()
        assert asked(app) == [
            "name          Mario Bassa   here: Maroirad Bassa",
            "title         Abate   here: (blank)",
            "arrival_date  Mai 6 1769   here and 2 of 2 models: May 6 1769",
        ]
        await pilot.press("3")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "May 6 1769"
        await pilot.press("backspace", "8", "enter")
        await pilot.pause()
        assert app.session.cursor == case
        assert app.session.cases[str(case)].status == "open"
        status = str(app.screen.query_one("#status", Static).render())
        assert status.startswith("gt-wrong of arrival_date -> GT 6; this case is as it was; z takes it back  ")
        app.session.settle()
        # Undone, the case it was said of is shown where a queue asks about it.
        await pilot.press("z")
        await pilot.pause()
        assert app.session.cursor == log(root)[0]["case"]

    run(app, act)
    given, undone = log(root)
    assert (given["verdict"], given["value"], given["basis"]["field"], given["basis"]["cell"]) == (
        "gt-wrong", "May 6 1768", "arrival_date", "Mai 6 1769",
    )  # fmt: skip
    assert given["case"] != case
    assert undone["retracts"] == given["id"]


def test_undone_where_nobody_else_doubts_the_value_the_case_stays(root: Path) -> None:
    app = at(root, ROW)
    case = app.session.cursor

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("g", "1", "2")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "Abate"
        await pilot.press("end", "s", "enter")
        await pilot.pause()
        app.session.settle()
        (said,) = [one for one in app.session.cases.values() if one.basis.get("field") == "title"]
        assert (said.title, said.status) == ("title: Abate, Mario Bassa", "decided")
        await pilot.press("z")
        await pilot.pause()
        app.session.settle()
        assert app.session.cursor == case
        assert [one for one in app.session.cases.values() if one.basis.get("field") == "title"] == []

    run(app, act)
    assert [line["value"] for line in log(root)] == ["Abates", None]


def test_a_case_about_a_value_offers_its_field_first_with_what_most_models_read(root: Path) -> None:
    app = at(root, "field:arrival_date", "against the key")

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("g", "1")
        await pilot.pause()
        assert [line.split()[0] for line in asked(app)] == ["arrival_date", "name", "title"]
        await pilot.press("1")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "May 6 1769"
        await pilot.press("enter")
        await pilot.pause()

    run(app, act)
    (given,) = log(root)
    assert (given["case"], given["value"], given["targets"], given["basis"]["field"]) == (
        app.session.order[0], "May 6 1769", ["gt:1:6"], "arrival_date",
    )  # fmt: skip
    assert app.session.cases[app.session.order[0]].status == "decided"


def test_an_illegible_value_needs_no_text_and_a_question_left_gives_nothing(root: Path) -> None:
    app = at(root, ROW)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("g", "1", "3", "escape")
        await pilot.pause()
        await pilot.press("g", "1", "escape")
        await pilot.pause()
        assert log(root) == []
        await pilot.press("g", "2")
        await pilot.pause()
        await pilot.press("2")
        await pilot.pause()

    run(app, act)
    (given,) = log(root)
    assert (given["verdict"], given["value"], given["basis"]["field"]) == ("gt-illegible", None, "title")


def test_the_name_is_doubted_as_before(root: Path) -> None:
    app = at(root, ROW)
    case = app.session.cursor

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("g", "1", "1")
        await pilot.pause()
        # One model's misreading is no proposal, and what the ground truth has is none either.
        assert app.screen.query_one(Input).value == "Mario Bassa"
        await pilot.press("enter")
        await pilot.pause()
        assert log(root) == []
        assert "gt:1:6 reads so already: Mario Bassa. propose another text" in str(app.screen.query_one("#status", Static).render())
        await pilot.press("g", "1", "1", "end", "n", "o", "enter")
        await pilot.pause()

    run(app, act)
    (given,) = log(root)
    assert (given["case"], given["value"], "field" in given["basis"]) == (case, "Mario Bassano", False)


def test_of_a_name_what_most_models_read_is_proposed(root: Path) -> None:
    gt = root / "gt" / "gt_page_1.csv"
    gt.write_text(gt.read_text("utf-8").replace("Francesco Kin?gsech", "Francesco Kingsec"), "utf-8")
    for path in (root / "runs" / "beta" / "naive").glob("*.json"):
        path.write_text(path.read_text("utf-8").replace("F. Kingsech", "Francesco Kingsech"), "utf-8")
    app = at(root, "kingsech", "against the key")

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("g", "1", "1")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "Francesco Kingsech"

    run(app, act)


def test_blind_nothing_of_what_others_read_is_offered(root: Path) -> None:
    app = at(root, ROW, blind=True)
    found = {one.field: one for one in values_of(app.session)}
    assert found["arrival_date"] == FieldValue("arrival_date", False, "Mai 6 1769", "May 6 1769", "", 0, 0, True)


def test_blind_a_row_with_no_traveler_asked_about_offers_no_values_of_the_one_proposed(root: Path) -> None:
    app = at(root, '"anna e bruno" queue:unmatched', blind=True)
    case = app.session.current
    assert case is not None
    assert not any(target.startswith("gt:") for one in case.occurrences for target in one.targets)
    assert app.session.draft() is None
    assert values_of(app.session) == ()
    with pytest.raises(InputError, match="no GT row is asked about here"):
        app.session.judge("gt-wrong", value="May 9 1769", field="arrival_date")
    app.session.blind = False
    assert [one.expected for one in values_of(app.session)][:1] == ["Anna Serri"]


def test_blind_a_doubt_about_a_value_uncovers_nothing_of_the_case_it_was_given_on(root: Path) -> None:
    session = at(root, ROW, blind=True).session
    case = session.current
    assert case is not None
    entry = session.give("gt-wrong", value="May 9 1769", field="arrival_date")
    assert (entry.blind, "shown" in entry.basis) == (True, False)
    assert session.hides(case)
    session.repeating = case.id
    again = session.give("gt-wrong", value="Conte", field="title")
    assert (again.repeat, session.repeating) == (False, case.id), "it is no answer to what is asked again"


def test_a_doubt_about_a_value_rules_no_conflict_about_the_pair(root: Path) -> None:
    for verifier, verdict in (("aa", "same"), ("bb", "different")):
        other = small_session(root, verifier)
        other.open_queue("all", parse_filter(ROW))
        other.give(verdict)
    session = at(root, ROW).session
    case = session.current
    assert case is not None
    assert case.status == "conflict"
    entry = session.give("gt-wrong", value="May 9 1769", field="arrival_date")
    assert entry.resolves is None
    assert session.cases[case.id].status == "conflict"


def test_a_case_about_a_value_points_to_no_other_row(root: Path) -> None:
    session = at(root, "field:arrival_date", "against the key").session
    assert session.candidates() == ()
    rows = session.rows_of_page()
    assert rows is not None
    assert rows.lines == ()
    effects = finished(session.task.effects(session.evaluation, session.cases[session.order[0]], 0, (), None))
    assert [type(block).__name__ for block in effects] == ["Grid", "Stack"], "no word on how the row is paired"


def test_a_rule_of_the_two_values_of_a_field(root: Path) -> None:
    app = at(root, ROW)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("e")
        await pilot.pause()
        assert [line.split()[0] for line in asked(app)] == ["name", "arrival_date"]
        await pilot.press("2")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "May 6 1769 = Mai 6 1769 [arrival_date]"
        await pilot.press("enter")
        for _ in range(200):
            await pilot.pause(0.1)
            if log(root):
                break

    run(app, act)
    (given,) = log(root)
    assert (given["verdict"], given["value"]) == (
        "equivalent", {"form": "May 6 1769", "canonical": "Mai 6 1769", "field": "arrival_date"},
    )  # fmt: skip
    drafted = "| May 6 1769 | Mai 6 1769 | arrival_date | OPEN | May 6 1769 (page 1 row 6, Mario Bassa) | |"
    assert drafted in (root / "EQUIVALENCES.md").read_text("utf-8")


def test_a_draft_that_is_refused_is_asked_for_again_and_what_is_typed_is_no_verdict(root: Path) -> None:
    app = at(root, ROW)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("e")
        await pilot.pause()
        await pilot.press("2")
        await pilot.pause()
        app.screen.query_one(Input).value = "Mai 6"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, AskText)
        assert app.screen.query_one(Input).value == "Mai 6"
        assert "`Mai 6` is no draft" in app.screen._hint
        await pilot.press("s", "x", "escape")
        await pilot.pause()

    run(app, act)
    assert log(root) == []
    assert not (root / "EQUIVALENCES.md").exists()


def test_many_fields_are_offered_in_pages(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = at(root, ROW)
    many = tuple(FieldValue(f"f{n}", False, "a", "b", "", 0, 0, True) for n in range(1, 13))
    monkeypatch.setattr("tui.screens.review.field_chooser.values_of", lambda session: many)
    monkeypatch.setattr("tui.screens.review.screen.values_of", lambda session: many)

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("g", "1")
        await pilot.pause()
        assert [line.split()[0] for line in asked(app)] == [*(f"f{n}" for n in range(1, 9)), "other"]
        await pilot.press("9")
        await pilot.pause()
        assert [line.split()[0] for line in asked(app)] == ["f9", "f10", "f11", "f12", "other"]
        await pilot.press("5")
        await pilot.pause()
        assert asked(app)[0].split()[0] == "f1"
        await pilot.press("9")
        await pilot.pause()
        await pilot.press("4")
        await pilot.pause()
        assert "propose for f12" in str(app.screen.query(Static).first().render())

    run(app, act)


def test_a_field_in_a_line() -> None:
    assert described(FieldValue("title", False, "", None, "Conte", 2, 3, False), 8) == "title     (blank)   2 of 3 models: Conte"
    apart = FieldValue("title", False, "Conte", "Abate", "Contessa", 2, 3, True)
    assert described(apart) == "title  Conte   here: Abate   2 of 3 models: Contessa"
    assert described(FieldValue("title", False, "Conte", "Conte", "Conte", 3, 3, False)) == "title  Conte"
