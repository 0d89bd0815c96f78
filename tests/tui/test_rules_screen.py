"""The Rules screen, by its keys: every one of them, on rows that others move and change meanwhile."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.tui.pilots import Act, bench, screen_text, until
from tests.tui.pilots import drive as driven
from tests.tui.small import small_session
from tests.tui.test_cli_rules import BAYSON, HEAD, IGNORE, KONTI
from tests.tui.test_screens import rest
from tests.tui.test_screens import root as root
from tui.app import Workbench
from tui.bench.rules.rule_rows import said
from tui.screens.dialogs import AskText, Choose, Confirm
from tui.screens.rules import screen as screen_module
from tui.screens.rules.rule_form import RowForm
from tui.screens.rules.screen import RulesScreen
from tui.widgets.entry import SafeInput

pytestmark = pytest.mark.usefixtures("alone")
SETTLED = HEAD.replace("| bayson | baysan | name | OPEN |", "| bayson | baysan | name | settled |")


@pytest.fixture
def ruled(root: Path) -> Path:
    (root / "EQUIVALENCES.md").write_bytes(HEAD.encode())
    return root


def rules_of(root: Path) -> str:
    return (root / "EQUIVALENCES.md").read_bytes().decode()


def drive(app: Workbench, act: Act) -> str:
    """Act, and wait until nothing is read or scored any more: what goes on when a loop is closed is nobody's."""

    async def acting(pilot: Pilot[None]) -> None:
        await act(pilot)
        await rest(pilot)

    return driven(app, acting)


async def shows(pilot: Pilot[None], text: str) -> None:
    await until(pilot, lambda: text in screen_text(pilot.app))


async def dialog(pilot: Pilot[None], kind: type) -> Any:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind) and bool(pilot.app.screen.children))
    return pilot.app.screen


def rules_screen(app: Workbench) -> RulesScreen:
    found = app.screen
    assert isinstance(found, RulesScreen)
    return found


def here(app: Workbench) -> tuple[int, str]:
    """Line and words of the row under the cursor."""
    row = rules_screen(app)._row
    assert row is not None
    return row["line"], said(row)


async def fill(pilot: Pilot[None], **values: str) -> None:
    form = await dialog(pilot, RowForm)
    for name, value in values.items():
        form.query_one(f"#column-{name}", SafeInput).value = value
    await pilot.press("enter")


# Looking


def test_the_table_shows_status_witness_and_reach(ruled: Path):
    app = bench(ruled, "rules")
    shown = drive(app, rest)
    lines = shown.splitlines()
    assert lines[0].split() == ["Rules", "1/5", "5", "rows,", "4", "OPEN"]
    assert lines[1].split() == ["line", "rule", "canonical", "field", "status", "reach", "witness", "note"]
    assert lines[2].startswith("○ 7    di verona trailing, model name  OPEN      1     Israel Bayson di Verona kept")
    assert [line[:4] for line in lines[2:7]] == ["○ 7 ", "○ 13", "○ 14", "○ 15", "✗ 21"]
    assert "EQUIVALENCES.md:14" in shown, "the checks are run at once"


def test_enter_shows_all_of_the_row(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("down", "enter")

    shown = drive(app, act)
    assert f"Line {BAYSON}: `bayson` = `baysan`" in shown
    assert "Israel Bayson" in shown.split("Line 13")[1]


def test_a_filter_leaves_the_rows_it_names_and_a_faulty_one_is_a_sentence(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("end")
        for text, lines in (("kind:equ -kon", [BAYSON, 15]), ("status:near", [21]), ("", [IGNORE, BAYSON, KONTI, 15, 21])):
            await pilot.press("slash")
            ask = await dialog(pilot, AskText)
            ask.query_one(SafeInput).value = text
            await pilot.press("enter")
            await until(pilot, lambda wanted=lines: [row["line"] for row in rules_screen(app)._rows] == wanted)
        assert here(app) == (21, "never `konti` = `conti`"), "the cursor stays on its row"
        await pilot.press("slash")
        ask = await dialog(pilot, AskText)
        ask.query_one(SafeInput).value = "status:maybe"
        await pilot.press("enter")
        await shows(pilot, "there is no status `maybe`. Status is one of OPEN, settled, near miss.")

    drive(app, act)


# Previews


def test_p_previews_all_and_capital_p_the_row(ruled: Path):
    app = bench(ruled, "rules")
    (ruled / "EQUIVALENCES.md").write_bytes(SETTLED.encode())

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("p")
        await shows(pilot, "If switched on: line 7: ignore `di verona` trailing (model side)")
        for _ in range(8):
            await pilot.press("space")
        assert "If switched on: 2 OPEN rows together" in screen_text(app), "the blocked row is tried with none"
        await pilot.press("P")
        await shows(pilot, "0 pairs gained, 0 lost; 0 values otherwise; on 3 pages of runs")
        assert "alfa   naive  33       0.733  0.688  0.786  1.211 → 1.164" in screen_text(app)
        await pilot.press("down", "P")
        await shows(pilot, f"If made OPEN again: line {BAYSON}: `bayson` = `baysan`")
        await shows(pilot, "0 pairs gained, 3 lost; 0 values otherwise; on 3 pages of runs")
        assert "- alfa/naive/run_01  1     Israel Baysan  Israel Bayson di Verona  0.722 → 0.666" in screen_text(app)
        await pilot.press("end", "P")
        await shows(pilot, "A near miss moves nothing")

    drive(app, act)
    assert rules_of(ruled) == SETTLED


def test_blind_nothing_is_previewed_that_names_models(ruled: Path):
    app = bench(ruled, "rules", blind=True)

    async def act(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: bool(rules_screen(app)._rows))
        for key in ("p", "P"):
            await pilot.press(key)
            await shows(pilot, "What rows move is hidden in a blind sitting")
            assert rules_screen(app)._doing == ""

    drive(app, act)


def test_a_preview_freezes_no_key(ruled: Path):
    """While a preview is computed the event loop goes on turning: no turn takes a large part of it, and the cursor moves."""
    app = bench(ruled, "rules")
    gaps: list[float] = []

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        screen = rules_screen(app)
        began = time.perf_counter()
        await pilot.press("p")
        assert screen._doing == "scoring: each OPEN row …"
        last = time.perf_counter()
        while screen._doing:
            await asyncio.sleep(0.005)
            now = time.perf_counter()
            gaps.append(now - last)
            last = now
            if len(gaps) in (5, 10, 15):
                screen.action_move(1)
        took = time.perf_counter() - began
        assert here(app)[0] == 15
        # Computed on the loop, one turn would take nearly all of it.
        assert max(gaps) < took / 3, (max(gaps), took)

    drive(app, act)
    assert len(gaps) > 20


def test_a_long_preview_is_drawn_beside_the_keys(ruled: Path, monkeypatch: pytest.MonkeyPatch):
    app = bench(ruled, "rules")
    drawing: list[tuple[int, int]] = []
    real = screen_module.drawn

    def watched(blocks: Any, *rest: Any) -> Any:
        drawing.append((threading.get_ident(), sum(len(getattr(block, "lines", ())) for block in blocks)))
        return real(blocks, *rest)

    pair = {"run": "a/b/run_01", "page": "1", "gt_name": "Anna", "model_name": "Ana", "gained": True, "before": 0.5, "after": 1.0}
    one = {
        "lines": [IGNORE], "rows": [{"kind": "equivalence", "line": 7, "form": "a", "canonical": "b", "status": "OPEN"}],
        "blocked": [], "moves": True, "pages": [], "cells": [], "gained": [pair] * 20_000, "lost": [], "values": [], "answers": [],
    }  # fmt: skip
    asked = screen_module.ask_json

    async def asking(workspace: Path, *words: str) -> Any:
        return [one] if "preview" in words else await asked(workspace, *words)

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        monkeypatch.setattr(screen_module, "drawn", watched)
        monkeypatch.setattr(screen_module, "ask_json", asking)
        await pilot.press("s")
        confirm = await dialog(pilot, Confirm)
        assert len(confirm._lines) == screen_module.MOST + 1
        assert confirm._lines[-1].plain.startswith("… 19705 more lines")
        await pilot.press("n")
        await until(pilot, lambda: app.screen is not confirm)
        await pilot.press("pagedown")

    drive(app, act)
    long = [thread for thread, lines in drawing if lines > 10_000]
    assert long
    assert threading.get_ident() not in long


# Drafting


def test_a_draft_finds_its_witness_and_the_cursor_goes_to_it(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("d")
        await dialog(pilot, Choose)
        await pilot.press("1")
        await fill(pilot, form="rosi", canonical="rossi")
        await shows(pilot, "Done")
        assert here(app) == (16, "`rosi` = `rossi`")
        await shows(pilot, "P shows what it would move, s settles it.")
        await shows(pilot, "Rules  5/6   6 rows, 5 OPEN")

    drive(app, act)
    row = "| rosi | rossi | name | OPEN | Anna Rosi for Anna Rossi, page 1 (model:alfa/naive/run_01:1:1) | |\r\n"
    assert rules_of(ruled) == HEAD.replace("| kingsech | x | name | OPEN | | |\r\n", f"| kingsech | x | name | OPEN | | |\r\n{row}")


def test_a_word_to_ignore_and_a_near_miss_are_drafted_too(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("d")
        await dialog(pilot, Choose)
        await pilot.press("2")
        await fill(pilot, token="q.m.", position="any")
        await until(pilot, lambda: "| q.m. |" in rules_of(ruled) and isinstance(app.screen, RulesScreen))
        await until(pilot, lambda: here(app) == (8, "ignore `q.m.` anywhere (model side)"))
        await pilot.press("d")
        await dialog(pilot, Choose)
        await pilot.press("3")
        await fill(pilot, form="figliuolo", why="another word", **{"not": "figlio"})
        await until(pilot, lambda: "figliuolo" in rules_of(ruled) and isinstance(app.screen, RulesScreen))
        await until(pilot, lambda: here(app) == (23, "never `figliuolo` = `figlio`"))

    drive(app, act)
    assert (
        "| q.m. | name | anywhere | model | OPEN | Leon q.m. Tedesco for Leon Tedesco, page 1 (model:beta/naive/run_01:1:4) | |"
        in rules_of(ruled)
    )
    assert "| figliuolo | figlio | name | another word |" in rules_of(ruled)


def test_a_refused_draft_stays_open_and_says_why_until_it_is_sound(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("d")
        await dialog(pilot, Choose)
        await pilot.press("1")
        await fill(pilot, form="wienn", canonical="wien", field="nme")
        await shows(pilot, "EQUIVALENCES.md: unknown field `nme`: did you mean `name`?")
        await fill(pilot, field="name")
        await shows(pilot, "holds `wienn`, so no witness was found. Name")
        assert rules_of(ruled) == HEAD
        await fill(pilot, witness="gt:1:1")
        await shows(pilot, "`wienn` does not stand in `Anna Rossi`, at gt:1:1")
        await fill(pilot, witness="page 9: Wienn", note="seen on the scan")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))

    drive(app, act)
    assert "| wienn | wien | name | OPEN | page 9: Wienn | seen on the scan |" in rules_of(ruled)


def test_what_is_said_already_is_not_drafted_again_but_shown(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("d")
        await dialog(pilot, Choose)
        await pilot.press("1")
        await fill(pilot, form="Bayson", canonical="baysan")
        await shows(pilot, f"EQUIVALENCES.md:{BAYSON}: says so already, OPEN. Nothing was written.")
        assert here(app)[0] == BAYSON

    drive(app, act)
    assert rules_of(ruled) == HEAD


# Editing, settling, reopening, removing


def test_edit_replaces_the_cells_and_keeps_every_other_byte(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("e")
        form = await dialog(pilot, RowForm)
        assert [entry.value for entry in form.query(SafeInput)] == [
            "di verona", "name", "trailing", "model", "Israel Bayson di Verona", "kept",
        ]  # fmt: skip
        await fill(pilot, note="kept | -C = x", position="lead")
        await shows(pilot, "EQUIVALENCES.md:7: changed.")

    drive(app, act)
    assert rules_of(ruled) == HEAD.replace("| trailing |", "| leading |").replace("| kept |", "| kept \\| -C = x |")


def test_settle_and_reopen_ask_after_the_preview_and_the_figures_follow(ruled: Path):
    app = bench(ruled, "rules")
    matched = lambda: {cell.model: cell.counts.matched for cell in app.session.evaluation.cells}  # noqa: E731

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        assert matched()["alfa"] == 30
        for key, status, after, moved in (("s", "settled", 33, "3 pairs gained, 0 lost"), ("r", "OPEN", 30, "0 pairs gained, 3 lost")):
            before = rules_of(ruled)
            for answer in ("n", "y"):
                await pilot.press(key)
                await dialog(pilot, Confirm)
                await shows(pilot, moved)
                assert rules_of(ruled) == before
                await pilot.press(answer)
                await until(pilot, lambda: isinstance(app.screen, RulesScreen))
            await until(pilot, lambda wanted=status: f"| model | {wanted} |" in rules_of(ruled))
            await until(pilot, lambda wanted=after: matched()["alfa"] == wanted)
            await until(pilot, lambda: "Done" in screen_text(app))
            assert here(app)[0] == IGNORE
            # Overview shows the evaluation of the session, and nobody is told that the file changed under his own hands.
            await app._watch().wait()
            assert not app._notifications

    drive(app, act)
    assert rules_of(ruled) == HEAD


def test_a_row_of_the_wrong_status_is_left_alone(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        for key, where, sentence in (
            ("r", "home", "Only a settled row can be made OPEN."),
            ("s", "end", "Only an OPEN row can be settled."),
            ("r", "end", "Only a settled row can be made OPEN."),
        ):
            await pilot.press(where, key)
            await shows(pilot, sentence)

    drive(app, act)
    assert rules_of(ruled) == HEAD


def test_a_row_that_contradicts_is_not_asked_about(ruled: Path):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("down", "down", "s")
        await shows(pilot, f"If switched on: line {KONTI}: `konti` = `conti`")
        await shows(pilot, "blocked")
        assert isinstance(app.screen, RulesScreen)

    drive(app, act)
    assert rules_of(ruled) == HEAD


def test_remove_takes_an_open_row_out_after_a_question_and_no_settled_one(ruled: Path):
    app = bench(ruled, "rules")
    (ruled / "EQUIVALENCES.md").write_bytes(SETTLED.encode())

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("down", "x")
        await shows(pilot, "A settled row is not taken out")
        await pilot.press("up", "x")
        await dialog(pilot, Confirm)
        await shows(pilot, "Take line 7 out of EQUIVALENCES.md?")
        await pilot.press("y")
        await until(pilot, lambda: "| di verona |" not in rules_of(ruled))
        await shows(pilot, "removed: ignore `di verona` trailing (model side) in name.")
        await pilot.press("end", "delete")
        await dialog(pilot, Confirm)
        await pilot.press("y")
        await shows(pilot, "removed: never `konti` = `conti` in name.")

    drive(app, act)
    lines = SETTLED.split("\r\n")
    assert rules_of(ruled) == "\r\n".join(line for line in lines if "| di verona |" not in line and "another family" not in line)


# Rows that others move and change


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table as it was read: what others write is not looked for."""
    monkeypatch.setattr(screen_module, "LOOK", 3600.0)
    monkeypatch.setattr("tui.app.WATCH", 3600.0)


def test_an_act_finds_a_row_that_was_moved(ruled: Path, unwatched: None):
    app = bench(ruled, "rules")
    (ruled / "EQUIVALENCES.md").write_bytes(SETTLED.encode())
    moved = SETTLED.replace("| bayson |", "| anna | ana | name | settled | | |\r\n| bayson |")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("down")
        (ruled / "EQUIVALENCES.md").write_bytes(moved.encode())
        await pilot.press("r")
        await dialog(pilot, Confirm)
        await shows(pilot, f"Reopen line {BAYSON + 1}: `bayson` = `baysan`?")
        await pilot.press("y")
        await until(pilot, lambda: rules_of(ruled) != moved)
        await until(pilot, lambda: isinstance(app.screen, RulesScreen) and here(app) == (BAYSON + 1, "`bayson` = `baysan`"))

    drive(app, act)
    assert rules_of(ruled) == moved.replace("| bayson | baysan | name | settled |", "| bayson | baysan | name | OPEN |")


@pytest.mark.parametrize("key", ["r", "x", "P", "e"])
def test_an_act_on_a_row_that_was_changed_is_refused_and_the_table_read_again(key: str, ruled: Path, unwatched: None):
    app = bench(ruled, "rules")
    other = HEAD if key == "x" else SETTLED
    (ruled / "EQUIVALENCES.md").write_bytes(other.encode())
    changed = other.replace("| Israel Bayson | |", "| Israel Bayson | looked at by another |")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("down")
        (ruled / "EQUIVALENCES.md").write_bytes(changed.encode())
        await pilot.press(key)
        if key == "x":
            await dialog(pilot, Confirm)
            await pilot.press("y")
        if key == "e":
            await fill(pilot, note="mine")
        await shows(pilot, "it has changed or is gone. Read the rules")
        await pilot.press("escape") if key == "e" else None
        await until(pilot, lambda: isinstance(app.screen, RulesScreen))
        await shows(pilot, "looked at by another")
        assert here(app) == (BAYSON, "`bayson` = `baysan`")

    drive(app, act)
    assert rules_of(ruled) == changed


def test_a_draft_from_elsewhere_is_listed_by_itself_and_the_cursor_keeps_its_row(ruled: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(screen_module, "LOOK", 0.05)
    monkeypatch.setattr("tui.app.WATCH", 3600.0)
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("down")
        (ruled / "EQUIVALENCES.md").write_bytes(HEAD.replace("| bayson |", "| anna | ana | name | OPEN | | |\r\n| bayson |").encode())
        await until(pilot, lambda: len(rules_screen(app)._rows) == 6)
        assert here(app) == (BAYSON + 1, "`bayson` = `baysan`")
        # A file that stops scoring is shown with what is wrong in it, though nothing else can be read again.
        (ruled / "EQUIVALENCES.md").write_bytes(
            SETTLED.replace("| konti | conti | name | OPEN |", "| konti | conti | name | settled |").encode()
        )
        await shows(pilot, "error")
        await shows(pilot, "EQUIVALENCES.md:21: the near miss `konti` / `conti` is covered in `name` by line 14")
        assert here(app) == (BAYSON, "`bayson` = `baysan`"), "a row settled elsewhere is that row"

    drive(app, act)


@pytest.mark.parametrize("how", ["f5", "back"])
def test_the_file_is_read_again_on_reload_and_on_coming_back(how: str, ruled: Path, unwatched: None):
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await pilot.press("O") if how == "back" else None
        (ruled / "EQUIVALENCES.md").write_bytes(HEAD.replace("| bayson |", "| anna | ana | name | OPEN | | |\r\n| bayson |").encode())
        await pilot.press("E" if how == "back" else "f5")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen) and len(app.screen._rows) == 6)

    drive(app, act)


# The verdict `equivalent`


def test_undo_of_equivalent_says_that_its_row_stays_and_the_rules_screen_goes_there(root: Path):
    session = small_session(root)
    app = bench(root)
    case = next(case for case in app.session.cases.values() if case.queue == "borderline" and session.task.draft(session.evaluation, case))
    app.session.show_case(case.id)
    path = root / "EQUIVALENCES.md"

    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("e")
        ask = await dialog(pilot, AskText)
        ask.query_one(SafeInput).value = "rosi = rossi [name]"
        await pilot.press("enter")
        await until(pilot, lambda: len(app.session.decisions.entries) == 1)
        await pilot.press("z")
        await until(pilot, lambda: len(app.session.decisions.entries) == 2)
        assert app.rule_wanted is not None
        row = "`rosi` = `rossi`"
        message = app.screen._message
        assert message.endswith(f"; its OPEN row {row} stays: E goes there, x removes it")
        await pilot.press("E")
        await until(pilot, lambda: isinstance(app.screen, RulesScreen) and bool(app.screen._rows) and here(app)[1] == row)
        await pilot.press("x")
        await dialog(pilot, Confirm)
        await pilot.press("y")
        await until(pilot, lambda: "rosi" not in path.read_text("utf-8"))

    drive(app, act)


def test_a_look_at_the_files_while_the_rules_are_written_is_no_news(ruled: Path, unwatched: None):
    """The file changes before the command that writes it has ended: nobody is told of it as of another's change."""
    app = bench(ruled, "rules")

    async def act(pilot: Pilot[None]) -> None:
        await rest(pilot)
        await app._watch().wait()
        app.writing_rules = True
        (ruled / "EQUIVALENCES.md").write_bytes(SETTLED.encode())
        await app._watch().wait()
        app.rules_changed()
        app.writing_rules = False
        await app._watch().wait()
        assert not app._notifications
        (ruled / "EQUIVALENCES.md").write_bytes(HEAD.encode() + b"\r\nanother's\r\n")
        await app._watch().wait()
        assert [one.message for one in app._notifications] == ["changed on disk: EQUIVALENCES.md; reading again"]

    drive(app, act)
