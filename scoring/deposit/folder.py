"""A folder written whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from scoring.files import write_whole
from scoring.problems import InputError
from scoring.workspace import Workspace


def refuse(folder: Path, workspace: Workspace) -> None:
    """Raise InputError where `folder` holds something, is a file, or lies in a folder that the workspace reads inputs from."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise InputError("this is not a folder", where=folder, hint="name a folder that does not exist yet")
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError("this folder is not empty", where=folder, hint="name a folder that does not exist yet, or empty this one")
    target = folder.resolve()
    for read in (workspace.gt, workspace.runs, workspace.adjudications, workspace.questions, workspace.data, workspace.images):
        if target.is_relative_to(read.resolve()):
            raise InputError(
                f"inputs are read from `{read.name}/`, so nothing is written into it", where=folder, hint="name another folder"
            )


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a new or empty folder. It is put in place when all of them are written; after a fault nothing is left.

    Raises:
        InputError: the folder or a file cannot be written, or something was put into the folder meanwhile.
    """
    hint = "name a folder you may write to, with room in it"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    except OSError as fault:
        raise InputError(f"this cannot be written ({fault.strerror or fault})", where=folder, hint=hint) from fault
    try:
        for name, data in files.items():
            write_whole((part / "package").joinpath(*name.split("/")), data)
        if folder.is_dir():
            folder.rmdir()
        (part / "package").replace(folder)
    except OSError as fault:
        raise InputError(f"this cannot be written ({fault.strerror or fault})", where=folder, hint=hint) from fault
    finally:
        shutil.rmtree(part, ignore_errors=True)
