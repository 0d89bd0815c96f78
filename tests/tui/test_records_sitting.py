"""The sitting at a database without a terminal: cursors, finding, evidence, verdicts, conflicts, what its users paid for."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from scoring.adjudication.log.write import read_log
from scoring.foundations.problems import InputError
from scoring.records.inputs.operations import ConflictError
from scoring.records.review.review_session import Review
from tests.scoring.records.build import SCHEMA, Clock, make, opened, record, rows, run
from tui.records_desk.document_list import ORDERS, fits
from tui.records_desk.session import SAME, RecordsSitting

TEXT = json.dumps(
    [
        {
            "index": 0,
            "markdown": "# Bats\n\nA bat was seen at place 1 in great num-\nbers. Nobody cites this sentence at all.\n\nA bat was seen.",
        },
        {"index": 1, "markdown": "Second page. A bat was seen at place 1 in great numbers. Another lost sentence stands here."},
    ]
)
SENTENCE = "A bat was seen at place 1 in great numbers."


def sitting_at(path: Path, verifier: str = "ann") -> RecordsSitting:
    return RecordsSitting(opened(path, verifier))


def open_first(path: Path, verifier: str = "ann") -> RecordsSitting:
    sitting = sitting_at(path, verifier)
    sitting.open()
    return sitting


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path / "data", documents=3)


@pytest.fixture
def sitting(path: Path) -> RecordsSitting:
    return open_first(path)


@pytest.fixture
def with_evidence(tmp_path: Path) -> RecordsSitting:
    path = make(tmp_path / "evidence", document_content=TEXT)
    run(path, "UPDATE records SET tags = ? WHERE id = 'r1-uuid'", json.dumps([SENTENCE, "This was never written anywhere in it."]))
    run(path, "UPDATE records SET tags = ? WHERE id = 'r2-uuid'", json.dumps([SENTENCE]))
    return open_first(path)


def cells(path: Path, identity: str) -> dict[str, object]:
    return next(row for row in rows(path, "records") if row["id"] == identity)


def verdicts(path: Path) -> list[str]:
    return [entry.verdict for entry in read_log(path.parent / "adjudications").entries]


# The list of documents


def test_the_list_is_found_in_with_spelling_mistakes_and_keeps_its_cursor(tmp_path: Path):
    path = make(tmp_path, documents=4, author="Humboldt")
    run(path, "UPDATE documents SET title = 'Vampyrum in the canopy', first_author_lastname = 'Müller' WHERE document_id = 3")
    sitting = sitting_at(path)
    sitting.move_document(2)
    assert sitting.document == 3
    for words in ("vampirum", "canopy 2024", "MÜLLER", "paper_3"):
        sitting.find(words)
        assert sitting.listed == [3], words
    sitting.find("humbold")
    assert sitting.listed == [1, 2, 4]
    assert sitting.document == 1
    sitting.find("xyz")
    assert (sitting.listed, sitting.document, sitting.place, sitting.line) == ([], None, -1, None)
    sitting.open()
    assert sitting.sight is None
    sitting.find("")
    assert len(sitting.listed) == 4


def test_short_words_are_not_forgiven(path: Path):
    line = sitting_at(path).documents[1]
    assert fits(line, ("smth",)) is False
    assert fits(line, ("smitj",)) is True
    assert fits(line, ("smith", "2024", "paper_1.pdf")) is True


def test_sorting_and_hiding_the_reviewed_leave_the_cursor_on_its_document(path: Path):
    run(path, "DELETE FROM records WHERE document_id = 1")
    sitting = sitting_at(path)
    sitting.go_to(2)
    sitting.mark_reviewed()
    assert sitting.document == 2
    seen = {sitting.order: list(sitting.listed)}
    for _ in ORDERS:
        sitting.sort()
        seen[sitting.order] = list(sitting.listed)
        assert sitting.document == 2
    assert seen["most records"] == [2, 3, 1]
    assert seen["last reviewed"] == [2, 1, 3]
    assert sitting.switch_open() is True
    assert sitting.listed == [1, 3]
    assert sitting.document == 1
    assert sitting.go_to(2) is True
    assert (sitting.only_open, sitting.document) == (False, 2)
    assert sitting.go_to(99) is False
    assert sitting.next_unreviewed() is True
    assert sitting.document == 3


# Moving in a document


def test_it_opens_at_the_first_open_record_and_steps_to_the_next(sitting: RecordsSitting):
    assert (sitting.document, sitting.record, sitting.column) == (1, "r1-uuid", "name")
    sitting.accept()
    assert sitting.record == "r1-uuid"
    assert sitting.next_open() is True
    assert sitting.record == "r2-uuid"
    sitting.accept()
    sitting.move_record(1)
    sitting.delete()
    assert (sitting.next_open(), sitting.waiting) == (False, 0)
    sitting.close()
    sitting.open()
    assert sitting.record == "r1-uuid"


def test_the_cursor_is_a_record_whatever_the_order(sitting: RecordsSitting):
    sitting.move_record(1)
    sitting.column = "count"
    assert sitting.sort_records() == "by count"
    assert sitting.sort_records() == "by count, backwards"
    assert [one.id for one in sitting.records] == ["r3-uuid", "r2-uuid", "r1-uuid"]
    assert (sitting.record, sitting.position) == ("r2-uuid", 1)
    sitting.edit("99")
    assert (sitting.record, sitting.position) == ("r2-uuid", 0)
    assert sitting.sort_records() == "in the order of the database"
    assert sitting.position == 1


def test_sorting_puts_numbers_before_texts_before_nothing(path: Path):
    run(path, "UPDATE records SET count = NULL WHERE id = 'r1-uuid'")
    run(path, "UPDATE records SET count = 'many' WHERE id = 'r2-uuid'")
    sitting = open_first(path)
    sitting.column = "count"
    sitting.sort_records()
    assert [one.id for one in sitting.records] == ["r3-uuid", "r2-uuid", "r1-uuid"]


def test_records_are_found_by_words_fields_and_states(sitting: RecordsSitting):
    assert sitting.find_records("place:2") == 1
    assert sitting.record == "r2-uuid"
    assert sitting.find_records("name place") == 3
    assert sitting.find_records("open") == 3
    sitting.delete()
    assert sitting.find_records("deleted") == 1
    assert sitting.find_records("nowhere") == 0
    assert (sitting.record, sitting.current) == (None, None)
    assert sitting.form()[0].title.startswith("No record")
    sitting.find_records("")
    assert sitting.record is not None


# The text


def test_every_place_of_the_evidence_is_a_stop_and_what_is_missing_is_said(with_evidence: RecordsSitting):
    sitting = with_evidence
    stops = sitting.stops()
    assert [stop.found for stop in stops] == [True, True, False]
    text = sitting.sight.text.text
    assert text[stops[0].start : stops[0].end] == "A bat was seen at place 1 in great num-\nbers"
    assert sitting.place_words() == "Evidence 1 of 2, place 1 of 2: page 1, exact; cited by Smith_2024_1_r2 too"
    sitting.step(1)
    assert "place 2 of 2: page 2" in sitting.place_words()
    sitting.step(1)
    assert "NOT FOUND" in sitting.place_words()
    assert "This was never written" in sitting.place_words()
    sitting.step(1)
    assert sitting.stop == 0
    sitting.step(-1)
    assert sitting.stop == 2


def test_passages_no_record_cites_are_stepped_through_and_become_a_record(with_evidence: RecordsSitting):
    sitting = with_evidence
    run(sitting.review.store.path, "UPDATE records SET deleted_by_user = 'x' WHERE id = 'r3-uuid'")
    sitting.open_again()
    sitting.step(1, uncited=True)
    assert "Nobody cites this sentence at all." in [sitting.sight.text.text[stop.start : stop.end] for stop in sitting.stops()]
    while "Nobody" not in sitting.sight.text.text[sitting.place_in_text().start : sitting.place_in_text().end]:
        sitting.step(1, uncited=True)
    assert sitting.proposal() == {"tags": "Nobody cites this sentence at all."}
    before = len(sitting.stops())
    sitting.add({**sitting.proposal(), "name": "lost"})
    assert sitting.current.values["tags"] == '["Nobody cites this sentence at all."]'
    sitting.step(1, uncited=True)
    assert len(sitting.stops()) == before - 1
    sitting.move_record(-1)
    assert sitting.uncited is False


def test_a_document_without_text_or_records(tmp_path: Path):
    path = make(tmp_path, records=0, document_content=None)
    sitting = open_first(path)
    assert (sitting.current, sitting.records, sitting.stops(), sitting.cell()) == (None, (), (), ())
    assert sitting.place_words() == "The database holds no text of this document."
    for verdict in (sitting.accept, sitting.delete, sitting.restore, sitting.withdraw, lambda: sitting.edit("x")):
        with pytest.raises(InputError, match="no record"):
            verdict()
    sitting.move_record(1)
    sitting.move_field(1)
    assert sitting.next_open() is False
    assert sitting.add({"name": "first"}) == "Smith_2024_1_r1 added"
    assert sitting.current.name == "Smith_2024_1_r1"


# Typing


@pytest.mark.parametrize(
    ("column", "text", "stored"),
    [
        ("count", " 12 ", 12),
        ("count", "", None),
        ("rate", "2.25", 2.25),
        ("flag", "no", 0),
        ("flag", "", None),
        ("tags", "one\ntwo\n", '["one","two"]'),
        ("tags", '["a\\nb"]', '["a\\nb"]'),
        ("note", "new", "new"),
    ],
)
def test_a_typed_value_is_stored_as_its_type(column: str, text: str, stored: object, path: Path, sitting: RecordsSitting):
    sitting.column = column
    assert "edited" in sitting.edit(text)
    assert cells(path, "r1-uuid")[column] == stored


@pytest.mark.parametrize(
    ("column", "text"),
    [("count", "many"), ("count", "1.5"), ("count", "-1"), ("rate", "nan"), ("flag", "maybe"), ("name", ""), ("tags", "[1]")],
)
def test_a_value_of_the_wrong_type_is_refused_and_nothing_is_written(column: str, text: str, path: Path, sitting: RecordsSitting):
    before = rows(path, "records")
    sitting.column = column
    with pytest.raises(InputError):
        sitting.check(column, text)
    with pytest.raises(InputError):
        sitting.edit(text)
    assert rows(path, "records") == before
    assert rows(path, "record_edits") == []
    assert verdicts(path) == []


def test_saved_with_nothing_changed_nothing_is_written(path: Path, sitting: RecordsSitting):
    before = rows(path, "records")
    for column in sitting.columns:
        sitting.column = column
        assert sitting.edit(sitting.value_text()) == SAME, column
    sitting.column = "tags"
    assert sitting.edit("  tag 1 \n\n b ") == SAME
    assert rows(path, "records") == before
    assert (rows(path, "record_edits"), verdicts(path)) == ([], [])


@pytest.mark.parametrize("tags", [["a\nb", "c"], [" padded "], ["[bracket"], [""], ["x", ""], ["\u2028"], []])
def test_a_list_is_offered_so_that_typed_again_it_says_the_same(tags: list[str], path: Path):
    run(path, "UPDATE records SET tags = ? WHERE id = 'r1-uuid'", json.dumps(tags))
    sitting = open_first(path)
    sitting.column = "tags"
    assert sitting.edit(sitting.value_text()) == SAME
    assert sitting.edit(sitting.value_text() + " ") == SAME
    assert json.loads(cells(path, "r1-uuid")["tags"]) == tags


def test_text_in_an_integer_field_is_flagged_and_typed_again_becomes_a_number(path: Path):
    run(path, "UPDATE records SET count = '10' WHERE id = 'r1-uuid'")
    sitting = open_first(path)
    sitting.column = "count"
    assert any("asks for a look" in name for name, _ in sitting.cell()[0].rows)
    assert "edited" in sitting.edit(sitting.value_text())
    assert cells(path, "r1-uuid")["count"] == 10
    assert not any("asks for a look" in name for name, _ in sitting.cell()[0].rows)


def test_without_a_schema_that_fits_nothing_is_typed(tmp_path: Path):
    path = make(tmp_path)
    (tmp_path / "ecoextract_schema.json").unlink()
    sitting = open_first(path)
    with pytest.raises(InputError, match="no JSON Schema"):
        sitting.edit("x")
    assert any("no JSON Schema" in value for _, value in sitting.cell()[0].rows)
    assert sitting.accept() == "Smith_2024_1_r1 accepted"


# Verdicts


def test_each_verdict_is_in_log_and_database_and_all_are_undone_and_done_again(path: Path, sitting: RecordsSitting):
    start = rows(path, "records"), rows(path, "record_edits"), rows(path, "documents")
    sitting.accept()
    sitting.column = "place"
    sitting.edit("elsewhere")
    sitting.move_record(1)
    sitting.delete()
    sitting.restore()
    sitting.delete()
    sitting.move_record(1)
    sitting.add({"name": "missed"})
    sitting.describe("title", "A title")
    sitting.mark_reviewed()
    sitting.mark_reviewed()
    done = ["accept", "edit", "delete", "restore", "delete", "add", "metadata", "reviewed", "unreviewed"]
    assert verdicts(path) == done
    end = rows(path, "records"), rows(path, "record_edits"), rows(path, "documents")
    said = [sitting.undo() for _ in done]
    assert said[0] == "taken back: unreviewed, document 1"
    assert said[-2:] == ["taken back: edit place Smith_2024_1_r1, document 1", "taken back: accept Smith_2024_1_r1, document 1"]
    with pytest.raises(InputError, match="no verdict of yours"):
        sitting.undo()
    assert (rows(path, "records"), rows(path, "record_edits"), rows(path, "documents")) == start
    for _ in done:
        assert sitting.redo().startswith("done again")
    with pytest.raises(InputError):
        sitting.redo()
    assert (rows(path, "records"), rows(path, "record_edits"), rows(path, "documents")) == end


def test_undo_goes_to_what_it_was_about(sitting: RecordsSitting):
    sitting.move_record(2)
    sitting.column = "rate"
    sitting.edit("7")
    sitting.move_record(-2)
    sitting.move_field(-5)
    sitting.undo()
    assert (sitting.record, sitting.column) == ("r3-uuid", "rate")
    sitting.close()
    sitting.move_document(2)
    sitting.redo()
    assert sitting.document == 1


def test_a_note_goes_with_the_next_verdict_alone(path: Path, sitting: RecordsSitting):
    sitting.note = "blurred"
    assert sitting.accept() == "Smith_2024_1_r1 accepted, with the note"
    sitting.move_record(1)
    sitting.accept()
    assert [entry.note for entry in read_log(path.parent / "adjudications").entries] == ["blurred", None]


def test_marked_records_are_judged_together_and_what_is_refused_stays_marked(path: Path, sitting: RecordsSitting):
    sitting.delete()
    for _ in range(3):
        sitting.mark()
        sitting.move_record(1)
    assert len(sitting.chosen()) == 3
    said = sitting.give_all("delete")
    assert said.startswith("delete: 2 records; refused: the record Smith_2024_1_r1 is deleted")
    assert sitting.marked == {"r1-uuid"}
    sitting.mark()
    sitting.mark()
    assert [one.state for one in sitting.records] == ["deleted"] * 3
    assert sitting.give_all("restore") == "restore: 1 record"


def test_the_description_is_mended_a_field_at_a_time(path: Path, sitting: RecordsSitting):
    run(path, "UPDATE documents SET authors = ? WHERE document_id = 1", '["Ann Smith","Bo Li"]')
    sitting.open_again()
    before = rows(path, "documents")[0]
    assert sitting.description()["authors"] == "Ann Smith; Bo Li"
    assert sitting.describe("authors", "Ann Smith; Bo Li") == SAME
    assert sitting.describe("publication_year", "2025") == "publication_year mended"
    with pytest.raises(InputError, match="whole number"):
        sitting.describe("publication_year", "soon")
    assert sitting.describe("title", "") == SAME
    after = rows(path, "documents")[0]
    assert {name for name in before if before[name] != after[name]} == {"publication_year"}
    assert sitting.line.year == "2025"
    run(path, "UPDATE documents SET title = 'By another' WHERE document_id = 1")
    with pytest.raises(ConflictError, match="By another"):
        sitting.describe("title", "Mine", "")


def test_a_record_added_and_deleted_in_one_sitting_is_gone_and_the_cursor_stays_near(sitting: RecordsSitting):
    sitting.add({"name": "slip", "count": "3"})
    assert (sitting.position, sitting.current.state) == (3, "added")
    sitting.delete()
    assert (sitting.position, len(sitting.records)) == (2, 3)
    sitting.undo()
    assert (len(sitting.records), sitting.current.name) == (4, "Smith_2024_1_r4")


def test_a_record_that_lacks_what_must_be_filled_is_not_added(path: Path, sitting: RecordsSitting):
    with pytest.raises(InputError, match="count"):
        sitting.add({"name": "x", "count": "many"})
    assert len(rows(path, "records")) == 9
    assert sitting.proposal(like=True)["tags"] == "tag 1\nb"
    sitting.add(sitting.proposal(like=True))
    new, old = cells(path, sitting.record), cells(path, "r1-uuid")
    assert {name: new[name] for name in sitting.columns} == {name: old[name] for name in sitting.columns}


# Two people


def test_a_conflict_writes_nothing_and_shows_what_the_other_did(path: Path):
    ann, ben = open_first(path), open_first(path, "ben")
    ann.column = ben.column = "place"
    ben.edit("Ben's place")
    assert ann.others_wrote() is True
    assert ben.others_wrote() is False
    before = rows(path, "records"), verdicts(path)
    with pytest.raises(ConflictError) as refused:
        ann.edit("Ann's place")
    assert (rows(path, "records"), verdicts(path)) == before
    why, difference, *told = ann.conflict(refused.value)
    assert "NOT written" in why.title
    assert [line.cells for line in difference.lines] == [("place", "place 1", "Ben's place")]
    assert any("ben" in block.title and "edit place" in block.title for block in told)
    assert ann.current.values["place"] == "Ben's place"
    assert ann.others_wrote() is False
    ann.edit("Ann's place")
    assert cells(path, "r1-uuid")["place"] == "Ann's place"
    assert [row["original_value"] for row in rows(path, "record_edits")] == ["place 1", "Ben's place"]


def test_two_people_on_different_fields_do_not_disturb_each_other(path: Path):
    ann, ben = open_first(path), open_first(path, "ben")
    ann.column, ben.column = "place", "count"
    ann.edit("there")
    ben.edit("77")
    assert (cells(path, "r1-uuid")["place"], cells(path, "r1-uuid")["count"]) == ("there", 77)


def test_a_record_another_deleted_or_took_away_is_told(path: Path):
    ann, ben = open_first(path), open_first(path, "ben")
    ben.delete()
    with pytest.raises(ConflictError) as refused:
        ann.accept()
    difference = ann.conflict(refused.value)[1]
    assert difference.lines[0].cells[0] == "deleted"
    ann.move_record(1)
    run(path, "DELETE FROM records WHERE id = 'r2-uuid'")
    with pytest.raises(ConflictError) as refused:
        ann.accept()
    assert "not in the database any more" in str(ann.conflict(refused.value)[1].lines[0].cells)
    assert ann.record == "r3-uuid"


def test_two_people_marking_the_same_document(path: Path):
    ann, ben = sitting_at(path), sitting_at(path, "ben")
    ben.mark_reviewed()
    with pytest.raises(ConflictError) as refused:
        ann.mark_reviewed()
    blocks = ann.conflict(refused.value)
    assert "reviewed" in str(blocks[1])
    assert ann.documents[1].reviewed


def test_what_others_did_is_not_taken_into_view_by_an_own_verdict_elsewhere(path: Path):
    ann, ben = open_first(path), open_first(path, "ben")
    ben.move_record(1)
    ben.accept()
    ann.accept()
    assert ann.others_wrote() is True
    ann.open_again()
    assert ann.others_wrote() is False


# What ecoreview's users paid for


@pytest.mark.parametrize(("author", "year"), [(None, None), ("Müller-Lüdenscheidt", 1999), ("", 2020), ("李", None)])
def test_any_author_and_year(author: str | None, year: int | None, tmp_path: Path):
    path = make(tmp_path, records=0, author=author, year=year)
    sitting = open_first(path)
    sitting.add({"name": "one"})
    sitting.mark_reviewed()
    sitting.mark_reviewed()
    assert len(rows(path, "records")) == 1
    assert sitting.line.reviewed is False


def test_gaps_in_the_numbers_of_records_are_not_filled(path: Path, sitting: RecordsSitting):
    run(path, "DELETE FROM records WHERE id = 'r2-uuid'")
    sitting.open_again()
    assert sitting.add({"name": "new"}) == "Smith_2024_1_r4 added"


def test_a_column_without_any_value_and_names_that_need_quoting(tmp_path: Path):
    schema = json.loads(json.dumps(SCHEMA))
    names = ['we"ird', "select", "with space", "[/]", "ünï"]
    schema["properties"]["records"]["items"]["properties"] |= {name: {"type": ["string", "null"]} for name in names}
    path = make(tmp_path, schema=schema)
    sitting = open_first(path)
    for name in names:
        sitting.column = name
        assert sitting.value_text() == ""
        sitting.edit("x")
    assert [cells(path, "r1-uuid")[name] for name in names] == ["x"] * len(names)
    for _ in names:
        sitting.undo()
    assert rows(path, "record_edits") == []


def test_delete_restore_delete_and_edit_then_delete(path: Path, sitting: RecordsSitting):
    sitting.column = "note"
    sitting.edit("mended")
    sitting.delete()
    first = cells(path, "r1-uuid")["deleted_by_user"]
    assert first is not None
    with pytest.raises(InputError, match="deleted"):
        sitting.delete()
    with pytest.raises(InputError, match="deleted"):
        sitting.edit("again")
    sitting.restore()
    with pytest.raises(InputError, match="not deleted"):
        sitting.restore()
    sitting.delete()
    assert len(rows(path, "record_edits")) == 1


def test_a_human_added_record_of_another_is_deleted_softly(path: Path):
    run(path, "UPDATE records SET added_by_user = 1 WHERE id = 'r1-uuid'")
    sitting = open_first(path)
    sitting.record = "r1-uuid"
    sitting.delete()
    assert cells(path, "r1-uuid")["deleted_by_user"] is not None


def test_a_locked_database_is_waited_for_and_then_said(path: Path, sitting: RecordsSitting):
    sitting.review.database.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(InputError):
        sitting.accept()
    assert verdicts(path) == []
    other.execute("ROLLBACK")
    sitting.accept()
    assert verdicts(path) == ["accept"]


def test_a_huge_column_of_images_is_never_read(tmp_path: Path):
    path = make(tmp_path, documents=2)
    run(path, "UPDATE documents SET ocr_images = zeroblob(30000000)")
    review = Review.open(path, tmp_path / "adjudications", "ann", clock=Clock())
    statements: list[str] = []
    review.database.set_trace_callback(statements.append)
    sitting = RecordsSitting(review)
    sitting.open()
    sitting.accept()
    assert statements
    assert not any("ocr_images" in one or "SELECT * FROM documents" in one for one in statements)


def test_many_records_in_one_document(tmp_path: Path):
    path = make(tmp_path, records=0)
    database = sqlite3.connect(path)
    one = record(1, 1)
    many = [tuple({**one, "id": f"u{n}", "record_id": f"Smith_2024_1_r{n}"}.values()) for n in range(1, 1501)]
    database.executemany(f"INSERT INTO records ({', '.join(one)}) VALUES ({', '.join('?' * len(one))})", many)
    database.commit()
    database.close()
    sitting = open_first(path)
    sitting.move_record(10_000)
    assert sitting.record == "u1500"
    sitting.accept()
    assert (sitting.waiting, sitting.position) == (1499, 1499)
