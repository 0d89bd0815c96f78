"""Every number in the report comes from a CSV beside it: worked out again here from the files alone, and compared cell by cell."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from html.parser import HTMLParser
from statistics import median, stdev

import pytest

from scoring.reports.formats.sections import ReportTable
from scoring.reports.formats.tables import shown
from tests.scoring.reports import small


class Files:
    """The CSVs of a report, cells as values; the quote that keeps a spreadsheet from computing taken off."""

    def __init__(self, written):
        self._written = written

    def __getitem__(self, name):
        rows = csv.DictReader(io.StringIO(self._written[f"data/{name}.csv"].decode()))
        return [{key: self.value(text) for key, text in row.items()} for row in rows]

    @staticmethod
    def value(text):
        if text == "":
            return None
        try:
            return int(text)
        except ValueError:
            pass
        try:
            return float(text)
        except ValueError:
            return text.removeprefix("'") if text[:2] in ("'=", "'␛") else text


def cells(files):
    return [(row["model"], row["phase"]) for row in files["scores_summary"]]


def span(values):
    values = list(values)
    return "–" if not values else f"{min(values)}" if min(values) == max(values) else f"{min(values)}–{max(values)}"


def divided(part, whole):
    return part / whole if whole else None


def detection(files, _):
    for row in files["scores_summary"]:
        bad = [f"{row[key]} {word}" for key, word in (("pages_failed", "failed"), ("pages_missing", "missing")) if row[key]]
        pages = f"{row['pages_scored']}" + (f" ({', '.join(bad)})" if bad else "")
        head = [row[key] for key in ("model", "phase", "runs")]
        more = ("gt_rows", "model_rows", "matched", "precision", "recall", "f1")
        last = ("matched", "precision", "recall", "f1", "f1_low", "f1_high")
        yield [*head, pages, *(row[key] for key in (*more, *(f"adjudicated_{name}" for name in last)))]


def transcription(files, _):
    keys = ("name_cer", "adjudicated_name_cer", "exact_share", "adjudicated_exact_share", "gated_name_cer", "adjudicated_gated_name_cer")
    for row in files["scores_summary"]:
        yield [row[key] for key in ("model", "phase", *keys, "distinct_travelers", "adjudicated_distinct_travelers", "gt_distinct")]


def left_over(files, _):
    for row in files["scores_summary"]:
        numbers = []
        for key in ("below_gate", "missed", "surplus", "duplicate", "merge", "fragment", "misread", "invention"):
            one, other = row[key], row[f"adjudicated_{key}"]
            numbers.append(f"{one}" if one == other else f"{one} → {other}")
        yield [row["model"], row["phase"], *numbers, row["labels_settled"]]


def a_page(files, table):
    page = int(table.name.removeprefix("page_"))
    everything = files["scores_pages"]
    gt_rows = len({row["gt_row"] for row in files["pairs_as_scored"] if row["page"] == page and row["gt_row"]})
    assert table.title.endswith(f"in {gt_rows} rows")
    for cell in cells(files):
        rows = [row for row in everything if (row["model"], row["phase"]) == cell and row["page"] == page]
        rows = [row for row in rows if row["status"] in ("ok", "truncated")]
        counts = [None] * 5
        if rows:
            distinct, gt = rows[0]["gt_distinct"], rows[0]["gt_rows"]
            counts = [
                f"{span(row['distinct_travelers'] for row in rows)} of {distinct}",
                f"{span(row['adjudicated_distinct_travelers'] for row in rows)} of {distinct}",
                span(row["model_rows"] for row in rows),
                f"{span(row['matched'] for row in rows)} of {gt}",
                f"{span(row['adjudicated_matched'] for row in rows)} of {gt}",
            ]

        def pooled(part, whole, rows=rows):
            return divided(sum(row[part] for row in rows), sum(row[whole] for row in rows))

        paired = sum(row["matched"] + row["below_gate"] for row in rows)
        rates = [pooled("edits", "gt_characters"), pooled("adjudicated_edits", "adjudicated_gt_characters")]
        rates += [divided(sum(row["exact_names"] for row in rows), paired), pooled("gated_edits", "gated_characters")]
        yield [*cell, len(rows), *counts, *rates]


def four_ways(files, table):
    ways = ("original", "adopted", "cer_gate", "order_preserving", "without_wildcard", "optimal")
    for row in files["instruments"]:
        moved = row["adopted_matched"] - row["without_wildcard_matched"]
        last = (row["wildcard_runs_up"], row["wildcard_runs_down"], row["greedy_unlike_optimal"])
        yield [row["model"], row["phase"], *(row[key] for key in ways), moved, *last]
    unlike = {tuple(row[key] for key in ("model", "phase", "run", "page", "gt_row")) for row in files["disagreements"]}
    occurrences = sum(row["occurrences"] for row in files["instruments"])
    assert f"disagree on {len(unlike)} of {occurrences} occurrences" in table.note


def disagreed(files, _):
    keys = (
        "page",
        "gt_row",
        "gt_name",
        "model_name",
        *(f"{way}_similarity" for way in ("original", "adopted", "cer_gate", "order_preserving")),
    )
    counted = Counter()
    for row in files["disagreements"]:
        under = ", ".join(name.replace("_", " ") for name in row["matched_under"].split())
        counted[*(row[key] for key in keys), under] += 1
    # A Counter keeps the order of first sight, and sorting keeps it among equals.
    return [[times, *key] for key, times in sorted(counted.items(), key=lambda item: -item[1])]


def chance_shown(files, _):
    by_cell = {}
    for row in files["misread_chance"]:
        by_cell.setdefault((row["model"], row["phase"]), []).append(row)
    for cell, rows in by_cell.items():
        doubtful = sum(row["misread"] for row in rows if row["chance"] > 0.2)
        yield [*cell, sum(row["misread"] for row in rows), doubtful, min(row["chance"] for row in rows), max(row["chance"] for row in rows)]


def test_rows_suggested_as_misread_are_those_of_the_pairs(csvs):
    labelled = Counter(
        tuple(row[key] for key in ("model", "phase", "run", "page")) for row in csvs["pairs_as_scored"] if row["label"] == "misread"
    )
    assert labelled == {tuple(row[key] for key in ("model", "phase", "run", "page")): row["misread"] for row in csvs["misread_chance"]}


def spread_from_pages(files, _):
    """`spread.csv` itself, from the pages."""
    by_run = {}
    for row in files["scores_pages"]:
        if row["status"] in ("ok", "truncated"):
            by_run.setdefault((row["model"], row["phase"]), {}).setdefault(row["run"], []).append(row)
    for cell in cells(files):
        runs = by_run.get(cell, {}).values()
        figures = {
            "precision": lambda s: divided(s["matched"], s["model_rows"]),
            "recall": lambda s: divided(s["matched"], s["gt_rows"]),
            "f1": lambda s: divided(2 * s["matched"], s["model_rows"] + s["gt_rows"]),
            "name_cer": lambda s: divided(s["edits"], s["gt_characters"]),
            "exact_share": lambda s: divided(s["exact_names"], s["matched"] + s["below_gate"]),
            "gated_name_cer": lambda s: divided(s["gated_edits"], s["gated_characters"]),
            "distinct_travelers": lambda s: s["distinct_travelers"],
            "model_rows": lambda s: s["model_rows"],
        }
        sums = []
        for pages in runs:
            total = Counter()
            for page in pages:
                total.update({key: value for key, value in page.items() if isinstance(value, int) and key != "page"})
            sums.append(total)
        for name, figure in figures.items():
            values = [value for value in map(figure, sums) if value is not None]
            if values:
                yield [*cell, name, len(values), min(values), median(values), max(values), stdev(values) if len(values) > 1 else None]


def spread_shown(files, table):
    figures = [column.name for column in table.columns[3:]]
    rows = files["spread"]
    for cell in dict.fromkeys((row["model"], row["phase"]) for row in rows):
        found = {row["figure"]: row for row in rows if (row["model"], row["phase"]) == cell}
        texts = []
        for name in figures:
            row = found.get(name)
            if row is None:
                texts.append(None)
                continue
            form = "{:g}" if name in ("distinct_travelers", "model_rows") else "{:.4f}" if "cer" in name else "{:.3f}"
            low, middle, high = (form.format(row[key]) for key in ("least", "median", "greatest"))
            texts.append(low if low == high else f"{low}–{high} ({middle})")
        yield [*cell, max(row["runs"] for row in found.values()), *texts]


def rows_found(files, _):
    """`rows_found.csv` itself, from the pairs as scored."""
    scored = {
        (row["model"], row["phase"], row["run"], row["page"]) for row in files["scores_pages"] if row["status"] in ("ok", "truncated")
    }
    pairs = files["pairs_as_scored"]
    rows = dict.fromkeys((row["page"], row["gt_row"], row["gt_name"]) for row in pairs if row["gt_row"])
    for cell in cells(files):
        for page, number, name in rows:
            runs = sum(place[:2] == cell and place[3] == page for place in scored)
            matched = [row for row in pairs if (row["model"], row["phase"]) == cell and (row["page"], row["gt_row"]) == (page, number)]
            found = sum(row["status"] == "matched" for row in matched)
            if runs:
                yield [page, number, name, *cell, runs, found, ..., ...]


def rows_overall(files, _):
    gathered = {}
    for row in files["rows_found"]:
        one = gathered.setdefault((row["page"], row["gt_row"], row["gt_name"]), [0, 0, set()])
        one[0] += row["runs"]
        one[1] += row["found"]
        one[2] |= {text.rpartition(" ×")[0] for text in str(row["names"] or "").split("; ") if text}
    for place, (runs, found, readings) in gathered.items():
        yield [*place, runs, found, found / runs, len(readings)]


def gate_curve(files, _):
    """`gate_curve.csv` itself, from the pairs and the sums of rows."""
    places = [*cells(files), ("all", "all")]
    for place in places:

        def mine(row, place=place):
            return place == ("all", "all") or (row["model"], row["phase"]) == place

        sizes = [row for row in files["scores_summary"] if mine(row)]
        gt, model = sum(row["gt_rows"] for row in sizes), sum(row["model_rows"] for row in sizes)
        both = [
            [row for row in files[name] if mine(row) and row["status"] in ("matched", "below_gate")]
            for name in ("pairs_as_scored", "pairs")
        ]
        for step in range(101):
            gate = step / 100
            out = []
            for pairs in both:
                matched = sum(row["similarity"] >= gate or bool(row["decided_by"] and row["status"] == "matched") for row in pairs)
                out += [matched, divided(matched, model), divided(matched, gt), divided(2 * matched, gt + model)]
            yield [*place, gate, *out]


def gates_shown(files, table):
    marks = {row[0] for row in table.rows}
    assert 0.7 in marks
    for row in files["gate_curve"]:
        if row["model"] == row["phase"] == "all" and row["gate"] in marks:
            yield list(row.values())[2:]


def intervals(files, _):
    """Point values from the summary; the ends are tested against drawing by hand in the tests of intervals."""
    for row in files["scores_summary"]:
        for figure in ("precision", "recall", "f1", "name_cer", "exact_share"):
            yield [row["model"], row["phase"], figure, row[figure], ..., ..., row[f"adjudicated_{figure}"], ..., ...]


def decision_counts(files, table):
    found = [sum(row[key] for row in files["decisions"]) for key in ("applied", "stale", "in_conflict")]
    # A conflict of two entries is one.
    assert found[2] == 2
    yield [found[0], found[1], 1]


def as_it_is(name):
    """The table is the very CSV."""

    def trace(files, _):
        for row in files[name]:
            yield list(row.values())

    return trace


def behind_cells(files, _):
    """Per cell and group of figures the entries of `behind` that bear on it, each once, in the order they were given."""
    cells = dict.fromkeys((row["model"], row["phase"]) for row in files["behind"])
    for model, phase in cells:
        for group in ("pairing", "count", "labels"):
            of_cell = [row for row in files["behind"] if (row["model"], row["phase"]) == (model, phase)]
            ids = sorted({row["entry"] for row in of_cell if group in row["figures"].split()})
            if ids:
                yield [model, phase, ..., len(ids), ", ".join(one[:18] for one in ids)]


TRACES = {
    "behind_cells": behind_cells,
    "detection": detection,
    "transcription": transcription,
    "left_over": left_over,
    "chance_shown": chance_shown,
    "four_ways": four_ways,
    "disagreed": disagreed,
    "spread_shown": spread_shown,
    "rows_overall": rows_overall,
    "gates_shown": gates_shown,
    "intervals": intervals,
    "decisions": None,
    **{name: as_it_is(name) for name in ("scores_fields", "worked_cases", "pages_unscored", "problems", "agreement", "agreement_between")},
}


@pytest.fixture(scope="module")
def csvs(written):
    return Files(written)


def tables_of(report):
    return [block for section in report.sections for block in section.blocks if isinstance(block, ReportTable)]


def equal(found, expected, where):
    found = [list(row) for row in found]
    expected = [list(row) for row in expected]
    assert len(found) == len(expected), where
    for ours, theirs in zip(found, expected, strict=True):
        assert len(theirs) >= len(ours), where
        for at, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            if other is ... or (one is not None and other is not None and str(one) == str(other)):
                continue
            if isinstance(one, str) and not one and other is None:
                continue
            if isinstance(one, bool):
                assert str(one).lower() == str(other), (where, at, ours, theirs)
            elif isinstance(one, str):
                # Data with what a terminal would obey drawn as marks, as files have it; page 28 is the text `28`.
                assert shown(one) == str(other), (where, at, ours, theirs)
            else:
                assert one == other, (where, at, ours, theirs)


def test_every_table_of_the_report_is_traced(report, csvs):
    seen = set()
    for block in tables_of(report):
        table = block.table
        seen.add(table.name)
        if table.name.startswith("page_"):
            trace = a_page
        elif table.name == "decisions":
            trace = decision_counts if table.title == "Decisions" else as_it_is("decisions")
        else:
            trace = TRACES[table.name]
        equal(table.rows, trace(csvs, table), table.name)
    assert seen == {"page_28", "page_36", *TRACES}


@pytest.mark.parametrize(("name", "trace"), [("spread", spread_from_pages), ("rows_found", rows_found), ("gate_curve", gate_curve)])
def test_files_of_figures_are_traced_to_pages_and_pairs(figures, csvs, name, trace):
    equal(figures.tables[name].rows, trace(csvs, figures.tables[name]), name)


def test_fields_are_counted_on_matched_pairs(csvs):
    matched = Counter((row["model"], row["phase"]) for row in csvs["pairs_as_scored"] if row["status"] == "matched")
    decided = Counter((row["model"], row["phase"]) for row in csvs["pairs"] if row["status"] == "matched")
    for row in csvs["scores_fields"]:
        assert row["scored"] + row["unscorable"] == matched[row["model"], row["phase"]]
        assert row["adjudicated_scored"] + row["adjudicated_unscorable"] == decided[row["model"], row["phase"]]


def test_the_sources_named_are_there(report, written):
    for block in tables_of(report):
        assert f"data/{block.source}" in written


def test_the_sentence_on_the_whole_counts_right(report, csvs):
    text = report.sections[0].blocks[0].pieces[0]
    summary = csvs["scores_summary"]
    runs, scored = sum(row["runs"] for row in summary), sum(row["pages_scored"] for row in summary)
    assert f"{runs} runs in {len(summary)} cells over 2 pages: {scored} page scorings." in text
    applied, stale = (sum(row[key] for row in csvs["decisions"]) for key in ("applied", "stale"))
    assert f"{applied} decisions apply, {stale} are stale, 1 in conflict." in text


class Page(HTMLParser):
    """The tables of an HTML page as lists of rows of texts, by caption."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tables, self._text, self._row = [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self._row = []
        elif tag in ("td", "th", "caption"):
            self._text = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._row.append(self._text)
            self._text = None
        elif tag == "caption":
            self.tables[-1].append([self._text])
            self._text = None
        elif tag == "tr":
            self.tables[-1].append(self._row)

    def handle_data(self, data):
        if self._text is not None:
            self._text += data


def test_html_and_markdown_show_the_tables_and_nothing_else(report, written):
    expected = [
        [[table.title], [column.title for column in table.columns], *table.shown()]
        for table in (block.table for block in tables_of(report))
        if table.rows
    ]
    assert Page(written["report.html"].decode()).tables == expected
    markdown = written["report.md"].decode()
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    unescaped = [[re.sub(r"\\(.)", r"\1", cell).strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    shown_rows = [row for row in unescaped if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    assert shown_rows == [row for table in expected for row in table[1:]]


def test_hostile_names_reach_the_traced_tables(csvs):
    assert any(row["gt_name"] == small.HOSTILE for row in csvs["pairs"])
