"""Running the command in this process, and laying out small campaigns."""

import contextlib
import io
import shutil
from pathlib import Path
from typing import NamedTuple

from tui.cli import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


def run(*args: object) -> Result:
    """`adjudicate ARGS`, as it would be called: exit code, standard output, standard error."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(arg) for arg in args])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return Result(code, out.getvalue(), err.getvalue())


def laid_out(source: Path, folder: Path) -> Path:
    """A writable copy of a read-only folder."""
    shutil.copytree(source, folder, copy_function=shutil.copyfile, dirs_exist_ok=True)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return folder
