"""The report and its compare pages as Markdown, for a repository."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.reports.formats.compare_pages import CellReadings, ComparePage, Pieces, Reading
from scoring.reports.formats.sections import Plot, Prose, Section
from scoring.reports.formats.text_formats import escaped, markdown_rows
from scoring.workspace.provenance import Provenance, provenance_line

LONGEST = 60


def report(title: str, sections: Sequence[Section], provenance: Provenance, pages: Sequence[tuple[str, str]]) -> str:
    """The report.

    Args:
        pages: page id and the stem of its compare page.
    """
    lines = [f"# {escaped(title)}", "", f"{provenance_line(provenance)}.", "", f"Generated {provenance.generated}.", ""]
    lines += [f"- [{section.title}](#{section.anchor})" for section in sections]
    if pages:
        lines += ["- [Compare pages](#compare)"]
    lines.append("")
    for section in sections:
        lines += [f'<a id="{section.anchor}"></a>', "", f"## {section.title}", ""]
        for block in section.blocks:
            if isinstance(block, Prose):
                lines += ["".join(_piece(piece) for piece in block.pieces), ""]
            elif isinstance(block, Plot):
                lines += [f"![{block.alt}](figures/{block.name}.svg)", "", f"*{block.caption}*", ""]
            else:
                table = block.table
                lines += [f"### {escaped(table.title)}", ""]
                lines += [table.note, ""] if table.note else []
                if block.folded and len(table.rows) > LONGEST:
                    lines += [f"{len(table.rows)} rows, in [{block.source}](data/{block.source}).", ""]
                else:
                    lines += [*markdown_rows(table), "", f"Figures: [{block.source}](data/{block.source}).", ""]
    if pages:
        lines += ['<a id="compare"></a>', "", "## Compare pages", ""]
        lines += [f"- [Page {escaped(page)}]({stem}.md)" for page, stem in pages]
        lines.append("")
    return "\n".join(lines)


def _piece(piece: str | tuple[str, str]) -> str:
    if isinstance(piece, str):
        return piece
    return f"[{piece[0]}]({piece[1]})"


def compare(page: ComparePage, provenance: Provenance) -> str:
    """A compare page: a row a GT row, a column a cell. Bold: characters that differ; struck: characters of GT that are missing."""
    lines = [f"# Page {escaped(page.page)}: readings compared", "", f"{provenance_line(provenance)}.", ""]
    lines += ["<b>bold</b>: differs from GT; <del>struck</del>: in GT and missing; ≁: paired below the gate; ×: in how many runs.", ""]
    head = ["GT row", "GT name", "found", *(escaped(f"{model}, {phase}") for model, phase in page.cells)]
    lines += ["| " + " | ".join(head) + " |", "| ---: | :--- | ---: |" + " :--- |" * len(page.cells)]
    for line in page.lines:
        cells = [str(line.number), escaped(line.name), f"{line.found} of {line.runs}", *(_side(side) for side in line.sides)]
        lines.append("| " + " | ".join(cells) + " |")
    lines.append("")
    if page.surplus:
        lines += ["## Surplus rows", "", "| rows | name | label | model | phase |", "| ---: | :--- | :--- | :--- | :--- |"]
        for one in page.surplus:
            cells = [str(one.times), escaped(one.name) or " ", one.label or "nameless", escaped(one.model), escaped(one.phase)]
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines)


def _side(side: CellReadings) -> str:
    parts = [_reading(reading) for reading in side.readings]
    if side.nothing:
        parts.append(f"*missed* ×{side.nothing}")
    return "<br>".join(parts) or "–"


def _reading(reading: Reading) -> str:
    return ("" if reading.matched else "≁ ") + _pieces(reading.pieces) + f" ×{reading.times}"


def _pieces(pieces: Pieces) -> str:
    """Marks as tags, which hold inside words and beside punctuation, where asterisks and tildes do not."""
    tags = {"changed": "b", "missing": "del"}
    return "".join(f"<{tags[mark]}>{escaped(text)}</{tags[mark]}>" if mark else escaped(text) for text, mark in pieces)
