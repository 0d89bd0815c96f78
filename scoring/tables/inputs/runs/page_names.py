"""Pages by the names that files and keys give them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from scoring.answers import Kind
from scoring.tables.inputs.runs.layout import loose_name

_WORDS: Final = re.compile(r"(?:(?:gt|answer|output|response|result)[ _-]?)?(?:page[ _-]?)?(.+)", re.IGNORECASE)
# By rank: of two files of one page the earlier kind is read.
SUFFIXES: Final[dict[str, Kind]] = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".txt": "txt",
    ".ndjson": "jsonl",
    ".tsv": "csv",
    ".md": "txt",
    ".markdown": "txt",
    ".yaml": "txt",
    ".yml": "txt",
    ".html": "txt",
    ".htm": "txt",
    ".log": "txt",
    "": "txt",
}
Exactness = Literal[0, 1]


@dataclass(frozen=True, slots=True)
class PageName:
    """A page of ground truth and how it was named: 0 by its id, 1 by an id that differs in zeros or case; `said` is the id given."""

    page: str
    rank: Exactness
    said: str


class PageNames:
    """Finds the page of ground truth that a name means.

    A name is a page id, alone or after `page`, `gt_page`, `answer`, `output`, `response` or `result`. Ids are compared in NFC;
    without case and leading zeros where that confuses no two pages.
    """

    def __init__(self, pages: Sequence[str]) -> None:
        self._ids = {unicodedata.normalize("NFC", page): page for page in pages}
        loose: dict[str, list[str]] = {}
        for page in pages:
            loose.setdefault(loose_name(page), []).append(page)
        self._loose = {key: found[0] for key, found in loose.items() if len(found) == 1}

    def __contains__(self, name: str) -> bool:
        return unicodedata.normalize("NFC", name) in self._ids

    def find(self, name: str) -> PageName | str:
        """The page that a name means; the id it gives where there is no such page."""
        name = unicodedata.normalize("NFC", name)
        if name in self._ids:
            return PageName(self._ids[name], 0, name)
        match = _WORDS.fullmatch(name)
        inner = match.group(1) if match is not None else name
        if inner in self._ids:
            return PageName(self._ids[inner], 0, inner)
        page = self._loose.get(loose_name(inner))
        return inner if page is None else PageName(page, 1, inner)

    @staticmethod
    def stem(file: str) -> tuple[str, str]:
        """The name a file gives its page, and its suffix: `page_28` and `.json` of `page_28.json` and of `page_28.json.txt`."""
        stem, suffix = _split(file)
        inner, before = _split(stem)
        return (inner, before) if before and suffix in SUFFIXES and before in SUFFIXES else (stem, suffix)


def _split(file: str) -> tuple[str, str]:
    stem, dot, suffix = file.rpartition(".")
    return (stem, f".{suffix.lower()}") if dot and stem else (file, "")


def first_of_each(named: Iterable[tuple[PageName, int]]) -> dict[str, int]:
    """For each page the position of the name that gives it best: exact before loose, then by the rank given, then the first."""
    best: dict[str, tuple[int, int, int]] = {}
    for at, (one, rank) in enumerate(named):
        key = (one.rank, rank, at)
        if key < best.get(one.page, (2, 0, 0)):
            best[one.page] = key
    return {page: at for page, (_, _, at) in best.items()}
