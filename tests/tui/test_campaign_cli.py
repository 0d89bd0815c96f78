"""The campaign commands: what they do better than the official pipeline, and how the gold is adjudicated through them."""

import csv
import json
import subprocess
import sys

import pytest
from openpyxl import load_workbook

from tests.scoring.relations.builders import EN, GOLD, INFO, SURPRISE, campaign, document, jsonl, labelled, pair
from tests.shared import ROOT
from tests.tui.campaign_runner import run

WRONG = [labelled(GOLD[0], at={0: "FALSE", 3: "PROBABLE"}), GOLD[1]]
OTHER = [labelled(GOLD[0], at={0: "FALSE", 3: "FALSE"}), GOLD[1]]


@pytest.fixture
def folder(tmp_path):
    return campaign(tmp_path, GOLD, {"team1_run1": WRONG, "team2_run1": OTHER, "team3_run1": GOLD})


def scores(folder):
    return {path.name.split("_")[0]: json.loads(path.read_text()) for path in (folder / "results.d" / "per-run").glob("*.json")}


# Bad submissions


def test_a_bad_submission_is_named_and_the_rest_is_scored_ranked_and_shown(folder):
    systems = folder / "data" / "systems"
    (systems / f"team4_{EN}_run1.jsonl").write_text('{"document_id": "d1"\n')
    (systems / f"team5_{EN}_run1.jsonl").write_bytes(b"\xff\xfe")
    (systems / "BIU_x_run1.jsonl").write_text("")
    (systems / "team6_HIPE-2026-v1.0-impresso-test-lb_run1.jsonl").write_text("")
    result = run("-C", folder, "campaign", "full")
    assert result.code == 1
    for part in ("team4_", "team5_", "BIU_x_run1.jsonl", "team6_"):
        assert part in result.err
    assert "not UTF-8: byte 0xff at offset 0" in result.err
    assert "Traceback" not in result.err
    assert set(scores(folder)) == {"team1", "team2", "team3"}
    table = (folder / "results.d" / "system-rankings" / "ranking-impresso-test-en.tsv").read_text().splitlines()
    assert len(table) == 4
    assert "team1" in (folder / "HIPE_2026_evaluation_results.md").read_text()


def test_validate_names_every_violation_with_line_document_pair_and_value(folder):
    bad = [document("d1", [pair("a", "b", at="POSSIBLE"), pair("c", "d", is_at="PROBABLE")])]
    campaign(folder, GOLD, {"team4_run1": bad})
    result = run("-C", folder, "campaign", "validate")
    assert result.code == 1
    lines = [line for line in result.out.splitlines() if line.startswith("error")]
    assert len(lines) == 2
    assert f"team4_{EN}_run1.jsonl:1: document 'd1', pair 1 (a / b), at: \"POSSIBLE\" is not a label" in lines[0]
    assert "TRUE, FALSE, PROBABLE, null" in lines[0]
    problems = json.loads(run("-C", folder, "campaign", "validate", "--format", "json").out)
    assert sum(problem["severity"] == "error" for problem in problems) == 2


def test_warnings_do_not_fail_the_check(folder):
    campaign(folder, GOLD, {"team4_run1": [GOLD[0], GOLD[0], document("d7")]})
    result = run("-C", folder, "campaign", "validate")
    assert result.code == 0
    for word in ("missing: 1 documents", "duplicate: 1 documents", "unknown: 1 documents"):
        assert word in result.out


def test_the_gold_is_looked_at_too(folder):
    odd = [labelled(GOLD[0], at={0: "FALSE"}), document("d2", [pair("a", "bc"), pair("ab", "c", at=None), pair("a", "bc")])]
    campaign(folder, odd, {})
    out = run("-C", folder, "campaign", "validate", "--only", "reference").out
    for word in (
        "1 gold pairs have `isAt` TRUE with `at` FALSE",
        "1 gold labels are null",
        "1 pairs vanish",
        "1 pairs are there more than once",
    ):
        assert word in out


def test_impossible_sizes_are_errors_to_us_and_unknown_in_our_ranking(folder):
    info = '{"hipe_parameter_count": NaN, "team_parameter_count": 1, "hipe_model_size": -5, "team_model_size": 1}'
    campaign(folder, GOLD, {"team4_run1": GOLD}, infos={"team4_run1": info})
    result = run("-C", folder, "campaign", "validate", "--only", "info")
    assert result.code == 1
    assert "is nan, which is no size" in result.out
    assert "is negative (-5)" in result.out
    assert run("-C", folder, "campaign", "validate", "--only", "info", "--official").code == 0
    assert json.loads(run("-C", folder, "campaign", "score", "--format", "json").out)["runs"]
    run("-C", folder, "campaign", "full")
    rows = list(csv.DictReader((folder / "results.d/ours/rankings/ranking-efficiency-test-a.tsv").open(), delimiter="\t"))
    assert {row["team"]: row["hipe_model_size"] for row in rows}["team4"] == ""
    assert {row["team"]: row["rank_model_size"] for row in rows}["team4"] == "4"


def test_a_malformed_information_file_is_named(folder):
    campaign(folder, GOLD, {"team4_run1": GOLD}, infos={"team4_run1": "{"})
    result = run("-C", folder, "campaign", "validate", "--only", "info")
    assert f"team4_{EN}_run1-info.json: Expecting property name" in result.out


def test_files_of_any_name_are_validated_outside_a_campaign(tmp_path):
    (tmp_path / "mine.jsonl").write_text(jsonl([document("d", [pair(at="yes")])]))
    result = run("campaign", "validate", tmp_path / "mine.jsonl")
    assert result.code == 1
    assert '"yes" is not a label' in result.out
    assert run("campaign", "validate", tmp_path / "absent.jsonl").code == 2


def test_the_gold_of_a_byte_order_mark_is_offered(folder):
    campaign(folder, GOLD, {"team4_run1": b"\xef\xbb\xbf" + jsonl(GOLD).encode()})
    assert "accept_bom = true" in run("-C", folder, "campaign", "validate").out
    (folder / "campaign.toml").write_text("accept_bom = true\n")
    assert run("-C", folder, "campaign", "score").code == 0
    assert scores(folder)["team4"]["scores"]["global_score"] == 1.0


# Outputs


def test_stale_outputs_are_removed_and_strangers_are_never_ranked(folder):
    run("-C", folder, "campaign", "full")
    stranger = folder / "results.d" / "per-run" / "stranger.json"
    stranger.write_text(json.dumps(scores(folder)["team1"] | {"team": "team99"}))
    (folder / "data" / "systems" / f"team2_{EN}_run1.jsonl").unlink()
    result = run("-C", folder, "campaign", "score")
    assert result.code == 0
    assert "removed" in result.err
    assert f"team2_{EN}_run1.json" in result.err
    result = run("-C", folder, "campaign", "rankings")
    assert "stranger.json: not written by the last scoring" in result.err
    table = (folder / "results.d" / "system-rankings" / "ranking-impresso-test-en.tsv").read_text()
    assert "team99" not in table
    assert "team2" not in table
    assert stranger.exists()


def test_with_the_last_submission_its_outputs_go(folder):
    run("-C", folder, "campaign", "full", "--with", "ensemble,gt-validation")
    for path in (folder / "data" / "systems").iterdir():
        path.unlink()
    result = run("-C", folder, "campaign", "full")
    assert result.code == 0
    assert "removed" in result.err
    left = [path for path in (folder / "results.d").rglob("*") if path.is_file()]
    assert [path.name for path in left] == ["manifest.json"]
    assert not (folder / "HIPE_2026_evaluation_results.md").exists()


def test_complete_is_what_is_configured_and_one_opt_out_counts_for_the_run(folder):
    german = EN.replace("-en", "-de")
    campaign(folder, GOLD, {"team1_run1": GOLD}, infos={"team1_run1": INFO | {"team_efficiency_opt_out": True}}, stem=german)
    cells = [
        {"dataset": "impresso", "split": "test", "language": one, "profile": "accuracy", "targets": ["at", "isAt"]}
        for one in ("de", "en", "fr")
    ]
    (folder / "competition_config.json").write_text(json.dumps({"cells": cells[:2]}))
    tables = json.loads(run("-C", folder, "campaign", "rankings", "--format", "json").out)
    assert [row["team"] for row in tables["ranking-overall-test-a.tsv"]] == ["team1"]
    assert tables["ranking-efficiency-test-a.tsv"] == []
    (folder / "competition_config.json").write_text(json.dumps({"cells": cells}))
    assert json.loads(run("-C", folder, "campaign", "rankings", "--format", "json").out)["ranking-overall-test-a.tsv"] == []
    (folder / "competition_config.json").write_text(json.dumps({"cells": [cells[0] | {"targets": ["was"]}]}))
    assert "`was` is no relation" in run("-C", folder, "campaign", "rankings").err


def test_what_is_no_record_is_named_and_not_ranked(folder):
    (folder / "results.d" / "per-run").mkdir(parents=True)
    (folder / "results.d" / "per-run" / "x.json").write_text("{}")
    (folder / "results.d" / "per-run" / "y.json").write_text("no")
    result = run("-C", folder, "campaign", "rankings")
    assert result.code == 1
    assert "x.json" in result.err
    assert "y.json" in result.err


def test_binary_results_never_overwrite_ternary_ones(folder):
    run("-C", folder, "campaign", "full")
    before = scores(folder)
    result = run("-C", folder, "campaign", "full", "--binary", "--per-run-dir", "results.d/per-run")
    assert result.code == 2
    assert "holds TERNARY results" in result.err
    assert scores(folder) == before
    assert run("-C", folder, "campaign", "full", "--binary").code == 0
    assert (folder / "results-binary.d" / "per-run").is_dir()
    assert "Binary at" in (folder / "HIPE_2026_evaluation_results-binary.md").read_text()


def test_our_files_lie_beside_the_official_ones_with_what_was_supplied(folder):
    campaign(folder, GOLD, {"team4_run1": [GOLD[0]]})
    run("-C", folder, "campaign", "full")
    ours = json.loads((folder / "results.d" / "ours" / "per-run" / f"team4_{EN}_run1.json").read_text())
    assert ours["supplied"]["pairs_of_missing_documents"] == 2
    assert [one["document_id"] for one in ours["imputed_pairs"]] == ["d2", "d2"]
    assert all(one["imputed"] for one in ours["imputed_pairs"])
    assert ours["targets"]["at"]["per_label"]["PROBABLE"]["recall"] == 0.5
    page = (folder / "results.d" / "ours" / "results.html").read_text()
    assert "<table>" in page
    assert (folder / "results.d" / "ours" / "results.md").exists()
    ranked = json.loads(run("-C", folder, "campaign", "rankings", "--format", "json").out)["ranking-impresso-test-en.tsv"]
    assert (ranked[0]["rank"], ranked[0]["of"], ranked[0]["team"]) == (1, 4, "team3")
    assert ranked[-1]["ci_low"] <= ranked[-1]["score"] <= ranked[-1]["ci_high"]


def test_rank_is_said_of_how_many(folder):
    result = run("-C", folder, "campaign", "rankings", "--cell", "impresso-test-en")
    assert "1 of 3" in result.out
    assert run("-C", folder, "campaign", "rankings", "--cell", "nowhere").code == 2


def test_a_reference_that_is_not_final_is_said_everywhere_and_kept_from_public_pages(folder):
    campaign(folder, GOLD, {"team1_run1": WRONG, "team2_run1": OTHER, "team3_run1": GOLD}, stem=SURPRISE)
    (folder / "campaign.toml").write_text(f'[references."{SURPRISE}"]\nstatus = "embargoed"\n')
    result = run("-C", folder, "campaign", "full", "--with", "gt-validation")
    assert f"not final: {SURPRISE} (embargoed)" in result.err
    page, ours = folder / "HIPE_2026_evaluation_results.md", folder / "results.d" / "ours"
    assert "Generalization Profile Ranking\n" not in page.read_text()
    assert f"not final: {SURPRISE} (embargoed)." in page.read_text()
    assert "surprise test fr" not in (ours / "results.html").read_text()
    note = (folder / "results.d" / "NOT_FINAL.md").read_text()
    assert f"- {SURPRISE} (embargoed)" in note
    assert "- ranking-generalization-test-b.tsv" in note
    assert "overall" not in note
    record = json.loads((folder / "results.d" / "per-run" / f"team1_{SURPRISE}_run1.json").read_text())
    assert record["warnings"] == [f"The reference {SURPRISE} is embargoed."]
    assert json.loads((ours / "per-run" / f"team1_{SURPRISE}_run1.json").read_text())["reference_status"] == "embargoed"
    book = load_workbook(ours / "gt-validation" / f"{SURPRISE}.gt_validation.xlsx")
    assert book["about"]["B2"].value == "embargoed"
    run("-C", folder, "campaign", "results-md", "--internal")
    assert "## Generalization Profile Ranking\n" in page.read_text()
    assert "Internal: the results on these references are not final" in page.read_text()
    assert "surprise test fr" in (ours / "results.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [("acept_bom = true", "did you mean `accept_bom`"), ("voters = 'me'", "must be one of"), ("accept_bom = 3", "true or false"),
     ("x = ", "not readable TOML"), ("[references.a]\nstatus='done'", "must be one of final")],
)  # fmt: skip
def test_faulty_settings_are_sentences(folder, text, said):
    (folder / "campaign.toml").write_text(text)
    result = run("-C", folder, "campaign", "score")
    assert result.code == 2
    assert said.lower() in result.err.lower()


def test_a_folder_without_a_campaign(tmp_path):
    assert run("-C", tmp_path / "absent", "campaign", "score").code == 2
    result = run("-C", tmp_path, "campaign", "score")
    assert result.code == 0
    assert "no submissions found" in result.err
    assert run("-C", tmp_path, "campaign", "full", "--with", "cake").code == 2


def test_a_tie_of_exact_fractions_is_a_tie_to_us(tmp_path):
    """Equal scores reached by other counts can differ in the last bit (`docs/hipe-behaviour.md#bug-24`)."""
    gold = [document("d", [pair(f"p{at}", "l", label) for at, label in enumerate(["TRUE"] * 10 + ["FALSE"] * 10 + ["PROBABLE"] * 10)])]
    one = [labelled(gold[0], at=dict.fromkeys(range(10, 14), "TRUE"))]
    two = [labelled(gold[0], at={0: "FALSE", 1: "FALSE", 2: "FALSE", 10: "TRUE"})]
    folder = campaign(tmp_path, gold, {"team1_run1": one, "team2_run1": two}, stem=SURPRISE)
    ranked = json.loads(run("-C", folder, "campaign", "rankings", "--format", "json").out)[f"ranking-{SURPRISE[15:]}.tsv"]
    assert [row["rank"] for row in ranked] == [1, 1]
    run("-C", folder, "campaign", "full")
    table = (folder / "results.d" / "system-rankings" / "ranking-surprise-test-fr.tsv").read_text().splitlines()
    assert [line.split("\t")[0] for line in table[1:]] == ["1", "2"]


# One file


def test_one_file_of_any_name_scores_as_the_campaign_does(folder):
    mine, gold = folder / "mine.jsonl", folder / "data" / "reference" / f"{EN}.jsonl"
    mine.write_text(jsonl(WRONG))
    (folder / "campaign.toml").write_text(f'[references."{EN}"]\nstatus = "provisional"\n')
    assert f"not final: {EN} (provisional)" in run("-C", folder, "campaign", "score", mine, "--gold", gold).err
    (folder / "campaign.toml").unlink()
    run("-C", folder, "campaign", "score")
    result = run("-C", folder, "campaign", "score", mine, "--gold", gold, "--format", "json")
    held = json.loads(result.out)
    assert held["scores"] == scores(folder)["team1"]["scores"]
    assert held["confusion"]["at"]["labels"] == ["FALSE", "PROBABLE", "TRUE"]
    assert (held["rank"], held["of"]) == (2, 4)
    text = run("-C", folder, "campaign", "score", mine, "--gold", gold).out
    assert "would be rank 2 of 4" in text
    assert "gold at" in text
    other = folder / "other-gold.jsonl"
    other.write_bytes(gold.read_bytes())
    assert json.loads(run("campaign", "score", mine, "--gold", other, "--targets", "at", "--format", "json").out)["targets"] == ["at"]


def test_one_unsound_file_is_a_sentence(folder):
    mine, gold = folder / "mine.jsonl", folder / "data" / "reference" / f"{EN}.jsonl"
    mine.write_text(jsonl([document("d1", [pair(at="POSSIBLE", is_at="x")])]))
    result = run("campaign", "score", mine, "--gold", gold)
    assert result.code == 2
    assert "POSSIBLE" in result.err
    assert "lists all 2" in result.err
    assert run("campaign", "score", mine).code == 2
    assert run("campaign", "score", "--gold", gold).code == 2
    assert run("campaign", "score", folder / "absent", "--gold", gold).code == 2
    assert run("campaign", "score", gold, "--gold", gold, "--targets", "was").code == 2


# Adjudication


def workbook(folder):
    return folder / "results.d" / "ours" / "gt-validation" / f"{EN}.gt_validation.xlsx"


def decided(folder, *rows):
    """Fill decision and reason of rows (from 2) of our workbook."""
    book = load_workbook(workbook(folder))
    sheet = book["mismatches"]
    header = [cell.value for cell in sheet[1]]
    for row, decision, reason in rows:
        sheet.cell(row, header.index("decision") + 1, decision)
        sheet.cell(row, header.index("reason") + 1, reason)
    path = folder / "filled.xlsx"
    book.save(path)
    return path


def test_the_workbook_goes_out_with_context_and_comes_back_as_decisions_that_move_the_ranking(folder):
    run("-C", folder, "campaign", "full", "--with", "gt-validation")
    sheet = load_workbook(workbook(folder))["mismatches"]
    header = [cell.value for cell in sheet[1]]
    first = dict(zip(header, [cell.value for cell in sheet[2]], strict=True))
    assert (first["gold_label"], first["vote_label"], first["all_runs"]) == ("TRUE", "FALSE", "TRUE 1, FALSE 2 of 3")
    assert first["pers_context"] == "p1 went to l1."
    filled = decided(folder, (2, "false", "not said"), (3, "nonsense", ""))
    assert run("-C", folder, "campaign", "import-decisions", filled).code == 2
    result = run("-C", folder, "--verifier", "mp", "campaign", "import-decisions", filled)
    assert result.code == 1
    assert "1 decisions in the workbook: 1 written, 0 in the log already, 0 refused" in result.out
    assert "'nonsense' is not a decision" in result.err
    (line,) = (folder / "adjudications" / "mp.jsonl").read_text().splitlines()
    entry = json.loads(line)
    assert (entry["task"], entry["verdict"], entry["note"], entry["verifier"]) == ("relations", "false", "not said", "mp")
    assert entry["targets"] == [f"gt:{EN}/d1:1"]
    again = run("-C", folder, "--verifier", "mp", "campaign", "import-decisions", filled)
    assert "0 written, 1 in the log already" in again.out

    result = run("-C", folder, "campaign", "score", "--adjudicated")
    assert result.code == 0
    assert "1 verdicts in force, 1 gold labels changed" in result.out
    official = scores(folder)
    assert official["team3"]["scores"]["at_accuracy"] == 1.0
    adjudicated = folder / "results.d" / "ours" / "adjudicated"
    assert json.loads((adjudicated / "per-run" / f"team3_{EN}_run1.json").read_text())["scores"]["at_accuracy"] == 5 / 6
    moved = list(csv.DictReader((adjudicated / "moved.tsv").open(), delimiter="\t"))
    assert any((row["team"], row["rank_before"]) == ("team3", "1") for row in moved)
    assert "not said" in (adjudicated / "changed-labels.tsv").read_text()

    result = run("-C", folder, "campaign", "export-gold", EN, "-o", folder / "new.jsonl")
    assert "1 labels changed" in result.out
    assert [json.loads(one) for one in (folder / "new.jsonl").read_text().splitlines()] == [labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]]
    assert run("campaign", "validate", folder / "new.jsonl").code == 0
    over = run("-C", folder, "campaign", "export-gold", EN, "-o", folder / "data" / "reference" / f"{EN}.jsonl")
    assert over.code == 2
    assert run("-C", folder, "campaign", "export-gold", "nothing").code == 2


def test_decisions_on_a_gold_that_has_changed_are_refused(folder):
    run("-C", folder, "campaign", "full", "--with", "gt-validation")
    filled = decided(folder, (2, True, "seen"))
    campaign(folder, [labelled(GOLD[0], at={0: "PROBABLE"}), GOLD[1]], {})
    result = run("-C", folder, "--verifier", "mp", "campaign", "import-decisions", filled)
    assert result.code == 1
    assert "was TRUE when the workbook was made and is PROBABLE now" in result.err
    assert not (folder / "adjudications").exists()


def test_our_workbook_knows_the_binary_mode_and_the_official_one_does_not(folder):
    probable = [labelled(GOLD[0], at={2: "TRUE"}), GOLD[1]]
    campaign(folder, GOLD, {f"team{number}_run1": probable for number in (1, 2, 3)})
    run("-C", folder, "campaign", "full", "--binary", "--with", "gt-validation")
    results = folder / "results-binary.d"
    assert load_workbook(results / "gt-validation" / f"{EN}.gt_validation.xlsx")["mismatches"].max_row == 2
    ours = load_workbook(results / "ours" / "gt-validation" / f"{EN}.gt_validation.xlsx")["mismatches"]
    assert ours.max_row == 1
    assert "decision" not in [cell.value for cell in ours[1]]


def test_who_votes_is_a_choice(folder):
    campaign(folder, GOLD, {"team3_run2": GOLD, "team3_run3": GOLD})
    run("-C", folder, "campaign", "full")
    run("-C", folder, "campaign", "gt-validation")
    assert load_workbook(workbook(folder))["mismatches"].max_row == 1
    run("-C", folder, "campaign", "gt-validation", "--voters", "best-per-team")
    book = load_workbook(workbook(folder))
    assert book["mismatches"].max_row == 3
    assert book["about"]["D2"].value == "best-per-team"


def test_fewer_than_three_runs_make_no_official_workbook_and_an_error(tmp_path):
    folder = campaign(tmp_path, GOLD, {"team1_run1": WRONG})
    run("-C", folder, "campaign", "full")
    result = run("-C", folder, "campaign", "gt-validation")
    assert result.code == 1
    assert f"[ERROR] {EN}.jsonl: the ranking has 1 runs, three are needed." in result.err
    assert not (folder / "results.d" / "gt-validation").exists()
    assert workbook(folder).exists()


# Rounds


def test_submissions_come_in_under_their_names_and_the_renaming_is_kept(folder):
    source = folder / "inbox" / "final version (2).jsonl"
    source.parent.mkdir()
    source.write_text(jsonl(GOLD))
    (source.parent / "final version (2)-info.json").write_text("{}")
    result = run("-C", folder, "campaign", "import", source, "--team", "team12", "--run", "2")
    assert result.code == 0
    assert (folder / "data" / "systems" / f"team12_{EN}_run2.jsonl").read_text() == jsonl(GOLD)
    assert (folder / "data" / "systems" / f"team12_{EN}_run2-info.json").exists()
    (row,) = csv.DictReader((folder / "imports.csv").open())
    assert (row["source"], row["submission"]) == (str(source), f"team12_{EN}_run2.jsonl")
    assert "there already" in run("-C", folder, "campaign", "import", source, "--team", "team12", "--run", "run2").out
    source.write_text(jsonl(WRONG))
    clash = run("-C", folder, "campaign", "import", source, "--team", "team12", "--run", "run2")
    assert clash.code == 2
    assert "another content" in clash.err
    assert "--team, --run" in run("-C", folder, "campaign", "import", source).err


def test_a_mapping_brings_many_in_or_none(folder):
    inbox = folder / "inbox"
    inbox.mkdir()
    for name in ("a", "b"):
        (inbox / f"{name}.jsonl").write_text(jsonl(GOLD))
    mapping = inbox / "map.csv"
    mapping.write_text(f"source,team,reference,run\na.jsonl,team7,{EN},1\nb.jsonl,team7,,1\n")
    result = run("-C", folder, "campaign", "import", "--map", mapping)
    assert result.code == 2
    assert "would both be" in result.err
    assert not list((folder / "data" / "systems").glob("team7*"))
    mapping.write_text(f"source,team,reference,run\na.jsonl,team7,{EN},1\nb.jsonl,team7,,2\n")
    assert run("-C", folder, "campaign", "import", "--map", mapping).code == 0
    assert len(list((folder / "data" / "systems").glob("team7*.jsonl"))) == 2
    mapping.write_text("source,teem\na.jsonl,x\n")
    assert "unknown column `teem`" in run("-C", folder, "campaign", "import", "--map", mapping).err


def test_a_round_is_kept_and_what_changed_since_is_said(folder):
    assert run("-C", folder, "campaign", "changes").code == 2
    assert run("-C", folder, "campaign", "snapshot", "first").code == 0
    assert run("-C", folder, "campaign", "snapshot", "first").code == 2
    assert run("-C", folder, "campaign", "snapshot", "../x").code == 2
    assert "nothing changed" in run("-C", folder, "campaign", "changes").out
    campaign(folder, [labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]], {"team3_run1": WRONG, "team4_run1": GOLD})
    (folder / "data" / "systems" / f"team2_{EN}_run1.jsonl").unlink()
    text = run("-C", folder, "campaign", "changes", "first").out
    for line in (f"new: team4_{EN}_run1.jsonl", f"gone: team2_{EN}_run1.jsonl", f"other content: team3_{EN}_run1.jsonl", "gold: 1 labels"):
        assert line in text
    held = json.loads(run("-C", folder, "campaign", "changes", "first", "--format", "json").out)
    assert held["gold"] == [
        {
            "reference": EN,
            "document_id": "d1",
            "pers_entity_id": "p1",
            "loc_entity_id": "l1",
            "relation": "at",
            "before": "TRUE",
            "after": "FALSE",
        }
    ]
    assert {row["team"] for row in held["ranks"]} == {"team2", "team3", "team4"}


# Habits


def test_our_tables_hold_no_formulas(folder):
    (folder / "teams.json").write_text(json.dumps({"team1": {"name": "=cmd|' /C calc'!A0"}, "team2": {"name": "a\tb"}}))
    run("-C", folder, "campaign", "full")
    text = (folder / "results.d" / "ours" / "rankings" / "ranking-impresso-test-en.tsv").read_text()
    assert "\t'=cmd|' /C calc'!A0\t" in text
    assert len({line.count("\t") for line in text.splitlines()}) == 1


def test_data_is_never_terminal_control(folder):
    campaign(folder, GOLD, {"team4_run1": [document("d\x1b[31m\u202e", [pair(at="\x1b[2J")])]})
    result = run("-C", folder, "campaign", "validate")
    assert "\x1b" not in result.out + result.err
    assert "\u202e" not in result.out + result.err


COMMANDS = (
    *("validate", "score", "rankings", "diagnostics", "gt-validation", "results-md", "ensemble", "full"),
    *("import", "snapshot", "changes", "import-decisions", "export-gold"),
)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_screen_and_gives_an_example(command, monkeypatch):
    for columns in ("80", "100"):
        monkeypatch.setenv("COLUMNS", columns)
        result = run("campaign", *([command] if command else []), "--help")
        assert result.code == 0
        assert "Example" in result.out
        lines = result.out.splitlines()
        assert len(lines) <= 24
        assert max(map(len, lines)) <= 80


def test_help_names_every_command():
    told = run("campaign", "--help").out.split("Commands:")[1]
    named = {name for line in told.splitlines() for name in line.strip().split("  ")[0].split(", ") if name}
    assert named == set(COMMANDS)


def test_help_imports_nothing_heavy():
    code = "import sys; from tui.cli import main\ntry: main(['campaign', '--help'])\nexcept SystemExit: pass\n"
    code += "print([m for m in ('numpy', 'openpyxl', 'jsonschema', 'jinja2', 'textual', 'pandas', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip().endswith("[]")


def test_the_official_make_targets_serve_the_campaign(folder):
    call = ["make", "-s", "-f", str(ROOT / "campaign.mk"), f"CAMPAIGN={folder}", f"ADJUDICATE={sys.executable} -m tui"]
    subprocess.run([*call, "eval-full", "RESULTS_DIR=out.d"], cwd=ROOT, check=True, capture_output=True)
    assert len(list((folder / "out.d" / "per-run").glob("*.json"))) == 3
    subprocess.run([*call, "eval-binary"], cwd=ROOT, check=True, capture_output=True)
    held = json.loads(next((folder / "results-binary.d" / "per-run").glob("*.json")).read_text())
    assert held["at_label_mode"] == "BINARY"
    subprocess.run([*call, "clean", "RESULTS_DIR=out.d"], cwd=ROOT, check=True, capture_output=True)
    assert not (folder / "out.d").exists()
    assert (folder / "data" / "systems").is_dir()
    assert (folder / "results-binary.d").is_dir()
    for place in ("", ".", "data"):
        assert subprocess.run([*call, "clean", f"RESULTS_DIR={place}"], cwd=ROOT, capture_output=True).returncode != 0
    assert (folder / "data" / "systems").is_dir()
