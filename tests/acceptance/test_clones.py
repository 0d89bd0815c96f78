"""Two clones of a workspace in git: what verifiers decide in each, by commands, is merged by git as `init` told it to."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scoring.adjudication.log.write import read_log, require_sound
from tests.tui.cli_runner import Done, Run, runner
from tests.tui.small import small_workspace

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")


@pytest.fixture
def adjudicate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    return runner(capsys, monkeypatch, tmp_path)


def git(folder: Path, *words: str) -> str:
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "a"), ("EMAIL", "a@example.org"))}
    own = {"HOME": str(folder.parent), "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"], **who}
    done = subprocess.run(["git", *words], cwd=folder, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_decisions_of_two_clones_are_merged(adjudicate: Run, tmp_path: Path):
    origin = tmp_path / "origin"
    assert adjudicate("init", origin).code == 0
    shutil.copytree(small_workspace(tmp_path), origin, dirs_exist_ok=True)
    git(tmp_path, "init", "--quiet", "--initial-branch", "main", str(origin))

    def by(folder: Path, verifier: str, *words: object) -> Done:
        done = adjudicate("-C", folder, "--verifier", verifier, *words)
        assert done.code == 0, done.err
        return done

    cases = [case for case in _ids(by, origin) if case][:4]
    by(origin, "mp", "decide", cases[0], "unsure")
    git(origin, "add", ".")
    git(origin, "commit", "--quiet", "-m", "first")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(origin), str(clone))
    # One verifier judges in both clones, another in one of them, and they differ over a case.
    by(origin, "mp", "decide", cases[1], "unsure")
    by(origin, "mp", "decide", cases[2], "same")
    by(clone, "mp", "decide", cases[3], "unsure", "--note", "in the clone")
    by(clone, "mp", "undo", str(require_sound(read_log(clone / "adjudications")).entries[0].id))
    by(clone, "bb", "decide", cases[2], "different", "--blind")
    for folder in (origin, clone):
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", "more")
    git(clone, "pull", "--quiet", "--no-rebase", "--no-edit")
    git(origin, "pull", "--quiet", "--no-rebase", "--no-edit", str(clone), "main")
    fingerprints = set()
    for folder in (origin, clone):
        contents = require_sound(read_log(folder / "adjudications"))
        told = sorted((entry.verifier, entry.case, entry.verdict) for entry in contents.entries)
        assert told == sorted(
            [
                ("mp", cases[0], "unsure"),
                ("mp", cases[0], "retract"),
                ("mp", cases[1], "unsure"),
                ("mp", cases[2], "same"),
                ("mp", cases[3], "unsure"),
                ("bb", cases[2], "different"),
            ]
        )
        fingerprints.add(contents.decisions().fingerprint)
        assert adjudicate("-C", folder, "log", "check").code == 0
        found = adjudicate("-C", folder, "agreement", "--format", "json").json
        assert [conflict["case"] for conflict in found["conflicts"]] == [cases[2]]
        assert (found["verifiers"], found["kinds"][0]["agreed"]) == (["bb", "mp"], 0)
        assert by(folder, "mp", "show", cases[0], "--format", "json").json["status"] == "open"
    assert len(fingerprints) == 1


def _ids(by, folder: Path) -> list[str]:
    """Open borderline cases, each with the one before put off."""
    found: list[str] = []
    for _ in range(4):
        skipped = " ".join(f"-id:{case}" for case in found)
        found.append(by(folder, "nobody", "next", "--queue", "borderline", "--filter", skipped, "--format", "json").json["id"])
    return found
