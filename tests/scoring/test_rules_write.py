"""EQUIVALENCES.md edited in place: what was asked for is there, and every other byte is kept."""

import os
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.foundations.problems import InputError
from scoring.rules import (
    EMPTY_RULES,
    EquivalenceRow,
    IgnoreRow,
    NearMissRow,
    Witnesses,
    draft_equivalence,
    draft_ignore,
    draft_near_miss,
    edit,
    read_rules,
    remove,
    reopen,
    settle,
)
from scoring.rules.file import files as rules_files
from scoring.rules.file.edit import add_row, set_cells
from scoring.rules.parse import lines_of, parse
from tests.scoring.test_rules_read import EQUIVALENCES, IGNORES, NEAR

UNTIDY = (
    "# Équivalences  \r\n\r\nProse | with pipes, trailing blanks   \n\n"
    "## 1. Ignore rules\n\n|token|field|position|side|status|witness|note|\n|-|-|-|-|-|-|-|\n|signor|title|leading|model|OPEN||\\||\r\n\n"
    "## 2. Equivalences\n\n"
    "| form      | canonical | field | status  | witness | note |\n"
    "|:----------|-----------|:-----:|---------|---------|------|\n"
    "| Sig.r     | signor    | title | OPEN    | 28:4    | a \\| b |   \n"
    "  | d.co      | domestico | title | settled | \u2028 |  |\n"
    "x | y | title | OPEN | w | n\n\n"
    "## 4. What stays in code\n\n- nothing\x0c else"
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "EQUIVALENCES.md"


def write(path: Path, text: str, mark: bytes = b"") -> bytes:
    path.write_bytes(mark + text.encode())
    return path.read_bytes()


def lines_that_differ(before: bytes, after: bytes) -> list[int]:
    old, new = before.split(b"\n"), after.split(b"\n")
    assert len(old) == len(new)
    return [at for at, (one, other) in enumerate(zip(old, new, strict=True), 1) if one != other]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_settling_changes_one_cell_and_reopening_gives_the_file_back(path: Path, mark: bytes) -> None:
    before = write(path, UNTIDY, mark)
    lines = read_rules(path).open_lines
    assert lines == (9, 15, 17)
    for line in lines:
        assert settle(path, line) == line
        after = path.read_bytes()
        assert lines_that_differ(before, after) == [line]
        assert after.split(b"\n")[line - 1] == before.split(b"\n")[line - 1].replace(b"OPEN", b"settled")
        assert line not in read_rules(path).open_lines
        reopen(path, line)
        assert path.read_bytes() == before


CELL = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc",)) | st.sampled_from("|\\`*<># -\u00a0\u2028é"), max_size=12)
PADDING = st.sampled_from(["", " ", "  ", "\t"])


@st.composite
def untidy_files(draw: st.DrawFn) -> tuple[str, list[int]]:
    """A file of rules in any style, and the lines of its rows."""
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    head = ["prose " + draw(CELL), "", "## 2. Equivalences", "", "|form|canonical|field|status|witness|note|", "|--|--|--|--|--|--|"]
    rows = []
    for at in range(draw(st.integers(1, 4))):
        cells = [f"form{at}", f"canonical{at}", "title", draw(st.sampled_from(["OPEN", "settled"]))]
        cells += [draw(CELL).replace("\\", "").replace("|", "\\|"), draw(CELL).replace("\\", "").replace("|", "\\|")]
        rows.append("|" + "|".join(draw(PADDING) + cell + draw(PADDING) for cell in cells) + "|" + draw(PADDING))
    tail = draw(st.sampled_from([[], [""], ["", "", "## 4. Code", "the end  "]]))
    return end.join([*head, *rows, *tail]), list(range(len(head) + 1, len(head) + len(rows) + 1))


@settings(max_examples=150, deadline=None)
@given(untidy_files(), st.data())
def test_any_file_comes_back_byte_for_byte(file: tuple[str, list[int]], data: st.DataObject) -> None:
    text, lines = file
    rules, _ = parse(text)
    assert rules.problems == ()
    line = data.draw(st.sampled_from(lines))
    row = rules.row_at(line)
    assert isinstance(row, EquivalenceRow)
    other = "settled" if row.status == "OPEN" else "OPEN"
    changed = set_cells(text, line, {"status": other})
    assert len(changed) - len(text) == len(other) - len(row.status)
    assert set_cells(changed, line, {"status": row.status}) == text


@settings(max_examples=200, deadline=None)
@given(untidy_files(), CELL, CELL, CELL)
def test_the_text_of_a_cell_is_data(file: tuple[str, list[int]], form: str, canonical: str, note: str) -> None:
    text, lines = file
    cells = {"form": form, "canonical": canonical, "field": "title", "status": "OPEN", "note": note}
    blank = " \t\n\v\f\r"
    new, line = add_row(text, "equivalence", cells)
    row = parse(new)[0].row_at(line)
    assert row == EquivalenceRow(line, form.strip(blank), canonical.strip(blank), ("title",), "OPEN", "", note.strip(blank))
    kept = lines_of(new)
    del kept[line - 1]
    # A file that ended in the row above has that row's line end as its only addition.
    assert "".join(kept) in (text, text + "\n", text + "\r\n", text + "\r")
    assert new.endswith(("\n", "\r")) == text.endswith(("\n", "\r"))
    changed = set_cells(text, lines[0], {"form": form, "note": note})
    first = parse(changed)[0].row_at(lines[0])
    assert isinstance(first, EquivalenceRow)
    assert (first.form, first.note) == (form.strip(blank), note.strip(blank))


def without_row(data: bytes, line: int) -> bytes:
    rows = data.split(b"\n")
    return b"\n".join(rows[: line - 1] + rows[line:])


def test_a_draft_is_added_under_its_table_and_all_else_is_kept(path: Path) -> None:
    before = write(path, UNTIDY)
    line = draft_equivalence(path, "Ab|te", "abate", ["title", "name"], witness="36:2", note="two\nlines")
    assert line == 18
    assert without_row(path.read_bytes(), line) == before
    assert path.read_bytes().split(b"\n")[line - 1] == rb"| Ab\|te | abate | title, name | OPEN | 36:2 | two<br>lines |"
    assert read_rules(path).row_at(line) == EquivalenceRow(18, "Ab|te", "abate", ("title", "name"), "OPEN", "36:2", "two<br>lines")
    second = draft_ignore(path, "di {place_of_origin}", "name", "trailing")
    assert read_rules(path).row_at(second) == IgnoreRow(10, "di {place_of_origin}", ("name",), "trailing", "model", "OPEN")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("final", [True, False])
def test_a_row_takes_the_files_line_ends_and_a_missing_final_newline_stays_missing(path: Path, end: str, final: bool) -> None:
    text = (EQUIVALENCES + "| a | b | title | OPEN | | |").replace("\n", end) + (end if final else "")
    before = write(path, text)
    line = draft_equivalence(path, "c", "d", "title")
    added = "| c | d | title | OPEN | | |"
    assert path.read_bytes() == before + (added + end if final else end + added).encode()
    assert line == 6


def test_a_missing_file_is_made_with_all_its_sections(path: Path) -> None:
    line = draft_equivalence(path, "a", "b", "title", expected="")
    text = path.read_text()
    assert "".join(row for at, row in enumerate(text.splitlines(keepends=True), 1) if at != line) == EMPTY_RULES
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("# Equivalences\n\nProse.\n", "# Equivalences\n\nProse.\n\n## 2. Equivalences\n\n{table}"),
        ("# Equivalences", "# Equivalences\n\n## 2. Equivalences\n\n{bare}"),
        ("## 1. Ignore rules\n\nNone.\n\n\n## 3. Near misses\n",
         "## 1. Ignore rules\n\nNone.\n\n## 2. Equivalences\n\n{table}\n\n## 3. Near misses\n"),
        ("## 2. Equivalences\n## 4. Code\n", "## 2. Equivalences\n\n{table}\n## 4. Code\n"),
        ("## 2. Equivalences\n\nNone yet.\n\n## 4. Code\n", "## 2. Equivalences\n\nNone yet.\n\n{table}\n## 4. Code\n"),
        ("## 4. Code\n", "## 2. Equivalences\n\n{table}\n## 4. Code\n"),
    ],
)  # fmt: skip
def test_a_missing_section_or_table_is_made_in_its_place(path: Path, text: str, place: str) -> None:
    write(path, text)
    line = draft_equivalence(path, "a", "b", "title")
    bare = EQUIVALENCES.split("\n", 2)[2] + "| a | b | title | OPEN | | |"
    expected = place.format(table=bare + "\n", bare=bare)
    assert path.read_text().replace("\n\n\n", "\n\n") == expected.replace("\n\n\n", "\n\n")
    assert read_rules(path).row_at(line) == EquivalenceRow(line, "a", "b", ("title",), "OPEN")
    assert read_rules(path).problems == ()


FIELDS = {"title": "text", "name": "name"}
GROUND = Witnesses({"title": ["il conte"]})


@pytest.mark.parametrize(
    ("form", "canonical", "field", "sentence"),
    [
        ("a", "c", "title", "the form `a` becomes `c` here and `b` on line 5"),
        ("b", "c", "title", "a chain"),
        ("x", "a", "title", "a chain"),
        ("A.", "b", "title", "says the same as line 5"),
        ("figlo", "figlio", "title", "would be covered"),
        ("..", "b", "title", "normalises to nothing"),
        ("m", "n", "titel", "unknown field `titel`"),
        ("m", "n", "", "the field is blank"),
        ("m\x1b[31m", "n", "title", r"U\+001B"),
        ("m\ud800", "n", "title", r"U\+D800"),
    ],
)
def test_a_draft_that_contradicts_the_rules_is_refused_and_nothing_is_written(
    path: Path, form: str, canonical: str, field: str, sentence: str
) -> None:
    before = write(path, EQUIVALENCES + "| a | b | title | settled | | |\n\n" + NEAR + "| figlo | figlio | title | |\n")
    with pytest.raises(InputError, match=sentence):
        draft_equivalence(path, form, canonical, field, known_fields=FIELDS)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_an_ignore_that_stands_in_the_ground_truth_can_neither_be_drafted_nor_settled(path: Path) -> None:
    before = write(path, IGNORES + "| il | title | leading | model | OPEN | | |\n")
    with pytest.raises(InputError, match="would split identical pairs"):
        settle(path, 5, witnesses=GROUND, known_fields=FIELDS)
    with pytest.raises(InputError, match="would split identical pairs"):
        draft_ignore(path, "conte", "title", "trailing", witnesses=GROUND)
    with pytest.raises(InputError, match="unknown position `middle`"):
        draft_ignore(path, "barone", "title", "middle")  # type: ignore[arg-type]
    assert path.read_bytes() == before
    settle(path, 5)


def test_settling_is_refused_by_what_stands_against_the_row_and_not_by_other_errors(path: Path) -> None:
    rows = ("a | b | title | settled", "a | c | title | settled", "a | d | title | OPEN", "e | f | title | OPEN", "g | h | titel | OPEN")
    before = write(path, EQUIVALENCES + "".join(f"| {row} | | |\n" for row in rows) + "\n" + NEAR + "| x | y | title | |\n")
    with pytest.raises(InputError, match="the form `a` becomes `d` here"):
        settle(path, 7, known_fields=FIELDS)
    with pytest.raises(InputError, match=r"md:9: unknown field `titel`.*The row stays OPEN"):
        settle(path, 9, known_fields=FIELDS)
    for line, sentence in ((5, "settled already"), (3, "no rule stands"), (99, "no rule stands"), (15, "a near miss is neither")):
        with pytest.raises(InputError, match=sentence):
            settle(path, line, known_fields=FIELDS)
    assert path.read_bytes() == before
    settle(path, 8, known_fields=FIELDS)
    with pytest.raises(InputError, match="OPEN already"):
        reopen(path, 7)
    # A settled row with an error can be taken out of the score.
    reopen(path, 6, known_fields=FIELDS)
    assert read_rules(path).open_lines == (6, 7, 9)


def test_editing_replaces_cells_and_checks_the_row(path: Path) -> None:
    before = write(path, UNTIDY)
    edit(path, 15, canonical="signore", note="x | y\\")
    after = path.read_bytes()
    assert lines_that_differ(before, after) == [15]
    assert after.split(b"\n")[14] == b"| Sig.r     | signore    | title | OPEN    | 28:4    | x \\| y\\ |   "
    assert read_rules(path).row_at(15) == EquivalenceRow(15, "Sig.r", "signore", ("title",), "OPEN", "28:4", "x | y\\")
    edit(path, 15, canonical="signor", note="a | b")
    assert path.read_bytes() == before
    edit(path, 9, token="il", fields=["title", "name"], note="\\")
    assert path.read_bytes().split(b"\n")[8] == b"|il|title, name|leading|model|OPEN||\\ |\r"
    for cells, sentence in (
        ({"colour": "red"}, "no column `colour`"),
        ({"status": "maybe"}, "unknown status"),
        ({"form": "D.co"}, "becomes"),
    ):
        with pytest.raises(InputError, match=sentence):
            edit(path, 15, **cells)


def test_a_faulty_row_can_be_mended(path: Path) -> None:
    write(path, IGNORES + "| a | title | middle | model | settled | | |\n| b | title |\n")
    edit(path, 5, position="leading")
    row = read_rules(path).row_at(5)
    assert isinstance(row, IgnoreRow)
    assert row.position == "leading"
    with pytest.raises(InputError, match="this row has 2 cells where its table has 7 columns"):
        edit(path, 6, token="c")


def test_what_markdown_would_take_for_something_else_is_refused(path: Path) -> None:
    head = EQUIVALENCES.replace("| form |", "form |").replace("|---|---|---|---|---|---|", "---|---|---|---|---|---")
    before = write(path, head + "x | y | title | OPEN | w | n\nz | y | title | OPEN | w | n\n")
    with pytest.raises(InputError, match="cannot be written into the table"):
        edit(path, 5, form="> quoted")
    assert path.read_bytes() == before


def test_a_file_that_has_changed_is_not_written_over(path: Path) -> None:
    write(path, UNTIDY)
    read = read_rules(path).content
    settle(path, 9, expected=read)
    with pytest.raises(InputError, match="has changed since it was read"):
        settle(path, 15, expected=read)
    with pytest.raises(InputError, match="has changed since it was read"):
        draft_equivalence(path, "m", "n", "title", expected="")
    settle(path, 15, expected=read_rules(path).content)


def test_a_change_by_another_program_while_writing_is_seen(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(path, UNTIDY)
    fsync = os.fsync

    def meanwhile(handle: int) -> None:
        fsync(handle)
        path.write_bytes(b"theirs")

    monkeypatch.setattr(rules_files.os, "fsync", meanwhile)
    with pytest.raises(InputError, match="has changed since it was read"):
        settle(path, 9)
    assert path.read_bytes() == b"theirs"
    assert os.listdir(path.parent) == [path.name]


def test_a_failed_write_leaves_the_file_and_no_litter(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = write(path, UNTIDY)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rules_files.os, "fsync", full)
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\)"):
        settle(path, 9)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


def test_the_mode_is_kept(path: Path) -> None:
    write(path, UNTIDY)
    path.chmod(0o640)
    settle(path, 9)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_symlink_is_followed_within_the_workspace_only(path: Path, tmp_path: Path) -> None:
    inside = tmp_path / "rules"
    inside.mkdir()
    real = inside / "real.md"
    write(real, UNTIDY)
    path.symlink_to(real)
    settle(path, 9)
    assert path.is_symlink()
    assert 9 not in read_rules(real).open_lines
    link = inside / "EQUIVALENCES.md"
    outside = tmp_path / "outside.md"
    before = write(outside, UNTIDY)
    link.symlink_to(outside)
    with pytest.raises(InputError, match="leads out of the workspace"):
        settle(link, 9)
    assert outside.read_bytes() == before
    settle(link, 9, workspace=tmp_path)


def test_drafts_at_the_same_time_are_all_kept(path: Path) -> None:
    write(path, EQUIVALENCES)
    workers = [threading.Thread(target=draft_equivalence, args=(path, f"form{at}", f"to{at}", "title")) for at in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(row.form for row in read_rules(path).equivalences) == [f"form{at}" for at in range(8)]


@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_row_drafted_and_removed_leaves_the_file_as_it_was(path: Path, end: str, final: bool) -> None:
    text = ("# A\n\n" + EQUIVALENCES + "| a | b | title | OPEN | | |").replace("\n", end) + (end if final else "")
    before = write(path, text, b"\xef\xbb\xbf")
    line = draft_equivalence(path, "m", "n", "title")
    assert path.read_bytes() != before
    remove(path, line)
    assert path.read_bytes() == before
    remove(path, line - 1)
    assert b"| a |" not in path.read_bytes()
    assert read_rules(path).problems == ()


def test_a_row_is_removed_from_between_others_and_a_settled_one_never(path: Path) -> None:
    before = write(path, UNTIDY)
    rows = read_rules(path).rows
    signor, sig, domestico, last = (row.line for row in rows)
    with pytest.raises(InputError, match="this row is settled, so it is not taken out"):
        remove(path, domestico)
    with pytest.raises(InputError, match="no row of a table of rules stands on this line"):
        remove(path, domestico - 2)
    assert path.read_bytes() == before
    remove(path, sig)
    lines = lines_of(UNTIDY)
    assert path.read_bytes().decode() == "".join(lines[: sig - 1] + lines[sig:])
    assert [row.line for row in read_rules(path).rows] == [signor, sig, last - 1]


def test_a_near_miss_is_drafted_in_its_section_and_refused_where_a_rule_covers_it(path: Path) -> None:
    write(path, EQUIVALENCES + "| figlo | figliuolo | title | settled | | |\n")
    with pytest.raises(InputError, match=r"covered in `title` by line 5.*The draft was not written"):
        draft_near_miss(path, "figlo", "figliuolo", "title")
    line = draft_near_miss(path, "figolo", "figliuolo", ["title", "name"], why="a corruption | no abbreviation")
    assert read_rules(path).row_at(line) == NearMissRow(line, "figolo", "figliuolo", ("title", "name"), "a corruption | no abbreviation")
