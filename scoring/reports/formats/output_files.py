"""Writing outputs: each file whole or not at all, the same bytes on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scoring.foundations.files import write_whole
from scoring.foundations.problems import InputError


def write_files(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files into a folder, made if it is absent. Each is put in place when it is whole. Returns the paths in order.

    Args:
        files: contents by path from the folder, with `/`.

    Raises:
        InputError: the folder or a file cannot be written.
    """
    written = []
    for name, data in files.items():
        path = folder.joinpath(*name.split("/"))
        try:
            write_whole(path, data)
        except OSError as fault:
            hint = "name a folder you may write to, with room in it"
            raise InputError(f"this cannot be written ({fault.strerror or fault})", where=path, hint=hint) from fault
        written.append(path)
    return written
