import pytest

from scoring.relations.measures.ensembles import group_members, summary_rows, track_ensembles
from scoring.relations.measures.evaluation import aligned_runs
from scoring.relations.measures.rankings import RankingTable
from scoring.relations.measures.votes import above_baseline, best_per_team, majority, official_voters, plurality, shares
from tests.scoring.relations.builders import GOLD, labelled, material

ROWS = [
    {"rank": str(rank), "team": team, "run": run, "submission": f"{team}_x_{run}.jsonl", "score": str(score)}
    for rank, team, run, score in [
        (1, "team8", "run1", 0.9),
        (2, "team8", "run2", 0.8),
        (2, "team9", "run1", 0.8),
        (2, "team1", "run1", 0.8),
        (3, "baseline", "run1", 0.7),
        (3, "team2", "run1", 0.7),
        (4, "random", "run1", 0.1),
    ]
]


def teams(voters):
    return [(voter.team, voter.run) for voter in voters]


def test_officially_the_first_three_rows_vote_and_the_tie_is_shown():
    chosen = official_voters(ROWS)
    assert teams(chosen.chosen) == [("team8", "run1"), ("team8", "run2"), ("team9", "run1")]
    assert teams(chosen.tied) == [("team1", "run1")]


def test_best_runs_of_different_teams_without_the_organisers():
    chosen = best_per_team(ROWS, 2)
    assert teams(chosen.chosen) == [("team8", "run1"), ("team9", "run1")]
    assert teams(chosen.tied) == [("team1", "run1")]
    assert "baseline" not in {voter.team for voter in best_per_team(ROWS, 9).chosen}


def test_above_the_baseline_is_strict():
    chosen = above_baseline(ROWS)
    assert len(chosen.chosen) == 4
    assert teams(chosen.tied) == [("team2", "run1")]


@pytest.mark.parametrize(
    ("labels", "vote", "status"),
    [
        (["TRUE", "TRUE", "FALSE"], "TRUE", "MAJORITY"),
        (["TRUE", "PROBABLE", "FALSE"], None, "NO_MAJORITY"),
        (["TRUE", "FALSE"], None, "NO_MAJORITY"),
        ([], None, "NO_MAJORITY"),
    ],
)
def test_majority_is_more_than_half(labels, vote, status):
    assert majority(labels) == (vote, status)


def test_plurality_breaks_ties_by_the_alphabet():
    assert plurality(["TRUE", "PROBABLE"]) == "PROBABLE"
    assert plurality(["TRUE", "FALSE", "TRUE"]) == "TRUE"
    assert shares(["TRUE", "TRUE", "FALSE"], ("TRUE", "PROBABLE", "FALSE")) == {"TRUE": 0.666667, "PROBABLE": 0.0, "FALSE": 0.333333}


def test_ensemble_members():
    members = group_members(RankingTable("t", (), tuple(ROWS)), 2)
    assert members.top == {("team8", "run1"), ("team8", "run2")}
    assert ("team2", "run1") not in members.above_baseline
    assert len(members.above_baseline) == 4
    without = group_members(RankingTable("t", (), tuple(row for row in ROWS if row["team"] != "baseline")))
    assert without.above_baseline is None
    assert "no baseline" in without.why


def test_an_ensemble_votes_by_plurality(tmp_path):
    wrong = [labelled(GOLD[0], at={0: "FALSE"}), GOLD[1]]
    held = material(tmp_path, GOLD, {"team1_run1": GOLD, "team2_run1": wrong, "team3_run1": wrong})
    aligned = aligned_runs(held)
    runs = {(stem.split("_")[0], "run1"): run for stem, run in aligned.items()}
    (reference,) = held.references.values()
    track = track_ensembles(reference, ("at", "isAt"), runs, group_members(None), "TERNARY")
    first = track["ensembles"]["full"]["at"]["pairs"][0]
    assert (first["vote_at"], first["correct_at"], first["num_predictions"]) == ("FALSE", False, 3)
    assert first["dist_at"] == {"FALSE": 0.666667, "PROBABLE": 0.0, "TRUE": 0.333333}
    assert track["ensembles"]["full"]["at"]["accuracy"] == round(5 / 6, 6)
    assert track["ensembles"]["full"]["isAt"]["macro_recall"] == 1.0
    assert len(summary_rows([track])) == 3
