"""Page scans of a workspace: `images/page_28.*`, and boxes by row in `images/page_28.json` (`docs/review.md#page-scans`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from scoring.foundations.problems import InputError
from scoring.workspace.layout import Workspace

SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".pdf")
# No scan has so many pixels a side.
_FARTHEST = 10**9
_EDGES = "[left, top, right, bottom]"


@dataclass(frozen=True, slots=True)
class Scan:
    """A scan, and the box of the row asked about as left, top, right, bottom in its pixels, where one is given."""

    path: Path
    box: tuple[int, int, int, int] | None = None


def find_scan(workspace: Workspace, page: str, row: int | None = None) -> Scan | None:
    """The scan of a page, with the box of a GT row (from 1) if `page_<id>.json` has one (`{"4": [left, top, right, bottom]}`).

    Raises:
        InputError: the boxes cannot be read, a box is none, or a file is a link that leads out of the workspace.
    """
    there = [found for suffix in SUFFIXES if (found := workspace.images / f"page_{page}{suffix}").is_file()]
    path = next((found for found in there if _inside(workspace, found)), None)
    if path is None:
        if there:
            raise _led_out(there[0])
        return None
    boxes = workspace.images / f"page_{page}.json"
    if row is None or not boxes.is_file():
        return Scan(path)
    if not _inside(workspace, boxes):
        raise _led_out(boxes)
    return Scan(path, _box(boxes, row))


def _inside(workspace: Workspace, path: Path) -> bool:
    return path.resolve().is_relative_to(workspace.root.resolve())


def _led_out(path: Path) -> InputError:
    return InputError("this is a link out of the workspace, and is not followed", where=path, hint="put the file itself there")


def _box(boxes: Path, row: int) -> tuple[int, int, int, int] | None:
    """The box of a row; `None` where the file has none for it, or one of no extent."""
    try:
        found = json.loads(boxes.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as fault:
        raise InputError(f"the boxes cannot be read ({fault})", where=boxes, hint=f'write {{"4": {_EDGES}}}, a row a box') from fault
    box = found.get(str(row)) if isinstance(found, dict) else None
    if box is None:
        return None
    if not isinstance(box, list) or len(box) != 4 or not all(_is_edge(edge) for edge in box):
        raise InputError(f"the box of row {row} is {box!r}", where=boxes, hint=f"write {_EDGES} in pixels")
    left, top, right, bottom = (round(edge) for edge in box)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _is_edge(edge: object) -> bool:
    return isinstance(edge, int | float) and not isinstance(edge, bool) and abs(edge) <= _FARTHEST


def line_crop(scan: Scan, to: Path) -> Path:
    """The scan's box as a picture of its own at `to`; the scan itself where there is no box or it is no picture.

    Raises:
        InputError: the picture cannot be read, or the box lies outside it.
    """
    if scan.box is None or scan.path.suffix.lower() == ".pdf":
        return scan.path
    from PIL import Image

    try:
        with Image.open(scan.path) as picture:
            width, height = picture.size
            left, top, right, bottom = scan.box
            # Beyond the edge there is no page: the line would be padded with black.
            within = (max(0, left), max(0, top), min(width, right), min(height, bottom))
            if within[0] >= within[2] or within[1] >= within[3]:
                raise InputError(f"the box {list(scan.box)} lies outside the scan, which is {width} by {height} pixels", where=scan.path)
            picture.crop(within).convert("RGB").save(to)
    except (OSError, ValueError, Image.DecompressionBombError) as fault:
        raise InputError(f"the scan cannot be read ({fault})", where=scan.path) from fault
    return to
