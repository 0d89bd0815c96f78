import csv
import io
from pathlib import Path

import openpyxl
import pytest

from scoring.adjudication.decisions import encode
from scoring.adjudication.log import read_log
from scoring.adjudication.log_export import HEADER, export
from scoring.problems import InputError
from scoring.spreadsheet import safe_cell
from tests.scoring.adjudication.entries import entry, undo

WILD = entry(1, note="=HYPERLINK(1)", value="@x\x1b[31m\u202e", targets=("gt:28:4", "gt:28:5"), basis={"page": "28"})


def folder_with(tmp_path: Path, *lines: bytes) -> Path:
    folder = tmp_path / "adjudications"
    folder.mkdir()
    (folder / "mp.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    return folder


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_cell_is_a_formula(start: str):
    assert safe_cell(start + "1").startswith("'")
    assert safe_cell("a" + start) == "a" + start or start in "\t\r"


def test_lines_are_exported_byte_for_byte_in_id_order(tmp_path: Path):
    odd = encode(entry(2))[:-1] + b', "extra":  1}'
    contents = read_log(folder_with(tmp_path, encode(entry(3)), odd, encode(entry(3))))
    target = tmp_path / "out.jsonl"
    export(contents, "jsonl", target)
    assert target.read_bytes() == odd + b"\n" + encode(entry(3)) + b"\n"


def test_csv(tmp_path: Path):
    contents = read_log(folder_with(tmp_path, encode(WILD), encode(entry(2)), encode(undo(3, 2))))
    stream = io.BytesIO()
    export(contents, "csv", stream)
    header, *rows = csv.reader(io.StringIO(stream.getvalue().decode()))
    assert tuple(header) == HEADER
    first = dict(zip(header, rows[0], strict=True))
    assert first["note"] == "'=HYPERLINK(1)"
    assert first["value"].startswith("'@x")
    assert not {"\x1b", "\u202e"} & set(first["value"])
    assert first["targets"] == "gt:28:4; gt:28:5"
    assert first["basis"] == '{"page":"28"}'
    assert [row[-1] for row in rows] == ["True", "False", "True"]


def test_xlsx(tmp_path: Path):
    contents = read_log(folder_with(tmp_path, encode(WILD), encode(entry(2, note="x" * 40_000))))
    target = tmp_path / "out.xlsx"
    export(contents, "xlsx", target)
    header, first, second = openpyxl.load_workbook(target)["log"].iter_rows()
    names = [cell.value for cell in header]
    cells = dict(zip(names, first, strict=True))
    assert tuple(names) == HEADER
    assert cells["note"].value == "'=HYPERLINK(1)"
    assert {cell.data_type for cell in first} <= {"s", "n", "b"}
    assert cells["blind"].value is False
    assert second[names.index("note")].value.endswith("[cut; whole in the log]")


def test_what_cannot_be_written_is_a_sentence(tmp_path: Path):
    contents = read_log(folder_with(tmp_path, encode(entry(1))))
    with pytest.raises(InputError, match="cannot be written"):
        export(contents, "csv", tmp_path / "none" / "out.csv")
    (tmp_path / "adjudications" / "mp.jsonl").write_bytes(b"")
    with pytest.raises(InputError, match="changed while"):
        export(contents, "jsonl", tmp_path / "out.jsonl")
