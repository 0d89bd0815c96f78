"""A database reviewed on screen from its first document to its last, promoted to ground truth, and other runs scored against it."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.scoring.records.build import make, record, rows, run
from tests.shared import shared
from tui.cli import adjudicate
from tui.records_desk.screens.app import make_records_app
from tui.records_desk.session import RecordsSitting


def call(*words: object) -> str:
    """The command, run to its end."""
    found = CliRunner().invoke(adjudicate, ["--verifier", "mp", *map(str, words)], catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout


async def reviewed(path: Path, name: str, value: str) -> RecordsSitting:
    """Review every document by keys alone: the first open record is deleted, the second edited, the rest accepted, one record added."""
    from scoring.records.review.review_session import Review

    with Review.open(path, path.parent / "adjudications", "mp") as review:
        sitting = RecordsSitting(review)
        app = make_records_app(sitting)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("home")
            for number in range(len(sitting.documents)):
                await pilot.press("enter")
                waiting = sitting.waiting
                if waiting > 1:
                    await pilot.press("d")
                if waiting:
                    sitting.column = value
                    await pilot.press("e", *" mended", "enter", "n")
                while sitting.waiting:
                    await pilot.press("a")
                await pilot.press("plus")
                app.screen._at = app.screen.names.index(name)
                await pilot.press("enter", *f"missed {number}", "enter", "s", "v")
                if not sitting.line.reviewed:
                    await pilot.press("v")
                assert sitting.line.reviewed
                await pilot.press("b", "down")
            await pilot.press("q")
        assert all(line.reviewed for line in sitting.documents.values())
        return sitting


def scored(path: Path, folder: Path, expected: int) -> None:
    """Promote, make a faithful run and one that lost a row a page, and score both."""
    told = call("records", "promote", path, "--to", folder)
    assert f"{expected} records" in told
    pages: dict[str, list[dict[str, str]]] = {}
    for file in sorted((folder / "gt").glob("gt_page_*.csv")):
        with file.open(encoding="utf-8", newline="") as lines:
            pages[file.stem.rpartition("_")[2]] = list(csv.DictReader(lines))
    assert sum(map(len, pages.values())) == expected
    for model, drop in (("faithful", 0), ("lossy", 1)):
        answers = {page: {"status": "ok", "entries": entries[: len(entries) - drop]} for page, entries in pages.items()}
        document = {"model": model, "phase": "naive", "run": 1, "generated": "2026-01-02T03:04:05Z", "pages": answers}
        target = folder / "runs" / model / "naive" / "run_01.json"
        target.parent.mkdir(parents=True)
        target.write_text(json.dumps(document), "utf-8")
    cells = {cell["model"]: cell for cell in json.loads(call("-C", folder, "score", "--format", "json"))["cells"]}
    assert (cells["faithful"]["gt_rows"], cells["faithful"]["matched"], cells["faithful"]["f1"]) == (expected, expected, 1.0)
    lost = len(pages)
    assert (cells["lossy"]["matched"], cells["lossy"]["missed"]) == (expected - lost, lost)
    assert cells["lossy"]["recall"] == pytest.approx((expected - lost) / expected)


async def test_an_own_database_is_reviewed_promoted_and_scored_against(tmp_path: Path):
    path = make(tmp_path / "data", documents=3, records=4)
    run(path, "UPDATE records SET name = name || ' ' || id, added_by_user = 0")
    assert record(1, 1)["added_by_user"] == 0
    await reviewed(path, "name", "place")
    assert sum(row["deleted_by_user"] is not None for row in rows(path, "records")) == 3
    assert [row["column_name"] for row in rows(path, "record_edits")] == ["place"] * 3
    scored(path, tmp_path / "truth", 12)


async def test_the_realistic_database_is_reviewed_promoted_and_scored_against(tmp_path: Path):
    path = tmp_path / "data" / "my.db"
    path.parent.mkdir()
    shutil.copy(shared("data", "eco", "db", "F18_realistic.db"), path)
    shutil.copy(shared("data", "eco", "schemas", "review.json"), path.parent / "ecoextract_schema.json")
    before = {row["id"]: row for row in rows(path, "records")}
    await reviewed(path, "bat_species_scientific_name", "location")
    after = {row["id"]: row for row in rows(path, "records")}
    alive = sum(row["deleted_by_user"] is None for row in after.values())
    assert len(after) == len(before) + 4
    figures = json.loads(call("records", "accuracy", path, "--format", "json"))["ecoextract"]
    assert figures["verified_documents"] == 4
    assert figures["records_missed"] == sum(row["added_by_user"] == 1 for row in after.values())
    scored(path, tmp_path / "truth", alive)
