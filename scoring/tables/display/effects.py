"""What a verdict would change, before it is given: the figures of the cell with and without it (`docs/method.md#effects`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.adjudication.cases import Case, Judgement
from scoring.adjudication.decisions import LogEntry
from scoring.foundations.incremental import Steps
from scoring.tables.decisions.anchor import said_by
from scoring.tables.decisions.application import NOTHING_BOUND, TASK, bound_with
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import score_page
from scoring.tables.measures.counts import Counts, total
from scoring.tables.verdicts.targets import supposed

SHOWN = ("same", "different", "duplicate", "merge", "fragment", "misread", "invention", "unsure")
# An entry that is not in the log yet: the greatest id there can be, since it would be the newest.
_NEWEST = "ffffffff-ffff-7fff-bfff-ffffffffffff"


@dataclass(frozen=True, slots=True)
class Effect:
    """A verdict and the counts of the cell before and after it.

    `to_pick` are rows that have to be picked before it can be given; none where it can be given at once.
    """

    verdict: str
    before: Counts
    after: Counts
    to_pick: tuple[str, ...] = ()


def effects(
    evaluation: Evaluation, case: Case, occurrence: int = 0, targets: Sequence[str] = (), run: str | None = None
) -> Steps[tuple[Effect, ...]]:
    """The effect of each verdict that can be said of the case, on the cell of the occurrence shown; a page of a run a step.

    Args:
        targets: ROWs pointed to; none means the ones the case proposes.
        run: as the verdict would be narrowed (`judge`).
    """
    if not case.occurrences:
        return ()
    prepared = evaluation.prepared
    cell = evaluation.of_cell(*prepared.runs[case.occurrences[min(occurrence, len(case.occurrences) - 1)].run].cell)
    before = cell.counts
    found = []
    for verdict in SHOWN:
        given = supposed(evaluation, case, occurrence, verdict, targets, run)
        yield
        if given is None:
            continue
        said = said_by(prepared, hypothetical(given.judged))
        yield
        changed: list[tuple[Counts, Counts]] = []
        for score in cell.pages:
            if score.page != case.page or score.counts is None:
                continue
            bound = bound_with(evaluation.binding, said, score.run, score.page)
            if bound == score.bound:
                continue
            if bound is NOTHING_BOUND:
                after = evaluation.as_scored.pages[score.run, score.page]
            else:
                after = score_page(prepared, score.run, score.page, bound)
                yield
            if after.counts is not None:
                changed.append((score.counts, after.counts))
        after_all = before.changed(total(one for one, _ in changed), total(two for _, two in changed))
        found.append(Effect(verdict, before, after_all, given.to_pick))
    return tuple(found)


def hypothetical(judged: Judgement) -> LogEntry:
    """The newest entry of the log there could be, that says the judgement."""
    return LogEntry(
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
