"""Pictures of the figures as inline SVG, by matplotlib: legible in greyscale and for colour-blind readers, on light and dark.

Every picture is drawn from a table, so it shows what the CSV holds. The same table gives the same bytes: fixed salt for
ids, no date, no random marks. Lines and words take the colour of the page (`currentColor`); series differ by marker or hatch
as well as by colour (the palette of Okabe and Ito).
"""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from scoring.reports.tables import Table
from scoring.text import visible
from scoring.words import gate_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#010203"
GATE = "#d55e00"
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9")
HATCHES = ("", "///", "...", "\\\\\\", "xxx")
_SETTINGS: Any = {
    "svg.hashsalt": "adjudicate",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9,
    "font.family": ["DejaVu Sans"],
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "legend.frameon": False,
    "figure.dpi": 72,
}


def drawn(name: str, alt: str, size: tuple[float, float], draw: Callable[[Figure], None]) -> str:
    """One picture as an `<svg>` element with a title for those who do not see it.

    Args:
        name: unique in a document; ids in the SVG begin with it.
        alt: what the picture shows, in words.
        size: width and height in inches.
        draw: draws on the figure.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    with mpl.rc_context(), warnings.catch_warnings():
        # Whatever this machine sets for matplotlib, the picture is the same.
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        # A name in a script the font lacks is drawn by the reader's own font: the words stay words in the SVG.
        warnings.simplefilter("ignore")
        figure = Figure(figsize=size, layout="constrained")
        figure.patch.set_alpha(0.0)
        draw(figure)
        for axes in figure.axes:
            axes.patch.set_alpha(0.0)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _inline(stream.getvalue(), name, alt)


def _inline(svg: str, name: str, alt: str) -> str:
    """The picture made part of a page: no prologue, ids of its own, ink in the page's colour, a title."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->\n?", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<[^>]+>", lambda tag: _own(tag.group(), name), svg)
    head, rest = svg.split(">", 1)
    width = re.search(r'width="([0-9.]+)pt"', head)
    head = re.sub(r' (width|height)="[^"]*"', "", head).replace(' version="1.1"', "")
    style = f' style="max-width:{float(width.group(1)) * 4 / 3:.0f}px"' if width else ""
    title = f'<title id="{name}-title">{escape(visible(alt))}</title>'
    return f'{head} role="img" aria-labelledby="{name}-title"{style}>{title}{rest.strip()}'


def _own(tag: str, name: str) -> str:
    """One tag with its ids, references and ink made the page's; words between tags are data and stay."""
    tag = tag.replace(' id="', f' id="{name}-').replace('xlink:href="#', f'href="#{name}-').replace("url(#", f"url(#{name}-")
    tag = tag.replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "").replace(' xmlns="http://www.w3.org/2000/svg"', "")
    return tag.replace(INK, "currentColor")


def cell_names(rows: Sequence[Sequence[Any]]) -> list[str]:
    """Model and phase of the first two columns, as labels."""
    return [visible(f"{row[0]}, {row[1]}") for row in rows]


def _height(cells: int) -> float:
    return 1.2 + 0.26 * cells


def detection(summary: Table, spread: Table, name: str, alt: str) -> str:
    """F1 and name CER of each cell with the spread of its runs."""
    header, rows = summary.header, summary.rows[::-1]
    runs = {(row[0], row[1], row[2]): row for row in spread.rows}

    def draw(figure: Figure) -> None:
        left, right = figure.subplots(1, 2, sharey=True)
        for axes, figure_name, words in ((left, "f1", "F1"), (right, "name_cer", "name CER (lower is better)")):
            at = header.index(figure_name)
            for place, row in enumerate(rows):
                found = runs.get((row[0], row[1], figure_name))
                if found is not None and found[3] > 1:  # type: ignore[operator]
                    axes.plot([found[4], found[6]], [place, place], color=INK, linewidth=1, marker="|", markersize=7)
                if row[at] is not None:
                    axes.plot([row[at]], [place], "o", color=COLOURS[0], markeredgecolor=INK, markersize=5)
                if figure_name == "f1":
                    decided = row[header.index("adjudicated_f1")]
                    if decided is not None and decided != row[at]:
                        axes.plot([decided], [place], "D", color=COLOURS[1], markeredgecolor=INK, markersize=4)
            axes.set_xlabel(words)
            axes.set_xlim(left=0)
            axes.grid(axis="x", color=INK, alpha=0.15)
        left.set_xlim(0, 1)
        left.set_yticks(range(len(rows)), cell_names(rows))
        left.set_ylim(-0.6, len(rows) - 0.4)

    return drawn(name, alt, (7.6, _height(len(rows))), draw)


def surplus(summary: Table, labels: Sequence[str], name: str, alt: str) -> str:
    """Surplus rows of each cell by automatic label, stacked."""
    header, rows = summary.header, summary.rows[::-1]

    def draw(figure: Figure) -> None:
        from matplotlib.patches import Patch

        axes = figure.subplots()
        base = [0] * len(rows)
        for label, colour, hatch in zip(labels, COLOURS, HATCHES, strict=True):
            values: list[Any] = [row[header.index(label)] for row in rows]
            there = [at for at, value in enumerate(values) if value]
            left, width = [base[at] for at in there], [values[at] for at in there]
            axes.barh(there, width, left=left, color=colour, hatch=hatch, edgecolor=INK, linewidth=0.6)
            base = [start + value for start, value in zip(base, values, strict=True)]
        axes.set_yticks(range(len(rows)), cell_names(rows))
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlabel("surplus rows, all pages and runs")
        known = [
            Patch(facecolor=colour, hatch=hatch, edgecolor=INK, linewidth=0.6, label=label)
            for label, colour, hatch in zip(labels, COLOURS, HATCHES, strict=True)
        ]
        figure.legend(handles=known, loc="outside upper center", ncols=len(labels))

    return drawn(name, alt, (7.6, _height(len(rows)) + 0.3), draw)


def histogram(similarities: Sequence[float], gate: float, name: str, alt: str) -> str:
    """Similarities of the pairs without floor, with the gate. A bin holds its lower edge; the last also 1."""
    bins = [0] * 50
    for value in similarities:
        # As decimals, so that 0.70 falls into the bin that begins there.
        bins[min(49, int(round(value * 1e9) // 20_000_000))] += 1

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        edges = [at / 50 for at in range(50)]
        colours = [COLOURS[0] if edge >= gate - 1e-9 else COLOURS[4] for edge in edges]
        bars = axes.bar(edges, bins, width=0.02, align="edge", color=colours, edgecolor=INK, linewidth=0.4)
        for bar, edge in zip(bars, edges, strict=True):
            if edge < gate - 1e-9:
                bar.set_hatch("///")
        axes.axvline(gate, color=GATE, linewidth=1.6, linestyle="--")
        axes.annotate(
            f"gate {gate_text(gate)}",
            (gate, 1),
            xycoords=("data", "axes fraction"),
            xytext=(-4, -2),
            textcoords="offset points",
            ha="right",
            va="top",
        )
        axes.set_yscale("symlog", linthresh=10)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.set_xlim(0, 1)
        axes.set_xlabel("similarity of paired names")
        axes.set_ylabel("pairs (log scale from 10)")

    return drawn(name, alt, (7.0, 3.0), draw)


def gates(curve: Table, gate: float, name: str, alt: str) -> str:
    """Precision, recall and F1 of all cells pooled at every gate; under the verdicts dashed, where they differ."""
    rows: Sequence[Sequence[Any]] = curve.rows[-101:]
    header = curve.header

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        for figure_name, colour, marker in (("precision", COLOURS[0], "^"), ("recall", COLOURS[2], "v"), ("f1", COLOURS[3], "o")):
            for prefix, style, words in (("", "-", ""), ("adjudicated_", "--", ", adjudicated")):
                at = header.index(prefix + figure_name)
                if prefix and all(row[at] == row[header.index(figure_name)] for row in rows):
                    continue
                label = ("F1" if figure_name == "f1" else figure_name) + words
                axes.plot(
                    [row[2] for row in rows],
                    [row[at] for row in rows],
                    style,
                    color=colour,
                    marker=marker,
                    markevery=10,
                    markersize=4,
                    label=label,
                )
        axes.axvline(gate, color=GATE, linewidth=1.6, linestyle=":")
        axes.annotate(
            f"gate {gate_text(gate)}", (gate, 0), xycoords=("data", "axes fraction"), xytext=(-4, 4), textcoords="offset points", ha="right"
        )
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("gate")
        axes.grid(color=INK, alpha=0.15)
        figure.legend(loc="outside upper center", ncols=3)

    return drawn(name, alt, (7.0, 3.4), draw)


def heat_map(fields: Table, name: str, alt: str) -> str:
    """Accuracy by field and cell, the figure written in each square."""
    names = list(dict.fromkeys(str(row[2]) for row in fields.rows))
    cells = list(dict.fromkeys((row[0], row[1]) for row in fields.rows))
    values: dict[tuple[Any, ...], Any] = {(row[0], row[1], row[2]): row[5] for row in fields.rows}

    def draw(figure: Figure) -> None:
        axes = figure.subplots()
        if not cells:
            axes.set_axis_off()
            axes.text(0.5, 0.5, "no field was scored", ha="center", va="center")
            return
        grid = [[float("nan") if values[*cell, field] is None else values[*cell, field] for field in names] for cell in cells]
        edges = ([at - 0.5 for at in range(size + 1)] for size in (len(names), len(cells)))
        axes.pcolormesh(*edges, grid, cmap="cividis", vmin=0, vmax=1)
        axes.set_ylim(len(cells) - 0.5, -0.5)
        for row, cell in enumerate(cells):
            for column, field in enumerate(names):
                value = values[*cell, field]
                ink = INK if value is None else "white" if value < 0.5 else "black"
                axes.text(column, row, "–" if value is None else f"{value:.2f}", ha="center", va="center", color=ink, fontsize=8)
        axes.set_xticks(range(len(names)), [visible(field).replace("_", " ") for field in names], rotation=35, ha="right")
        axes.set_yticks(range(len(cells)), cell_names(cells))
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)

    return drawn(name, alt, (max(5.0, 2.4 + 0.7 * len(names)), _height(len(cells)) + 0.6), draw)
