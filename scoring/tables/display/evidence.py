"""What is shown of a case of the tables task (`docs/review.md`): blocks of evidence, worked out on demand for one case.

Everything is of one occurrence (by default the case's first), since a reading's page context and claimants differ by run, and of the
rows the verifier picked, where some are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from scoring.adjudication.cases import OTHER, Block, Case, Comparison, Facts, Gauge, Grid, Line, Stack
from scoring.foundations.wording import counted
from scoring.tables.cases.candidates import CLAIMANTS
from scoring.tables.cases.occurrence_view import Candidate, OccurrenceView
from scoring.tables.display import model_readings as readings_shown
from scoring.tables.display.blind_view import blinded
from scoring.tables.display.context import context, fields
from scoring.tables.display.stale_view import stale_blocks
from scoring.tables.display.value_evidence import stacked_values, value_evidence
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import chance_of_misread
from scoring.tables.matching.similarity import Similarity, compare
from scoring.tables.measures.surplus_labels import worded


def evidence(
    evaluation: Evaluation, case: Case, occurrence: int = 0, *, blind: bool = False, pointed: Sequence[str] = ()
) -> tuple[Block, ...]:
    """The blocks of one occurrence of a case, most telling first; blind, without what would sway the verdict.

    Names, reasons and fields are those of the rows `pointed` to, and say that they are picked.
    """
    if not case.occurrences:
        return tuple(stale_blocks(evaluation, case))
    if "field" in case.basis:
        of_value = value_evidence(evaluation, case, occurrence)
        return blinded(of_value) if blind else of_value
    blocks = _blocks(OccurrenceView(evaluation, case, occurrence, blind=blind, pointed=pointed))
    return blinded(blocks) if blind else tuple(blocks)


def claimants(evaluation: Evaluation, case: Case, occurrence: int = 0) -> tuple[Candidate, ...]:
    """The rows a digit key points to, in their order: GT rows first for a model row, model rows for a GT row."""
    return OccurrenceView(evaluation, case, occurrence).claimants() if case.occurrences else ()


def stacked_readings(evaluation: Evaluation, case: Case, occurrence: int = 0, pointed: Sequence[str] = ()) -> Stack | None:
    """Every model's reading of the GT row shown, stacked; `None` where none is shown. Looks at every run of the page."""
    if not case.occurrences:
        return None
    if "field" in case.basis:
        return stacked_values(evaluation, case)
    return readings_shown.stacked_readings(OccurrenceView(evaluation, case, occurrence, pointed=pointed))


def _blocks(sight: OccurrenceView) -> Iterator[Block]:
    gt, row = sight.shown_gt, sight.shown_row
    picked = ", picked" if sight.picked else ""
    if row is not None and gt is not None:
        found = _similarity(sight, gt, row)
        yield Comparison(f"GT {sight.gt_number(gt)}{picked}", sight.gt.texts[gt], _model_label(sight, row), sight.answer.texts[row])
        if found is not None:
            yield Gauge("similarity", found.value, sight.settings.gate)
            yield Facts("Why, of the row picked" if sight.picked else "Why", tuple(_why(sight, gt, row, found)))
    elif row is not None:
        yield Facts(_model_label(sight, row), (("name", sight.answer.texts[row]),))
    elif gt is not None:
        yield Facts(f"GT {sight.gt_number(gt)}", (("name", sight.gt.texts[gt]),))
    if sight.row is not None:
        yield from _also_picked(sight, sight.row)
        if not sight.blind and not sight.pointed_rows:
            yield from _repeated(sight, sight.row)
    yield _claimant_grid(sight)
    if row is not None or gt is not None:
        yield fields(sight)
    yield from context(sight)
    yield from _new(sight.case)
    yield _occurrences(sight)


def _new(case: Case) -> Iterator[Grid]:
    """The occurrences that came since the verdict, which covers them."""
    new = case.basis.get("new")
    if isinstance(new, tuple) and new:
        lines = tuple(Line((one.run, one.targets[0].rsplit(":", 1)[-1])) for one in new)
        yield Grid(f"Occurs anew since the verdict, {len(new)} times", ("run", "row"), lines)


def _similarity(sight: OccurrenceView, gt: int, row: int) -> Similarity | None:
    """The similarity of two rows; a row without a name is compared with nothing."""
    name = sight.answer.models[row]
    return sight.gt.pairer.similarity(gt, name) if name.readings and sight.gt.forms[gt] else None


def _model_label(sight: OccurrenceView, row: int) -> str:
    return f"{sight.run} row {sight.row_number(row)}"


def _also_picked(sight: OccurrenceView, row: int) -> Iterator[Block]:
    """The other rows picked: GT rows of a merge before the last, and model rows the judged one may repeat or be a piece of."""
    for gt in sight.pointed_gt[:-1]:
        label = f"GT {sight.gt_number(gt)}, picked"
        yield Comparison(label, sight.gt.texts[gt], _model_label(sight, row), sight.answer.texts[row])
    for other in sight.pointed_rows:
        if other != row:
            yield from _two_rows(sight, other, row, f"row {sight.row_number(other)}, picked", f"row {sight.row_number(row)}", "Picked")


def _repeated(sight: OccurrenceView, row: int) -> Iterator[Block]:
    """The row of this run that a suggested duplicate repeats. Of two model rows the earlier stands first, as the reference."""
    found = next((one.suggestion for one in sight.score.surplus if one.row == row), None)
    if found is None or found.label != "duplicate" or found.model is None:
        return
    first, second = sorted((row, found.model))
    yield from _two_rows(sight, first, second, f"row {sight.row_number(first)}", f"row {sight.row_number(second)}", "Repeats")


def _two_rows(sight: OccurrenceView, one: int, two: int, upper: str, lower: str, title: str) -> Iterator[Block]:
    texts = sight.answer.texts
    yield Comparison(upper, texts[one], lower, texts[two])
    if sight.answer.models[one].readings and sight.answer.models[two].readings and not sight.blind:
        alike = compare(sight.answer.form(one), sight.answer.models[two].readings)
        yield Facts(title, (("similarity of the two rows", sight.shown(alike.value)), ("edits", str(alike.edits))))


def _why(sight: OccurrenceView, gt: int, row: int, found: Similarity) -> Iterator[tuple[str, str]]:
    yield "reading", found.reading.text + (f"  (stepped over: {', '.join(found.reading.removed)})" if found.reading.removed else "")
    yield "ratio, token overlap", f"{sight.shown(found.ratio)}, {sight.shown(found.overlap)}"
    yield "edits", f"{found.edits} in {len(sight.gt.forms[gt])} characters"
    if found.resolved is not None:
        tipped = found.literal < sight.settings.gate <= found.value
        yield "illegible glyph", f"read as {found.resolved}; literal {sight.shown(found.literal)}" + (", tipped the gate" if tipped else "")
    rest = [claimant for claimant in sight.near_gt(CLAIMANTS) if claimant[0] != gt]
    if rest:
        other, value = rest[0]
        margin = f"margin {found.value - value:+.3f}"
        yield "runner-up", f"GT {sight.gt_number(other)} {sight.gt.texts[other]} at {sight.shown(value)} ({margin})"
    holder = sight.score.holders.get(gt)
    if holder is not None and holder != row:
        yield "held by", f"row {sight.row_number(holder)} {sight.answer.texts[holder]}"
    if sight.case.suggestion == "misread":
        chance = chance_of_misread(sight.prepared, sight.score)
        if chance is not None:
            read = worded("misread", chance)
            yield (
                "chance",
                f"{chance:.0%} of names from other pages would be labelled misread here" + (f": {read}" if read != "misread" else ""),
            )


def _claimant_grid(sight: OccurrenceView) -> Grid:
    lines = [
        Line(
            (
                "GT" if one.target.startswith("gt:") else "row",
                one.target.rsplit(":", 1)[-1],
                one.text,
                sight.shown(one.similarity),
                one.held_by,
            ),
            OTHER if one.besides else "",
            one.target,
        )
        for one in sight.claimants()
    ]
    return Grid("Claimants", ("", "row", "name", "similarity", "held by"), tuple(lines), numbered=True)


def _occurrences(sight: OccurrenceView) -> Grid:
    by_cell: Counter[tuple[str, str]] = Counter()
    for occurrence in sight.case.occurrences:
        run = sight.prepared.runs[occurrence.run]
        by_cell[run.cell] += 1
    lines = tuple(Line((model, phase, str(of_cell))) for (model, phase), of_cell in sorted(by_cell.items()))
    return Grid(f"Occurs {counted(len(sight.case.occurrences), 'time')}", ("model", "phase", "times"), lines)
