"""The report in every format: fixed by golden files, the same on every run, and never taking data for markup.

The golden files are written anew by `UPDATE_GOLDEN=1 pytest tests/scoring/reports/test_report.py`; look at what changed.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import openpyxl
import pytest

from scoring.reports import plots
from scoring.reports.compare import compare_page, marked
from scoring.reports.html import report as html_report
from scoring.reports.report import files, sheets, stems, tables_report, with_task
from scoring.reports.sections import Plot
from scoring.reports.tables import Column, Table
from scoring.reports.workbook import workbook
from tests.scoring.reports import small

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).resolve().parents[3]


def drawings_left_out(text: str) -> str:
    """Pictures depend on the version of the plotting library; what they show is tested apart. The style sheet is a file of its own."""
    text = re.sub(r"<svg.*?</svg>", "<svg/>", text, flags=re.DOTALL)
    return re.sub(r"<style>.*?</style>", "<style/>", text, flags=re.DOTALL)


def dumped(data: bytes) -> str:
    """A workbook as text: every sheet with its cells and their number formats."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    sheets = {
        sheet.title: [[[cell.value, cell.number_format] for cell in row] for row in sheet.iter_rows()]
        for sheet in book
        if sheet.title not in ("gate_curve", "pairs")
    }
    return json.dumps(sheets, ensure_ascii=False, indent=0) + "\n"


@pytest.mark.parametrize(
    "name",
    [
        *("report.html", "report.md", "compare_28.html", "compare_28.md", "compare_36.html", "compare_36.md", "report.xlsx"),
        *(f"data/{name}.csv" for name in ("scores_summary", "scores_pages", "scores_fields", "pairs", "instruments", "disagreements")),
    ],
)
def test_golden(written, name):
    found = dumped(written[name]) if name.endswith(".xlsx") else drawings_left_out(written[name].decode())
    path = GOLDEN / (name.replace("/", "_") + (".json" if name.endswith(".xlsx") else ""))
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


SCRIPT = """
import sys, hashlib
from pathlib import Path
from tests.scoring.reports import small
from scoring.reports.report import files, tables_report
from scoring.reports.tables_sections import gather
from scoring.tables.instruments import instruments
evaluation = small.evaluation(Path(sys.argv[1]))
for name, data in files(tables_report(gather(evaluation, instruments(evaluation)), small.PROVENANCE), ("html", "md", "xlsx")):
    print(name, hashlib.sha256(data).hexdigest())
"""


def test_same_inputs_same_bytes(root, written, tmp_path):
    """In another process, with other hashes, another time zone and another locale, and some other style of plotting."""
    import hashlib

    (tmp_path / "matplotlibrc").write_text("lines.linewidth: 9\naxes.grid: True\nfont.size: 30\nsvg.hashsalt: other\n")
    env = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "LC_ALL": "C", "MATPLOTLIBRC": str(tmp_path / "matplotlibrc")}
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(root)], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    other = dict(line.split(" ") for line in done.stdout.splitlines())
    assert other == {name: hashlib.sha256(data).hexdigest() for name, data in written.items()}


class Tags(HTMLParser):
    """Every tag of a page with its attributes, and the text outside of script and style."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self._raw = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._raw = tag if tag in ("script", "style") else ""

    def handle_endtag(self, tag):
        self._raw = ""

    def handle_data(self, data):
        if not self._raw:
            self.text.append(data)


HTML = ("report.html", "compare_28.html", "compare_36.html")


@pytest.mark.parametrize("name", HTML)
def test_data_is_never_markup(written, name):
    page = Tags(written[name].decode())
    tags = [tag for tag, _ in page.tags]
    assert tags.count("script") == (0 if name == "report.html" else 1)
    assert not {"b", "i", "img", "iframe", "object", "embed", "form", "base"} & set(tags)
    assert not [key for _, attributes in page.tags for key in attributes if key.startswith("on")]
    text = "".join(page.text)
    assert "beta <i>" in text
    assert "$x$ 'q'" in text
    if name != "compare_36.html":
        assert small.HOSTILE in text
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize("name", HTML)
def test_a_page_fetches_nothing(written, name):
    page = Tags(written[name].decode())
    for tag, attributes in page.tags:
        for key in ("src", "href", "xlink:href", "action", "data", "srcset"):
            value = attributes.get(key)
            if value is not None:
                assert tag in ("a", "use"), (tag, value)
                assert re.fullmatch(r"#[\w-]+|data/\w+\.csv|\w+\.html", value), value
    text = written[name].decode()
    assert "@import" not in text
    assert not re.search(r"url\((?!#)", text)
    (policy,) = [attributes["content"] for _, attributes in page.tags if attributes.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")


def test_the_script_is_the_one_the_policy_allows(written):
    import base64
    import hashlib

    text = written["compare_28.html"].decode()
    (script,) = re.findall(r"<script>(.*?)</script>", text, flags=re.DOTALL)
    assert f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}" in text


@pytest.mark.parametrize("name", HTML)
def test_a_page_can_be_found_ones_way_about_in(written, name):
    page = Tags(written[name].decode())
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.tags:
        for key in ("aria-labelledby", "for"):
            assert attributes.get(key) is None or attributes[key] in ids
        target = attributes.get("href") or ""
        if target.startswith("#"):
            assert target[1:] in ids
        if tag == "svg":
            assert attributes["role"] == "img"
        if tag == "th":
            assert attributes.get("scope") in ("col", "row")
    tags = [tag for tag, _ in page.tags]
    assert tags.count("h1") == tags.count("main") == 1
    assert tags.count("table") == tags.count("caption")
    assert page.tags[0] == ("html", {"lang": "en"})


def test_links_lead_to_files_of_the_report(written):
    for name in HTML:
        for tag, attributes in Tags(written[name].decode()).tags:
            if tag == "a" and not attributes["href"].startswith("#"):
                assert attributes["href"] in written
    for name in ("report.md",):
        for target in re.findall(r"\]\(([^)#][^)]*)\)", written[name].decode()):
            assert target in written


def test_markdown_takes_data_literally(written):
    for name in ("report.md", "compare_28.md", "compare_36.md"):
        text = written[name].decode()
        assert "<script" not in text.replace("\\<script", "")
        assert "beta <i>" not in text
        assert "\x1b" not in text
        # A pipe in data does not end a cell: every row of a table has as many cells as its head.
        for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE):
            widths = {len(re.split(r"(?<!\\)\|", line)) for line in block.splitlines()}
            assert len(widths) == 1


def test_pictures_are_pictures(report, written):
    drawn = [block for section in report.sections for block in section.blocks if isinstance(block, Plot)]
    assert [block.name for block in drawn] == ["detection", "surplus", "fields", "gates", "histogram"]
    for block in drawn:
        picture = ElementTree.fromstring(written[f"figures/{block.name}.svg"].decode())
        title = picture.find("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert title.text == block.alt
        text = block.draw()
        assert plots.INK not in text
        assert "currentColor" in text
        assert "<image" not in text


def test_labels_in_pictures_are_data(report):
    picture = report.sections[0].blocks[3].draw()
    assert "beta &lt;i&gt;, $x$ 'q'" in picture
    assert "<i>" not in picture


def test_a_label_that_looks_like_a_reference_stays():
    row = ("url(#x)", 'id="y"', 0.5, 0.4, 0.5)
    summary = Table("s", "S", tuple(Column(n) for n in ("model", "phase", "f1", "name_cer", "adjudicated_f1")), (row,))
    spread = Table("p", "P", (Column("model"),), ())
    picture = plots.detection(summary, spread, "p", "alt")
    assert 'url(#x), id="y"' in picture or "url(#x), id=&quot;y&quot;" in picture


def test_the_workbook_holds_the_tables(report, written):
    book = openpyxl.load_workbook(io.BytesIO(written["report.xlsx"]))
    tables = sheets(report)
    assert len(book.sheetnames) == len(tables) + 1
    for sheet, table in zip(book.worksheets[1:], tables, strict=True):
        rows = list(sheet.iter_rows(values_only=True))
        assert rows[0] == table.header
        assert len(rows) == len(table.rows) + 1
        for found, expected in zip(rows[1:], table.rows, strict=True):
            for one, other in zip(found, expected, strict=True):
                if isinstance(other, int | float) and not isinstance(other, bool):
                    assert one == other


def test_no_cell_of_the_workbook_is_a_formula(written):
    with zipfile.ZipFile(io.BytesIO(written["report.xlsx"])) as book:
        for entry in book.infolist():
            content = book.read(entry)
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)
            assert b"<f>" not in content
            assert b"\x1b" not in content
        core = book.read("docProps/core.xml").decode()
    assert set(re.findall(r">([0-9T:-]+Z)<", core)) == {"2026-11-29T00:00:00Z"}


def test_sheets_have_names_a_spreadsheet_takes():
    names = ("page_" + "x" * 40, "page_" + "X" * 40, "a/b:c[d]*?", "", "contents")
    tables = [Table(name, "T", (Column("a"),), (("x",),)) for name in names]
    book = openpyxl.load_workbook(io.BytesIO(workbook(tables, "t", "p", "2026-01-01T00:00:00Z")))
    assert len({name.casefold() for name in book.sheetnames}) == 6
    assert all(0 < len(name) <= 31 for name in book.sheetnames)


# Compare pages


@pytest.mark.parametrize(
    ("gt", "model", "pieces"),
    [
        ("Kin?gsech", "Kinigsech", (("Kinigsech", ""),)),
        ("Kin?gsech", "Kingsech", (("Kin", ""), ("?", "missing"), ("gsech", ""))),
        ("Bassa", "bassa", (("bassa", ""),)),
        ("Bassa", "Barsa", (("Ba", ""), ("r", "changed"), ("sa", ""))),
        ("Bassa", "Bassan", (("Bassa", ""), ("n", "changed"))),
        ("Bassa", "Basa", (("Bas", ""), ("s", "missing"), ("a", ""))),
        ("Abbé", "Abbe\u0301", (("Abb", ""), ("e\u0301", "changed"))),
        ("A\x1bB", "A", (("A", ""), ("␛B", "missing"))),
        ("", "x", (("x", "changed"),)),
        ("x", "", (("x", "missing"),)),
    ],
)
def test_marks(gt, model, pieces):
    assert marked(gt, model) == pieces


def test_a_compare_page_counts_every_run(evaluation):
    page = compare_page(evaluation, "28")
    assert len(page.lines) == 6
    for at, cell in enumerate(page.cells):
        scored = sum(score.page == "28" for score in evaluation.of_cell(*cell).scored)
        for line in page.lines:
            side = line.sides[at]
            assert side.runs == scored
            assert side.found + side.nothing + sum(one.times for one in side.readings if not one.matched) == scored
    rows = sum(len(score.surplus) for score in evaluation.pages.values() if score.page == "28")
    assert sum(one.times for one in page.surplus) == rows


def test_page_ids_become_file_names(report):
    assert stems(report) == [("28", "compare_28"), ("36", "compare_36")]


def test_page_ids_that_look_alike_stay_apart(tmp_path, report):
    from dataclasses import replace

    (tmp_path / "gt").mkdir()
    for page in ("a b", "a.b", "A_B"):
        (tmp_path / f"gt/gt_page_{page}.csv").write_text("name\nAnna\n")
    evaluation = small.automatic(tmp_path)
    found = stems(replace(report, evaluation=evaluation))
    assert len({stem.casefold() for _, stem in found}) == 3


# Other shapes of workspace


def test_a_report_of_nothing_but_ground_truth(tmp_path):
    from scoring.reports.tables_sections import gather
    from scoring.tables.instruments import instruments

    (tmp_path / "gt").mkdir()
    (tmp_path / "gt/gt_page_1.csv").write_text("name\nAnna\n")
    evaluation = small.automatic(tmp_path)
    made = dict(files(tables_report(gather(evaluation, instruments(evaluation)), small.PROVENANCE), ("html", "md", "xlsx")))
    assert b"nothing to show" in made["report.html"]


def test_a_report_of_failed_pages_alone(tmp_path):
    from scoring.reports.tables_sections import gather
    from scoring.tables.instruments import instruments

    (tmp_path / "gt").mkdir()
    (tmp_path / "runs/m/p").mkdir(parents=True)
    (tmp_path / "gt/gt_page_1.csv").write_text("name,title\nAnna,x\n")
    (tmp_path / "runs/m/p/run_01.json").write_text('{"pages": {"1": {"status": "failed", "error": "x"}}}')
    evaluation = small.automatic(tmp_path)
    made = dict(files(tables_report(gather(evaluation, instruments(evaluation)), small.PROVENANCE), ("html", "md", "xlsx")))
    assert b"<td>failed</td>" in made["report.html"]


def test_another_task_adds_a_section(report, written):
    more = with_task(report, "questions", [("Score & all", ("question", "share", "n"), (("Q1", 0.5, 3), (small.HOSTILE, None, 1)))])
    text = html_report(more.title, more.sections, more.provenance, [])
    assert "Score &amp; all" in text
    assert "&lt;script&gt;" in text
    made = dict(files(more, ("md",)))
    assert made["data/questions_01.csv"].decode().splitlines()[:2] == ["question,share,n", "Q1,0.5,3"]


def test_progress_reaches_its_end(report):
    told = []
    list(files(report, ("html",), progress=lambda what, done, whole: told.append((done, whole))))
    assert told[-1][0] == told[-1][1]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize("text", ["a\uffffb", "\ufffe", "\x00\x0b\udc80", "=cmd()\ufdd0"])
def test_a_workbook_takes_characters_that_xml_does_not_have(text):
    data = workbook([Table("t", text, (Column(text),), ((text,),), text)], text, text, "2026-11-29T00:00:00Z")
    value = openpyxl.load_workbook(io.BytesIO(data))["t"]["A2"].value
    assert "⟦" in value or "␀" in value
    assert not value.startswith("=")
