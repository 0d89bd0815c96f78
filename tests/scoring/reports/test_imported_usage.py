"""What a workspace imported, and what answers cost, in the report."""

from __future__ import annotations

import json
from copy import copy
from dataclasses import replace

import pytest

from scoring.model_run import Usage
from scoring.problems import InputError
from scoring.reports.imported import imports
from scoring.reports.report import files, tables_report
from scoring.reports.score_files import files as score_files
from scoring.reports.tables_sections import gather
from scoring.reports.usage import usage
from scoring.tables.band import bands
from scoring.tables.instruments import instruments
from scoring.workspace import Workspace
from tests.scoring.reports import small

FILE = {"from": "a.json", "sha256": "0" * 64, "to": "gt/a.csv", "kind": "ground truth"}
ONE = {"source": "=bench & <b>", "kind": "benchmark", "date": "2026-11-29", "files": [FILE, FILE]}


def recorded(tmp_path, content):
    (tmp_path / "import.json").write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return imports(Workspace(tmp_path))


def test_a_line_an_import(tmp_path):
    two = {**ONE, "source": "x.zip", "files": []}
    found = recorded(tmp_path, {"schema": 1, "imports": [ONE, two]})
    assert found.header == ("source", "kind", "date", "files")
    assert found.rows == (("=bench & <b>", "benchmark", "2026-11-29", 2), ("x.zip", "benchmark", "2026-11-29", 0))


def test_no_import_no_table(tmp_path):
    assert imports(Workspace(tmp_path)) is None
    assert recorded(tmp_path, {"schema": 1, "imports": []}) is None


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "not readable JSON"),
        ("[" * 100_000, "not readable JSON"),
        ({"schema": 2, "imports": []}, 'no `"schema": 1` with a list `imports`'),
        ([], 'no `"schema": 1` with a list `imports`'),
        ({"schema": 1, "imports": [ONE, {**ONE, "files": None}]}, "import 2 of the record lacks"),
        ({"schema": 1, "imports": ["x"]}, "import 1 of the record lacks"),
        ({"schema": 1, "imports": [{**ONE, "date": 3}]}, "import 1 of the record lacks"),
    ],
)
def test_a_faulty_record_is_a_sentence(tmp_path, content, sentence):
    with pytest.raises(InputError, match=r"import\.json") as caught:
        recorded(tmp_path, content)
    assert sentence in str(caught.value)


def spent(evaluation, usages):
    """The evaluation, the pages of its first run with these usages."""
    first, *rest = evaluation.material.runs
    pages = {page: replace(one, usage=usages.get(page)) for page, one in first.pages.items()}
    prepared = copy(evaluation.prepared)
    prepared.material = replace(evaluation.material, runs=(replace(first, pages=pages), *rest))
    return replace(evaluation, prepared=prepared)


def test_usage_is_summed_over_the_answers_that_state_it(evaluation):
    found = usage(spent(evaluation, {"28": Usage(100, 20, 0.25, 1.5), "36": Usage(5, None, None, 0.5)}).material)
    assert found.header == ("model", "phase", "answers", "stated", "input_tokens", "output_tokens", "cost", "seconds")
    assert found.rows == (("alfa", "naive", 6, 2, 105, 20, 0.25, 2.0), ("beta <i>", "$x$ 'q'", 5, 0, None, None, None, None))


def test_no_answer_states_usage_no_table(evaluation):
    assert usage(evaluation.material) is None
    assert usage(spent(evaluation, {"28": Usage()}).material) is None
    assert "usage" not in score_files(evaluation, bands(evaluation), instruments(evaluation))


def test_report_and_score_files_have_them(tmp_path):
    root = small.write(tmp_path / "w")
    recorded(root, {"schema": 1, "imports": [ONE]})
    evaluation = spent(small.evaluation(root), {"28": Usage(7, 3, 0.5, 2.0)})
    found = instruments(evaluation)
    assert score_files(evaluation, bands(evaluation), found)["usage"].rows[0] == ("alfa", "naive", 6, 1, 7, 3, 0.5, 2.0)
    made = dict(files(tables_report(gather(evaluation, found), small.PROVENANCE), ("html", "md", "xlsx", "tex")))
    assert made["data/imports.csv"].decode() == "source,kind,date,files\n'=bench & <b>,benchmark,2026-11-29,2\n"
    assert made["data/usage.csv"].decode().splitlines()[1] == "alfa,naive,6,1,7,3,0.5,2.0"
    assert r"| =bench \& \<b\> | benchmark | 2026-11-29 | 2 |" in made["report.md"].decode()
    assert "=bench &amp; &lt;b&gt;" in made["report.html"].decode()
    assert r"=bench \& \textless{}b\textgreater{} & benchmark & 2026-11-29 & 2 \\" in made["tex/imports.tex"].decode()
    assert "tex/usage.tex" in made
