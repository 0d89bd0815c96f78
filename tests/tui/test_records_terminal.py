"""The Records screens in a real terminal: killed in the middle of a save, two people on one file, any terminal, text that drives it.

`ADJUDICATE_KILLS` sets the rounds of killing: a few unless told otherwise.
"""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import sys
from pathlib import Path

import pytest

from scoring.adjudication.log.write import read_log
from tests.scoring.records.build import make, opened, record, rows, run
from tests.tui.small import environment
from tests.tui.terminal import ProgramEndedError, Terminal

ROUNDS = max(2, int(os.environ.get("ADJUDICATE_KILLS", "12")) // 3)
HARMLESS = re.compile(r"\x1b\]22;[a-z-]*(?:\x07|\x1b\\)")
HEAD = re.compile(r"(\d+) records, (\d+) open")
RECORDS = 60


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make(tmp_path / "data", documents=2, records=0)
    database = sqlite3.connect(path)
    one = record(1, 1)
    many = [tuple({**one, "id": f"u{n}", "record_id": f"Smith_2024_1_r{n}", "place": f"p{n}"}.values()) for n in range(1, RECORDS + 1)]
    database.executemany(f"INSERT INTO records ({', '.join(one)}) VALUES ({', '.join('?' * len(one))})", many)
    database.commit()
    database.close()
    return path


def desk(path: Path, home: Path, *, verifier: str = "ann", size: tuple[int, int] = (120, 40), **env: str) -> Terminal:
    """The command in a terminal, at the first document."""
    command = [sys.executable, "-m", "tui", "--verifier", verifier, "records", "review", str(path)]
    terminal = Terminal(command, env=environment(home, **env), size=size)
    terminal.wait_for("documents" if size[0] < 40 else "reviewed")
    terminal.settle()
    terminal.send("\r")
    terminal.wait_for(HEAD)
    terminal.settle()
    return terminal


def steps(path: Path) -> list[dict[str, object]]:
    """The verdicts the database has."""
    return [row for row in rows(path, "adjudicate_verdicts") if row["kind"] not in ("database", "refused")]


def require_whole(path: Path) -> None:
    """Every verdict is in the database altogether or not at all, and none that the log lacks."""
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    done = steps(path)
    logged = {entry.id for entry in read_log(path.parent / "adjudications").entries}
    assert {row["id"] for row in done} <= logged
    assert len(logged) - len(done) <= 1, "at most the verdict being saved is in the log alone"
    deleted = {row["record"] for row in done if row["kind"] == "delete"}
    edited = {row["record"] for row in done if row["kind"] == "edit"}
    records = {row["id"]: row for row in rows(path, "records")}
    assert {identity for identity, row in records.items() if row["deleted_by_user"] is not None} == deleted
    assert {identity for identity, row in records.items() if str(row["place"]).endswith("Z")} == edited
    assert {row["record_id"] for row in rows(path, "record_edits")} == edited


@pytest.mark.parametrize("keys", ["d", "eZ\rj"], ids=["deleting", "editing"])
def test_killed_in_the_middle_of_a_save_the_database_has_the_old_state_or_the_new(keys: str, path: Path, tmp_path: Path):
    chance = random.Random(keys)
    given = 0
    for _ in range(ROUNDS):
        with desk(path, tmp_path) as terminal:
            if keys != "d":
                terminal.send("\x1b[C")
            try:
                terminal.send(keys * 6)
                terminal.wait_for("edited" if keys != "d" else "deleted")
                seen = int(HEAD.search(terminal.screen.text)[2])
                for _ in range(chance.randint(0, 40)):
                    terminal.read(0.01)
                    open_now = HEAD.search(terminal.screen.text)
                    if open_now is not None:
                        seen = min(seen, int(open_now[2]))
            except ProgramEndedError as ended:
                raise AssertionError("it ended by itself") from ended
            terminal.kill(signal.SIGKILL)
        require_whole(path)
        assert len({row["record"] for row in steps(path)}) >= RECORDS - seen, "what the screen showed is in the database"
        with opened(path) as review:
            assert all(done.refused is None for done in review.recover())
        require_whole(path)
        assert len(steps(path)) == len(read_log(path.parent / "adjudications").entries)
        given = len(steps(path))
    assert given > 0


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_closed_window_loses_nothing_that_was_said(number: signal.Signals, path: Path, tmp_path: Path):
    with desk(path, tmp_path) as terminal:
        terminal.send("d")
        terminal.wait_for(f"{RECORDS} records, {RECORDS - 1} open")
        terminal.kill(number)
    require_whole(path)
    assert len(steps(path)) == 1


def test_keys_typed_ahead_go_into_the_editor_and_not_to_the_records(path: Path, tmp_path: Path):
    with desk(path, tmp_path) as terminal:
        terminal.send("\x1b[Ceddd\rjeXad\r")
        terminal.wait_for("place of Smith_2024_1_r2 edited")
        terminal.settle()
    assert [(row["kind"], row["record"]) for row in steps(path)] == [("edit", "u1"), ("edit", "u2")]
    assert [row["place"] for row in rows(path, "records")[:2]] == ["p1ddd", "p2Xad"]


def test_two_people_on_one_file_lose_nothing(path: Path, tmp_path: Path):
    with desk(path, tmp_path) as ann, desk(path, tmp_path, verifier="ben") as ben:
        for left in range(RECORDS - 1, RECORDS - 11, -1):
            ann.send("a")
            ben.send("a")
            ann.wait_for(f"{left} open")
            ben.wait_for(f"{left} open")
        ann.send("\x1b[C")
        ben.send("\x1b[C")
        ann.send("eX\r")
        ann.wait_for("place of Smith_2024_1_r11 edited")
        ben.send("eY\r")
        ben.wait_for("Somebody else was here first")
        ben.wait_for("p11X")
        ben.wait_for(re.compile(r"ann +edit place of Smith_2024_1_r11"))
        ben.send("\x1b")
        ben.settle()
        ben.send("eY\r")
        ben.wait_for("place of Smith_2024_1_r11 edited")
    assert next(row["place"] for row in rows(path, "records") if row["id"] == "u11") == "p11XY"
    assert [row["original_value"] for row in rows(path, "record_edits")] == ["p11", "p11X"]
    both = read_log(path.parent / "adjudications").entries
    assert {(entry.verifier, entry.verdict) for entry in both} == {("ann", "accept"), ("ann", "edit"), ("ben", "accept"), ("ben", "edit")}
    assert len(both) == 22


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"TERM": "vt100"}, {"TEXTUAL_ANIMATIONS": "none"}])
@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_any_terminal_takes_a_verdict(env: dict[str, str], size: tuple[int, int], path: Path, tmp_path: Path):
    run(path, "UPDATE documents SET title = 'T'")
    with desk(path, tmp_path, size=size, **env) as terminal:
        terminal.send("a")
        terminal.wait_for(f"{RECORDS} records, {RECORDS - 1}" if size[0] < 60 else f"{RECORDS - 1} open")
        terminal.resize(120, 40)
        terminal.settle()
        terminal.send("g")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait() == 0
    assert [row["kind"] for row in steps(path)] == ["accept"]


def test_hostile_text_reaches_no_terminal(path: Path, tmp_path: Path):
    hostile = "[red]x[/red] [/] \x1b]52;c;b3duZWQ=\x07 \u202eolleh\u202c \x9b2J \u200b\x07"
    run(path, "UPDATE documents SET title = ?, file_name = ?, first_author_lastname = ?, document_content = ?", *[hostile] * 4)
    run(path, "UPDATE records SET record_id = ? || id, name = ?, place = ?, note = ?", *[hostile] * 4)
    with desk(path, tmp_path, size=(140, 50)) as terminal:
        for keys in ["\x1b[C", "e", "\x1b", *"ggttxaH", "\x1b", "L", "\x1b", "m", "\r", "\x1b", "\x1b", "D", "\x1b", *"ybA"]:
            terminal.send(keys)
            terminal.settle()
        terminal.send("q")
        assert terminal.wait() == 0
        assert [one for one in terminal.screen.strange if not HARMLESS.fullmatch(one)] == []
