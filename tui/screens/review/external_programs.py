"""What the workbench opens outside itself: the Records desk in its terminal, the scan of a page."""

from __future__ import annotations

import atexit
import subprocess
import sys
import tempfile
from functools import cache, partial
from pathlib import Path
from shutil import rmtree

from textual.app import App

from scoring.workspace.layout import open_workspace
from scoring.workspace.scans import find_scan, line_crop
from tui.screens.review.scan import ScanScreen

HERE = Path(__file__).resolve().parents[3]


@cache
def _pictures() -> Path:
    """A folder for what is cut out of scans, which nobody else can have laid a link into; it goes with the program."""
    folder = Path(tempfile.mkdtemp(prefix="adjudicate-"))
    atexit.register(partial(rmtree, folder, ignore_errors=True))
    return folder


def open_desk(app: App[None], workspace: Path, verifier: str | None, database: Path) -> None:
    """Leave the terminal to the Records desk on a database, until it is closed."""
    named = ("--verifier", verifier) if verifier else ()
    command = [
        sys.executable, "-m", "tui", "-C", str(workspace.resolve()), *named, "records", "review", str(database.resolve())
    ]  # fmt: skip
    with app.suspend():
        subprocess.run(command, cwd=HERE, check=False)


def open_scan(app: App[None], workspace: Path, page: str, row: int | None) -> str:
    """Open the scan of a page, or its line where boxes are given: here where the terminal can, else outside; what was done, in words."""
    scan = find_scan(open_workspace(workspace), page, row)
    if scan is None:
        return f"There is no scan of page {page}: put one at images/page_{page}.png."
    shown = line_crop(scan, _pictures() / "adjudicate-line.png")
    if ScanScreen.possible(shown):
        app.push_screen(ScanScreen(shown, f"page {page}" + (f", row {row}" if scan.box is not None else "")))
        return ""
    app.open_url(shown.resolve().as_uri())
    return f"opened {shown.name} outside"
