"""The report names the log entries behind every adjudicated figure, and says how far verifiers agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.adjudication.decisions import Decisions
from scoring.reports.contents import tables_sections
from scoring.reports.contents.score_files import FIGURES as COLUMNS
from scoring.reports.contents.source_entries import COUNT, FIGURES, LABELS, PAIRING, behind, behind_cells
from scoring.reports.formats.sections import ReportTable
from scoring.tables.execution.evaluation import evaluate
from scoring.tables.figures.instruments import instruments
from tests.scoring.reports import small
from tests.scoring.tables.builders import Bench, material


@pytest.fixture
def made() -> Bench:
    gt = {"1": ["Anna Rosa", "Bruno Serri"], "2": ["Carlo Bassa"]}
    bench = Bench(material(gt, {"a/n/1": {"1": ["Anna Maria", "Bruno Serri", "Bruno Serri", "Zzzz Qqqq"], "2": ["Carlo Bassa"]}}))
    bench.give(bench.case("borderline", "Anna Maria ~ Anna Rosa"), "same")
    bench.give(bench.case("surplus", "Bruno Serri"), "duplicate")
    bench.give(bench.case("surplus", "Zzzz Qqqq"), "invention")
    return bench


def test_each_page_names_its_entries_and_what_they_bear_on(made: Bench):
    same, duplicate, invention = (entry.id for entry in made.entries)
    found = [(row["page"], row["entry"], row["verdict"], row["figures"]) for row in behind(made.evaluation).records()]
    assert found == [
        ("1", same, "same", "pairing count labels"),
        ("1", duplicate, "duplicate", "count labels"),
        ("1", invention, "invention", "labels"),
    ]


def test_each_figure_of_a_cell_names_its_entries(made: Bench):
    same, duplicate, invention = (entry.id[:18] for entry in made.entries)
    rows = {row["figures"]: (row["entries"], row["ids"]) for row in behind_cells(made.evaluation).records()}
    assert list(rows.values()) == [(1, same), (2, f"{same}, {duplicate}"), (3, f"{same}, {duplicate}, {invention}")]
    assert behind_cells(evaluate(made.material)).rows == ()


def test_every_adjudicated_figure_is_in_a_group():
    named = {name.strip() for group in (PAIRING, COUNT, LABELS) for name in FIGURES[group].partition(";")[0].split(",")}
    columns = {column.name.removeprefix("adjudicated_") for column in COLUMNS if column.name.startswith("adjudicated_")}
    # Numerators, denominators and the band stand with the figures they make.
    assert columns - named == {"f1_low", "f1_high", "edits", "gt_characters", "exact_names", "gated_edits", "gated_characters"}
    assert named <= columns


def test_the_report_has_a_section_on_agreement(tmp_path: Path):
    scored = small.automatic(small.write(tmp_path / "w"))
    entries = small.decided(scored)
    evaluation = evaluate(scored.material, Decisions.of(entries), automatic=scored)
    figures = tables_sections.gather(evaluation, instruments(evaluation))
    section = next(one for one in tables_sections.sections(figures) if one.anchor == "agreement")
    tables = {block.table.name: block.table.records() for block in section.blocks if isinstance(block, ReportTable)}
    assert list(tables) == ["agreement", "agreement_between"]
    assert {"verdict": "all", "cases": 1, "agreed": 0, "few": "yes"}.items() <= tables["agreement"][0].items()
    assert (tables["agreement_between"][0]["verifier"], tables["agreement_between"][0]["other"]) == ("jd", "mp")


def test_agreement_with_oneself_stands_in_the_report(tmp_path: Path):
    from msgspec.structs import replace

    scored = small.automatic(small.write(tmp_path / "w"))
    first, *rest = small.decided(scored)
    again = replace(first, id="01900000-0000-7000-8000-00000000ffff", verdict="different", repeat=True)
    evaluation = evaluate(scored.material, Decisions.of([first, *rest, again]), automatic=scored)
    figures = tables_sections.gather(evaluation, instruments(evaluation))
    assert figures.tables["agreement_self"].records() == [{"verifier": "mp", "repeats": 1, "agreed": 0, "percent": 0.0}]
