"""Undo, history, accepting, the log first, interrupted saves."""

import json
import sqlite3

import pytest

from scoring.adjudication.log.write import read_log
from scoring.foundations.problems import InputError
from scoring.records.inputs.operations import ConflictError
from tests.scoring.records.build import Clock, make, opened, rows, run


@pytest.fixture
def path(tmp_path):
    return make(tmp_path, documents=2)


@pytest.fixture
def review(path):
    with opened(path) as open_review:
        yield open_review


def tables(path):
    """The three tables without what a review adds."""
    edits = [{name: cell for name, cell in row.items() if name != "document_id"} for row in rows(path, "record_edits")]
    return rows(path, "documents"), rows(path, "records"), edits


def entries(path):
    return read_log(path.parent / "adjudications").entries


def test_every_action_is_undone_and_done_again_exactly(path, review):
    def get(number=1):
        return review.records(1)[number - 1]

    actions = [
        lambda: review.edit(get(), "place", "Rome"),
        lambda: review.edit(get(), "place", "Paris"),
        lambda: review.edit(get(), "tags", ["x"]),
        lambda: review.accept(get()),
        lambda: review.delete(get(2)),
        lambda: review.restore(get(2)),
        lambda: review.add(1, {"name": "new"}),
        lambda: review.delete(get(4)),
        lambda: review.describe(1, "title", "Bats"),
        lambda: review.reviewed(review.document(1)),
        lambda: review.unreviewed(review.document(1)),
    ]
    states = [tables(path)]
    for action in actions:
        action()
        states.append(tables(path))
    for state in states[-2::-1]:
        review.undo()
        assert sorted(map(str, tables(path)[1])) == sorted(map(str, state[1]))
        assert tables(path)[0] == state[0]
        assert [(row["record_id"], row["column_name"], row["original_value"]) for row in tables(path)[2]] == [
            (row["record_id"], row["column_name"], row["original_value"]) for row in state[2]
        ]
    with pytest.raises(InputError, match="no verdict of yours"):
        review.undo()
    for state in states[1:]:
        review.redo()
        assert sorted(map(str, tables(path)[1])) == sorted(map(str, state[1]))
    with pytest.raises(InputError, match="nothing to do again"):
        review.redo()


def test_undo_after_the_mark_books_and_withdraw_takes_the_bookings_out(path, review):
    record = review.records(1)[0]
    review.edit(record, "place", "Rome")
    review.reviewed(review.document(1))
    review.undo(entries(path)[0].id)
    assert [row["original_value"] for row in rows(path, "record_edits")] == ["place 1", "Rome"]
    review.withdraw(review.records(1)[0], "place")
    assert rows(path, "record_edits") == []
    assert rows(path, "records")[0]["place"] == "place 1"
    review.undo()
    assert [row["original_value"] for row in rows(path, "record_edits")] == ["place 1", "Rome"]


def test_withdraw_leaves_what_others_edited(path):
    clock = Clock()
    with opened(path, "ann", clock) as ann, opened(path, "bob", clock) as bob:
        bob.edit(bob.records(1)[0], "place", "Rome")
        ann.edit(ann.records(1)[0], "place", "Paris")
        with pytest.raises(InputError, match="not one of yours"):
            bob.withdraw(bob.records(1)[0], "place")
        ann.withdraw(ann.records(1)[0], "place")
    assert rows(path, "records")[0]["place"] == "Rome"
    assert [row["original_value"] for row in rows(path, "record_edits")] == ["place 1"]


def test_undo_takes_back_only_ones_own_and_only_what_is_still_there(path):
    clock = Clock()
    with opened(path, "ann", clock) as ann, opened(path, "bob", clock) as bob:
        ann.edit(ann.records(1)[0], "place", "Rome")
        with pytest.raises(InputError, match="no verdict of yours"):
            bob.undo()
        bob.edit(bob.records(1)[0], "place", "Paris")
        with pytest.raises(ConflictError, match="Paris"):
            ann.undo()
        bob.undo()
        ann.undo()
    assert rows(path, "records")[0]["place"] == "place 1"


def test_a_record_added_cannot_vanish_under_a_later_edit(path):
    clock = Clock()
    with opened(path, "ann", clock) as ann, opened(path, "bob", clock) as bob:
        added = ann.add(1, {"name": "new"})
        bob.edit(bob.records(1)[3], "place", "Rome")
        with pytest.raises(ConflictError):
            ann.undo(added.id)
    assert rows(path, "records")[-1]["place"] == "Rome"


def test_accepting_is_ours_alone_twice_is_once_and_it_lapses_with_the_record(path, review):
    before = tables(path)
    review.accept(review.records(1)[0], "clear")
    assert review.accept(review.records(1)[0]) is None
    assert tables(path) == before
    assert [record.state for record in review.records(1)] == ["accepted", "open", "open"]
    run(path, "UPDATE records SET place = 'Rome' WHERE id = 'r1-uuid'")
    assert (review.records(1)[0].state, review.records(1)[0].lapsed) == ("open", ("ann",))


def test_nothing_to_do_writes_nothing(path, review):
    assert review.edit(review.records(1)[0], "place", "place 1") is None
    assert review.edit(review.records(1)[0], "count", "10") is None
    assert review.describe(1, "title", None) is None
    assert entries(path) == ()


def test_the_log_says_what_was_done(path, review):
    review.edit(review.records(1)[0], "place", "Rome", "as on p. 3")
    review.undo()
    edit, undo = entries(path)
    assert (edit.task, edit.verdict, edit.targets, edit.note) == ("records", "edit", ("record:1:r1-uuid",), "as on p. 3")
    (audit,) = edit.value.pop("audits")
    assert audit == {"id": audit["id"], "record": "r1-uuid", "column": "place", "original": "place 1", "at": audit["at"]}
    assert edit.value == {"kind": "edit", "document": 1, "record": "r1-uuid", "column": "place", "was": "place 1", "now": "Rome"}
    assert (undo.verdict, undo.retracts, undo.case) == ("retract", edit.id, edit.case)
    assert edit.case.startswith("d-")


def test_history_names_who_and_when_and_keeps_what_other_programs_booked(path):
    run(path, "INSERT INTO record_edits VALUES ('e0', 'r1-uuid', 'place', 'was', '2026-02-01 08:00:00')")
    with opened(path) as review:
        review.edit(review.records(1)[0], "place", "Rome", "as on p. 3")
        review.delete(review.records(1)[1])
        changes = review.history(1)
        assert [(change.who, change.what, change.before, change.after, change.note) for change in changes[:2]] == [
            ("another program", "edit", "was", "place 1", ""),
            ("ann", "edit", "place 1", "Rome", "as on p. 3"),
        ]
        assert changes[2].what == "delete"
        assert [change.column for change in review.history(record="r1-uuid", column="place")] == ["place", "place"]
        assert review.history(2) == []


def test_a_log_that_cannot_be_written_leaves_the_database_alone(path, review, monkeypatch):
    before = tables(path)

    def full(entry):
        raise InputError("the disk is full")

    monkeypatch.setattr(review.log, "append", full)
    with pytest.raises(InputError, match="full"):
        review.edit(review.records(1)[0], "place", "Rome")
    assert tables(path) == before


def test_a_verdict_of_the_log_that_the_database_lacks_is_found_and_applied(path, review, tmp_path):
    before = path.read_bytes()
    review.edit(review.records(1)[0], "place", "Rome")
    review.delete(review.records(1)[1])
    review.undo()
    review.close()
    path.write_bytes(before)
    with opened(path) as again:
        assert [entry.verdict for entry in again.pending()] == ["edit", "delete", "retract"]
        assert [done.refused for done in again.recover()] == [None, None, None]
        assert again.pending() == []
    found = rows(path, "records")
    assert (found[0]["place"], found[1]["deleted_by_user"]) == ("Rome", None)


def test_a_verdict_that_no_longer_fits_is_set_aside_and_said(path, review):
    before = path.read_bytes()
    review.edit(review.records(1)[0], "place", "Rome")
    review.close()
    path.write_bytes(before)
    run(path, "UPDATE records SET place = 'Oslo' WHERE id = 'r1-uuid'")
    with opened(path) as again:
        (done,) = again.recover()
        assert "Oslo" in done.refused
        assert again.pending() == []
    assert rows(path, "records")[0]["place"] == "Oslo"


def test_a_copy_of_the_log_for_another_database_is_not_pending(path, review, tmp_path):
    review.edit(review.records(1)[0], "place", "Rome")
    other = make(tmp_path / "other")
    with opened(other) as second:
        (other.parent / "adjudications").mkdir(exist_ok=True)
        (other.parent / "adjudications" / "ann.jsonl").write_bytes((path.parent / "adjudications" / "ann.jsonl").read_bytes())
        assert second.pending() == []


def test_audit_rows_carry_their_document_whoever_writes_them(path, review):
    review.edit(review.records(2)[0], "place", "Rome")
    run(
        path,
        "INSERT INTO record_edits (id, record_id, column_name, original_value, edited_at) VALUES ('e9', 'd2r2-uuid', 'place', 'x', 't')",
    )
    assert [row["document_id"] for row in rows(path, "record_edits")] == [2, 2]


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("DROP TABLE record_edits", "no table record_edits"),
        ("ALTER TABLE records DROP COLUMN added_by_user", "no column added_by_user"),
    ],
)
def test_layouts_that_cannot_be_reviewed_are_refused_with_the_reason(statement, word, path):
    run(path, statement)
    with pytest.raises(InputError, match=word):
        opened(path)


def test_columns_with_names_that_need_quoting(tmp_path):
    field = 'a "b" c; --'
    schema = {"properties": {"records": {"items": {"properties": {field: {"type": ["string", "null"]}, "order": {"type": "string"}}}}}}
    path = make(tmp_path, records=0, schema=schema)
    with opened(path) as review:
        review.add(1, {field: "x", "order": "1"})
        review.reviewed(review.document(1))
        review.edit(review.records(1)[0], field, "y")
        assert review.records(1)[0].values == {field: "y", "order": "1"}
    assert [row["column_name"] for row in rows(path, "record_edits")] == [field]


def test_the_journal_mode_stays_what_it_is(tmp_path):
    for mode in ("delete", "wal"):
        path = make(tmp_path / mode)
        database = sqlite3.connect(path)
        database.execute(f"PRAGMA journal_mode = {mode}")
        database.close()
        with opened(path) as review:
            review.accept(review.records(1)[0])
        database = sqlite3.connect(path)
        assert database.execute("PRAGMA journal_mode").fetchone()[0] == mode
        database.close()


def test_without_a_schema_nothing_is_edited_but_the_rest_works(tmp_path):
    path = make(tmp_path)
    (tmp_path / "ecoextract_schema.json").unlink()
    with opened(path) as review:
        with pytest.raises(InputError, match="no JSON Schema"):
            review.edit(review.records(1)[0], "place", "Rome")
        review.delete(review.records(1)[0])
    assert rows(path, "records")[0]["deleted_by_user"]


def test_log_values_are_plain_json(path, review):
    review.add(1, {"name": "new", "rate": 1})
    line = json.loads((path.parent / "adjudications" / "ann.jsonl").read_text())
    assert line["value"]["row"]["rate"] == 1.0
    assert line["value"]["row"]["record_id"] == "Smith_2024_1_r4"
