"""Writing outputs: each file whole or not at all, the same bytes on every machine."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from scoring.problems import InputError


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
        _write(path, data)
        written.append(path)
    return written


def _write(path: Path, data: bytes) -> None:
    part: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        part = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    except OSError as fault:
        if part is not None:
            part.unlink(missing_ok=True)
        hint = "name a folder you may write to, with room in it"
        raise InputError(f"this cannot be written ({fault.strerror or fault})", where=path, hint=hint) from fault
