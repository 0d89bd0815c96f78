import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import portalocker
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.adjudication.decisions import Decisions, LogEntry, encode, standing
from scoring.adjudication.log.read import decode
from scoring.adjudication.log.write import Log, LogWriteError, import_lines, read_log, require_sound
from scoring.foundations.problems import InputError, Severity
from tests.scoring.adjudication.entries import entry, nth, undo
from tests.scoring.adjudication.test_decisions import logs
from tests.shared import ROOT

KILLS = int(os.environ.get("ADJUDICATE_KILLS", "20"))
"""Rounds of each kill test; `make soak` asks for 1,000."""


def write(folder: Path, name: str, *lines: bytes | LogEntry, end: bytes = b"\n") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(b"\n".join(encode(line) if isinstance(line, LogEntry) else line for line in lines) + end)
    return path


def severities(folder: Path) -> list[Severity]:
    return [problem.severity for problem in read_log(folder).problems]


# Writing.


def test_what_is_appended_is_read_back(tmp_path: Path):
    log = Log.open(tmp_path / "adjudications", "mp")
    assert not log.path.exists()
    made = [
        entry(1, targets=("gt:28:4",), note="två  bröder\n\x1b[31m", basis={"page": "28", "rows": {"gt:28:4": "9c1e55aa"}}),
        entry(2, case="t-2"),
    ]
    log.append(made[0])
    log.append_many(made[1:])
    contents = read_log(log.folder)
    assert contents.entries == tuple(made)
    assert contents.problems == ()
    assert log.path.read_bytes().count(b"\n") == 2
    line = json.loads(log.path.read_bytes().split(b"\n")[0])
    assert list(line) == list(LogEntry.__struct_fields__)


@pytest.mark.parametrize("name", ["", "a b", "../x", "a.b", "ü", "x\n", "a" * 65, "a/b"])
def test_a_verifiers_name_is_letters_digits_dash_and_underscore(tmp_path: Path, name: str):
    with pytest.raises(InputError, match="cannot be a verifier's name"):
        Log.open(tmp_path, name)


def test_impossible_entries_are_refused_before_they_reach_the_disk(tmp_path: Path):
    log = Log.open(tmp_path, "mp")
    bad = [
        entry(1, certainty=9),
        entry(1, verdict="retract"),
        entry(1, retracts=nth(0)),
        entry(1, verdict="retract", retracts=nth(2)),
        entry(1, scope="row"),
        entry(2, resolves=(nth(3),)),
        entry(1, case=""),
    ]
    for one in bad:
        with pytest.raises(InputError, match="cannot be written"):
            log.append(one)
    with pytest.raises(ValueError, match="of xy"):
        log.append(entry(1, "xy"))
    assert not log.path.exists()


def test_a_lone_surrogate_is_spelled_out(tmp_path: Path):
    Log.open(tmp_path, "mp").append(entry(1, note="a\ud800b", basis={"reading": ["x\udfff"]}))
    (read,) = read_log(tmp_path).entries
    assert (read.note, read.basis) == ("a\\ud800b", {"reading": ["x\\udfff"]})


def test_a_torn_last_line_is_moved_aside_before_the_next_append(tmp_path: Path):
    path = write(tmp_path, "mp.jsonl", entry(1), encode(entry(2))[:-30], end=b"")
    assert [p.severity for p in read_log(tmp_path).problems] == [Severity.WARNING]
    assert "mp.jsonl:2" in str(read_log(tmp_path).problems[0])
    log = Log.open(tmp_path, "mp")
    log.append(entry(3))
    assert [one.id for one in read_log(tmp_path).entries] == [nth(1), nth(3)]
    (aside,) = tmp_path.glob("mp.torn-*")
    assert aside.read_bytes() == encode(entry(2))[:-30]
    assert "set aside in" in str(log.problems[0])
    assert severities(tmp_path) == [Severity.NOTE]
    assert path.read_bytes().endswith(b"}\n")


@pytest.mark.parametrize("cut", [*range(1, 40), 100, 200])
def test_every_cut_of_a_line_loses_that_line_alone(tmp_path: Path, cut: int):
    line = encode(entry(2, note="ü\u2028é"))
    write(tmp_path, "mp.jsonl", entry(1), line[:-cut], end=b"")
    assert [one.id for one in read_log(tmp_path).entries] == [nth(1)]
    Log.open(tmp_path, "mp").append(entry(3))
    assert [one.id for one in require_sound(read_log(tmp_path)).entries] == [nth(1), nth(3)]


def test_a_last_line_that_lacks_only_its_line_end_counts_before_and_after_it_is_mended(tmp_path: Path):
    write(tmp_path, "mp.jsonl", entry(1), entry(2), end=b"")
    before = read_log(tmp_path)
    assert [p.severity for p in before.problems] == [Severity.WARNING]
    Log.open(tmp_path, "mp").append(entry(3))
    after = read_log(tmp_path)
    assert (len(before.entries), len(after.entries), after.problems) == (2, 3, ())
    assert not list(tmp_path.glob("*.torn*"))


def test_a_whole_last_line_of_a_later_version_is_no_torn_one(tmp_path: Path):
    later = encode(entry(2)).replace(b'"schema":1', b'"schema":2')
    path = write(tmp_path, "mp.jsonl", entry(1), later, end=b"")
    (fault,) = read_log(tmp_path).faults
    assert fault.name == "mp.jsonl:2"
    assert "update the program" in fault.message
    Log.open(tmp_path, "mp").append(entry(3))
    assert path.read_bytes() == encode(entry(1)) + b"\n" + later + b"\n" + encode(entry(3)) + b"\n"
    assert not list(tmp_path.glob("*.torn*"))


def test_a_torn_tail_longer_than_a_block(tmp_path: Path):
    write(tmp_path, "mp.jsonl", entry(1), b"x" * 200_000, end=b"")
    Log.open(tmp_path, "mp").append(entry(2))
    assert len(require_sound(read_log(tmp_path)).entries) == 2
    assert next(tmp_path.glob("*.torn*")).stat().st_size == 200_000
    only = tmp_path / "only"
    write(only, "mp.jsonl", b"\0" * 70_000, end=b"")
    Log.open(only, "mp").append(entry(2))
    assert len(require_sound(read_log(only)).entries) == 1


def test_a_short_write_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    log = Log.open(tmp_path, "mp")
    log.append(entry(1))
    before = log.path.read_bytes()
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:103]))
    with pytest.raises(LogWriteError, match="does not count"):
        log.append(entry(2))
    monkeypatch.undo()
    assert log.path.read_bytes() == before


def test_a_failed_sync_is_a_verdict_not_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    log = Log.open(tmp_path, "mp")
    log.append(entry(1))
    before = log.path.read_bytes()
    real, fails = os.fsync, [True]

    def failing(file: int) -> None:
        if fails.pop() if fails else False:
            raise OSError(5, "Input/output error")
        real(file)

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(LogWriteError, match="Input/output error"):
        log.append(entry(2))
    assert log.path.read_bytes() == before


def test_a_full_disk(tmp_path: Path):
    log = Log.open(tmp_path, "mp")
    log.append(entry(1))
    before = log.path.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 50, hard))
    try:
        with pytest.raises(LogWriteError) as caught:
            log.append(entry(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "mp.jsonl" in str(caught.value)
    assert log.path.read_bytes() == before
    log.append(entry(2))
    assert len(require_sound(read_log(tmp_path)).entries) == 2


def test_a_disk_truly_full(tmp_path: Path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        log, confirmed, failure = Log.open(disk / "adjudications", "mp"), 0, None
        while failure is None and confirmed < 1000:
            try:
                log.append(entry(confirmed + 1, note="x" * 1000))
                confirmed += 1
            except LogWriteError as error:
                failure = error
        assert "No space left" in str(failure)
        assert [one.id for one in require_sound(read_log(log.folder)).entries] == [nth(n) for n in range(1, confirmed + 1)]
        assert confirmed > 5
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_folder_that_cannot_be_written(tmp_path: Path):
    (tmp_path / "adjudications").write_text("a file in the way")
    with pytest.raises(LogWriteError):
        Log.open(tmp_path / "adjudications", "mp").append(entry(1))
    (tmp_path / "logs" / "mp.jsonl").mkdir(parents=True)
    with pytest.raises(LogWriteError):
        Log.open(tmp_path / "logs", "mp").append(entry(1))


def test_a_log_held_by_another_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("scoring.adjudication.log.write.LOCK_SECONDS", 0.05)
    path = write(tmp_path, "mp.jsonl", entry(1))
    with path.open("rb") as holder:
        portalocker.lock(holder, portalocker.LockFlags.EXCLUSIVE)
        with pytest.raises(LogWriteError, match="another program holds the log"):
            Log.open(tmp_path, "mp").append(entry(2))
    Log.open(tmp_path, "mp").append(entry(2))
    assert len(read_log(tmp_path).entries) == 2


def test_a_file_put_in_the_logs_place_takes_the_next_verdict(tmp_path: Path):
    log = Log.open(tmp_path, "mp")
    log.append(entry(1))
    other = write(tmp_path, "merged", entry(1), entry(2))
    other.replace(log.path)
    log.append(entry(3))
    assert [one.id for one in read_log(tmp_path).entries] == [nth(1), nth(2), nth(3)]


def test_a_file_replaced_during_the_append_is_appended_to_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    log = Log.open(tmp_path, "mp")
    log.append(entry(1))
    other = write(tmp_path, "merged", entry(1), entry(2))
    real = os.fsync

    def swapping(file: int) -> None:
        real(file)
        if other.exists():
            other.replace(log.path)

    monkeypatch.setattr(os, "fsync", swapping)
    log.append(entry(3))
    assert [one.id for one in read_log(tmp_path).entries] == [nth(1), nth(2), nth(3)]


def test_links_out_of_the_folder_are_refused(tmp_path: Path):
    outside = write(tmp_path / "outside", "mp.jsonl", entry(1))
    folder = tmp_path / "adjudications"
    folder.mkdir()
    (folder / "mp.jsonl").symlink_to(outside)
    with pytest.raises(InputError, match="link out of its folder"):
        Log.open(folder, "mp")
    with pytest.raises(InputError, match="link out of the folder"):
        require_sound(read_log(folder))
    assert require_sound(read_log(folder), ["mp.jsonl:1"]).entries == ()


# Killed at random moments, and two at once.


def start(folder: Path, verifier: str, count: int = 1_000_000) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.scoring.adjudication.appender", str(folder), verifier, str(count)]
    # Without a buffer: lines read ahead into one would be lost to `communicate`, which reads the pipe itself where it has a timeout.
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, bufsize=0)


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGHUP], ids=["SIGKILL", "SIGHUP"])
def test_every_confirmed_verdict_survives_a_kill(tmp_path: Path, sent: signal.Signals):
    chance = random.Random(20261129)
    confirmed: set[str] = set()
    for _ in range(KILLS):
        process = start(tmp_path, "mp")
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == b"ready\n"
            # Some confirmed for certain, however slow the machine, then a moment anywhere in the next append.
            confirmed |= {process.stdout.readline().decode().strip() for _ in range(chance.randrange(4))}
            time.sleep(chance.uniform(0, 0.01))
            process.send_signal(sent)
            printed, _ = process.communicate(timeout=60)
        finally:
            process.kill()
        assert process.returncode == -sent
        confirmed |= {line.decode() for line in printed.split(b"\n")[:-1]}
        held = {one.id for one in require_sound(read_log(tmp_path)).entries}
        assert confirmed <= held
        assert len(held) <= len(confirmed) + KILLS
    assert len(confirmed) > KILLS


def test_two_terminals_of_one_verifier_do_not_interleave(tmp_path: Path):
    processes = [start(tmp_path, "mp", 150) for _ in range(2)]
    printed = [process.communicate()[0].split(b"\n")[1:-1] for process in processes]
    contents = read_log(tmp_path)
    assert contents.problems == ()
    assert {one.id for one in contents.entries} == {line.decode() for lines in printed for line in lines}
    assert len(contents.entries) == 300


# Reading.


def test_an_absent_folder_is_an_empty_log(tmp_path: Path):
    assert read_log(tmp_path / "none").entries == ()


def test_a_corrupt_line_in_the_middle_stops_scoring_until_excluded_by_name(tmp_path: Path):
    write(tmp_path, "mp.jsonl", entry(1), b'{"schema": 1, "id"', entry(3))
    contents = read_log(tmp_path)
    (problem,) = contents.problems
    assert (problem.severity, problem.where, problem.line) == (Severity.ERROR, "mp.jsonl", 2)
    with pytest.raises(InputError) as caught:
        require_sound(contents)
    assert f"{tmp_path}/mp.jsonl:2: " in str(caught.value)
    hash = contents.faults[0].hash
    assert hash in str(caught.value)
    for name in ("mp.jsonl:2", hash):
        sound = require_sound(contents, [name])
        assert [one.id for one in sound.entries] == [nth(1), nth(3)]
        assert [p.severity for p in sound.problems] == [Severity.WARNING]
    with pytest.raises(InputError):
        require_sound(contents, ["mp.jsonl:1"])
    clean = write(tmp_path / "clean", "mp.jsonl", entry(1)).parent
    assert "names no faulty line" in str(require_sound(read_log(clean), ["mp.jsonl:7"]).problems[0])
    assert len(require_sound(read_log(clean), ["mp.jsonl:1"]).entries) == 1


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"null",
        b"\xff\xfe{\x00}\x00",
        b"[" * 100_000,
        b'{"schema":1}',
        encode(entry(5)).replace(b'"human"', b'"ghost"'),
        encode(entry(5)).replace(b'"certainty":null', b'"certainty":0'),
        encode(entry(5)).replace(b'"at":"2026', b'"at":"yesterday 2026'),
        encode(entry(5)).replace(nth(5).encode(), b"5"),
        encode(entry(5)).replace(b'"verifier":"mp"', b'"verifier":"../mp"'),
        encode(entry(5)).replace(b'"scope":"reading"', b'"scope":"row"'),
        encode(entry(5)).replace(b'"task":"tables"', b'"task":"\xff"'),
        encode(entry(5)) + encode(entry(6)),
    ],
)
def test_what_is_not_an_entry_is_a_fault_with_its_place(tmp_path: Path, line: bytes):
    write(tmp_path, "mp.jsonl", entry(1), line, entry(9))
    contents = read_log(tmp_path)
    assert [(fault.file, fault.line) for fault in contents.faults] == [("mp.jsonl", 2)]
    assert [one.id for one in contents.entries] == [nth(1), nth(9)]


def test_text_from_a_faulty_line_is_made_visible(tmp_path: Path):
    write(tmp_path, "mp.jsonl", encode(entry(5)).replace(b'"human"', b'"\\u001b[31mred"'))
    assert "\x1b" not in str(read_log(tmp_path).problems[0])


def test_a_later_schema_and_a_merge_conflict_have_sentences_of_their_own(tmp_path: Path):
    future = encode(entry(2)).replace(b'"schema":1', b'"schema":2')
    changed = future.replace(b'"targets":[]', b'"targets":{"new":"shape"}')
    write(tmp_path, "mp.jsonl", future, changed, b"<<<<<<< HEAD", entry(3), b"=======", entry(4), b">>>>>>> theirs")
    contents = read_log(tmp_path)
    messages = [fault.message for fault in contents.faults]
    assert ["later version" in m for m in messages] == [True, True, False, False, False]
    assert ["merge conflict" in m for m in messages] == [False, False, True, True, True]
    assert [one.id for one in contents.entries] == [nth(3), nth(4)]


def test_empty_lines_byte_order_mark_and_carriage_returns_are_forgiven(tmp_path: Path):
    plain = write(tmp_path / "a", "mp.jsonl", entry(1), entry(2)).parent
    write(tmp_path / "b", "mp.jsonl", b"\xef\xbb\xbf" + encode(entry(1)) + b"\r", b"", b"  ", encode(entry(2)) + b"\r")
    contents = read_log(tmp_path / "b")
    assert [p.severity for p in contents.problems] == [Severity.NOTE, Severity.NOTE]
    assert contents.fingerprint == read_log(plain).fingerprint


def test_lines_are_split_on_newline_alone(tmp_path: Path):
    note = "a\u2028b\u0085c\x0bd\u2029"
    Log.open(tmp_path, "mp").append(entry(1, note=note))
    assert read_log(tmp_path).entries[0].note == note


def test_equal_ids_with_equal_content_count_once_however_spelled(tmp_path: Path):
    spaced = json.dumps(json.loads(encode(entry(1))), sort_keys=True).encode()
    write(tmp_path / "a", "mp.jsonl", entry(1), spaced, entry(1))
    write(tmp_path / "b", "mp.jsonl", spaced, entry(1))
    one, other = read_log(tmp_path / "a"), read_log(tmp_path / "b")
    assert one.entries == other.entries == (entry(1),)
    assert one.problems == ()
    assert one.fingerprint == other.fingerprint


def test_equal_ids_with_different_content_are_corruption(tmp_path: Path):
    write(tmp_path, "mp.jsonl", entry(1), entry(2), entry(1, verdict="different"))
    contents = read_log(tmp_path)
    assert [fault.line for fault in contents.faults] == [1, 3]
    assert contents.entries == (entry(2),)
    with pytest.raises(InputError, match="say different things"):
        require_sound(contents)
    kept = require_sound(contents, [contents.faults[1].hash])
    assert kept.entries == (entry(1), entry(2))
    assert kept.fingerprint == Decisions.of([entry(1), entry(2)]).fingerprint


def test_an_unknown_key_makes_content_differ(tmp_path: Path):
    write(tmp_path, "mp.jsonl", entry(1), encode(entry(1))[:-1] + b',"x":1}')
    assert len(read_log(tmp_path).faults) == 2


def test_a_line_in_anothers_file_counts_and_is_told(tmp_path: Path):
    write(tmp_path, "mp.jsonl", entry(1), entry(2, "xy"), entry(3, "xy"))
    contents = read_log(tmp_path)
    assert len(contents.entries) == 3
    (problem,) = contents.problems
    assert (problem.severity, problem.line) == (Severity.WARNING, 2)
    assert "2 lines of verifier xy" in problem.message


def test_retractions_and_rulings_that_lead_nowhere_are_told(tmp_path: Path):
    write(tmp_path, "mp.jsonl", entry(2), undo(3, 1))
    write(tmp_path, "xy.jsonl", undo(4, 2, "xy"), entry(5, "xy", resolves=(nth(0), nth(2))))
    messages = " ".join(str(problem) for problem in read_log(tmp_path).problems)
    assert messages.count("does not hold") == 2
    assert "so it has no effect" in messages


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_same_lines_in_any_order_over_any_files_stand_the_same(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject):
    made = data.draw(logs())
    # As a log holds them: whatever a reader would refuse cannot be in one.
    lines = [encode(one) for one in made if decode(encode(one))[0] is not None]
    made = [one for one in made if decode(encode(one))[0] is not None]
    order = data.draw(st.permutations(lines + data.draw(st.lists(st.sampled_from(lines), max_size=3)) if lines else []))
    places = data.draw(st.lists(st.sampled_from(["mp", "xy", "pi", "mp (copy)"]), min_size=len(order), max_size=len(order)))
    folder = tmp_path_factory.mktemp("log")
    for name in set(places):
        write(folder, f"{name}.jsonl", *(line for line, place in zip(order, places, strict=True) if place == name))
    found = require_sound(read_log(folder)).decisions()
    shutil.rmtree(folder)
    assert dict(found.standing) == standing(made)
    assert found.fingerprint == Decisions.of(made).fingerprint


# Merging.


def test_two_clones_merge_by_union(tmp_path: Path):
    def git(folder: Path, *words: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)

    if shutil.which("git") is None:
        pytest.skip("needs git")
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    git(one, "init", "-q")
    (one / ".gitattributes").write_text("adjudications/*.jsonl merge=union\n")
    Log.open(one / "adjudications", "mp").append(entry(1))
    git(one, "add", ".")
    git(one, "commit", "-q", "-m", "start")
    git(tmp_path, "clone", "-q", str(one), str(two))
    made = [entry(1)]
    for folder, numbers in ((one, (2, 4)), (two, (3, 5))):
        for number in numbers:
            new = entry(number, "mp", "different" if number % 2 else "same", f"t-{number}")
            made.append(new)
            Log.open(folder / "adjudications", "mp").append(new)
        other = entry(10 + numbers[0], "xy" if folder == one else "pi", "different")
        made.append(other)
        Log.open(folder / "adjudications", other.verifier).append(other)
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", "verdicts")
    git(two, "pull", "-q", "--no-rebase", "--no-edit", str(one), "main")
    merged = require_sound(read_log(two / "adjudications"))
    assert merged.problems == ()
    assert {one.id for one in merged.entries} == {one.id for one in made}
    assert merged.fingerprint == Decisions.of(made).fingerprint
    Log.open(two / "adjudications", "mp").append(entry(20))
    assert len(read_log(two / "adjudications").entries) == len(made) + 1


def test_import_is_a_checked_union(tmp_path: Path):
    folder = tmp_path / "adjudications"
    write(folder, "mp.jsonl", entry(1))
    odd = encode(entry(3, "xy"))[:-1] + b', "extra": [1]}'
    file = write(tmp_path, "sent.jsonl", json.dumps(json.loads(encode(entry(1)))).encode(), entry(2), odd, odd)
    result = import_lines(folder, file)
    assert (result.added, result.known) == ({"mp": 1, "xy": 1}, 1)
    assert (folder / "xy.jsonl").read_bytes() == odd + b"\n"
    again = import_lines(folder, file)
    assert (again.added, again.known) == ({}, 3)
    assert len(require_sound(read_log(folder)).entries) == 3


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ((entry(2), entry(1, verdict="different")), "another entry with the id"),
        ((entry(2), b"{}"), "nothing was imported"),
        ((entry(2), entry(2, note="x")), "say different things"),
    ],
)
def test_an_import_that_contradicts_changes_nothing(tmp_path: Path, lines: tuple[bytes | LogEntry, ...], sentence: str):
    folder = tmp_path / "adjudications"
    write(folder, "mp.jsonl", entry(1))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(InputError, match=sentence):
        import_lines(folder, write(tmp_path, "sent.jsonl", *lines))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_import_of_a_torn_file_takes_what_is_whole_and_says_so(tmp_path: Path):
    file = write(tmp_path, "sent.jsonl", entry(1), b'{"sch', end=b"")
    result = import_lines(tmp_path / "adjudications", file)
    assert result.added == {"mp": 1}
    assert "unfinished" in result.problems[0].message
    with pytest.raises(InputError, match="spreadsheet"):
        import_lines(tmp_path, tmp_path / "log.csv")
    with pytest.raises(InputError, match="no such file"):
        import_lines(tmp_path, tmp_path / "none.jsonl")
