"""Page scans and the line of a row: boxes, crops, and what cannot be shown (`docs/review.md#page-scans`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from scoring.foundations.problems import InputError
from scoring.workspace.layout import Workspace, open_workspace
from scoring.workspace.scans import Scan, find_scan, line_crop

BOX = (20, 60, 180, 84)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = tmp_path / "register"
    (root / "gt").mkdir(parents=True)
    (root / "gt" / "gt_page_28.csv").write_text("name\nAnna\nBruno\n", "utf-8")
    (root / "images").mkdir()
    return open_workspace(root)


def page(path: Path, size: tuple[int, int] = (200, 300)) -> Path:
    """A white page with one line of black ink in the box."""
    picture = Image.new("L", size, 255)
    ImageDraw.Draw(picture).rectangle((BOX[0], BOX[1], BOX[2] - 1, BOX[3] - 1), fill=0)
    picture.save(path)
    return path


def boxes(workspace: Workspace, found: object) -> Path:
    path = workspace.images / "page_28.json"
    path.write_text(found if isinstance(found, str) else json.dumps(found), "utf-8")
    return path


def test_the_line_of_a_row_is_cut_out_of_the_page(workspace: Workspace, tmp_path: Path):
    picture = page(workspace.images / "page_28.png")
    boxes(workspace, {"2": list(BOX)})
    scan = find_scan(workspace, "28", 2)
    assert scan == Scan(picture, BOX)
    cut = line_crop(scan, tmp_path / "line.png")
    assert cut == tmp_path / "line.png"
    with Image.open(cut) as line:
        assert line.size == (160, 24)
        assert line.getextrema() == ((0, 0), (0, 0), (0, 0)), "the ink and nothing around it"


def test_without_a_box_the_page_itself_is_shown(workspace: Workspace, tmp_path: Path):
    picture = page(workspace.images / "page_28.png")
    assert find_scan(workspace, "28", 2) == Scan(picture)
    boxes(workspace, {"1": list(BOX)})
    scan = find_scan(workspace, "28", 2)
    assert scan == Scan(picture)
    assert line_crop(scan, tmp_path / "line.png") == picture
    assert not (tmp_path / "line.png").exists()
    assert find_scan(workspace, "28") == Scan(picture), "no row is asked about"


def test_a_box_of_no_extent_is_none_and_edges_are_rounded(workspace: Workspace):
    picture = page(workspace.images / "page_28.png")
    boxes(workspace, {"1": [50, 60, 50, 84], "2": [19.6, 60, 180.2, 84]})
    assert find_scan(workspace, "28", 1) == Scan(picture)
    assert find_scan(workspace, "28", 2) == Scan(picture, BOX)


def test_a_box_beyond_the_page_is_cut_at_its_edge(workspace: Workspace, tmp_path: Path):
    page(workspace.images / "page_28.png")
    boxes(workspace, {"1": [150, 250, 400, 900], "2": [-50, 10, 40, 30], "3": [900, 900, 950, 950]})
    sizes = []
    for row in (1, 2):
        scan = find_scan(workspace, "28", row)
        assert scan is not None
        with Image.open(line_crop(scan, tmp_path / "line.png")) as line:
            sizes.append(line.size)
    assert sizes == [(50, 50), (40, 20)]
    beyond = find_scan(workspace, "28", 3)
    assert beyond is not None
    with pytest.raises(InputError, match="lies outside the scan, which is 200 by 300 pixels"):
        line_crop(beyond, tmp_path / "line.png")


def test_there_is_no_scan(workspace: Workspace):
    assert find_scan(workspace, "28", 1) is None
    page(workspace.images / "page_29.png")
    assert find_scan(workspace, "28", 1) is None


def test_a_link_out_of_the_workspace_is_refused(workspace: Workspace, tmp_path: Path):
    outside = page(tmp_path / "secret.png")
    (workspace.images / "page_28.png").symlink_to(outside)
    with pytest.raises(InputError, match="this is a link out of the workspace, and is not followed") as refused:
        find_scan(workspace, "28")
    assert refused.value.where == workspace.images / "page_28.png"
    within = page(workspace.root / "scans.png")
    (workspace.images / "page_28.jpg").symlink_to(within)
    assert find_scan(workspace, "28") == Scan(workspace.images / "page_28.jpg"), "one that stays inside is followed"


def test_boxes_linked_from_outside_are_not_read(workspace: Workspace, tmp_path: Path):
    page(workspace.images / "page_28.png")
    (tmp_path / "elsewhere.json").write_text(json.dumps({"1": list(BOX)}), "utf-8")
    (workspace.images / "page_28.json").symlink_to(tmp_path / "elsewhere.json")
    assert find_scan(workspace, "28") == Scan(workspace.images / "page_28.png")
    with pytest.raises(InputError, match="this is a link out of the workspace"):
        find_scan(workspace, "28", 1)


@pytest.mark.parametrize(
    ("found", "what"),
    [
        ("{", "the boxes cannot be read"),
        ({"1": "all of it"}, "the box of row 1 is 'all of it'"),
        ({"1": [1, 2, 3]}, r"the box of row 1 is \[1, 2, 3\]"),
        ({"1": [1, 2, 3, "4"]}, "the box of row 1 is"),
        ({"1": [1, 2, 3, True]}, "the box of row 1 is"),
        ('{"1": [1, 2, 3, NaN]}', "the box of row 1 is"),
        ('{"1": [1, 2, 3, 1e999]}', "the box of row 1 is"),
        (f'{{"1": [1, 2, 3, {10**400}]}}', "the box of row 1 is"),
    ],
)
def test_faulty_boxes_are_told_with_their_file(workspace: Workspace, found: object, what: str):
    page(workspace.images / "page_28.png")
    path = boxes(workspace, found)
    with pytest.raises(InputError, match=what) as refused:
        find_scan(workspace, "28", 1)
    assert refused.value.where == path
    assert "[left, top, right, bottom]" in refused.value.hint


def test_a_picture_that_is_none_is_a_sentence(workspace: Workspace, tmp_path: Path):
    (workspace.images / "page_28.png").write_bytes(b"no picture")
    boxes(workspace, {"1": list(BOX)})
    scan = find_scan(workspace, "28", 1)
    assert scan is not None
    with pytest.raises(InputError, match="the scan cannot be read"):
        line_crop(scan, tmp_path / "line.png")


def test_a_pdf_is_opened_as_it_is(workspace: Workspace, tmp_path: Path):
    (workspace.images / "page_28.pdf").write_bytes(b"%PDF-1.7")
    boxes(workspace, {"1": list(BOX)})
    scan = find_scan(workspace, "28", 1)
    assert scan == Scan(workspace.images / "page_28.pdf", BOX)
    assert line_crop(scan, tmp_path / "line.png") == scan.path
