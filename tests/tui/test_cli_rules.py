"""`adjudicate rules list | check | preview | draft | settle | reopen | edit`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.cli_runner import Run

HEAD = (
    "# Rules\r\n\r\n## 1. Ignore rules\r\n\r\n"
    "| token | field | position | side | status | witness | note |\r\n|---|---|---|---|---|---|---|\r\n"
    "| di verona | name | trailing | model | OPEN | Israel Bayson di Verona | kept | \r\n\r\n"
    "## 2. Equivalences\r\n\r\n| form | canonical | field | status | witness | note |\r\n|---|---|---|---|---|---|\r\n"
    "| bayson | baysan | name | OPEN | Israel Bayson | |\r\n"
    "| konti | conti | name | OPEN | fig[liuo]lo Konti | |\r\n"
    "| kingsech | x | name | OPEN | | |\r\n\r\n"
    "## 3. Near misses\r\n\r\n| form | not | field | why |\r\n|---|---|---|---|\r\n| konti | conti | name | another family |\r\n"
)
IGNORE, BAYSON, KONTI, LOST = 7, 13, 14, 15


@pytest.fixture
def ruled(register: Path) -> Path:
    (register / "EQUIVALENCES.md").write_bytes(HEAD.encode())
    return register


def test_list(adjudicate: Run, ruled: Path) -> None:
    rows = adjudicate("-C", ruled, "rules", "list", "--format", "json").json
    assert [(row["line"], row["kind"]) for row in rows] == [
        (IGNORE, "ignore"), (BAYSON, "equivalence"), (KONTI, "equivalence"), (LOST, "equivalence"), (21, "nearmiss"),
    ]  # fmt: skip
    opened = adjudicate("-C", ruled, "rules", "list", "--open", "--format", "json").json
    assert [row["line"] for row in opened] == [IGNORE, BAYSON, KONTI, LOST]
    assert "fig[liuo]lo Konti" in adjudicate("-C", ruled, "rules", "list").out
    assert adjudicate("-C", ruled, "rules", "list", "--field", "title").out.count("\n") == 1


def test_check_tells_the_open_fault_by_its_line(adjudicate: Run, ruled: Path) -> None:
    done = adjudicate("-C", ruled, "rules", "check")
    assert done.code == 1
    assert f"EQUIVALENCES.md:{KONTI}" in done.out
    found = adjudicate("-C", ruled, "rules", "check", "--format", "json").json
    assert any(one["line"] == KONTI and "near miss" in one["message"] for one in found)


def test_no_rules_file_is_no_fault(adjudicate: Run, register: Path) -> None:
    assert adjudicate("-C", register, "rules", "check").code == 0
    assert adjudicate("-C", register, "rules", "list", "--format", "json").json == []
    assert adjudicate("-C", register, "rules", "preview").code == 0


def test_preview_alone_and_together(adjudicate: Run, ruled: Path) -> None:
    before = (ruled / "EQUIVALENCES.md").read_bytes()
    found = adjudicate("-C", ruled, "rules", "preview", "--format", "json").json
    assert [one["lines"] for one in found] == [[IGNORE], [BAYSON], [KONTI], [LOST], [IGNORE, BAYSON, LOST]]
    by_line = {one["lines"][0]: one for one in found[:4]}
    assert by_line[KONTI]["blocked"]
    assert not by_line[KONTI]["moves"]
    # `Israel Bayson di Verona`, in three runs of alfa: 2 * 13 of 36 characters in order before, 2 * 12 of 26 after stepping over.
    (alfa,) = by_line[IGNORE]["cells"]
    assert (alfa["model"], alfa["matched"]) == ("alfa", {"before": 30, "after": 33})
    assert [(pair["run"], pair["gt_row"], pair["model_row"]) for pair in by_line[IGNORE]["gained"]] == [
        (f"alfa/naive/run_{run:02}", 2, 2) for run in (1, 2, 3)
    ]
    assert {pair["after"] for pair in by_line[IGNORE]["gained"]} == {2 * 12 / 26}
    assert by_line[IGNORE]["lost"] == []
    assert (ruled / "EQUIVALENCES.md").read_bytes() == before
    text = adjudicate("-C", ruled, "rules", "preview").out
    assert "cannot be tried" in text
    assert "Together: lines" in text


def test_preview_of_chosen_lines(adjudicate: Run, ruled: Path) -> None:
    one = adjudicate("-C", ruled, "rules", "preview", BAYSON, "--format", "json").json
    assert [found["lines"] for found in one] == [[BAYSON]]
    two = adjudicate("-C", ruled, "rules", "preview", BAYSON, IGNORE, "--together", "--format", "json").json
    assert [found["lines"] for found in two] == [[IGNORE, BAYSON]]
    refused = adjudicate("-C", ruled, "rules", "preview", "3")
    assert refused.code == 2
    assert "EQUIVALENCES.md:3" in refused.err


def test_settle_is_what_the_preview_said(adjudicate: Run, ruled: Path) -> None:
    (found,) = adjudicate("-C", ruled, "rules", "preview", IGNORE, "--format", "json").json
    before = (ruled / "EQUIVALENCES.md").read_bytes()
    assert adjudicate("-C", ruled, "rules", "settle", IGNORE).code == 0
    after = (ruled / "EQUIVALENCES.md").read_bytes()
    assert after == before.replace(b"| model | OPEN |", b"| model | settled |")

    from scoring.tables.execution.evaluation import evaluate
    from scoring.tables.inputs.material import load
    from scoring.workspace.layout import open_workspace

    cells = {(cell.model, cell.phase): cell.counts for cell in evaluate(load(open_workspace(ruled))).cells}
    for cell in found["cells"]:
        assert cells[cell["model"], cell["phase"]].name_cer == cell["name_cer"]["after"]
    assert adjudicate("-C", ruled, "rules", "settle", IGNORE).code == 2
    assert adjudicate("-C", ruled, "rules", "reopen", IGNORE).code == 0
    assert (ruled / "EQUIVALENCES.md").read_bytes() == before


def test_settling_against_a_near_miss_is_refused(adjudicate: Run, ruled: Path) -> None:
    before = (ruled / "EQUIVALENCES.md").read_bytes()
    done = adjudicate("-C", ruled, "rules", "settle", KONTI)
    assert done.code == 2
    assert "near miss" in done.err
    assert (ruled / "EQUIVALENCES.md").read_bytes() == before


def test_draft_writes_an_open_row(adjudicate: Run, ruled: Path) -> None:
    done = adjudicate("-C", ruled, "rules", "draft", "--form", "serri", "--canonical", "seri", "--field", "name", "--witness", "a|b")
    assert done.code == 0
    rows = adjudicate("-C", ruled, "rules", "list", "--format", "json").json
    row = next(one for one in rows if one.get("form") == "serri")
    assert (row["canonical"], row["fields"], row["status"], row["witness"], row["note"]) == ("seri", ["name"], "OPEN", "a|b", "")
    ignore = adjudicate("-C", ruled, "rules", "draft", "--ignore", "conte", "--position", "leading", "--field", "name")
    assert ignore.code == 0
    assert b"\r\n| conte | name | leading | model | OPEN |" in (ruled / "EQUIVALENCES.md").read_bytes()


def test_draft_without_a_file_makes_one(adjudicate: Run, register: Path) -> None:
    assert adjudicate("-C", register, "rules", "draft", "--form", "rosi", "--canonical", "rossi", "--field", "name").code == 0
    assert adjudicate("-C", register, "rules", "check", "--format", "json").code == 0


@pytest.mark.parametrize(
    "words",
    [
        ("--form", "a", "--field", "name"),
        ("--ignore", "a", "--field", "name"),
        ("--ignore", "a", "--position", "leading", "--form", "b", "--field", "name"),
        ("--form", "a", "--canonical", "b"),
        ("--form", "a", "--canonical", "b", "--field", "nme"),
        ("--form", "...", "--canonical", "b", "--field", "name"),
    ],
)
def test_faulty_drafts_are_refused(adjudicate: Run, ruled: Path, words: tuple[str, ...]) -> None:
    assert adjudicate("-C", ruled, "rules", "draft", *words).code == 2
    assert (ruled / "EQUIVALENCES.md").read_bytes() == HEAD.encode()


def test_edit_keeps_every_other_byte(adjudicate: Run, ruled: Path) -> None:
    assert adjudicate("-C", ruled, "rules", "edit", IGNORE, "note=a = b").code == 0
    assert (ruled / "EQUIVALENCES.md").read_bytes() == HEAD.replace("| kept |", "| a = b |").encode()
    assert adjudicate("-C", ruled, "rules", "edit", BAYSON, "nonsense").code == 2
    assert adjudicate("-C", ruled, "rules", "edit", BAYSON, "expected=x").code == 2
    assert adjudicate("-C", ruled, "rules", "edit", BAYSON, "colour=x").code == 2
