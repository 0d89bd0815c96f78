"""A TOML file read so that what is wrong with it can be told with its line (`docs/architecture.md#failure-rules`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from scoring.foundations.files import read_bytes
from scoring.foundations.problems import InputError

_LIMIT: Final = 1024 * 1024
_AT: Final = re.compile(r" \(at line ([0-9]+), column ([0-9]+)\)\Z")
_AT_END: Final = " (at end of document)"


def read_toml(path: Path, what: str) -> tuple[dict[str, Any], str] | None:
    """The document of a TOML file that a person writes, and its text; `None` where there is no file.

    Raises:
        InputError: it cannot be read, is no regular file, is far larger than a person writes, or what `toml_document` refuses.
    """
    try:
        content = read_bytes(path, limit=_LIMIT)
    except InputError as fault:
        if isinstance(fault.__cause__, FileNotFoundError):
            return None
        raise
    return toml_document(content, what, path)


def toml_document(content: bytes, what: str, where: Path) -> tuple[dict[str, Any], str]:
    """The document of a TOML file, and its text.

    Args:
        content: the bytes of the file.
        what: what the file holds, for the sentence: `the settings are`.
        where: the file.

    Raises:
        InputError: not UTF-8, or no TOML; with the line.
    """
    try:
        text = content.decode("utf-8-sig")
        return tomllib.loads(text), text
    except (ValueError, RecursionError) as fault:
        line, why = _place(fault, content)
        raise InputError(f"{what} not readable TOML ({why})", where=where, line=line, hint="mend the line named") from fault


def _place(fault: Exception, content: bytes) -> tuple[int | None, str]:
    """The line of a fault of reading, and what it is. `tomllib` says the place in its message alone, and only thus before Python 3.14."""
    if isinstance(fault, UnicodeDecodeError):
        return fault.object.count(b"\n", 0, fault.start) + 1, f"not UTF-8: {fault.reason}"
    if isinstance(fault, RecursionError):
        return None, "nested too deeply"
    why = str(fault)
    if why.endswith(_AT_END):
        # The end of the document is the end of its last line, not the empty one after it.
        return content.rstrip(b"\r\n").count(b"\n") + 1, f"{why.removesuffix(_AT_END)} at the end of the file"
    at = _AT.search(why)
    return (int(at[1]), f"{why[: at.start()]} at column {at[2]}") if at else (None, why)


def line_of(text: str, key: str, inside: Iterable[str] = ()) -> int | None:
    """The line (from 1) a key stands on: of the top level, or of the table that the names `inside` lead to.

    What is written as a dotted key or an inline table is found by its first name.
    """
    found = 0
    for name in (*inside, key):
        later = _line_at(text, name, found)
        if later is None:
            break
        found = later
    return found or None


def _line_at(text: str, key: str, after: int) -> int | None:
    """The line of the first key of that name from the line `after` on, as a key of its own, or as a part of a table's heading."""
    name = rf"""(?:{re.escape(key)}|"{re.escape(key)}"|'{re.escape(key)}')"""
    pattern = re.compile(rf"""[ \t]*(?:\[+[ \t]*(?:[^\]=]*\.[ \t]*)?)?{name}[ \t]*[=.\]]""")
    lines = text.split("\n")
    start = max(0, after - 1)
    return next((at for at, line in enumerate(lines[start:], start + 1) if pattern.match(line)), None)
