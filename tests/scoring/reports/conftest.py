from __future__ import annotations

import pytest

from scoring.reports.contents.tables_sections import gather
from scoring.reports.report import files, tables_report
from scoring.tables.figures.instruments import instruments
from tests.scoring.reports import small


@pytest.fixture(scope="session")
def root(tmp_path_factory):
    return small.write(tmp_path_factory.mktemp("small") / "w")


@pytest.fixture(scope="session")
def evaluation(root):
    return small.evaluation(root)


@pytest.fixture(scope="session")
def figures(evaluation):
    return gather(evaluation, instruments(evaluation))


@pytest.fixture(scope="session")
def report(figures):
    return tables_report(figures, small.PROVENANCE)


@pytest.fixture(scope="session")
def written(report):
    return dict(files(report, ("html", "md", "xlsx")))
