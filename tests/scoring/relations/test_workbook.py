import io
import zipfile

import pytest
from openpyxl import load_workbook

from scoring.foundations.problems import InputError
from scoring.relations.outputs.workbook import LONGEST_CELL, read_decisions, workbook_bytes

HEADER = ["case", "gold_label", "decision", "reason"]


def opened(data):
    return load_workbook(io.BytesIO(data))


def test_the_same_content_gives_the_same_bytes_without_a_time(monkeypatch):
    sheets = {"mismatches": [HEADER, ["r-1", "TRUE", "", ""]], "other": [[1, 0.5]]}
    first = workbook_bytes(sheets, decisions=True)
    with zipfile.ZipFile(io.BytesIO(first)) as held:
        assert {entry.date_time[0] for entry in held.infolist()} == {1980}
        assert b"1980-01-01T00:00:00Z" in held.read("docProps/core.xml")
    assert workbook_bytes(sheets, decisions=True) == first


def test_texts_stay_texts_and_numbers_numbers():
    rows = [["text"], ["=1+1"], ["+1"], ["@x"], ["a\x00b\x0bc\ufffe"], ["\ud800"], ["x" * 40_000], [3], [0.25], ["  blank ends  "]]
    sheet = opened(workbook_bytes({"s": rows}))["s"]
    values = [row[0].value for row in sheet.iter_rows()]
    assert values[1:4] == ["=1+1", "+1", "@x"]
    assert {row[0].data_type for row in list(sheet.iter_rows())[1:7]} == {"s"}
    assert values[4] == "a\u2400b\u240bc\ufffd"
    assert values[5] == "\ufffd"
    assert len(values[6]) == LONGEST_CELL
    assert values[6].endswith("[cut: 40000 characters]")
    assert values[7:] == [3, 0.25, "  blank ends  "]


def test_our_sheet_is_dressed_for_work():
    sheet = opened(workbook_bytes({"mismatches": [HEADER, ["r-1", "TRUE", "", ""]]}, decisions=True))["mismatches"]
    assert sheet.freeze_panes == "A2"
    assert sheet.data_validations.dataValidation[0].formula1 == '"stands,true,probable,false,unsure"'


def test_decisions_read_back_even_as_the_booleans_spreadsheets_make(tmp_path):
    path = tmp_path / "x.xlsx"
    rows = [HEADER, ["r-1", "TRUE", True, "seen"], ["r-2", "FALSE", " Probable ", None], ["r-3", "TRUE", None, "no decision"],
            ["r-4", "TRUE", "maybe", ""], [None, "TRUE", "true", ""], ["r-5", "TRUE", False, ""]]  # fmt: skip
    path.write_bytes(workbook_bytes({"mismatches": rows}))
    found, problems = read_decisions(path)
    assert [(one.case, one.verdict, one.reason, one.row) for one in found] == [
        ("r-1", "true", "seen", 2), ("r-2", "probable", "", 3), ("r-5", "false", "", 7),
    ]  # fmt: skip
    assert [problem.row for problem in problems] == [5, 6]
    assert "'maybe' is not a decision" in problems[0].message


def test_what_is_no_workbook_of_ours_is_refused_with_a_sentence(tmp_path):
    path = tmp_path / "x.xlsx"
    path.write_bytes(b"no zip")
    with pytest.raises(InputError, match="not a readable workbook"):
        read_decisions(path)
    path.write_bytes(workbook_bytes({"mismatches": [["document_id"]]}))
    with pytest.raises(InputError, match=r"results\.d/ours"):
        read_decisions(path)
