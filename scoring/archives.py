"""ZIP archives of others: checked before anything in them is unpacked."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath
from typing import Final

from scoring.files import SIZE_LIMIT
from scoring.problems import InputError

MOST_MEMBERS: Final = 100_000
MOST_BYTES: Final = 1024 * 1024 * 1024
# A member that is small is let be, however well it is packed.
_RATIO, _SMALL = 200, 8 * 1024 * 1024


def open_zip(path: Path, *, most_bytes: int = MOST_BYTES) -> zipfile.ZipFile:
    """Open a ZIP archive whose members are bounded in number, size and packing, and whose names stay inside a folder.

    Raises:
        InputError: it cannot be read, is no archive, is encrypted, or unpacks to more than can be meant.
    """
    try:
        if path.stat().st_size > 4 * SIZE_LIMIT:
            raise InputError(f"the archive is larger than {4 * SIZE_LIMIT // 1024**2} MB", where=path)
        archive = zipfile.ZipFile(path)
    except OSError as fault:
        raise InputError(f"the file cannot be read ({fault.strerror or fault})", where=path) from fault
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as fault:
        raise InputError(f"this is no readable archive ({fault})", where=path, hint="save or export the file again") from fault
    try:
        _check(archive, path, most_bytes)
    except InputError:
        archive.close()
        raise
    return archive


def _check(archive: zipfile.ZipFile, path: Path, most_bytes: int) -> None:
    members = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise InputError(f"the archive has {len(members)} members, more than {MOST_MEMBERS}", where=path)
    total = 0
    for member in members:
        name = PurePosixPath(member.filename)
        if name.is_absolute() or ".." in name.parts or "\\" in member.filename or ":" in member.filename[:3]:
            raise InputError(f"the archive names a file outside itself ({member.filename[:80]!a})", where=path, hint="do not use it")
        if member.flag_bits & 1:
            raise InputError("the archive is encrypted", where=path, hint="save it without a password")
        total += member.file_size
        if member.file_size > _SMALL and member.file_size > _RATIO * max(member.compress_size, 1):
            raise InputError(
                f"{member.filename[:80]!a} in the archive unpacks to {member.file_size // 1024**2} MB, "
                f"{member.file_size // max(member.compress_size, 1)} times its packed size",
                where=path,
                hint="it is hardly what its name says; remove it",
            )
    if total > most_bytes:
        raise InputError(f"the archive unpacks to more than {most_bytes // 1024**2} MB", where=path, hint="divide it")


def read_member(archive: zipfile.ZipFile, name: str, *, limit: int = SIZE_LIMIT) -> bytes:
    """Return the bytes of a member, at most `limit` of them.

    Raises:
        InputError: the member is damaged or larger, whatever the archive's index says.
    """
    try:
        with archive.open(name) as file:
            content = file.read(limit + 1)
    except (zipfile.BadZipFile, OSError, KeyError, EOFError, NotImplementedError, RuntimeError) as fault:
        raise InputError(f"{name[:80]!a} in the archive cannot be read ({fault})", where=archive.filename) from fault
    except Exception as fault:
        # Decompressors raise errors of their own (zlib.error, lzma.LZMAError).
        raise InputError(f"{name[:80]!a} in the archive is damaged ({fault})", where=archive.filename) from fault
    if len(content) > limit:
        raise InputError(f"{name[:80]!a} in the archive is larger than {limit // 1024**2} MB", where=archive.filename)
    return content
