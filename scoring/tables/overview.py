"""The workspace at a glance: what was read, what is wrong with it, and every cell as scored and as adjudicated."""

from __future__ import annotations

from collections import Counter

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.tables.evaluate import Evaluation


def overview(evaluation: Evaluation) -> tuple[Block, ...]:
    """Facts of the inputs, then a line a cell."""
    material, automatic = evaluation.material, evaluation.as_scored
    statuses = Counter(score.status for score in evaluation.pages.values())
    severities = Counter(problem.severity.value for problem in material.problems)
    binding = evaluation.binding
    inputs = Facts(
        "Inputs",
        (
            ("ground truth", f"{len(material.pages)} pages, {sum(len(page.rows) for page in material.pages)} rows"),
            ("runs", f"{len(material.runs)} of {len(automatic.cells)} cells, {len(evaluation.pages)} page scorings"),
            ("pages", ", ".join(f"{statuses[status]} {status}" for status in ("ok", "truncated", "failed", "missing"))),
            ("problems", ", ".join(f"{times} {name}s" for name, times in sorted(severities.items())) or "none"),
            (
                "decisions",
                f"{len(binding.applied)} applied, {len(binding.stale)} stale, {len(binding.conflicts)} in conflict",
            ),
        ),
    )
    lines = []
    for scored, adjudicated in zip(automatic.cells, evaluation.cells, strict=True):
        before, after = scored.counts, adjudicated.counts
        moved = "" if before == after else "Δ"
        lines.append(
            Line(
                (
                    scored.model,
                    scored.phase,
                    str(scored.runs),
                    rate(before.f1),
                    rate(after.f1),
                    rate(before.name_cer),
                    rate(after.name_cer),
                    f"{before.distinct_travelers} of {before.gt_distinct}",
                    str(after.distinct_travelers) if moved else "",
                    str(before.surplus),
                ),
                moved,
            )
        )
    header = ("model", "phase", "runs", "F1", "F1 adj.", "CER", "CER adj.", "travelers", "adj.", "surplus")
    return inputs, Grid("Cells: as scored, and as adjudicated", header, tuple(lines))


def rate(value: float | None) -> str:
    """A rate for the screen: three decimals, a dash when undefined."""
    return "–" if value is None else f"{value:.3f}"
