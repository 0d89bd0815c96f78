"""Where runs lie: depth, names, and what does not fit."""

import os
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.model_run import split_key
from scoring.tables.locating import run_of
from tests.scoring.tables.inputs import ANNA, BRUNO, read, told

BOTH = [ANNA, BRUNO]


@pytest.mark.parametrize(
    ("files", "keys", "layout"),
    [
        (["m/p/run_1/page_1.json"], ["m/p/run_1"], "runs/<model>/<phase>/<run>"),
        (["m/p/run_1.json"], ["m/p/run_1"], "runs/<model>/<phase>/<run>"),
        (["m/p/first.json"], ["m/p/first"], "runs/<model>/<phase>/<run>"),
        (["m/p/2026-01-02/page_1.json"], ["m/p/2026-01-02"], "runs/<model>/<phase>/<run>"),
        (["openai/gpt-5/naive/run_1/page_1.json"], ["openai/gpt-5/naive/run_1"], "runs/<provider>/<model>/<phase>/<run>"),
        (["openai/gpt-5/naive/first/1.json"], ["openai/gpt-5/naive/first"], "runs/<provider>/<model>/<phase>/<run>"),
        (["hub/org/m/p/run_1.json"], ["hub/org/m/p/run_1"], "runs/<folder>/<folder>/<model>/<phase>/<run>"),
        (["m/run_1/page_1.json", "m/run_2/page_1.json"], ["m/default/run_1", "m/default/run_2"], "runs/<model>/<run>"),
        (["m/run_1.json"], ["m/default/run_1"], "runs/<model>/<run>"),
        (["m/p/page_1.json"], ["m/default/p"], "runs/<model>/<run>"),
        (["gpt-5@high/p/run_1/1.json"], ["gpt-5@high/p/run_1"], "runs/<model>/<phase>/<run>"),
        (["llama3:70b/p/run_1/1.json"], ["llama3:70b/p/run_1"], "runs/<model>/<phase>/<run>"),
        (["gpt 4.1 mini/zero shot/run 1/1.json"], ["gpt 4.1 mini/zero shot/run 1"], "runs/<model>/<phase>/<run>"),
        (["Größe/naïve/run_1/1.json"], ["Größe/naïve/run_1"], "runs/<model>/<phase>/<run>"),
    ],
)
def test_the_depth_of_the_runs(tmp_path: Path, files: list[str], keys: list[str], layout: str):
    answer = {"pages": {"1": BOTH}}
    material = read(tmp_path, {name: BOTH if name[-6:] == "1.json" and "run_1.json" not in name else answer for name in files})
    assert [run.key for run in material.runs] == keys
    assert material.layout == layout
    assert [(run.pages["1"].status, len(run.pages["1"].rows)) for run in material.runs] == [("ok", 2)] * len(keys)
    usual = layout == "runs/<model>/<phase>/<run>"
    assert told(material.problems) == ([] if usual else [f"repair: runs: the runs lie in {layout}"])


def test_one_depth_holds_for_all_and_the_rest_is_named(tmp_path: Path):
    files = {f"openai/gpt-5/naive/run_{number}/page_1.json": BOTH for number in (1, 2)}
    material = read(tmp_path, {**files, "gpt-4/naive/run_1/page_1.json": BOTH, "solo/run_1.json": {"pages": {"1": BOTH}}, "x.json": "[]"})
    assert [run.key for run in material.runs] == ["openai/gpt-5/naive/run_1", "openai/gpt-5/naive/run_2"]
    place = "runs/<provider>/<model>/<phase>/"
    assert told(material.problems) == [
        f"repair: runs: the runs lie in {place}<run>",
        f"warning: runs/x.json: not taken as a run, for it does not lie in {place}",
        f"warning: runs/gpt-4/naive/run_1: not taken as a run, for it does not lie in {place}",
        f"warning: runs/solo/run_1.json: not taken as a run, for it does not lie in {place}",
    ]


def test_what_lies_deeper_is_named_and_makes_no_run(tmp_path: Path):
    files = {f"m/p/run_{number}/page_1.json": BOTH for number in (1, 2)}
    material = read(tmp_path, {**files, "openai/gpt-5/naive/run_1/page_1.json": BOTH})
    assert [run.key for run in material.runs] == ["m/p/run_1", "m/p/run_2"]
    assert told(material.problems) == [
        "warning: runs/openai/gpt-5/naive: not taken as a run: it holds runs, which lie deeper than the other runs"
    ]


def test_an_equal_number_at_two_depths_is_read_as_usual(tmp_path: Path):
    material = read(tmp_path, {"m/p/run_1/page_1.json": BOTH, "org/m/p/run_1/page_1.json": BOTH})
    assert [run.key for run in material.runs] == ["m/p/run_1"]


def test_a_folder_without_a_run_is_named(tmp_path: Path):
    (tmp_path / "runs" / "empty" / "p").mkdir(parents=True)
    material = read(tmp_path, {"m/p/run_1/page_1.json": BOTH})
    assert told(material.problems) == ["warning: runs/empty/p: no run lies in this folder"]


def test_runs_of_which_none_can_be_read(tmp_path: Path):
    material = read(tmp_path, {"page_1.json": BOTH})
    assert material.runs == ()
    assert told(material.problems) == [
        "warning: runs/page_1.json: not taken as a run, for it does not lie in runs/<model>/<phase>/",
        "warning: runs: no run could be read of what lies here; runs lie in runs/<model>/<phase>/<run>",
    ]


def test_two_runs_of_nearly_one_name(tmp_path: Path):
    material = read(tmp_path, {"m/p/run_01/page_1.json": BOTH, "m/p/run_1/page_1.json": [ANNA]})
    assert [(run.key, len(run.pages["1"].rows)) for run in material.runs] == [("m/p/run_01", 2), ("m/p/run_1", 1)]
    assert told(material.problems) == [
        "warning: runs/m/p/run_1: run_01 beside it has the same name but for zeros or case; both are read, as two runs"
    ]


def test_names_are_in_nfc(tmp_path: Path):
    folder = unicodedata.normalize("NFD", "Größe/naïve/run_1")
    material = read(tmp_path, {f"{folder}/page_1.json": BOTH})
    assert [run.key for run in material.runs] == ["Größe/naïve/run_1"]


def test_many_files_that_are_no_runs_take_a_few_lines(tmp_path: Path):
    folder = tmp_path / "runs" / "m" / "p"
    folder.mkdir(parents=True)
    for number in range(2_000):
        (folder / f"{number}.txt").touch()
    material = read(tmp_path, {"m/p/run_1/page_1.json": BOTH})
    assert len(material.problems) == 21
    assert told(material.problems)[-1] == (
        "warning: runs/m/p: 1980 more entries not taken as a run, for it is neither a folder nor a .json or .jsonl file"
    )


def test_a_run_folder_of_very_many_files_is_bounded(tmp_path: Path):
    folder = tmp_path / "runs" / "m" / "p" / "run_1"
    folder.mkdir(parents=True)
    # Hard links: one file under many names is made fast.
    first = folder / "page_x0.json"
    first.write_text("[]")
    for number in range(1, 20_000):
        os.link(first, folder / f"page_x{number}.json")
    start = time.process_time()
    material = read(tmp_path, {"m/p/run_1/page_1.json": BOTH})
    assert time.process_time() - start < 10
    assert len(material.problems) == 21
    assert told(material.problems)[-1] == "note: runs/m/p/run_1: 19980 more pages are not in the ground truth"
    assert len(material.runs[0].pages["1"].rows) == 2


def test_a_phase_of_more_runs_than_anybody_makes(tmp_path: Path):
    folder = tmp_path / "runs" / "many" / "p"
    folder.mkdir(parents=True)
    first = folder / "run_0.json"
    first.write_text("{}")
    for number in range(1, 10_001):
        os.link(first, folder / f"run_{number}.json")
    material = read(tmp_path, {"m/p/run_1/page_1.json": BOTH})
    assert [run.key for run in material.runs] == ["m/p/run_1"]
    assert told(material.problems) == ["warning: runs/many/p: not read: 10001 files and folders, more than 10000 runs of one model"]


def test_links_out_of_the_workspace_and_in_circles_are_not_followed(tmp_path: Path):
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "w"
    (root / "runs" / "m" / "p").mkdir(parents=True)
    (root / "runs" / "m" / "out").symlink_to(outside)
    (root / "runs" / "m" / "round").symlink_to(root / "runs")
    material = read(root, {"m/p/run_1/page_1.json": BOTH})
    assert [run.key for run in material.runs] == ["m/p/run_1"]
    assert told(material.problems) == [
        "warning: runs/m/out: a link that leads out of the workspace (or nowhere) was not followed",
        "warning: runs/m/round: a link to a folder around it was not followed",
    ]


NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1)


@given(st.lists(NAMES, min_size=1, max_size=4), NAMES, NAMES)
@settings(deadline=None)
def test_a_key_is_split_as_it_was_made(model: list[str], phase: str, run: str):
    assert split_key("/".join((*model, phase, run))) == ("/".join(model), phase, run)


@given(st.lists(NAMES, min_size=1, max_size=4), NAMES, NAMES, st.integers(1, 99))
@settings(deadline=None)
def test_a_row_names_its_run_whatever_the_model_is_called(model: list[str], phase: str, run: str, row: int):
    key = "/".join((*model, phase, run))
    assert run_of(f"model:{key}:28:{row}") == key


def test_a_key_of_fewer_parts():
    assert split_key("team") == ("team", "", "team")
    assert split_key("team/run") == ("team", "run", "run")
