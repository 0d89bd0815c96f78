"""Verdicts through a real terminal, and the program killed while they are given: what the screen confirmed is in the log.

`ADJUDICATE_KILLS` sets the rounds: a dozen unless told otherwise; `make soak` takes more.
"""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.adjudication.log.write import read_log, require_sound
from tests.tui.small import VERIFIER, command, environment, small_session, small_workspace
from tests.tui.terminal import ProgramEndedError, Screen, Terminal

ROUNDS = int(os.environ.get("ADJUDICATE_KILLS", "12"))
WRITTEN = re.compile(r"takes it back  ([0-9a-f]{8}-[0-9a-f]{4})")
OPENED = re.compile(r"(\d+) open, (\d+) decided")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


@pytest.fixture
def bench(root: Path, tmp_path: Path) -> Iterator[Terminal]:
    """The workbench at the queue of everything."""
    with Terminal(command(root, "review", "--queue", "all"), env=environment(tmp_path), size=(120, 40)) as terminal:
        terminal.wait_for(OPENED)
        terminal.settle()
        yield terminal


def decided(screen: Screen) -> int:
    return int(OPENED.search(screen.text)[2])


def wait_decided(terminal: Terminal, number: int) -> None:
    terminal.wait_for(lambda screen: (found := OPENED.search(screen.text)) is not None and int(found[2]) == number)


def log_file(root: Path) -> Path:
    return root / "adjudications" / f"{VERIFIER}.jsonl"


# Killed


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_every_verdict_the_screen_confirmed_is_in_the_log(number: signal.Signals, tmp_path: Path):
    chance = random.Random(f"{number}{ROUNDS}")
    confirmed: list[str] = []
    root = small_workspace(tmp_path)
    for around in range(max(1, ROUNDS // 2)):
        with Terminal(command(root, "review", "--queue", "all"), env=environment(tmp_path), size=(120, 40)) as terminal:
            terminal.wait_for(OPENED)
            until = time.perf_counter() + chance.uniform(0.05, 0.6)
            seen: list[str] = []
            try:
                while time.perf_counter() < until:
                    # Verdicts and undos without end: there is always something to write.
                    terminal.send(chance.choice(["u", "u", "uu", "z", "uz", "n"]))
                    terminal.read(chance.uniform(0, 0.02))
                    seen += WRITTEN.findall(terminal.screen.text)
                if number == signal.SIGHUP and around % 2:
                    terminal.hang_up()
                else:
                    terminal.process.send_signal(number)
                    terminal.process.wait(15)
                    terminal.drain()
            except ProgramEndedError:
                pytest.fail("the program ended by itself")
            seen += WRITTEN.findall(terminal.screen.text)
            assert terminal.process.returncode != 0
        confirmed += dict.fromkeys(seen)
        # Sound: nothing but a torn last line may be wrong, and every confirmed verdict stands before it.
        contents = require_sound(read_log(root / "adjudications"))
        ids = {entry.id[:13] for entry in contents.entries}
        assert set(confirmed) <= ids
        assert len({entry.id for entry in contents.entries}) == len(contents.entries)
    assert confirmed, "no verdict was confirmed before any kill: the test has tested nothing"
    # The next sitting goes on where the killed ones stopped.
    session = small_session(root)
    assert len(session.decisions.entries) == len(require_sound(read_log(root / "adjudications")).entries)


# Written before shown


def test_the_id_on_the_screen_is_that_of_the_last_line_of_the_log(bench: Terminal, root: Path):
    bench.send("u")
    bench.wait_for(WRITTEN)
    entries = read_log(root / "adjudications").entries
    assert WRITTEN.findall(bench.screen.text)[-1] == entries[-1].id[:13]
    wait_decided(bench, 1)


# Refused


def forbid_large_files() -> None:
    """A file may not grow past a few bytes: an append is cut short, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


def test_on_a_full_disk_the_verdict_is_refused_in_a_sentence_and_the_case_stays_open(root: Path, tmp_path: Path):
    log_file(root).parent.mkdir()
    log_file(root).touch()
    with Terminal(
        command(root, "review", "--queue", "all"), env=environment(tmp_path), size=(120, 40), prepare=forbid_large_files
    ) as terminal:
        terminal.wait_for(OPENED)
        terminal.settle()
        before = terminal.screen.lines[1]
        terminal.send("u")
        terminal.wait_for("verdict was not written")
        assert decided(terminal.screen) == 0
        assert terminal.screen.lines[1] == before, "the cursor stays on the case"
        assert log_file(root).read_bytes() == b""
        terminal.send("jjn?")
        terminal.wait_for("Keys")
        terminal.send("q")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait() == 0


@pytest.mark.parametrize("obstacle", ["a folder in its place", "a file for a folder"])
def test_where_the_log_cannot_be_written_the_verdict_is_refused(obstacle: str, root: Path, tmp_path: Path):
    with Terminal(command(root, "review", "--queue", "all"), env=environment(tmp_path), size=(120, 40)) as terminal:
        terminal.wait_for(OPENED)
        terminal.settle()
        if obstacle == "a file for a folder":
            (root / "adjudications").write_text("no folder\n")
        else:
            log_file(root).mkdir(parents=True)
        terminal.send("u")
        terminal.wait_for("verdict was not written")
        assert decided(terminal.screen) == 0
        # Mended, the same key writes.
        if obstacle == "a file for a folder":
            (root / "adjudications").unlink()
        else:
            log_file(root).rmdir()
        terminal.send("u")
        terminal.wait_for(WRITTEN)
        wait_decided(terminal, 1)
    assert len(read_log(root / "adjudications").entries) == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_in_a_read_only_folder_the_verdict_is_refused(root: Path, tmp_path: Path):
    (root / "adjudications").mkdir(mode=0o500)
    with Terminal(command(root, "review", "--queue", "all"), env=environment(tmp_path), size=(120, 40)) as terminal:
        terminal.wait_for(OPENED)
        terminal.send("u")
        terminal.wait_for("verdict was not written")
        assert decided(terminal.screen) == 0


# Keys faster than the screen


def test_keys_typed_ahead_land_on_the_cases_they_were_meant_for(bench: Terminal, root: Path):
    session = small_session(root, None)
    expected = []
    session.open_queue("all")
    for key in "uujukku":
        if key == "u":
            expected.append(session.cursor)
            session.cases[session.cursor].status  # noqa: B018
            session._set_status(session.cursor, "decided")
            session.next_open()
        else:
            session.move(1 if key == "j" else -1)
    bench.send("uujukku")
    wait_decided(bench, len(set(expected)))
    bench.settle()
    assert [entry.case for entry in read_log(root / "adjudications").entries] == expected


def test_two_programs_of_one_verifier_do_not_mix_their_lines(root: Path, tmp_path: Path):
    with (
        Terminal(command(root, "review", "--queue", "all"), env=environment(tmp_path), size=(120, 40)) as one,
        Terminal(command(root, "review", "--queue", "surplus"), env=environment(tmp_path), size=(120, 40)) as two,
    ):
        one.wait_for(OPENED)
        two.wait_for(OPENED)
        for _ in range(3):
            one.send("u")
            two.send("u")
        one.wait_for(lambda screen: decided(screen) >= 3)
        two.wait_for(lambda screen: decided(screen) >= 3)
    contents = require_sound(read_log(root / "adjudications"))
    assert len(contents.entries) == 6
