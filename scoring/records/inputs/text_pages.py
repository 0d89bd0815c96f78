"""The text of a document as pages, from the shapes OCR leaves it in (`docs/records.md#evidence`).

Three shapes are known: pages of Markdown with placeholders for tables, pages of parts (headers, text, tables, notes), and
plain text. Anything else is shown as it stands, so that nothing is hidden.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

_GAP = "\n\n"
_SKIPPED = ("title",)


@dataclass(frozen=True, slots=True)
class Page:
    """A page: what it is called and its text."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The pages of a document; `text` is all of them with a blank line between, the text that positions count in."""

    pages: tuple[Page, ...]
    text: str
    starts: tuple[int, ...]

    def page_at(self, position: int) -> int:
        """The index of the page a position of `text` is on."""
        return max(0, bisect_right(self.starts, position) - 1)


def document_text(content: str | None) -> DocumentText:
    """The pages of a stored document text; none where there is no text."""
    pages = tuple(_pages(content)) if content else ()
    starts, at = [], 0
    for page in pages:
        starts.append(at)
        at += len(page.text) + len(_GAP)
    return DocumentText(pages, _GAP.join(page.text for page in pages), tuple(starts))


def _pages(content: str) -> list[Page]:
    try:
        parsed = json.loads(content)
    except (ValueError, RecursionError):
        return [Page("", content)]
    if isinstance(parsed, dict) and isinstance(parsed.get("pages"), list):
        parsed = parsed["pages"]
    if not isinstance(parsed, list) or not parsed or not all(isinstance(page, dict) for page in parsed):
        return [Page("", parsed if isinstance(parsed, str) else content)]
    return [_page(page, number) for number, page in enumerate(parsed, 1)]


def _page(page: Mapping[str, Any], number: int) -> Page:
    if isinstance(page.get("markdown"), str):
        index = page.get("index")
        label = str(index + 1) if isinstance(index, int) else str(number)
        return Page(label, _with_tables(page["markdown"], page.get("tables")))
    known = ("page_header", "section_header", "text", "tables", "other")
    label = str(page.get("page_number", number))
    if not any(name in page for name in known):
        return Page(label, json.dumps(page, ensure_ascii=False, indent=1))
    parts = [*_texts(page.get("page_header")), *_texts(page.get("section_header")), *_texts(page.get("text"))]
    parts += [table for table in map(_table, _list(page.get("tables"))) if table]
    for other in _list(page.get("other")):
        if isinstance(other, dict) and other.get("type") not in _SKIPPED:
            parts += _texts(other.get("content"))
        elif isinstance(other, str):
            parts.append(other)
    return Page(label, _GAP.join(parts))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _texts(value: object) -> list[str]:
    return [str(part) for part in _list(value) if part not in (None, "")]


def _with_tables(markdown: str, tables: object) -> str:
    """The Markdown with each table where its placeholder stands; tables without a placeholder come last."""
    for table in _list(tables):
        if not isinstance(table, dict):
            continue
        name, content = str(table.get("id", "")), _table(table)
        placeholder = f"[{name}]({name})"
        if name and placeholder in markdown:
            markdown = markdown.replace(placeholder, content)
        elif content:
            markdown += _GAP + content
    return markdown


def _table(table: object) -> str:
    """A table as lines of cells parted by bars, whatever it was written as."""
    if isinstance(table, str):
        return rows_of_html(table) if "<t" in table.lower() else table
    if not isinstance(table, dict):
        return ""
    for key in ("content", "html", "markdown", "text"):
        if isinstance(table.get(key), str):
            return _table(table[key])
    rows = [_list(table.get("headers")), *(_list(row) for row in _list(table.get("rows")))]
    return "\n".join(" | ".join("" if cell is None else str(cell) for cell in row) for row in rows if row)


class _Rows(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr" and self.parts:
            self.parts.append("\n")
        elif tag in ("td", "th") and self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append(" | ")
        elif tag in ("br", "p"):
            self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text:
            self.parts.append(text)


def rows_of_html(text: str) -> str:
    """An HTML table as lines of cells parted by bars, entities resolved."""
    parser = _Rows()
    parser.feed(text)
    parser.close()
    return "".join(parser.parts)
