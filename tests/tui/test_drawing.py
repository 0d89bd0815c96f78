"""Evidence drawn as lines: exact widths, data as data, marks without colour."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from scoring.adjudication.cases import Comparison, Facts, Gauge, Grid, Line, Passage, Stack
from tui.widgets.drawing import Lines, drawn, fitted, squeezed, visible, wrapped
from tui.widgets.entry import shown_cells

HOSTILE = st.text(alphabet=st.sampled_from(list("ab [/]\x1b\x9b\u202e\u200b\x00\n\té\u0301\u4e2d?<>")), max_size=30)


def plain(*blocks, width: int = 80, picked: tuple[str, ...] = ()) -> list[str]:
    return [line.plain for line in drawn(blocks, width, picked=picked)]


@given(HOSTILE, st.integers(1, 40))
def test_fitted_is_exactly_as_wide_as_asked_and_harmless(text: str, width: int):
    shown = fitted(text, width)
    assert cell_len(shown) == width
    assert not set(shown) & set("\x1b\x9b\u202e\u200b\x00\n\t")


def test_fitted_cuts_with_an_ellipsis_and_pads_on_the_side_asked():
    assert fitted("Francesco", 6) == "Franc…"
    assert fitted("Anna", 6) == "Anna  "
    assert fitted("Anna", 6, right=True) == "  Anna"
    assert fitted("[/]\x1b[0m", 12) == "[/]␛[0m     "


@given(st.lists(st.integers(0, 60), max_size=8), st.integers(0, 120))
def test_squeezed_columns_fit_and_give_from_the_widest(widths: list[int], room: int):
    result = squeezed(widths, room)
    assert all(now <= before for now, before in zip(result, widths, strict=True))
    assert all(now >= min(before, 3) for now, before in zip(result, widths, strict=True))
    assert sum(result) <= max(room, sum(min(one, 3) for one in widths))


@given(HOSTILE, HOSTILE, st.integers(24, 90))
def test_every_block_keeps_the_width_and_shows_data_as_data(one: str, two: str, width: int):
    blocks = (
        Comparison("GT 1", one, "model", two),
        Gauge("similarity", 0.69, 0.7),
        Facts("Why", ((one, two), ("edits", one))),
        Grid("Claimants", ("row", "name"), (Line((one, two), "=", "gt:1:1"), Line((two,), "≠")), numbered=True),
        Passage("Text", one + two, ((0, 2, "person"),)),
    )
    for line in plain(*blocks, width=width):
        assert not set(line) & set("\x1b\x9b\u202e\u200b\x00\t")
    for line in drawn(blocks[1:4], width):
        assert line.cell_len <= width


def test_a_comparison_marks_what_differs_without_colour():
    upper, lower, marks = plain(Comparison("GT 4", "Anna Rosi", "alfa", "Anna Rossi"))
    assert (upper, lower) == ("GT 4  Anna Rosi", "alfa  Anna Rossi")
    assert lower[marks.index("^")] == "s"
    line = drawn([Comparison("GT 4", "Anna Rossi", "alfa", "Anna Rosi")], 80)[0]
    marked = [line.plain[span.start : span.end] for span in line.spans if "underline" in str(span.style)]
    assert marked == ["s"]


def test_an_illegible_glyph_that_matches_is_no_difference():
    lines = plain(Comparison("GT", "Kin?gsech", "alfa", "Kinggsech"))
    assert len(lines) == 2, "no line of marks"


@pytest.mark.parametrize(("value", "sign"), [(0.7, "≥"), (0.6999, "<"), (1.0, "≥"), (0.0, "<")])
def test_the_gauge_says_on_which_side_of_the_gate_it_is(value: float, sign: str):
    (line,) = plain(Gauge("similarity", value, 0.7))
    assert f"{sign} gate 0.70" in line
    assert "┃" in line


def test_picked_rows_have_a_sign_and_rows_are_numbered_to_nine():
    grid = Grid("Claimants", ("name",), tuple(Line((f"row {n}",), target=f"gt:1:{n}") for n in range(1, 12)), numbered=True)
    lines = plain(grid, picked=("gt:1:2",))
    assert lines[2].startswith("1")
    assert lines[3].startswith("2◉")
    assert lines[11].startswith(" ")
    assert plain(Grid("Claimants", ("name",), ())) == ["Claimants", "  none"]


def test_stacked_readings_stand_in_columns():
    read = (Line(("alfa", "Rosi", "3"), "★"), Line(("beta", "Rosssi", "1")), Line(("gamma", "", "2 runs did not find it")))
    lines = plain(Stack("All readings", "Rossi", read))
    assert lines[0] == "All readings"
    columns = [line[9 : 9 + 6] for line in lines[1:4]]
    assert [column.replace("·", "") for column in columns] == ["Rossi", "Rosi", "Rosssi"]
    assert all(column.endswith("i") for column in columns)
    assert lines[2].startswith("★")
    assert lines[2].endswith("3")
    assert lines[4] == "  gamma  2 runs did not find it"


def test_lines_of_a_long_table_are_drawn_when_they_are_looked_at():
    class Cell(str):
        """Counts how often it is cut to its width."""

        __slots__ = ()

    grid = Grid("Rows", ("name",), tuple(Line((Cell(f"name {n}"),)) for n in range(5000)))
    lines = drawn([grid], 60)
    assert isinstance(lines, Lines)
    assert len(lines) == 5002
    assert callable(lines._lines[4000])
    assert lines[4000].plain == "  name 3998"
    assert [line.plain for line in lines[2:4]] == ["  name 0", "  name 1"]
    lines += [Text("last")]
    assert lines[-1].plain == "last"


def test_wrapped_lines_lose_nothing_and_are_cut_behind_a_space():
    line = Text("s             This row is that traveler, whatever the similarity of the two may be.")
    parts = list(wrapped(line, 50, 14))
    assert all(part.cell_len <= 50 for part in parts)
    assert parts[0].plain == "s             This row is that traveler, whatever "
    assert parts[0].plain + "".join(part.plain[14:] for part in parts[1:]) == line.plain
    long = Text("x" * 200)
    assert "".join(part.plain.strip() for part in wrapped(long, 30, 4)) == "x" * 200


@given(HOSTILE)
def test_what_is_typed_is_drawn_one_for_one_and_harmless(text: str):
    shown = shown_cells(text)
    assert len(shown) == len(text)
    assert visible(shown) == shown
