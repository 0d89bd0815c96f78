"""The effects of verdicts as a table: the figures as they are, and by how much each verdict would move them (`docs/method.md#effects`)."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.adjudication.cases import REFERENCE, Grid, Line
from scoring.tables.display.effects import Effect
from scoring.tables.measures.counts import LABELS, Counts

HEADER = ("verdict", "count", "P", "R", "F1", "CER", "surplus")
# What the verdicts that change no figure by themselves wait for.
WAITING = "gt-*, equivalent: = until applied"


def effects_grid(found: Sequence[Effect], cell: str, as_scored: Counts | None = None) -> Grid:
    """The effects in a cell, a line a verdict; `as_scored` are the figures without any verdict.

    A row that has to be picked first stands behind its verdict. `surplus` is how the labels of surplus rows would change.
    """
    now = next((effect.before for effect in found), None)
    lines = []
    if now is not None:
        lines.append(Line(("now", str(now.distinct_travelers), *map(_shown, _figures(now)), ""), REFERENCE))
        if as_scored is not None and _figures(as_scored) != _figures(now):
            lines.append(Line(("as scored", str(as_scored.distinct_travelers), *map(_shown, _figures(as_scored)), ""), REFERENCE))
    for effect in found:
        pointed = f" → {_rows(effect.to_pick)}?" if effect.to_pick else ""
        moved = effect.after.distinct_travelers - effect.before.distinct_travelers
        figures = map(_moved, _figures(effect.before), _figures(effect.after))
        cells = (effect.verdict + pointed, f"{moved:+d}", *figures, _composition(effect.before, effect.after))
        lines.append(Line(cells, "Δ" if any(cell not in ("+0", "=") for cell in cells[1:]) else ""))
    lines.append(Line((WAITING,)))
    return Grid(f"If you say so, in {cell}", HEADER, tuple(lines))


def _figures(counts: Counts) -> tuple[float | None, ...]:
    return counts.precision, counts.recall, counts.f1, counts.name_cer


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.4f}"


def _moved(before: float | None, after: float | None) -> str:
    """The difference in four digits; where a figure comes to be defined, or no longer is, what it would be."""
    if before is None or after is None:
        return "=" if before is after else _shown(after)
    return f"{after - before:+.4f}" if before != after else "="


def _composition(before: Counts, after: Counts) -> str:
    """How the labels of surplus rows change, each by its first three letters: `mis-1 inv+1`."""
    changes = ((label, getattr(after, label) - getattr(before, label)) for label in LABELS)
    return " ".join(f"{label[:3]}{change:+d}" for label, change in changes if change) or "="


def _rows(targets: Sequence[str]) -> str:
    """ROWs in few words: `row 5`, `GT 14+17`."""
    gt = [target.rsplit(":", 1)[-1] for target in targets if target.startswith("gt:")]
    model = [target.rsplit(":", 1)[-1] for target in targets if target.startswith("model:")]
    return " ".join(f"{side} {'+'.join(numbers)}" for side, numbers in (("row", model), ("GT", gt)) if numbers)
