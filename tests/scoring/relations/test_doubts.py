import pytest

from scoring.relations.inputs.doubtful_submissions import campaign_doubts, looks_failed
from scoring.relations.inputs.material import load_campaign, places
from scoring.relations.measures.evaluation import aligned_runs
from tests.scoring.relations.builders import document, labelled, material, pair
from tests.shared import shared

LABELS = ["TRUE", "FALSE", "PROBABLE", "FALSE", "TRUE", "FALSE"] * 4
MANY = [document("d1", [pair(f"p{at}", f"l{at}", label) for at, label in enumerate(LABELS)])]


def doubts(folder, answers, gold=MANY, infos=None):
    runs = answers if isinstance(answers, dict) else {"team1_run1": answers}
    held = material(folder, gold, runs, infos)
    return [problem.message for problem in campaign_doubts(held, aligned_runs(held))]


def explained(texts):
    copy = labelled(MANY[0])
    for at, one in enumerate(copy["sampled_pairs"]):
        one["at_explanation"] = texts.format(at)
    return [copy]


def test_a_sound_file_raises_no_doubt(tmp_path):
    assert doubts(tmp_path, explained("The text says so in sentence {0}, where another person is named.")) == []


def test_parse_failures_are_seen_whatever_their_numbers(tmp_path):
    found = doubts(tmp_path, explained("Invalid JSON response: control character at: line {0} column {0}"))
    assert any("error-like explanations: 24 of 24 pairs (100%)" in one for one in found)


def test_one_explanation_for_everything_is_seen(tmp_path):
    found = doubts(tmp_path, explained("Not enough context to decide."))
    assert any(one.startswith("repeated explanation: 24 of 24") for one in found)


def test_a_near_constant_run_is_seen_but_not_where_the_gold_is_constant_too(tmp_path):
    constant = [labelled(MANY[0], at=dict.fromkeys(range(24), "FALSE"))]
    assert any("near-constant: `at` is FALSE for 24 of 24" in one for one in doubts(tmp_path / "a", constant))
    assert not any("near-constant" in one for one in doubts(tmp_path / "b", constant, gold=constant))


def test_much_left_out_is_seen(tmp_path):
    few = [document("d1", MANY[0]["sampled_pairs"][:20])]
    found = doubts(tmp_path, few)
    assert any(one.startswith("imputation: 4 of 24 pairs (17%)") for one in found)


def test_is_at_without_at_is_seen(tmp_path):
    found = doubts(tmp_path, [labelled(MANY[0], at={0: "FALSE"}, is_at={0: "TRUE"})])
    assert any(one.startswith("isAt without at: 1 pairs") for one in found)


def test_identical_runs_gaps_and_disagreeing_information_are_seen(tmp_path):
    infos = {"team1_run3": {"hipe_parameter_count": 110, "team_parameter_count": 1, "hipe_model_size": 433, "team_model_size": 1}}
    found = doubts(tmp_path, {"team1_run1": MANY, "team1_run3": MANY}, infos=infos)
    assert any(one.startswith("identical:") for one in found)
    assert any("team1 has no run2" in one for one in found)
    assert any("bits a parameter" in one for one in found)


@pytest.mark.parametrize(
    "text",
    [
        "No JSON object start found in model output",
        "Traceback (most recent call last): x",
        "Error: 429",
        "API error",
        "Request timed out",
        "no response",
    ],
)
def test_what_looks_failed(text):
    assert looks_failed(text)


@pytest.mark.parametrize(
    "text",
    [
        "The text says he was there in error, having missed the train.",
        "L'article ne fournit pas d'informations sur la présence actuelle.",
        "There is no mention of him being in Rome.",
        "He failed to reach the town.",
        "His parents lived there.",
    ],
)
def test_what_does_not_look_failed(text):
    assert not looks_failed(text)


def test_the_warnings_fire_on_the_files_they_would_have_saved_and_not_on_sound_ones():
    hipe = shared("data", "hipe")
    where = places(hipe, reference="reference", submissions="real_runs/systems", config="published/competition_config.json")
    held = load_campaign(where)
    found = {}
    for problem in campaign_doubts(held, aligned_runs(held)):
        found.setdefault(problem.where.rsplit("/", 1)[1], []).append(problem.message)
    for language, count in (("de", "224 of 238"), ("fr", "224 of 238"), ("en", "129 of 162")):
        messages = found[f"team10_HIPE-2026-v1.0-impresso-test-{language}_run1.jsonl"]
        assert any(f"error-like explanations: {count}" in message for message in messages)
    for run in ("run1", "run2", "run3"):
        assert f"team10_HIPE-2026-v1.0-surprise-test-fr_{run}.jsonl" not in found
