"""The Scores: every figure as scored and as adjudicated on every level, its band, and the entries behind it.

See `docs/adjudication.md#scores`.
"""

from __future__ import annotations

import pytest

from scoring.adjudication.cases import Facts, Grid
from scoring.tables.cases.f1_band import bands
from scoring.tables.figures.levels import HEADER, entries_behind, figures
from tests.scoring.tables.builders import Bench, material

# Page 1: one borderline pair and a repeated row. Page 2: read as it stands in run 1, failed in run 2.
GT = {"1": ["Anna Rosa", "Bruno Serri"], "2": ["Carlo Bassa"]}
RUNS = {
    "a/n/1": {"1": ["Anna Maria", "Bruno Serri", "Bruno Serri"], "2": ["Carlo Bassa"]},
    "a/n/2": {"1": ["Bruno Serri"], "2": "timeout"},
}
PATHS = ((), ("a", "n"), ("a", "n", "a/n/1"))


@pytest.fixture
def made() -> Bench:
    bench = Bench(material(GT, RUNS))
    bench.give(bench.case("borderline", "Anna Maria ~ Anna Rosa"), "different")
    bench.give(bench.case("surplus", "Bruno Serri"), "duplicate")
    return bench


def lines(bench: Bench, *path: str) -> list[dict[str, str]]:
    """The lines of a level by heading; `adj.` stands behind the figure it is of."""
    evaluation = bench.evaluation
    grid, _ = figures(evaluation, path, bands(evaluation))
    names, last = [], ""
    for name in grid.header:
        last = last if name == "adj." else name if name != "low–high" else last
        names.append(f"{last} adj." if name == "adj." else name)
    return [dict(zip(names, line.cells, strict=True)) for line in grid.lines]


def test_every_figure_stands_as_scored_and_as_adjudicated(made: Bench):
    (cell,) = lines(made)
    assert cell == {
        "model": "a",
        "phase": "n",
        "F1": "0.800",
        "F1 adj.": "0.600",
        "low–high": "",
        "P": "0.800",
        "P adj.": "0.600",
        "R": "0.800",
        "R adj.": "0.600",
        "CER": "0.095",
        "CER adj.": "0.214",
        "records": "4/5",
        "records adj.": "4",
        "missed": "1",
        "missed adj.": "2",
        "surplus": "1",
        "surplus adj.": "1",
        "exact": "0.750",
        "exact adj.": "0.750",
        "gated CER": "0.095",
        "gated CER adj.": "0.000",
    }


def test_runs_and_pages_stand_below_it(made: Bench):
    first, second = lines(made, "a", "n")
    assert (first["run"], first["F1"], first["F1 adj."]) == ("1", "0.857", "0.571")
    assert (second["run"], second["F1"], second["F1 adj."]) == ("2", "0.667", "0.667")
    one, two = lines(made, "a", "n", "a/n/1")
    assert (one["page"], one["F1"], one["F1 adj."], one["CER"], one["CER adj."]) == ("1", "0.800", "0.400", "0.200", "0.450")
    assert (two["page"], two["F1"], two["F1 adj."]) == ("2", "1.000", "1.000")
    failed = figures(made.evaluation, ("a", "n", "a/n/2"))[0].lines[1]
    assert (failed.cells[0], failed.cells[-1], failed.mark, len(failed.cells)) == ("2", "failed", "!", len(HEADER) + 1)


@pytest.mark.parametrize("path", PATHS)
def test_the_band_stands_on_every_level(path: tuple[str, ...]):
    bench = Bench(material(GT, RUNS))
    expected = {(): "0.600–0.800", ("a", "n"): "0.571–0.857", ("a", "n", "a/n/1"): "0.400–0.800"}
    evaluation = bench.evaluation
    assert figures(evaluation, path)[0].lines[0].cells[-len(HEADER) + 2] == "…", "while it is being worked out"
    assert lines(bench, *path)[0]["low–high"] == expected[path]
    bench.give(bench.case("borderline", "Anna Maria ~ Anna Rosa"), "same")
    assert lines(bench, *path)[0]["low–high"] == "", "nothing is undecided"


def test_fields_and_surplus_stand_as_scored_and_as_adjudicated():
    rows = [{"name": "Anna Maria", "title": "Contessa"}, {"name": "Bruno Serri", "title": "Conte"}]
    given = [{"name": "Anna Rosa", "title": "Barone"}, {"name": "Bruno Serri", "title": "Conte"}]
    bench = Bench(material({"1": given}, {"a/n/1": {"1": rows}}))
    bench.give(bench.case("borderline", "Anna Maria ~ Anna Rosa"), "different")
    (by_cell,) = figures(bench.evaluation)[1]
    assert isinstance(by_cell, Grid)
    assert by_cell.header[2] == "title"
    assert by_cell.lines[0].cells[2].endswith("→1.000")
    grid, facts = figures(bench.evaluation, ("a", "n"))[1]
    assert isinstance(grid, Grid)
    assert isinstance(facts, Facts)
    title = grid.lines[0]
    assert (title.cells[0], title.cells[2:], title.mark) == ("title", ("1.000", "2", "1", "0", "0"), "Δ")
    assert facts.rows == (("as scored", "none"), ("as adjudicated", "0 settled: 1 misread"))


def test_behind_a_level_stand_the_entries_that_bind_its_rows(made: Bench):
    different, duplicate = (entry.id for entry in made.entries)
    bench = made.evaluation
    for path in ((), ("a", "n"), ("a", "n", "a/n/1"), ("a", "n", "a/n/1", "1")):
        assert [entry.id for entry in entries_behind(bench, path)] == [different, duplicate]
    assert [entry.id for entry in entries_behind(bench, ("a", "n", "a/n/1", "2"))] == []
    assert [entry.id for entry in entries_behind(bench, ("a", "n", "a/n/2"))] == []
    assert [entry.id for entry in entries_behind(bench, ("b", "n"))] == []
