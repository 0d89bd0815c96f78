"""The place a verifier stopped at: kept at a pause, taken up at the next start, and never a way out of the workspace."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from scoring.adjudication.filters import parse_filter
from tests.tui.small import VERIFIER, command, environment, small_session, small_workspace
from tests.tui.terminal import Terminal
from tui.bench.position.autosave import AT_MOST, EVERY, REST, PlaceSaver
from tui.bench.position.saved_position import keep_place, last_screen, place_of, read_sitting, resume, write_place
from tui.bench.session import Session

SITTING = f".adjudicate-cache/sitting-{VERIFIER}.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


def placed(root: Path) -> Session:
    """A sitting that is somewhere in particular."""
    session = small_session(root)
    session.order_by_seed(7)
    session.open_queue("borderline", parse_filter("times>1"))
    session.move(2)
    session.mark()
    session.move(-1)
    session.mark()
    session.show_occurrence(1)
    session.pick(2)
    return session


def test_a_sitting_goes_on_exactly_where_it_stopped(root: Path):
    before = placed(root)
    assert before.occurrence == 1
    assert len(before.picked) == 1
    keep_place(root, before, "review")
    after = small_session(root)
    assert resume(root, after)
    assert place_of(after) == place_of(before)
    assert (after.seed, after.order) == (7, before.order)
    assert last_screen(root, after) == "review"


def test_a_seed_given_anew_stands_before_the_one_kept(root: Path):
    keep_place(root, placed(root), "review")
    after = small_session(root)
    after.order_by_seed(3)
    resume(root, after)
    assert after.seed == 3


def test_the_place_of_each_task_is_kept_and_the_last_task(root: Path):
    write_place(root, VERIFIER, "tables", {"queue": "surplus"}, "run")
    write_place(root, VERIFIER, "questions", {"queue": "all"}, "scores")
    kept = read_sitting(root, VERIFIER)
    assert kept == {"screen": "scores", "task": "questions", "places": {"tables": {"queue": "surplus"}, "questions": {"queue": "all"}}}
    assert last_screen(root, small_session(root)) is None, "the screen is that of the other task"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"places": 3, "task": [], "screen": {}}',
        b'{"places": {"tables": 5}}',
        b'{"places": {"tables": {"queue": "no such queue"}}}',
        b'{"places": {"tables": {"queue": "all", "filter": "similarity>=x"}}}',
        b'{"places": {"tables": {"queue": "all", "case": {}, "marked": [[]], "picked": 3, "occurrence": "x", "seed": "y"}}}',
        b'{"places": {"tables": {"queue": "all", "case": "t-00000000", "occurrence": 99, "picked": [[]], "seed": -1.5}}}',
    ],
)
def test_a_file_that_is_no_sitting_harms_nothing(content: bytes, root: Path):
    (root / ".adjudicate-cache").mkdir()
    (root / SITTING).write_bytes(content)
    session = small_session(root)
    resume(root, session)
    assert len(session.order) == 17
    assert session.marked == []
    keep_place(root, session, "review")
    assert json.loads((root / SITTING).read_bytes())["places"]["tables"] == place_of(session)


def test_what_is_gone_is_passed_over(root: Path):
    session = placed(root)
    place = {**place_of(session), "marked": ["t-00000000", session.order[0]], "picked": ["gt:1:99"], "occurrence": 99}
    write_place(root, VERIFIER, "tables", place, "review")
    after = small_session(root)
    resume(root, after)
    assert (after.cursor, after.marked, after.picked, after.occurrence) == (session.cursor, [session.order[0]], [], 0)


def test_nothing_is_written_through_a_link(root: Path, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root / ".adjudicate-cache").symlink_to(elsewhere)
    keep_place(root, small_session(root), "review")
    assert list(elsewhere.iterdir()) == []
    (root / ".adjudicate-cache").unlink()
    (root / ".adjudicate-cache").mkdir()
    (elsewhere / "precious").write_text("kept", "utf-8")
    (root / SITTING).symlink_to(elsewhere / "precious")
    keep_place(root, small_session(root), "review")
    assert (elsewhere / "precious").read_text("utf-8") == "kept"
    assert json.loads((root / SITTING).read_bytes())["screen"] == "review"


def test_the_folder_is_made_with_a_note_for_git_and_nothing_else_stays(root: Path):
    keep_place(root, small_session(root), "review")
    assert sorted(path.name for path in (root / ".adjudicate-cache").iterdir()) == [".gitignore", f"sitting-{VERIFIER}.json"]
    assert (root / ".adjudicate-cache" / ".gitignore").read_bytes() == b"*\n"


def test_a_place_that_cannot_be_written_is_no_fault(root: Path):
    (root / ".adjudicate-cache").write_text("a file", "utf-8")
    keep_place(root, small_session(root), "review")
    assert read_sitting(root, VERIFIER) == {"places": {}}


# Kept at a pause


def test_the_keeper_writes_what_changed_at_a_pause_and_not_at_every_key(root: Path):
    session, keeper = small_session(root), PlaceSaver(root)
    first = keeper.due(session, "review", {}, now=10.0, last_key=0.0)
    assert first is not None
    assert keeper.due(session, "review", {}, now=11.0, last_key=0.0) is None, "nothing has changed"
    session.move(1)
    assert keeper.due(session, "review", {}, now=12.0, last_key=12.0 - REST / 2) is None, "a key has just come"
    assert keeper.due(session, "review", {}, now=12.0 + EVERY, last_key=12.0 + EVERY) is not None, (
        f"keys without end: at {AT_MOST} s at most"
    )
    session.move(1)
    second = keeper.due(session, "review", {}, now=20.0, last_key=20.0 - 2 * REST)
    assert second is not None
    keeper.write(second)
    keeper.write(first)
    assert read_sitting(root, VERIFIER)["places"]["tables"]["case"] == session.cursor, "an older place never over a newer one"
    assert keeper.due(session, "run", {"page": "2"}, now=21.0, last_key=0.0) is not None, "another screen is another place"


def started(root: Path, home: Path, *words: str) -> Terminal:
    return Terminal(command(root, *words), env=environment(home), size=(120, 40))


def test_moves_survive_a_terminal_that_is_killed_a_moment_later(root: Path, tmp_path: Path):
    with started(root, tmp_path) as terminal:
        terminal.wait_for("Next:")
        terminal.send("V\t\t")
        terminal.wait_for("unmatched  ")
        terminal.send("jj*")
        terminal.wait_for("1 marked")
        terminal.settle(AT_MOST)
        session = small_session(root)
        terminal.kill(signal.SIGKILL)
    kept = read_sitting(root, VERIFIER)
    session.open_queue("unmatched")
    assert (kept["screen"], kept["task"]) == ("review", "tables")
    assert kept["places"]["tables"]["queue"] == "unmatched"
    assert kept["places"]["tables"]["marked"] == [session.order[2]]
    assert kept["places"]["tables"]["case"] == session.order[3]
    with started(root, tmp_path) as terminal:
        terminal.wait_for("unmatched  4/")
        terminal.wait_for("B batch")


def test_the_run_and_page_one_looked_at_come_again_and_what_is_asked_for_comes_before(root: Path, tmp_path: Path):
    with started(root, tmp_path) as terminal:
        terminal.wait_for("Next:")
        terminal.send("R>]j")
        terminal.wait_for("alfa/naive/run_02  page 2")
        terminal.settle()
        terminal.send("q")
        assert terminal.wait() == 0
    with started(root, tmp_path) as terminal:
        terminal.wait_for("alfa/naive/run_02  page 2")
    with started(root, tmp_path, "review", "--queue", "surplus") as terminal:
        terminal.wait_for("surplus  1/")


def test_textuals_own_key_to_quit_keeps_the_place_too(root: Path, tmp_path: Path):
    with started(root, tmp_path) as terminal:
        terminal.wait_for("Next:")
        terminal.send("S")
        terminal.settle()
        terminal.send("\x11")
        assert terminal.wait() == 0
    assert read_sitting(root, VERIFIER)["screen"] == "scores"


def test_a_pipe_gets_the_overview_whatever_was_looked_at_last(root: Path, adjudicate):
    before = adjudicate("-C", root, "review").out
    write_place(root, None, "questions", {"queue": "all", "filter": "page:1"}, "run")
    assert adjudicate("-C", root, "review").out == before
