"""The task's cases, what they show, the figures beside EcoExtract's, flags."""

import pytest

from scoring.adjudication.cases import Facts, Grid, Passage
from scoring.adjudication.decisions import Decisions
from scoring.adjudication.log.write import read_log, require_sound
from scoring.foundations.incremental import finished
from scoring.foundations.problems import InputError
from scoring.records.cases.flags import flags, repeats
from scoring.records.cases.queues import cases, evaluate, load
from scoring.records.measures.accuracy import accuracy
from scoring.records.measures.tables import as_values, edit_list, heat_map, tables
from scoring.records.task import RecordsTask
from scoring.workspace.layout import open_workspace
from tests.scoring.records.build import make, opened, run

TEXT = '[{"index": 0, "markdown": "Page one says tag 1 here."}, {"index": 1, "markdown": "On page two: tag 1 again, and tag-\\ngers."}]'


@pytest.fixture
def path(tmp_path):
    return make(tmp_path, documents=2, document_content=TEXT)


def listed(path):
    return cases(evaluate(load(path.parent, path)))


def test_cases_come_document_by_document_records_first(path):
    found = listed(path)
    assert [(case.queue, case.page) for case in found] == [("records", "1")] * 3 + [("records", "2")] * 3 + [
        ("documents", "1"),
        ("documents", "2"),
    ]
    assert {case.status for case in found} == {"open"}
    assert found[0].id == listed(path)[0].id
    assert found[0].id.startswith("d-")
    assert len({case.id for case in found}) == 8


def test_what_was_decided_leaves_the_open_cases_and_lapses_when_it_changes(path):
    with opened(path) as review:
        one, two, three = review.records(1)
        review.accept(one)
        review.edit(two, "place", "Rome")
        review.delete(three)
    found = {case.targets[0]: case for case in listed(path)}
    assert [found[f"record:1:r{number}-uuid"].status for number in (1, 2, 3)] == ["decided"] * 3
    assert found["document:1"].suggestion == "reviewed"
    run(path, "UPDATE records SET place = 'Oslo' WHERE id = 'r1-uuid'")
    changed = next(case for case in listed(path) if case.targets[0] == "record:1:r1-uuid")
    assert (changed.status, changed.note) == ("stale", "accepted by ann, changed since")


def test_a_reviewed_document_has_nothing_open(path):
    with opened(path) as review:
        review.reviewed(review.document(1))
    assert {case.status for case in listed(path) if case.page == "1"} == {"decided"}


def test_the_task_behind_the_common_verbs(path):
    task = RecordsTask()
    workspace = open_workspace(path.parent)
    assert task.present(workspace)
    evaluation = task.evaluate(task.load(workspace))
    (case, *_) = finished(task.gathering(evaluation, ["2"]))
    assert case.page == "2"
    blocks = task.evidence(evaluation, case)
    assert isinstance(blocks[0], Facts)
    form = next(block for block in blocks if isinstance(block, Grid))
    assert form.lines[0].cells == ("name", "name 1")
    assert ("flag", "yes") in [line.cells for line in form.lines]
    shown = [block for block in blocks if isinstance(block, Passage)]
    assert [block.title for block in shown if block.spans] == ["Evidence 1, page 1", "Evidence 1, page 2"]
    start, end, strength = shown[0].spans[0]
    assert (shown[0].text[start:end], strength) == ("tag 1", "exact")
    document = next(case for case in finished(task.gathering(evaluation)) if case.queue == "documents")
    assert [block.title for block in task.evidence(evaluation, document)] == ["Document", "Records", "Page 1", "Page 2"]
    with pytest.raises(InputError, match=r"records decide eco\.db"):
        task.judge(evaluation, case, "accept")
    assert task.overview(evaluation)[0].title == "eco.db"


def test_figures_lead_from_a_document_to_its_edits(path):
    with opened(path) as review:
        review.edit(review.records(2)[0], "place", "Rome")
        review.reviewed(review.document(2))
        review.reviewed(review.document(1))
    task = RecordsTask()
    decisions = require_sound(read_log(path.parent / "adjudications")).decisions()
    evaluation = task.evaluate(task.load(open_workspace(path.parent)), decisions)
    first, beside = task.figures(evaluation)
    assert first.lines[0].target == "eco.db\t2"
    assert {grid.title for grid in beside} >= {"EcoExtract's figures", "By field, worst first", "Documents by fields"}
    edits, _ = task.figures(evaluation, ("eco.db", "2"))
    assert [line.cells[2:7] for line in edits.lines] == [("place", "corrected", "major", "place 1", "Rome")]
    assert [entry.verdict for entry in task.behind(evaluation)] == ["edit", "reviewed", "reviewed"]
    assert [entry.verdict for entry in task.behind(evaluation, ("eco.db", "1"))] == ["reviewed"]


def test_blind_evidence_hides_what_others_said(path):
    with opened(path) as review:
        review.edit(review.records(1)[0], "place", "Rome")
    task = RecordsTask()
    evaluation = task.evaluate(task.load(open_workspace(path.parent)))
    (case, *_) = finished(task.gathering(evaluation, ["1"]))
    told = {blind: str(task.evidence(evaluation, case, blind=blind)) for blind in (False, True)}
    assert "ann" in told[False]
    assert "ann" not in told[True]
    assert "edited" not in told[True]


def test_a_verdict_the_database_lacks_is_pending_in_the_overview(path):
    before = path.read_bytes()
    with opened(path) as review:
        review.edit(review.records(1)[0], "place", "Rome")
        prepared = path.read_bytes()
    assert prepared != before
    log = require_sound(read_log(path.parent / "adjudications"))
    decisions = log.decisions()
    assert isinstance(decisions, Decisions)
    assert RecordsTask().evaluate(load(path.parent, path), decisions).pending == ()
    run(path, "DELETE FROM adjudicate_verdicts WHERE kind = 'edit'")
    evaluation = evaluate(load(path.parent, path), decisions)
    assert [entry.verdict for entry in evaluation.pending] == ["edit"]
    assert "recover" in RecordsTask().overview(evaluation)[-1].title


def test_databases_that_are_none_are_passed_over(path):
    (path.parent / "notes.db").write_text("not a database")
    assert [source.path.name for source in load(path.parent).sources] == ["eco.db"]


def test_problems_name_what_cannot_be_reviewed(path):
    run(path, "UPDATE records SET id = NULL WHERE id = 'r1-uuid'")
    run(path, "UPDATE records SET document_id = 99 WHERE id = 'r2-uuid'")
    (path.parent / "ecoextract_schema.json").unlink()
    told = [problem.message for problem in load(path.parent, path).problems]
    assert any("no JSON Schema" in message for message in told)
    assert any("1 records have no id" in message for message in told)
    assert any("1 records belong to no document" in message for message in told)


def test_flags(path):
    run(path, "UPDATE records SET count = 'many', place = NULL WHERE id = 'r1-uuid'")
    run(path, "UPDATE records SET name = 'Name  3', place = 'PLACE 3' WHERE id = 'r2-uuid'")
    with opened(path) as review:
        records = review.records(1)
        told = [flag.what for flag in flags(records[0], review.schema)]
        assert told == ["place is empty, and is one of the fields that tell records apart", "count is not a whole number"]
        assert repeats(records, review.schema) == {"r2-uuid": ("Smith_2024_1_r3",), "r3-uuid": ("Smith_2024_1_r2",)}


# Figures beside EcoExtract's


@pytest.fixture
def seed(tmp_path):
    """The worked example: 12 model records, 2 deleted, 1 added, 3 edits on 2 records."""
    path = make(tmp_path, records=12)
    with opened(path) as review:
        records = review.records(1)
        review.edit(records[0], "note", "")
        review.edit(records[2], "note", "filled")
        review.edit(records[2], "place", "Rome")
        review.delete(records[10])
        review.delete(records[11])
        review.add(1, {"name": "missed"})
        review.reviewed(review.document(1))
    return path


def test_the_worked_example(seed):
    found = accuracy(seed, folder=seed.parent)
    values = found.ecoextract
    assert (values["total_fields"], values["correct_fields"]) == (120, 97)
    assert (values["detection_precision"], values["detection_recall"], values["perfect_record_rate"]) == (10 / 12, 10 / 11, 0.8)
    only = found.schema_values
    assert (only["num_fields"], only["correct_fields"], only["total_fields"], only["true_fields"]) == (7, 84 - 14 - 3, 84, 77)
    assert found.detection_f1 == 2 * (10 / 12) * (10 / 11) / (10 / 12 + 10 / 11)


def test_kinds_columns_and_the_heat_map(seed):
    found = accuracy(seed, folder=seed.parent)
    told = as_values(found)
    kinds = {"filled": 1, "corrected": 1, "cleared": 1, "unknown": 0}
    assert told["edits"] == {"rows": 3, "kinds": kinds, "distinct_cells": 3, "changed_cells": 3, "on_deleted": 0}
    worst = told["columns"][0]
    assert (worst["column"], worst["edits"], worst["filled"], worst["cleared"], worst["accuracy"]) == ("note", 2, 1, 1, 1 - 2 / 12)
    entry = told["heat_map"][0]
    # The record has a field called `name`: it is no name of the document.
    assert (entry["document"], entry["name"], entry["fields"]["name"]) == (1, found.counts.documents[0].name, 0)
    assert entry["name"] != entry["fields"]["name"]
    assert list(entry) == ["document", "name", "fields"]
    assert list(entry["fields"]) == [name for name, _ in heat_map(found).columns[2:]]
    assert (entry["fields"]["note"], entry["fields"]["place"]) == (2 / 12, 1 / 12)
    assert [name for name, _ in heat_map(found).columns[2:4]] == ["note", "place"]
    assert [row[5:7] for row in edit_list(found, 1, "note").rows] == [("note 1", None), (None, "filled")]
    assert {table.name for table in tables(found)} >= {"ecoextract", "documents", "heat_map"}
    assert told["documents"][0]["detection_f1"] == found.detection_f1


def test_wilson_intervals_are_those_of_the_formula(seed):
    found = accuracy(seed, folder=seed.parent).intervals["detection_precision"]
    n, p, z = 12, 10 / 12, 1.959963984540054
    middle, half = (p + z * z / (2 * n)) / (1 + z * z / n), z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    assert (found.low, found.high) == pytest.approx((middle - half, middle + half), rel=1e-9)


def test_figures_outside_a_share_have_no_interval(tmp_path):
    path = make(tmp_path, records=1)
    run(path, "UPDATE documents SET reviewed_at = ''")
    for number in range(12):
        run(path, "INSERT INTO record_edits VALUES (?, 'r1-uuid', 'place', 'x', 't')", str(number))
    found = accuracy(path, folder=tmp_path)
    assert found.ecoextract["correct_fields"] == -2
    assert found.intervals["field_precision"] is None
    assert found.ecoextract["field_f1"] is None
    told = as_values(found)["edits"]
    assert (told["rows"], told["distinct_cells"], told["changed_cells"]) == (12, 1, 1)


def test_edits_of_one_cell_follow_each_other(tmp_path):
    path = make(tmp_path)
    with opened(path) as review:
        review.edit(review.records(1)[0], "place", "Rome")
        review.reviewed(review.document(1))
        review.edit(review.records(1)[0], "place", "place 1")
        review.reviewed(review.document(1))
    found = accuracy(path, folder=tmp_path)
    assert [(edit.before, edit.after) for edit in found.counts.edits] == [("place 1", "Rome"), ("Rome", "place 1")]
    told = as_values(found)["edits"]
    assert (told["rows"], told["distinct_cells"], told["changed_cells"]) == (2, 1, 0)


def test_a_choice_of_documents_and_of_models(tmp_path):
    path = make(tmp_path, documents=3)
    run(path, "UPDATE documents SET reviewed_at = 't', extraction_llm_model = 'm' || document_id")
    assert accuracy(path, [2, 2, 77]).ecoextract["model_extracted"] == 3
    assert accuracy(path, model="m3").ecoextract["verified_documents"] == 1
    assert accuracy(path, model="none").ecoextract["message"] == "No verified documents found"


def test_figures_by_name(seed):
    found = accuracy(seed, folder=seed.parent)
    assert found.figure("field_f1") == found.ecoextract["field_f1"]
    assert found.figure("schema_only.field_f1") == found.schema_only.field_f1
    assert found.figure("column_accuracy.note") == 1 - 2 / 12
    with pytest.raises(InputError, match="no figure 'f1'"):
        found.figure("f1")
