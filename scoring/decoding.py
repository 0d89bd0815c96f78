"""Bytes of a text file to text, with what was repaired."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from scoring.files import SIZE_LIMIT, read_bytes

LOST: Final = "bytes that are no"


def read_text(path: Path, *, limit: int = SIZE_LIMIT) -> tuple[str, tuple[str, ...]]:
    """The text of a file and what was repaired in reading it. Line ends become `\\n`.

    Raises:
        InputError: the file cannot be read, is no regular file, or is larger than `limit` bytes.
    """
    return decode(read_bytes(path, limit=limit, hint="it is hardly a model's answer; remove it"))


def decode(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Bytes to text as `read_text`."""
    repairs: list[str] = []
    encoding = "utf-8"
    for mark, named in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if content.startswith(mark):
            encoding, content = named, content[len(mark) :]
            repairs.append("byte order mark removed")
            break
    else:
        sample = content[:4096]
        for offset, named in ((1, "utf-16-le"), (0, "utf-16-be")):
            zeros = sample[offset::2].count(0)
            if zeros > len(sample) // 4 and sample[1 - offset :: 2].count(0) < zeros // 4:
                encoding = named
    if encoding != "utf-8":
        repairs.append(f"read as {encoding.upper()}")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as fault:
        text = content.decode(encoding, "replace")
        line = content.count(b"\n", 0, fault.start) + 1
        repairs.append(f"{LOST} {encoding.upper()} (first in line {line}) replaced by \ufffd; save the file as UTF-8")
    if "\0" in text:
        repairs.append(f"NUL characters removed ({text.count(chr(0))})")
        text = text.replace("\0", "")
    if "\r" in text:
        repairs.append("CRLF line ends read as LF" if "\r\n" in text else "CR line ends read as LF")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, tuple(repairs)
