"""Our results page: Markdown with escaped cells and relative links, and HTML with sortable tables (`docs/hipe-behaviour.md#bug-20`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from scoring.relations.inputs.file_names import Mode
from scoring.relations.measures.rankings import RankingTable, cell_text

_TITLES = {"overall-test-a": "Overall (all impresso languages)", "efficiency-test-a": "Efficiency (complete runs)"}
_MARKDOWN = str.maketrans({character: f"\\{character}" for character in "\\`*_{}[]<>#|~"})

NOTES = (
    "Ranks are competition ranks (1, 1, 3). Rank dense has (1, 1, 2), as the official tables have; rank among teams leaves the"
    " organisers' runs out.",
    "Score is the mean of the macro recalls of the evaluated relations; a macro recall is the mean of the recalls of the labels"
    " the gold holds.",
    "The interval is the central 95 % of a bootstrap over documents. p vs previous is the two-sided p of the difference from the"
    " row above, on the same draws, adjusted by Holm over the table; differs means it is below 0.05.",
    "Imputed pairs were not answered and are scored FALSE; ignored ones are not in the reference.",
)


def title_of(table: RankingTable) -> str:
    """The heading of one of our tables."""
    name = table.file.removeprefix("ranking-").removesuffix(".tsv")
    return _TITLES.get(name, " ".join(name.split("-")))


def escaped(text: str) -> str:
    """Text that Markdown takes as text, on one line."""
    return " ".join(text.split()).translate(_MARKDOWN)


def shown(value: Any) -> str:
    """A cell as our pages print it: numbers short, texts as they are (never taken for numbers)."""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) < 1e6 else f"{value:.6g}"
    return cell_text(value)


def public(tables: Sequence[RankingTable], internal: bool) -> tuple[RankingTable, ...]:
    """The tables fit for a public page: without those whose rows rest on a reference that is not final."""
    return tuple(table for table in tables if internal or all(row["status"] == "final" for row in table.rows))


def markdown_page(tables: Sequence[RankingTable], *, mode: Mode, restricted: Sequence[str], internal: bool, diagnostics: str) -> str:
    """Our page as Markdown.

    Args:
        tables: our ranking tables.
        mode: TERNARY or BINARY.
        restricted: references that are not final, each with its status.
        internal: show their tables too, marked.
        diagnostics: the diagnostics folder relative to the page.
    """
    blocks = [f"# Results{' (binary at)' if mode == 'BINARY' else ''}", *_status_lines(restricted, internal)]
    blocks.append("\n".join(f"- {note}" for note in NOTES))
    for table in public(tables, internal):
        columns = visible_columns(table)
        headings = [escaped(column.replace("_", " ")) for column in columns]
        lines = [f"| {' | '.join(headings)} |", f"|{' --- |' * len(headings)}"]
        for row in table.rows:
            cells = [escaped(shown(row.get(column))) for column in columns]
            if "submission" in columns:
                cells[columns.index("submission")] = _link(row["submission"], diagnostics)
            lines.append(f"| {' | '.join(cells)} |")
        blocks += [f"## {escaped(title_of(table))}", "\n".join(lines) if table.rows else "No run qualifies."]
    return "\n\n".join(blocks) + "\n"


def _link(submission: str, diagnostics: str) -> str:
    stem = submission.removesuffix(".jsonl")
    return f"[{escaped(stem)}]({_url(f'{diagnostics}/{stem}.diagnostics.json')})"


def _url(path: str) -> str:
    from urllib.parse import quote

    return quote(path, safe="/.-_~")


def _status_lines(restricted: Sequence[str], internal: bool) -> list[str]:
    if not restricted:
        return []
    what = "shown because this page is internal; do not publish it" if internal else "left out of this page"
    return [f"**Not final:** {', '.join(map(escaped, restricted))}. What rests on them is {what}."]


def visible_columns(table: RankingTable) -> list[str]:
    """The columns a page shows: those with something in them."""
    return [column for column in table.columns if any(row.get(column) not in (None, "") for row in table.rows)] or list(table.columns)


@lru_cache(maxsize=1)
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    source = files(__package__).joinpath("results_page.html").read_text(encoding="utf-8")
    return Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True).from_string(source)


def html_page(tables: Sequence[RankingTable], *, mode: Mode, restricted: Sequence[str], internal: bool, diagnostics: str) -> str:
    """Our page as one HTML file whose tables sort by a click on a heading; arguments as for `markdown_page`."""
    drawn: list[Mapping[str, Any]] = []
    for table in public(tables, internal):
        columns = visible_columns(table)
        rows = []
        for row in table.rows:
            cells = []
            for column in columns:
                value = row.get(column)
                number = isinstance(value, int | float) and not isinstance(value, bool)
                link = ""
                if column == "submission" and value:
                    link = _url(f"{diagnostics}/{str(value).removesuffix('.jsonl')}.diagnostics.json")
                cells.append({"text": shown(value), "sort": repr(value) if number else "", "number": number, "link": link})
            rows.append(cells)
        headings = [column.replace("_", " ") for column in columns]
        drawn.append({"title": title_of(table), "id": table.file.removesuffix(".tsv"), "headings": headings, "rows": rows})
    text: str = _template().render(tables=drawn, binary=mode == "BINARY", restricted=list(restricted), internal=internal, notes=NOTES)
    return text
