"""Page scans of a workspace: `images/page_28.*`, and boxes by row in `images/page_28.json` (`4-adjudication`, Review)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from scoring.problems import InputError
from scoring.workspace import Workspace

SUFFIXES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".pdf")


@dataclass(frozen=True, slots=True)
class Scan:
    """A scan, and the box of the row asked about as left, top, right, bottom in its pixels, where one is given."""

    path: Path
    box: tuple[int, int, int, int] | None = None


def find_scan(workspace: Workspace, page: str, row: int | None = None) -> Scan | None:
    """The scan of a page, with the box of a GT row (from 1) if `page_<id>.json` has one (`{"4": [left, top, right, bottom]}`).

    Raises:
        InputError: the boxes cannot be read, or a box is none.
    """
    path = next((found for suffix in SUFFIXES if (found := workspace.images / f"page_{page}{suffix}").is_file()), None)
    if path is None or not path.resolve().is_relative_to(workspace.root.resolve()):
        return None
    boxes = workspace.images / f"page_{page}.json"
    if row is None or not boxes.is_file():
        return Scan(path)
    try:
        found = json.loads(boxes.read_bytes().decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as fault:
        raise InputError(f"the boxes cannot be read ({fault})", where=boxes, hint="write {row: [left, top, right, bottom]}") from fault
    box = found.get(str(row)) if isinstance(found, dict) else None
    if box is None:
        return Scan(path)
    if not isinstance(box, list) or len(box) != 4 or not all(isinstance(edge, int | float) for edge in box):
        raise InputError(f"the box of row {row} is {box!r}", where=boxes, hint="write [left, top, right, bottom] in pixels")
    left, top, right, bottom = (round(edge) for edge in box)
    return Scan(path, (left, top, right, bottom)) if left < right and top < bottom else Scan(path)


def line_crop(scan: Scan, to: Path) -> Path:
    """The scan's box as a picture of its own at `to`; the scan itself where there is no box or it is no picture.

    Raises:
        InputError: the picture cannot be read.
    """
    if scan.box is None or scan.path.suffix.lower() == ".pdf":
        return scan.path
    from PIL import Image

    try:
        with Image.open(scan.path) as picture:
            picture.crop(scan.box).convert("RGB").save(to)
    except (OSError, ValueError, Image.DecompressionBombError) as fault:
        raise InputError(f"the scan cannot be read ({fault})", where=scan.path) from fault
    return to
