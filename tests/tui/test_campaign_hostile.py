"""Broken inputs of every kind: a sentence and an exit code, never a traceback, and the sound files are scored all the same."""

import json
import random

import pytest

from tests.scoring.relations.builders import EN, GOLD, INFO, campaign
from tests.tui.campaign_runner import run

ODD = [
    None,
    True,
    -1,
    1e400,
    float("nan"),
    "",
    "TRUE",
    "\ud800",
    "\x00",
    "=1",
    [],
    {},
    ["x", "x"],
    {"a": 1},
    10**400,
    "\u202e",
    [[]],
    "a\tb\nc",
]
CELLS = [{"dataset": "impresso", "split": "test", "language": "en", "profile": "accuracy", "targets": ["at", "isAt"]}]
TEAMS = {"team1": {"name": "a", "affiliation": "b"}, "team2": "x"}
COMMANDS = (
    *(["full", "--with", "ensemble,gt-validation"], ["validate"], ["validate", "--official"], ["score", "--official"]),
    *(["score", "--format", "json"], ["diagnostics", "--official"], ["rankings", "--format", "json"], ["snapshot", "a"], ["changes", "a"]),
    *(["export-gold"], ["score", "--adjudicated"], ["results-md"]),
)


def spoilt(value, dice):
    """A value with some of its parts replaced, left out or added."""
    if dice.random() < 0.1:
        return dice.choice(ODD)
    if isinstance(value, dict):
        kept = {key: spoilt(held, dice) for key, held in value.items() if dice.random() > 0.05}
        return kept | ({dice.choice(["x", "at", "text"]): dice.choice(ODD)} if dice.random() < 0.1 else {})
    return [spoilt(held, dice) for held in value] if isinstance(value, list) else value


def lines(value):
    return "".join(json.dumps(one) + "\n" for one in (value if isinstance(value, list) else [value]))


@pytest.mark.parametrize("seed", range(12))
def test_no_input_brings_a_traceback(seed, tmp_path):
    dice = random.Random(seed)
    runs = {f"team{number}_run1": lines(spoilt(GOLD, dice)) for number in range(1, 4)}
    runs |= {"team4_run1": lines(GOLD), "team5_run1": dice.randbytes(60), "team6_run1": lines(GOLD)[:-40]}
    campaign(tmp_path, [], runs, {name: json.dumps(spoilt(INFO, dice)) for name in runs if name != "team4_run1"})
    gold = spoilt(GOLD, dice) if seed % 3 == 0 else GOLD
    (tmp_path / "data" / "reference" / f"{EN}.jsonl").write_text(lines(gold))
    (tmp_path / "teams.json").write_text(json.dumps(spoilt(TEAMS, dice)))
    (tmp_path / "competition_config.json").write_text(json.dumps(spoilt({"cells": CELLS}, dice) if seed % 4 == 0 else {"cells": CELLS}))
    for command in COMMANDS:
        result = run("-C", tmp_path, "campaign", *command)
        assert result.code in (0, 1, 2), command
        assert "Traceback" not in result.err
        assert not set(result.out + result.err) & set("\x00\x1b\u202e"), command
    if seed % 3 and seed % 4:
        record = json.loads((tmp_path / "results.d" / "per-run" / f"team4_{EN}_run1.json").read_text())
        assert record["scores"]["global_score"] == 1.0


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"schema": 99, "tables": {}}', "no", '{"schema": 1, "tables": {}}', '{"schema": "x", "tables": {}}']
)
def test_a_round_that_is_none_is_a_sentence(content, tmp_path):
    campaign(tmp_path, GOLD, {"team1_run1": GOLD})
    (tmp_path / "snapshots").mkdir()
    (tmp_path / "snapshots" / "x.json").write_text(content)
    result = run("-C", tmp_path, "campaign", "changes", "x")
    assert result.code == 2
    assert "round" in result.err
    assert run("-C", tmp_path, "campaign", "changes").code == 2


def test_a_link_to_nowhere_and_a_folder_among_the_submissions(tmp_path):
    campaign(tmp_path, GOLD, {"team1_run1": GOLD})
    systems = tmp_path / "data" / "systems"
    (systems / f"team2_{EN}_run1.jsonl").symlink_to(tmp_path / "nowhere")
    (systems / f"team3_{EN}_run1.jsonl").mkdir()
    assert run("-C", tmp_path, "campaign", "full").code == 0
    assert len(list((tmp_path / "results.d" / "per-run").glob("*.json"))) == 1


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path):
    campaign(tmp_path, GOLD, {"team1_run1": GOLD})
    (tmp_path / "results.d").write_text("a file")
    result = run("-C", tmp_path, "campaign", "full")
    assert result.code == 2
    assert "cannot be written" in result.err
