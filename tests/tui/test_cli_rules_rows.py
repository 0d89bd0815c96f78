"""`adjudicate rules` on rows by name: what is drafted with which witness, what is removed, previewed and listed; and undo beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cli_runner import Run
from tests.tui.small import small_session
from tests.tui.test_cli_rules import BAYSON, HEAD, IGNORE, KONTI, LOST
from tests.tui.test_cli_rules import ruled as ruled

NEAR = 21


def name_of(adjudicate: Run, root: Path, line: int) -> str:
    rows = adjudicate("-C", root, "rules", "list", "--format", "json").json
    return next(row["name"] for row in rows if row["line"] == line)


def drafted(adjudicate: Run, root: Path, *words: str) -> tuple[int, str]:
    """Exit code, and the witness of the new row (or what was said)."""
    done = adjudicate("-C", root, "rules", "draft", *words, "--format", "json")
    if done.code:
        return done.code, done.err.strip()
    rows = adjudicate("-C", root, "rules", "list", "--format", "json").json
    return 0, next(row["witness"] for row in rows if row["name"] == done.json["name"])


ROW = "model:alfa/naive/run_01:1:1"


@pytest.mark.parametrize(
    ("words", "witness"),
    [
        # A pair that the rule makes one comes before a value that it only changes.
        (("--form", "rosi", "--canonical", "rossi"), f"Anna Rosi for Anna Rossi, page 1 ({ROW})"),
        (("--form", "salmon", "--canonical", "salamon"), "Salmon Cormes, page 2 (model:alfa/naive/run_01:2:1)"),
        # Where the form stands in the ground truth alone.
        (("--form", "anna", "--canonical", "x", "--witness", "gt:1:1"), "Anna Rossi, page 1 (gt:1:1)"),
        (("--ignore", "q.m.", "--position", "anywhere"), "Leon q.m. Tedesco for Leon Tedesco, page 1 (model:beta/naive/run_01:1:4)"),
        (("--form", "rosi", "--canonical", "x", "--witness", ROW), f"Anna Rosi, page 1 ({ROW})"),
        (("--form", "rosi", "--canonical", "x", "--witness", "page 1, the third line"), "page 1, the third line"),
    ],
)
def test_the_witness_of_a_draft(adjudicate: Run, ruled: Path, words: tuple[str, ...], witness: str) -> None:
    assert drafted(adjudicate, ruled, *words, "--field", "name") == (0, witness)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--witness", "gt:1:2"),
            "adjudicate: `rosi` does not stand in `Israel Baysan`, at gt:1:2. A witness is a value that the rule changes.",
        ),
        (("--witness", "gt:9:9"), "adjudicate: nothing stands in `name` at gt:9:9. Give a ROW there is, or page and reading."),
    ],
)
def test_a_row_that_is_no_witness_is_refused(adjudicate: Run, ruled: Path, words: tuple[str, ...], said: str) -> None:
    assert drafted(adjudicate, ruled, "--form", "rosi", "--canonical", "rossi", "--field", "name", *words) == (2, said)
    assert (ruled / "EQUIVALENCES.md").read_bytes() == HEAD.encode()


def test_a_draft_without_witness_is_told_or_where_one_is_wanted_refused(adjudicate: Run, ruled: Path) -> None:
    words = ("-C", ruled, "rules", "draft", "--form", "wien", "--canonical", "x", "--field", "name")
    refused = adjudicate(*words, "--witnessed")
    assert (refused.code, (ruled / "EQUIVALENCES.md").read_bytes()) == (2, HEAD.encode())
    sentence = "no value of name in ground truth or runs holds `wien`, so no witness was found."
    assert refused.err.strip() == f"adjudicate: {sentence} Name one: page and reading, or a ROW."
    told = adjudicate(*words)
    assert (told.code, told.err.strip()) == (
        0,
        f"warning: {sentence} Name one with --witness, or with `adjudicate rules edit`.",
    )
    assert b"| wien | x | name | OPEN | | |" in (ruled / "EQUIVALENCES.md").read_bytes()


def test_a_near_miss_is_drafted_and_one_that_a_rule_covers_is_refused(adjudicate: Run, ruled: Path) -> None:
    words = ("-C", ruled, "rules", "draft", "--form", "figliuolo", "--field", "name")
    assert adjudicate(*words, "--not", "figlio", "--why", "another word").code == 0
    assert adjudicate(*words, "--not=").code == 0
    text = (ruled / "EQUIVALENCES.md").read_bytes().decode()
    assert text == HEAD + "| figliuolo | figlio | name | another word |\r\n| figliuolo | | name | |\r\n"
    assert adjudicate("-C", ruled, "rules", "settle", BAYSON).code == 0
    refused = adjudicate("-C", ruled, "rules", "draft", "--form", "bayson", "--not", "baysan", "--field", "name")
    assert refused.code == 2
    assert "is covered in `name` by line 13. The draft was not written." in refused.err
    assert adjudicate(*words, "--not", "a", "--canonical", "b").code == 2


def test_remove_takes_out_an_open_row_or_a_near_miss_and_keeps_every_other_byte(adjudicate: Run, ruled: Path) -> None:
    path = ruled / "EQUIVALENCES.md"
    lines = HEAD.splitlines(keepends=True)
    done = adjudicate("-C", ruled, "rules", "remove", name_of(adjudicate, ruled, KONTI), "--format", "json")
    assert done.json == {
        "act": "removed", "path": str(path), "line": None, "name": None, "said": f"{path}:{KONTI}: removed: `konti` = `conti` in name.",
    }  # fmt: skip
    assert path.read_bytes().decode() == "".join(lines[: KONTI - 1] + lines[KONTI:])
    assert adjudicate("-C", ruled, "rules", "remove", NEAR - 1).code == 0
    assert path.read_bytes().decode() == "".join(lines[: KONTI - 1] + lines[KONTI : NEAR - 1])
    assert adjudicate("-C", ruled, "rules", "settle", BAYSON).code == 0
    before = path.read_bytes()
    refused = adjudicate("-C", ruled, "rules", "remove", BAYSON)
    assert (refused.code, path.read_bytes()) == (2, before)
    assert refused.err.strip() == f"adjudicate: {path}:{BAYSON}: this row is settled, so it is not taken out. Make it OPEN first."
    assert adjudicate("-C", ruled, "rules", "remove", 3).code == 2


def test_a_row_is_found_by_its_name_wherever_it_stands_and_refused_once_it_says_something_else(adjudicate: Run, ruled: Path) -> None:
    path = ruled / "EQUIVALENCES.md"
    name = name_of(adjudicate, ruled, BAYSON)
    moved = HEAD.replace("| bayson |", "| anna | ana | name | settled | | |\r\n| bayson |")
    path.write_bytes(moved.encode())
    assert adjudicate("-C", ruled, "rules", "settle", name).code == 0
    settled = path.read_bytes().decode()
    assert settled == moved.replace("| bayson | baysan | name | OPEN |", "| bayson | baysan | name | settled |")
    for act in (("settle",), ("reopen",), ("edit", "note=x"), ("remove",), ("preview",)):
        refused = adjudicate("-C", ruled, "rules", act[0], name, *act[1:])
        assert (refused.code, path.read_bytes().decode()) == (2, settled)
        assert refused.err.strip().endswith(f"no row is called {name} now: it has changed or is gone. Read the rules again.")
    refused = adjudicate("-C", ruled, "rules", "settle", "bayson")
    assert refused.err.strip().startswith("adjudicate: `bayson` names no row. Give its line in the file, or its name")


def test_rows_word_for_word_alike_have_names_of_their_own(adjudicate: Run, ruled: Path) -> None:
    path = ruled / "EQUIVALENCES.md"
    row = "| bayson | baysan | name | OPEN | Israel Bayson | |\r\n"
    path.write_bytes(HEAD.replace(row, row + row).encode())
    first, second = (name_of(adjudicate, ruled, line) for line in (BAYSON, BAYSON + 1))
    assert first != second
    assert adjudicate("-C", ruled, "rules", "edit", second, "note=the second").code == 0
    assert path.read_bytes().decode() == HEAD.replace(row, row + row.replace("| |\r\n", "| the second|\r\n"))


def test_what_reopening_would_move_is_what_settling_moved_the_other_way_round(adjudicate: Run, ruled: Path) -> None:
    (forth,) = adjudicate("-C", ruled, "rules", "preview", IGNORE, "--format", "json").json
    assert adjudicate("-C", ruled, "rules", "settle", IGNORE).code == 0
    (back,) = adjudicate("-C", ruled, "rules", "preview", IGNORE, "--format", "json").json
    assert len(forth["gained"]) == 3
    for gained, lost in zip(forth["gained"], back["lost"], strict=True):
        assert {**gained, "gained": False, "before": gained["after"], "after": gained["before"]} == lost
    assert [cell["f1"]["after"] for cell in back["cells"]] == [cell["f1"]["before"] for cell in forth["cells"]]
    assert "EQUIVALENCES.md:7  ignore `di verona` trailing (model side)  in name  if made OPEN again" in (
        adjudicate("-C", ruled, "rules", "preview", IGNORE).out
    )
    refused = adjudicate("-C", ruled, "rules", "preview", NEAR)
    assert (refused.code, "no rule stands on this line" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [IGNORE, BAYSON, KONTI, LOST, NEAR]),
        ("status:open kon", [KONTI]),
        ("-kind:near konti", [KONTI]),
        ("kind:ignore", [IGNORE]),
        ("status:near", [NEAR]),
        ("field:title", []),
        ('"another family"', [NEAR]),
        ('-"Israel Bayson" kind:e', [KONTI, LOST]),
    ],
)
def test_the_rows_a_filter_names(adjudicate: Run, ruled: Path, text: str, lines: list[int]) -> None:
    rows = adjudicate("-C", ruled, "rules", "list", "--filter", text, "--format", "json").json
    assert [row["line"] for row in rows] == lines


def test_a_faulty_filter_and_the_list_with_its_checks(adjudicate: Run, ruled: Path) -> None:
    refused = adjudicate("-C", ruled, "rules", "list", "--filter", "kind:rule")
    assert (refused.code, refused.err.strip()) == (
        2, "adjudicate: there is no kind `rule`. Kind is one of ignore, equivalence, near miss.",
    )  # fmt: skip
    found = adjudicate("-C", ruled, "rules", "list", "--checked", "--format", "json").json
    assert (len(found["rows"]), [one["line"] for one in found["problems"]]) == (5, [KONTI])
    assert f"warning: {ruled / 'EQUIVALENCES.md'}:{KONTI}: OPEN row" in adjudicate("-C", ruled, "rules", "list", "--checked").out


def test_undo_of_equivalent_tells_of_the_row_it_leaves_unless_another_verdict_stands_for_it(adjudicate: Run, register: Path) -> None:
    session = small_session(register)
    drafts = [case.id for case in session.cases.values() if session.task.draft(session.evaluation, case) is not None][:2]
    value = "rosi = rossi [name]"
    for case in drafts:
        assert adjudicate("-C", register, "--verifier", "mp", "decide", case, "equivalent", "--value", value).code == 0
    first = adjudicate("-C", register, "--verifier", "mp", "undo")
    assert "its OPEN row stays" not in first.out, "the other verdict stands for it"
    second = adjudicate("-C", register, "--verifier", "mp", "undo")
    rows = adjudicate("-C", register, "rules", "list", "--format", "json").json
    (row,) = rows
    assert (
        f"its OPEN row stays, on line {row['line']}: `rosi` = `rossi`. Take it out: adjudicate rules remove {row['name']}\n" in second.out
    )
    assert adjudicate("-C", register, "rules", "remove", row["name"]).code == 0
    assert adjudicate("-C", register, "rules", "list", "--format", "json").json == []
