"""Bytes of a text file to text, with what was repaired and what was assumed."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scoring.files import SIZE_LIMIT, read_bytes
from scoring.problems import InputError
from scoring.text import visible

FALLBACK: Final = "cp1252"
_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# What a file is whose first bytes are these, whatever its name says.
_MAGIC: Final = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\x00", "a TIFF picture"),
    (b"MM\x00*", "a TIFF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"\x7fELF", "a program"),
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_HIGH = re.compile(rb"[^\n]*[\x80-\xff][^\n]*")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text with LF line ends, the repairs made, and the warnings on which figures depend."""

    text: str
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def read_text(path: Path, *, limit: int = SIZE_LIMIT, encoding: str = "") -> Decoded:
    """Return the text of a file.

    Args:
        path: the file.
        limit: the most bytes it may have.
        encoding: its encoding where it is neither UTF-8 nor UTF-16; empty: cp1252, with a warning.

    Raises:
        InputError: the file cannot be read, is no regular file, is larger than `limit`, or is no text in a known encoding.
    """
    content = read_bytes(path, limit=limit, hint="it is hardly a model's answer; remove it")
    try:
        return decode(content, encoding)
    except InputError as fault:
        raise InputError(fault.what, where=path, line=fault.line, hint=fault.hint) from fault


def decode(content: bytes, encoding: str = "") -> Decoded:
    """Return bytes as text, as `read_text` does."""
    for magic, kind in _MAGIC:
        if content.startswith(magic):
            raise InputError(f"this is {kind}, not a text", hint="put a text file there, or give the file the ending of what it is")
    repairs: list[str] = []
    warnings: list[str] = []
    known, content, marked = _known_encoding(content)
    if marked:
        repairs.append("byte order mark removed")
    if known != "utf-8":
        repairs.append(f"read as {known.upper()}")
    try:
        text = content.decode(known)
    except UnicodeDecodeError as fault:
        if known != "utf-8" or marked:
            raise InputError(
                f"bytes that are no {known.upper()}", line=_line_of(content, fault.start), hint="save the file as UTF-8"
            ) from fault
        text, told = _other_encoding(content, encoding)
        warnings.append(told)
    if "\0" in text:
        repairs.append(f"NUL characters removed ({text.count(chr(0))})")
        text = text.replace("\0", "")
    if "\r" in text:
        repairs.append("CRLF line ends read as LF" if "\r\n" in text else "CR line ends read as LF")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, tuple(repairs), tuple(warnings))


def control_line(text: str) -> tuple[int, str] | None:
    """Return the line (from 1) and the code point of the first control or replacement character of a text; None where there is none."""
    found = _CONTROL.search(text)
    lost = text.find("\ufffd")
    at = min((place for place in (found.start() if found else -1, lost) if place >= 0), default=-1)
    return None if at < 0 else (text.count("\n", 0, at) + 1, f"U+{ord(text[at]):04X}")


def _known_encoding(content: bytes) -> tuple[str, bytes, bool]:
    """The encoding that a byte order mark or the pattern of zeros tells, the bytes without the mark, and whether there was one."""
    for mark, named in _MARKS:
        if content.startswith(mark):
            return named, content[len(mark) :], True
    sample = content[:4096]
    for offset, named in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros = sample[offset::2].count(0)
        if zeros > len(sample) // 4 and sample[1 - offset :: 2].count(0) < zeros // 4:
            return named, content, False
    return "utf-8", content, False


def _other_encoding(content: bytes, declared: str) -> tuple[str, str]:
    """The text in the declared encoding, else in cp1252, and the warning about it."""
    encoding = declared or FALLBACK
    try:
        codecs.lookup(encoding)
    except LookupError as fault:
        raise InputError(f"there is no encoding {encoding!r}", hint="name one that Python knows in `encoding`, such as cp1250") from fault
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as fault:
        raise InputError(
            f"bytes that are neither UTF-8 nor {encoding}",
            line=_line_of(content, fault.start),
            hint="save the file as UTF-8, or name its encoding as `encoding` in adjudicate.toml",
        ) from fault
    control = control_line(text)
    if control is not None:
        line, code = control
        raise InputError(
            f"the file is not UTF-8, and read as {encoding} it holds the control character {code}",
            line=line,
            hint="save the file as UTF-8, or name its encoding as `encoding` in adjudicate.toml",
        )
    hangs = _HIGH.search(content)
    assert hangs is not None
    line = _line_of(content, hangs.start())
    sample = hangs.group()[:200]
    told = f"not UTF-8, read as {encoding}: line {line} is {visible(sample.decode(encoding, 'replace').strip()[:80])!r}"
    if declared:
        return text, f"{told}, as `encoding` says"
    return text, f"{told}{_second_opinion(content, sample, encoding)}; `encoding` in adjudicate.toml settles it"


def _second_opinion(content: bytes, sample: bytes, encoding: str) -> str:
    """What a detection library would read instead, where that differs."""
    from charset_normalizer import from_bytes

    best = from_bytes(content[: 256 * 1024]).best()
    if best is None or best.encoding in (encoding, "utf_8", "ascii"):
        return ""
    other = sample.decode(best.encoding, "replace").strip()[:80]
    return "" if other == sample.decode(encoding, "replace").strip()[:80] else f" ({best.encoding} would give {visible(other)!r})"


def _line_of(content: bytes, at: int) -> int:
    return content.count(b"\n", 0, at) + 1
