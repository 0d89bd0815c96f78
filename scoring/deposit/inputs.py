"""The input files of a workspace, each with its size and SHA-256."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scoring.problems import InputError
from scoring.reports.tables import Column, Table, table
from scoring.workspace import Workspace, entries

_FOLDERS: Final = ("gt", "runs", "adjudications", "questions", "data")
_FILES: Final = (
    *("adjudicate.toml", "EQUIVALENCES.md", "import.json", "teams.json", "competition_config.json", "ecoextract_schema.json"),
    "*.db",
)


def inputs(workspace: Workspace) -> Table:
    """`inputs`: path from the workspace root, size in bytes and SHA-256 of each file that figures may rest on.

    Raises:
        InputError: a file or folder cannot be read.
    """
    root = workspace.root
    files = [path for pattern in _FILES for path in sorted(root.glob(pattern)) if path.is_file()]
    for name in _FOLDERS:
        files += _below(root / name, root)
    rows = [(workspace.relative(path), *_hashed(path)) for path in files]
    head = (Column("path"), Column("bytes", "count"), Column("sha256"))
    return table("inputs", "Input files", head, rows, "The files themselves are not part of this package; hidden files are left out.")


def _below(top: Path, root: Path) -> Iterator[Path]:
    """The regular files below a folder, in natural order; links out of the workspace are not followed, a loop is left."""
    seen: set[Path] = set()
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        real = folder.resolve()
        if real in seen:
            continue
        seen.add(real)
        found = entries(folder, root)[0]
        yield from (path for path in found if path.is_file())
        waiting += reversed([path for path in found if path.is_dir()])


def _hashed(path: Path) -> tuple[int, str]:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return file.tell(), digest
    except OSError as fault:
        raise InputError(f"the file cannot be read ({fault.strerror or fault})", where=path, hint="check its permissions") from fault
