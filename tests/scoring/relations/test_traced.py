"""Every marked point of the official behaviour (`docs/hipe-behaviour.md`) beside the tests that hold it.

A [BUG] has two sides: what was published comes out of the official files, and ours does better beside them. The official side is
also held, byte for byte, by `test_campaign_official` on every case of the shared data.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.shared import ROOT, shared

HERE, CLI = "tests/scoring/relations/", "tests/tui/test_campaign_cli.py::"

# Mark -> tests of small data of our own. The traps and published points are named by their section.
TESTS = {
    "TRAP 3 date": (
        HERE + "test_documents.py::test_any_text_is_a_date",
        HERE + "test_documents.py::test_a_date_that_is_no_text_is_refused_in_the_official_words",
    ),
    "TRAP 3 lines": (HERE + "test_documents.py::test_lines_end_at_newlines_alone_and_blank_ones_are_counted",),
    "TRAP 6 labels of the macro recall": (
        HERE + "test_scores.py::test_published_macro_recall_is_over_the_labels_of_gold_and_answers",
        HERE + "test_scores.py::test_a_label_without_support_lowers_the_published_figure_once_it_is_said",
    ),
    "PUB 6 order of the sum": (HERE + "test_scores.py::test_recalls_are_added_in_the_order_of_the_labels_texts",),
    "TRAP 8 dense ranks": (
        HERE + "test_rankings.py::test_official_ranks_are_dense_and_nulls_take_the_number_of_rows",
        HERE + "test_rankings.py::test_rows_of_one_rank_stand_in_text_order",
    ),
    "PUB TRAP 9 mean rounded once": (
        HERE + "test_scores.py::test_the_mean_is_rounded_once",
        HERE + "test_rankings.py::test_the_published_mean_of_three_languages",
    ),
    "PUB 10 sizes as floats": (HERE + "test_rankings.py::test_sizes_are_means_as_numbers_of_the_overall_table",),
    "TRAP 12 rounded twice": (HERE + "test_official_defects.py::test_f1_officially_comes_from_rounded_figures",),
    "BUG 1": (
        HERE + "test_documents.py::test_every_violation_is_named_with_document_pair_ids_and_value",
        CLI + "test_validate_names_every_violation_with_line_document_pair_and_value",
    ),
    "BUG 2": (
        HERE + "test_documents.py::test_not_utf8_is_an_error_like_others_with_its_offset",
        HERE + "test_documents.py::test_a_byte_order_mark_is_refused_unless_accepted",
        CLI + "test_the_gold_of_a_byte_order_mark_is_offered",
    ),
    "BUG 3": (CLI + "test_a_malformed_information_file_is_named",),
    "BUG 4": (
        HERE + "test_official_defects.py::test_names_that_differ_in_case_and_two_versions_of_a_reference_are_seen_and_kept_apart",
        HERE + "test_doubts.py::test_identical_runs_gaps_and_disagreeing_information_are_seen",
    ),
    "BUG 5": (HERE + "test_gold.py::test_ids_that_glue_to_one_key_are_two_pairs_to_us_and_one_officially",),
    "BUG 6": (
        HERE + "test_gold.py::test_what_is_supplied_or_ignored_is_counted",
        CLI + "test_our_files_lie_beside_the_official_ones_with_what_was_supplied",
    ),
    "BUG 7": (
        HERE + "test_scores.py::test_a_label_without_support_lowers_the_published_figure_once_it_is_said",
        HERE + "test_scores.py::test_ours_is_over_the_labels_the_gold_holds_whatever_is_answered",
    ),
    "BUG 8": (
        HERE + "test_rankings.py::test_official_ranks_are_dense_and_nulls_take_the_number_of_rows",
        HERE + "test_rankings.py::test_both_styles",
        CLI + "test_rank_is_said_of_how_many",
    ),
    "BUG 9": (
        CLI + "test_stale_outputs_are_removed_and_strangers_are_never_ranked",
        CLI + "test_with_the_last_submission_its_outputs_go",
    ),
    "BUG 10": (
        HERE + "test_rankings.py::test_two_reference_versions_share_the_worse_rank",
        HERE + "test_official_defects.py::test_names_that_differ_in_case_and_two_versions_of_a_reference_are_seen_and_kept_apart",
    ),
    "BUG 11": (
        HERE + "test_rankings.py::test_complete_means_every_language_anybody_sent",
        CLI + "test_complete_is_what_is_configured_and_one_opt_out_counts_for_the_run",
    ),
    "BUG 12": (CLI + "test_impossible_sizes_are_errors_to_us_and_unknown_in_our_ranking",),
    "BUG 13": (
        HERE + "test_rankings.py::test_an_opt_out_on_one_file_leaves_the_run_in_the_other_language",
        CLI + "test_complete_is_what_is_configured_and_one_opt_out_counts_for_the_run",
    ),
    "BUG 14": (HERE + "test_official_defects.py::test_a_relation_that_is_not_evaluated_makes_nothing_wrong",),
    "BUG 15": (HERE + "test_official_defects.py::test_an_unknown_dataset_is_evaluated_by_one_rule",),
    "BUG 16": (
        HERE + "test_official_defects.py::test_f1_officially_comes_from_rounded_figures",
        HERE + "test_scores.py::test_f1_is_rounded_once",
    ),
    "BUG 17": (
        HERE + "test_votes.py::test_officially_the_first_three_rows_vote_and_the_tie_is_shown",
        HERE + "test_votes.py::test_best_runs_of_different_teams_without_the_organisers",
        CLI + "test_who_votes_is_a_choice",
    ),
    "BUG 18": (CLI + "test_our_workbook_knows_the_binary_mode_and_the_official_one_does_not",),
    "BUG 19": (
        CLI + "test_the_workbook_goes_out_with_context_and_comes_back_as_decisions_that_move_the_ranking",
        HERE + "test_workbook.py::test_the_same_content_gives_the_same_bytes_without_a_time",
        HERE + "test_workbook.py::test_texts_stay_texts_and_numbers_numbers",
    ),
    "BUG 20": (
        HERE + "test_pages.py::test_text_is_text_in_our_markdown_and_html",
        HERE + "test_pages.py::test_text_that_looks_like_a_number_stays_text_to_us",
        HERE + "test_pages.py::test_official_cells",
    ),
    "BUG 21": (CLI + "test_a_bad_submission_is_named_and_the_rest_is_scored_ranked_and_shown",),
    "BUG 22": (CLI + "test_validate_names_every_violation_with_line_document_pair_and_value",),
    "BUG 23": (CLI + "test_binary_results_never_overwrite_ternary_ones",),
    "BUG 24": (CLI + "test_a_tie_of_exact_fractions_is_a_tie_to_us",),
    "BUG 25": (
        HERE + "test_doubts.py::test_parse_failures_are_seen_whatever_their_numbers",
        HERE + "test_doubts.py::test_a_near_constant_run_is_seen_but_not_where_the_gold_is_constant_too",
        HERE + "test_doubts.py::test_is_at_without_at_is_seen",
        HERE + "test_doubts.py::test_a_sound_file_raises_no_doubt",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mark", TESTS)
def test_the_tests_of_a_mark_are_there(mark):
    for named in TESTS[mark]:
        file, _, test = named.partition("::")
        functions = {node.name for node in ast.parse((ROOT / Path(file)).read_text("utf-8")).body if isinstance(node, ast.FunctionDef)}
        assert test in functions, named


def test_every_mark_has_tests():
    told = shared("spec", "hipe-behaviour.md").read_text("utf-8")
    behaviour = told.partition("\n## 1. ")[2]
    bugs = {int(number) for number in re.findall(r"\[BUG (\d+)\]", behaviour)}
    listed = {int(number) for number in re.findall(r"^(\d+)\. ", behaviour.partition("\n## 16. ")[2].partition("\n## 17. ")[0], re.M)}
    assert bugs <= listed
    assert {f"BUG {number}" for number in listed} == {mark for mark in TESTS if mark.startswith("BUG")}
    sections = re.split(r"^## (\d+)\. ", "\n## 1. " + behaviour, flags=re.M)
    for kind in ("TRAP", "PUB"):
        found = {int(number): text.count(f"[{kind}]") for number, text in zip(sections[1::2], sections[2::2], strict=True)}
        ours = [int(re.findall(r"\d+", mark)[0]) for mark in TESTS if kind in mark.split()[:2]]
        assert {number: times for number, times in found.items() if times} == {number: ours.count(number) for number in ours}
