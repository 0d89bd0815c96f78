"""Micro totals, what lies behind them, and what verdicts move."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.adjudication.decisions import Decisions, LogEntry, new_id, retraction, timestamp
from scoring.foundations.incremental import finished
from scoring.foundations.problems import InputError
from scoring.questions.cases.evidence import evidence
from scoring.questions.cases.queues import abbreviates, cases, draft, gathering, readings
from scoring.questions.execution import application as binding
from scoring.questions.execution.application import CaseContent, judged_of
from scoring.questions.execution.evaluation import Evaluation, evaluate, reevaluation
from scoring.questions.matching.answer_scores import Outcome
from scoring.questions.measures.breakdowns import confusions, consistency, differences
from scoring.questions.measures.tables import tables
from scoring.questions.measures.totals import Figures, Tally, moves, pages, pooled, totals
from scoring.questions.task import QuestionsTask
from scoring.questions.verdicts.validation import judge, kept
from scoring.workspace.layout import Workspace, open_workspace
from tests.scoring.questions.small import GT, material, ok, right, workspace


def cell(evaluation: Evaluation, question: str, model: str = "m", phase: str = "p") -> Tally:
    found = totals(evaluation.material, evaluation.automatic)
    return next(tally for (one, *place), tally in found.items() if (one.id, *place) == (question, model, phase))


def row(evaluation: Evaluation, title: str, *start: str) -> dict[str, object]:
    table = next(table for table in tables(evaluation) if table.title == title)
    (found,) = (found for found in table.rows if found[: len(start)] == start)
    return dict(zip(table.header, found, strict=True))


def test_all_right_is_one_everywhere(tmp_path: Path) -> None:
    evaluation = evaluate(material(tmp_path, {"m/p/run_01.json": right()}))
    found = totals(evaluation.material, evaluation.automatic)
    assert {tally.score for tally in found.values()} == {1.0}
    # Q2 and Q21 are not asked of document 2 and out of the base; Q5, Q10 and Q22 are right there, as blank as the ground truth.
    assert {question.id: (tally.asked, tally.base, tally.excluded) for (question, *_), tally in found.items()} == {
        "Q1": (2, 2, 0),
        "Q2": (1, 1, 1),
        "Q4": (2, 2, 0),
        "Q5": (1, 2, 0),
        "Q10": (2, 2, 0),
        "Q17": (2, 2, 0),
        "Q19": (2, 2, 0),
        "Q21": (1, 1, 1),
        "Q22": (2, 2, 0),
    }


def test_the_three_rates(tmp_path: Path) -> None:
    runs = {
        "m/p/run_01.json": right(_1={"Q1": "illegible"}, _2={"Q1": "Y"}),
        "m/p/run_02.json": right(_1={"Q1": "illegible", "Q21": "illegible"}, _2={"Q21": "N"}),
        "m/p/run_03.json": {"1": ok({}), "2": {"status": "failed"}},
    }
    evaluation = evaluate(material(tmp_path, runs))
    q1 = cell(evaluation, "Q1")
    assert (q1.correct, q1.incorrect, q1.claims, q1.asked) == (1, 2, 2, 5)
    assert (q1.conditional, q1.combined, q1.claim_rate) == (1 / 3, 1 / 5, 2 / 5)
    q21 = cell(evaluation, "Q21")
    # Asked in three answered pages: right, claimed, left blank; answered once where it was not asked: incorrect, not a claim.
    assert (q21.correct, q21.incorrect, q21.claims, q21.excluded, q21.asked) == (1, 2, 1, 1, 3)
    assert (q21.conditional, q21.combined, q21.claim_rate) == (1 / 3, 1 / 4, 1 / 3)
    assert row(evaluation, "Booleans", "Q1", "m", "p") == {
        "question": "Q1",
        "model": "m",
        "phase": "p",
        "asked": 5,
        "correct": 1,
        "incorrect": 2,
        "claims": 2,
        "excluded": 0,
        "conditional": 1 / 3,
        "combined": 1 / 5,
        "claim_rate": 2 / 5,
    }
    counted = pages(evaluation.material)["m", "p"]
    assert (counted.runs, counted.ok, counted.failed, counted.missing) == (3, 5, 1, 0)


def test_a_rate_without_base_is_undefined(tmp_path: Path) -> None:
    evaluation = evaluate(material(tmp_path, {"m/p/run_01.json": {"1": {"status": "failed"}}}))
    figures = row(evaluation, "Booleans", "Q1", "m", "p")
    assert (figures["asked"], figures["conditional"], figures["combined"], figures["claim_rate"]) == (0, None, None, None)
    assert row(evaluation, "Scores by cell, all questions", "m", "p")["score"] is None


def test_totals_are_pooled_not_averaged(tmp_path: Path) -> None:
    runs = {
        "a/p/run_01.json": right(_1={"Q19": "1"}),
        "a/p/run_02.json": {"1": ok({"Q19": "1"})},
        "a/q/run_01.json": right(),
        "b/p/run_01.json": right(_2={"Q19": "3"}),
    }
    evaluation = evaluate(material(tmp_path, runs))
    assert row(evaluation, "Integers and paired integers", "Q19", "a", "p")["accuracy"] == 1 / 3
    assert row(evaluation, "Integers and paired integers", "Q19", "a", "all")["accuracy"] == 3 / 5
    assert row(evaluation, "Integers and paired integers", "Q19", "all", "all")["accuracy"] == 4 / 7
    assert row(evaluation, "Integers and paired integers", "all", "b", "p")["accuracy"] == 4 / 5
    whole = pooled(Figures(evaluation).automatic, lambda *_: ())[()]
    assert row(evaluation, "Score by question and cell", "all")["all"] == whole.score


def test_arrays_mean_over_documents_and_pooled_figures_beside(tmp_path: Path) -> None:
    evaluation = evaluate(material(tmp_path, {"m/p/run_01.json": right(_1={"Q10": "suo domestico"}, _2={"Q10": "tre persone"})}))
    q10 = cell(evaluation, "Q10")
    assert q10.score == (2 / 3 + 0) / 2
    assert (q10.precision, q10.recall, q10.f1) == (1 / 2, 1 / 2, 2 / 4)
    assert (q10.gt_entries, q10.model_entries) == (2, 2)


def test_confusion_illegibility_and_differences(tmp_path: Path) -> None:
    runs = {
        "m/p/run_01.json": right(_1={"Q1": "illegible", "Q19": "1"}, _2={"Q1": "Y", "Q19": "illegible"}),
        "m/p/run_02.json": right(_1={"Q1": "", "Q19": "0"}, _2={"Q1": "perhaps", "Q19": "3"}),
    }
    evaluation = evaluate(material(tmp_path, runs))
    found = confusions(evaluation)["Q1", "m", "p"].counts
    assert dict(found) == {("Y", "illegible"): 1, ("Y", "blank"): 1, ("N", "Y"): 1, ("N", "other"): 1}
    q19 = differences(evaluation)["Q19", "m", "p"]
    assert dict(q19.counts) == {-1: 1, -2: 1, 3: 1}
    assert (q19.compared, q19.under, q19.exact, q19.over, q19.mean, q19.least, q19.greatest, q19.none) == (3, 2, 0, 1, 0.0, -2, 3, 1)
    said = row(evaluation, "Illegibility", "Q19", "m")
    assert (said["said_illegible"], said["claims"], said["claim_rate"]) == (1, 0, 0.0)
    every = row(evaluation, "Illegibility", "all", "m")
    assert (every["asked"], every["said_illegible"], every["claims"], every["claim_rate"]) == (10, 2, 1, 1 / 10)


def test_consistency_compares_answers_as_they_are_scored(tmp_path: Path) -> None:
    runs = {
        "m/p/run_01.json": right(_1={"Q17": "3|4", "Q10": "sua figliuola | suo domestico", "Q22": "comici | fratelli", "Q1": "y."}),
        "m/p/run_02.json": right(_1={"Q17": "3 | 4", "Q10": "suo domestico | sua fig.la", "Q22": "fratelli | comici"}),
        "m/p/run_03.json": {"1": {"status": "failed"}},
    }
    found = {(one.question, one.document): (one.runs, one.same, one.distinct) for one in consistency(material(tmp_path, runs))}
    assert found["Q17", "1"] == found["Q10", "1"] == found["Q1", "1"] == (2, 2, 1)
    assert found["Q22", "1"] == (2, 1, 2)
    assert found["Q1", "2"] == (2, 2, 1)


# Adjudication


RUNS = {
    "a/p/run_01.json": right(_1={"Q10": "suo d.co | sua figla"}),
    "a/p/run_02.json": right(_1={"Q10": "sua fig.la | suo d.co."}),
    "b/p/run_01.json": right(_1={"Q5": "bottom left"}),
}


def head() -> dict[str, str]:
    return {"id": new_id(), "at": timestamp(), "verifier": "mp", "task": "questions"}


def entry(evaluation: Evaluation, title: str, verdict: str, verifier: str = "mp", run: str | None = None, value: object = None) -> LogEntry:
    case = next(case for case in cases(evaluation) if case.title == title)
    said = judge(evaluation, case, verdict, run=run, value=value)
    return LogEntry(
        id=new_id(),
        at=timestamp(),
        verifier=verifier,
        task="questions",
        case=said.case,
        verdict=said.verdict,
        targets=said.targets,
        value=said.value,
        scope=said.scope,
        run=said.run,
        basis=dict(said.basis),
    )


def score_of(evaluation: Evaluation, run: str, question: str, *, adjudicated: bool = True) -> float | None:
    scores = evaluation.adjudicated if adjudicated else evaluation.automatic
    return scores[run]["1", question].score


def test_cases_are_grouped_over_runs_largest_effect_first(tmp_path: Path) -> None:
    found = cases(evaluate(material(tmp_path, RUNS)))
    assert [(case.title, len(case.occurrences), case.suggestion) for case in found] == [
        ("suo d.co ~ suo domestico (Q10)", 2, "equivalent"),
        ("bottom left ~ bottom right (Q5)", 1, "misread"),
        ("sua figla ~ sua figliuola (Q10)", 1, "misread"),
    ]
    first = found[0]
    assert first.leverage == pytest.approx(2 * (6 / 13) * 2 / 4)
    assert first.occurrences[0].run == "a/p/run_01"
    assert [one.targets for one in first.occurrences] == [
        ("gt:1:Q10:1", "model:a/p/run_01:1:Q10:1"),
        ("gt:1:Q10:1", "model:a/p/run_02:1:Q10:2"),
    ]
    assert first.verdicts == ("equivalent", "misread", "gt-wrong", "unsure")
    assert first.id.startswith("q-")
    assert finished(gathering(evaluate(material(tmp_path, RUNS)), ("2",))) == ()


def test_equivalent_counts_in_full_and_drafts_a_rule(tmp_path: Path) -> None:
    found = material(tmp_path, RUNS)
    before = evaluate(found)
    given = entry(before, "suo d.co ~ suo domestico (Q10)", "equivalent")
    after = evaluate(found, Decisions.of([given]), automatic=before)
    assert after.automatic == before.automatic
    assert score_of(after, "a/p/run_02", "Q10", adjudicated=False) == pytest.approx(2 * (1 + 7 / 13) / 4)
    assert score_of(after, "a/p/run_02", "Q10") == 1
    assert score_of(after, "a/p/run_01", "Q10") == pytest.approx(2 * (1 + 1 - 4 / 13) / 4)
    assert after.applied == (given,)
    assert {case.title: case.status for case in cases(after)}["suo d.co ~ suo domestico (Q10)"] == "decided"
    drafted = draft(CaseContent("1", "Q10", "suo domestico", "suo d.co"))
    assert (drafted.form, drafted.canonical, drafted.field) == ("d.co", "domestico", "Q10")
    assert "document 1" in drafted.witness


@pytest.mark.parametrize(("verdict", "value"), [("misread", None), ("unsure", None), ("gt-wrong", "suo d.co")])
def test_other_verdicts_move_no_figure(tmp_path: Path, verdict: str, value: object) -> None:
    found = material(tmp_path, RUNS)
    before = evaluate(found)
    after = evaluate(found, Decisions.of([entry(before, "suo d.co ~ suo domestico (Q10)", verdict, value=value)]))
    assert after.adjudicated == after.automatic
    assert len(after.applied) == 1


def test_a_verdict_narrowed_to_one_run(tmp_path: Path) -> None:
    found = material(tmp_path, RUNS)
    before = evaluate(found)
    title = "suo d.co ~ suo domestico (Q10)"
    narrowed = entry(before, title, "equivalent", run="a/p/run_02")
    after = evaluate(found, Decisions.of([narrowed]))
    assert score_of(after, "a/p/run_02", "Q10") == 1
    assert score_of(after, "a/p/run_01", "Q10") == score_of(before, "a/p/run_01", "Q10")
    but_one = evaluate(found, Decisions.of([entry(before, title, "equivalent"), entry(before, title, "misread", run="a/p/run_02")]))
    assert score_of(but_one, "a/p/run_02", "Q10") == score_of(before, "a/p/run_02", "Q10")
    assert score_of(but_one, "a/p/run_01", "Q10") != score_of(before, "a/p/run_01", "Q10")


SAID = st.tuples(st.integers(0, 3), st.sampled_from(["equivalent", "misread", "undo"]), st.sampled_from(["mp", "ab"]), st.booleans())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(SAID, max_size=8))
def test_reevaluation_is_evaluation(tmp_path: Path, said: list[tuple[int, str, str, bool]]) -> None:
    """Verdict after verdict, narrowed ones, contradictions and undos among them, the short way gives what the whole way gives."""
    found = material(tmp_path, {**RUNS, "c/p/run_01.json": right(_1={"Q5": "bottm right", "Q22": "fratelli | comica"})})
    before = now = evaluate(found)
    queued = cases(before)
    decisions = Decisions.of([])
    for number, verdict, verifier, narrowed in said:
        case = queued[number % len(queued)]
        if verdict == "undo":
            latest = decisions.latest_of(verifier)
            if latest is None:
                continue
            fresh = retraction(latest, id=new_id(decisions.greatest_id), at=timestamp())
        else:
            run = case.occurrences[-1].run if narrowed else None
            fresh = msgspec.structs.replace(entry(before, case.title, verdict, verifier, run), id=new_id(decisions.greatest_id))
        decisions = decisions.with_entry(fresh)
        now = finished(reevaluation(now, decisions, {fresh.case}))
        whole = evaluate(found, decisions, automatic=before)
        assert now.adjudicated == whole.adjudicated
        assert (now.applied, now.stale, now.conflicts, now.bound) == (whole.applied, whole.stale, whole.conflicts, whole.bound)
        assert {place: set(equal) for place, equal in now.equal.items()} == {place: set(equal) for place, equal in whole.equal.items()}
        assert [case.status for case in cases(now)] == [case.status for case in cases(whole)]


def test_a_verdict_touches_its_own_case_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = material(tmp_path, {**RUNS, "c/p/run_01.json": right(_1={"Q5": "bottm right"})})
    before = evaluate(found)
    first, second = (entry(before, case.title, "equivalent") for case in cases(before)[:2])
    decisions = Decisions.of([first])
    now = evaluate(found, decisions, automatic=before)
    looked: list[str] = []
    monkeypatch.setattr(binding, "judged_of", lambda one: looked.append(one.case) or judged_of(one))  # type: ignore[func-returns-value]
    finished(reevaluation(now, decisions.with_entry(second), {second.case}))
    assert looked == [second.case]


@pytest.mark.parametrize("value", [{"form": "d.co"}, {"form": "d.co", "canonical": " ", "field": "Q10"}, "d.co = domestico", {}])
def test_equivalent_takes_the_row_it_drafts_and_nothing_else(tmp_path: Path, value: object) -> None:
    before = evaluate(material(tmp_path, RUNS))
    title = "suo d.co ~ suo domestico (Q10)"
    drafted = {"form": "d.co", "canonical": "domestico", "field": "Q10"}
    assert entry(before, title, "equivalent", value=drafted).value == drafted
    with pytest.raises(InputError, match="takes"):
        entry(before, title, "equivalent", value=value)


def test_conflicting_verdicts_do_not_apply(tmp_path: Path) -> None:
    found = material(tmp_path, RUNS)
    before = evaluate(found)
    title = "suo d.co ~ suo domestico (Q10)"
    after = evaluate(found, Decisions.of([entry(before, title, "equivalent"), entry(before, title, "misread", verifier="ab")]))
    assert after.adjudicated == after.automatic
    assert len(after.conflicts) == 1
    assert {case.title: case.status for case in cases(after)}[title] == "conflict"


def test_stale_with_its_cause_and_kept_or_revisited(tmp_path: Path) -> None:
    before = evaluate(material(tmp_path / "a", RUNS))
    given = entry(before, "suo d.co ~ suo domestico (Q10)", "equivalent")
    changed = material(tmp_path / "b", RUNS, gt=GT.replace("suo domestico", "un domestico"))
    after = evaluate(changed, Decisions.of([given]))
    assert after.applied == ()
    assert [stale.cause for stale in after.stale] == [
        "ground truth: 'suo domestico' was judged, it says 'un domestico | sua figliuola' now",
    ]
    (case,) = (case for case in cases(after) if case.status == "stale")
    assert (case.id, case.queue, case.page, case.verdicts) == (given.case, "stale", "1", ("keep", "revisit"))
    assert evidence(after, case)
    gone = evaluate(material(tmp_path / "c", {"b/p/run_01.json": right()}), Decisions.of([given]))
    assert [stale.cause for stale in gone.stale] == ["no run answers 'suo d.co' any more"]
    assert evidence(after, case)[0].upper == "suo domestico"  # type: ignore[union-attr]
    with pytest.raises(InputError, match="Keep the verdict, or revisit"):
        judge(after, case, "equivalent")
    # Kept, it is said of the entry that stands there now.
    said = kept(after, given)
    fresh = LogEntry(**head(), case=said.case, verdict=said.verdict, targets=said.targets, basis=dict(said.basis))
    again = evaluate(changed, Decisions.of([fresh]))
    assert (again.stale, again.applied) == ((), (fresh,))
    assert score_of(again, "a/p/run_02", "Q10") == 1
    with pytest.raises(InputError, match=r"no run matches 'suo d\.co'"):
        kept(gone, given)
    shorter = material(tmp_path / "d", RUNS, gt=GT.replace("suo domestico | sua figliuola", ""))
    with pytest.raises(InputError, match="no entry 1 any more"):
        kept(evaluate(shorter), given)


def test_a_doubt_that_has_been_written_is_not_kept(tmp_path: Path) -> None:
    given = entry(evaluate(material(tmp_path / "a", RUNS)), "suo d.co ~ suo domestico (Q10)", "gt-wrong", value="un domestico")
    changed = evaluate(material(tmp_path / "b", RUNS, gt=GT.replace("suo domestico", "un domestico")), Decisions.of([given]))
    assert (changed.stale, changed.applied) == ((), ())
    assert [one.entry for bound in changed.bound.values() for one in bound.done] == [given]
    assert given.case not in {case.id for case in cases(changed)}
    with pytest.raises(InputError, match="says by now what the verdict proposed"):
        kept(changed, given)


def test_settling_the_rule_makes_no_verdict_stale(tmp_path: Path) -> None:
    found = material(tmp_path, RUNS)
    given = entry(evaluate(found), "suo d.co ~ suo domestico (Q10)", "equivalent")
    settled = found.with_rules(found.rules.with_open(found.rules.open_lines))
    after = evaluate(settled, Decisions.of([given]))
    assert after.stale == ()
    assert after.applied == (given,)
    assert score_of(after, "a/p/run_02", "Q10", adjudicated=False) == 1


def test_preview_of_an_open_row(tmp_path: Path) -> None:
    found = material(tmp_path, RUNS)
    before = evaluate(found)
    after = evaluate(found.with_rules(found.rules.with_open(found.rules.open_lines)))
    assert [(move.run, move.document, move.question) for move in moves(before, after)] == [
        ("a/p/run_01", "1", "Q10"),
        ("a/p/run_02", "1", "Q10"),
    ]
    assert moves(before, before) == ()


def test_ground_truth_doubted_where_most_models_agree(tmp_path: Path) -> None:
    wrong = right(_1={"Q22": "fratelli | comica"})
    runs = {f"{model}/p/run_01.json": wrong for model in "ab"} | {"c/p/run_01.json": right()}
    (case,) = cases(evaluate(material(tmp_path, runs)))
    assert (case.title, case.suggestion) == ("comica ~ comici (Q22)", "gt-wrong")


@pytest.mark.parametrize(
    ("short", "long", "expected"),
    [
        ("d.co", "domestico", True),
        ("fig.lo", "figliuolo", True),
        ("d.co", "domestica", False),
        ("fig.la", "figliuolo", False),
        ("figlo", "figliuolo", False),
        ("domest.", "domestico", True),
        ("a.b", "a.b", False),
    ],
)
def test_abbreviation(short: str, long: str, expected: bool) -> None:
    assert abbreviates(short, long) is expected


@pytest.mark.parametrize(
    ("verdict", "arguments", "said"),
    [
        ("same", {}, "`same` is no verdict on this case"),
        ("gt-wrong", {}, "needs the entry you propose"),
        ("gt-wrong", {"value": "  "}, "needs the entry you propose"),
        ("gt-wrong", {"value": "a | b"}, "holds a `|`"),
        ("gt-wrong", {"value": "suo domestico"}, "says already"),
        ("misread", {"value": "x"}, "takes no value"),
        ("misread", {"targets": ("gt:2:Q10:1",)}, "not what this case asks about"),
        ("misread", {"run": "b/p/run_01"}, "does not occur in run b/p/run_01"),
    ],
)
def test_impossible_verdicts_are_refused(tmp_path: Path, verdict: str, arguments: dict[str, object], said: str) -> None:
    evaluation = evaluate(material(tmp_path, RUNS))
    with pytest.raises(InputError) as fault:
        judge(evaluation, cases(evaluation)[0], verdict, **arguments)  # type: ignore[arg-type]
    assert said in str(fault.value)


def test_evidence_says_how_it_was_compared_and_what_would_move(tmp_path: Path) -> None:
    evaluation = evaluate(material(tmp_path, RUNS))
    found = {case.title: case for case in cases(evaluation)}
    comparison, gauge, facts, others, lists = evidence(evaluation, found["suo d.co ~ suo domestico (Q10)"], 1)
    assert (comparison.upper, comparison.lower) == ("suo domestico", "suo d.co.")  # type: ignore[union-attr]
    assert gauge.value == 1 - 6 / 13  # type: ignore[union-attr]
    assert ("equivalent drafts", "d.co = domestico, field Q10, OPEN") in facts.rows  # type: ignore[union-attr]
    assert [line.cells[:3] for line in others.lines] == [("suo d.co", "0.538", "2"), ("suo domestico", "1.000", "1")]  # type: ignore[union-attr]
    assert lists.title == "The answer of a/p/run_02, Q10"  # type: ignore[union-attr]
    (moved,) = finished(QuestionsTask().effects(evaluation, found["suo d.co ~ suo domestico (Q10)"]))
    assert [line.cells for line in moved.lines] == [("a", "p", "0.692", "0.923")]  # type: ignore[union-attr]
    blind = evidence(evaluation, found["suo d.co ~ suo domestico (Q10)"], 1, blind=True)
    shown = repr(blind)
    assert not any(telling in shown for telling in ("0.538", "a/p", "run_02", "2 runs", "d.co = domestico"))
    assert [type(block).__name__ for block in blind] == ["Comparison", "Facts", "Grid"]
    near = evidence(evaluation, found["sua figla ~ sua figliuola (Q10)"])[2]
    assert ("near miss", "a corruption") in near.rows  # type: ignore[union-attr]


def test_the_verbs_of_a_task(tmp_path: Path) -> None:
    root = workspace(tmp_path, RUNS)
    task = QuestionsTask()
    opened = open_workspace(root)
    assert task.present(opened)
    assert not task.present(open_workspace_without(tmp_path))
    calls: list[tuple[int, int]] = []
    found = task.load(opened, progress=lambda done, whole: calls.append((done, whole)))
    assert calls == [(1, 3), (2, 3), (3, 3)]
    evaluation = task.evaluate(found)
    queue = finished(task.gathering(evaluation))
    given = entry(evaluation, queue[0].title, "equivalent")
    after = finished(task.reevaluation(evaluation, Decisions.of([given]), {"1": [("questions", given.case, None)]}))
    assert after.adjudicated == task.evaluate(found, Decisions.of([given])).adjudicated
    facts, cells = task.overview(after)
    assert ("decisions", "1 applied, 0 stale, 0 in conflict") in facts.rows  # type: ignore[union-attr]
    assert [(line.cells[0], line.mark) for line in cells.lines] == [("a", "Δ"), ("b", "")]  # type: ignore[union-attr]
    assert given.targets == ("gt:1:Q10:1",)


def open_workspace_without(tmp_path: Path) -> Workspace:
    other = tmp_path / "other"
    (other / "gt").mkdir(parents=True)
    return open_workspace(other)


def test_every_pair_below_one_is_a_case(tmp_path: Path) -> None:
    evaluation = evaluate(material(tmp_path, RUNS))
    below = {judged.case for judged, found in readings(evaluation).items() if any(one.accuracy < 1 for one in found)}
    assert below == {case.id for case in cases(evaluation)}
    assert Outcome.GRADED in {scored.outcome for run in evaluation.automatic.values() for scored in run.values()}


def test_the_scores_screen_shows_figures_as_the_report_does(tmp_path: Path) -> None:
    evaluation = evaluate(material(tmp_path, RUNS))
    top, beside = QuestionsTask().figures(evaluation)
    numbers = [cell for grid in (top, *beside) for line in grid.lines for cell in line.cells if "." in cell]
    assert numbers
    assert all(len(cell.rpartition(".")[2]) <= 3 for cell in numbers)
    assert top.lines[0].cells[-2] == f"{totals_of(evaluation):.3f}"


def totals_of(evaluation: Evaluation) -> float:
    (found,) = (one.rows[0][-2] for one in tables(evaluation) if one.title.startswith("Scores by cell"))
    assert isinstance(found, float)
    return found
