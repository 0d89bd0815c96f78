"""Whole commands on workspaces that mean harm: an answer or a sentence, in time, and nothing outside the workspace touched."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import pytest

from tests.hostile.workspaces import assert_harmless, everything, hostile, limited, run, sound

ROUNDS = int(os.environ.get("ADJUDICATE_HOSTILE", "25"))
"""Workspaces tried; `benchmarks/soak.py` asks for more."""
SOUND = 1
FIRST = int(os.environ.get("ADJUDICATE_SEED", "0"))

READING = (
    ["check"],
    ["check", "--all"],
    ["check", "--format", "json"],
    ["score"],
    ["score", "--format", "json"],
    ["score", "--format", "csv"],
    ["score", "--format", "md"],
    ["next"],
    ["next", "--format", "json"],
    ["log", "check"],
    ["log", "list"],
    ["rules", "check"],
    ["rules", "list", "--format", "json"],
)


@pytest.mark.parametrize("seed", range(FIRST, FIRST + ROUNDS))
def test_no_workspace_breaks_a_command(tmp_path: Path, seed: int):
    folder = tmp_path / "workspace"
    folder.mkdir()
    (tmp_path / "outside.txt").write_text("not yours\n")
    hostile(folder, seed)
    before = everything(tmp_path)
    for words in READING:
        done = run(folder, words)
        assert_harmless(done, words)
        if words[-1] == "json" and done.code != 2:
            json.loads(done.out)
    assert everything(tmp_path) == before, "a command that only reads has written"
    found = re.search(r"t-[0-9a-f]{8}", run(folder, ["next"]).out)
    if found is not None:
        for words in (
            ["show", found.group()],
            ["decide", found.group(), "unsure"],
            ["decide", found.group(), "same", "--note", "\x1b[2J"],
            ["undo"],
        ):
            assert_harmless(run(folder, words), words)
    for words in (["score", "--output", str(folder / "scores")], ["export", str(folder / "deposit")]):
        assert_harmless(run(folder, words), words)
    after = everything(tmp_path)
    outside = {name for name in after if not name.startswith("workspace/")}
    assert outside == {"outside.txt"}
    assert after["outside.txt"] == b"not yours\n"
    written = {name for name in after if after[name] != before.get(name)}
    allowed = re.compile(r"workspace/(adjudications/mp\.(jsonl|torn-[^/]*\.txt)|scores/[\w.-]+|deposit/[\w./-]+)")
    assert all(allowed.fullmatch(name) for name in written), written


@pytest.mark.parametrize("name", ["../x", "a/b", "..", "", "a b", "\x1b[31m", "ü", "x" * 65, "-", "con\n"])
def test_no_verifiers_name_leads_out_of_the_folder(tmp_path: Path, name: str):
    folder = tmp_path / "workspace"
    folder.mkdir()
    sound(folder, random.Random(SOUND))
    found = re.search(r"t-[0-9a-f]{8}", run(folder, ["next"]).out)
    assert found is not None
    before = everything(tmp_path)
    done = run(folder, ["--verifier", name, "decide", found.group(), "unsure"])
    assert_harmless(done, ["decide"])
    written = {path for path, data in everything(tmp_path).items() if data != before.get(path)}
    if re.fullmatch("[A-Za-z0-9_-]{1,64}", name):
        assert written == {f"workspace/adjudications/{name}.jsonl"}
    else:
        assert written <= {"workspace/adjudications/mp.jsonl"}
        assert done.code == 2 or name == ""


@pytest.mark.parametrize("page", ["../../outside", "/etc/passwd", "..", "a/../b", "\x1b[2J", "1\n2", "", " ", "\u202e1"])
def test_no_page_of_a_run_leads_anywhere(tmp_path: Path, page: str):
    folder = tmp_path / "workspace"
    folder.mkdir()
    sound(folder, random.Random(SOUND))
    path = folder / "runs" / "alfa" / "naive" / "run_01.json"
    path.write_text(json.dumps({"pages": {page: {"status": "ok", "travelers": [{"name": "Anna Rossi"}]}}}))
    before = everything(tmp_path)
    for words in READING:
        assert_harmless(run(folder, words), words)
    assert everything(tmp_path) == before


def test_a_log_linked_out_of_the_workspace_is_neither_read_nor_written(tmp_path: Path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    sound(folder, random.Random(SOUND))
    log = folder / "adjudications" / "mp.jsonl"
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(log.read_bytes())
    log.unlink()
    log.symlink_to(outside)
    before = outside.read_bytes()
    for words in (["next"], ["score"], ["decide", "t-", "same"], ["undo"]):
        done = run(folder, words)
        assert done.code == 2, words
        assert_harmless(done, words)
    assert outside.read_bytes() == before


@pytest.mark.parametrize(
    "name",
    ["gt/gt_page_1.csv", "runs/alfa/naive/run_01.json", "EQUIVALENCES.md", "adjudicate.toml", "gt/schema.json", "adjudications/mp.jsonl"],
)
@pytest.mark.parametrize("kind", ["pipe", "endless"])
def test_a_pipe_or_a_device_in_a_files_place_is_not_waited_for(tmp_path: Path, name: str, kind: str):
    folder = tmp_path / "workspace"
    folder.mkdir()
    sound(folder, random.Random(SOUND))
    (folder / name).unlink()
    if kind == "pipe":
        os.mkfifo(folder / name)
    else:
        (folder / name).symlink_to("/dev/zero")
    for words in (["check"], ["score"], ["next"], ["rules", "check"]):
        done = run(folder, words, seconds=20)
        assert_harmless(done, words)


def test_a_hundred_megabytes_in_one_line_are_refused_in_a_sentence(tmp_path: Path):
    folder = tmp_path / "workspace"
    folder.mkdir()
    sound(folder, random.Random(SOUND))
    with (folder / "runs" / "alfa" / "naive" / "run_01.json").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    with limited(30):
        done = run(folder, ["check"])
    assert done.code == 1
    assert "larger than 64 MB" in done.out
