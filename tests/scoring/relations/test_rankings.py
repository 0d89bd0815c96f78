import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.relations.measures.extended_rankings import competition_ranks, dense
from scoring.relations.measures.rankings import cell_text, dense_ranks, read_table, tables
from scoring.relations.measures.run_scores import RunScore
from tests.tui.campaign_runner import run as command


def record(team, run="run1", language="en", score=0.5, size=1, count=1, opt_out=False, missing=False, dataset="impresso", version="v1.0"):
    reference = f"HIPE-2026-{version}-{dataset}-test-{language}"
    scores = {"global_score": score, "at_macro_recall": score, "at_accuracy": score, "isAt_macro_recall": score, "isAt_accuracy": score}
    efficiency = {"hipe_model_size": size, "hipe_parameter_count": count, "info_missing": missing, "team_efficiency_opt_out": opt_out}
    return RunScore(
        f"{team}_{reference}_{run}.jsonl", f"{reference}.jsonl", team, run, dataset, "test", language, "accuracy", ("at", "isAt"),
        "TERNARY", scores, {}, efficiency,
    )  # fmt: skip


def table(records, file):
    return next(one for one in tables(records) if one.file == file)


def test_official_ranks_are_dense_and_nulls_take_the_number_of_rows():
    rows = [{"team": f"team{at}", "run": "run1", "score": score} for at, score in enumerate([0.9, 0.5, None, None, 0.9])]
    ranks = dense_ranks(rows, lambda row: row["score"], highest_first=True)
    assert [ranks[row["team"], "run1"] for row in rows] == [1, 2, 5, 5, 1]


@given(st.lists(st.one_of(st.none(), st.integers(0, 5)), max_size=12))
def test_competition_ranks_count_those_before(values):
    for value, rank in zip(values, competition_ranks(values), strict=True):
        if value is None:
            assert rank == 1 + sum(other is not None for other in values)
        else:
            assert rank == 1 + sum(other is not None and other > value for other in values)


def test_both_styles():
    assert competition_ranks([0.9, 0.9, 0.5]) == [1, 1, 3]
    assert dense([1, 1, 3]) == [1, 1, 2]


def test_rows_of_one_rank_stand_in_text_order():
    rows = table([record("team2"), record("team10"), record("baseline")], "ranking-impresso-test-en.tsv").rows
    assert [row["team"] for row in rows] == ["baseline", "team10", "team2"]


def test_two_reference_versions_share_the_worse_rank():
    records = [record("team1", score=0.9), record("team2", score=0.8), record("team1", score=0.1, version="v2.0")]
    rows = table(records, "ranking-impresso-test-en.tsv").rows
    assert [(row["team"], row["rank"]) for row in rows] == [("team2", 2), ("team1", 3), ("team1", 3)]


def test_complete_means_every_language_anybody_sent():
    records = [record("team1"), record("team1", language="de"), record("team2")]
    assert [row["team"] for row in table(records, "ranking-overall-test-a.tsv").rows] == ["team1"]
    assert [row["team"] for row in table(records[:1] + records[2:], "ranking-overall-test-a.tsv").rows] == ["team1", "team2"]


def test_an_opt_out_on_one_file_leaves_the_run_in_the_other_language():
    records = [record("team1", opt_out=True), record("team1", language="de")]
    assert table(records, "ranking-efficiency-test-a.tsv").rows == ()
    assert table(records, "ranking-efficiency-impresso-test-en.tsv").rows == ()
    assert len(table(records, "ranking-efficiency-impresso-test-de.tsv").rows) == 1


def test_unknown_sizes_rank_last_but_before_bigger_ones_and_stay_empty():
    records = [record("team1", size=None, count=None), record("team2", size=10**17, count=5)]
    rows = {row["team"]: row for row in table(records, "ranking-efficiency-test-a.tsv").rows}
    assert (rows["team1"]["rank_model_size"], rows["team2"]["rank_model_size"]) == (1, 2)
    assert (rows["team1"]["rank_parameter_count"], rows["team2"]["rank_parameter_count"]) == (2, 1)
    assert rows["team1"]["hipe_model_size"] is None


def test_sizes_are_means_as_numbers_of_the_overall_table():
    records = [record("team1", language=language, size=0.8, count=277730309) for language in ("de", "en", "fr")]
    assert "277730309.0\t0.8000000000000002" in table(records, "ranking-efficiency-test-a.tsv").tsv()
    assert "\t277730309\t0.8\t" in table(records, "ranking-efficiency-impresso-test-de.tsv").tsv()


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (True, "True"), (24.666666666666668, "24.666666666666668"), (1e17, "1e+17"), ("a\tb\nc", "a b c"), (3, "3")],
)
def test_cells(value, text):
    assert cell_text(value) == text


def test_a_table_reads_back():
    made = table([record("team1", score=None)], "ranking-impresso-test-en.tsv")
    read = read_table(made.file, made.tsv())
    assert read.columns == made.columns
    assert read.rows[0]["score"] is None
    assert read.rows[0]["rank"] == "1"


def test_the_published_mean_of_three_languages():
    """Added one after the other these give another last digit than the correctly rounded sum the published tables have."""
    scores = (0.1, 0.2, 0.3)
    assert sum_in_order(scores) / 3 != math.fsum(scores) / 3
    records = [record("team1", language=language, score=score) for language, score in zip(("de", "en", "fr"), scores, strict=True)]
    assert table(records, "ranking-overall-test-a.tsv").rows[0]["score"] == math.fsum(scores) / 3


def sum_in_order(values):
    total = 0.0
    for value in values:
        total += value
    return total


def test_nothing_scored_gives_no_table(tmp_path):
    assert tables([]) == ()
    (tmp_path / "data" / "reference").mkdir(parents=True)
    result = command("-C", tmp_path, "campaign", "rankings")
    assert result.code == 0
    assert "no scored runs" in result.err
