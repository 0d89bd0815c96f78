"""The program in terminals of every kind: small, without colour, dumb, resized, pasted into, clicked; and text that tries to drive them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.adjudication.decisions import LogEntry, new_id, timestamp
from scoring.adjudication.log.write import read_log
from tests.tui.small import command, environment, log_of, small_session, small_workspace
from tests.tui.terminal import Screen, Terminal

# Textual asks for the pointer's shape by OSC 22; everything else it writes is known to the screen.
HARMLESS = re.compile(r"\x1b\]22;[a-z-]*(?:\x07|\x1b\\)")
HEAD = re.compile(r"\d+/\d+  \d+ open, \d+ decided")


def strange(terminal: Terminal) -> list[str]:
    """What reached the terminal that no program of ours should write."""
    return [one for one in terminal.screen.strange if not HARMLESS.fullmatch(one)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return small_workspace(tmp_path)


@pytest.fixture
def bench(root: Path, tmp_path: Path) -> Iterator[Terminal]:
    with Terminal(command(root, "review", "--queue", "all"), env=environment(tmp_path), size=(120, 40)) as terminal:
        terminal.wait_for(HEAD)
        terminal.settle()
        yield terminal


def test_the_screen_of_these_tests_sees_what_drives_a_terminal():
    screen = Screen(20, 2)
    screen.feed("a\x1b[31mb\x1b[0m")
    assert (screen.lines[0], screen.strange) == ("ab", [])
    for harm in ("\x1b]0;title\x07", "\x9b", "\u202e", "\x07", "\x1bc", "\x1b[5i"):
        screen = Screen(20, 2)
        screen.feed(f"a{harm}b")
        assert screen.strange, harm


def test_hostile_text_is_shown_and_drives_nothing(root: Path, tmp_path: Path):
    session = small_session(root)
    case = next(case for case in session.cases.values() if "Ros" in case.title and "\x1b" in case.title)
    hostile = "[red]fine[/red] [/] \x1b]52;c;b3duZWQ=\x07 \u202eolleh\u202c \x9b2J \u200b\x00\x07"
    log_of(root, "ab").append(
        LogEntry(
            id=new_id(""), at=timestamp(), verifier="ab", task="tables", case=case.id, verdict="invention", note=hostile,
            targets=case.targets, basis=dict(session.task.judge(session.evaluation, case, "invention").basis),
        )
    )  # fmt: skip
    shown: dict[str, str] = {}
    with Terminal(command(root), env=environment(tmp_path), size=(140, 60)) as terminal:
        terminal.wait_for("Next:")
        terminal.settle()
        shown["overview"] = terminal.screen.text
        terminal.send("V")
        terminal.wait_for(HEAD)
        terminal.settle()
        terminal.send("/")
        terminal.wait_for("Filter")
        terminal.send("status:decided\r")
        terminal.wait_for("Earlier verdicts")
        terminal.settle()
        shown["review"] = terminal.screen.text
        terminal.send("'")
        terminal.wait_for("U+001B")
        shown["characters"] = terminal.screen.text
        terminal.send("\x1b")
        terminal.settle()
        terminal.send("l")
        terminal.wait_for("alfa/naive/run_01  page 1")
        terminal.settle()
        shown["run"] = terminal.screen.text
        terminal.send(">>")
        terminal.settle()
        shown["run 10"] = terminal.screen.text
        for key in "SEAO":
            terminal.send(key)
            terminal.settle()
        terminal.send("q")
        assert terminal.wait() == 0
        assert strange(terminal) == []
    assert "Anna␛[31m Ros␛]0;owned␇so⟦009B⟧2J" in shown["review"]
    assert "[red]fine[/red] [/] ␛]52;c;b3duZWQ=␇ ⟦RLO⟧olleh⟦PDF⟧ ⟦009B⟧2J ⟦ZWSP⟧␀␇" in shown["review"].replace("\n", "") or (
        "[red]fine[/red] [/] ␛]52;" in shown["review"]
    )
    assert "[/] Leon" in shown["run"]
    assert "fig[liuo]lo Konti" in shown["run"]
    assert "[bold red]Invented[/bold red]" in shown["run 10"]
    assert "Gian⏎Francesco" in shown["run 10"]


@pytest.mark.parametrize("size", [(40, 10), (80, 24), (200, 60), (20, 5)])
def test_resized_while_it_runs(size: tuple[int, int], bench: Terminal):
    bench.resize(*size)
    bench.settle()
    bench.send("jjk]")
    bench.settle()
    bench.send("O")
    bench.settle()
    bench.send("R")
    bench.settle()
    bench.send("?")
    bench.settle()
    bench.send("\x1b")
    bench.settle()
    bench.resize(120, 40)
    bench.send("V")
    bench.wait_for(HEAD)
    bench.settle()
    bench.send("q")
    assert bench.wait() == 0
    assert strange(bench) == []


@pytest.mark.parametrize("term", ["dumb", "vt100", "linux", "screen-256color"])
def test_any_terminal_type_starts_and_takes_a_verdict(term: str, root: Path, tmp_path: Path):
    env = environment(tmp_path, TERM=term)
    del env["COLORTERM"]
    with Terminal(command(root, "review", "--queue", "all"), env=env) as terminal:
        terminal.wait_for(HEAD)
        terminal.send("u")
        terminal.wait_for("1 decided")
        terminal.send("q")
        assert terminal.wait() == 0
    assert len(read_log(root / "adjudications").entries) == 1


def test_without_colour_nothing_is_coloured_and_all_is_there(root: Path, tmp_path: Path):
    with Terminal(command(root, "review", "--queue", "borderline"), env=environment(tmp_path, NO_COLOR="1"), size=(120, 40)) as terminal:
        terminal.wait_for(HEAD)
        terminal.settle()
        raw = terminal.raw.decode("utf-8", "replace")
        colours = {tuple(map(int, rgb.split(";"))) for rgb in re.findall(r"\x1b\[[0-9;]*?[34]8;2;(\d+;\d+;\d+)", raw)}
        assert all(red == green == blue for red, green, blue in colours), "NO_COLOR leaves greys"
        assert "different?" in terminal.screen.text or "same?" in terminal.screen.text
        assert "○" in terminal.screen.text


def test_a_paste_of_ten_kilobytes_gives_no_verdict(bench: Terminal, root: Path):
    bench.send("\x1b[200~" + "usxdmfri z\n" * 1000 + "\x1b[201~")
    bench.settle(0.5)
    assert "0 decided" in bench.screen.text
    assert not (root / "adjudications").exists()
    bench.send("u")
    bench.wait_for("1 decided")


def test_a_paste_into_a_note_is_the_note_and_harms_nothing(bench: Terminal, root: Path):
    bench.send("t")
    bench.wait_for("Note for the next verdict")
    bench.send("\x1b[200~two [/] brothers \u202e\x9b2J\x1b[201~")
    bench.settle()
    bench.send("\r")
    bench.wait_for("note: two [/] brothers")
    bench.send("u")
    bench.wait_for("1 decided")
    assert strange(bench) == []
    note = read_log(root / "adjudications").entries[0].note
    assert note is not None
    assert note.startswith("two [/] brothers")


def test_a_click_puts_the_cursor_on_a_case_and_a_click_on_a_key_is_the_key(bench: Terminal):
    bench.click(5, 3)
    bench.wait_for("all  3/")
    row, column = next(
        (row, line.index("O Overview")) for row, line in enumerate(bench.screen.lines) if "O Overview" in line
    )  # fmt: skip
    bench.click(column, row)
    bench.wait_for("Next:")


def test_the_wheel_scrolls_and_keeps_the_cursor(bench: Terminal):
    before = HEAD.search(bench.screen.text)[0]
    bench.send("\x1b[<65;80;20M" * 3)
    bench.settle()
    assert HEAD.search(bench.screen.text)[0] == before


def test_the_verifier_is_asked_for_before_the_first_verdict(root: Path, tmp_path: Path):
    with Terminal(command(root, "review", "--queue", "all", verifier=None), env=environment(tmp_path), size=(100, 30)) as terminal:
        terminal.wait_for("Who are you?")
        terminal.send("\x1b")
        terminal.wait_for(lambda screen: "Who are you?" not in screen.text)
        terminal.wait_for(HEAD)
        terminal.settle()
        terminal.send("u")
        terminal.wait_for("Who are you?")
        assert not (root / "adjudications").exists()
        terminal.send("no name\r")
        terminal.wait_for("cannot be a verifier")
        terminal.send("ab\r")
        terminal.wait_for("1 decided")
    assert [entry.verifier for entry in read_log(root / "adjudications").entries] == ["ab"]
    with Terminal(command(root, "review", "--queue", "all", verifier=None), env=environment(tmp_path), size=(100, 30)) as terminal:
        terminal.wait_for(HEAD)
        terminal.send("u")
        terminal.wait_for("2 decided")


def test_a_combining_mark_typed_alone_is_no_verdict(bench: Terminal, root: Path):
    """A letter with a mark, decomposed as some keyboards send it, arrives as the letter's key and the mark's."""
    bench.send("\u0303\u0301é")
    bench.settle()
    assert "0 decided" in bench.screen.text
    assert not (root / "adjudications").exists()
