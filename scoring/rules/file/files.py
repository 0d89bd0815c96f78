"""The file of rules on disk: read whole, and replaced whole or not at all. The one place where EQUIVALENCES.md is opened."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from scoring.foundations.files import read_bytes
from scoring.foundations.problems import CONFLICT, InputError, Problem, Severity, conflict_line
from scoring.rules.checks.check import field_problems
from scoring.rules.parse import lines_of, parse
from scoring.rules.rows import Rules

BOM = "\ufeff"
RULES_LIMIT: Final = 4 * 1024 * 1024


def content_of(data: bytes) -> str:
    """The SHA-256 by which a writer recognises the file it read."""
    return hashlib.sha256(data).hexdigest()


def _decoded(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        line = len(lines_of(data[: fault.start].decode("utf-8", "replace") + "."))
        raise InputError("this is not UTF-8 text", where=path, line=line, hint="Save the file as UTF-8") from None


def _unreadable(path: Path, fault: OSError) -> InputError:
    return InputError(f"cannot be read ({fault.strerror or fault})", where=path)


def read_rules(path: Path, fields: Collection[str] | None = None) -> Rules:
    """Read EQUIVALENCES.md (`docs/rules.md`).

    Faulty content raises nothing: it is in `problems`, each with its line. With `fields`, unknown fields are among them.

    Raises:
        InputError: the file cannot be read or is not UTF-8.
    """
    data = read_bytes(path, limit=RULES_LIMIT, hint="Rules are rows that a person wrote; move everything else out of the file")
    text = _decoded(data, path).removeprefix(BOM)
    rules, _ = parse(text, path, content_of(data))
    conflict = conflict_line(text)
    if conflict is not None:
        rules = replace(rules, problems=(Problem(Severity.ERROR, CONFLICT, str(path), conflict), *rules.problems))
    if fields is None:
        return rules
    return replace(rules, problems=(*rules.problems, *field_problems(rules, fields)))


def _target(path: Path, workspace: Path | None) -> Path:
    """The file itself, symlinks followed, which must lie in the workspace (by default the folder that holds it)."""
    root = (workspace or path.parent).resolve()
    target = path.resolve()
    if not target.is_relative_to(root):
        raise InputError(f"leads out of the workspace, to {target}", where=path, hint="Put the file itself into the workspace")
    return target


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder against other writers of rules. Where a folder cannot be locked, the check of the content stands alone."""
    import portalocker

    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        yield
        return
    except OSError as fault:
        raise _unreadable(folder, fault) from None
    try:
        with suppress(portalocker.exceptions.LockException):
            portalocker.lock(handle, portalocker.LockFlags.EXCLUSIVE)
        yield
    finally:
        os.close(handle)


def _current(target: Path, path: Path) -> bytes | None:
    try:
        return target.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise _unreadable(path, fault) from None


def _put(target: Path, data: bytes, before: bytes | None, path: Path) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(handle, "wb") as file:
            if before is not None:
                state = target.stat()
                os.chmod(temporary, stat.S_IMODE(state.st_mode))
                if os.name == "posix" and (state.st_uid, state.st_gid) != (os.geteuid(), os.getegid()):
                    with suppress(PermissionError):
                        os.chown(temporary, state.st_uid, state.st_gid)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if _current(target, path) != before:
            raise _changed(path)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    if os.name == "posix":
        # The new file stands already; some file systems cannot sync a folder.
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            with suppress(OSError):
                os.fsync(folder)
        finally:
            os.close(folder)


def _changed(path: Path) -> InputError:
    return InputError("has changed since it was read, so nothing was written", where=path, hint="Read it again and repeat the change")


def rewrite(path: Path, change: Callable[[str], str], *, expected: str | None = None, workspace: Path | None = None) -> None:
    """Replace the file by what `change` makes of its text (`""` where there is none), durably, keeping its mode and byte order mark.

    Args:
        path: the file; it may be absent.
        change: from the text, line ends as they are, to the new text. What it raises leaves the file as it was.
        expected: the `content` the caller read (`""`: there was no file); None forgoes the guard.
        workspace: where the file must lie when it is a symlink; by default the folder it is in.

    Raises:
        InputError: the file has changed, leads out of the workspace, or cannot be read or written.
    """
    target = _target(path, workspace)
    with _alone(target.parent):
        before = _current(target, path)
        if expected is not None and (content_of(before) if before is not None else "") != expected:
            raise _changed(path)
        if before is not None and not os.access(target, os.W_OK):
            raise InputError("is write-protected, so nothing was written", where=path)
        text = _decoded(before, path) if before is not None else ""
        mark = BOM if text.startswith(BOM) else ""
        after = (mark + change(text.removeprefix(BOM))).encode("utf-8")
        if after == before:
            return
        try:
            _put(target, after, before, path)
        except OSError as fault:
            raise InputError(f"cannot be written ({fault.strerror or fault})", where=path) from None
