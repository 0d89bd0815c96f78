"""The workspace at a glance: what was read, what is wrong with it, and every cell as scored and as adjudicated."""

from __future__ import annotations

from collections import Counter

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.tables.band import Bands
from scoring.tables.evaluate import Evaluation
from scoring.tables.figures import BAND, band_in_words, rate
from scoring.words import counted


def overview(evaluation: Evaluation, bands: Bands | None = None) -> tuple[Block, ...]:
    """Facts of the inputs, then a line a cell; the band of its adjudicated F1 where the bands have been worked out."""
    material, automatic = evaluation.material, evaluation.as_scored
    statuses = Counter(score.status for score in evaluation.pages.values())
    severities = Counter(problem.severity.value for problem in material.problems)
    binding = evaluation.binding
    rows = sum(len(page.rows) for page in material.pages)
    runs, cells, scorings = len(material.runs), len(automatic.cells), len(evaluation.pages)
    inputs = Facts(
        "Inputs",
        (
            ("ground truth", f"{counted(len(material.pages), 'page')}, {counted(rows, 'row')}"),
            ("runs", f"{runs} of {counted(cells, 'cell')}, {counted(scorings, 'page scoring')}" if runs else "none"),
            ("pages", ", ".join(f"{statuses[status]} {status}" for status in ("ok", "truncated", "failed", "missing"))),
            ("problems", ", ".join(counted(times, name) for name, times in sorted(severities.items())) or "none"),
            (
                "decisions",
                f"{len(binding.applied)} applied, {len(binding.stale)} stale, {len(binding.conflicts)} in conflict",
            ),
        ),
    )
    lines = []
    for scored, adjudicated in zip(automatic.cells, evaluation.cells, strict=True):
        before, after = scored.counts, adjudicated.counts
        lines.append(
            Line(
                (
                    scored.model,
                    scored.phase,
                    rate(before.f1),
                    rate(after.f1),
                    band_in_words(bands, (scored.model, scored.phase)),
                    rate(before.name_cer),
                    rate(after.name_cer),
                    f"{before.distinct_travelers}/{before.gt_distinct}",
                    str(after.distinct_travelers),
                ),
                "" if before == after else "Δ",
            )
        )
    header = ("model", "phase", "F1", "adj.", BAND, "CER", "adj.", evaluation.material.schema.record.many, "adj.")
    return inputs, Grid("Cells: as scored, and as adjudicated", header, tuple(lines))
