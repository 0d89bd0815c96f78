"""HTML tables in an answer."""

from __future__ import annotations

from typing import Any

from scoring.texts.csv_tables import CsvTable

_MOST_COLUMNS = 1_000


def html_tables(text: str) -> list[CsvTable]:
    """Return the tables of an HTML text: the first row of each is the header. Tables inside tables are none of their own."""
    if "<table" not in text.lower() and "<tr" not in text.lower():
        return []
    from lxml import etree, html

    parser = html.HTMLParser(no_network=True, recover=True, huge_tree=False)
    try:
        document = html.document_fromstring(text, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError):
        return []
    tables = [table for table in document.iter("table") if next(table.iterancestors("table"), None) is None] or [document]
    found = []
    for table in tables:
        rows = [(number, cells) for number, row in enumerate(table.iter("tr"), 1) if (cells := _cells(row))]
        if rows:
            found.append(CsvTable(rows[0][1], tuple(rows[1:]), ("HTML table read",)))
    return found


def _cells(row: Any) -> tuple[str, ...]:
    """The texts of a row's cells; a cell over several columns leaves the others blank."""
    cells: list[str] = []
    for cell in row:
        if getattr(cell, "tag", None) not in ("td", "th"):
            continue
        for mark in cell.iter("br"):
            mark.tail = "\n" + (mark.tail or "")
        cells.append("".join(cell.itertext()).strip())
        span = str(cell.get("colspan") or "1")
        cells += [""] * (min(int(span), _MOST_COLUMNS) - 1 if span.isdecimal() else 0)
    return tuple(cells)
