"""The example that ships with the product, the rules written for it, and the report made of it."""

import re
from collections import Counter
from pathlib import Path

import pytest

from scoring.foundations.problems import Severity
from scoring.questions.cases.queues import cases
from scoring.questions.execution.evaluation import Evaluation, evaluate
from scoring.questions.inputs.field_values import known_fields, witnesses
from scoring.questions.inputs.material import Material, load
from scoring.questions.measures.report import csv_text, html_page, html_section, markdown, text_table
from scoring.questions.measures.tables import QuestionTable, answer_rows, consistency_rows, summary_rows, tables
from scoring.rules import check, read_rules
from scoring.workspace.layout import open_workspace
from scripts.make_questions import write_all
from tests.scoring.questions.small import material, right
from tests.shared import ROOT

FRAGMENT = ROOT / "scripts" / "questions_rules.md"


@pytest.fixture(scope="module")
def example() -> Material:
    return load(open_workspace(ROOT))


@pytest.fixture(scope="module")
def evaluation(example: Material) -> Evaluation:
    return evaluate(example)


def test_the_script_writes_it_again_byte_for_byte(tmp_path: Path) -> None:
    write_all(tmp_path)
    written = {path.relative_to(tmp_path): path.read_bytes() for path in (tmp_path / "questions").rglob("*") if path.is_file()}
    kept = {path.relative_to(ROOT): path.read_bytes() for path in (ROOT / "questions").rglob("*") if path.is_file()}
    assert written == kept


def test_its_shape(example: Material) -> None:
    assert len(example.documents) == 39
    assert Counter(run.cell for run in example.runs) == Counter(
        {(model, phase): 10 for model in ("alfa", "beta", "gamma") for phase in ("naive", "guided")}
    )
    assert sum(document.values["Q1"] == "N" and not document.values["Q2"] for document in example.documents) == 11
    assert not [problem for problem in example.problems if problem.where.endswith("ground_truth.csv")]
    statuses = Counter(page.status for run in example.runs for page in run.pages.values())
    assert (statuses["truncated"], statuses["failed"], statuses["missing"]) == (1, 2, 1)
    assert {problem.severity for problem in example.problems} == {Severity.WARNING, Severity.REPAIR, Severity.NOTE}


def rules_file(tmp_path: Path) -> Path:
    """The fragment as a rules file of its own."""
    _, equivalences, near = re.split(r"(?=^\| form)", FRAGMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    path = tmp_path / "EQUIVALENCES.md"
    path.write_text(f"## 1. Ignore rules\n\n## 2. Equivalences\n\n{equivalences}\n## 3. Near misses\n\n{near}", encoding="utf-8")
    return path


def test_its_rules_are_sound_and_no_rule_covers_a_near_miss(example: Material, tmp_path: Path) -> None:
    rules = read_rules(rules_file(tmp_path))
    assert len(rules.equivalences) == 26
    assert len(rules.near_misses) == 18
    assert check(rules, witnesses(example), known_fields(example.questions)) == ()


@pytest.mark.parametrize("near", ["figlo", "figolo", "figlivoli", "figle", "figla", "domesti", "domest"])
def test_a_rule_that_covers_a_near_miss_is_refused(tmp_path: Path, near: str) -> None:
    path = rules_file(tmp_path)
    rows = {row.form: row.not_ for row in read_rules(path).near_misses}
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("| serv.e |", f"| {near} | {rows[near]} | Q10 | settled | x | |\n| serv.e |"), encoding="utf-8")
    assert any(near in problem.message and "covered" in problem.message for problem in check(read_rules(path)))


def test_equivalences_raise_text_scores_and_open_rows_move_some_more(example: Material, evaluation: Evaluation, tmp_path: Path) -> None:
    rules = read_rules(rules_file(tmp_path))
    without = evaluate(example.with_rules(type(rules)()))
    settled = evaluate(example.with_rules(rules))
    opened = evaluate(example.with_rules(rules.with_open(rules.open_lines)))

    def total(found: Evaluation) -> float:
        return sum(scored.score or 0.0 for run in found.automatic.values() for scored in run.values())

    assert total(without) < total(settled) < total(opened)


def test_every_suggestion_occurs(example: Material, tmp_path: Path) -> None:
    found = cases(evaluate(example.with_rules(read_rules(rules_file(tmp_path)))))
    assert {case.suggestion for case in found} == {"equivalent", "misread", "gt-wrong"}
    assert len({case.id for case in found}) == len(found)


# Report


def test_tables_are_plain_data(evaluation: Evaluation) -> None:
    for table in (*tables(evaluation), summary_rows(evaluation), answer_rows(evaluation), consistency_rows(evaluation)):
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.header)}
        assert {type(cell) for row in table.rows for cell in row} <= {str, int, float, type(None)}
    title, header, rows = tables(evaluation)[0]
    assert (title, header[0], len(rows)) == ("Scores by cell, all questions", "model", 6)
    assert len(answer_rows(evaluation).rows) == (39 * 60 - 3) * 22


def test_the_summary_adds_up(evaluation: Evaluation) -> None:
    table = summary_rows(evaluation)
    for row in (dict(zip(table.header, row, strict=True)) for row in table.rows):
        counts = {name: row[name] for name in ("answers", "asked", "base", "correct", "incorrect", "claims", "excluded")}
        assert all(isinstance(count, int) for count in counts.values())
        if row["type"] not in ("string", "text_array"):
            assert row["base"] == row["correct"] + row["incorrect"] + row["claims"]  # type: ignore[operator]
        assert row["answers"] == row["base"] + row["excluded"]  # type: ignore[operator]


def test_report_in_both_forms_says_the_same(evaluation: Evaluation) -> None:
    text, page = markdown(evaluation), html_page(evaluation)
    for table in tables(evaluation):
        assert f"## {table.title}" in text.replace("\\", "")
        assert table.title.replace("'", "&#x27;") in page
    assert "no partial credit" in text
    assert "Scoring inputs: ground truth" in text
    assert "http" not in page
    assert markdown(evaluation) == text


def test_text_from_data_is_never_markup(tmp_path: Path) -> None:
    name = "<b>[x](y)|*m*"
    found = evaluate(material(tmp_path, {f"{name}/=p/run_01.json": right()}))
    assert "<b>" not in html_section(found)
    assert "&lt;b&gt;[x](y)|*m*" in html_section(found)
    assert r"\<b\>\[x\](y)\|\*m\*" in markdown(found)
    assert (
        csv_text(QuestionTable("t", ("a", "b", "c"), (("=1+1", -1.5, None), ("\x1b[2J\u202e", 0.1, 3))))
        == "a,b,c\n'=1+1,-1.5,\n␛[2J⟦RLO⟧,0.1,3\n"
    )
    drawn = text_table(QuestionTable("t", ("a", "b"), (("\x1b[2J", None), ("x", 0.5))))
    assert drawn == "t\na         b\n␛[2J      –\nx     0.500"
