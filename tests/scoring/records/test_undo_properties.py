"""Whatever was done can be undone to the last byte of every row, and done again."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from scoring.adjudication.decisions import live
from scoring.adjudication.log.write import read_log
from scoring.foundations.problems import InputError
from scoring.records.inputs import journal
from tests.scoring.records.build import Clock, make, opened, rows

VALUES = st.sampled_from(["Rome", "Paris", "place 1", "place 2", ""])
ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("edit"), st.integers(0, 4), VALUES),
        st.tuples(st.sampled_from(["delete", "restore", "accept", "withdraw"]), st.integers(0, 4), st.none()),
        st.tuples(st.sampled_from(["add", "reviewed", "unreviewed", "undo", "redo"]), st.just(0), st.none()),
    ),
    max_size=14,
)


def act(review, action, number, value):
    """One action, as far as it is possible now."""
    records = review.records(1)
    record = records[number % len(records)]
    try:
        match action:
            case "edit":
                review.edit(record, "place", value)
            case "add":
                review.add(1, {"name": "added"})
            case "reviewed" | "unreviewed":
                getattr(review, action)(review.document(1))
            case "withdraw":
                review.withdraw(record, "place")
            case "undo" | "redo":
                getattr(review, action)()
            case _:
                getattr(review, action)(record)
    except InputError:
        pass


def content(path):
    """Records, edits and documents as they are, whatever order the rows lie in."""
    edits = [tuple(row[name] for name in ("id", "record_id", "column_name", "original_value")) for row in rows(path, "record_edits")]
    return sorted(map(repr, rows(path, "records"))), sorted(map(repr, edits)), rows(path, "documents")


def without_ids(state):
    """The state without the ids of audit rows: an edit done again is booked anew."""
    records, edits, documents = state
    return records, sorted(edit.split(",", 1)[1] for edit in edits), documents


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ACTIONS)
# An edit back to the original takes the audit row out, its undoing books it again, a withdrawal takes that one out.
@example([("edit", 0, "Rome"), ("edit", 0, "place 1"), ("undo", 0, None), ("withdraw", 0, None)])
# A mark done again, and then taken back again, settles nothing.
@example([("edit", 0, "Rome"), ("reviewed", 0, None), ("undo", 0, None), ("redo", 0, None)])
@example([("add", 0, None), ("edit", 3, "Rome"), ("reviewed", 0, None), ("undo", 0, None), ("redo", 0, None)])
def test_undoing_everything_brings_back_every_row(actions):
    with tempfile.TemporaryDirectory() as folder:
        path = make(Path(folder))
        before = content(path)
        with opened(path, clock=Clock()) as review:
            for action, number, value in actions:
                act(review, action, number, value)
            after = content(path)
            count = sum(depth == 0 for _, depth in journal.standing(review.database, "ann"))
            for _ in range(count):
                review.undo()
            with pytest.raises(InputError, match="no verdict of yours"):
                review.undo()
            assert content(path) == before
            for _ in range(count):
                review.redo()
            assert without_ids(content(path)) == without_ids(after)
            _log_tells_the_same(path, review)


def _log_tells_the_same(path, review):
    """What the log calls live is what our table calls standing."""
    entries = read_log(path.parent / "adjudications").entries
    standing = {entry.id for entry in live(entries)}
    assert standing == {entry for entry, _ in journal.standing(review.database, "ann")}
