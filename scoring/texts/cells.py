"""Records, their keys, and their values as the text of a cell, for models' answers and ground truth alike (`docs/method.md#run-files`)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.foundations.model_run import Usage


@dataclass(frozen=True, slots=True)
class Records:
    """The records of an answer.

    Attributes:
        records: in the order of the answer.
        found_at: where they were found (`$.entries`, `table`).
        repairs: liberties taken in reading, sentences without their full stop.
        truncated: whether the answer was cut off.
        warnings: liberties on which figures depend, such as which of two lists was read.
        usage: what the answer took, where its envelope states it.
    """

    records: tuple[Mapping[str, object], ...]
    found_at: str
    repairs: tuple[str, ...] = ()
    truncated: bool = False
    warnings: tuple[str, ...] = ()
    usage: Usage | None = None


class Number(float):
    """A number with a point or an exponent, with the text it was written as: `12.50` is not `12.5`."""

    __slots__ = ("source",)
    source: str

    def __new__(cls, source: str) -> Number:
        """Read the text of a number. Raises ValueError where it is none."""
        made = super().__new__(cls, source)
        made.source = source
        return made

    def __reduce__(self) -> tuple[type[Number], tuple[str]]:
        return Number, (self.source,)


def clean_name(name: str) -> str:
    """Return the name of a field in NFC, trimmed, with usual spaces and without zero-width characters."""
    return _cleaned(name)[0]


def plain_key(key: str) -> str:
    """Return a key as keys are compared: a clean name without case; white space, hyphens and underscores are one."""
    key = key if key.isascii() else clean_name(key)
    return " ".join(re.split(r"[\s_\-\u2010-\u2015]+", key.casefold())).strip()


WHOLE_NOTE: Final = "a number with .0 read as whole"
ZEROS_NOTE: Final = "a number with .00 or .000 kept as text (3.000 may be 3000)"
EXPONENT_NOTE: Final = "a number with an exponent kept as text"
_WHOLE = re.compile(r"[+-]?[0-9]+\.(0+)")
_ODD_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_UNSEEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def cell_text(value: object) -> tuple[str, str | None]:
    """A value as the text of a cell, trimmed and NFC, and what was repaired in it.

    `34351.0`, `34351` and `"34351"` are one number, while `3.00` and `3.000` stay text; other numbers stay as they are
    written. Booleans are Y and N; nothing is "". A list of one is its element, other lists are joined by `; `, objects
    kept as compact JSON. Unusual spaces become spaces, zero-width and direction characters go. Line breaks inside a
    text stay.
    """
    if isinstance(value, str):
        text = value.strip()
        if text.isascii():
            return _whole(text) if text.endswith("0") else (text, None)
        return _cleaned(text)
    if value is None:
        return "", None
    if isinstance(value, bool):
        return ("Y", "true read as Y") if value else ("N", "false read as N")
    if isinstance(value, int):
        return _digits(value), None
    if isinstance(value, Number):
        return (value.source, EXPONENT_NOTE) if "e" in value.source.lower() else _whole(value.source)
    if isinstance(value, float):
        if value.is_integer():
            return _digits(int(value)), WHOLE_NOTE
        return repr(value), None
    if isinstance(value, list):
        return _list_text(value)
    text, note = _cleaned(json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=str))
    return text, "nested object kept as text" if note is None else f"nested object kept as text; {note}"


def _whole(text: str) -> tuple[str, str | None]:
    """Read `34351.0` as 34351. More zeros may divide thousands, so that such a text stays."""
    match = _WHOLE.fullmatch(text)
    if match is None:
        return text, None
    return (text.partition(".")[0], WHOLE_NOTE) if match.group(1) == "0" else (text, ZEROS_NOTE)


def _digits(value: int) -> str:
    try:
        return str(value)
    except ValueError:
        return hex(value)


def _list_text(items: list[Any]) -> tuple[str, str | None]:
    if not items:
        return "", "empty list read as nothing"
    if len(items) == 1:
        text, note = cell_text(items[0])
        return text, "list of one read as its element" + (f"; {note}" if note else "")
    texts = [cell_text(item)[0] for item in items]
    return "; ".join(text for text in texts if text), "list kept as text"


def _cleaned(text: str) -> tuple[str, str | None]:
    notes: list[str] = []
    if _SURROGATES.search(text):
        text = _SURROGATES.sub("\ufffd", text)
        notes.append("half a surrogate pair replaced by \ufffd")
    if _UNSEEN.search(text):
        text = _UNSEEN.sub("", text)
        notes.append("zero-width or direction characters removed")
    if _ODD_SPACES.search(text):
        text = _ODD_SPACES.sub(" ", text)
        notes.append("no-break or unusual spaces read as spaces")
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
        notes.append("decomposed Unicode composed (NFC)")
    return text.strip(), "; ".join(notes) or None
