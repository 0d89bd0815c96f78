"""Defects of the official pipeline that have no other test: reproduced in the official files, done right in ours."""

import json
from fractions import Fraction

from scoring.relations.inputs.doubtful_submissions import campaign_doubts
from scoring.relations.inputs.material import load_campaign, places
from scoring.relations.measures.diagnostics import official_matrix
from scoring.relations.measures.evaluation import aligned_runs, score_campaign
from scoring.relations.measures.extended_rankings import our_tables, run_metrics
from scoring.relations.measures.run_scores import confusion
from scoring.relations.outputs.stages import resamples_of
from tests.scoring.relations.builders import EN, GOLD, SURPRISE, campaign, document, labelled, pair
from tests.tui.campaign_runner import run


def evaluated(folder):
    held = load_campaign(places(folder))
    aligned = aligned_runs(held)
    return held, aligned, score_campaign(held, aligned)


def test_names_that_differ_in_case_and_two_versions_of_a_reference_are_seen_and_kept_apart(tmp_path):
    """`docs/hipe-behaviour.md#bug-4` and `docs/hipe-behaviour.md#bug-10`."""
    second = EN.replace("v1.0", "v1.1")
    campaign(tmp_path, GOLD, {"team1_run1": GOLD, "team2_run1": [labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]]})
    campaign(tmp_path, GOLD, {"team1_run1": [labelled(GOLD[0], at={0: "FALSE", 1: "TRUE"}), GOLD[1]]}, stem=second)
    (tmp_path / "data" / "systems" / f"team1_{EN.lower()}_run1.jsonl").write_text("")
    held, aligned, scores = evaluated(tmp_path)
    found = [problem.message for problem in campaign_doubts(held, aligned)]
    assert any(one.startswith("names:") and "differ in case alone" in one for one in found)
    assert any(one.startswith("versions: team1 run1") for one in found)
    cell = next(table for table in our_tables(held, scores) if table.file == "ranking-impresso-test-en.tsv")
    assert [(row["team"], row["rank"], row["reference"]) for row in cell.rows] == [("team1", 1, EN), ("team2", 2, EN), ("team1", 3, second)]
    overall = next(table for table in our_tables(held, scores) if table.file == "ranking-overall-test-a.tsv")
    assert [(row["team"], row["version"]) for row in overall.rows] == [("team1", "v1.0"), ("team2", "v1.0"), ("team1", "v1.1")]


def test_a_relation_that_is_not_evaluated_makes_nothing_wrong(tmp_path):
    """`docs/hipe-behaviour.md#bug-14`."""
    gold = [document("d", [pair("p1", "l1", "TRUE", "FALSE"), pair("p2", "l2", "FALSE", "FALSE")])]
    campaign(tmp_path, gold, {"team1_run1": [labelled(gold[0], is_at={0: "TRUE"})]}, stem=SURPRISE)
    assert run("-C", tmp_path, "campaign", "full").code == 0
    path = tmp_path / "results.d" / "diagnostics" / f"team1_{SURPRISE}_run1.diagnostics.json"
    (first, second) = json.loads(path.read_text())[0]["sampled_pairs"]
    assert (first["CORRECT_at"], first["CORRECT"], second["CORRECT"]) == (True, False, True)
    held, _, scores = evaluated(tmp_path)
    metrics = run_metrics(held, scores.runs[0], resamples_of(held))
    assert list(metrics["targets"]) == ["at"]
    assert metrics["score"] == 1.0


def test_an_unknown_dataset_is_evaluated_by_one_rule(tmp_path):
    """`docs/hipe-behaviour.md#bug-15`."""
    stem = "HIPE-2026-v1.0-other-test-en"
    campaign(tmp_path, GOLD, {"team1_run1": GOLD}, stem=stem)
    run("-C", tmp_path, "campaign", "full")
    results = tmp_path / "results.d"
    official = json.loads((results / "diagnostics" / f"team1_{stem}_run1.diagnostic_metrics.json").read_text())
    assert list(official["confusion_matrices"]) == ["at", "isAt"]
    assert json.loads((results / "per-run" / f"team1_{stem}_run1.json").read_text())["targets"] == ["at"]
    assert list(json.loads((results / "ours" / "per-run" / f"team1_{stem}_run1.json").read_text())["targets"]) == ["at"]


def test_f1_officially_comes_from_rounded_figures(tmp_path):
    """`docs/hipe-behaviour.md#bug-16`: 1 of 2 and 1 of 7 give 2/9, and officially 0.2223."""
    gold = ["TRUE", "TRUE", *["FALSE"] * 6]
    said = ["TRUE", "FALSE", *["TRUE"] * 6]
    assert official_matrix(gold, said, ("TRUE", "FALSE"))["per_label"]["TRUE"]["f1"] == 0.2223
    assert confusion(gold, said, ("FALSE", "TRUE")).f1(1) == Fraction(2, 9)
