"""Editing a CSV in place: every byte that is not meant to change stays, whatever the dialect."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.foundations.problems import InputError
from scoring.tables.inputs.csv_edit import Changes, changed, records

FIELDS = ("name", "place")
TEXT = 'name,place\nAnna,Udine\n"Serri, Bruno","a ""b"""\n\nCarlo,\n'


def test_records_are_those_of_the_csv_reader() -> None:
    assert [record.values for record in records(TEXT, ",")] == [tuple(row) for row in csv.reader(io.StringIO(TEXT)) if row]
    assert "".join(TEXT[record.start : record.end] for record in records(TEXT, ",")) == TEXT.replace("\n\n", "\n")


def test_a_cell_is_changed_in_its_own_dress() -> None:
    assert changed(TEXT, FIELDS, Changes({2: {0: "Serri"}})) == TEXT.replace('"Serri, Bruno"', '"Serri"')
    assert changed(TEXT, FIELDS, Changes({1: {1: 'a, "b"'}})) == TEXT.replace("Udine", '"a, ""b"""')
    assert changed(TEXT, FIELDS, Changes({3: {1: " x"}})) == TEXT.replace("Carlo,\n", 'Carlo," x"\n')


def test_rows_are_added_and_taken_out() -> None:
    changes = Changes({1: {0: "Anne"}}, frozenset({2}), ((0, ("First", "")), (3, ("Last", "")), (3, ("Laster", "é"))))
    assert changed(TEXT, FIELDS, changes) == "name,place\nFirst,\nAnne,Udine\n\nCarlo,\nLast,\nLaster,é\n"


def test_line_ends_and_a_missing_last_one_are_kept() -> None:
    text = "name;place\r\nAnna;Udine\r\nCarlo;"
    assert changed(text, FIELDS, Changes({1: {0: "A;B"}})) == 'name;place\r\n"A;B";Udine\r\nCarlo;'
    assert changed(text, FIELDS, Changes(added=((2, ("Z", "")),))) == "name;place\r\nAnna;Udine\r\nCarlo;\r\nZ;"
    assert changed("name\tplace\nA\tB", FIELDS, Changes({1: {0: "C"}})) == "name\tplace\nC\tB"


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        (TEXT, Changes({9: {0: "x"}})),
        (TEXT, Changes({1: {5: "x"}})),
        (TEXT, Changes({1: {0: "two\nlines"}})),
        (TEXT, Changes(removed=frozenset({4}))),
        ('name,place\n"a"b,c\n', Changes({1: {1: "x"}})),
        ('name,place\n"a,c\n', Changes({1: {1: "x"}})),
        ("", Changes({1: {0: "x"}})),
    ],
)
def test_what_cannot_be_done_is_refused(text: str, changes: Changes) -> None:
    with pytest.raises(InputError):
        changed(text, FIELDS, changes)


cell = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n", exclude_categories=("Cs",)), max_size=6)


@given(
    rows=st.lists(st.tuples(cell, cell), min_size=1, max_size=6),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    newline=st.sampled_from(["\n", "\r\n"]),
    at=st.integers(0, 5),
    value=cell,
    tail=st.booleans(),
)
def test_only_the_cell_meant_changes(rows: list[tuple[str, str]], quoting: int, newline: str, at: int, value: str, tail: bool) -> None:
    out = io.StringIO()
    writer = csv.writer(out, quoting=quoting, lineterminator=newline)  # type: ignore[arg-type]
    writer.writerows([FIELDS, *rows])
    text = out.getvalue() if tail else out.getvalue().removesuffix(newline)
    number = at % len(rows) + 1
    try:
        new = changed(text, FIELDS, Changes({number: {0: value}}))
    except InputError:
        # Refused where the file is not read as it was meant (a delimiter of its own in the header's place, say), never miswritten.
        return
    read = [tuple(row) for row in csv.reader(io.StringIO(new, newline="")) if row]
    wanted = [FIELDS, *rows]
    wanted[number] = (value, rows[number - 1][1])
    assert read == [row for row in wanted if row]
    cells = records(text, ",")[number].cells[0]
    assert new.startswith(text[: cells[0]])
    assert new.endswith(text[cells[1] :])
