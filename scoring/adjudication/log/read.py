"""Reading the log: every `*.jsonl` of the folder, line by line, with a verdict on every line (`docs/log.md#faults`).

The reading never changes a file. Bytes are split on newline alone (U+2028 and U+0085 may stand in a JSON string). Nothing
depends on the order of files or lines.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from scoring.adjudication.decisions import HUMAN, Decisions, garbage_kept_of, line_digest
from scoring.adjudication.log_entry import SCHEMA, LogEntry, by_id, fault_of
from scoring.foundations.files import read_bytes
from scoring.foundations.problems import InputError, Problem, Severity

BOM = b"\xef\xbb\xbf"
_LOCK_SECONDS = 1.0
_SHORT_LINE = 400  # bytes; to guess from the files' size how many entries they hold
_MARKERS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")
_CONFLICT = "A git merge conflict was left in the log: both sides belong in it, so delete the lines of the markers and keep all others"

_decoder = msgspec.json.Decoder(LogEntry)
_any = msgspec.json.Decoder()
_canonical = msgspec.json.Encoder(order="sorted")


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that stops scoring until it is mended or excluded by name: `name` or `hash` (8 hex digits of the line's SHA-256)."""

    file: str
    line: int
    hash: str
    message: str
    entry: LogEntry | None = None
    digest: bytes = b""
    content: bytes = b""

    @property
    def name(self) -> str:
        """`FILE:LINE`, as the problem shows it."""
        return f"{self.file}:{self.line}"

    def problem(self, severity: Severity = Severity.ERROR, more: str = "") -> Problem:
        """The fault as a problem to print."""
        return Problem(severity, f"{self.message} (line hash {self.hash}){more}", self.file, self.line)


@dataclass(frozen=True, slots=True)
class LogContents:
    """What the log's files hold: sound entries in id order with their lines' SHA-256, faults, and all problems found."""

    folder: Path
    files: tuple[Path, ...] = ()
    entries: tuple[LogEntry, ...] = ()
    digests: tuple[bytes, ...] = ()
    faults: tuple[Fault, ...] = ()
    notes: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Faults (errors) first, then warnings and notes."""
        return (*(fault.problem() for fault in self.faults), *self.notes)

    @property
    def fingerprint(self) -> str:
        """As `Decisions.fingerprint`."""
        return self.decisions().fingerprint

    def decisions(self, *, apply_by: Collection[str] = HUMAN) -> Decisions:
        """What the entries say. Call `require_sound` first: faulty lines are not in it."""
        return Decisions.of(self.entries, digests=self.digests, problems=self.problems, apply_by=apply_by)


def decode(line: bytes) -> tuple[LogEntry | None, str]:
    """The entry in a line, or None and a sentence on what is wrong with the line."""
    try:
        entry = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return None, _why(line, error)
    if entry.schema > SCHEMA:
        return None, _future(entry.schema)
    if not _is_text(line):
        return None, "The line is not UTF-8 text"
    reason = fault_of(entry)
    return (entry, "") if reason is None else (None, reason)


def _future(schema: int) -> str:
    return f"The line was written by a later version of the program (schema {schema}, this one knows {SCHEMA}): update the program"


def _why(line: bytes, error: Exception) -> str:
    from scoring.texts.forms import visible

    if line.startswith(_MARKERS):
        return _CONFLICT
    try:
        loose = _any.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "The line is not a JSON object"
    if not isinstance(loose, dict):
        return "The line is not a JSON object"
    schema = loose.get("schema")
    if isinstance(schema, int) and schema > SCHEMA:
        return _future(schema)
    return visible(f"The line is not an entry of the log: {error}")


def content(line: bytes) -> bytes:
    """What a line says, however it is spelled; unknown keys included. The line itself where an unknown key holds what is no JSON."""
    try:
        return _canonical.encode(_any.decode(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return line


def is_whole(line: bytes) -> bool:
    """Whether a last line without its line end was written to the end: a JSON object cut anywhere is none."""
    try:
        return isinstance(_any.decode(line), dict)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def _is_text(line: bytes) -> bool:
    """Whether a line is UTF-8. The decoder asks this of the keys it knows alone."""
    if line.isascii():
        return True
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def lines_of(data: bytes) -> tuple[list[bytes], bytes]:
    """The lines of a log file without line ends (nor a byte order mark), and what follows the last newline."""
    lines = data.removeprefix(BOM).split(b"\n")
    tail = lines.pop()
    return [line[:-1] if line.endswith(b"\r") else line for line in lines], tail


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a file really lies in the folder: no link leads out of it."""
    return not path.is_symlink() or path.resolve().parent == folder.resolve()


def file_bytes(path: Path) -> bytes:
    """The file's bytes. Where the last line is unfinished the file is read again under a lock: someone may be writing it just now.

    A lock that is not to be had in a second is not waited for: no append takes that long.
    """
    data = read_bytes(path, limit=None)
    if data and not data.endswith(b"\n"):
        import portalocker

        with path.open("rb") as file:
            until = time.monotonic() + _LOCK_SECONDS
            while True:
                try:
                    portalocker.lock(file, portalocker.LockFlags.SHARED | portalocker.LockFlags.NON_BLOCKING)
                    return file.read()
                except portalocker.AlreadyLocked:
                    if time.monotonic() > until:
                        return data
                    time.sleep(0.01)
                except portalocker.LockException:  # a file system without locks
                    return data
    return data


class _Reader:
    """The state of one reading."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.entries: dict[str, LogEntry] = {}
        self.digests: dict[str, bytes] = {}
        self.faults: list[Fault] = []
        self.notes: list[Problem] = []
        self.rivals: set[str] = set()

    def read(self, path: Path) -> None:
        name = path.name
        if not is_inside(path, self.folder):
            self.faults.append(Fault(name, 1, "-", "The file is a link out of the folder, which is not followed"))
            return
        try:
            data = file_bytes(path)
        except InputError as error:
            self.faults.append(Fault(name, 1, "-", f"{error.what[0].upper()}{error.what[1:]}"))
            return
        if data.startswith(BOM):
            self.notes.append(Problem(Severity.NOTE, "The file starts with a byte order mark, which is passed over", name, 1))
        lines, tail = lines_of(data)
        del data
        blank: list[int] = []
        strangers: dict[str, list[int]] = {}
        parse, entries, digests, owner = _decoder.decode, self.entries, self.digests, path.stem
        for number, line in enumerate(lines, 1):
            # The common line is taken here, without a call: this loop is what replaying a long log costs.
            try:
                entry: LogEntry | None = parse(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                entry = None
            if (
                entry is not None
                and entry.id not in digests
                and entry.verifier == owner
                and entry.schema == SCHEMA
                and (line.isascii() or _is_text(line))
                and not fault_of(entry)
            ):
                entries[entry.id] = entry
                digests[entry.id] = line_digest(line)
                continue
            entry, reason = decode(line)
            if entry is None:
                if line.strip():
                    self.fault(name, number, line, reason)
                else:
                    blank.append(number)
                continue
            self.take(entry, line)
            if entry.verifier != path.stem:
                strangers.setdefault(entry.verifier, []).append(number)
        if tail.strip():
            self.tail(name, len(lines) + 1, tail)
        if blank:
            self.notes.append(Problem(Severity.NOTE, f"{_count(blank, 'empty line')} passed over", name, blank[0]))
        for verifier, numbers in strangers.items():
            message = f"{_count(numbers, 'line')} of verifier {verifier}, whose own file is {verifier}.jsonl; counted all the same"
            self.notes.append(Problem(Severity.WARNING, message, name, numbers[0]))

    def fault(self, name: str, number: int, line: bytes, reason: str, entry: LogEntry | None = None) -> None:
        digest = line_digest(line)
        self.faults.append(Fault(name, number, digest.hex()[:8], reason, entry, digest, content(line) if entry else b""))

    def take(self, entry: LogEntry, line: bytes) -> None:
        digest = line_digest(line)
        known = self.digests.setdefault(entry.id, digest)
        if known is digest:
            self.entries[entry.id] = entry
        elif known != digest:
            self.rivals.add(entry.id)

    def tail(self, name: str, number: int, tail: bytes) -> None:
        entry, reason = decode(tail)
        if entry is not None:
            message = "The last line lacks its line end; it is whole and counts, and the next verdict adds the line end"
            self.take(entry, tail)
        elif is_whole(tail):
            self.fault(name, number, tail, reason)
            return
        else:
            message = f"The last line is unfinished ({len(tail)} bytes) and set aside; everything before it counts"
        self.notes.append(Problem(Severity.WARNING, message, name, number))

    def settle_rivals(self, paths: Iterable[Path]) -> None:
        """Of lines with one id: equal content counts once (the least spelling stands), different content is corruption."""
        versions: dict[str, list[tuple[str, int, bytes, LogEntry]]] = defaultdict(list)
        for path, number, line in numbered_lines(paths):
            entry, _ = decode(line)
            if entry is not None and entry.id in self.rivals:
                versions[entry.id].append((path.name, number, line, entry))
        for id, found in versions.items():
            if len({content(line) for _, _, line, _ in found}) == 1:
                self.digests[id] = line_digest(min(line for _, _, line, _ in found))
                continue
            del self.entries[id], self.digests[id]
            for name, number, line, entry in found:
                self.fault(name, number, line, f"The id {id} stands on lines that say different things", entry)

    def loose_ends(self) -> None:
        for entry in self.entries.values():
            if entry.retracts is not None:
                target = self.entries.get(entry.retracts)
                if target is None:
                    self.warn(entry, f"retracts {entry.retracts}, which the log does not hold")
                elif target.verifier != entry.verifier:
                    self.warn(entry, f"retracts a verdict of {target.verifier}; only one's own can be undone, so it has no effect")
            for named in entry.resolves or ():
                if named not in self.entries:
                    self.warn(entry, f"resolves {named}, which the log does not hold")

    def warn(self, entry: LogEntry, message: str) -> None:
        self.notes.append(Problem(Severity.WARNING, f"Entry {entry.id} {message}", f"{entry.verifier}.jsonl"))


def _count(numbers: list[int], thing: str) -> str:
    return f"{len(numbers)} {thing}" + ("s" if len(numbers) != 1 else "")


def numbered_lines(paths: Iterable[Path]) -> Iterator[tuple[Path, int, bytes]]:
    """(file, line number, line) of the files, an unfinished last line included."""
    for path in paths:
        lines, tail = lines_of(file_bytes(path))
        for number, line in enumerate((*lines, tail) if tail else lines, 1):
            yield path, number, line


def _read(folder: Path, paths: list[Path]) -> LogContents:
    reader = _Reader(folder)
    with garbage_kept_of(sum(path.stat().st_size for path in paths if path.is_file()) // _SHORT_LINE):
        for path in paths:
            reader.read(path)
        if reader.rivals:
            reader.settle_rivals(path for path in paths if is_inside(path, folder))
        reader.loose_ends()
        ordered = sorted(reader.entries.values(), key=by_id)
        digests = tuple(reader.digests[entry.id] for entry in ordered)
    faults = sorted(reader.faults, key=lambda fault: (fault.file, fault.line))
    return LogContents(folder, tuple(paths), tuple(ordered), digests, tuple(faults), tuple(reader.notes))


def read_log(folder: Path) -> LogContents:
    """Everything in the folder's `*.jsonl` files; an absent folder is an empty log.

    Faulty lines do not raise here but are in `faults`, so that all of them can be shown; see `require_sound`.
    """
    if not folder.is_dir():
        return LogContents(folder)
    paths = sorted(path for path in folder.iterdir() if path.suffix == ".jsonl" and not path.name.startswith("."))
    contents = _read(folder, paths)
    aside = [
        Problem(Severity.NOTE, f"An unfinished line of {path.stem.partition('.')[0]}.jsonl was set aside here", path.name)
        for path in sorted(folder.glob("*.torn-*.txt"))
    ]
    return replace(contents, notes=(*contents.notes, *aside))


def read_file(path: Path) -> LogContents:
    """One file of log lines, wherever it lies, whoever's verdicts it holds."""
    return _read(path.parent, [path])


def require_sound(contents: LogContents, exclude: Collection[str] = ()) -> LogContents:
    """The log with the faulty lines that are excluded by name left out.

    Args:
        contents: as read.
        exclude: `FILE:LINE` or a line's hash, as the problems show them; only faulty lines can be excluded.

    Raises:
        InputError: faulty lines are left: scoring stops.
    """
    if not contents.faults and not exclude:
        return contents
    names = set(exclude)
    out = [fault for fault in contents.faults if {fault.name, fault.hash} & names]
    left = [fault for fault in contents.faults if not {fault.name, fault.hash} & names]
    clashing: dict[str, list[Fault]] = defaultdict(list)
    for fault in left:
        if fault.entry is not None:
            clashing[fault.entry.id].append(fault)
    cleared = {id: faults for id, faults in clashing.items() if len({fault.content for fault in faults}) == 1}
    wrong = [fault for fault in left if fault.entry is None or fault.entry.id not in cleared]
    if wrong:
        first = wrong[0]
        more = f" ({len(wrong) - 1} more such lines)" if len(wrong) > 1 else ""
        hint = f'Mend it (`adjudicate log check` lists all), or exclude it by name: exclude_log_lines = ["{first.hash}"] in adjudicate.toml'
        if first.hash == "-":
            hint = f'Remove it, or exclude it by name: exclude_log_lines = ["{first.name}"] in adjudicate.toml'
        raise InputError(f"{first.message}{more}", where=contents.folder / first.file, line=first.line, hint=hint)
    entries = dict(zip((entry.id for entry in contents.entries), zip(contents.entries, contents.digests, strict=True), strict=True))
    for id, faults in cleared.items():
        least = min(faults, key=lambda fault: fault.digest)
        assert least.entry is not None
        entries[id] = (least.entry, least.digest)
    ordered = [entries[id] for id in sorted(entries)]
    unused = sorted(names - {fault.name for fault in out} - {fault.hash for fault in out})
    notes = [
        *(fault.problem(Severity.WARNING, "; excluded by name") for fault in out),
        *(Problem(Severity.WARNING, f"The exclusion {name} names no faulty line of the log") for name in unused),
        *contents.notes,
    ]
    return LogContents(
        contents.folder,
        contents.files,
        tuple(entry for entry, _ in ordered),
        tuple(digest for _, digest in ordered),
        (),
        tuple(notes),
    )
