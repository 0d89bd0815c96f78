"""The accuracy figures as blocks and cells for the screen, from what `records accuracy --format json` prints. Values in, values out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.records.measures.tables import Table

CELL = 8
SHADES = " ░▒▓█"
Values = Mapping[str, Any]


def shade(value: float | None) -> str:
    """A cell of the heat map: number and shade; half an edit a model record and more are the darkest."""
    if value is None:
        return f"{'n/a':<{CELL}}"
    level = 0 if value <= 0 else min(len(SHADES) - 1, 1 + int(value * 2 * (len(SHADES) - 2)))
    return f"{value:.2f} {SHADES[level] * 2}"[:CELL].ljust(CELL)


def bar(share: float | None, size: int) -> str:
    """A share as a bar of so many cells."""
    filled = 0 if share is None else round(min(max(share, 0.0), 1.0) * size)
    return "█" * filled + "·" * (size - filled)


def figure_blocks(found: Values, width: int) -> list[Block]:
    """Found, missed, hallucinated; fields and documents worst first; EcoExtract's and the schema's figures; kinds of edit, severity."""
    size = max(8, min(30, width - 60))
    blocks: list[Block] = [*_detection(found["ecoextract"], size), _columns(found, size), _documents(found, size), _figures(found)]
    if found["schema_only"]:
        ends = {name: found["intervals"].get(f"schema_only.{name}") for name in found["schema_only"]}
        lines = tuple(Line((name, _number(value), _range(ends[name]))) for name, value in found["schema_only"].items())
        blocks.append(Grid("The same over the fields of the schema alone", ("figure", "value", "95 %"), lines))
    edits, severity = found["edits"], found["severity"]
    kinds = [(kind, str(number)) for kind, number in edits["kinds"].items()]
    kinds += [("distinct cells", _number(edits["distinct_cells"])), ("of deleted records", _number(edits["on_deleted"]))]
    blocks.append(Facts("Kinds of edit", tuple(kinds)))
    major = (("schema", severity["schema"] or "none"), ("major fields", ", ".join(severity["major_fields"]) or "none"))
    blocks.append(Facts("Severity: an edit of a major field is major", major))
    if found["notes"]:
        blocks.append(Facts("Notes", tuple(("", note) for note in found["notes"])))
    return blocks


def _detection(eco: Values, size: int) -> list[Block]:
    counts = {name: eco.get(f"records_{name}") for name in ("found", "missed", "hallucinated")}
    known = sum(number for number in counts.values() if number)
    shares = {name: number / known if known and number is not None else None for name, number in counts.items()}
    bars = tuple(Line((name, _number(counts[name]), _share(share), bar(share, size))) for name, share in shares.items())
    boxes = (
        Line(("model gave it", f"{_number(counts['found'])} found", f"{_number(counts['hallucinated'])} hallucinated")),
        Line(("model did not", f"{_number(counts['missed'])} missed", "undefined: what is rightly left out cannot be counted")),
    )
    return [
        Grid("Records found, missed, hallucinated, and their shares of the three", ("records", "", "", ""), bars),
        Grid("Against the review", ("", "is a record", "is none"), boxes),
    ]


def _columns(found: Values, size: int) -> Block:
    lines = []
    for row in found["columns"]:
        right = row["accuracy"]
        cells = (row["column"], row["severity"], _number(row["edits"]), _share(right), _range(row), bar(right, size))
        lines.append(Line(cells))
    title = "Fields, worst first (EcoExtract's 1 - edits / model records)"
    return Grid(title, ("field", "severity", "edits", "right", "95 %", ""), tuple(lines))


def _documents(found: Values, size: int) -> Block:
    lines = []
    for row in found["documents"]:
        counts = (row[name] for name in ("records_found", "records_missed", "records_hallucinated", "edits"))
        cells = (f"{row['document']} {row['name']}", *map(_number, counts), _share(row["field_f1"]), bar(row["field_f1"], size))
        lines.append(Line(cells))
    return Grid("Documents, worst first", ("document", "found", "missed", "halluc.", "edits", "field F1", ""), tuple(lines))


def _figures(found: Values) -> Block:
    lines = [
        Line((name, _number(value), _range(found["intervals"].get(name))))
        for name, value in found["ecoextract"].items()
        if isinstance(value, int | float) or value is None
    ]
    lines.append(Line(("detection F1 (ours)", _number(found["detection_f1"]), "")))
    return Grid("EcoExtract's figures; n/a where there is nothing to divide by", ("figure", "value", "95 %"), tuple(lines))


def _range(ends: Values | None) -> str:
    if not ends or ends["low"] is None or ends["high"] is None:
        return ""
    return f"{ends['low']:.3f} to {ends['high']:.3f}"


def _share(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.1%}"


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


def edit_blocks(table: Table) -> list[Block]:
    """The edits of a table one by one: record, kind, severity, when, value before and after."""
    if not table.rows:
        return [Facts("No edit of this field was booked here.", ())]
    blocks: list[Block] = []
    for _, record, _column, kind, severity, before, after, at in table.rows:
        rows = tuple((name, "(empty)" if cell in (None, "") else str(cell)) for name, cell in (("before", before), ("after", after)))
        blocks.append(Facts(f"{record}  {kind}  {severity}  {at}", rows))
    return blocks
