"""JSON as models write it: one value read from a place in a text, whatever is wrong with it (`docs/method.md#run-files`).

Never raises and always moves on; what was forgiven is counted in `LenientReader.notes`. Where the text ends inside a
value, every container that was open comes back as `Incomplete` or `IncompleteList`, so that whoever looks for records
can tell a finished one from a torn one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, Final

from scoring.texts.cells import Number

MAX_DEPTH: Final = 64


class RepeatedKeys(dict[str, Any]):
    """An object that gives a key more than once: the last value counts as in JSON, `earlier` keeps those before it."""

    def __init__(self, pairs: Mapping[str, Any] | None = None) -> None:
        super().__init__(pairs or {})
        self.earlier: dict[str, list[Any]] = {}

    def add(self, key: str, value: Any) -> None:
        """Set a key, and keep the value it had."""
        if key in self:
            self.earlier.setdefault(key, []).append(self[key])
        self[key] = value


class Incomplete(dict[str, Any]):
    """An object that the text ended in: the pairs that were finished."""

    __slots__ = ()


class IncompleteList(list[Any]):
    """A list that the text ended in: the elements that were finished, and perhaps a last, torn container."""

    __slots__ = ()


_CUT: Final = object()
_SPACE = re.compile(r"(?:[\s\ufeff\u200b]++|//[^\n]*+|/\*.*?(?:\*/|\Z)|#[^\n]*+)*+", re.DOTALL)
_STRICT_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*+"')
_SIGN = re.compile(r'"(?:[^"\\]++|\\.)*+"|["\[\]{}]', re.DOTALL)
_DELIMITER = re.compile(r"\s*(?:[,:\]}]|\Z|//|/\*)")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?=\s*(?:[,\]}]|\Z|//|/\*))")
_BARE_VALUE = re.compile(r"[^,\[\]{}\n]+")
_BARE_KEY = re.compile(r"[^\s:,\[\]{}\"'][^:,\[\]{}\n]*")
_LITERALS = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None, "undefined": None,
}  # fmt: skip
_QUOTES = {'"': '"', "'": "'", "“": '”“"', "„": '“”"', "‘": "’'", "«": "»"}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "'": "'", "\n": ""}
_LOOK_AHEAD_QUOTES, _LOOK_AHEAD_CHARACTERS = 20, 2000


class LenientReader:
    """Reads values of `text`, one after another. `end` is where it stopped, `cut` whether the text ended in the last value.

    One reader serves a text from its beginning to its end: it remembers which closing quotes the text has no more of, so that
    a text of stray quotes is not searched to its end again and again.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0
        self.cut = False
        self.notes: Counter[str] = Counter()
        self._open: list[str] = []
        self._spent: set[str] = set()

    def read(self, start: int) -> Any:
        """The container that opens at `start` (a `{` or `[`), which lies behind all that was read before."""
        self.end, self.cut, self.notes, self._open = start, False, Counter(), []
        return self._container()

    def _skip(self) -> bool:
        """Over white space and comments; whether there is text left."""
        match = _SPACE.match(self.text, self.end)
        assert match is not None
        if match.end() != self.end:
            if not match.group().strip("\ufeff\u200b \t\r\n"):
                pass
            elif match.group().strip():
                self.notes["comment passed over"] += 1
            self.end = match.end()
        return self.end < len(self.text)

    def _container(self) -> Any:
        if len(self._open) >= MAX_DEPTH:
            return self._too_deep()
        self._open.append(self.text[self.end])
        self.end += 1
        value = self._object() if self._open[-1] == "{" else self._list()
        self._open.pop()
        return value

    def _too_deep(self) -> Any:
        """Containers nested beyond the bound are kept as their text."""
        self.notes[f"nested deeper than {MAX_DEPTH} levels, kept as text"] += 1
        start, depth, text = self.end, 0, self.text
        for match in _SIGN.finditer(text, start):
            sign = match.group()
            if sign == '"':
                # A text that is never closed: nothing after it can be told apart.
                break
            if sign in ("{", "["):
                depth += 1
            elif sign in ("}", "]"):
                depth -= 1
                if depth <= 0:
                    self.end = match.end()
                    return text[start : self.end]
        self.end, self.cut = len(text), True
        return _CUT

    def _closes_outer(self, closer: str) -> bool:
        """Whether a closer that is not this container's closes one further out; if not, it is passed over."""
        if ("{" if closer == "}" else "[") in self._open[:-1]:
            self.notes["closing bracket missing"] += 1
            return True
        self.notes["stray closing bracket"] += 1
        self.end += 1
        return False

    def _object(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        keyless: list[Any] = []
        separated = True
        while True:
            if not self._skip():
                self.cut = True
                return Incomplete(found)
            sign = self.text[self.end]
            if sign == "}":
                if separated and found:
                    self.notes["trailing comma"] += 1
                self.end += 1
                return found
            if sign == ",":
                if separated:
                    self.notes["superfluous comma"] += 1
                separated = True
                self.end += 1
                continue
            if sign == "]":
                if self._closes_outer(sign):
                    return found
                continue
            if sign == "{" and found and self._open[-2:-1] == ["["]:
                self.notes["closing bracket missing"] += 1
                return found
            if not separated:
                self.notes["comma missing"] += 1
            separated = False
            if sign in "{[":
                self.notes["value without a key"] += 1
                value = self._container()
                if value is not _CUT:
                    keyless.append(value)
                    found[""] = keyless
                if self.cut:
                    return Incomplete(found)
                continue
            key = self._key()
            if key is None or not self._skip():
                self.cut = True
                return Incomplete(found)
            if self.text[self.end] != ":":
                self.notes["key without a value"] += 1
                found.setdefault(key, None)
                continue
            self.end += 1
            if not self._skip():
                self.cut = True
                return Incomplete(found)
            if self.text[self.end] in ",}]":
                self.notes["key without a value"] += 1
                value = None
            else:
                value = self._value()
            if value is not _CUT:
                if key in found:
                    self.notes[f"key {key!r} given twice, the last one kept"] += 1
                    found = found if isinstance(found, RepeatedKeys) else RepeatedKeys(found)
                    found.add(key, value)
                else:
                    found[key] = value
            if self.cut:
                return Incomplete(found)

    def _list(self) -> list[Any]:
        found: list[Any] = []
        separated = True
        while True:
            if not self._skip():
                self.cut = True
                return IncompleteList(found)
            sign = self.text[self.end]
            if sign == "]":
                if separated and found:
                    self.notes["trailing comma"] += 1
                self.end += 1
                return found
            if sign == ",":
                if separated:
                    self.notes["superfluous comma"] += 1
                separated = True
                self.end += 1
                continue
            if sign == "}":
                if self._closes_outer(sign):
                    return found
                continue
            if sign == ":":
                self.notes["stray colon"] += 1
                self.end += 1
                continue
            if not separated:
                self.notes["comma missing"] += 1
            separated = False
            value = self._value()
            if value is not _CUT:
                found.append(value)
            if self.cut:
                return IncompleteList(found)

    def _key(self) -> str | None:
        if self.text[self.end] in _QUOTES:
            key = self._string()
            return None if key is _CUT else str(key)
        match = _BARE_KEY.match(self.text, self.end)
        if match is None:
            self.end += 1
            self.notes["stray colon"] += 1
            return ""
        if match.end() == len(self.text):
            return None
        self.notes["key without quotes"] += 1
        self.end = match.end()
        return match.group().strip()

    def _value(self) -> Any:
        sign = self.text[self.end]
        if sign in "{[":
            return self._container()
        if sign in _QUOTES:
            value = self._string()
            if value is _CUT:
                return value
            return self._with_remark(str(value))
        match = _NUMBER.match(self.text, self.end)
        if match is not None:
            if match.end() == len(self.text):
                self.cut = True
                return _CUT
            self.end = match.end()
            return number(match.group(), whole=not (match.group(1) or match.group(2)))
        match = _BARE_VALUE.match(self.text, self.end)
        assert match is not None
        if match.end() == len(self.text):
            self.cut = True
            return _CUT
        self.end = match.end()
        word = re.split(r"//|/\*", match.group())[0].strip()
        if word in _LITERALS:
            if word not in ("true", "false", "null"):
                self.notes[f"{word} read as JSON"] += 1
            return _LITERALS[word]
        self.notes[f"{word} is no JSON, kept as text" if word in ("NaN", "Infinity", "-Infinity") else "text without quotes"] += 1
        return word

    def _with_remark(self, value: str) -> str:
        """A remark written behind the quotes is kept with the text it was written to."""
        match = re.compile(r"[ \t]*([^\s,:\[\]{}\"'“„/#][^,\[\]{}\n]*)").match(self.text, self.end)
        if match is None:
            return value
        if match.end() == len(self.text):
            self.cut = True
        self.end = match.end()
        self.notes["remark outside the quotes, kept with the text"] += 1
        return f"{value} {match.group(1).strip()}"

    def _string(self) -> Any:
        text, start = self.text, self.end
        opener = text[start]
        if opener == '"':
            # What is no strict text is not given to the standard library: its refusal counts the lines of the whole text.
            if _STRICT_STRING.match(text, start):
                value, end = scanstring(text, start + 1, True)
                if _DELIMITER.match(text, end):
                    self.end = end
                    return value
        else:
            self.notes["single quotes" if opener == "'" else "typographic quotes"] += 1
        closers = _QUOTES[opener]
        stop = re.compile(rf"[\\{closers}]")
        parts: list[str] = []
        at, inner_until = start + 1, -1
        while True:
            match = stop.search(text, at) if closers not in self._spent else None
            if match is None:
                self._spent.add(closers)
                line = text.find("\n", start)
                if opener != '"' and line >= 0:
                    # Not the text's end but a stray sign: a text in double quotes may be torn, these are rather not meant.
                    bare = re.compile(r"[^,:\[\]{}\n]+").match(text, start)
                    assert bare is not None
                    self.end = bare.end()
                    return bare.group().strip().strip("\"'")
                self.end, self.cut = len(text), True
                return _CUT
            parts.append(text[at : match.start()])
            at = match.end()
            if match.group() == "\\":
                if at >= len(text):
                    self.end, self.cut = len(text), True
                    return _CUT
                at = self._escape(at, parts)
                continue
            if match.start() < inner_until:
                parts.append(match.group())
                continue
            if match.start() != inner_until and not _DELIMITER.match(text, at):
                inner_until = self._inner(match.start(), closers)
                if inner_until >= 0:
                    self.notes["quotes inside a text"] += 1
                    parts.append(match.group())
                    continue
            self.end = at
            value = "".join(parts)
            if any(character < " " for character in text[start:at]):
                self.notes["line break or control character inside a text"] += 1
            return value

    def _inner(self, at: int, closers: str) -> int:
        """Where the text really ends, if the quote at `at` is one written inside it; else -1."""
        text = self.text
        line = text.find("\n", at, at + _LOOK_AHEAD_CHARACTERS)
        limit = line if line >= 0 else min(len(text), at + _LOOK_AHEAD_CHARACTERS)
        for seen, match in enumerate(re.compile(rf"(?<!\\)[{closers}]").finditer(text, at + 1, limit), 1):
            between = text[at + 1 : match.start()]
            if (between and not between.strip()) or between.rstrip()[-1:] in (",", ":", "[", "{"):
                return -1
            if _DELIMITER.match(text, match.end()):
                return match.start()
            if seen >= _LOOK_AHEAD_QUOTES:
                return -1
        return -1

    def _escape(self, at: int, parts: list[str]) -> int:
        """The escape whose letter stands at `at`; where the text goes on."""
        text, letter = self.text, self.text[at]
        if letter in _ESCAPES:
            parts.append(_ESCAPES[letter])
            return at + 1
        match = re.compile(r"u([0-9A-Fa-f]{4})(?:\\u([dD][c-fC-F][0-9A-Fa-f]{2}))?").match(text, at)
        if match is not None:
            code = int(match.group(1), 16)
            if 0xD800 <= code < 0xDC00 and match.group(2):
                parts.append(chr(0x10000 + ((code - 0xD800) << 10) + int(match.group(2), 16) - 0xDC00))
                return match.end()
            parts.append(chr(code))
            return at + 5
        self.notes["backslash that escapes nothing, kept"] += 1
        parts.append("\\")
        return at


def number(digits: str, *, whole: bool) -> int | Number | str:
    """Read a JSON number; one that is not whole keeps its text, one that Python cannot hold is its digits."""
    try:
        value = int(digits) if whole else Number(digits)
    except ValueError:
        return digits
    return digits if value in (float("inf"), float("-inf")) else value
