"""Ground truth in the forms people have it: encodings, separators, workbooks, JSON, Parquet, one file for all pages."""

import csv
import datetime
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.problems import InputError, Severity
from scoring.settings import Settings
from scoring.tables.material import Material, load
from scoring.workspace import Workspace

FIELDS = ("name", "origin")
ROWS = [("Anna Müller", "Zürich"), ("Bruno D'Agostino", "Città, vecchia"), ('Carla "Lina" Weiß', "007")]


def read(root: Path, files: dict[str, bytes | str], **more: object) -> Material:
    for name, content in files.items():
        path = root / "gt" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load(Workspace(root, Settings(**more)), keep_errors=True)  # type: ignore[arg-type]


def told(material: Material, severity: Severity) -> list[str]:
    return [str(problem) for problem in material.problems if problem.severity is severity]


def values(material: Material) -> dict[str, list[tuple[str, ...]]]:
    return {page.id: [tuple(row.values.values()) for row in page.rows] for page in material.pages}


def table(rows: list[tuple[str, ...]] = ROWS, header: tuple[str, ...] = FIELDS, **dialect: object) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n", **dialect).writerows([header, *rows])  # type: ignore[arg-type]
    return out.getvalue()


def xlsx(sheets: dict[str, list[tuple[object, ...]]], formats: dict[str, str] | None = None, hidden: str = "") -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        sheet.sheet_state = "hidden" if name == hidden else "visible"
        for cell, form in (formats or {}).items():
            sheet[cell].number_format = form
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def ods(sheets: dict[str, list[tuple[str, ...]]]) -> bytes:
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    book = OpenDocumentSpreadsheet()
    for name, rows in sheets.items():
        sheet = Table(name=name)
        for row in rows:
            line = TableRow()
            for text in row:
                cell = TableCell(valuetype="string")
                cell.addElement(P(text=text))
                line.addElement(cell)
            line.addElement(TableCell(numbercolumnsrepeated=16000))
            sheet.addElement(line)
        rest = TableRow(numberrowsrepeated=1_000_000)
        rest.addElement(TableCell(numbercolumnsrepeated=16384))
        sheet.addElement(rest)
        book.spreadsheet.addElement(sheet)
    out = io.BytesIO()
    book.write(out)
    return out.getvalue()


# Encodings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_is_known_by_its_bytes(tmp_path: Path, encoding: str) -> None:
    material = read(tmp_path, {"gt_page_1.csv": table().encode(encoding)})
    assert values(material) == {"1": ROWS}
    assert told(material, Severity.WARNING) == []


def test_cp1252_is_a_warning_that_shows_a_line_and_a_second_opinion(tmp_path: Path) -> None:
    material = read(tmp_path, {"gt_page_1.csv": table().encode("cp1252")})
    assert values(material) == {"1": ROWS}
    warning = told(material, Severity.WARNING)[0]
    assert warning.startswith("gt/gt_page_1.csv (page 1): not UTF-8, read as cp1252: line 2 is 'Anna Müller,Zürich'")
    assert warning.endswith("`encoding` in adjudicate.toml settles it")


def test_a_declared_encoding_is_believed(tmp_path: Path) -> None:
    material = read(tmp_path, {"gt_page_1.csv": "name\nŁukasz Żak\n".encode("cp1250")}, encoding="cp1250")
    assert values(material) == {"1": [("Łukasz Żak",)]}
    assert told(material, Severity.WARNING) == [
        "gt/gt_page_1.csv (page 1): not UTF-8, read as cp1250: line 2 is 'Łukasz Żak', as `encoding` says"
    ]


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        (b"name\nAnna\nM\x81ller\n", 3, "bytes that are neither UTF-8 nor cp1252"),
        ("name\nM\ufffdller\n".encode(), 2, "U+FFFD is no character of a text"),
        (b"name\nAn\x07na\n", 2, "U+0007 is no character of a text"),
        (b"name\nAnna\n\xc4\x01\n", 3, "the file is not UTF-8, and read as cp1252 it holds the control character U+0001"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 40, None, "this is a PNG picture, not a text"),
        (b'name,origin\nAnna,"Trento\nBruno,Roma\n', 2, "a quotation mark opens here and is never closed"),
        (b'name,origin,age\nAnna,"Trento,1\nBruno,Roma,2\nCarla,Pisa,3\nDora",Bari,4\n', 2, "lines 2 to 5 are one cell"),
    ],
)
def test_what_cannot_be_read_rightly_is_an_error_with_its_line(tmp_path: Path, content: bytes, line: int | None, what: str) -> None:
    material = read(tmp_path, {"gt_page_1.csv": content, "gt_page_2.csv": "name\nx\n"})
    error = next(problem for problem in material.errors)
    assert error.message.startswith(what)
    assert error.line == line
    with pytest.raises(InputError):
        load(Workspace(tmp_path))


def test_an_unknown_encoding_is_a_sentence(tmp_path: Path) -> None:
    material = read(tmp_path, {"gt_page_1.csv": b"name\n\xff\n", "gt_page_2.csv": "name\nx\n"}, encoding="latin-99")
    assert material.errors[0].message == "there is no encoding 'latin-99'"


# Forms of a table


@pytest.mark.parametrize(
    "content",
    [
        "sep=;\n" + table(delimiter=";"),
        "SEP=\t\r\n" + table(delimiter="\t").replace("\n", "\r\n"),
        table(delimiter=";"),
        table(delimiter="\t"),
        table(header=("NAME", " Origin\u00a0")),
        table(quoting=csv.QUOTE_ALL),
        table([(*row, "", "") for row in ROWS], (*FIELDS, "", "")) + ",,,\n,,,\n",
    ],
)
def test_a_table_as_spreadsheets_write_it(tmp_path: Path, content: str) -> None:
    (tmp_path / "gt").mkdir()
    (tmp_path / "gt" / "schema.json").write_text(json.dumps({"properties": {"name": {"x-key": True}, "origin": {}}}))
    material = read(tmp_path, {"gt_page_1.csv": content})
    assert values(material) == {"1": ROWS}
    assert told(material, Severity.WARNING) == []


def test_a_line_keeps_its_number_behind_a_separator_line(tmp_path: Path) -> None:
    material = read(tmp_path, {"gt_page_1.csv": "sep=;\nname;origin\nAnna;null\n"})
    assert [problem.line for problem in material.problems if "read as nothing" in problem.message] == [3]


# Other kinds of files


def written(pages: dict[str, list[tuple[str, ...]]]) -> dict[str, dict[str, bytes | str]]:
    """The same pages in every form, as files of `gt/`."""
    from pyarrow import Table, parquet

    def packed(rows: list[dict[str, str]]) -> bytes:
        out = io.BytesIO()
        parquet.write_table(Table.from_pylist(rows), out)
        return out.getvalue()

    records = {page: [dict(zip(FIELDS, row, strict=True)) for row in rows] for page, rows in pages.items()}
    paged = [{"page": page, **record} for page, held in records.items() for record in held]
    long = [(page, *row) for page, rows in pages.items() for row in rows]
    return {
        "csv": {f"gt_page_{page}.csv": table(rows) for page, rows in pages.items()},
        "semicolon": {f"gt_page_{page}.csv": "sep=;\n" + table(rows, delimiter=";") for page, rows in pages.items()},
        "tsv": {f"gt_page_{page}.tsv": table(rows, delimiter="\t") for page, rows in pages.items()},
        "utf-16": {f"gt_page_{page}.csv": table(rows).encode("utf-16") for page, rows in pages.items()},
        "xlsx": {f"gt_page_{page}.xlsx": xlsx({"Sheet1": [FIELDS, *rows]}) for page, rows in pages.items()},
        "ods": {f"gt_page_{page}.ods": ods({"Sheet1": [FIELDS, *rows]}) for page, rows in pages.items()},
        "json": {f"gt_page_{page}.json": json.dumps({"entries": held}) for page, held in records.items()},
        "jsonl": {f"gt_page_{page}.jsonl": "\n".join(map(json.dumps, held)) for page, held in records.items()},
        "parquet": {f"gt_page_{page}.parquet": packed(held) for page, held in records.items()},
        "one csv": {"all.csv": table(long, ("Page", *FIELDS))},
        "one xlsx": {"all.xlsx": xlsx({"Sheet1": [("page", *FIELDS), *long]})},
        "a sheet a page": {"all.xlsx": xlsx({f"page {page}": [FIELDS, *rows] for page, rows in pages.items()})},
        "ods, a sheet a page": {"all.ods": ods({page: [FIELDS, *rows] for page, rows in pages.items()})},
        "one json": {"all.json": json.dumps({"pages": records})},
        "json with a page key": {"all.json": json.dumps(paged)},
        "one jsonl": {"all.jsonl": "\n".join(map(json.dumps, paged))},
        "one parquet": {"all.parquet": packed(paged)},
    }


def fingerprints(folder: Path, pages: dict[str, list[tuple[str, ...]]]) -> dict[str, tuple[object, str]]:
    found: dict[str, tuple[object, str]] = {}
    for at, (form, files) in enumerate(written(pages).items()):
        material = read(folder / str(at), files)
        assert material.errors == (), form
        found[form] = (values(material), material.gt_fingerprint)
    return found


def test_every_form_gives_the_same_pages_and_the_same_fingerprint(tmp_path: Path) -> None:
    pages = {"2": ROWS, "10": [("Dora Bassa", "3/4"), ("Ezio Conti", "1769-04-08")]}
    found = fingerprints(tmp_path, pages)
    assert len(found) == 17
    assert {form: read for form, (read, _) in found.items()} == dict.fromkeys(found, pages)
    assert len({print for _, print in found.values()}) == 1


CELL = st.text(st.sampled_from("abcäß é'\"-,;|&<3"), min_size=1, max_size=8).map(str.strip).filter(lambda text: text not in ("", "-"))


@settings(max_examples=8, deadline=None)
@given(st.dictionaries(st.sampled_from(["1", "2", "28"]), st.lists(st.tuples(CELL, CELL), min_size=1, max_size=4), min_size=2))
def test_the_form_of_ground_truth_changes_no_value(
    tmp_path_factory: pytest.TempPathFactory, pages: dict[str, list[tuple[str, ...]]]
) -> None:
    found = fingerprints(tmp_path_factory.mktemp("forms"), dict(sorted(pages.items(), key=lambda pair: int(pair[0]))))
    assert len({repr(read) for read, _ in found.values()}) == 1


def test_cells_of_a_workbook_are_texts_as_shown(tmp_path: Path) -> None:
    rows = [("name", "a", "b", "c", "d", "e"), ("Anna", 7, datetime.date(1926, 2, 16), 0.5, "3/4", True)]
    material = read(tmp_path, {"gt_page_1.xlsx": xlsx({"S": rows}, {"B2": "0000", "C2": "d. mmmm yyyy", "D2": "0.00"})})
    assert values(material) == {"1": [("Anna", "0007", "16. February 1926", "0.50", "3/4", "TRUE")]}


def test_hidden_sheets_are_told_of(tmp_path: Path) -> None:
    book = xlsx({"1": [("name",), ("Anna",)], "2": [("name",), ("Bruno",)], "notes": [("x",)]}, hidden="notes")
    material = read(tmp_path, {"all.xlsx": book})
    assert values(material) == {"1": [("Anna",)], "2": [("Bruno",)]}
    assert any("hidden sheet 'notes' not read" in repair for repair in told(material, Severity.REPAIR))


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("gt_page_1.xlsx", xlsx({"S": [("name",), ("=A1",)]}), "sheet 'S', row 2, column 1 is a formula without a stored value"),
        ("gt_page_1.xlsx", b"PK\x03\x04 broken", "this is no readable archive"),
        ("gt_page_1.xls", b"\xd0\xcf\x11\xe0", "old Excel workbooks (.xls) are not read"),
        ("gt_page_1.json", '[{"name": "Anna"}', "this is no JSON"),
        ("gt_page_1.json", '[{"name": "Anna", "name": "Bruno"}]', "there is no column"),
        ("gt_page_1.json", '{"a": 1}', "there is no list of records"),
        ("gt_page_1.parquet", b"PAR1 broken", "the file is no readable Parquet"),
        ("gt_page_1.csv", b"PK\x03\x04", "this is a ZIP archive or an office document, not a text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "content",
)
def test_a_broken_file_is_a_sentence(tmp_path: Path, name: str, content: bytes | str, what: str) -> None:
    if what == "there is no column":
        material = read(tmp_path, {name: content})
        assert values(material) == {"1": [("Bruno",)]}
        return
    material = read(tmp_path, {name: content, "gt_page_2.csv": "name\nx\n"})
    assert material.errors[0].message.startswith(what)


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * (64 * 1024 * 1024))
    return out.getvalue()


def wide() -> bytes:
    """An ODS of one row that repeats a filled cell a million times."""
    out = io.BytesIO()
    spaces = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table", "text")}
    head = "".join(f' xmlns:{name}="{uri}"' for name, uri in spaces.items())
    cell = '<table:table-cell table:number-columns-repeated="1000000"><text:p>x</text:p></table:table-cell>'
    body = f'<office:body><office:spreadsheet><table:table table:name="S"><table:table-row>{cell}</table:table-row></table:table>'
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(
            "content.xml", f"<office:document-content{head}>{body}</office:spreadsheet></office:body></office:document-content>"
        )
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("gt_page_1.xlsx", bomb, "xl/worksheets/sheet1.xml' in the archive unpacks to 64 MB"),
        ("gt_page_1.ods", wide, "is larger than 200000 rows, 2000 columns or 5000000 cells"),
    ],
)
def test_a_bomb_is_a_sentence(tmp_path: Path, name: str, content: object, what: str) -> None:
    material = read(tmp_path, {name: content(), "gt_page_2.csv": "name\nx\n"})  # type: ignore[operator]
    assert what in material.errors[0].message


# All pages in one file, two files for a page, the key


def test_a_page_in_two_files_is_an_error_that_names_both(tmp_path: Path) -> None:
    material = read(tmp_path, {"gt_page_1.csv": "name\nAnna\n", "all.csv": "page,name\n1,Bruno\n2,Carla\n"})
    assert told(material, Severity.ERROR) == ["gt/all.csv (page 1): page 1 lies in gt/gt_page_1.csv too"]


def test_a_file_without_pages_is_an_error_alone_and_a_warning_beside_pages(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no column `page`\. Add a column `page`, or name the file by its page"):
        load(Workspace(Path(read_only(tmp_path / "a", {"list.csv": "name\nAnna\n"}))))
    material = read(tmp_path / "b", {"gt_page_1.csv": "name\nAnna\n", "list.csv": "name\nBruno\n"})
    assert told(material, Severity.WARNING) == [
        "gt/list.csv: not taken as ground truth: the file is not named gt_page_<id> and has no column `page`"
    ]


def read_only(root: Path, files: dict[str, str]) -> Path:
    (root / "gt").mkdir(parents=True)
    for name, content in files.items():
        (root / "gt" / name).write_text(content)
    return root


def test_a_row_without_a_page_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"all\.csv:3: this row names no page"):
        load(Workspace(read_only(tmp_path, {"all.csv": "page,name\n1,Anna\n,Bruno\n"})))


def test_page_ids_are_composed(tmp_path: Path) -> None:
    material = read(tmp_path, {"gt_page_fu\u0308nf.csv": "name\nAnna\n"})
    assert [page.id for page in material.pages] == ["f\u00fcnf"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("id,name\n7,Anna\n8,Bruno\n", "`id`, yet there is a column `name`; mark `name`"),
        ("no,place\n7,Rome\n8,Pisa\n", "`no`, yet all its values are numbers; mark the field that names a record"),
        ("name,id\nAnna,7\n", None),
    ],
)
def test_a_doubtful_key_is_a_warning(tmp_path: Path, content: str, why: str | None) -> None:
    found = told(read(tmp_path, {"gt_page_1.csv": content}), Severity.WARNING)
    assert found == (
        [] if why is None else [f"gt/gt_page_1.csv:1: records are matched by the first column {why} with x-key in gt/schema.json"]
    )
