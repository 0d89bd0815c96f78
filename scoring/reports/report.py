"""The report of a workspace, whole: sections, compare pages and figures, and its files in every format."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.reports.contents.tables_sections import Figures, sections
from scoring.reports.formats import html, markdown
from scoring.reports.formats.compare_pages import compare_page
from scoring.reports.formats.sections import Plot, ReportTable, Section, plain_section
from scoring.reports.formats.tables import Table
from scoring.reports.formats.text_formats import to_csv, to_json
from scoring.tables.execution.evaluation import Evaluation
from scoring.workspace.provenance import Provenance, provenance_line

FORMATS = ("html", "md", "xlsx", "tex")
TITLE = "What the models read: scores and readings"
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Report:
    """A report: what it shows, the tables of figures it rests on, and the evaluation its compare pages are of (if there are tables)."""

    title: str
    sections: tuple[Section, ...]
    tables: Mapping[str, Table]
    provenance: Provenance
    evaluation: Evaluation | None = None


def tables_report(figures: Figures, provenance: Provenance, title: str = TITLE) -> Report:
    """The report on tables."""
    return Report(title, sections(figures), figures.tables, provenance, figures.evaluation)


def with_task(report: Report, name: str, found: Sequence[Any]) -> Report:
    """The report with a section more: another task's tables, each (title, header, rows)."""
    section, tables = plain_section(name, [tuple(one) for one in found])
    made = {**report.tables, **{one.name: one for one in tables}}
    return Report(report.title, (*report.sections, section), made, report.provenance, report.evaluation)


def stems(report: Report) -> list[tuple[str, str]]:
    """Pages with the stems of their compare pages' files: `compare_28`, unlike each other on every file system."""
    if report.evaluation is None:
        return []
    taken: set[str] = set()
    found = []
    for page in report.evaluation.material.pages:
        base = "compare_" + re.sub(r"[^A-Za-z0-9_-]", "_", page.id)[:80]
        stem, number = base, 1
        while stem.casefold() in taken:
            number += 1
            stem = f"{base}_{number}"
        taken.add(stem.casefold())
        found.append((page.id, stem))
    return found


def files(report: Report, formats: Collection[str], progress: Progress | None = None) -> Iterator[tuple[str, bytes]]:
    """The files of a report by their path from its folder, one after the other.

    HTML and Markdown come with their compare pages, Markdown with the pictures as files, LaTeX as a folder `tex/` of its tables;
    the figures lie in `data/` as CSV.
    """
    pages = stems(report)
    steps = len(report.tables) + (1 + len(pages)) * len({"html", "md"} & set(formats)) + ("xlsx" in formats)
    done = 0

    def told(name: str, content: str | bytes) -> tuple[str, bytes]:
        nonlocal done
        done += 1
        if progress is not None:
            progress("writing", min(done, steps), steps)
        return name, content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content

    for name, table in report.tables.items():
        yield told(f"data/{name}.csv", to_csv(table))
    yield "data/provenance.json", to_json(report.provenance.as_dict()).encode()
    if "html" in formats:
        yield told("report.html", html.report(report.title, report.sections, report.provenance, pages))
    if "md" in formats:
        yield told("report.md", markdown.report(report.title, report.sections, report.provenance, pages))
        for plot in (block for section in report.sections for block in section.blocks if isinstance(block, Plot)):
            yield f"figures/{plot.name}.svg", standalone(plot.draw()).encode()
    for page, stem in pages:
        if report.evaluation is not None and {"html", "md"} & set(formats):
            compared = compare_page(report.evaluation, page)
            if "html" in formats:
                yield told(f"{stem}.html", html.compare(compared, report.provenance, pages))
            if "md" in formats:
                yield told(f"{stem}.md", markdown.compare(compared, report.provenance))
    if "tex" in formats:
        from scoring.reports.formats import tex

        for name, text in tex.files(shown(report), report.title, provenance_line(report.provenance), report.provenance.generated):
            yield f"tex/{name}", text.encode()
    if "xlsx" in formats:
        from scoring.reports.formats.workbook import workbook

        yield told("report.xlsx", workbook(sheets(report), report.title, provenance_line(report.provenance), report.provenance.generated))


def shown(report: Report) -> list[Table]:
    """The tables that the sections show, rounded for people to read."""
    return [block.table for section in report.sections for block in section.blocks if isinstance(block, ReportTable)]


def sheets(report: Report) -> list[Table]:
    """The tables of the workbook: those of the sections, then the files of figures they do not already hold."""
    first = shown(report)
    names = {one.name for one in first}
    return [*first, *(one for one in report.tables.values() if one.name not in names and one.name != "pairs_as_scored")]


def standalone(svg: str) -> str:
    """A picture as a file of its own, its ink dark on light and light on dark."""
    style = "<style>svg{color:#1b1b1f}@media(prefers-color-scheme:dark){svg{color:#e9e9ec}}</style>"
    named = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    head, rest = named.split(">", 1)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}>{style}{rest}\n'
