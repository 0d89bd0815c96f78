"""Writing the log: `adjudications/<verifier>.jsonl`, append-only, one JSON object a line (`docs/log.md#promises`).

A verdict is on disk before `append` returns. One write a line with O_APPEND under a lock that belongs to the open file
(flock); its count is checked and a short write taken back; then fsync. The file is opened anew for each append, because
git puts a new file in the old one's place when it merges, and a file kept open would take verdicts into the void.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from scoring.adjudication.decisions import line_digest
from scoring.adjudication.log.read import (
    Fault,
    LogContents,
    content,
    decode,
    is_inside,
    is_whole,
    numbered_lines,
    read_file,
    read_log,
    require_sound,
)
from scoring.adjudication.log_entry import VERIFIER_PATTERN, LogEntry, encode, timestamp
from scoring.foundations.problems import InputError, Problem, Severity

__all__ = [
    "Fault",
    "ImportResult",
    "Log",
    "LogContents",
    "LogWriteError",
    "checked_verifier",
    "import_lines",
    "read_log",
    "require_sound",
]

LOCK_SECONDS = 5.0
_BLOCK = 1 << 16
_OPEN = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class LogWriteError(InputError):
    """A verdict could not be written. It is not in the log; the case stays undecided."""


def checked_verifier(name: str) -> str:
    """The verifier's name if it can name a file.

    Raises:
        InputError: it holds more than letters, digits, `-` and `_`, or more than 64 of them.
    """
    if not re.fullmatch(VERIFIER_PATTERN.removeprefix("^").removesuffix("$"), name):
        raise InputError(f"{name!a} cannot be a verifier's name", hint="Use up to 64 letters (a to z, A to Z), digits, - and _")
    return name


def _spelled(value: Any) -> Any:
    """The value with lone surrogates, which UTF-8 cannot carry, spelled out as `\\udXXX`."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {_spelled(key): _spelled(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_spelled(part) for part in value)
    return value


def line_of(entry: LogEntry) -> bytes:
    """The entry as a line of the log, without the newline, checked as a reader would.

    Raises:
        InputError: the entry cannot be read back: a certainty of 9, a retraction that names nothing.
    """
    try:
        line = encode(entry)
    except UnicodeEncodeError:
        line = encode(msgspec.structs.replace(entry, **{name: _spelled(getattr(entry, name)) for name in entry.__struct_fields__}))
    _, reason = decode(line)
    if reason:
        raise InputError(f"The verdict cannot be written to the log: {reason}")
    return line


class Log:
    """One verifier's log file, to be appended to.

    Attributes:
        problems: what appends found and mended (a torn last line).
        appended: bytes appended so far; what the file grew by beyond them, somebody else wrote.
    """

    def __init__(self, folder: Path, verifier: str) -> None:
        self.folder = folder
        self.verifier = checked_verifier(verifier)
        self.path = folder / f"{verifier}.jsonl"
        self.problems: list[Problem] = []
        self.appended = 0

    @classmethod
    def open(cls, folder: Path, verifier: str) -> Log:
        """The verifier's log in the folder `adjudications/`; folder and file are made at the first append.

        Raises:
            InputError: the name cannot be a verifier's, or the file is a link out of the folder.
        """
        import portalocker  # noqa: F401  here and not at the first verdict, which must not wait for it
        import uuid6  # noqa: F401

        log = cls(folder, verifier)
        log._check_link()
        return log

    def append(self, entry: LogEntry) -> None:
        """Put the entry on disk; when this returns it is there.

        Raises:
            LogWriteError: it could not be written, and is not in the log.
            InputError: the entry is not a possible one.
        """
        self.append_many((entry,))

    def append_many(self, entries: Iterable[LogEntry]) -> None:
        """Put all entries on disk with one write, or none of them. Errors as `append`."""
        entries = tuple(entries)
        for entry in entries:
            if entry.verifier != self.verifier:
                raise ValueError(f"an entry of {entry.verifier} for the log of {self.verifier}")
        self.append_lines([line_of(entry) for entry in entries])

    def append_lines(self, lines: Sequence[bytes]) -> None:
        """Put lines, already checked, on disk as they are: all or none. Errors as `append`."""
        if not lines:
            return
        self._check_link()
        data = b"".join(line + b"\n" for line in lines)
        try:
            self._make_folder()
            while not self._appended(data):
                pass
        except OSError as error:
            raise LogWriteError(
                f"The verdict was not written and does not count: {error.strerror or error}",
                where=self.path,
                hint="Make room or mend the folder's rights, then give the verdict again",
            ) from error

    def _check_link(self) -> None:
        if not is_inside(self.path, self.folder):
            raise InputError("The log is a link out of its folder, which is not followed", where=self.path)

    def _make_folder(self) -> None:
        if not self.folder.is_dir():
            self.folder.mkdir(parents=True, exist_ok=True)
            _sync_folder(self.folder.parent)

    def _appended(self, data: bytes) -> bool:
        """Append under the lock; False where the file was replaced meanwhile, so that it must be done again."""
        file = os.open(self.path, _OPEN, 0o644)
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise LogWriteError("The log is not a regular file", where=self.path)
            self._lock(file)
            if not self._is_current(file):
                return False
            data = self._mended(file) + data
            size = os.fstat(file).st_size
            try:
                if os.write(file, data) != len(data):
                    raise OSError(0, "No space left for the whole of it")
                os.fsync(file)
            except OSError:
                os.ftruncate(file, size)
                os.fsync(file)
                raise
            if size == 0:
                _sync_folder(self.folder)
            if not self._is_current(file):
                return False
            self.appended += len(data)
            return True
        finally:
            os.close(file)

    def _is_current(self, file: int) -> bool:
        try:
            return os.path.samestat(os.fstat(file), os.stat(self.path))
        except FileNotFoundError:
            return False

    def _lock(self, file: int) -> None:
        """Wait for the lock, which is held for a moment only; it goes when the file is closed, or with the process."""
        import portalocker

        deadline = time.monotonic() + LOCK_SECONDS
        while True:
            try:
                portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
                return
            except portalocker.AlreadyLocked:
                if time.monotonic() > deadline:
                    raise LogWriteError(
                        "The verdict was not written: another program holds the log", where=self.path, hint="Close the other one"
                    ) from None
                time.sleep(0.001)
            except portalocker.LockException as error:
                raise LogWriteError(f"The verdict was not written: the log cannot be locked ({error})", where=self.path) from error

    def _mended(self, file: int) -> bytes:
        """Deal with an unfinished last line before anything follows it; returns what must precede the next line."""
        size = os.fstat(file).st_size
        if size == 0 or _read_at(file, size - 1, 1) == b"\n":
            return b""
        start, tail = _tail(file, size)
        if is_whole(tail):
            self.problems.append(Problem(Severity.REPAIR, "The last line lacked its line end, which was added", self.path.name))
            return b"\n"
        aside = self._set_aside(tail)
        os.ftruncate(file, start)
        os.fsync(file)
        message = f"An unfinished last line ({len(tail)} bytes) was set aside in {aside.name}; everything before it counts"
        self.problems.append(Problem(Severity.REPAIR, message, self.path.name))
        return b""

    def _set_aside(self, tail: bytes) -> Path:
        when = re.sub(r"[-:.]", "", timestamp())
        for number in range(1000):
            aside = self.folder / f"{self.verifier}.torn-{when}{f'-{number}' if number else ''}.txt"
            try:
                file = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
            except FileExistsError:
                continue
            try:
                if os.write(file, tail) != len(tail):
                    raise OSError(0, "there is no room to set an unfinished line aside")
                os.fsync(file)
            except OSError:
                aside.unlink()
                raise
            finally:
                os.close(file)
            _sync_folder(self.folder)
            return aside
        raise OSError(0, "there is no free name to set an unfinished line aside")


def _read_at(file: int, start: int, count: int) -> bytes:
    os.lseek(file, start, os.SEEK_SET)
    return os.read(file, count)


def _tail(file: int, size: int) -> tuple[int, bytes]:
    """(start, bytes) of what follows the last newline."""
    start, tail = size, b""
    while start > 0:
        block = min(_BLOCK, start)
        start -= block
        piece = _read_at(file, start, block)
        cut = piece.rfind(b"\n")
        if cut >= 0:
            return start + cut + 1, piece[cut + 1 :] + tail
        tail = piece + tail
    return 0, tail


def _sync_folder(folder: Path) -> None:
    """Make a new file's name durable; some systems have no such thing."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did: entries added by verifier, entries that were there already, what the file's reading found."""

    added: dict[str, int]
    known: int
    problems: tuple[Problem, ...]


def import_lines(folder: Path, file: Path, *, exclude: Collection[str] = ()) -> ImportResult:
    """The checked union of the log and a file of log lines, by id; each line goes to its own verifier's file, byte for byte.

    Nothing is written unless every line is sound and no known id says something else. Doing it twice adds nothing.

    Raises:
        InputError: the file cannot be read, has a faulty line, or contradicts the log; or the log itself is not sound.
    """
    if file.suffix.lower() in (".csv", ".xlsx"):
        raise InputError("A spreadsheet cannot be imported", where=file, hint="Import log lines: `adjudicate log export --format jsonl`")
    if not file.is_file():
        raise InputError("There is no such file", where=file)
    present = require_sound(read_log(folder), exclude)
    offered = read_file(file)
    if offered.faults:
        first = offered.faults[0]
        raise InputError(f"{first.message}; nothing was imported", where=file, line=first.line)
    known = {entry.id: digest for entry, digest in zip(present.entries, present.digests, strict=True)}
    doubtful = {entry.id for entry, digest in zip(offered.entries, offered.digests, strict=True) if known.get(entry.id, digest) != digest}
    said: dict[str, bytes] = {}
    if doubtful:
        for _, _, line in numbered_lines(present.files):
            entry, _ = decode(line)
            if entry is not None and entry.id in doubtful and line_digest(line) == known[entry.id]:
                said[entry.id] = content(line)
    lines: dict[str, list[bytes]] = defaultdict(list)
    taken: set[str] = set()
    for _, number, line in numbered_lines([file]):
        entry, _ = decode(line)
        if entry is None or entry.id in taken:
            continue
        taken.add(entry.id)
        if entry.id not in known:
            lines[entry.verifier].append(line)
        elif entry.id in doubtful and said[entry.id] != content(line):
            raise InputError(f"The log has another entry with the id {entry.id}; nothing was imported", where=file, line=number)
    logs = {verifier: Log.open(folder, verifier) for verifier in lines}
    for verifier, log in logs.items():
        log.append_lines(lines[verifier])
    mended = [problem for log in logs.values() for problem in log.problems]
    added = {verifier: len(new) for verifier, new in lines.items()}
    found = (problem for problem in offered.notes if problem.severity is not Severity.WARNING or "unfinished" in problem.message)
    return ImportResult(added, len(taken) - sum(added.values()), (*found, *mended))
