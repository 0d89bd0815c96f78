"""Figures to look into, from cells to runs to pages, as scored beside as adjudicated (`docs/adjudication.md#scores`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.adjudication.decisions import LogEntry
from scoring.tables.cases.f1_band import Bands
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import PageScore
from scoring.tables.measures.counts import LABELS, Counts, FieldCounts, total, total_fields

DISTINCT = "records"
# What stands in the table, the most important first: every figure as scored, then as adjudicated.
_SHOWN: tuple[tuple[str, Callable[[Counts], str], Callable[[Counts], str]], ...] = (
    ("F1", lambda counts: rate(counts.f1), lambda counts: rate(counts.f1)),
    ("P", lambda counts: rate(counts.precision), lambda counts: rate(counts.precision)),
    ("R", lambda counts: rate(counts.recall), lambda counts: rate(counts.recall)),
    ("CER", lambda counts: rate(counts.name_cer), lambda counts: rate(counts.name_cer)),
    (
        DISTINCT,
        lambda counts: f"{counts.distinct_travelers}/{counts.gt_distinct}",
        lambda counts: str(counts.distinct_travelers),
    ),
    ("missed", lambda counts: str(counts.missed + counts.below_gate), lambda counts: str(counts.missed + counts.below_gate)),
    ("surplus", lambda counts: str(counts.surplus), lambda counts: str(counts.surplus)),
    ("exact", lambda counts: rate(counts.exact_share), lambda counts: rate(counts.exact_share)),
    ("gated CER", lambda counts: rate(counts.gated_name_cer), lambda counts: rate(counts.gated_name_cer)),
)
BAND = "low–high"
# Each figure's name, then `adj.` for the same as adjudicated; behind F1 its band too.
HEADER = tuple(name for figure, _, _ in _SHOWN for name in ((figure, "adj.", BAND) if figure == "F1" else (figure, "adj.")))


def header(evaluation: Evaluation) -> tuple[str, ...]:
    """Return `HEADER` with the data's own word for its rows."""
    return tuple(evaluation.material.schema.record.many if name == DISTINCT else name for name in HEADER)


@dataclass(frozen=True, slots=True)
class Part:
    """A line of a level: a cell, a run or a page of a run, with what was counted on its pages.

    Attributes:
        path: (model, phase), then run key, then page.
        names: what the line is called on its level.
        status: `ok`, or what became of a page that counts in no figure.
        pages: its pages as scored, each beside the same as adjudicated.
        before, after: what was counted on them as scored, and as adjudicated.
    """

    path: tuple[str, ...]
    names: tuple[str, ...]
    status: str
    pages: tuple[tuple[PageScore, PageScore], ...]
    before: Counts
    after: Counts

    @classmethod
    def of(cls, path: tuple[str, ...], names: tuple[str, ...], status: str, pages: Sequence[tuple[PageScore, PageScore]]) -> Part:
        """A line over pages, counted."""
        before = total(one.counts for one, _ in pages if one.counts is not None)
        after = total(two.counts for _, two in pages if two.counts is not None)
        return cls(path, names, status, tuple(pages), before, after)

    def fields(self) -> tuple[tuple[FieldCounts, FieldCounts], ...]:
        """Per value field, in schema order, what was scored on matched pairs: as scored, and as adjudicated."""
        both = [[page[side].fields for page in self.pages if page[side].counts is not None] for side in (0, 1)]
        summed = [tuple(map(total_fields, zip(*one, strict=True))) for one in both]
        return tuple(zip(*summed, strict=True))


def parts(evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[Part, ...]:
    """The lines of the level at `path`: () the cells; (model, phase) its runs; (model, phase, run) its pages."""
    if not path:
        cells = ((one, two, (two.model, two.phase)) for one, two in zip(evaluation.as_scored.cells, evaluation.cells, strict=True))
        return tuple(
            Part(name, name, "ok", tuple(zip(one.pages, two.pages, strict=True)), one.counts, two.counts) for one, two, name in cells
        )
    cell, automatic = evaluation.of_cell(*path[:2]), evaluation.as_scored.pages
    both = {(score.run, score.page): (automatic[score.run, score.page], score) for score in cell.pages}
    if len(path) == 2:
        of_run: dict[str, list[tuple[PageScore, PageScore]]] = {}
        for one in cell.pages:
            of_run.setdefault(one.run, []).append(both[one.run, one.page])
        runs = evaluation.prepared.runs
        return tuple(Part.of((*path, run), (runs[run].name,), "ok", pages) for run, pages in of_run.items())
    return tuple(
        Part.of((*path[:3], one.page), (one.page,), one.status, [both[one.run, one.page]]) for one in cell.pages if one.run == path[2]
    )


def figures(evaluation: Evaluation, path: Sequence[str] = (), bands: Bands | None = None) -> tuple[Grid, tuple[Block, ...]]:
    """The level at `path`: a table whose lines lead further down, and what stands beside it.

    Args:
        path: () for the cells; (model, phase) for its runs; (model, phase, run) for its pages. A line's target is the next part(s) of
            the path, joined by a tab.
        bands: low and high of the adjudicated F1, where they have been worked out.
    """
    found = parts(evaluation, path)
    lines = tuple(_line(part, "\t".join(part.path[len(path) :]), bands) for part in found)
    if not path:
        return Grid("Cells", ("model", "phase", *header(evaluation)), lines), (_fields_by_cell(evaluation),)
    whole = Part.of(tuple(path), (), "ok", tuple(page for part in found for page in part.pages))
    title, first = (f"Runs of {path[0]}, {path[1]}", "run") if len(path) == 2 else (f"Pages of {path[2]}", "page")
    return Grid(title, (first, *header(evaluation)), lines), (_fields(evaluation, whole), _labels(whole.before, whole.after))


def entries_behind(evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[LogEntry, ...]:
    """The log entries that stand behind the adjudicated figures of a level, in the order they were given."""
    ids = {entry for score in scores_at(evaluation, path) if score.counts is not None for entry in score.bound.entries}
    found = (evaluation.decisions.entry(one) for one in sorted(ids))
    return tuple(entry for entry in found if entry is not None)


def scores_at(evaluation: Evaluation, path: Sequence[str] = ()) -> Iterator[PageScore]:
    """The page scores, as adjudicated, that the figures at a path are made of."""
    for (run, page), score in evaluation.pages.items():
        place = (*evaluation.prepared.runs[run].cell, run, page)
        if place[: len(path)] == tuple(path):
            yield score


def rate(value: float | None) -> str:
    """A rate for the screen: three decimals, a dash when undefined."""
    return "–" if value is None else f"{value:.3f}"


def band_in_words(bands: Bands | None, path: Sequence[str]) -> str:
    """Low and high for the screen; nothing where both are one, a sign of waiting while they are being worked out."""
    if bands is None:
        return "…"
    found = bands.at(path)
    return f"{rate(found[0])}–{rate(found[1])}" if found is not None and found[0] != found[1] else ""


def _line(part: Part, target: str, bands: Bands | None) -> Line:
    if part.status in ("failed", "missing"):
        return Line((*part.names, *("" for _ in HEADER[:-1]), part.status), "!", target=target)
    before, after = part.before, part.after
    cells: list[str] = []
    for figure, as_scored, adjudicated in _SHOWN:
        cells += (as_scored(before), adjudicated(after))
        if figure == "F1":
            cells.append(band_in_words(bands, part.path))
    return Line((*part.names, *cells), "Δ" if before != after else "", target=target)


def _fields_by_cell(evaluation: Evaluation) -> Grid:
    """Per-field accuracy of every cell; a field without a value that can be scored is a dash."""
    names = tuple(field.name for field in evaluation.material.schema.scored)
    found = zip(evaluation.cells, evaluation.as_scored.cell_fields, evaluation.cell_fields, strict=True)
    lines = tuple(Line((cell.model, cell.phase, *map(_both, before, after))) for cell, before, after in found)
    return Grid("Accuracy per field, on matched pairs (as scored → as adjudicated)", ("model", "phase", *names), lines)


def _both(before: FieldCounts, after: FieldCounts) -> str:
    one, two = rate(before.accuracy), rate(after.accuracy)
    return one if one == two else f"{one}→{two}"


def _fields(evaluation: Evaluation, whole: Part) -> Grid:
    """Every value field; with nested values that have no declared path, how many are unscorable for that reason."""
    found = tuple(zip(evaluation.material.schema.scored, whole.fields(), strict=False))
    more = any(one.no_path for _, both in found for one in both)
    lines = []
    for field, (before, after) in found:
        cells = [field.name, rate(before.accuracy), rate(after.accuracy)]
        cells += map(str, (before.scored, after.scored, before.unscorable, after.unscorable))
        cells += map(str, (before.no_path, after.no_path)) if more else ()
        lines.append(Line(tuple(cells), "Δ" if before != after else ""))
    header = ("field", "accuracy", "adj.", "scored", "adj.", "unscorable", "adj.", *(("no path", "adj.") if more else ()))
    return Grid("Fields, on matched pairs", header, tuple(lines))


def _labels(before: Counts, after: Counts) -> Facts:
    shown = ", ".join(f"{getattr(before, label)} {label}" for label in LABELS if getattr(before, label)) or "none"
    settled = f"{after.settled} settled: " + (
        ", ".join(f"{getattr(after, label)} {label}" for label in LABELS if getattr(after, label)) or "none"
    )
    return Facts("Surplus", (("as scored", shown), ("as adjudicated", settled)))
