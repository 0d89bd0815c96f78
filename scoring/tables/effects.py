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
from scoring.tables.evaluate import Evaluation, score_page
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
    """The effects as a table: the figures that would stand, and by how much they differ from now."""
    lines = []
    for effect in found:
        before, after = effect.before, effect.after
        moved = before != after
        lines.append(
            Line(
                (
                    effect.verdict,
                    f"{after.distinct_travelers} ({after.distinct_travelers - before.distinct_travelers:+d})",
                    _moved(before.precision, after.precision),
                    _moved(before.recall, after.recall),
                    _moved(before.f1, after.f1),
                    _moved(before.name_cer, after.name_cer),
                ),
                "Δ" if moved else "",
            )
        )
    return Grid(f"If you say so, in {cell}", ("verdict", "travelers", "P", "R", "F1", "CER"), tuple(lines))


def _moved(before: float | None, after: float | None) -> str:
    if before is None or after is None:
        return "–"
    return f"{after:.4f} ({after - before:+.4f})" if before != after else f"{after:.4f}"
