"""What screens show and do, without them: batches, a page side by side, code points, scans, the Scores, the entries behind a figure."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from scoring.adjudication.log import read_log
from tests.tui.cli_runner import Run
from tests.tui.small import ESCAPES, small_session
from tui.levels import place_named

ME = ("--verifier", "mp")


def queued(root: Path, queue: str) -> list[Any]:
    session = small_session(root, None)
    session.open_queue(queue)
    return [session.cases[one] for one in session.order]


# Batches


def test_a_batch_is_listed_with_its_count_and_written_with_yes_alone(adjudicate: Run, register: Path):
    words = ("-C", register, *ME, "batch", "unsure", "--queue", "borderline", "--note", "by hand")
    cases = queued(register, "borderline")
    listed = adjudicate(*words)
    assert listed.code == 0
    assert listed.out.splitlines()[0] == f"unsure for these {len(cases)} cases, an entry each? (0 left out)"
    assert len(listed.out.splitlines()) == len(cases) + 1
    assert "--yes writes it" in listed.err
    assert not (register / "adjudications" / "mp.jsonl").exists()
    done = adjudicate(*words, "--yes", "--format", "json")
    entries = read_log(register / "adjudications").entries
    assert [entry.case for entry in entries] == [case.id for case in cases] == [one["case"] for one in done.json["cases"]]
    assert {(entry.batch, entry.note, entry.verdict) for entry in entries} == {(done.json["batch"], "by hand", "unsure")}
    assert adjudicate("-C", register, *ME, "undo").out.count("undone: unsure") == len(cases)
    assert {case.status for case in queued(register, "borderline")} == {"open"}


def test_a_batch_of_named_cases_leaves_out_what_cannot_be_said(adjudicate: Run, register: Path):
    pair, row = queued(register, "borderline")[0], queued(register, "surplus")[0]
    done = adjudicate("-C", register, *ME, "batch", "invention", pair.id, row.id, "--yes", "--format", "json")
    assert done.code == 0
    assert [one["case"] for one in done.json["cases"]] == [pair.id, row.id]
    same = adjudicate("-C", register, *ME, "batch", "same", queued(register, "borderline")[1].id, row.id, "--format", "json").json
    assert (same["count"], same["batch"], [one["case"] for one in same["left_out"]]) == (1, None, [row.id])


def test_a_batch_of_cases_alike_is_that_of_the_screen(adjudicate: Run, register: Path):
    # The same page a second time, under another number: its readings recur.
    (register / "gt" / "gt_page_3.csv").write_bytes((register / "gt" / "gt_page_1.csv").read_bytes())
    for path in (register / "runs").rglob("*.json"):
        document = json.loads(path.read_text("utf-8"))
        document["pages"]["3"] = document["pages"]["1"]
        path.write_text(json.dumps(document), "utf-8")
    session = small_session(register)
    session.open_queue("all")
    case = next(one for one in session.order if len(_alike(session, one)) > 1)
    found = adjudicate("-C", register, *ME, "batch", "unsure", "--like", case, "--format", "json").json
    assert tuple(one["case"] for one in found["cases"]) == _alike(session, case)


def _alike(session: Any, case: str) -> tuple[str, ...]:
    session.go(case)
    found: tuple[str, ...] = session.alike()
    return found


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("same",), "which cases?"),
        (("same", "t-0", "--queue", "surplus"), "which cases?"),
        (("equivalent", "--queue", "borderline"), "no verdict of a batch"),
        (("same", "--queue", "nonsense"), "no queue `nonsense`"),
        (("same", "--filter", "page:99"), "no open case"),
        (("same", "--queue", "surplus", "--yes"), "can be said of none of them"),
    ],
)
def test_a_batch_that_cannot_be_is_a_sentence(words: tuple[str, ...], sentence: str, adjudicate: Run, register: Path):
    done = adjudicate("-C", register, *ME, "batch", *words)
    assert done.code == 2
    assert sentence in done.err.replace("adjudicate: W", "w")
    assert not (register / "adjudications" / "mp.jsonl").exists()


# A page side by side


def test_a_page_of_a_run_stands_side_by_side_with_its_books(adjudicate: Run, register: Path):
    session = small_session(register, None)
    shown = session.task.side_by_side(session.evaluation, "alfa/naive/run_01", "1", session.cases)  # type: ignore[attr-defined]
    text = adjudicate("-C", register, "show", "alfa/naive/run_01", "1")
    assert text.code == 0
    assert f"{shown.books.sentence()}   {shown.books.state()}" in text.out
    assert all(line.case in text.out for line in shown.lines if line.case)
    found = adjudicate("-C", register, "show", "alfa/naive/run_01", "1", "--format", "json").json
    assert [(one["gt"], one["model"], one["status"], one["case"]) for one in found["lines"]] == [
        (line.gt, line.model, line.status, line.case) for line in shown.lines
    ]
    assert (found["books"]["open"], found["books"]["done"]) == (shown.books.open, False)
    assert adjudicate("-C", register, "score", "--cell", "alfa/naive", "--run", "run_01", "--page", "1", "--format", "json").json == found
    failed = adjudicate("-C", register, "show", "beta/naive/run_01", "10")
    assert "it counts in no figure" in failed.out


def test_no_such_run_or_page(adjudicate: Run, register: Path):
    assert "there is no run `alfa/naive`" in adjudicate("-C", register, "show", "alfa/naive", "1").err.casefold()
    missing = adjudicate("-C", register, "show", "alfa/naive/run_01", "99")
    assert (missing.code, "no page `99`" in missing.err) == (2, True)


# Characters, scans


def test_characters_by_their_code_points(adjudicate: Run, register: Path):
    case = next(one for one in queued(register, "surplus") if one.title == ESCAPES)
    found = adjudicate("-C", register, "show", case.id, "--codes", "--format", "json").json
    assert (found["title"], found["characters"][4]["name"]) == (ESCAPES, "U+001B unnamed")
    assert "U+001B" in adjudicate("-C", register, "show", case.id, "--codes").out
    alike = {one["name"]: (one["shown"], one["note"], one["in"][0]) for one in found["alike"]}
    assert alike["U+001B unnamed"] == ("␛", "invisible, or acts on the text around it", "alfa/naive/run_01 row 8")


def test_where_the_scan_lies(adjudicate: Run, register: Path):
    case = next(one for one in queued(register, "borderline") if one.targets and one.targets[0].startswith("gt:"))
    refused = adjudicate("-C", register, "show", case.id, "--scan")
    assert (refused.code, "there is no scan of page" in refused.err) == (2, True)
    (register / "images").mkdir()
    scan = register / "images" / f"page_{case.page}.png"
    scan.write_bytes(b"")
    assert adjudicate("-C", register, "show", case.id, "--scan").out == f"{scan}\n"
    row = case.targets[0].rsplit(":", 1)[1]
    (register / "images" / f"page_{case.page}.json").write_text(json.dumps({row: [1, 2, 30, 40]}), "utf-8")
    assert f"row {row}: left 1, top 2, right 30, bottom 40" in adjudicate("-C", register, "show", case.id, "--scan").out
    assert adjudicate("-C", register, "show", case.id, "--scan", "--format", "json").json["box"] == [1, 2, 30, 40]


# The Scores, and what stands behind them


def test_the_scores_lead_from_cells_to_runs_to_pages(adjudicate: Run, register: Path, tmp_path: Path):
    adjudicate("-C", register, "score", "--output", tmp_path / "out")
    whole = list(csv.DictReader((tmp_path / "out" / "scores_pages.csv").open(encoding="utf-8")))
    printed = adjudicate("-C", register, "score", "--cell", "alfa/naive", "--run", "run_01", "--format", "csv").out
    pages = list(csv.DictReader(io.StringIO(printed)))
    assert pages == [row for row in whole if (row["model"], row["run"]) == ("alfa", "run_01")]
    runs = list(csv.DictReader(io.StringIO(adjudicate("-C", register, "score", "--cell", "alfa/naive", "--format", "csv").out)))
    assert [row["run"] for row in runs] == ["run_01", "run_02", "run_03"]
    assert int(runs[0]["matched"]) == sum(int(page["matched"]) for page in pages)
    assert float(runs[0]["adjudicated_f1_low"]) < float(runs[0]["adjudicated_f1_high"])
    text = adjudicate("-C", register, "score", "--cell", "alfa/naive").out
    assert text.splitlines()[1].split()[:4] == ["run", "F1", "adj.", "low–high"]
    assert "Fields, on matched pairs" in text
    assert adjudicate("-C", register, "score", "--cell", "alfa/naive", "--format", "json").json["figures"][0]["run"] == "run_01"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--run", "run_01"), "--run is of a --cell"),
        (("--cell", "alfa/naive", "--page", "1"), "--page of a --run"),
        (("--cell", "alfa/naiv"), "did you mean `alfa/naive`"),
        (("--cell", "alfa/naive", "--run", "run_9"), "nothing called `run_9` under alfa/naive"),
        (("--cell", "alfa/naive/run_01"), "is no cell"),
        (("--cell", "alfa/naive", "--instruments"), "of all runs together"),
    ],
)
def test_a_place_that_is_none(words: tuple[str, ...], sentence: str, adjudicate: Run, register: Path):
    done = adjudicate("-C", register, "score", *words)
    assert done.code == 2
    assert sentence.casefold() in done.err.casefold()


def test_the_entries_behind_a_figure(adjudicate: Run, register: Path):
    pair = next(one for one in queued(register, "borderline") if one.occurrences[0].run.startswith("alfa"))
    adjudicate("-C", register, *ME, "decide", pair.id, "different")
    other = next(one for one in queued(register, "surplus") if one.occurrences[0].run.startswith("beta"))
    adjudicate("-C", register, *ME, "decide", other.id, "invention")

    def behind(place: str) -> list[str]:
        return [one["case"] for one in adjudicate("-C", register, "log", "list", "--behind", place, "--format", "json").json]

    assert behind("all") == [pair.id, other.id]
    assert behind("alfa/naive") == [pair.id]
    assert behind(f"{pair.occurrences[0].run}/{pair.page}") == [pair.id]
    assert behind("beta/naive") == [other.id]
    elsewhere = next(page for page in ("1", "2", "10") if page != pair.page)
    assert behind(f"alfa/naive/run_01/{elsewhere}") == []
    assert adjudicate("-C", register, "log", "list", "--behind", "gamma/naive").code == 2


def test_a_place_is_named_as_the_screen_lists_it(register: Path):
    session = small_session(register, None)
    assert place_named(session.task, session.evaluation, "all") == ()
    full = ("alfa", "naive", "alfa/naive/run_02", "10")
    assert place_named(session.task, session.evaluation, "alfa/naive/run_02/10") == full


# The Overview as data; what an option's value looks like


def test_the_overview_as_json(adjudicate: Run, register: Path):
    found = adjudicate("-C", register, "review", "--format", "json").json
    cells = next(block for block in found["overview"] if block["title"].startswith("Cells"))
    assert cells["header"] == ["model", "phase", "F1", "adj.", "low–high", "CER", "adj.", "records", "adj."]
    assert [line["cells"][0] for line in cells["lines"]] == ["alfa", "beta"]
    assert "–" in cells["lines"][0]["cells"][4]
    session = small_session(register, None)
    assert [one["queue"] for one in found["queues"]] == [*session.task.queues, "all"]
    assert found["queues"][-1]["open"] == session.progress("all").open


def test_a_note_may_look_like_an_option(adjudicate: Run, register: Path):
    case = queued(register, "borderline")[0].id
    assert adjudicate("-C", register, *ME, "decide", case, "unsure", "--note", "-Carlo").code == 0
    assert adjudicate("decide", case, "unsure", "--note", "--verifier", "-C", register, "--verifier", "mp").code == 0
    assert [entry.note for entry in read_log(register / "adjudications").entries] == ["-Carlo", "--verifier"]
