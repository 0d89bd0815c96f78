"""What our review stores for each action, against what EcoExtract's stores, where the real traces are.

See `docs/ecoextract-behaviour.md#what-each-action-stores`.
"""

import json

import pytest

from scoring.foundations.problems import InputError
from scoring.records.inputs.operations import ConflictError
from tests.scoring.records.build import Clock, make, opened, record, rows, run
from tests.shared import shared

FIELDS = ("name", "place", "count", "rate", "flag", "tags", "note")


@pytest.fixture
def path(tmp_path):
    return make(tmp_path)


@pytest.fixture
def review(path):
    with opened(path) as open_review:
        yield open_review


def get(review, number=1):
    return review.records(1)[number - 1]


def edit(review, column, value, number=1):
    return review.edit(get(review, number), column, value)


def mark(review):
    return review.reviewed(review.document(1))


def audits(path):
    return [(row["record_id"], row["column_name"], row["original_value"]) for row in rows(path, "record_edits")]


def as_in_trace(path):
    """Our tables in the form of the traces: times and uuids named, numbers as text."""
    times, uuids = [], []

    def time(value):
        if value is None or value == "2026-01-05 09:00:00":
            return value
        if value not in times:
            times.append(value)
        return "<T>"

    def name(value):
        if not value.endswith("-uuid") and value not in uuids:
            uuids.append(value)
        return value if value.endswith("-uuid") else f"<uuid{uuids.index(value) + 1}>"

    records = [
        {
            "id": name(row["id"]),
            "record_id": row["record_id"],
            **{field: row[field] for field in FIELDS},
            "extraction_timestamp": time(row["extraction_timestamp"]),
            "prompt_hash": row["prompt_hash"],
            "deleted": row["deleted_by_user"] is not None,
            "added": row["added_by_user"],
        }
        for row in rows(path, "records")
    ]
    edits = sorted((row["record_id"], row["column_name"], row["original_value"] or "") for row in rows(path, "record_edits"))
    return (
        records,
        [(name(record_id), column, original) for record_id, column, original in edits],
        bool(rows(path, "documents")[0]["reviewed_at"]),
    )


def of_trace(trace, step=-1):
    after = json.loads(shared("data", "eco", "review_traces.json").read_text())["traces"][trace]["steps"][step]["after"]

    def typed(row, field):
        kind, value = row[f"t_{field}"], row[field]
        return value if value is None or kind == "text" else int(value) if kind == "integer" else float(value)

    import re

    records = [
        {
            "id": row["id"],
            "record_id": row["record_id"],
            **{field: typed(row, field) for field in FIELDS},
            "extraction_timestamp": re.sub(r"<T\d+>", "<T>", row["extraction_timestamp"]),
            "prompt_hash": row["prompt_hash"],
            "deleted": row["deleted_by_user"] is not None,
            "added": int(row["added_by_user"]),
        }
        for row in after["records"]
    ]
    edits = sorted((row["record_id"], row["column_name"], row["original_value"] or "") for row in after["record_edits"])
    return records, edits, bool(after["documents"][0]["reviewed_at"])


def nothing(review):
    mark(review)


def one_edit(review):
    edit(review, "place", "Rome")
    mark(review)


def edit_of_edit(review):
    one_edit(review)
    edit(review, "place", "Paris")
    mark(review)


def put_back_after(review):
    one_edit(review)
    edit(review, "place", "place 1")
    mark(review)


def put_back_before(review):
    edit(review, "place", "Rome")
    edit(review, "place", "place 1")
    mark(review)


def undone_before(review):
    edit(review, "place", "Rome")
    review.undo()
    mark(review)


def twice(review):
    edit(review, "place", "Rome")
    edit(review, "place", "Oslo")
    mark(review)


def cleared(review):
    edit(review, "place", "")
    mark(review)


def filled(review):
    edit(review, "note", "filled", 3)
    mark(review)


def list_edited(review):
    edit(review, "tags", "tag 1\nb\nc")
    mark(review)


def deleted(review):
    review.delete(get(review, 2))
    mark(review)


def edited_then_deleted(review):
    edit(review, "place", "Rome", 2)
    mark(review)
    review.delete(get(review, 2))
    mark(review)


def added(review):
    review.add(1, {"name": "new", "place": "Rome", "tags": ["t"]})
    mark(review)


def added_two(review):
    review.add(1, {"name": "new", "place": "Rome", "tags": ["t"]})
    review.add(1, {"name": "new2", "place": "Rome", "tags": ["t"]})
    mark(review)


def added_and_edited_later(review):
    added(review)
    edit(review, "place", "Oslo", 4)
    mark(review)


def added_and_deleted_later(review):
    added(review)
    review.delete(get(review, 4))
    mark(review)


def added_and_deleted_at_once(review):
    review.add(1, {"name": "new", "place": "Rome", "tags": ["t"]})
    review.delete(get(review, 4))
    mark(review)


SAME_AS_R = {
    "t01_verify_unchanged": nothing,
    "t02_one_edit": one_edit,
    "t03_edit_of_edit": edit_of_edit,
    "t04_put_back_after_verify": put_back_after,
    "t05_put_back_before_verify": put_back_before,
    "t06_two_edits_one_verify": twice,
    "t07_clear_cell": cleared,
    "t08_fill_null_cell": filled,
    "t13_array_edit": list_edited,
    "t15_delete_and_reverify": deleted,
    "t17_edit_verify_delete": edited_then_deleted,
    "t20_add": added,
    "t21_add_two": added_two,
    "t23_edit_added": added_and_edited_later,
    "t24_delete_added": added_and_deleted_later,
    "t24b_add_delete_same_session": added_and_deleted_at_once,
}


@pytest.mark.parametrize("trace", SAME_AS_R)
def test_stores_what_ecoextract_stores(trace, review, path):
    SAME_AS_R[trace](review)
    assert as_in_trace(path) == of_trace(trace)


def test_undo_before_the_mark_leaves_no_trace_like_a_value_put_back(review, path):
    undone_before(review)
    assert as_in_trace(path) == of_trace("t05_put_back_before_verify")


# The same ground with data of our own, so that it holds where the traces are absent.


def test_marking_alone_writes_the_time_alone(review, path):
    before = rows(path, "records")
    mark(review)
    assert rows(path, "documents")[0]["reviewed_at"].startswith("2026-03-01 10:")
    assert rows(path, "records") == before
    assert audits(path) == []


def test_an_edit_writes_its_cell_and_books_the_old_text(review, path):
    before = rows(path, "records")
    edit(review, "place", "Rome")
    after = rows(path, "records")
    assert after[0] == before[0] | {"place": "Rome"}
    assert after[1:] == before[1:]
    assert audits(path) == [("r1-uuid", "place", "place 1")]


def test_edits_before_the_mark_are_booked_once_and_after_it_anew(review, path):
    edit(review, "place", "Rome")
    edit(review, "place", "Paris")
    assert audits(path) == [("r1-uuid", "place", "place 1")]
    mark(review)
    edit(review, "place", "Oslo")
    assert audits(path) == [("r1-uuid", "place", "place 1"), ("r1-uuid", "place", "Paris")]


def test_a_mark_made_by_another_program_ends_the_sitting_too(review, path):
    edit(review, "place", "Rome")
    run(path, "UPDATE documents SET reviewed_at = '2026-03-02 00:00:00'")
    edit(review, "place", "place 1")
    assert audits(path) == [("r1-uuid", "place", "place 1"), ("r1-uuid", "place", "Rome")]


def test_typed_cells_are_stored_as_their_type(review, path):
    edit(review, "count", "11")
    edit(review, "rate", "7")
    edit(review, "flag", "no")
    row = rows(path, "records")[0]
    assert (row["count"], type(row["count"]), row["rate"], type(row["rate"]), row["flag"]) == (11, int, 7.0, float, 0)
    assert [original for _, _, original in audits(path)] == ["10", "1.5", "1"]


@pytest.mark.parametrize(("number", "text"), [(100000.0, "1e+05"), (0.1 + 0.2, "0.3"), (0.00001, "1e-05")])
def test_old_numbers_are_booked_as_r_writes_them(number, text, tmp_path):
    path = make(tmp_path, records=0)
    run(path, "INSERT INTO records (id, document_id, record_id, name, tags, rate, extraction_timestamp, prompt_hash)"
              " VALUES ('a', 1, 'x', 'n', '[]', ?, 't', 'p')", number)  # fmt: skip
    with opened(path) as review:
        edit(review, "rate", "7")
    assert audits(path) == [("a", "rate", text)]


def test_a_big_integer_survives(review, path):
    edit(review, "count", "12000000000")
    edit(review, "note", "other")
    assert rows(path, "records")[0]["count"] == 12000000000


# Deliberate differences from EcoExtract.


def test_differs_text_in_an_integer_field_is_refused(review, path):
    before = rows(path, "records")
    with pytest.raises(InputError, match="a whole number"):
        edit(review, "count", "many")
    with pytest.raises(InputError, match="yes or no"):
        edit(review, "flag", "maybe")
    assert rows(path, "records") == before


def test_differs_blanks_between_list_elements_are_no_edit(review, path):
    assert edit(review, "tags", '["tag 1", "b"]') is None
    assert audits(path) == []


def test_differs_a_field_that_may_not_be_null_is_refused_alone(review, path):
    edit(review, "place", "Rome")
    with pytest.raises(InputError, match="may not be empty"):
        edit(review, "name", "")
    assert audits(path) == [("r1-uuid", "place", "place 1")]


def test_differs_clearing_a_list_leaves_the_empty_list(review, path):
    edit(review, "tags", "")
    assert rows(path, "records")[0]["tags"] == "[]"


def test_differs_the_first_deletion_time_is_kept(review, path):
    review.delete(get(review, 2))
    first = rows(path, "records")[1]["deleted_by_user"]
    mark(review)
    mark(review)
    assert rows(path, "records")[1]["deleted_by_user"] == first


def test_differs_edit_and_delete_in_one_sitting_keeps_both(review, path):
    edit(review, "place", "Rome")
    review.delete(get(review))
    mark(review)
    row = rows(path, "records")[0]
    assert (row["place"], row["deleted_by_user"] is not None) == ("Rome", True)
    assert audits(path) == [("r1-uuid", "place", "place 1")]


def test_differs_a_deleted_record_can_be_restored(review, path):
    review.delete(get(review, 2))
    with pytest.raises(InputError, match="is deleted and cannot be edited"):
        edit(review, "place", "Rome", 2)
    review.restore(get(review, 2))
    assert rows(path, "records")[1]["deleted_by_user"] is None
    review.delete(get(review, 2))
    assert rows(path, "records")[1]["deleted_by_user"] is not None


def test_differs_an_incomplete_addition_is_refused_and_loses_nothing_else(review, path):
    edit(review, "place", "Rome")
    with pytest.raises(InputError, match="name must be filled"):
        review.add(1, {"place": "Oslo"})
    assert len(rows(path, "records")) == 3
    assert audits(path) == [("r1-uuid", "place", "place 1")]


def test_differs_the_next_free_number_is_taken(tmp_path):
    path = make(tmp_path, records=2)
    import sqlite3

    from scoring.records.database.creation import insert

    database = sqlite3.connect(path)
    insert(database, "records", record(1, 4))
    database.commit()
    database.close()
    with opened(path) as review:
        review.add(1, {"name": "new"})
    assert rows(path, "records")[-1]["record_id"] == "Smith_2024_1_r5"


@pytest.mark.parametrize(
    ("author", "year", "name"), [(None, None, "Unknown_2026_1_r1"), ("Müller", 2019, "Mller_2019_1_r1"), ("李", 1, "Author_1_1_r1")]
)
def test_the_readable_name_of_an_added_record(author, year, name, tmp_path):
    path = make(tmp_path, records=0, author=author, year=year)
    with opened(path) as review:
        review.add(1, {"name": "x"})
    assert rows(path, "records")[0]["record_id"] == name


def test_differs_text_for_an_all_null_column_stays_text(tmp_path):
    path = make(tmp_path)
    run(path, "UPDATE records SET place = NULL")
    with opened(path) as review:
        edit(review, "place", "Rome")
        review.add(1, {"name": "new", "place": "Oslo"})
    assert [row["place"] for row in rows(path, "records")] == ["Rome", None, None, "Oslo"]


def test_an_addition_to_a_document_without_records(tmp_path):
    path = make(tmp_path, records=0)
    with opened(path) as review:
        review.add(1, {"name": "x", "place": "Rome", "count": 3})
        added_record = review.records(1)[0]
    assert (added_record.added, added_record.values["place"], added_record.values["tags"]) == (True, "Rome", "[]")


def test_differs_a_changed_description_is_written_alone_and_renames_nothing(review, path):
    review.describe(1, "publication_year", "2023")
    document = rows(path, "documents")[0]
    assert (document["publication_year"], document["first_author_lastname"], document["reviewed_at"]) == (2023, "Smith", None)
    assert [row["record_id"] for row in rows(path, "records")] == [f"Smith_2024_1_r{number}" for number in (1, 2, 3)]
    assert audits(path) == []
    assert [(change.what, change.column, change.before, change.after) for change in review.history(1)] == [
        ("metadata", "publication_year", "2024", "2023")
    ]


def test_authors_are_kept_as_a_list(review, path):
    review.describe(1, "authors", "Jones, C.; Smith, A.")
    assert rows(path, "documents")[0]["authors"] == '["Jones, C.","Smith, A."]'


def test_differs_marking_leaves_empty_metadata_alone(tmp_path):
    path = make(tmp_path, author="van der Berg", authors=None)
    with opened(path) as review:
        mark(review)
    document = rows(path, "documents")[0]
    assert (document["first_author_lastname"], document["authors"]) == ("van der Berg", None)


def test_an_empty_text_cleared_becomes_null_and_is_an_edit(tmp_path):
    path = make(tmp_path)
    run(path, "UPDATE records SET place = '' WHERE id = 'r1-uuid'")
    with opened(path) as review:
        edit(review, "place", "")
    assert rows(path, "records")[0]["place"] is None
    assert audits(path) == [("r1-uuid", "place", "")]


@pytest.mark.parametrize("column", ["record_id", "id", "prompt_hash", "extraction_timestamp", "deleted_by_user", "nothing"])
def test_bookkeeping_is_not_edited(column, review):
    with pytest.raises(InputError, match="not a field to edit"):
        edit(review, column, "x")


def test_two_verifiers_open_at_once_do_not_undo_each_other(path):
    clock = Clock()
    with opened(path, "ann", clock) as ann, opened(path, "bob", clock) as bob:
        seen = get(ann)
        bob.add(1, {"name": "bob's"})
        edit(bob, "note", "bob's note")
        ann.edit(seen, "place", "Rome")
        mark(ann)
        with pytest.raises(ConflictError, match="bob's note"):
            ann.edit(seen, "note", "ann's note")
        with pytest.raises(ConflictError, match="changed meanwhile"):
            ann.delete(seen)
        with pytest.raises(ConflictError, match="changed meanwhile"):
            ann.accept(seen)
    found = rows(path, "records")
    assert (found[0]["place"], found[0]["note"], found[3]["name"], found[3]["deleted_by_user"]) == ("Rome", "bob's note", "bob's", None)
    assert audits(path) == [("r1-uuid", "note", "note 1"), ("r1-uuid", "place", "place 1")]
