"""The files of `score`: their columns as the specification fixes them, and figures that add up from the pairs listed beside them."""

from __future__ import annotations

import csv
import io
from collections import Counter

import pytest

from scoring.reports.contents import score_files
from scoring.reports.formats.tables import Column, Table, shown, table
from scoring.reports.formats.text_formats import csv_cell, escaped, to_csv, to_markdown
from scoring.tables.figures.instruments import WAYS
from tests.scoring.reports import small

SUMMARY = """model, phase, runs, pages_scored, pages_failed, pages_missing, gt_rows, model_rows, matched, precision,
  recall, f1, distinct_travelers, gt_distinct, edits, gt_characters, name_cer, exact_names, exact_share, gated_edits, gated_characters,
  gated_name_cer, below_gate, missed, surplus, duplicate, merge, fragment, misread, invention, adjudicated_matched, adjudicated_precision,
  adjudicated_recall, adjudicated_f1, adjudicated_f1_low, adjudicated_f1_high, adjudicated_name_cer, adjudicated_distinct_travelers,
  decisions_applied, decisions_stale, decisions_in_conflict"""
PAIRS = """model, phase, run, page, gt_row, gt_name, model_row, model_name, reading, similarity, ratio, token_overlap,
  edits, gt_characters, status, label, decided_by"""


def listed(text):
    return [one.strip() for one in text.replace("\n", " ").split(",")]


def read(written, name):
    return list(csv.DictReader(io.StringIO(written[f"data/{name}.csv"].decode())))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("scores_summary", listed(SUMMARY)),
        ("scores_pages", ["model", "phase", "run", "page", "status", *listed(SUMMARY)[6:]]),
        ("scores_fields", ["model", "phase", "field", "scored", "unscorable", "accuracy"]),
        ("pairs", listed(PAIRS)),
        ("instruments", ["model", "phase", "original", "adopted", "cer_gate", "order_preserving", "without_wildcard"]),
    ],
)
def test_the_columns_are_the_ones_fixed(written, name, expected):
    header = written[f"data/{name}.csv"].decode().splitlines()[0].split(",")
    assert header[: len(expected)] == expected
    assert len(set(header)) == len(header)


LABELS = ("duplicate", "merge", "fragment", "misread", "invention")


def counted(pairs):
    """What the rows of `pairs.csv` add up to."""
    c = Counter()
    for row in pairs:
        c[row["status"]] += 1
        c["gt_rows"] += row["gt_row"] != ""
        c["model_rows"] += row["model_row"] != ""
        if row["status"] in ("matched", "below_gate"):
            c["edits"] += int(row["edits"])
            c["gt_characters"] += int(row["gt_characters"])
            c["exact_names"] += row["edits"] == "0"
            c["transcribed"] += 1
        if row["status"] == "matched":
            c["gated_edits"] += int(row["edits"])
            c["gated_characters"] += int(row["gt_characters"])
        if row["status"] == "surplus":
            c[row["label"]] += 1
    return c


SUMS = ("matched", "below_gate", "missed", "surplus", "edits", "gt_characters", "exact_names", "gated_edits", "gated_characters", *LABELS)


@pytest.mark.parametrize(("pairs", "prefix"), [("pairs_as_scored", ""), ("pairs", "adjudicated_")])
@pytest.mark.parametrize(("name", "place"), [("scores_summary", ("model", "phase")), ("scores_pages", ("model", "phase", "run", "page"))])
def test_every_count_adds_up_from_the_pairs(written, pairs, prefix, name, place):
    by_place = {}
    for row in read(written, pairs):
        by_place.setdefault(tuple(row[key] for key in place), []).append(row)
    compared = 0
    for row in read(written, name):
        if row.get("status") in ("failed", "missing"):
            assert not any(row[key] for key in row if key not in (*place, "status"))
            continue
        c = counted(by_place.get(tuple(row[key] for key in place), []))
        assert {key: int(row[prefix + key]) for key in SUMS} == {key: c[key] for key in SUMS}
        assert (int(row["gt_rows"]), int(row["model_rows"])) == (c["gt_rows"], c["model_rows"])
        rates = {
            "precision": (c["matched"], c["model_rows"]),
            "recall": (c["matched"], c["gt_rows"]),
            "f1": (2 * c["matched"], c["model_rows"] + c["gt_rows"]),
            "name_cer": (c["edits"], c["gt_characters"]),
            "exact_share": (c["exact_names"], c["transcribed"]),
            "gated_name_cer": (c["gated_edits"], c["gated_characters"]),
        }
        for key, (part, whole) in rates.items():
            assert row[prefix + key] == (repr(part / whole) if whole else "")
        compared += 1
    assert compared >= 2


def test_rows_of_a_page_stand_once(written):
    for name in ("pairs", "pairs_as_scored"):
        for side in ("gt_row", "model_row"):
            seen = [tuple(row[key] for key in ("model", "phase", "run", "page", side)) for row in read(written, name) if row[side]]
            assert len(seen) == len(set(seen))


def test_what_a_verdict_stands_behind_names_it(written):
    decided = [row for row in read(written, "pairs") if row["decided_by"]]
    assert decided
    assert not [row for row in read(written, "pairs_as_scored") if row["decided_by"]]
    summary = read(written, "scores_summary")
    assert sum(int(row["labels_settled"]) for row in summary) == sum(row["status"] == "surplus" for row in decided)
    assert any(row["decisions_in_conflict"] == "1" for row in summary)
    assert any(int(row["decisions_applied"]) > 1 for row in summary)


def test_the_band_holds_the_figure(written):
    for row in read(written, "scores_summary"):
        assert float(row["adjudicated_f1_low"]) <= float(row["adjudicated_f1"]) <= float(row["adjudicated_f1_high"])


def test_instruments_follow_from_their_matches(written):
    rows = {(row["model"], row["phase"]): row for row in read(written, "scores_summary")}
    for row in read(written, "instruments"):
        whole = int(rows[row["model"], row["phase"]]["gt_rows"]) + int(rows[row["model"], row["phase"]]["model_rows"])
        for name in (*WAYS, "without_wildcard", "optimal"):
            assert row[name] == repr(2 * int(row[f"{name}_matched"]) / whole)
        assert row["adopted"] == rows[row["model"], row["phase"]]["f1"]


def test_names_in_files_are_data_not_formulas(written):
    names = {row["gt_name"] for row in read(written, "pairs")} | {row["model_name"] for row in read(written, "pairs")}
    assert "'" + small.FORMULA in names
    assert small.HOSTILE in names
    assert not [name for name in names if name.startswith("=")]
    assert b"\x1b" not in written["data/pairs.csv"]
    assert "\u202e" not in written["data/pairs.csv"].decode()


def test_numbers_come_back_as_they_were(figures, written):
    for name in ("scores_pages", "scores_fields", "instruments", "intervals", "gate_curve"):
        for row, cells in zip(read(written, name), figures.tables[name].rows, strict=True):
            for text, cell in zip(row.values(), cells, strict=True):
                if isinstance(cell, float):
                    assert float(text) == cell
                elif cell is None:
                    assert text == ""


def test_cells_as_people_read_them():
    assert [shown(None), shown(True), shown(12, "count"), shown(0.12345, "share"), shown(0.12345, "error"), shown(1.5, "number")] == [
        *("–", "yes", "12", "0.123", "0.1235", "1.50")
    ]
    assert shown("a\x1b[1m\u202eb") == "a␛[1m⟦RLO⟧b"


def test_cells_of_a_csv():
    assert [csv_cell(one) for one in (None, True, 1, 0.1, "=1+1", "@x", "-x", "\tx", "x")] == [
        *("", "true", "1", "0.1", "'=1+1", "'@x", "'-x", "'␉x", "x")
    ]


def test_a_table_is_rectangular():
    with pytest.raises(ValueError, match="1 cells under 2 columns"):
        table("t", "T", (Column("a"), Column("b")), [("x",)])


def test_markdown_takes_data_literally():
    hostile = Table("t", "A|B", (Column("name"), Column("n", "count")), (("a|b *c* <i> `d` [e](f)\n# g", 3),))
    line = to_markdown(hostile).splitlines()[-1]
    assert line == r"| a\|b \*c\* \<i\> \`d\` \[e\](f)⏎\# g | 3 |"
    assert escaped("http://x www.y.z :smile: a: b") == r"http\://x www\.y.z \:smile: a: b"
    assert escaped("-a-b") == r"\-a-b"


def test_an_empty_table_keeps_its_header():
    assert to_csv(Table("t", "T", (Column("a"), Column("b")), ())) == "a,b\n"


def test_json_holds_everything_the_specification_names(figures):
    import json

    found = json.loads(score_files.as_json(figures.evaluation, figures.bands, figures.instruments, small.PROVENANCE))
    assert list(found)[:6] == ["provenance", "cells", "pages", "fields", "instruments", "pairs"]
    assert found["provenance"]["ground_truth"] == "0a1b2c3d"
    assert list(found["cells"][0])[:41] == listed(SUMMARY)
    failed = [page for page in found["pages"] if page["status"] == "failed"]
    assert failed
    assert all(value is None for page in failed for key, value in page.items() if key not in ("model", "phase", "run", "page", "status"))
