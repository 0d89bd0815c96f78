"""Usage of answers: kept on the page, through processes, added up by cell."""

import pickle
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from scoring.answers import find_records
from scoring.foundations.model_run import Usage
from scoring.tables.execution.parallel import slices
from scoring.tables.figures.usage import CellUsage, usage_of_cells
from scoring.tables.inputs.rows import KeyUse, RowProblems, RowReader
from scoring.tables.inputs.rows_and_runs import Run, RunPage
from scoring.tables.inputs.runs.run_pages import PageReader
from tests.scoring.tables.inputs import ANNA, BRUNO, read


def run(model: str, name: str, *usages: Usage | None, status: str = "ok") -> Run:
    pages = {str(at): RunPage(str(at), status, (), "", usage) for at, usage in enumerate(usages)}  # type: ignore[arg-type]
    return Run(model, "p", name, pages)


def test_a_cell_adds_up_what_is_stated():
    runs = [
        run("a", "run_1", Usage(100, 20, 0.1, 1.5), Usage(50, None, 0.2, None)),
        run("a", "run_2", None, Usage(), status="truncated"),
        run("a", "run_3", Usage(1, 1), status="failed"),
        run("a", "run_4", None, None, status="missing"),
        run("b", "run_1", None),
    ]
    assert usage_of_cells(runs) == {
        ("a", "p"): CellUsage(5, 3, Usage(151, 21, 0.30000000000000004, 1.5)),
        ("b", "p"): CellUsage(1, 0, Usage()),
    }
    assert usage_of_cells([]) == {}


@given(st.lists(st.floats(0, 1e6), min_size=1))
def test_the_sum_does_not_depend_on_the_order(costs: list[float]):
    forward = usage_of_cells([run("a", "r", *(Usage(cost=cost) for cost in costs))])
    assert forward == usage_of_cells([run("a", "r", *(Usage(cost=cost) for cost in reversed(costs)))])


def test_a_page_keeps_the_usage_of_its_answer():
    rows = RowReader(("name",), (), ("name",))
    usage = Usage(10, 2, 0.5, 3.0)
    found = find_records([ANNA])
    assert found is not None
    reader = PageReader(rows)
    assert reader.records(replace(found, usage=usage), "1", RowProblems("x"), KeyUse()).usage == usage
    wrong = find_records([{"x": "1"}])
    assert wrong is not None
    page = reader.records(replace(wrong, usage=usage), "1", RowProblems("x"), KeyUse())
    assert (page.status, page.usage) == ("failed", usage)


def test_usage_survives_slices_and_pickling(tmp_path):
    material = read(tmp_path, {"m/p/run_1/page_1.json": [ANNA, BRUNO]})
    one = material.runs[0]
    usage = Usage(10, 2, 0.5, 3.0)
    spent = replace(material, runs=(replace(one, pages={"1": replace(one.pages["1"], usage=usage)}),))
    (sliced,) = slices(spent, {"1": [one.key]})
    assert pickle.loads(pickle.dumps(sliced)).runs[0].pages["1"].usage == usage
