"""An answer that holds several pages: the entry of the page that was asked about."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from scoring.cells import cell_text, plain_key
from scoring.problems import InputError
from scoring.text import visible

_PAGE_KEYS: Final = ("page", "page id", "page number", "page no", "seite", "folio", "pagina")
_NUMBERED: Final = re.compile(r"(?:page|seite|folio|gt[ _-]?page)?[ _-]*([0-9]+)", re.IGNORECASE)


def entry_of_page(value: Any, page: str) -> tuple[Any, tuple[str, ...]]:
    """Return the part of an answer that is about `page`, and the repair made; the value itself where it holds no several pages.

    Several pages are a list of objects that each name a page and hold a list of objects, or an object from page to list.

    Raises:
        InputError: the answer holds several pages and not this one.
    """
    held = _pages(value)
    if not page or len(held) < 2:
        return value, ()
    wanted = _plain(page)
    found = [content for name, content in held if _plain(name) == wanted]
    if not found:
        names = ", ".join(visible(name) for name, _ in held[:6])
        raise InputError(f"the answer holds the pages {names}{', …' if len(held) > 6 else ''}, and not page {visible(page)}")
    told = (f"the answer holds {len(held)} pages; the one of page {visible(page)} read",)
    return (found[0] if len(found) == 1 else [record for content in found for record in content]), told


def _pages(value: Any) -> list[tuple[str, Any]]:
    while isinstance(value, Mapping) and len(value) == 1:
        value = next(iter(value.values()))
    if isinstance(value, Mapping):
        if all(_NUMBERED.fullmatch(str(name).strip()) and _is_records(inner) for name, inner in value.items()):
            return [(str(name), inner) for name, inner in value.items()]
        return []
    if not isinstance(value, list):
        return []
    held: list[tuple[str, Any]] = []
    for item in value:
        if not isinstance(item, Mapping):
            return []
        named = next((key for key in item if plain_key(str(key)) in _PAGE_KEYS), None)
        lists = [inner for inner in item.values() if _is_records(inner)]
        if named is None or len(lists) != 1:
            return []
        held.append((cell_text(item[named])[0], lists[0]))
    return held


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, Mapping) for item in value)


def _plain(page: str) -> str:
    text = unicodedata.normalize("NFC", page).strip().casefold()
    numbered = _NUMBERED.fullmatch(text)
    return (numbered.group(1).lstrip("0") or "0") if numbered else text
