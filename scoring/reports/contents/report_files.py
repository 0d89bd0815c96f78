"""Further tables of figures that the report rests on, at full precision, each a CSV beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from scoring.foundations.problems import Problem
from scoring.reports.formats.tables import Cell, Column, Table, columns, table
from scoring.tables.execution.evaluation import CellScore, Evaluation
from scoring.tables.execution.page_score import AlignedPair, chance_of_misread
from scoring.tables.figures.bootstrap import LEVEL, REPLICATES, SEED, intervals
from scoring.tables.figures.consistency import row_consistency, spreads
from scoring.tables.figures.gates import gate_curve
from scoring.tables.matching.similarity import Similarity
from scoring.tables.measures.surplus_labels import worded

CELL = columns("text", "model", "phase")
ALL = "all"


def spread(evaluation: Evaluation) -> Table:
    """`spread`: every headline figure over the runs of each cell."""
    rows = [
        (cell.model, cell.phase, one.figure, one.runs, one.least, one.median, one.greatest, one.deviation)
        for cell in evaluation.as_scored.cells
        for one in spreads(cell)
    ]
    head = (*CELL, Column("figure"), Column("runs", "count"), *columns("share", "least", "median", "greatest", "deviation"))
    return table("spread", "Spread over the runs of a cell", head, rows)


def rows_found(evaluation: Evaluation) -> Table:
    """`rows_found`: each GT row under each cell: in how many runs it was found, how many readings it got, the most frequent one."""
    prepared = evaluation.prepared
    rows = []
    for one in row_consistency(evaluation.as_scored):
        page = prepared.pages[one.page]
        readings = "; ".join(f"{form} ×{times}" for form, times in one.readings)
        place = (one.page, page.page.rows[one.gt].number, page.texts[one.gt])
        rows.append((*place, one.model, one.phase, one.runs, one.found, len(one.readings), readings))
    head = (Column("page"), Column("gt_row", "count"), Column("gt_name"), *CELL, *columns("count", "runs", "found", "readings"))
    return table("rows_found", "GT rows over the runs", (*head, Column("names")), rows)


def curve(evaluation: Evaluation) -> Table:
    """`gate_curve`: precision, recall and F1 at every gate, as scored and under the verdicts; per cell, and pooled over all cells."""
    rows: list[tuple[Cell, ...]] = []
    pairs: Iterable[tuple[CellScore, CellScore]] = zip(evaluation.as_scored.cells, evaluation.cells, strict=True)
    for as_scored, cell in pairs:
        rows += _curve(cell.model, cell.phase, as_scored, cell)
    rows += _curve(ALL, ALL, evaluation.as_scored, evaluation)
    head = (*CELL, Column("gate", "number"), Column("matched", "count"), *columns("share", "precision", "recall", "f1"))
    more = (Column("adjudicated_matched", "count"), *columns("share", *(f"adjudicated_{name}" for name in ("precision", "recall", "f1"))))
    return table("gate_curve", "All gates", (*head, *more), rows)


def _curve(model: str, phase: str, as_scored: CellScore | Evaluation, decided: CellScore | Evaluation) -> Iterator[tuple[Cell, ...]]:
    one, other = (gate_curve(where.pages if isinstance(where, CellScore) else where.pages.values()) for where in (as_scored, decided))
    for a, d in zip(one, other, strict=True):
        yield (model, phase, a.gate, a.matched, a.precision, a.recall, a.f1, d.matched, d.precision, d.recall, d.f1)


def bootstrap(evaluation: Evaluation) -> Table:
    """`intervals`: 95 % intervals over pages and runs, as scored and as adjudicated."""
    rows = []
    for as_scored, cell in zip(evaluation.as_scored.cells, evaluation.cells, strict=True):
        a, d = intervals(as_scored), intervals(cell)
        values = {name: (getattr(as_scored.counts, name), getattr(cell.counts, name)) for name in a}
        for name in a:
            found, decided = values[name]
            rows.append((cell.model, cell.phase, name, found, a[name].low, a[name].high, decided, d[name].low, d[name].high))
    head = (*CELL, Column("figure"), *columns("share", "value", "low", "high"))
    more = columns("share", "adjudicated_value", "adjudicated_low", "adjudicated_high")
    note = f"Percentile bootstrap over pages and runs, crossed; {REPLICATES} replicates, level {LEVEL:.0%}, seed {SEED}."
    return table("intervals", "Bootstrap intervals", (*head, *more), rows, note)


def decisions_by(evaluation: Evaluation) -> Table:
    """`decisions`: live verdicts on tables by person, kind of author, verdict and blindness, and how many of them apply.

    Those `not_standing` are none of the rest: a later verdict or a ruling stands instead, or their author's kind is not applied.
    """
    decisions, binding = evaluation.decisions, evaluation.binding
    applied, stale = binding.applied, {one.entry.id for one in binding.stale}
    conflict = {entry.id for standing in binding.conflicts for entry in standing.entries}
    counted: dict[tuple[str, str, str, bool], list[int]] = {}
    rows: list[tuple[Cell, ...]] = []
    for entry in decisions.entries:
        if entry.task == "tables" and entry.retracts is None and decisions.is_live(entry):
            found = counted.setdefault((entry.verifier, entry.by, entry.verdict, entry.blind), [0] * 6)
            states = (entry.id in applied, entry.id in stale, entry.id in conflict, entry.repeat)
            for at, one in enumerate((True, *states, not any(states))):
                found[at] += one
    rows += [(*key, *found) for key, found in sorted(counted.items())]
    head = (
        *columns("text", "verifier", "by", "verdict", "blind"),
        *columns("count", "decisions", "applied", "stale", "in_conflict", "repeats", "not_standing"),
    )
    return table("decisions", "Decisions by person, kind and blindness", head, rows)


def states(evaluation: Evaluation) -> Table:
    """`pages_unscored`: pages that failed, are missing or are cut off, with what the run says of it."""
    rows = []
    for score in evaluation.pages.values():
        if score.status != "ok":
            run = evaluation.prepared.runs[score.run]
            rows.append((run.model, run.phase, run.name, score.page, score.status, run.pages[score.page].error))
    head = columns("text", "model", "phase", "run", "page", "status", "error")
    note = "Failed and missing pages count in no figure; a truncated page counts with the records that are whole."
    return table("pages_unscored", "Failed, missing and truncated pages", head, rows, note)


def problems(found: Iterable[Problem]) -> Table:
    """`problems`: everything the readers repaired or found, in the order of the inputs."""
    rows = [(one.severity.value, one.where, one.line, one.page, one.row, one.message) for one in found]
    head = (*columns("text", "severity", "file"), Column("line", "count"), Column("page"), Column("row", "count"), Column("message"))
    return table("problems", "Repairs and findings in the inputs", head, rows)


def misread_chance(evaluation: Evaluation) -> Table:
    """`misread_chance`: each page of a run with rows suggested as misread, and how often chance would say so.

    See `docs/method.md#surplus-labels`.
    """
    automatic = evaluation.as_scored
    rows = []
    for score in automatic.pages.values():
        misread = sum(row.label == "misread" for row in score.surplus)
        if misread:
            run, chance = automatic.prepared.runs[score.run], chance_of_misread(automatic.prepared, score)
            rows.append((run.model, run.phase, run.name, score.page, misread, chance, worded("misread", chance)))
    head = (*columns("text", "model", "phase", "run", "page"), Column("misread", "count"), Column("chance", "share"), Column("reads_as"))
    return table("misread_chance", "Rows suggested as misread, and chance", head, rows)


def worked_cases(evaluation: Evaluation) -> Table:
    """`worked_cases`: how the name measure and the labels work, on the first fitting rows of this very material."""
    rows = [(what, *row) for what, row in _worked(evaluation.as_scored)]
    head = (
        *columns("text", "case", "page", "gt_name", "model_name", "reading", "stepped_over"),
        *columns("share", "similarity", "ratio", "token_overlap"),
        *(Column("edits", "count"), Column("outcome")),
    )
    return table("worked_cases", "Worked cases", head, rows, "Chosen by rule from the runs scored here, the first that fits.")


def _worked(evaluation: Evaluation) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    gate, prepared = evaluation.material.settings.gate, evaluation.prepared
    all_pairs = [(pair.similarity, score, pair) for score in evaluation.pages.values() for pair in score.pairs if score.counts is not None]
    wanted: tuple[tuple[str, Callable[[Similarity, AlignedPair], object]], ...] = (
        ("stepping over added words", lambda s, p: p.matched and s.reading.tokens_removed),
        ("an illegible glyph", lambda s, p: p.matched and s.resolved is not None),
        ("the same tokens in another order", lambda s, p: s.overlap == 1.0 > s.ratio),
    )
    chosen = [(what, next(((s, score, p) for s, score, p in all_pairs if fits(s, p)), None)) for what, fits in wanted]
    above = [one for one in all_pairs if one[0].value >= gate]
    below = [one for one in all_pairs if one[0].value < gate]
    chosen.append(("just above the gate", min(above, key=lambda one: one[0].value, default=None)))
    chosen.append(("just below the gate", max(below, key=lambda one: one[0].value, default=None)))
    for what, found in chosen:
        if found is not None:
            s, score, pair = found
            gt, answer = prepared.pages[score.page], prepared.run_page(score.run, score.page)
            names = (score.page, gt.texts[pair.gt], answer.texts[pair.model], s.reading.text, "; ".join(s.reading.removed))
            yield what, (*names, s.value, s.ratio, s.overlap, s.edits, "matched" if pair.matched else "below the gate")
    seen: set[str] = set()
    for score in evaluation.pages.values():
        for row in score.surplus:
            if row.suggestion is not None and row.suggestion.label not in seen:
                seen.add(row.suggestion.label)
                gt, answer = prepared.pages[score.page], prepared.run_page(score.run, score.page)
                pointed = "; ".join(gt.texts[at] for at in row.suggestion.gt)
                yield (
                    "a surplus row",
                    (
                        score.page,
                        pointed or None,
                        answer.texts[row.row],
                        None,
                        None,
                        row.suggestion.similarity,
                        *(None,) * 3,
                        row.suggestion.label,
                    ),
                )
