"""Reading without a trace; saves that are all or nothing, whoever else writes and whatever kills them."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from scoring.adjudication.log.write import read_log
from scoring.foundations.problems import InputError
from scoring.records.database import connection as database_module
from scoring.records.database.connection import DatabaseChangedError, reading, refusal, transaction
from scoring.records.measures.accuracy import accuracy
from tests.scoring.records.build import make, opened, record, rows, run
from tests.shared import ROOT


def listing(folder):
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir() if path.is_file()}


def count(path):
    with reading(path) as connection:
        return connection.execute("SELECT COUNT(*) FROM records").fetchone()[0]


def wal(path):
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = wal")
    return connection


# Reading


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_reading_leaves_file_and_folder_as_they_are(mode, tmp_path):
    path = make(tmp_path)
    if mode == "wal":
        wal(path).close()
    before = listing(tmp_path)
    assert count(path) == 3
    accuracy(path)
    assert listing(tmp_path) == before


def test_rows_that_still_wait_in_the_wal_are_read_and_nothing_is_touched(tmp_path):
    path = make(tmp_path)
    writer = wal(path)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("DELETE FROM records WHERE id = 'r1-uuid'")
    before = {name: content for name, content in listing(tmp_path).items() if not name.endswith("-shm")}
    assert count(path) == 2
    assert {name: content for name, content in listing(tmp_path).items() if not name.endswith("-shm")} == before
    writer.close()


def test_a_wal_left_by_a_killed_writer_is_read_too(tmp_path):
    path = make(tmp_path / "live")
    writer = wal(path)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("DELETE FROM records WHERE id = 'r1-uuid'")
    left = tmp_path / "left"
    left.mkdir()
    for suffix in ("", "-wal"):
        (left / f"eco.db{suffix}").write_bytes((tmp_path / "live" / f"eco.db{suffix}").read_bytes())
    writer.close()
    before = listing(left)
    assert count(left / "eco.db") == 2
    assert listing(left) == before


def test_a_save_cut_off_half_way_reads_as_the_old_state(tmp_path):
    path = make(tmp_path / "live", documents=200)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN")
    writer.execute("UPDATE records SET note = hex(randomblob(400))")
    left = tmp_path / "left"
    left.mkdir()
    for suffix in ("", "-journal"):
        (left / f"eco.db{suffix}").write_bytes((tmp_path / "live" / f"eco.db{suffix}").read_bytes())
    writer.execute("ROLLBACK")
    writer.close()
    before = listing(left)
    with reading(left / "eco.db") as connection:
        assert connection.execute("SELECT COUNT(*) FROM records WHERE length(note) > 100").fetchone()[0] == 0
    assert listing(left) == before


def test_a_write_during_an_unguarded_reading_is_noticed(tmp_path):
    path = make(tmp_path)
    wal(path).close()

    def read_meanwhile():
        with reading(path) as connection:
            connection.execute("SELECT COUNT(*) FROM records").fetchone()
            run(path, "DELETE FROM records")

    with pytest.raises(DatabaseChangedError, match="while it was being read"):
        read_meanwhile()


@pytest.mark.parametrize(("content", "word"), [(b"plain text, no database", "not a SQLite database"), (None, "no such database")])
def test_what_is_no_database_is_said(content, word, tmp_path):
    path = tmp_path / "x.db"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=word):
        count(path)


def test_a_damaged_file_is_a_sentence(tmp_path):
    path = make(tmp_path)
    damaged = bytearray(path.read_bytes())
    damaged[100:] = os.urandom(len(damaged) - 100)
    path.write_bytes(damaged)
    with pytest.raises(InputError, match="refused"):
        count(path)


def test_a_folder_that_may_not_be_written_to_can_be_read(tmp_path):
    path = make(tmp_path / "shut")
    wal(path).close()
    (tmp_path / "shut").chmod(0o555)
    try:
        assert count(path) == 3
    finally:
        (tmp_path / "shut").chmod(0o755)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write to every file")
def test_a_file_that_may_not_be_written_to_is_refused_for_review(tmp_path):
    path = make(tmp_path)
    path.chmod(0o444)
    with pytest.raises(InputError, match="may not be written to"):
        opened(path)


def test_what_sqlite_says_becomes_a_sentence(tmp_path):
    said = str(refusal(sqlite3.OperationalError("attempt to write a readonly database"), tmp_path))
    assert "may not be written to" in said
    assert "disk refused the write" in str(refusal(sqlite3.OperationalError("database or disk is full"), tmp_path))


# More than SQLite's variables


def test_more_records_than_sqlite_has_variables(tmp_path):
    path = make(tmp_path, records=0)
    connection = sqlite3.connect(path)
    connection.executemany(
        "INSERT INTO records (id, document_id, record_id, name, tags, extraction_timestamp, prompt_hash)"
        " VALUES (?, 1, ?, 'n', '[]', 't', 'p')",
        [(f"id{number}", f"r{number}") for number in range(33_000)],
    )
    connection.executemany(
        "INSERT INTO record_edits VALUES (?, ?, 'place', NULL, 't')", [(f"e{number}", f"id{number * 3}") for number in range(11_000)]
    )
    connection.execute("UPDATE documents SET reviewed_at = 't'")
    connection.commit()
    connection.close()
    found = accuracy(path, folder=tmp_path).ecoextract
    assert (found["model_extracted"], found["records_with_edits"], found["column_edits"]) == (33_000, 11_000, {"place": 11_000})
    assert found["column_accuracy"]["place"] == 1 - 11_000 / 33_000


def test_a_choice_of_more_documents_than_sqlite_has_variables(tmp_path):
    path = make(tmp_path)
    run(path, "UPDATE documents SET reviewed_at = 't'")
    assert accuracy(path, list(range(1, 40_000))).ecoextract["verified_documents"] == 1


# Large texts are left where they are


def test_the_list_of_documents_reads_an_index_and_no_texts(tmp_path):
    path = make(tmp_path, documents=1)
    connection = sqlite3.connect(path)
    big = "x" * 20_000
    connection.executemany(
        "INSERT INTO documents (file_name, file_path, file_hash, upload_timestamp, document_content, ocr_images, title)"
        " VALUES (?, '', ?, 't', ?, ?, 'T')",
        [(f"p{number}", f"h{number + 10}", big, big) for number in range(2_000)],
    )
    connection.commit()
    connection.close()
    with opened(path) as review:
        start = time.perf_counter()
        assert len(review.documents()) == 2_001
        assert time.perf_counter() - start < 1
        plan = review.database.execute("EXPLAIN QUERY PLAN SELECT document_id, file_name, title, reviewed_at FROM documents").fetchall()
        assert "COVERING INDEX adjudicate_document_list" in plan[0][3]


# Several writers


def test_another_program_that_keeps_the_file_locked_is_waited_for_then_said(tmp_path, monkeypatch):
    path = make(tmp_path)
    with opened(path) as review:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        review.database.execute("PRAGMA busy_timeout = 100")
        with pytest.raises(InputError, match="locked for 10 seconds"), transaction(review.database, path):
            pass
        other.execute("ROLLBACK")
        other.close()
        seen = review.records(1)[0]
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="locked"):
            review.edit(seen, "place", "Rome")
        other.execute("ROLLBACK")
        other.close()
        assert read_log(tmp_path / "adjudications").entries == ()
        review.edit(seen, "place", "Rome")
    assert database_module.BUSY_SECONDS == 10


WRITER = """
import sys
from pathlib import Path
from scoring.records.inputs.operations import ConflictError
from scoring.records.review.review_session import Review

path, who, first, last = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with Review.open(path, path.parent / "adjudications", who) as review:
    for number in range(first, last):
        review.edit(review.record(f"r{number}-uuid"), "place", f"{who} {number}")
        review.add(1, {"name": f"{who} {number}"})
        while True:
            shared = review.record("shared-uuid")
            try:
                review.edit(shared, "count", shared.values["count"] + 1)
                break
            except ConflictError:
                continue
        print(number, flush=True)
"""


def start(path, who, first, last):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), who, str(first), str(last)], stdout=subprocess.PIPE, env=environment)


def with_shared_record(folder, records):
    path = make(folder, records=records)
    connection = sqlite3.connect(path)
    row = record(1, 0, id="shared-uuid", record_id="shared", count=0)
    connection.execute(f"INSERT INTO records ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
    connection.commit()
    connection.close()
    return path


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_two_processes_on_one_file_lose_nothing(mode, tmp_path):
    path = with_shared_record(tmp_path, 40)
    if mode == "wal":
        wal(path).close()
    running = [start(path, who, first, first + 20) for who, first in (("ann", 1), ("bob", 21))]
    assert [process.wait(timeout=120) for process in running] == [0, 0]
    found = {row["id"]: row for row in rows(path, "records")}
    assert all(found[f"r{number}-uuid"]["place"] == f"{'ann' if number <= 20 else 'bob'} {number}" for number in range(1, 41))
    assert sorted(row["name"] for row in found.values() if row["added_by_user"] == 1) == sorted(
        f"{'ann' if number <= 20 else 'bob'} {number}" for number in range(1, 41)
    )
    assert len({row["record_id"] for row in found.values()}) == 81
    assert found["shared-uuid"]["count"] == 40
    edits = rows(path, "record_edits")
    assert sum(row["column_name"] == "place" for row in edits) == 40
    assert len(read_log(tmp_path / "adjudications").entries) == 120


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_kill_in_the_middle_of_a_save_leaves_the_old_or_the_new_state(mode, tmp_path):
    dice = random.Random(7)
    path = with_shared_record(tmp_path, 400)
    if mode == "wal":
        wal(path).close()
    first = 1
    for _ in range(int(os.environ.get("ADJUDICATE_KILLS", "6"))):
        process = start(path, "ann", first, 401)
        confirmed = []
        for line in process.stdout:
            confirmed.append(int(line))
            if len(confirmed) >= 2:
                time.sleep(dice.random() * 0.02)
                break
        process.send_signal(signal.SIGKILL)
        confirmed += [int(line) for line in process.stdout]
        process.wait()
        first = _checked(path, confirmed) + 1
        if first > 390:
            break


def _checked(path, confirmed):
    """Every step is whole: its cell, its audit row, its place in our table and in the log belong together."""
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    connection.close()
    with opened(path, "ann") as review:
        assert len(review.pending()) <= 1
        assert all(done.refused is None for done in review.recover())
        logged = {entry.id for entry in read_log(review.log.folder).entries}
        steps = {row["id"]: row for row in rows(path, "adjudicate_verdicts") if row["kind"] != "database"}
        assert set(steps) == logged
        found = {row["id"]: row for row in rows(path, "records")}
        edited = {json.loads(row["operation"])["record"] for row in steps.values() if row["kind"] == "edit"}
        added = {row["record"] for row in steps.values() if row["kind"] == "add"}
        changed = {name for name, row in found.items() if str(row["place"]).startswith("ann")}
        assert changed == edited - {"shared-uuid"}
        assert {name for name, row in found.items() if row["added_by_user"] == 1} == added
        audits = {row["record_id"] for row in rows(path, "record_edits")}
        assert changed <= audits
        assert found["shared-uuid"]["count"] == sum(json.loads(row["operation"])["record"] == "shared-uuid" for row in steps.values())
    assert all(found[f"r{number}-uuid"]["place"] == f"ann {number}" for number in confirmed)
    return max([int(name.removeprefix("r").removesuffix("-uuid")) for name in changed], default=0)
