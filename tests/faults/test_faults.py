"""Faults of disk, clock, lock and other people's editors: what was confirmed stays, what fails says so."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import portalocker
import pytest

import scoring.adjudication.log.write as log_module
from benchmarks.soak import ROUNDS, losses
from scoring.adjudication.log.write import read_log
from tests.hostile.workspaces import assert_harmless, run, sound

SHORT = int(os.environ.get("ADJUDICATE_ROUNDS", "60"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    sound(folder, random.Random(1))
    return folder


def a_case(folder: Path) -> str:
    found = re.search(r"t-[0-9a-f]{8}", run(folder, ["next"]).out)
    assert found is not None
    return found.group()


@pytest.mark.parametrize("name", [name for name in ROUNDS if name != "hostile workspace"])
def test_rounds_without_a_loss(name: str):
    assert losses(ROUNDS[name], SHORT, 0) == []


# Disks


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A small file system of its own with a workspace on it; called with mount options to mount it again."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(place)]
    if os.name != "posix" or os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    sound(place, random.Random(1))

    def again(options: str) -> Path:
        if options:
            subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True, capture_output=True)
        return place

    yield again
    subprocess.run(["umount", str(place)], check=True)


def fill(folder: Path) -> None:
    """Take all room that is left."""
    for size in (65536, 4096, 512, 1):
        with (folder / "filler").open("ab", buffering=0) as file:
            try:
                while file.write(b"\0" * size):
                    pass
            except OSError:
                pass


COMMANDS = (
    ["decide", "CASE", "unsure"],
    ["undo"],
    ["score", "--output", "scores"],
    ["rules", "draft", "--form", "abc", "--canonical", "abcd", "--field", "name"],
)


def test_a_full_disk_is_said_and_nothing_is_lost(disk: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch):
    folder = disk("")
    case = a_case(folder)
    fill(folder)
    log = folder / "adjudications" / "mp.jsonl"
    # The file's last block may have room for a line; until it has none, a verdict counts as ever.
    for _ in range(200):
        before, count = log.read_bytes(), len(read_log(log.parent).entries)
        done = run(folder, ["decide", case, "unsure"])
        if done.code == 2:
            break
        assert len(read_log(log.parent).entries) == count + 1
    assert "does not count" in done.err
    assert log.read_bytes() == before
    monkeypatch.chdir(folder)
    rules = (folder / "EQUIVALENCES.md").read_bytes()
    for words in COMMANDS[2:]:
        done = run(folder, words)
        assert_harmless(done, words)
        assert done.code == 2, (words, done.out, done.err)
    assert (folder / "EQUIVALENCES.md").read_bytes() == rules
    assert run(folder, ["score"]).code == 0
    (folder / "filler").unlink()
    assert run(folder, ["decide", case, "unsure"]).code == 0
    assert log.read_bytes().startswith(before)


def test_a_folder_that_can_only_be_read_is_said(disk: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch):
    folder = disk("ro")
    monkeypatch.chdir(folder)
    case = a_case(folder)
    for words in COMMANDS:
        words = [case if word == "CASE" else word for word in words]
        done = run(folder, words)
        assert_harmless(done, words)
        assert done.code == 2, words
    for words in (["score"], ["next"], ["log", "check"]):
        assert run(folder, words).code in (0, 1)


# Locks

HOLD = """
import sys, time, portalocker
file = open(sys.argv[1], "ab")
portalocker.lock(file, portalocker.LOCK_EX)
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def held(workspace: Path) -> Iterator[Path]:
    """A workspace whose log another program holds."""
    log = workspace / "adjudications" / "mp.jsonl"
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(log)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    yield workspace
    holder.kill()
    holder.wait()


def test_a_log_held_by_another_program_is_said_and_not_waited_for(held: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(log_module, "LOCK_SECONDS", 0.3)
    log = held / "adjudications" / "mp.jsonl"
    before = log.read_bytes()
    done = run(held, ["decide", a_case(held), "unsure"], seconds=20)
    assert done.code == 2
    assert "another program holds the log" in done.err
    assert log.read_bytes() == before


def test_an_unfinished_line_under_a_held_lock_is_read_without_it(held: Path):
    log = held / "adjudications" / "mp.jsonl"
    whole = read_log(log.parent).entries
    with log.open("ab") as file:
        file.write(b'{"schema": 1, "id": "01')
    start = time.monotonic()
    found = read_log(log.parent)
    assert time.monotonic() - start < 5
    assert found.entries == whole
    assert ["unfinished" in note.message for note in found.notes].count(True) == 1


def test_the_lock_of_the_test_is_a_lock(held: Path):
    with (held / "adjudications" / "mp.jsonl").open("ab") as file, pytest.raises(portalocker.LockException):
        portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)


# Lines


def test_a_corrupt_line_stops_scoring_until_the_settings_leave_it_out_by_its_hash(workspace: Path):
    log = workspace / "adjudications" / "mp.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([lines[0], lines[1][:40] + b"\n", *lines[2:]]))
    done = run(workspace, ["score"])
    assert done.code == 2
    assert "mp.jsonl:2" in done.err
    found = re.search(r'exclude_log_lines = \["[0-9a-f]{8}"\]', done.err)
    assert found is not None
    with (workspace / "adjudicate.toml").open("a") as file:
        file.write(found.group() + "\n")
    assert run(workspace, ["score"]).code == 0
    assert len(read_log(log.parent).entries) == len(lines) - 1


@pytest.mark.parametrize("inside", [b'"\xff"', b'"\xed\xa0\x80"', b'"\\ud800"', b'"\\q"', b"[" * 2000 + b"]" * 2000, b"1e999", b"nul"])
def test_what_is_no_json_under_a_key_nobody_knows_is_no_traceback(workspace: Path, inside: bytes):
    """Found by the fuzzer: the decoder of entries passes over keys it does not know, the one that compares lines does not."""
    log = workspace / "adjudications" / "mp.jsonl"
    lines = log.read_bytes().splitlines()
    odd = lines[1][:-1] + b',"later":' + inside + b"}"
    log.write_bytes(b"\n".join([*lines, odd, odd + b" ", b""]))
    found = read_log(log.parent)
    assert len(found.entries) + len(found.faults) >= len(lines)
    for words in (["log", "check"], ["score"], ["log", "export", "--format", "jsonl"]):
        assert_harmless(run(workspace, words), words)
    log.write_bytes(b"\n".join([lines[0], odd, b""]))
    counted = [fault.line for fault in read_log(log.parent).faults]
    assert counted in ([], [2])
    assert (counted == [2]) or not inside.startswith((b'"\xff', b'"\xed'))


# Others at work


def test_ground_truth_edited_during_a_sitting(workspace: Path):
    from tui.bench.opening import open_session

    session = open_session(workspace, "mp")
    case = session.current
    assert case is not None
    judged = session.give("unsure", note="before the edit")
    path = workspace / "gt" / "gt_page_1.csv"
    text = path.read_text()
    path.write_text(text.replace("Mario Bassa", "Mario Basso").replace("Anna Rossi", "Anna Russi"))
    following = session.current
    session.give("unsure", note="after the edit")
    session.settle()
    entries = read_log(workspace / "adjudications").entries
    assert [entry.note for entry in entries][-2:] == ["before the edit", "after the edit"]
    assert judged is not None
    again = open_session(workspace, "mp")
    assert {entry.id for entry in again.decisions.entries} >= {entry.id for entry in entries}
    assert following is not None
    path.write_text("")
    done = run(workspace, ["next"])
    assert done.code == 2
    assert_harmless(done, ["next"])
    path.write_text(text)
    back = open_session(workspace, "mp")
    assert back.decisions.fingerprint == again.decisions.fingerprint
    assert all(back.decisions.entry(entry.id) == entry for entry in entries)
