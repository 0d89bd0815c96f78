"""What a verdict would change, before it is given: the figures of the cell with and without it (`4-adjudication`, Review)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.adjudication.cases import Case, Grid, Judgement, Line
from scoring.adjudication.decisions import Entry
from scoring.problems import InputError
from scoring.steps import Steps
from scoring.tables.binding import NOTHING_BOUND, TASK, bound_with
from scoring.tables.counts import Counts, total
from scoring.tables.evaluate import Evaluation
from scoring.tables.page_scores import score_page
from scoring.tables.verdicts import judge

SHOWN = ("same", "different", "duplicate", "merge", "fragment", "misread", "invention")
# An entry that is not in the log yet: the greatest id there can be, since it would be the newest.
_NEWEST = "ffffffff-ffff-7fff-bfff-ffffffffffff"


@dataclass(frozen=True, slots=True)
class Effect:
    """A verdict and the counts of the cell before and after it."""

    verdict: str
    before: Counts
    after: Counts


def effects(evaluation: Evaluation, case: Case, occurrence: int = 0, targets: Sequence[str] = ()) -> Steps[tuple[Effect, ...]]:
    """The effect of each verdict that can be said of the case, on the cell of the occurrence shown; a page of a run a step."""
    if not case.occurrences:
        return ()
    prepared = evaluation.prepared
    cell = evaluation.of_cell(*prepared.runs[case.occurrences[min(occurrence, len(case.occurrences) - 1)].run].cell)
    before = cell.counts
    found = []
    for verdict in SHOWN:
        try:
            judged = judge(evaluation, case, verdict, targets=targets)
        except InputError:
            continue
        entry = _hypothetical(judged)
        changed: list[tuple[Counts, Counts]] = []
        for score in cell.pages:
            if score.page != case.page or score.counts is None:
                continue
            bound = bound_with(evaluation.binding, entry, score.run, score.page)
            if bound == score.bound:
                continue
            if bound is NOTHING_BOUND:
                after = evaluation.as_scored.pages[score.run, score.page]
            else:
                after = score_page(prepared, score.run, score.page, bound)
                yield
            if after.counts is not None:
                changed.append((score.counts, after.counts))
        found.append(Effect(verdict, before, before.changed(total(one for one, _ in changed), total(two for _, two in changed))))
    return tuple(found)


def _hypothetical(judged: Judgement) -> Entry:
    return Entry(
        id=_NEWEST,
        at="1970-01-01T00:00:00.000Z",
        verifier="-",
        task=TASK,
        case=judged.case,
        verdict=judged.verdict,
        targets=judged.targets,
        scope=judged.scope,
        run=judged.run,
        basis=dict(judged.basis),
    )


def effects_grid(found: Sequence[Effect], cell: str) -> Grid:
    """The effects as a table: the figures as they stand, and by how much each verdict would move them."""
    now = tuple(
        Line(("now", str(one.distinct_travelers), *(_shown(figure) for figure in _figures(one))))
        for one in {effect.before for effect in found}
    )
    lines = tuple(
        Line(
            (
                effect.verdict,
                f"{effect.after.distinct_travelers - effect.before.distinct_travelers:+d}",
                *map(_moved, _figures(effect.before), _figures(effect.after)),
            ),
            "Δ" if effect.before != effect.after else "",
        )
        for effect in found
    )
    return Grid(f"If you say so, in {cell}", ("verdict", "travelers", "P", "R", "F1", "CER"), (*now, *lines))


def _figures(counts: Counts) -> tuple[float | None, ...]:
    return counts.precision, counts.recall, counts.f1, counts.name_cer


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.4f}"


def _moved(before: float | None, after: float | None) -> str:
    """The difference in four digits; where a figure comes to be defined, or no longer is, what it would be."""
    if before is None or after is None:
        return "=" if before is after else _shown(after)
    return f"{after - before:+.4f}" if before != after else "="
