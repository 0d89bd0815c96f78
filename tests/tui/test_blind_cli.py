"""Blind, and with several verifiers, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.cli_runner import Done, Run
from tests.tui.test_cli_review import entries, first
from tui.bench.hidden_repeats import APART
from tui.bench.opening import open_session

PAIR = '"P. Durazzo"'


def pair(adjudicate: Run, root: Path) -> str:
    return str(first(adjudicate, root, "--filter", PAIR)["id"])


def by(adjudicate: Run, root: Path, verifier: str, *words: object) -> Done:
    return adjudicate("-C", root, "--verifier", verifier, *words)


@pytest.mark.parametrize("command", ["show", "next"])
def test_a_conflict_is_hidden(command: str, adjudicate: Run, register: Path) -> None:
    case = pair(adjudicate, register)
    by(adjudicate, register, "aa", "decide", case, "same")
    by(adjudicate, register, "bb", "decide", case, "different")
    words = ("show", case) if command == "show" else ("next", "--filter", PAIR)
    found = by(adjudicate, register, "cc", *words, "--blind", "--format", "json").json
    assert (found["id"], found["status"], found["note"], found["history"]) == (case, "open", None, [])
    assert (found["leverage"], found["times"], found["similarity"], found["suggestion"]) == (None, None, None, None)
    text = by(adjudicate, register, "cc", *words, "--blind").out
    assert not any(word in text for word in ("aa:", "bb:", "conflict", "ruling", "0.6"))
    assert "Conflicts are hidden" in by(adjudicate, register, "cc", "next", "--queue", "conflicts", "--blind").err
    seeing = by(adjudicate, register, "cc", "show", case).out
    assert "A verdict on what is in dispute is a ruling: it settles 2 verdicts." in seeing


def test_a_blind_verdict_on_a_conflict_is_no_ruling(adjudicate: Run, register: Path) -> None:
    case = pair(adjudicate, register)
    by(adjudicate, register, "aa", "decide", case, "same")
    by(adjudicate, register, "bb", "decide", case, "different")
    done = by(adjudicate, register, "cc", "decide", case, "same", "--blind")
    assert (done.code, "ruling" in done.out) == (0, False)
    assert "aa: same" in done.out
    (entry,) = entries(register, "cc")
    assert (entry["blind"], entry["resolves"]) == (True, None)
    found = adjudicate("-C", register, "agreement", "--format", "json").json
    assert found["verifiers"] == ["aa", "bb", "cc"]
    assert [one["case"] for one in found["conflicts"]] == [case]
    again = by(adjudicate, register, "cc", "decide", case, "different", "--blind")
    assert "does not call it blind" in again.err
    assert "proposed was" not in again.out
    assert entries(register, "cc")[-1]["blind"] is False


def test_a_stale_verdict_of_another_is_hidden(adjudicate: Run, register: Path) -> None:
    case = pair(adjudicate, register)
    by(adjudicate, register, "aa", "decide", case, "same", "--note", "the hand of the clerk")
    page = register / "gt" / "gt_page_2.csv"
    page.write_text(page.read_text("utf-8").replace("Pietro Durazzo", "Paolo Durazzo"), "utf-8")
    stale = by(adjudicate, register, "cc", "next", "--queue", "stale", "--format", "json").json["id"]
    assert by(adjudicate, register, "cc", "next", "--queue", "stale", "--blind").out == ""
    refused = by(adjudicate, register, "cc", "show", stale, "--blind")
    assert (refused.code, "aa" in refused.err) == (2, False)


def test_a_second_blind_verifier_is_led_to_the_cases_of_the_first(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register)["id"]
    by(adjudicate, register, "aa", "decide", case, "unsure")
    assert by(adjudicate, register, "bb", "next", "--format", "json").json["id"] != case
    assert by(adjudicate, register, "bb", "next", "--filter", "mine:no", "--format", "json").json["id"] == case
    assert by(adjudicate, register, "bb", "next", "--blind", "--format", "json").json["id"] == case
    by(adjudicate, register, "bb", "decide", case, "unsure", "--blind")
    assert by(adjudicate, register, "bb", "next", "--blind", "--format", "json").json["id"] != case
    assert by(adjudicate, register, "bb", "next", "--filter", "mine:no by:aa").out == ""


def test_a_number_is_one_row_blind_and_seeing(adjudicate: Run, register: Path) -> None:
    case = pair(adjudicate, register)
    rows = [adjudicate("-C", register, "show", case, *blind, "--format", "json").json["candidates"] for blind in ((), ("--blind",))]
    seen = [row if row.startswith("gt:") else None for row in rows[0]]
    assert seen == rows[1]
    number = rows[0].index("gt:2:3") + 1
    by(adjudicate, register, "aa", "decide", case, "same", "--to", number)
    by(adjudicate, register, "bb", "decide", case, "same", "--to", number, "--blind")
    assert [entries(register, who)[0]["targets"] for who in ("aa", "bb")] == [["gt:2:3"]] * 2


def test_blind_a_duplicate_can_be_given_by_its_number(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--filter", "suggestion:duplicate")
    (repeated,) = case["targets"]
    refused = by(adjudicate, register, "mp", "decide", case["id"], "duplicate", "--blind")
    assert (refused.code, "points to the model row it repeats" in refused.err) == (2, True)
    shown = by(adjudicate, register, "mp", "show", case["id"], "--blind", "--format", "json").json
    number = case["candidates"].index(repeated) + 1
    assert shown["candidates"][number - 1] is None, "there, without its name"
    assert "alfa" not in json.dumps(shown)
    done = by(adjudicate, register, "mp", "decide", case["id"], "duplicate", "--to", number, "--blind")
    assert done.code == 0
    assert entries(register)[-1]["targets"] == [repeated]


def differing(register: Path) -> tuple[str, int]:
    """A case and the number of a claimant that is another row where the case occurs next."""
    session = open_session(register, None)
    for case in session.cases.values():
        session.go(case.id)
        found = []
        for _ in case.occurrences:
            found.append([line.cells[2] for block in session.evidence() if getattr(block, "numbered", False) for line in block.lines])
            session.show_occurrence(1)
        numbers = [at for at in range(len(found[0])) if any(len(names) <= at or names[at] != found[0][at] for names in found)]
        if numbers:
            return case.id, numbers[0] + 1
    raise AssertionError("no case whose claimants differ")


def test_a_number_that_hangs_on_the_place_wants_the_place(adjudicate: Run, register: Path) -> None:
    case, number = differing(register)
    refused = by(adjudicate, register, "mp", "decide", case, "same", "--to", number)
    assert (refused.code, "--occurrence 1" in refused.err) == (2, True)
    assert entries(register) == []
    shown = adjudicate("-C", register, "show", case, "--format", "json").json
    done = by(adjudicate, register, "mp", "decide", case, "same", "--to", number, "--occurrence", 1)
    assert done.code == 0
    assert entries(register)[-1]["basis"]["subject"] == shown["candidates"][number - 1]
    # The places the verdict settled are asked about no more.
    last = adjudicate("-C", register, "show", case, "--format", "json").json["times"]
    assert 1 < last < shown["times"]
    other = adjudicate("-C", register, "show", case, "--occurrence", last, "--format", "json").json["candidates"]
    assert f"--occurrence {last}" in adjudicate("-C", register, "show", case, "--occurrence", last).out
    by(adjudicate, register, "xy", "decide", case, "same", "--to", 1, "--occurrence", last)
    assert entries(register, "xy")[-1]["basis"]["subject"] == other[0]
    assert by(adjudicate, register, "mp", "decide", case, "same", "--to", 1, "--occurrence", shown["times"] + 1).code == 2


def test_a_filter_by_what_is_hidden_is_refused(adjudicate: Run, register: Path) -> None:
    refused = adjudicate("-C", register, "next", "--blind", "--filter", "similarity>=0.65")
    assert (refused.code, "hidden until the verdict" in refused.err) == (2, True)
    assert adjudicate("-C", register, "next", "--filter", "mine:perhaps").code == 2


def test_hidden_repeats_by_their_seed(adjudicate: Run, register: Path) -> None:
    given = []
    for _ in range(APART + 1):
        case = by(adjudicate, register, "mp", "next", "--blind", "--format", "json").json["id"]
        assert by(adjudicate, register, "mp", "decide", case, "unsure", "--blind").code == 0
        given.append(case)
    seed = next(number for number in range(100) if _due(register, number) == given[0])
    seeded = ("--blind", "--seed", seed)
    shown = by(adjudicate, register, "mp", "next", *seeded, "--format", "json").json
    assert (shown["id"], shown["status"], shown["suggestion"], shown["history"]) == (given[0], "open", None, [])
    text = by(adjudicate, register, "mp", "show", given[0], *seeded).out
    assert "Earlier verdicts" not in text
    assert f"decide {given[0]} VERDICT --blind --seed {seed}" in " ".join(text.split())
    assert by(adjudicate, register, "mp", "next", "--blind", "--format", "json").json["id"] not in given
    by(adjudicate, register, "mp", "decide", given[0], "different", *seeded)
    entry = entries(register)[-1]
    assert (entry["case"], entry["repeat"], entry["blind"]) == (given[0], True, True)
    (own,) = adjudicate("-C", register, "agreement", "--format", "json").json["with_self"]
    assert (own["repeats"], own["agreed"]) == (1, 0)
    assert "mp" in next(line for line in adjudicate("-C", register, "agreement").out.splitlines() if line.rstrip().endswith("0.0"))


def _due(root: Path, seed: int) -> str | None:
    session = open_session(root, "mp", blind=True)
    session.seed = seed
    return session.due_repeat()
