"""Decisions worked in one by one give what scoring from scratch gives, whatever is decided, retracted or ruled (`docs/adjudication.md`)."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as changed

from scoring.adjudication.decisions import NO_DECISIONS, Decisions, LogEntry
from scoring.foundations.incremental import finished
from scoring.foundations.problems import InputError
from scoring.tables.cases.queues import cases
from scoring.tables.decisions.anchor import said_by
from scoring.tables.decisions.application import NOTHING_BOUND, bound_with
from scoring.tables.decisions.coverage import cover_of, marks_of
from scoring.tables.execution.evaluation import Evaluation, evaluate, reevaluation
from scoring.tables.inputs.material import Material
from scoring.tables.verdicts.validation import judge
from tests.scoring.tables.builders import TITLES, entry_of, material, nth, rules
from tests.scoring.tables.test_evaluate import balanced

NAMES = ["Anna Rosa", "Anna Maria", "Anna Rosi", "Anna e Bruno Rosa", "Bruno Rosa", "Rosa", "Zorzi", "", "Conte Anna Rosa"]
_row = st.builds(lambda name, title: {"name": name, "title": title}, st.sampled_from(NAMES), st.sampled_from(["", "", "Conte"]))
_page = st.lists(_row, max_size=4)
VERDICTS = ("same", "different", "unsure", "duplicate", "merge", "fragment", "misread", "invention", "gt-illegible", "equivalent")


@st.composite
def small_material(draw: st.DrawFn) -> Material:
    gt = {page: draw(st.lists(_row, min_size=1, max_size=4)) for page in ("1", "2")}
    runs = {f"a/n/{run}": {page: draw(_page) for page in gt} for run in (1, 2, 3)}
    return material(gt, runs, made_with=rules(steps=TITLES))  # type: ignore[arg-type]


def facts(evaluation: Evaluation) -> object:
    """Everything an evaluation says, apart from which object says it."""
    binding = evaluation.binding
    return (
        evaluation.pages,
        evaluation.as_scored.pages,
        {
            page: (bound.by_form, bound.standing, bound.stale, bound.conflicts, bound.contested, bound.rests, bound.given)
            for page, bound in sorted(binding.pages.items())
            if bound.standing or bound.stale
        },
        cases(evaluation),
    )


def some_entry(draw: st.DataObject, evaluation: Evaluation, decisions: Decisions, number: int) -> LogEntry | None:
    """A verdict on some case, a retraction, or a ruling."""
    verifier = draw.draw(st.sampled_from(["mp", "jk"]))
    living = [entry for entry in decisions.entries if decisions.is_live(entry) and entry.verifier == verifier]
    if living and draw.draw(st.integers(0, 4)) == 0:
        undone = draw.draw(st.sampled_from(living))
        fields = {"task": "tables", "case": undone.case, "scope": undone.scope, "run": undone.run}
        return LogEntry(id=nth(number), at="2026-11-29T22:10:05.123Z", verifier=verifier, verdict="retract", retracts=undone.id, **fields)
    open_to = [case for case in cases(evaluation) if case.occurrences]
    if not open_to:
        return None
    case = draw.draw(st.sampled_from(open_to))
    pool = ["gt:1:1", "gt:1:2", "gt:2:1", "gt:2:2", "model:a/n/1:1:1", "model:a/n/1:1:2", "model:a/n/2:2:1", *case.targets]
    targets = tuple(draw.draw(st.lists(st.sampled_from(pool), max_size=2)))
    run = draw.draw(st.sampled_from([None, None, *[one.run for one in case.occurrences]]))
    conflicting = case.basis.get("conflicting")
    resolves = conflicting if isinstance(conflicting, tuple) and draw.draw(st.booleans()) else None
    try:
        judged = judge(evaluation, case, draw.draw(st.sampled_from(VERDICTS)), targets=targets, run=run)
    except InputError:
        return None
    if judged.scope == "reading" and draw.draw(st.integers(0, 3)) == 0:
        # As if the runs after the first had come since, and the verdict had been taken back from them.
        known = {one for one in marks_of(judged.basis["covers"]) if draw.draw(st.booleans())}
        judged = replace(judged, basis={**judged.basis, "covers": cover_of(known), "bounded": True})
    return entry_of(judged, number, verifier, resolves=resolves)


@given(small_material(), st.data())
@settings(max_examples=120, deadline=None)
def test_decisions_worked_in_one_by_one_are_scoring_from_scratch(made: Material, data: st.DataObject):
    evaluation = evaluate(made)
    decisions = NO_DECISIONS
    page_of: dict[str, str] = {}
    for number in range(1, 9):
        entry = some_entry(data, evaluation, decisions, number)
        if entry is None:
            continue
        decisions = decisions.with_entry(entry)
        page = page_of[entry.id] = page_of[entry.retracts] if entry.retracts else str(entry.basis["page"])
        key = (entry.task, entry.case, entry.run if entry.scope == "row" else None)
        evaluation = finished(reevaluation(evaluation, decisions, {page: {key}}))
    assert facts(evaluation) == facts(evaluate(made, decisions))
    assert facts(evaluation) == facts(evaluate(made, Decisions.of(reversed(decisions.entries)), automatic=evaluate(made)))
    for score in evaluation.pages.values():
        balanced(score)
        labelled = {row for row in score.bound.labels if row in {one.row for one in score.surplus}}
        assert {row.row for row in score.surplus if row.decided_by} == labelled
        for pair in score.pairs:
            assert (pair.gt, pair.model) not in score.bound.barred
    identities = [case.id for case in cases(evaluation)]
    assert len(identities) == len(set(identities))


@given(small_material(), st.data())
@settings(max_examples=60, deadline=None)
def test_decisions_without_effect_leave_the_automatic_scores(made: Material, data: st.DataObject):
    automatic = evaluate(made)
    entries = []
    for number, case in enumerate(cases(automatic), 1):
        verdict = data.draw(st.sampled_from(["unsure", "gt-illegible", "gt-extra-row"]))
        entries.append(entry_of(judge(automatic, case, verdict), number))
    decided = evaluate(made, Decisions.of(entries))
    assert decided.pages == automatic.pages
    assert all(score.bound is NOTHING_BOUND for score in decided.pages.values())
    left = {entry.case for entry in entries if entry.verdict == "unsure"}
    assert {case.status for case in cases(decided) if case.id in left} <= {"decided"}
    beside = [case for case in cases(decided) if case.id not in left and case.queue != "against the key"]
    assert {case.status for case in beside} <= {"open"}


@given(small_material())
@settings(max_examples=40, deadline=None)
def test_pages_no_decision_touches_are_the_automatic_ones(made: Material):
    automatic = evaluate(made)
    on_first = [case for case in cases(automatic) if case.page == "1" and case.queue == "borderline"]
    entries = [entry_of(judge(automatic, case, "different"), at) for at, case in enumerate(on_first, 1)]
    decided = evaluate(made, Decisions.of(entries), automatic=automatic)
    for place, score in decided.pages.items():
        if place[1] == "2" or score.bound is NOTHING_BOUND:
            assert score is automatic.pages[place]


@given(small_material(), st.data())
@settings(max_examples=60, deadline=None)
def test_the_effect_of_a_verdict_is_foretold(made: Material, data: st.DataObject):
    evaluation, decisions = evaluate(made), NO_DECISIONS
    for number in range(1, 6):
        entry = some_entry(data, evaluation, decisions, number)
        if entry is None or entry.retracts is not None or entry.resolves or "bounded" in entry.basis:
            continue
        entry = changed(entry, verifier="mp")
        page = entry.basis["page"]
        said = said_by(evaluation.prepared, entry)
        foretold = {run.key: bound_with(evaluation.binding, said, run.key, page) for run in made.runs}
        decisions = decisions.with_entry(entry)
        evaluation = evaluate(made, decisions)
        for run, bound in foretold.items():
            assert (set(bound.same), bound.barred, bound.labels) == (
                set(evaluation.binding.on(run, page).same),
                evaluation.binding.on(run, page).barred,
                evaluation.binding.on(run, page).labels,
            )
