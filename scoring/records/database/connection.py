"""Opening an EcoExtract database: to read it without a trace, or to write one operation at a time (`docs/records.md#accuracy`).

Reading leaves the file's bytes and its folder as they are. A file in WAL mode (EcoExtract switches it on) would get
side files from any ordinary opening, so it is read as immutable where nothing is waiting in the log, and from a copy
where something is.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from scoring.foundations.problems import InputError

BUSY_SECONDS = 10.0
_SETTLE_TRIES = 20


class DatabaseChangedError(InputError):
    """The database was written to while it was being read."""


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _uri(path: Path, query: str) -> str:
    return f"file:{quote(str(path.resolve()))}?{query}"


def _opened(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    connection.text_factory = _text
    return connection


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _state(path: Path) -> tuple[tuple[int, int], ...]:
    """Size and time of the database and its side files: equal before and after means that nothing was written."""
    state = []
    for suffix in ("", "-wal", "-journal"):
        try:
            status = path.with_name(path.name + suffix).stat()
            state.append((status.st_size, status.st_mtime_ns))
        except OSError:
            state.append((-1, -1))
    return tuple(state)


def is_wal(path: Path) -> bool:
    """Whether the file's header says that it is in WAL mode."""
    with path.open("rb") as file:
        return b"\x02" in file.read(20)[18:20]


def require_database(path: Path) -> None:
    """Refuse what is not a readable SQLite file.

    Raises:
        InputError: no such file, a folder, not readable, or not SQLite.
    """
    if not path.exists():
        raise InputError("no such database", where=path, hint="give the path of an EcoExtract SQLite database")
    if not path.is_file():
        raise InputError("this is not a file", where=path, hint="give the path of an EcoExtract SQLite database")
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as fault:
        raise InputError(f"the database cannot be read ({fault.strerror})", where=path) from fault
    if head and head != b"SQLite format 3\x00":
        raise InputError("this is not a SQLite database", where=path, hint="give the path of an EcoExtract SQLite database")


def _copied(path: Path, folder: Path) -> Path:
    """The database and what is waiting in its side files, copied at a moment when nobody wrote."""
    target = folder / "copy.db"
    for _ in range(_SETTLE_TRIES):
        before = _state(path)
        for suffix in ("", "-wal", "-journal"):
            source, copy = path.with_name(path.name + suffix), target.with_name(target.name + suffix)
            copy.unlink(missing_ok=True)
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(source, copy)
        if _state(path) == before:
            return target
        time.sleep(0.1)
    raise DatabaseChangedError(
        "the database is being written to without a pause", where=path, hint="try again when the other program is done"
    )


@contextlib.contextmanager
def readable(path: Path) -> Iterator[str]:
    """A file URI under which the database can be opened or attached to be read, without a trace beside or in the file.

    Raises:
        InputError: no readable SQLite file, or (`DatabaseChangedError`) written to meanwhile.
    """
    require_database(path)
    with contextlib.ExitStack() as held:
        waiting = _size(path.with_name(path.name + "-wal")) or _size(path.with_name(path.name + "-journal"))
        state = None
        if waiting:
            folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="adjudicate-")))
            uri = _uri(_copied(path, folder), "mode=rw")
        elif is_wal(path):
            state = _state(path)
            uri = _uri(path, "mode=ro&immutable=1")
        else:
            uri = _uri(path, "mode=ro")
        changed = DatabaseChangedError("the database was written to while it was being read", where=path, hint="try again")
        try:
            yield uri
        except sqlite3.DatabaseError as fault:
            if state is not None and _state(path) != state:
                raise changed from fault
            raise
        if state is not None and _state(path) != state:
            raise changed


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads and leaves no trace beside or in the file; what it reads is of one moment. Errors as `readable`."""
    with readable(path) as uri, contextlib.closing(_opened(uri)) as connection:
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA mmap_size = 4294967296")
        try:
            connection.execute("BEGIN")
            yield connection
        except sqlite3.Error as fault:
            raise refusal(fault, path) from fault


def open_for_writing(path: Path) -> sqlite3.Connection:
    """A connection that writes; the journal mode stays what it is.

    Raises:
        InputError: no readable SQLite file, or one that may not be written to.
    """
    require_database(path)
    try:
        connection = _opened(_uri(path, "mode=rw"))
        connection.execute("PRAGMA mmap_size = 4294967296")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
    except sqlite3.OperationalError as fault:
        raise refusal(fault, path) from fault
    return connection


def refusal(fault: sqlite3.Error, path: Path) -> InputError:
    """What SQLite said, as a sentence for the person at the keyboard."""
    said = str(fault)
    if "locked" in said or "busy" in said:
        return InputError(
            f"another program has kept the database locked for {BUSY_SECONDS:.0f} seconds",
            where=path,
            hint="close the other program's save, then repeat; nothing was written",
        )
    if "readonly" in said or "unable to open" in said:
        return InputError(
            "the database may not be written to", where=path, hint="reading and accuracy still work; give yourself write access to review"
        )
    if "full" in said or "disk I/O" in said:
        return InputError(f"the disk refused the write ({said})", where=path, hint="free some space and repeat; nothing was written")
    return InputError(f"the database refused ({said})", where=path, hint="nothing was written")


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """One write transaction, all or nothing. A fault of SQLite becomes an `InputError`."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as fault:
        raise refusal(fault, path) from fault
    try:
        yield
        connection.execute("COMMIT")
    except BaseException as fault:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        if isinstance(fault, sqlite3.Error):
            raise refusal(fault, path) from fault
        raise
