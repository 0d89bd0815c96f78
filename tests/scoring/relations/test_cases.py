import json

import pytest

from scoring.adjudication.cases import Facts, Grid, Passage
from scoring.adjudication.decisions import Decisions, LogEntry, new_id, timestamp
from scoring.foundations.incremental import finished
from scoring.foundations.problems import InputError
from scoring.relations.cases import adjudicated_gold as adjudicated
from scoring.relations.cases.adjudicated_gold import base_of, evaluate
from scoring.relations.inputs.material import load_campaign, places
from scoring.relations.outputs.gold_export import changed_labels, gold_text
from scoring.relations.task import RelationsTask
from scoring.workspace.layout import Workspace
from tests.scoring.relations.builders import EN, GOLD, campaign, jsonl, labelled
from tests.shared import shared
from tui.bench.opening import open_session

TASK = RelationsTask()
WRONG = [labelled(GOLD[0], at={0: "FALSE", 3: "PROBABLE"}), GOLD[1]]
OTHER = [labelled(GOLD[0], at={0: "FALSE", 3: "FALSE"}), GOLD[1]]


def entry_of(evaluation, case, verdict, verifier="mp", **more):
    judged = TASK.judge(evaluation, case, verdict)
    return LogEntry(
        id=new_id(), at=timestamp(), verifier=verifier, task="relations", case=judged.case, verdict=judged.verdict,
        targets=judged.targets, basis=dict(judged.basis), **more,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    return campaign(tmp_path, GOLD, {"team1_run1": WRONG, "team2_run1": OTHER, "team3_run1": GOLD})


def evaluation_of(folder, *entries):
    workspace = Workspace(folder)
    assert TASK.present(workspace)
    return TASK.evaluate(TASK.load(workspace), Decisions.of(entries))


def cases_of(evaluation, pages=None):
    return {case.title: case for case in finished(TASK.gathering(evaluation, pages))}


def test_what_the_voters_do_not_confirm_is_a_case(folder):
    found = cases_of(evaluation_of(folder))
    assert {title: case.queue for title, case in found.items()} == {"p1 / l1: at": "gold differs", "p2 / l2: at": "gold split"}
    case = found["p1 / l1: at"]
    assert case.suggestion == "false"
    assert case.leverage == 2.0
    assert [occurrence.run for occurrence in case.occurrences] == ["team1/impresso-test-en/run1", "team2/impresso-test-en/run1"]
    assert case.targets == (f"gt:{EN}/d1:1",)
    assert case.question == "Does the text say that p1 was, at some time, at l1?"
    assert case.verdicts == ("stands", "true", "probable", "false", "unsure")
    assert cases_of(evaluation_of(folder), ["d2"]) == {}


def test_the_evidence_shows_the_text_the_voters_all_runs_and_the_neighbours(folder):
    evaluation = evaluation_of(folder)
    blocks = TASK.evidence(evaluation, cases_of(evaluation)["p1 / l1: at"])
    facts, doubt, passage, voters, everyone, neighbours = blocks
    assert dict(facts.rows)["publication"] == "T (Newspaper)"
    assert dict(doubt.rows)["asked because"] == "gold says TRUE, 2 of 3 voters say FALSE"
    assert dict(doubt.rows)["gold"] == "at TRUE, isAt TRUE"
    assert isinstance(passage, Passage)
    assert [(passage.text[start:end], kind) for start, end, kind in passage.spans] == [
        ("p1", "person"), ("l1", "place"), ("p2", "dimmed"), ("l2", "dimmed"),
    ]  # fmt: skip
    assert isinstance(voters, Facts)
    assert sorted((label, text.split(" (")[0]) for label, text in voters.rows) == [
        ("= TRUE", "team3 run1"), ("≠ FALSE", "team1 run1"), ("≠ FALSE", "team2 run1"),
    ]  # fmt: skip
    assert [line.cells[:2] for line in everyone.lines] == [("TRUE", "1"), ("PROBABLE", "0"), ("FALSE", "2")]
    assert isinstance(neighbours, Grid)
    assert [(line.cells[0], line.cells[1], line.mark) for line in neighbours.lines] == [("p1", "l2", "p"), ("p2", "l1", "l")]


def test_blind_shows_the_text_without_gold_votes_and_teams(folder):
    evaluation = evaluation_of(folder)
    case = cases_of(evaluation)["p1 / l1: at"]
    shown = TASK.evidence(evaluation, case, blind=True)
    assert any(isinstance(block, Passage) for block in shown)
    text = f"{shown} {case.title} {case.question}"
    for word in ("TRUE", "FALSE", "team", "gold", "vote"):
        assert word not in text


def test_what_a_verdict_would_change_is_what_it_changes(folder):
    before = evaluation_of(folder)
    case = cases_of(before)["p1 / l1: at"]
    (grid,) = finished(TASK.effects(before, case))
    assert [line.cells[0] for line in grid.lines] == ["probable", "false"]
    after = evaluation_of(folder, entry_of(before, case, "false"))
    scores = [
        (one.official.scores["global_score"], two.official.scores["global_score"])
        for one, two in zip(before.adjudicated.runs, after.adjudicated.runs, strict=True)
    ]
    up, down = sum(now > was for was, now in scores), sum(now < was for was, now in scores)
    assert grid.lines[1].cells[1:3] == (str(up), str(down))


def test_what_a_verdict_would_change_scores_no_other_reference_and_never_the_whole_campaign(folder, monkeypatch):
    """A step of it scores a few runs, so that a screen can draw between them; after a verdict too."""
    evaluation = evaluation_of(folder)
    case = cases_of(evaluation)["p1 / l1: at"]
    after = evaluation_of(folder, entry_of(evaluation, case, "false"))
    assert after.gold
    monkeypatch.setattr(adjudicated, "score_campaign", None)
    (moves,) = finished(TASK.effects(after, case))
    monkeypatch.undo()
    back = finished(TASK.effects(after, case))
    assert (moves,) == back
    assert [line.cells[0] for line in moves.lines] == ["true", "probable"]
    up, down = after.base.automatic.runs, after.adjudicated.runs
    gained = sum(a.official.scores["global_score"] > b.official.scores["global_score"] for a, b in zip(up, down, strict=True))
    assert moves.lines[0].cells[1] == str(gained)


def test_the_campaign_at_a_glance_and_its_rankings(folder):
    before = evaluation_of(folder)
    case = cases_of(before)["p1 / l1: at"]
    entry = entry_of(before, case, "false")
    after = evaluation_of(folder, entry)
    facts, references = TASK.overview(after)
    assert dict(facts.rows)["submissions"] == "3 scored, 0 not"
    assert references.lines[0].cells[-1] == "1"
    top, _ = TASK.figures(after)
    file = "ranking-impresso-test-en.tsv"
    assert file in [line.target for line in top.lines]
    ranking, _ = TASK.figures(after, (file,))
    assert [line.mark for line in ranking.lines] != [""] * 3
    run, confusions = TASK.figures(after, (file, ranking.lines[0].target))
    assert [line.cells[0] for line in run.lines] == ["at", "isAt"]
    assert len(confusions) == 2
    assert TASK.behind(after, (file,)) == (entry,)
    assert TASK.behind(before) == ()


def test_a_stale_verdict_can_be_kept(folder):
    before = evaluation_of(folder)
    entry = entry_of(before, cases_of(before)["p1 / l1: at"], "false")
    campaign(folder, [labelled(GOLD[0], at={0: "PROBABLE"}), GOLD[1]], {})
    after = evaluation_of(folder, entry)
    kept = TASK.kept(after, entry)
    assert kept.verdict == "false"
    assert kept.basis["gold_label"] == "PROBABLE"
    assert TASK.draft(after, cases_of(after)["p1 / l1: at"]) is None


def sitting(folder, queue, verifier="mp"):
    session = open_session(folder, verifier, task="relations")
    session.open_queue(queue)
    return session


def test_at_a_sitting_a_stale_verdict_shows_what_was_said_and_is_kept_revisited_or_given_anew(folder):
    session = sitting(folder, "gold differs")
    title = session.current.title
    session.give("false", note="a namesake")
    session.settle()
    campaign(folder, [labelled(GOLD[0], at={0: "PROBABLE"}), GOLD[1]], {})
    session = sitting(folder, "stale")
    assert (session.current.title, session.current.status) == (title, "stale")
    assert session.current.verdicts[-2:] == ("keep", "revisit")
    rows = dict(session.evidence()[0].rows)
    assert (rows["said"], rows["note"]) == ("false", "a namesake")
    assert rows["why it does not apply"] == "the gold label was TRUE when this was judged and is PROBABLE now"
    assert session.keep() == "kept: false, now of the rows as they are"
    session.settle()
    (effect,) = session.evaluation.effects.values()
    assert (effect.applies, effect.label, effect.entry.basis["gold_label"]) == (True, "FALSE", "PROBABLE")
    assert "entry" not in effect.entry.basis
    campaign(folder, [labelled(GOLD[0], at={0: "TRUE"}), GOLD[1]], {})
    session = sitting(folder, "stale")
    session.revisit()
    session.settle()
    assert session.evaluation.effects == {}
    assert {case.title: case.status for case in session.cases.values()}[title] == "open"
    session = sitting(folder, "gold differs")
    session.give("false")
    campaign(folder, [labelled(GOLD[0], at={0: "PROBABLE"}), GOLD[1]], {})
    session = sitting(folder, "stale")
    session.give("probable")
    session.settle()
    assert [(effect.applies, effect.label) for effect in session.evaluation.effects.values()] == [(True, "PROBABLE")]


def test_a_verdict_on_a_pair_that_left_the_gold_is_listed_and_can_be_taken_back(folder):
    session = sitting(folder, "gold differs")
    given = session.give("false")
    campaign(folder, [{**GOLD[0], "sampled_pairs": GOLD[0]["sampled_pairs"][1:]}, GOLD[1]], {})
    session = sitting(folder, "stale")
    assert (session.current.id, session.current.verdicts) == (given.case, ("revisit",))
    assert session.current.note == "no gold here has the pair that was judged"
    assert dict(session.evidence()[0].rows)["said"] == "false"
    assert finished(TASK.effects(session.evaluation, session.current)) == ()
    assert TASK.behind(session.evaluation) == ()
    assert dict(session.overview()[0].rows)["decisions"] == "0 applied, 1 stale, 0 in conflict"
    with pytest.raises(InputError, match="not in this gold any more"):
        session.keep()
    with pytest.raises(InputError, match="no case"):
        session.give("true")
    session.revisit()
    session.settle()
    assert given.case not in session.cases
    assert changed_labels(session.evaluation, next(iter(session.evaluation.material.references.values()))) == []


def test_a_verdict_replaces_the_label_and_nothing_else(folder):
    before = evaluation_of(folder)
    case = cases_of(before)["p1 / l1: at"]
    after = evaluation_of(folder, entry_of(before, case, "false"))
    assert after.base.automatic.records == before.base.automatic.records
    assert after.adjudicated.records != before.adjudicated.records
    assert after.gold[EN]["at"][0] == "FALSE"
    assert cases_of(after)["p1 / l1: at"].status == "decided"
    assert evaluation_of(folder, entry_of(before, case, "stands")).gold == {}
    assert evaluation_of(folder, entry_of(before, case, "unsure")).gold == {}


def test_an_at_false_beside_an_is_at_true_is_questioned(folder):
    before = evaluation_of(folder)
    after = evaluation_of(folder, entry_of(before, cases_of(before)["p1 / l1: at"], "false"))
    questioned = cases_of(after)["p1 / l1: isAt"]
    assert questioned.queue == "isAt without at"
    assert questioned.verdicts == ("stands", "true", "false", "unsure")
    with pytest.raises(InputError, match="no verdict on `isAt`"):
        TASK.judge(after, questioned, "probable")


@pytest.mark.parametrize("wrong", [{"targets": ("gt:x:1",)}, {"value": "TRUE"}, {"run": "team1/x/run1"}])
def test_a_verdict_points_at_its_own_pair_for_all_runs(folder, wrong):
    evaluation = evaluation_of(folder)
    with pytest.raises(InputError):
        TASK.judge(evaluation, cases_of(evaluation)["p1 / l1: at"], "true", **wrong)


def test_a_changed_gold_makes_the_verdict_stale_with_its_cause(folder):
    before = evaluation_of(folder)
    entry = entry_of(before, cases_of(before)["p1 / l1: at"], "false")
    campaign(folder, [labelled(GOLD[0], at={0: "PROBABLE"}), GOLD[1]], {})
    after = evaluation_of(folder, entry)
    assert after.gold == {}
    assert after.stale()[0].stale == "the gold label was TRUE when this was judged and is PROBABLE now"
    assert next(case for case in cases_of(after).values() if case.id == entry.case).status == "stale"


def test_verifiers_who_disagree_are_a_conflict_and_nothing_applies(folder):
    before = evaluation_of(folder)
    case = cases_of(before)["p1 / l1: at"]
    after = evaluation_of(folder, entry_of(before, case, "false"), entry_of(before, case, "probable", "xy"))
    assert after.gold == {}
    assert len(after.conflicts()) == 1
    assert cases_of(after)[case.title].status == "conflict"


def test_reevaluation_is_evaluation(folder):
    before = evaluation_of(folder)
    entry = entry_of(before, cases_of(before)["p1 / l1: at"], "false")
    decisions = Decisions.of([entry])
    changed = {"d1": {("relations", entry.case, None)}}
    after = finished(TASK.reevaluation(before, decisions, changed))
    assert after.effects == evaluate(before.base, decisions).effects
    assert finished(TASK.reevaluation(after, Decisions.of([]), changed)).effects == {}


def test_a_decided_case_the_voters_confirm_stays_in_sight(folder):
    evaluation = evaluation_of(folder)
    from scoring.relations.cases.gold_votes import relation_case
    from scoring.relations.cases.queues import case_of

    (reference,) = evaluation.material.references.values()
    case = case_of(evaluation, relation_case(EN, reference.pairs[1], "at"))
    assert case.queue == "gold confirmed"
    after = evaluation_of(folder, entry_of(evaluation, case, "stands"))
    assert cases_of(after)["p1 / l2: at"].status == "decided"


def test_the_exported_gold_changes_what_was_decided_and_keeps_every_other_byte(folder):
    path = folder / "data" / "reference" / f"{EN}.jsonl"
    text = path.read_text().replace('{"document_id": "d2"', '{ "document_id":   "d2"')
    path.write_text("\n" + text)
    before = evaluation_of(folder)
    after = evaluation_of(folder, entry_of(before, cases_of(before)["p1 / l1: at"], "probable", note="seen"))
    (reference,) = after.material.references.values()
    written = gold_text(after, reference)
    assert written.splitlines()[2] == text.splitlines()[1]
    assert [json.loads(line) for line in written.split("\n") if line] == [labelled(GOLD[0], at={0: "PROBABLE"}), GOLD[1]]
    assert written.startswith("\n")
    (change,) = changed_labels(after, reference)
    assert (change.before, change.after, change.verifier, change.note) == ("TRUE", "PROBABLE", "mp", "seen")
    assert gold_text(before, reference) == "\n" + text


def test_the_released_adjudication_is_reached_by_its_decisions(tmp_path):
    """20 labels decided on the reported gold give the other version's labels and its scores."""
    hipe = shared("data", "hipe")
    changes = json.loads((hipe / "gold_versions" / "CHANGED_LABELS.json").read_text())
    where = places(hipe, reference="reference", submissions="real_runs/systems", config="published/competition_config.json")
    base = base_of(load_campaign(where))
    start = evaluate(base)
    stem = "HIPE-2026-v1.0-surprise-test-fr"
    reference = base.material.references[f"{stem}.jsonl"]
    from scoring.relations.cases.gold_votes import relation_case
    from scoring.relations.cases.queues import case_of

    entries = []
    for change in changes:
        position = reference.by_key[change["document_id"], change["pers_entity_id"], change["loc_entity_id"]]
        case = case_of(start, relation_case(stem, reference.pairs[position], "at"))
        if change["at_reported"] != change["at_adjudication3"]:
            entries.append(entry_of(start, case, change["at_adjudication3"].lower()))
    after = evaluate(base, Decisions.of(entries))
    released = hipe / "gold_versions" / f"{stem}.adjudication3.jsonl"

    def labels(text):
        held = (json.loads(line) for line in text.splitlines() if line.strip())
        return {
            (one["document_id"], pair["pers_entity_id"], pair["loc_entity_id"]): pair["at"] for one in held for pair in one["sampled_pairs"]
        }

    assert labels(gold_text(after, reference)) == labels(released.read_text())
    scores = {record.submission: record for record in after.adjudicated.records}
    for path in (hipe / "gold_versions" / "expected").iterdir():
        expected = json.loads(path.read_text())
        assert scores[expected["submission"]].scores == expected["scores"]


def test_jsonl_round_trip_of_the_builders():
    assert [json.loads(line) for line in jsonl(GOLD).splitlines()] == GOLD
