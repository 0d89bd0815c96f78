"""Evidence laid out for the height there is: what decides a case is seen first, and nothing is left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scoring.adjudication.cases import OTHER, REFERENCE, Comparison, Facts, Gauge, Grid, Line, Stack
from tui.widgets.compact import CaseDensity, laid_out, room_for

NAMES = Comparison("GT 17", "Pietro Antonio Moras", "alfa/naive/run_01 row 15", "Pietve Antonio Woraf")
WHY = Facts("Why", (("reading", "pietve antonio woraf"), ("edits", "4 in 20 characters")))
CLAIMANTS = Grid(
    "Claimants",
    ("", "row", "name", "similarity", "held by"),
    (
        Line(("GT", "17", "Pietro Antonio Moras", "0.696", ""), target="gt:28:17"),
        Line(("row", "5", "Zuanne Orsi", "0.452", "GT 5"), target="model:a/n/1:28:5"),
        Line(("GT", "3", "Abt", "0.100", ""), OTHER, "gt:28:3"),
    ),
    numbered=True,
)
FIELDS = Grid("Fields", ("field", "ground truth"), (Line(("title", "Conte")),))
EFFECTS = Grid(
    "If you say so, in alfa naive",
    ("verdict", "count", "P", "F1", "surplus"),
    (
        Line(("now", "598", "0.8395", "0.8045", ""), REFERENCE),
        Line(("same", "+0", "+0.0100", "+0.0096", "="), "Δ"),
        Line(("duplicate → row 5", "-6", "=", "=", "dup+1"), "Δ"),
        Line(("unsure", "+0", "=", "=", "=")),
        Line(("gt-*: = until applied",)),
    ),
)
STACK = Stack("All readings", "Moras", (Line(("alfa", "Woraf", "3")),))
BLOCKS = (NAMES, Gauge("similarity", 0.696, 0.7), WHY, CLAIMANTS, FIELDS)
LATER = (EFFECTS, Facts("The pairing", (("as it stands", "GT 17 with row 15"),)), STACK)


def lines(room: CaseDensity, width: int = 77, later=LATER, picked: tuple[str, ...] = ()) -> list[str]:
    return [line.plain.rstrip() for line in laid_out(BLOCKS, later, width, room, picked=picked)]


def test_a_low_screen_shows_what_decides_in_few_lines():
    assert lines(CaseDensity.SCARCE)[:11] == [
        "GT 17                     Pietro Antonio Moras",
        "alfa/naive/run_01 row 15  Pietve Antonio Woraf",
        "                              ^^         ^   ^",
        "similarity 0.696 ████████┃··· < gate 0.70  reading pietve antonio woraf",
        "  edits 4 in 20 characters",
        "Claimants                                 If you say so, in alfa naive",
        "1   GT  17 Pietro Antonio Moras .696      Δ same  P +.0100 F1 +.0096",
        "2   row 5  Zuanne Orsi          .452 GT 5 Δ duplicate → row 5  count -6 dup+1",
        "3 + GT  3  Abt                  .100        unsure  =",
        "                                            gt-*: = until applied",
        "",
    ]


def test_the_digits_do_not_move_when_the_effects_come():
    before, after = lines(CaseDensity.SCARCE, later=()), lines(CaseDensity.SCARCE)
    assert [line[:8] for line in before[5:9]] == [line[:8] for line in after[5:9]]


def test_a_picked_row_has_its_sign_on_a_low_screen_too():
    assert lines(CaseDensity.SCARCE, picked=("gt:28:17",))[6].startswith("1◉  GT  17")


def test_with_some_room_reasons_run_together_and_the_rest_has_lines_of_its_own():
    shown = lines(CaseDensity.CLOSE)
    assert shown[3].startswith("similarity 0.696 ██████")
    assert shown[4:6] == ["Why  reading pietve antonio woraf  edits 4 in 20 characters", ""]
    assert shown[6] == "Claimants"
    assert shown[12] == "If you say so, in alfa naive"
    assert shown[14].split() == ["•", "now", "598", "0.8395", "0.8045"]
    assert shown[18].split() == ["gt-*:", "=", "until", "applied"]


def test_with_ample_room_every_fact_has_its_line():
    assert "  reading  pietve antonio woraf" in lines(CaseDensity.AMPLE)


def test_nothing_is_left_out_in_any_room():
    for room in CaseDensity:
        shown = "\n".join(lines(room, width=120))
        for part in ("Pietve", "edits", "Zuanne Orsi", "Δ same", "Δ duplicate", "unsure", "The pairing", "Fields", "Conte", "All readings"):
            assert part in shown, (room, part)


def test_the_room_is_that_of_the_height():
    assert [room_for(height) for height in (10, 25, 26, 45, 46)] == [
        CaseDensity.SCARCE,
        CaseDensity.SCARCE,
        CaseDensity.CLOSE,
        CaseDensity.CLOSE,
        CaseDensity.AMPLE,
    ]


@given(
    st.text(alphabet=st.sampled_from(list("ab [/]\x1b\u202e\u200b\u4e2d?<>é")), max_size=30),
    st.integers(40, 130),
    st.sampled_from(list(CaseDensity)),
)
def test_no_room_is_exceeded_and_data_stays_data(text: str, width: int, room: CaseDensity):
    grid = Grid("Claimants", ("", "name"), (Line(("GT", text), target="gt:1:1"), Line((text, text))), numbered=True)
    effects = Grid("If", ("verdict", "surplus"), (Line((text, text)), Line((text,))))
    blocks = (Gauge("similarity", 0.5, 0.7), Facts("Why", ((text, text),)), grid, FIELDS)
    for line in laid_out(blocks, (effects,), width, room):
        assert cell_len(line.plain) <= width
        assert not set(line.plain) & set("\x1b\u202e\u200b")
