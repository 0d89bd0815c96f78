"""PAGE-XML and ALTO: the lines of each page as ground truth of one column, `text`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Any

from scoring.importing.plan import Item, name_part, skipped
from scoring.importing.sources import Source
from scoring.problems import InputError


def lines(source: Source) -> tuple[Sequence[Item], Sequence[str]] | None:
    """Plan the import of transcribed pages: a file a page, a text line a row, in reading order."""
    files = [file for file in source.files if PurePosixPath(file).suffix.lower() == ".xml"]
    items: list[Item] = []
    for file in files:
        name = PurePosixPath(file).name
        if name.casefold() in ("mets.xml", "metadata.xml"):
            continue
        try:
            read = text_lines(source.read(file))
        except InputError as fault:
            items.append(skipped(file, fault.what))
            continue
        if read is None:
            items.append(skipped(file, "neither PAGE-XML nor ALTO"))
        elif not read:
            items.append(skipped(file, "it holds no text line"))
        else:
            page = name_part(PurePosixPath(file).stem.removeprefix("page_"))
            items.append(Item(file, "ground truth", f"gt/gt_page_{page}.csv", partial(_csv, tuple(read))))
    return (items, ["each text line is a row of the column `text`"]) if any(item.taken for item in items) else None


def text_lines(content: bytes) -> list[str] | None:
    """Return the lines of a PAGE-XML or ALTO file in reading order; None where it is neither.

    Raises:
        InputError: it is no readable XML. Entities and documents of other places are never read.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as fault:
        raise InputError(f"no readable XML ({fault})") from fault
    if root.getroottree().docinfo.internalDTD is not None:
        raise InputError("the XML declares entities, which are not read")
    kind = _local(root)
    if kind == "PcGts":
        return [text for text in map(_page_text, _in_order(root)) if text]
    if kind == "alto":
        return [text for line in _all(root, "TextLine") if (text := _alto_text(line))]
    return None


def _local(element: Any) -> str:
    return str(element.tag).rpartition("}")[2] if isinstance(element.tag, str) else ""


def _all(root: Any, name: str) -> Iterator[Any]:
    return (element for element in root.iter() if _local(element) == name)


def _in_order(root: Any) -> list[Any]:
    """The lines of a PAGE-XML file: by the reading order of their regions, else as they lie."""
    regions = {region.get("id"): region for region in _all(root, "TextRegion")}
    ordered = [ref.get("regionRef") for ref in _all(root, "RegionRefIndexed")]
    indexed = sorted((int(ref.get("index") or 0), at) for at, ref in enumerate(_all(root, "RegionRefIndexed")))
    first = [regions[ordered[at]] for _, at in indexed if ordered[at] in regions]
    rest = [region for region in regions.values() if region not in first]
    found = [line for region in (*first, *rest) for line in region if _local(line) == "TextLine"]
    return found or list(_all(root, "TextLine"))


def _page_text(line: Any) -> str:
    for inner in line:
        if _local(inner) == "TextEquiv":
            return " ".join(" ".join(text.itertext()) for text in inner if _local(text) == "Unicode").strip()
    return ""


def _alto_text(line: Any) -> str:
    out = ""
    for inner in line:
        kind = _local(inner)
        out += str(inner.get("CONTENT") or "") if kind in ("String", "HYP") else " " if kind == "SP" else ""
        if kind == "String" and inner.getnext() is not None and _local(inner.getnext()) == "String":
            out += " "
    return out.strip()


def _csv(rows: tuple[str, ...]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([("text",), *((row,) for row in rows)])
    return out.getvalue().encode("utf-8")
