"""Figures to look into, from cells to runs to pages, as scored beside as adjudicated (`4-adjudication`, Scores)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.adjudication.decisions import Entry
from scoring.tables.counts import LABELS, Counts, FieldCounts, total
from scoring.tables.evaluate import Evaluation
from scoring.tables.overview import rate
from scoring.tables.page_scores import PageScore

Band = tuple[float | None, float | None]
Bands = Mapping[tuple[str, str], Band]
HEADER = ("F1", "F1 adj.", "low–high", "P", "R", "CER", "gated CER", "exact", "travelers", "adj.", "missed", "surplus")


def figures(evaluation: Evaluation, path: Sequence[str] = (), bands: Bands | None = None) -> tuple[Grid, tuple[Block, ...]]:
    """The level at `path`: a table whose lines lead further down, and what stands beside it.

    Args:
        path: () for the cells; (model, phase) for its runs; (model, phase, run) for its pages. A line's target is the next part(s) of
            the path, joined by a tab.
        bands: low and high of the adjudicated F1 a cell, where they have been worked out.
    """
    if not path:
        lines = [
            _line(
                (cell.model, cell.phase),
                cell.counts,
                after.counts,
                f"{cell.model}\t{cell.phase}",
                (bands or {}).get((cell.model, cell.phase)),
            )
            for cell, after in zip(evaluation.as_scored.cells, evaluation.cells, strict=True)
        ]
        return Grid("Cells", ("model", "phase", *HEADER), tuple(lines)), (_fields_by_cell(evaluation),)
    cell, after = evaluation.as_scored.of_cell(*path[:2]), evaluation.of_cell(*path[:2])
    if len(path) == 2:
        runs = dict.fromkeys(page.run for page in cell.pages)
        lines = [
            _line(
                (evaluation.prepared.runs[run].name,),
                _sum(page for page in cell.pages if page.run == run),
                _sum(page for page in after.pages if page.run == run),
                run,
            )
            for run in runs
        ]
        return Grid(f"Runs of {path[0]}, {path[1]}", ("run", *HEADER), tuple(lines)), (
            _fields(evaluation, cell.fields()),
            _labels(cell.counts, after.counts),
        )
    pages = [(one, two) for one, two in zip(cell.pages, after.pages, strict=True) if one.run == path[2]]
    lines = []
    for one, two in pages:
        if one.counts is None or two.counts is None:
            lines.append(Line((one.page, *("" for _ in HEADER[:-1]), one.status), "!", target=one.page))
        else:
            lines.append(_line((one.page,), one.counts, two.counts, one.page))
    fields = tuple(_added(column) for column in zip(*(one.fields for one, _ in pages if one.counts is not None), strict=True))
    beside = (_fields(evaluation, fields), _labels(_sum(one for one, _ in pages), _sum(two for _, two in pages)))
    return Grid(f"Pages of {path[2]}", ("page", *HEADER), tuple(lines)), beside


def entries_behind(evaluation: Evaluation, path: Sequence[str] = ()) -> tuple[Entry, ...]:
    """The log entries that stand behind the adjudicated figures of a level, in the order they were given."""
    ids = {
        entry
        for (run, page), score in evaluation.pages.items()
        if score.counts is not None
        and (not path or evaluation.prepared.runs[run].cell == tuple(path[:2]))
        and (len(path) < 3 or run == path[2])
        and (len(path) < 4 or page == path[3])
        for entry in score.bound.entries
    }
    found = (evaluation.decisions.entry(one) for one in sorted(ids))
    return tuple(entry for entry in found if entry is not None)


def _fields_by_cell(evaluation: Evaluation) -> Grid:
    """Per-field accuracy of every cell, as scored; a field without a value that can be scored is a dash."""
    names = tuple(field.name for field in evaluation.material.schema.scored)
    lines = (
        Line((cell.model, cell.phase, *(rate(counts.accuracy) for counts in fields)))
        for cell, fields in zip(evaluation.as_scored.cells, evaluation.as_scored.cell_fields, strict=True)
    )
    return Grid("Accuracy per field, on matched pairs", ("model", "phase", *names), tuple(lines))


def _sum(pages: Iterable[PageScore]) -> Counts:
    return total(page.counts for page in pages if page.counts is not None)


def _added(column: Sequence[FieldCounts]) -> FieldCounts:
    return FieldCounts(sum(one.scored for one in column), sum(one.unscorable for one in column), sum(one.points for one in column))


def _line(
    names: tuple[str, ...], before: Counts, after: Counts, target: str, band: tuple[float | None, float | None] | None = None
) -> Line:
    moved = before != after
    shown = f"{rate(band[0])}–{rate(band[1])}" if band is not None and band[0] != band[1] else ""
    return Line(
        (
            *names,
            rate(before.f1),
            rate(after.f1),
            shown,
            rate(before.precision),
            rate(before.recall),
            rate(before.name_cer),
            rate(before.gated_name_cer),
            rate(before.exact_share),
            f"{before.distinct_travelers}/{before.gt_distinct}",
            str(after.distinct_travelers) if moved else "",
            str(before.missed + before.below_gate),
            str(before.surplus),
        ),
        "Δ" if moved else "",
        target=target,
    )


def _fields(evaluation: Evaluation, counts: Sequence[FieldCounts]) -> Grid:
    lines = tuple(
        Line((field.name, rate(one.accuracy), str(one.scored), str(one.unscorable)))
        for field, one in zip(evaluation.material.schema.scored, counts, strict=False)
    )
    return Grid("Fields, on matched pairs", ("field", "accuracy", "scored", "unscorable"), lines)


def _labels(before: Counts, after: Counts) -> Facts:
    shown = ", ".join(f"{getattr(before, label)} {label}" for label in LABELS if getattr(before, label)) or "none"
    settled = f"{after.settled} settled: " + (
        ", ".join(f"{getattr(after, label)} {label}" for label in LABELS if getattr(after, label)) or "none"
    )
    return Facts("Surplus", (("as scored", shown), ("as adjudicated", settled)))
