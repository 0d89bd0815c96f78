"""A table as CSV and Parquet with its schema."""

from __future__ import annotations

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring.deposit.resources import resources
from scoring.reports.tables import Column, Table

COLUMNS = (Column("model"), Column("phase"), Column("runs", "count"), Column("f1", "share"), Column("live"), Column("seen", "count"))


def made(name="scores_summary", rows=(("=cmd()", "a\x1b", 3, 0.5, True, None), ("b", "p", None, None, False, None))):
    return resources(Table(name, "T & t", COLUMNS, rows, "N."), parquet=False)[0]


def test_csv_with_its_schema_and_key():
    found = made()
    assert found.path == "data/scores_summary.csv"
    assert found.data.decode() == "model,phase,runs,f1,live,seen\n'=cmd(),a␛,3,0.5,true,\nb,p,,,false,\n"
    schema = found.schema
    assert [field["type"] for field in schema["fields"]] == ["string", "string", "integer", "number", "boolean", "integer"]
    assert [field["title"] for field in schema["fields"]][2:4] == ["runs", "F1"]
    assert schema["primaryKey"] == ["model", "phase"]
    told = found.descriptor()
    assert (told["bytes"], told["type"], told["mediatype"]) == (len(found.data), "table", "text/csv")


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("other", (("a", "p", 1, 0.5, True, None),)),
        ("scores_summary", (("a", "p", 1, 0.5, True, None), ("a", "p", 2, 0.5, True, None))),
        ("scores_summary", (("", "p", 1, 0.5, True, None),)),
    ],
)
def test_a_key_that_does_not_hold_is_not_declared(name, rows):
    assert "primaryKey" not in made(name, rows).schema


def test_columns_of_one_name_are_told_apart():
    (found,) = resources(Table("t", "T", (Column("a"), Column("a"), Column("a_2")), (("x", "y", "z"),)), parquet=False)
    assert found.data.decode().splitlines()[0] == "a,a_2,a_2_2"


def test_parquet_holds_texts_as_they_are():
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra `parquet`")
    rows = (("=cmd()", "a\x1b\udc80", 3, 0.5, True, None), ("b", "p", None, None, False, None))
    one, two = (resources(Table("t", "T", COLUMNS, rows), parquet=True)[1] for _ in range(2))
    assert one.data == two.data
    found = parquet.read_table(io.BytesIO(one.data))
    assert found.to_pylist() == [
        {"model": "=cmd()", "phase": "a\x1b\\udc80", "runs": 3, "f1": 0.5, "live": True, "seen": None},
        {"model": "b", "phase": "p", "runs": None, "f1": None, "live": False, "seen": None},
    ]
    assert [str(kind) for kind in found.schema.types] == ["string", "string", "int64", "double", "bool", "int64"]
    assert one.descriptor()["type"] == "file"


CELLS = {
    "text": st.one_of(st.none(), st.text(max_size=10), st.integers(-(2**40), 2**40), st.booleans()),
    "count": st.one_of(st.none(), st.integers(-(2**40), 2**40), st.floats(-1e9, 1e9)),
    "number": st.one_of(st.none(), st.floats(-1e9, 1e9), st.integers(-9, 9), st.text(max_size=3)),
}


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_frictionless_finds_no_fault_in_any_table(data):
    from frictionless import Resource, Schema

    kinds = data.draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4))
    # A first column that is filled: a row without any value is no row to the library.
    rows = data.draw(st.lists(st.tuples(st.integers(0, 99), *(CELLS[kind] for kind in kinds)), max_size=5))
    columns = (Column("n", "count"), *(Column(f"c{at}", kind) for at, kind in enumerate(kinds)))
    found = resources(Table("t", "T", columns, tuple(rows)), parquet=False)[0]
    report = Resource(data=found.data, format="csv", schema=Schema.from_descriptor(found.schema)).validate()
    assert report.valid, report.flatten(["type", "message"])
