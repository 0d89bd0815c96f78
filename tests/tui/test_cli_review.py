"""`adjudicate review | next | show | decide | undo`: the same effects as the screens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tui.cli_runner import Run
from tui.bench.opening import open_session

ME = ("--verifier", "mp")


def entries(root: Path, verifier: str = "mp") -> list[dict[str, Any]]:
    path = root / "adjudications" / f"{verifier}.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def first(adjudicate: Run, root: Path, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = adjudicate("-C", root, "next", "--format", "json", *options).json
    return found


# review without a terminal


def test_without_a_terminal_the_overview_is_text(adjudicate: Run, register: Path) -> None:
    bare = adjudicate("-C", register)
    named = adjudicate("-C", register, "review")
    assert bare == named
    assert bare.code == 0
    session = open_session(register, None)
    left = session.progress("borderline").open
    assert any(line.split()[:2] == ["borderline", str(left)] for line in bare.out.splitlines())
    assert "adjudicate review" in bare.out


def test_an_unknown_queue_or_filter_is_refused(adjudicate: Run, register: Path) -> None:
    assert "queues are borderline" in adjudicate("-C", register, "review", "--queue", "nonsense").err.casefold()
    assert adjudicate("-C", register, "review", "--filter", "colour:red").code == 2
    assert adjudicate("-C", register, "review", "--task", "nonsense").code == 2


# next, show


def test_next_is_the_first_open_case_of_the_queue(adjudicate: Run, register: Path) -> None:
    session = open_session(register, None)
    for queue in ("borderline", "unmatched", "surplus"):
        session.open_queue(queue)
        expected = next(case for case in session.order if session.cases[case].status == "open")
        assert first(adjudicate, register, "--queue", queue)["id"] == expected


def test_the_filter_is_that_of_the_screens(adjudicate: Run, register: Path) -> None:
    assert first(adjudicate, register, "--filter", "page:10")["page"] == "10"
    nothing = adjudicate("-C", register, "next", "--filter", "page:99")
    assert nothing.code == 0
    assert nothing.out == ""
    assert "Nothing is open" in nothing.err


def test_show_takes_the_beginning_of_an_id(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register)
    assert adjudicate("-C", register, "show", case["id"][:7], "--format", "json").json == case
    assert adjudicate("-C", register, "show", "t-").code == 2
    assert adjudicate("-C", register, "show", "").code == 2
    assert adjudicate("-C", register, "show", "zzz").code == 2


def test_show_prints_question_evidence_and_what_to_say(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline")
    shown = adjudicate("-C", register, "show", case["id"]).out
    assert case["question"] in shown
    assert f"adjudicate decide {case['id']}" in shown
    assert "Claimants" in shown
    assert [block["kind"] for block in case["evidence"]][:2] == ["comparison", "gauge"]


def test_text_from_data_is_harmless_on_every_case(adjudicate: Run, register: Path) -> None:
    for case in open_session(register, None).cases:
        assert adjudicate("-C", register, "show", case).code == 0  # the runner refuses any control character in the output


def test_an_occurrence_that_is_not_there(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register)
    assert adjudicate("-C", register, "show", case["id"], "--occurrence", case["times"]).code == 0
    assert adjudicate("-C", register, "show", case["id"], "--occurrence", case["times"] + 1).code == 2


def test_a_case_is_shown_as_pointed_to_another_row(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline")
    number = next(at for at, row in enumerate(case["candidates"], 1) if row.startswith("gt:") and row != case["targets"][0])
    row = case["candidates"][number - 1]
    found = adjudicate("-C", register, "show", case["id"], "--to", number, "--format", "json").json
    assert found["evidence"][0]["upper_label"] == f"GT {row.rsplit(':', 1)[1]}, picked"
    assert found["evidence"] == adjudicate("-C", register, "show", case["id"], "--to", row, "--format", "json").json["evidence"]
    moved = [next(line["cells"] for line in one["effects"][0]["lines"] if line["cells"][0] == "same") for one in (case, found)]
    assert moved[0] != moved[1], "the effects are those of the row pointed to"
    for wrong in ("gt:1:99", "gt:99:1", "model:alfa/naive/run_09:1:1", "nonsense"):
        done = adjudicate("-C", register, "show", case["id"], "--to", wrong)
        assert (done.code, done.out) == (2, "")
        assert f"cannot point to {wrong}" in done.err


def test_blind_hides_proposal_model_and_verdicts(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline")
    adjudicate("-C", register, "--verifier", "other", "decide", case["id"], "same")
    done = adjudicate("-C", register, *ME, "show", case["id"], "--blind", "--format", "json")
    assert done.json["suggestion"] is None
    assert done.json["history"] == []
    assert "alfa" not in done.out
    assert "beta" not in done.out
    text = adjudicate("-C", register, *ME, "show", case["id"], "--blind").out
    assert "other" not in text
    assert "Suggested" not in text


# decide


def test_a_verdict_is_written_and_changes_the_queue(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline")
    done = adjudicate("-C", register, *ME, "decide", case["id"], "same", "--note", "a [/] note", "--certainty", "4")
    (entry,) = entries(register)
    assert done.code == 0
    assert entry["id"] in done.out
    assert (entry["verdict"], entry["note"], entry["certainty"], entry["verifier"], entry["by"]) == ("same", "a [/] note", 4, "mp", "human")
    assert entry["case"] == case["id"]
    assert adjudicate("-C", register, "show", case["id"], "--format", "json").json["status"] == "decided"
    assert first(adjudicate, register, "--queue", "borderline")["id"] != case["id"]


def test_the_entry_is_what_the_sitting_would_write(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "surplus")
    session = open_session(register, "screens")
    session.show_case(case["id"])
    given = session.give("invention")
    adjudicate("-C", register, *ME, "decide", case["id"], "invention")
    (entry,) = entries(register)
    (other,) = entries(register, "screens")
    own = ("id", "at", "verifier")
    assert {name: value for name, value in entry.items() if name not in own} == {n: v for n, v in other.items() if n not in own}
    assert given.id == other["id"]


def test_several_targets_and_numbers_of_claimants(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--filter", '"Anna e Bruno"')
    done = adjudicate("-C", register, *ME, "decide", case["id"], "merge", "--to", "gt:2:2", "--to", "gt:2:3")
    assert done.code == 0
    assert entries(register)[-1]["targets"] == ["gt:2:2", "gt:2:3"]
    row = next(at for at, target in enumerate(case["candidates"], 1) if target == "gt:2:3")
    assert adjudicate("-C", register, *ME, "decide", case["id"], "misread", "--to", str(row)).code == 0
    assert entries(register)[-1]["targets"] == ["gt:2:3"]
    assert adjudicate("-C", register, *ME, "decide", case["id"], "misread", "--to", "99").code == 2


def test_same_on_a_missed_traveler_leads_on_to_the_places_left(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--filter", '"israel baysan" queue:unmatched')
    assert case["times"] == 6
    row = "model:alfa/naive/run_01:1:2"
    assert row in case["candidates"]
    given = adjudicate("-C", register, *ME, "decide", case["id"], "same", "--to", row)
    assert f"{case['id']}: said of the pair; 3 places left; `adjudicate show {case['id']}` shows the next" in given.out
    after = first(adjudicate, register, "--filter", '"israel baysan" queue:unmatched')
    assert (after["id"], after["times"]) == (case["id"], 3)
    assert [one["run"] for one in after["occurrences"]] == [f"beta/naive/run_0{n}" for n in (1, 2, 3)]
    adjudicate("-C", register, *ME, "decide", case["id"], "same", "--to", "model:beta/naive/run_01:1:2")
    assert first(adjudicate, register, "--filter", '"israel baysan" queue:unmatched') is None


def test_blind_a_doubt_about_a_value_reveals_nothing(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline")
    words = ("decide", case["id"], "gt-wrong", "--field", "arrival_date", "--value", "May 9 1769", "--blind")
    given = adjudicate("-C", register, *ME, *words)
    assert "gt-wrong of arrival_date" in given.out
    assert "proposed was" not in given.out
    assert "read by" not in given.out
    assert "proposed was" in adjudicate("-C", register, *ME, "decide", case["id"], "different", "--blind").out


def test_a_verdict_on_one_run(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "times>1")
    run = case["occurrences"][0]["run"]
    adjudicate("-C", register, *ME, "decide", case["id"], "different", "--run", run)
    assert (entries(register)[-1]["scope"], entries(register)[-1]["run"]) == ("row", run)
    assert adjudicate("-C", register, *ME, "decide", case["id"], "different", "--run", "no/such/run").code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense",),
        ("merge", "--to", "gt:1:1"),
        ("same", "--to", "gt:1:99"),
        ("same", "--to", "nonsense"),
        ("same", "--certainty", "6"),
        ("same", "--certainty", "0"),
        ("gt-wrong",),
        ("keep",),
        ("revisit",),
    ],
)
def test_what_cannot_be_said_is_refused_and_nothing_is_written(adjudicate: Run, register: Path, words: tuple[str, ...]) -> None:
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "page:1")
    done = adjudicate("-C", register, *ME, "decide", case["id"], *words)
    assert done.code == 2
    assert done.err.strip()
    assert entries(register) == []


def test_without_a_verifier_nothing_is_decided(adjudicate: Run, register: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = first(adjudicate, register, "--queue", "borderline")
    done = adjudicate("-C", register, "decide", case["id"], "same")
    assert done.code == 2
    assert "ADJUDICATE_VERIFIER" in done.err
    monkeypatch.setenv("ADJUDICATE_VERIFIER", "env")
    assert adjudicate("-C", register, "decide", case["id"], "same").code == 0
    assert len(entries(register, "env")) == 1


def test_the_verifier_of_the_per_user_settings(adjudicate: Run, register: Path, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "user.toml").write_text('verifier = "settings"\n', "utf-8")
    case = first(adjudicate, register, "--queue", "borderline")
    assert adjudicate("-C", register, "decide", case["id"], "same").code == 0
    assert len(entries(register, "settings")) == 1


def test_a_name_that_cannot_name_a_file(adjudicate: Run, register: Path) -> None:
    assert adjudicate("-C", register, "--verifier", "../x", "review").code == 2


def test_equivalent_drafts_an_open_row(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "bayson")
    done = adjudicate("-C", register, *ME, "decide", case["id"], "equivalent", "--value", "bayson = baysan")
    assert done.code == 0
    assert entries(register)[-1]["value"] == {"form": "bayson", "canonical": "baysan", "field": "name"}
    (rule,) = adjudicate("-C", register, "rules", "list", "--format", "json").json
    assert (rule["form"], rule["canonical"], rule["status"]) == ("bayson", "baysan", "OPEN")
    # The pair itself, with its page and the ROW that reads so.
    assert rule["witness"] == "Israel Bayson di Verona for Israel Baysan, page 1 (model:alfa/naive/run_01:1:2)"
    # Drafted already: another verifier, or another page that reads so, says the same of it without a second row.
    before = (register / "EQUIVALENCES.md").read_bytes()
    again = adjudicate("-C", register, "--verifier", "xy", "decide", case["id"], "equivalent", "--value", "Bayson = baysan")
    assert again.code == 0
    assert "says so already, OPEN" in again.out
    assert entries(register, "xy")[-1]["value"] == entries(register)[-1]["value"]
    assert (register / "EQUIVALENCES.md").read_bytes() == before
    # What contradicts it is refused, and no verdict is given.
    refused = adjudicate("-C", register, "--verifier", "xy", "decide", case["id"], "equivalent", "--value", "bayson = bayton")
    assert refused.code == 2
    assert len(entries(register, "xy")) == 1


# conflicts, stale


def test_a_verdict_on_a_conflict_is_a_ruling(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline")
    adjudicate("-C", register, "--verifier", "a", "decide", case["id"], "same")
    adjudicate("-C", register, "--verifier", "b", "decide", case["id"], "different")
    assert first(adjudicate, register, "--queue", "conflicts")["id"] == case["id"]
    done = adjudicate("-C", register, "--verifier", "judge", "decide", case["id"], "same")
    assert "ruling" in done.out
    assert set(entries(register, "judge")[-1]["resolves"]) == {entries(register, "a")[-1]["id"], entries(register, "b")[-1]["id"]}
    assert adjudicate("-C", register, "next", "--queue", "conflicts").out == ""
    assert adjudicate("-C", register, "show", case["id"], "--format", "json").json["status"] == "decided"


def test_a_stale_verdict_is_kept_or_revisited(adjudicate: Run, register: Path) -> None:
    case = first(adjudicate, register, "--queue", "borderline", "--filter", "bayson")
    adjudicate("-C", register, *ME, "decide", case["id"], "same")
    gt = register / "gt" / "gt_page_1.csv"
    gt.write_text(gt.read_text("utf-8").replace("Israel Baysan", "Israel Baysam"), "utf-8")
    stale = first(adjudicate, register, "--queue", "stale")
    assert stale["status"] == "stale"
    assert "Israel Baysan" in stale["note"]
    assert "Israel Baysam" in stale["note"]
    assert adjudicate("-C", register, *ME, "decide", stale["id"], "keep").code == 0
    assert adjudicate("-C", register, "next", "--queue", "stale").out == ""
    assert entries(register)[-2]["verdict"] == "same"


# undo


def test_undo_says_what_it_undoes_across_commands(adjudicate: Run, register: Path) -> None:
    one = first(adjudicate, register, "--queue", "borderline")
    adjudicate("-C", register, *ME, "decide", one["id"], "same")
    two = first(adjudicate, register, "--queue", "borderline")
    adjudicate("-C", register, *ME, "decide", two["id"], "different")
    done = adjudicate("-C", register, *ME, "undo")
    assert two["id"] in done.out
    assert "different" in done.out
    assert one["id"] in adjudicate("-C", register, *ME, "undo").out
    nothing = adjudicate("-C", register, *ME, "undo")
    assert nothing.code == 0
    assert "nothing" in nothing.err
    assert first(adjudicate, register, "--queue", "borderline")["id"] == one["id"]
    assert [entry["verdict"] for entry in entries(register)] == ["same", "different", "retract", "retract"]


def test_undo_by_id_and_only_of_ones_own(adjudicate: Run, register: Path) -> None:
    one = first(adjudicate, register, "--queue", "borderline")
    adjudicate("-C", register, *ME, "decide", one["id"], "same")
    two = first(adjudicate, register, "--queue", "borderline")
    adjudicate("-C", register, *ME, "decide", two["id"], "same")
    id_ = entries(register)[0]["id"]
    assert adjudicate("-C", register, "--verifier", "other", "undo", id_).code == 2
    assert one["id"] in adjudicate("-C", register, *ME, "undo", id_).out
    assert adjudicate("-C", register, *ME, "undo", id_).code == 2
    assert adjudicate("-C", register, *ME, "undo", "ffff").code == 2


def test_a_torn_line_is_told_and_the_verdict_counts(adjudicate: Run, register: Path) -> None:
    (register / "adjudications").mkdir()
    (register / "adjudications" / "mp.jsonl").write_bytes(b'{"schema": 1, "id": "0199')
    case = first(adjudicate, register, "--queue", "borderline")
    done = adjudicate("-C", register, *ME, "decide", case["id"], "same")
    assert done.code == 0
    assert "set aside" in done.err
    assert len(entries(register)) == 1
