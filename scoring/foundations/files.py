"""Bytes of files: of one that somebody else wrote, a regular file of a size that can be read, or a sentence; and a file written whole.

Knows no format.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from scoring.foundations.problems import InputError

SIZE_LIMIT: Final = 64 * 1024 * 1024
_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_bytes(path: Path, *, limit: int | None = SIZE_LIMIT, hint: str = "it is hardly what its name says; remove it") -> bytes:
    """The bytes of a regular file. A pipe or a device is not waited for.

    Args:
        path: the file.
        limit: the most bytes it may have; None for a file that only this program makes large.
        hint: what to do about a file that is larger.

    Raises:
        InputError: it cannot be read, is no regular file, or is larger than `limit`.
    """
    try:
        handle = os.open(path, _OPEN)
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise InputError("this is not a regular file", where=path, hint="put the file itself there")
            content = file.read() if limit is None else file.read(limit + 1)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise InputError(f"the file cannot be read ({reason})", where=path, hint="check that it exists and its permissions") from fault
    except ValueError as fault:
        raise InputError(f"the file cannot be read ({fault})", where=ascii(str(path))) from fault
    if limit is not None and len(content) > limit:
        raise InputError(f"the file is larger than {limit // (1024 * 1024)} MB", where=path, hint=hint)
    return content


def write_whole(
    path: Path, data: bytes, *, durable: bool = False, mode: int | None = None, before: Callable[[], None] | None = None
) -> None:
    """Write a file, in a folder made if it is absent. It is put in place when it is whole: whoever reads it finds the old or the new.

    Args:
        path: the file. A link there is replaced, not followed.
        data: what is to be in it.
        durable: whether it must be on disk, and not only handed to the system, when this returns.
        mode: its permissions; the usual ones unless given.
        before: called when the new file is whole and the old one still in place; what it raises leaves the old one.

    Raises:
        OSError: the folder or the file cannot be written; what was there is untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if mode is None:
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        part.chmod(mode)
        if before is not None:
            before()
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    if durable and os.name == "posix":
        _sync(path.parent)


def _sync(folder: Path) -> None:
    """Put the folder's entries on disk, where its file system can do that by itself."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)
