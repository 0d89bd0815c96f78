"""The Records screens: driven by keys, fixed by pictures at both sizes, fed with text that tries to drive the terminal."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.widgets import Static

from scoring.adjudication.log.write import read_log
from scoring.texts.forms import visible
from tests.scoring.records.build import SCHEMA, make, opened, rows, run
from tests.tui.pilots import typed_at_once, until
from tui.keys.actions import ACCURACY, DOCUMENTS, RECORD, of_screen
from tui.records_desk.screens.app import RecordsDesk, make_records_app
from tui.records_desk.screens.record_forms import Description, NewRecord
from tui.records_desk.screens.records import Find
from tui.records_desk.screens.typed_editors import Pick, TypeLine, TypeLines
from tui.records_desk.session import RecordsSitting
from tui.screens.dialogs import Confirm, Pages
from tui.widgets.entry import SafeInput
from tui.widgets.lines import LineList, LineView
from tui.widgets.paper import Broken, Paper, broken

SIZES = [(80, 24), (120, 40)]
SENTENCE = "A bat was seen at place 1 in great numbers."
OPENING = "# Bats\n\nA bat was seen at place 1 in great num-\nbers. Nobody cites this sentence at all.\n\n"
PAGES = [
    {"index": 0, "markdown": OPENING + "More words. " * 300},
    {"index": 1, "markdown": "Second page. " + SENTENCE},
]  # fmt: skip


def chosen_schema() -> dict[str, object]:
    """The schema of the other tests, and a field of choices."""
    schema = json.loads(json.dumps(SCHEMA))
    schema["properties"]["records"]["items"]["properties"]["kind"] = {
        "type": ["string", "null"],
        "enum": ["roost", "meal", "fight", None],
        "description": "what it was",
    }
    return schema


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = make(tmp_path / "data", documents=3, schema=chosen_schema(), document_content=json.dumps(PAGES), title="Bats of X")
    run(path, "UPDATE records SET tags = ? WHERE id IN ('r1-uuid', 'r2-uuid')", json.dumps([SENTENCE]))
    return path


def desk(path: Path, verifier: str = "ann") -> RecordsDesk:
    return make_records_app(RecordsSitting(opened(path, verifier)))


def status(app: RecordsDesk) -> str:
    return str(app.screen.query_one("#status", Static).content).strip()


def shown(app: RecordsDesk, selector: str) -> str:
    """The lines of a text pane."""
    view = app.screen.query_one(selector, LineView)
    return "\n".join(view._lines[at].plain for at in range(len(view._lines)))


def top_line(app: RecordsDesk) -> str:
    view = app.screen.query_one("#text", LineView)
    return "\n".join(view._lines[at].plain for at in range(round(view.scroll_offset.y), round(view.scroll_offset.y) + view.size.height))


def cell(path: Path, identity: str, column: str) -> object:
    return next(row[column] for row in rows(path, "records") if row["id"] == identity)


async def test_a_document_is_reviewed_from_the_keyboard_alone(path: Path):
    app = desk(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", "a", "right", "e", *"er", "enter")
        assert cell(path, "r2-uuid", "place") == "place 2er"
        await pilot.press("n", "d", "r", "z", "z")
        assert [one.state for one in app.sitting.records] == ["accepted", "edited", "open"]
        await pilot.press("y", "v")
        assert app.sitting.line.reviewed
        assert "marked reviewed" in status(app)
        await pilot.press("greater_than_sign")
        assert app.sitting.line.id == 2
        await pilot.press("b")
        assert app.screen.kind == DOCUMENTS
        assert app.sitting.documents[1].reviewed
        await pilot.press("home", "v")
        assert not app.sitting.documents[1].reviewed
        await pilot.press("z")
        assert app.sitting.documents[1].reviewed
    given = [entry.verdict for entry in read_log(path.parent / "adjudications").entries]
    assert given == ["accept", "edit", "delete", "restore", "retract", "retract", "retract", "reviewed", "unreviewed", "retract"]


async def test_a_document_with_open_records_is_marked_after_a_question(path: Path):
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("enter", "v")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        assert not app.sitting.line.reviewed
        await pilot.press("v", "y")
        assert app.sitting.line.reviewed


@pytest.mark.parametrize(
    ("column", "dialog", "keys", "stored"),
    [
        ("name", TypeLine, ["!", "enter"], "name 1!"),
        ("count", TypeLine, ["5", "enter"], 105),
        ("rate", TypeLine, ["5", "enter"], 1.55),
        ("flag", Pick, ["down", "enter"], 0),
        ("flag", Pick, ["down", "down", "enter"], None),
        ("kind", Pick, ["f", "i", "enter"], "fight"),
        ("kind", Pick, ["home", "up", "up", "up", "down", "enter"], "meal"),
        ("tags", TypeLines, ["ctrl+end", "enter", "x", "ctrl+s"], json.dumps([SENTENCE, "x"], separators=(",", ":"))),
    ],
)
async def test_each_type_has_its_editor(column: str, dialog: type, keys: list[str], stored: object, path: Path):
    app = desk(path)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("enter")
        app.sitting.column = column
        await pilot.press("e")
        assert type(app.screen) is dialog
        await pilot.press(*keys)
        assert app.screen.kind == RECORD, "the editor has closed"
        assert cell(path, "r1-uuid", column) == stored


async def test_a_value_of_the_wrong_type_keeps_the_editor_open(path: Path):
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("enter", "right", "right", "e", "x")
        assert "✗" in str(app.screen.query_one("#said", Static).content)
        await pilot.press("enter")
        assert isinstance(app.screen, TypeLine)
        assert rows(path, "record_edits") == []
        await pilot.press("backspace")
        assert "✓ 10" in str(app.screen.query_one("#said", Static).content)
        await pilot.press("7", "enter")
    assert cell(path, "r1-uuid", "count") == 107


async def test_an_untouched_editor_changes_nothing(path: Path):
    run(path, "UPDATE records SET note = ? WHERE id = 'r1-uuid'", "two\r\nlines\rof\ttext\x1b[31m")
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("enter")
        for column in app.sitting.columns:
            app.sitting.column = column
            await pilot.press("e")
            assert app.screen.kind != RECORD if hasattr(app.screen, "kind") else True
            await pilot.press("ctrl+s" if isinstance(app.screen, TypeLines) else "enter")
            assert "Nothing was changed" in status(app), column
    assert rows(path, "record_edits") == []


async def test_a_missed_record_is_added_from_a_passage_no_record_cites(path: Path):
    app = desk(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", "x")
        stop = app.sitting.place_in_text()
        while "Nobody" not in app.sitting.sight.text.text[stop.start : stop.end]:
            await pilot.press("x")
            stop = app.sitting.place_in_text()
        assert "uncited: page 1" in status(app)
        await pilot.press("plus")
        assert isinstance(app.screen, NewRecord)
        await pilot.press("s")
        assert "name" in str(app.screen.query_one("#said", Static).content), "what must be filled is said, and nothing lost"
        await pilot.press("home", "enter", *"lost", "enter")
        await pilot.press("down", "enter", *"many")
        await pilot.press("enter")
        assert isinstance(app.screen, TypeLine), "refused"
        await pilot.press(*["backspace"] * 4, "4", "enter", "s")
        assert app.screen.kind == RECORD
        assert "added" in status(app)
    new = rows(path, "records")[-1]
    assert (new["name"], new["count"], new["added_by_user"]) == ("lost", 4, 1)
    assert json.loads(new["tags"]) == ["Nobody cites this sentence at all."]


async def test_a_filled_form_is_not_given_up_by_one_key(path: Path):
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("enter", "D")
        await pilot.press("escape")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        assert isinstance(app.screen, NewRecord)
        await pilot.press("escape", "y")
        assert app.screen.kind == RECORD
    assert len(rows(path, "records")) == 9


async def test_the_description_is_mended_field_by_field(path: Path):
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("m")
        assert isinstance(app.screen, Description)
        await pilot.press("enter", *"!", "enter")
        assert rows(path, "documents")[0]["title"] == "Bats of X!"
        app.screen._at = app.screen.names.index("publication_year")
        await pilot.press("enter", "x", "enter")
        assert isinstance(app.screen, TypeLine)
        await pilot.press("escape", "escape")
        assert app.screen.kind == DOCUMENTS
        assert "Bats of X!" in app.screen.query_one("#list", LineList)._line(0, 80).plain


async def test_the_whole_text_is_read_and_evidence_scrolls_to_its_place(path: Path):
    app = desk(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        text = shown(app, "#text")
        assert "── page 1 " in text
        assert "── page 2 " in text
        assert text.count("More words.") > 200
        assert "A bat was seen at place 1 in great num-" in top_line(app)
        await pilot.press("right_square_bracket")
        assert SENTENCE in top_line(app)
        await pilot.press("pageup")
        before = top_line(app)
        await pilot.press("right")
        assert top_line(app) == before, "another field does not move the text"
        await pilot.press("t")
        await pilot.pause()
        assert app.screen.query_one("#text", LineView).size.height > 14
        await pilot.press("j", "end", "home", "b")
        assert app.screen.kind == RECORD
        await pilot.press("b")
        assert app.screen.kind == DOCUMENTS


async def test_the_table_keeps_the_field_of_the_cursor_in_view(path: Path):
    app = desk(path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter", "g")
        await pilot.pause()
        for name in app.sitting.columns:
            head = str(app.screen.query_one("#columns", Static).content)
            assert f"▸{name}" in head
            await pilot.press("right")
        await pilot.press("s", "s")
        assert "backwards" in status(app)
        await pilot.press("e", "escape", "g")
        await pilot.pause()
        assert app.screen.query_one("#form", LineView).size.height > 0


async def test_finding_follows_the_keys_and_escape_brings_all_back(path: Path):
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("slash", *"paper_2")
        assert isinstance(app.screen, Find)
        assert app.sitting.listed == [2]
        await pilot.press("escape")
        assert app.sitting.listed == [1, 2, 3]
        await pilot.press("slash", *"paper_3", "enter", "enter", "slash", *"place:2", "enter")
        assert [one.name for one in app.sitting.records] == ["Smith_2024_1_r2"]
        await pilot.press("slash", *["backspace"] * 7, "enter", "b", "colon", "2", "enter", "s", "o")
        assert app.sitting.document == 2


async def test_marked_records_are_judged_after_a_list(path: Path):
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("enter", "asterisk", "asterisk", "d")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        assert app.sitting.waiting == 3
        await pilot.press("d", "y")
        assert [one.state for one in app.sitting.records] == ["deleted", "deleted", "open"]


async def test_keys_typed_ahead_judge_the_records_they_were_meant_for(path: Path):
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("enter")
        for key in "adak":
            app.screen.simulate_key(key) if hasattr(app.screen, "simulate_key") else app.simulate_key(key)
        await pilot.pause()
    entries = read_log(path.parent / "adjudications").entries
    assert [(entry.verdict, entry.targets[0].rpartition(":")[2]) for entry in entries] == [
        ("accept", "r1-uuid"),
        ("delete", "r2-uuid"),
        ("accept", "r3-uuid"),
    ]


async def test_keys_typed_behind_the_end_of_a_line_go_to_the_records(path: Path):
    """The field has the focus: all keys are in its hands before the first is worked on."""
    app = desk(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", "right", "e")
        await until(pilot, lambda: app.focused is not None)
        typed_at_once(app, "ddd\rjeXad\r")
        await until(pilot, lambda: app.sitting.records[1].state == "edited")
        assert [one.state for one in app.sitting.records] == ["edited", "edited", "open"]
        assert (cell(path, "r1-uuid", "place"), cell(path, "r2-uuid", "place")) == ("place 1ddd", "place 2Xad")
        # A value that is not taken keeps its line, and the keys behind it are typed there.
        await pilot.press("right", "e")
        await until(pilot, lambda: app.focused is not None)
        typed_at_once(app, "x\rd")
        await until(pilot, lambda: app.focused is not None and app.screen.query_one(SafeInput).value.endswith("xd"))
        assert [one.state for one in app.sitting.records] == ["edited", "edited", "open"]


@pytest.mark.parametrize(("column", "end"), [("tags", "ctrl+s"), ("place", "enter")])
async def test_a_paste_comes_once_and_before_the_key_behind_it(path: Path, column: str, end: str):
    app = desk(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter")
        app.sitting.column = column
        await pilot.press("e")
        await until(pilot, lambda: app.focused is not None)
        app.post_message(Paste("abc"))
        await pilot.pause(0.2)
        app.post_message(Paste("de"))
        app.post_message(Key(end, None))
        await until(pilot, lambda: app.sitting.records[0].state == "edited")
    written = str(cell(path, "r1-uuid", column))
    assert (written.count("abc"), written.count("abcde")) == (1, 1)


async def test_letters_in_front_of_the_key_that_takes_lines_are_taken(path: Path):
    app = desk(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter")
        app.sitting.column = "tags"
        await pilot.press("e")
        await until(pilot, lambda: app.focused is not None)
        typed_at_once(app, "abc\x13d")
        await until(pilot, lambda: app.sitting.records[0].state == "deleted")
        assert json.loads(str(cell(path, "r1-uuid", "tags"))) == [SENTENCE + "abc"]


async def test_a_conflict_is_told_and_what_the_other_did_is_shown(path: Path):
    app = desk(path)
    other = RecordsSitting(opened(path, "ben"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", "right", "e", "!")
        other.open()
        other.column = "place"
        other.edit("by ben")
        await pilot.press("enter")
        assert isinstance(app.screen, Pages)
        text = "\n".join(line.plain for line in app.screen._lines)
        for part in ("NOT written", "place 1", "by ben", "ben  edit place of Smith_2024_1_r1"):
            assert part in text, part
        await pilot.press("escape")
        assert "by ben" in shown(app, "#cell")
        assert cell(path, "r1-uuid", "place") == "by ben"
        await pilot.press("e", "!", "enter")
        assert cell(path, "r1-uuid", "place") == "by ben!"
    assert [row["original_value"] for row in rows(path, "record_edits")] == ["place 1", "by ben"]


async def test_what_others_wrote_is_noticed_and_read_when_asked(path: Path):
    app = desk(path)
    other = RecordsSitting(opened(path, "ben"))
    async with app.run_test() as pilot:
        await pilot.press("enter")
        other.open()
        other.accept()
        app.screen._watch()
        assert "F5" in status(app)
        assert app.sitting.current.state == "open"
        await pilot.press("f5")
        assert app.sitting.current.state == "accepted"
        app.screen._watch()
        assert "F5" not in status(app)


async def test_what_an_interrupted_save_left_is_offered_at_the_start(path: Path):
    sitting = RecordsSitting(opened(path))
    sitting.open()
    sitting.accept()
    sitting.move_record(1)
    sitting.delete()
    # As if the program had been killed between the log and the database.
    run(path, "DELETE FROM adjudicate_verdicts WHERE kind IN ('accept', 'delete')")
    run(path, "UPDATE records SET deleted_by_user = NULL WHERE id = 'r2-uuid'")
    run(path, "UPDATE records SET place = 'moved' WHERE id = 'r1-uuid'")
    app = desk(path)
    async with app.run_test(size=(100, 30)) as pilot:
        assert isinstance(app.screen, Confirm)
        await pilot.press("y")
        await pilot.pause()
        assert isinstance(app.screen, Pages)
        assert "changed meanwhile" in " ".join(" ".join(line.plain for line in app.screen._lines).split())
        await pilot.press("escape")
        assert "1 verdict brought in, 1 refused" in status(app)
    assert cell(path, "r2-uuid", "deleted_by_user") is not None


async def test_history_shows_old_beside_new_and_who(path: Path):
    app = desk(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", "c", *"smudged", "enter", "right", "e", "x", "enter", "H")
        text = "\n".join(line.plain for line in app.screen._lines)
        for part in ("ann  edit place", "before", "place 1", "after", "place 1x", "smudged"):
            assert part in text
        await pilot.press("escape")
        assert "was, ann" in shown(app, "#cell")
        await pilot.press("a", "L")
        assert "accept" in "\n".join(line.plain for line in app.screen._lines)


async def test_accuracy_is_worked_out_beside_the_keys_and_opens_into_the_edits(path: Path):
    app = desk(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", "right", "e", "x", "enter", "n", "d", "n", "a", "v", "b", "A")
        assert app.screen.kind == ACCURACY
        await pilot.press("down")
        await asyncio.wait_for(app.workers.wait_for_complete(), 60)
        await pilot.pause()
        figures = shown(app, "#figures")
        for pattern in (r"found +2 +66\.7%", r"missed +0 +0\.0%", r"hallucinated +1 +33\.3%", r"place +major +1 +66\.7%", "undefined"):
            assert re.search(pattern, figures), pattern
        assert app.screen._fields[0] == "place"
        assert "0.33" in app.screen.query_one("#map", LineList)._line(0, 120).plain
        await pilot.press("enter")
        text = "\n".join(line.plain for line in app.screen._lines)
        for part in ("Smith_2024_1_r1", "corrected", "major", "place 1", "place 1x"):
            assert part in text
        await pilot.press("escape", "S", "f", "s", "end", "right", "b")
        assert app.screen.kind == DOCUMENTS


async def test_every_key_of_every_screen_is_in_its_help(path: Path):
    app = desk(path)
    async with app.run_test() as pilot:
        await pilot.press("question_mark")
        text = "\n".join(line.plain for line in app.screen._lines)
        assert all(action.help in text for action in of_screen(DOCUMENTS))


# Hostile text

HOSTILE = "[red]x[/red] [/] \x1b[31m\x1b]0;t\x07\x9b2J \u202eolleh\u202c \u200b\x00 =1+1 A\u030a\u0301"


@pytest.mark.parametrize("size", SIZES)
async def test_text_that_drives_terminals_is_shown_in_every_column(size: tuple[int, int], tmp_path: Path):
    schema = chosen_schema()
    fields = schema["properties"]["records"]["items"]["properties"]
    fields[HOSTILE.replace("\x00", "")] = {"type": ["string", "null"], "description": HOSTILE}  # SQL takes no NUL in a column's name
    path = make(tmp_path / "data", schema=schema, author=HOSTILE, document_content=HOSTILE * 40, title=HOSTILE)
    run(path, "UPDATE documents SET file_name = ?", HOSTILE)
    for column in ("record_id", "name", "place", "count", "rate", "flag", "kind", "note", "id"):
        run(path, f"UPDATE records SET {column} = ? WHERE id = 'r1-uuid'", HOSTILE)
    run(path, "UPDATE records SET tags = ? WHERE id <> 'r2-uuid'", json.dumps([HOSTILE, HOSTILE + "!"]))
    app = desk(path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter", "home")
        assert app.sitting.record == HOSTILE
        seen = set()
        for column in app.sitting.columns:
            app.sitting.column = column
            app.screen.refresh_all()
            seen.add(shown(app, "#form") + shown(app, "#cell") + shown(app, "#text"))
            await pilot.press("e")
            await pilot.pause()
            await pilot.press("escape")
        everything = "\n".join(seen)
        assert visible(HOSTILE)[:12] in everything
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]", everything)
        for key in ["g", "t", "t", "x", "H", "escape", "L", "escape", "D", "end", "e", "escape", "escape", "y", "c", "escape"]:
            await pilot.press(key)
            await pilot.pause()
            assert harmless(pilot), key
        await pilot.press("home", "a", "m")
        await pilot.pause()
        assert harmless(pilot)


def harmless(pilot: Pilot[None]) -> bool:
    """Whether no cell of the screen holds a character that a terminal obeys."""
    strips = pilot.app.screen._compositor.render_strips()
    text = "".join(segment.text for strip in strips for segment in strip)
    return not re.search(r"[\x00-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]", text)


# The text broken into lines


LINES = ["", "short", "words of some length " * 9, "x" * 200, "Ａ" * 50, "e\u0301" * 60, "a\x1b\u202eb" * 30, "汉字 and words " * 8]


@pytest.mark.parametrize("width", [1, 2, 5, 20, 78])
@pytest.mark.parametrize("line", LINES)
def test_a_broken_line_is_whole_and_fits(line: str, width: int):
    from rich.cells import cell_len

    parts = list(broken(line, width))
    assert "".join(line[start:end] for start, end in parts) == line
    assert [start for start, _ in parts[1:]] == [end for _, end in parts[:-1]]
    for start, end in parts:
        assert cell_len(visible(line[start:end])) <= width or end - start == 1
        assert end > start or not line


def test_marks_lie_where_the_text_says_so():
    from scoring.records.inputs.text_pages import document_text
    from tui.widgets.drawing import PLAIN

    text = document_text(json.dumps(PAGES))
    lines = Broken(text, 30)
    at = text.text.index("great num-")
    paper = Paper(lines, [(at, at + len("great num-\nbers"), PLAIN.highlight), (at, at + 5, PLAIN.picked)], PLAIN)
    marked = "".join(
        line.plain[span.start : span.end] for line in paper[:] for span in line.spans if span.style in (PLAIN.highlight, PLAIN.picked)
    )
    assert marked == "great num-bers"
    assert [paper[number].plain.split()[:3] for number in lines.titles] == [["──", "page", "1"], ["──", "page", "2"]]
    assert lines.line_of(at) == next(number for number in range(len(paper)) if "great" in paper[number].plain)


# Pictures


Before = Callable[[Pilot[None]], Awaitable[None]]


def pressed(*keys: str, wait: bool = False) -> Before:
    async def before(pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        if wait:
            await asyncio.wait_for(pilot.app.workers.wait_for_complete(), 60)
            await pilot.pause()

    return before


LOOKS: dict[str, tuple[str, ...]] = {
    "documents": ("v", "down"),
    "record": ("enter", "a", "right"),
    "edited": ("enter", "right", "e", "x", "enter", "d", "k"),
    "table": ("enter", "d", "g", "right", "right"),
    "reading": ("enter", "t", "x"),
    "history": ("enter", "right", "e", "x", "enter", "H"),
    "add": ("enter", "D"),
    "accuracy": ("enter", "right", "e", "x", "enter", "n", "d", "v", "y", "b", "A"),
}


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "120x40"])
@pytest.mark.parametrize("look", LOOKS)
def test_looks(look: str, size: tuple[int, int], path: Path, snap_compare: Callable[..., bool]):
    assert snap_compare(desk(path), terminal_size=size, run_before=pressed(*LOOKS[look], wait=look == "accuracy"))


def test_looks_without_colour(path: Path, snap_compare: Callable[..., bool], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare(desk(path), terminal_size=(80, 24), run_before=pressed("enter", "d", "g"))
