"""EQUIVALENCES.md read into rows, and compiled into what the text pipeline applies."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.rules_block.table import escapedSplit

from scoring.foundations.hashing import content_hash
from scoring.foundations.problems import InputError, Severity
from scoring.rules import EMPTY_RULES, NO_RULES_FILE, EquivalenceRow, IgnoreRow, NearMissRow, Rules, read_rules
from scoring.rules.parse import _tokens, cell_spans, cell_text, lines_of, parse
from scoring.texts.forms import NO_RULES, QUESTION_STRIPPED, Ignore, Replacement, base_form, name_form

IGNORES = "## 1. Ignore rules\n\n| token | field | position | side | status | witness | note |\n|---|---|---|---|---|---|---|\n"
EQUIVALENCES = "## 2. Equivalences\n\n| form | canonical | field | status | witness | note |\n|---|---|---|---|---|---|\n"
NEAR = "## 3. Near misses\n\n| form | not | field | why |\n|---|---|---|---|\n"
QUONDAM = ("q.m", "q. m.", "qm", "q", "q(uonda)m", "q(uondam)", "quondam")


def rules_of(text: str) -> Rules:
    return parse(text)[0]


def equivalences(*rows: str) -> Rules:
    return rules_of(EQUIVALENCES + "".join(f"| {row} | w | |\n" for row in rows))


def sentences(rules: Rules, severity: Severity = Severity.ERROR) -> list[tuple[int | None, str]]:
    return [(problem.line, problem.message) for problem in rules.problems if problem.severity is severity]


def test_every_column_of_every_section_is_read_with_its_line() -> None:
    text = (
        "# Equivalences\n\nWords | with a pipe.\n\n"
        + IGNORES
        + "| di {place_of_origin} | name | trailing | model | settled | 28:4 | an origin |\n\n"
        + EQUIVALENCES
        + "| Sig.r | signor | title, name | OPEN | 36:1 | |\n\n"
        + NEAR
        + "| Feltrina | Pestiora | place_of_stay | misread |\n\n## 4. What stays in code\n\n| form | canonical |\n|---|---|\n| a | b |\n"
    )
    rules = rules_of(text)
    assert rules.problems == ()
    assert rules.rows == (
        IgnoreRow(9, "di {place_of_origin}", ("name",), "trailing", "model", "settled", "28:4", "an origin"),
        EquivalenceRow(15, "Sig.r", "signor", ("title", "name"), "OPEN", "36:1", ""),
        NearMissRow(21, "Feltrina", "Pestiora", ("place_of_stay",), "misread"),
    )
    assert rules.open_lines == (15,)
    assert rules.row_at(15) == rules.equivalences[0]
    assert rules.row_at(16) is None


@pytest.mark.parametrize("variant", [*QUONDAM, "q.m.", "Q.M.", "Quondam"])
def test_the_quondam_variants_are_rows_and_give_one_name(variant: str) -> None:
    rules = equivalences(*(f"{form} | qm | name | settled" for form in QUONDAM)).name()
    assert name_form(f"Leon {variant} Iacob Tedesco", rules) == "leon qm iacob tedesco"


def test_a_name_is_replaced_in_one_pass_and_a_field_in_two() -> None:
    rules = equivalences("q | qm | name, title | settled", "q. m. | qm | name, title | settled")
    assert rules.name().replacements == (Replacement(("q", "m"), ("qm",)), Replacement(("q",), ("qm",)))
    # In a scored field single tokens come first, so the sequence is looked for as they leave it.
    assert rules.field("title").sequences == (Replacement(("qm", "m"), ("qm",)),)
    assert base_form("Leon q. m. Iacob", "model", rules.field("title")) == "leon qm iacob"


def test_forms_and_canonicals_pass_through_the_pipelines_own_steps() -> None:
    rules = equivalences("D’ CO., | Domestico; | Q10, title | settled", "x) | y) | Q10 | settled")
    assert rules.field("title").replacements == (Replacement(("d'", "co"), ("domestico",)),)
    assert Replacement(("x",), ("y",)) in rules.field("Q10", stripped=QUESTION_STRIPPED).replacements
    assert Replacement(("x)",), ("y)",)) in rules.field("Q10").replacements


def test_the_longest_form_at_a_place_wins() -> None:
    rows = ("san marco | A | title | settled", "a san marco in piazza | B | title | settled", "a san | C | title | settled")
    rules = equivalences(*rows).field("title")
    assert [" ".join(rule.form) for rule in rules.replacements] == ["a san marco in piazza", "san marco", "a san"]
    assert base_form("a san marco in piazza", "model", rules) == "b"
    assert base_form("a san marco", "model", rules) == "c marco"


def test_ignore_tokens_of_names_are_in_name_normal_form_and_placeholders_stay() -> None:
    text = IGNORES + (
        "| di {place_of_origin} | name | trailing | model | settled | w | |\n"
        "| Sig.r Q.M. | name | leading | model | settled | w | |\n"
        "| D'Este | title | anywhere | both | settled | w | |\n"
    )
    rules = rules_of(text + "\n" + EQUIVALENCES + "| q.m | qm | name | settled | w | |\n")
    assert rules.name().ignores == (
        Ignore(("di", "{place_of_origin}"), "trailing"),
        Ignore(("sigr", "qm"), "leading"),
    )
    assert rules.field("title").ignores == (Ignore(("d'este",), "anywhere", True),)


def test_open_rows_apply_only_when_asked_for() -> None:
    rules = equivalences("a | b | title | OPEN", "c | d | title | settled", "e | f | title | OPEN")
    first, _, third = rules.rows
    assert base_form("a c e", "model", rules.field("title")) == "a d e"
    assert base_form("a c e", "model", rules.field("title", open_lines=[first.line])) == "b d e"
    assert base_form("a c e", "model", rules.with_open([third.line]).field("title")) == "a d f"
    assert rules.with_open(rules.open_lines).open_lines == ()
    assert rules.with_open([]) == rules
    with pytest.raises(InputError, match="no OPEN row stands on this line"):
        rules.with_open([rules.rows[1].line])


def test_the_fingerprint_is_of_the_rows_and_not_of_their_lines() -> None:
    one = equivalences("a | b | title | settled")
    moved = rules_of("Prose.\n\n\n" + EQUIVALENCES + "|a|b|title|settled|w||\n")
    assert one.rows != moved.rows
    assert one.fingerprint == moved.fingerprint
    changed = [equivalences(row) for row in ("a | c | title | settled", "a | b | title | OPEN", "a | b | name | settled")]
    assert len({one.fingerprint, NO_RULES_FILE.fingerprint, *(rules.fingerprint for rules in changed)}) == 5
    assert content_hash({"b": 1, "a": ["é"]}) == "cde3c54c"


def test_without_a_file_nothing_applies() -> None:
    assert NO_RULES_FILE.field("title") == NO_RULES
    assert NO_RULES_FILE.name() == NO_RULES
    assert NO_RULES_FILE.open_lines == ()


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (r"a\|b", "a|b"),
        (r"\|", "|"),
        (r"a\\|b", "a\\|b"),
        ("`q.m`", "`q.m`"),
        ("*a* _b_", "*a* _b_"),
        (r"\*", r"\*"),
        ("&amp;", "&amp;"),
        ("<b>", "<b>"),
    ],
)
def test_the_text_of_a_cell_is_its_source(cell: str, text: str) -> None:
    assert equivalences(f"x{cell} | y | title | settled").equivalences[0].form == "x" + text


@given(st.text(alphabet="|\\ab \t`*é\u00a0", min_size=1, max_size=30).filter(lambda text: "|" in text and text.strip(" \t")))
def test_cells_are_cut_as_the_markdown_parser_cuts_them(row: str) -> None:
    cells = escapedSplit(row.strip(" \t"))
    cells = cells[1:] if cells and cells[0] == "" else cells
    cells = cells[:-1] if cells and cells[-1] == "" else cells
    mine = [cell_text(row[start:end]) for start, end in cell_spans(row + "\r\n")]
    assert mine == [cell.strip(" \t") for cell in cells] or (not cells and mine == [""])


@given(st.text(alphabet="a\r\n\u2028\x0b\x85 ", max_size=30))
def test_lines_are_cut_as_markdown_cuts_them_and_nothing_is_lost(text: str) -> None:
    lines = lines_of(text)
    assert "".join(lines) == text
    normal = text.replace("\r\n", "\n").replace("\r", "\n")
    assert len(lines) == normal.count("\n") + (not normal.endswith("\n") and normal != "")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_numbers_hold_for_every_line_end_and_a_byte_order_mark(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "EQUIVALENCES.md"
    text = "A\u2028line\x0bof prose\n\n" + EQUIVALENCES + "| a | b | title | settled | | |\n| c | d | title | OPEN | | |"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", ending).encode())
    rules = read_rules(path)
    assert rules.problems == ()
    assert [(row.line, row.form) for row in rules.equivalences] == [(7, "a"), (8, "c")]


@pytest.mark.parametrize(
    "heading",
    [
        "## 2. Equivalences",
        "## §2 Equivalences",
        "# 2",
        "### Section 2: forms",
        "Equivalences\n---",
        "## **Equivalences**",
        "## 2.1 Quondam",
        "## 2) Pairs",
    ],
)
def test_sections_are_found_by_number_or_title(heading: str) -> None:
    rules = rules_of(EQUIVALENCES.replace("## 2. Equivalences", heading) + "| a | b | title | settled | w | |\n")
    assert [row.form for row in rules.equivalences] == ["a"]
    assert rules.problems == ()


def test_a_section_may_hold_several_tables_under_headings_of_its_own() -> None:
    table = EQUIVALENCES.split("\n", 2)[2]
    text = f"# Equivalences\n\n## 2. Equivalences\n\n### Ignore rules are elsewhere\n{table}| a | b | title | settled | | |\n\n"
    text += f"### 18 Places\n\n{table}| c | d | title | settled | | |\n\n## 3. Near misses\n\n"
    text += f"## 4. Equivalences in code\n\n{table}| e | f | title | settled | | |\n"
    rules = rules_of(text)
    assert [row.form for row in rules.equivalences] == ["a", "c"]
    assert rules.problems == ()


def test_columns_may_stand_in_another_order_and_keywords_in_marks() -> None:
    text = "## 2. Equivalences\n| **Status** | `field` | note | witness | canonical | form |\n|:-:|---|---|---|---|--:|\n"
    text += "| `open` | `title`; name<br>Q10 | n | w | b | a |\n"
    rules = rules_of(text)
    assert rules.problems == ()
    assert rules.equivalences == (EquivalenceRow(4, "a", "b", ("title", "name", "Q10"), "OPEN", "w", "n"),)


FAULTY = [
    (IGNORES + "| a | title | middle | model | settled | | |\n", 5, "unknown position `middle`: it is leading, trailing or anywhere"),
    (IGNORES + "| a | title | leading | gt | settled | | |\n", 5, "unknown side `gt`: it is model or both"),
    (IGNORES + "| a | title | leading | model | | | |\n", 5, "the status is blank: it is settled or OPEN"),
    (EQUIVALENCES + "| a | b | | settled | | |\n", 5, "the field is blank"),
    (EQUIVALENCES + "| a | b | title | settled | |\n", 5, "this row has 5 cells where its table has 6 columns"),
    (EQUIVALENCES + "| a | b | c | title | settled | | |\n", 5, "this row has 7 cells where its table has 6 columns"),
    (EQUIVALENCES + "| a | b | title | settled | | |\nprose at once\n", 6, "a table ends with a blank line"),
    (EQUIVALENCES + "| a | b | title | settled | | |\n\n| c | d | title | settled | | |\n", 7, "a malformed table"),
    (EQUIVALENCES.replace("|---|---|---|---|---|---|", "|---|---|---|") + "| a | b | title | settled | | |\n", 3, "a malformed table"),
    (EQUIVALENCES.replace("|---|---|---|---|---|---|\n", "") + "| a | b | title | settled | | |\n", 3, "a malformed table"),
    (EQUIVALENCES.replace("note", "form"), 3, "the column `form` stands twice; the column `note` is missing"),
    (EQUIVALENCES.replace("note", "remark"), 3, "unknown column `remark`"),
    (IGNORES.replace("## 1. Ignore rules", "## 2. Equivalences"), 3, "unknown column `token`"),
    (EQUIVALENCES.replace("\n|", "\n    |"), 3, "indented by four spaces or more"),
    (EQUIVALENCES.replace("\n|", "\n> |"), 3, "inside a list or a quotation"),
    (EQUIVALENCES.replace("\n\n|", "\n<div>\n|"), 2, "inside HTML"),
    ("```\nfor ever\n\n" + EQUIVALENCES, 1, "this code block is never closed"),
    ("<!-- for ever\n\n" + EQUIVALENCES, 1, "this comment is never closed"),
]


@pytest.mark.parametrize(("text", "line", "sentence"), FAULTY, ids=[sentence for _, _, sentence in FAULTY])
def test_every_fault_of_a_table_is_an_error_with_its_line(text: str, line: int, sentence: str) -> None:
    found = sentences(rules_of(text))
    assert [at for at, _ in found] == [line]
    assert sentence in found[0][1]


def test_a_faulty_open_row_stops_only_itself() -> None:
    rules = rules_of(IGNORES + "| a | title | middle | model | OPEN | | |\n| b | title | leading | model | settled | | |\n")
    assert sentences(rules) == []
    [(line, message)] = sentences(rules, Severity.WARNING)
    assert line == 5
    assert message.startswith("OPEN row, so it blocks only its own preview and settling: unknown position")
    assert [row.token for row in rules.ignores] == ["b"]


def test_tables_that_are_closed_off_are_not_read_and_the_stray_one_is_told() -> None:
    text = f"```\n{EQUIVALENCES}| a | b | title | settled | | |\n```\n\n<!--\n{EQUIVALENCES}| a | b | title | settled | | |\n-->\n"
    assert rules_of(text) == Rules()
    stray = rules_of(EQUIVALENCES.replace("## 2. Equivalences", "## Forms"))
    assert [line for line, message in sentences(stray, Severity.WARNING) if "are not read" in message] == [3]


def test_an_empty_row_says_nothing_and_is_told() -> None:
    rules = rules_of(EQUIVALENCES + "| | | | | | |\n")
    assert rules.equivalences == ()
    assert sentences(rules, Severity.NOTE) == [(5, "this row is empty and says nothing")]


def test_the_empty_rules_hold_no_rule_and_no_problem() -> None:
    rules, layout = parse(EMPTY_RULES)
    assert rules == Rules()
    assert [table.section for table in layout.tables] == ["ignore", "equivalence", "near miss"]


def test_what_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "EQUIVALENCES.md"
    with pytest.raises(InputError, match="cannot be read"):
        read_rules(path)
    path.write_bytes(b"# ok\r\nline\xff\n")
    with pytest.raises(InputError, match=r"EQUIVALENCES\.md:2: this is not UTF-8 text"):
        read_rules(path)


def test_unknown_fields_are_told_where_the_fields_are_known(tmp_path: Path) -> None:
    path = tmp_path / "EQUIVALENCES.md"
    path.write_text(EQUIVALENCES + "| a | b | titel | settled | | |\n| c | d | titel | OPEN | | |\n")
    assert read_rules(path).problems == ()
    rules = read_rules(path, ["name", "title"])
    assert [(problem.severity, problem.line) for problem in rules.problems] == [(Severity.ERROR, 5), (Severity.WARNING, 6)]
    assert rules.problems[0].message == "unknown field `titel`: did you mean `title`?"


def least(work: Callable[[], object]) -> float:
    """The least processor time of five goes, in seconds."""
    took = []
    for _ in range(5):
        start = time.process_time()
        work()
        took.append(time.process_time() - start)
    return min(took)


def test_reading_a_thousand_rows_costs_little_more_than_the_markdown_parser() -> None:
    text = EQUIVALENCES + "".join(f"| form{at} | canonical{at} | title, name | settled | 28:{at} | a note |\n" for at in range(1000))
    assert len(rules_of(text).equivalences) == 1000
    assert least(lambda: rules_of(text)) < 5 * least(lambda: _tokens(text))
