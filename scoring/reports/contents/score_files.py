"""The tables of `adjudicate score` whose columns are fixed for others to build on (`docs/outputs.md#the-files`).

The columns the specification names come first, in its order; ours follow at the end. Unprefixed figures are automatic,
`adjudicated_` ones count the decisions of the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from scoring.reports.contents.usage import usage
from scoring.reports.formats.tables import Cell, Column, Table, columns, table
from scoring.reports.formats.text_formats import json_tables
from scoring.tables.cases.f1_band import Bands
from scoring.tables.decisions.application import AnchoredVerdict, Stale
from scoring.tables.execution.evaluation import CellScore, Evaluation
from scoring.tables.execution.page_score import AlignedPair, PageScore
from scoring.tables.figures.instruments import INSTRUMENTS, WAYS, Instruments
from scoring.tables.figures.levels import parts
from scoring.tables.measures.counts import LABELS, Counts, FieldCounts
from scoring.workspace.provenance import Provenance

_COUNTED = (
    *columns("count", "gt_rows", "model_rows", "matched"),
    *columns("share", "precision", "recall", "f1"),
    *columns("count", "distinct_travelers", "gt_distinct", "edits", "gt_characters"),
    Column("name_cer", "error"),
    Column("exact_names", "count"),
    Column("exact_share", "share"),
    *columns("count", "gated_edits", "gated_characters"),
    Column("gated_name_cer", "error"),
    *columns("count", "below_gate", "missed", "surplus", *LABELS),
)
_ADJUDICATED = (
    Column("adjudicated_matched", "count"),
    *columns("share", "adjudicated_precision", "adjudicated_recall", "adjudicated_f1", "adjudicated_f1_low", "adjudicated_f1_high"),
    Column("adjudicated_name_cer", "error"),
    *columns("count", "adjudicated_distinct_travelers", "decisions_applied", "decisions_stale", "decisions_in_conflict"),
)
_MORE = (
    *columns("count", "adjudicated_edits", "adjudicated_gt_characters", "adjudicated_exact_names"),
    Column("adjudicated_exact_share", "share"),
    *columns("count", "adjudicated_gated_edits", "adjudicated_gated_characters"),
    Column("adjudicated_gated_name_cer", "error"),
    *columns("count", "adjudicated_below_gate", "adjudicated_missed", "adjudicated_surplus"),
    *columns("count", *(f"adjudicated_{label}" for label in LABELS), "labels_settled"),
)
FIGURES = (*_COUNTED, *_ADJUDICATED, *_MORE)


def summary(evaluation: Evaluation, bands: Bands) -> Table:
    """`scores_summary`: a row a cell, pooled over its successful pages."""
    concern = _Concerns(evaluation)
    rows = []
    for as_scored, cell in zip(evaluation.as_scored.cells, evaluation.cells, strict=True):
        decided = concern.over(cell.pages)
        counts = figures(as_scored.counts, cell.counts, bands.cells[cell.model, cell.phase], decided)
        state = (cell.runs, len(cell.scored), cell.having("failed"), cell.having("missing"))
        rows.append((cell.model, cell.phase, *state, *counts, cell.having("truncated")))
    head = (*columns("text", "model", "phase"), *columns("count", "runs", "pages_scored", "pages_failed", "pages_missing"))
    return table("scores_summary", "Cells", (*head, *FIGURES, Column("pages_truncated", "count")), rows)


def pages(evaluation: Evaluation, bands: Bands) -> Table:
    """`scores_pages`: a row a page of a run. Failed and missing pages have a status and no figures."""
    concern = _Concerns(evaluation)
    empty: tuple[Cell, ...] = (None,) * len(FIGURES)
    rows: list[tuple[Cell, ...]] = []
    for place, score in evaluation.pages.items():
        run = evaluation.prepared.runs[score.run]
        head = (run.model, run.phase, run.name, score.page, score.status)
        automatic = evaluation.as_scored.pages[place].counts
        if score.counts is None or automatic is None:
            rows.append((*head, *empty))
        else:
            rows.append((*head, *figures(automatic, score.counts, bands.pages[place], concern.over((score,)))))
    return table("scores_pages", "Pages", (*columns("text", "model", "phase", "run", "page", "status"), *FIGURES), rows)


def level(evaluation: Evaluation, bands: Bands, path: Sequence[str]) -> Table:
    """The runs of a cell, or the pages of a run, under the columns of `scores_pages`: what `score --cell` prints as data."""
    concern = _Concerns(evaluation)
    rows: list[tuple[Cell, ...]] = []
    for part in parts(evaluation, path):
        name = evaluation.prepared.runs[part.path[2]].name
        head = (*part.path[:2], name, *part.path[3:], part.status)
        if part.status in ("failed", "missing"):
            rows.append((*head, *(None,) * len(FIGURES)))
        else:
            decided = concern.over(tuple(two for _, two in part.pages))
            rows.append((*head, *figures(part.before, part.after, bands.at(part.path) or (None, None), decided)))
    names = ("model", "phase", "run", *(("page",) if len(path) == 3 else ()), "status")
    return table("scores_level", "Runs of a cell" if len(path) == 2 else "Pages of a run", (*columns("text", *names), *FIGURES), rows)


def figures(
    automatic: Counts, adjudicated: Counts, band: tuple[float | None, float | None], decided: tuple[int, int, int]
) -> tuple[Cell, ...]:
    """The cells under `FIGURES`. `decided`: decisions applied, stale, in conflict."""
    a, d = automatic, adjudicated
    return (
        *(a.gt_rows, a.model_rows, a.matched, a.precision, a.recall, a.f1, a.distinct_travelers, a.gt_distinct),
        *(a.edits, a.gt_characters, a.name_cer, a.exact_names, a.exact_share, a.gated_edits, a.gated_characters, a.gated_name_cer),
        *(a.below_gate, a.missed, a.surplus, *(getattr(a, label) for label in LABELS)),
        *(d.matched, d.precision, d.recall, d.f1, *band, d.name_cer, d.distinct_travelers, *decided),
        *(d.edits, d.gt_characters, d.exact_names, d.exact_share, d.gated_edits, d.gated_characters, d.gated_name_cer),
        *(d.below_gate, d.missed, d.surplus, *(getattr(d, label) for label in LABELS), d.settled),
    )


class _Concerns:
    """Which decisions apply to, are stale on, or conflict over the rows of a page of a run."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._prepared = evaluation.prepared
        self._pages = evaluation.binding.pages

    def over(self, scores: tuple[PageScore, ...]) -> tuple[int, int, int]:
        """How many decisions apply, are stale, are in conflict; each counted once over the pages given."""
        applied: set[str] = set()
        stale: set[str] = set()
        conflict: set[str] = set()
        for score in scores:
            applied |= score.bound.entries
            bound = self._pages.get(score.page)
            if score.counts is not None and bound is not None:
                stale |= {one.entry.id for one in bound.stale if self._named(score, one)}
                conflict |= {one.entry.id for one in bound.contested if self._spoken_of(score, one)}
        return len(applied), len(stale), len(conflict)

    def _spoken_of(self, score: PageScore, statement: AnchoredVerdict) -> bool:
        """Whether the page holds a row spoken of. A verdict on a GT row alone speaks of every run of its page."""
        gt, answer = self._prepared.pages[score.page], self._prepared.run_page(score.run, score.page)
        return not statement.key.form or bool(statement.rows(gt, answer))

    def _named(self, score: PageScore, stale: Stale) -> bool:
        """The same for a verdict whose rows have changed: the reading judged, or the very run it was judged in."""
        basis = stale.entry.basis
        form = self._prepared.names.form(str(basis["text"])) if basis.get("text") else ""
        run = stale.entry.run or str(basis.get("subject", "")).removeprefix("model:").rsplit(":", 2)[0]
        return not form or form in self._prepared.run_page(score.run, score.page).rows_by_form or run == score.run


def fields(evaluation: Evaluation) -> Table:
    """`scores_fields`: a row a cell and field, on matched pairs."""
    names = [field.name for field in evaluation.material.schema.scored]
    rows = []
    for as_scored, cell in zip(evaluation.as_scored.cells, evaluation.cells, strict=True):
        for name, found, decided in zip(names, _of_fields(as_scored, names), _of_fields(cell, names), strict=True):
            automatic = (found.scored, found.unscorable, found.accuracy)
            after = (decided.scored, decided.unscorable, decided.accuracy)
            rows.append((cell.model, cell.phase, name, *automatic, *after, found.no_path, decided.no_path))
    head = (*columns("text", "model", "phase", "field"), *columns("count", "scored", "unscorable"), Column("accuracy", "share"))
    more = (*columns("count", "adjudicated_scored", "adjudicated_unscorable"), Column("adjudicated_accuracy", "share"))
    more += columns("count", "no_path", "adjudicated_no_path")
    return table("scores_fields", "Fields", (*head, *more), rows)


def _of_fields(cell: CellScore, names: list[str]) -> tuple[FieldCounts, ...]:
    return cell.fields() or tuple(FieldCounts() for _ in names)


PAIR_COLUMNS = (
    *columns("text", "model", "phase", "run", "page"),
    Column("gt_row", "count"),
    Column("gt_name"),
    Column("model_row", "count"),
    *columns("text", "model_name", "reading"),
    *columns("share", "similarity", "ratio", "token_overlap"),
    *columns("count", "edits", "gt_characters"),
    *columns("text", "status", "label", "decided_by"),
)


def pairs(evaluation: Evaluation) -> Table:
    """`pairs`: every GT row and every model row of every scored page once, paired, missed or surplus, as adjudicated.

    `decided_by` is the id of the verdict behind a pair or a label.
    """
    return table("pairs", "Pairs", PAIR_COLUMNS, pair_rows(evaluation))


def pairs_as_scored(evaluation: Evaluation) -> Table:
    """`pairs_as_scored`: the same without any decision, which the unprefixed figures of the other tables add up from."""
    return table("pairs_as_scored", "Pairs as scored", PAIR_COLUMNS, pair_rows(evaluation.as_scored))


def pair_rows(evaluation: Evaluation) -> Iterator[tuple[Cell, ...]]:
    """The rows under `PAIR_COLUMNS`: pairs and missed rows in GT order, then surplus rows in model order."""
    for score in evaluation.pages.values():
        if score.counts is None:
            continue
        gt, answer = evaluation.prepared.pages[score.page], evaluation.prepared.run_page(score.run, score.page)
        run = evaluation.prepared.runs[score.run]
        head = (run.model, run.phase, run.name, score.page)
        of_gt: dict[int, AlignedPair | None] = dict.fromkeys(score.missed)
        of_gt.update({pair.gt: pair for pair in score.pairs})
        for at, pair in sorted(of_gt.items()):
            side = (gt.page.rows[at].number, gt.texts[at])
            if pair is None:
                yield (*head, *side, *(None,) * 8, "missed", None, None)
                continue
            found = pair.similarity
            yield (
                *(*head, *side, answer.page.rows[pair.model].number, answer.texts[pair.model], found.reading.text),
                *(found.value, found.ratio, found.overlap, found.edits, len(gt.forms[at])),
                *("matched" if pair.matched else "below_gate", *_given(score, pair.model, pair.decided_by)),
            )
        for row in score.surplus:
            side = (answer.page.rows[row.row].number, answer.texts[row.row])
            yield (*head, None, None, *side, *(None,) * 6, "surplus", row.label, row.decided_by or None)


def _given(score: PageScore, row: int, decided_by: str) -> tuple[Cell, Cell]:
    """The label a verifier gave to a paired row, and who decided it or the pair."""
    given = score.labels.get(row)
    if given is None:
        return None, decided_by or None
    return given.label, given.decided_by if not decided_by else f"{decided_by} {given.decided_by}"


def four_ways(found: Instruments) -> Table:
    """`instruments`: F1 per cell under each instrument, then matches, what the wildcard moved, and where greedy and optimal differ."""
    rows = [
        (
            *(cell.model, cell.phase, *(cell.f1(name) for name in (*WAYS, "without_wildcard")), cell.f1("optimal")),
            *(cell.matches(name) for name in INSTRUMENTS),
            *cell.wildcard_moves,
            *(cell.unlike, sum(page.gt_rows for page in cell.pages)),
        )
        for cell in found.cells
    ]
    head = (*columns("text", "model", "phase"), *columns("share", *WAYS, "without_wildcard", "optimal"))
    more = columns("count", *(f"{name}_matched" for name in INSTRUMENTS), "wildcard_runs_up", "wildcard_runs_down")
    last = columns("count", "greedy_unlike_optimal", "occurrences")
    return table("instruments", "The same runs, scored four ways", (*head, *more, *last), rows)


def disagreements(found: Instruments) -> Table:
    """`disagreements`: each occurrence two of the four ways judge differently, a row for each model row that one of them matches to it."""
    prepared = found.evaluation.prepared
    rows = []
    for one in found.disagreements:
        gt, answer, run = prepared.pages[one.page], prepared.run_page(one.run, one.page), prepared.runs[one.run]
        for claim in one.claims:
            rows.append(
                (
                    *(run.model, run.phase, run.name, one.page, gt.page.rows[one.gt].number, gt.texts[one.gt]),
                    *(answer.page.rows[claim.row].number, answer.texts[claim.row], *claim.similarities, " ".join(claim.matched)),
                )
            )
    head = (*PAIR_COLUMNS[:8], *columns("share", *(f"{name}_similarity" for name in WAYS)), Column("matched_under"))
    return table("disagreements", "Occurrences on which the four ways disagree", head, rows)


def files(evaluation: Evaluation, bands: Bands, found: Instruments) -> Mapping[str, Table]:
    """All tables that `score --output` writes, by the name of their file without `.csv`."""
    made = (summary(evaluation, bands), pages(evaluation, bands), fields(evaluation), pairs(evaluation), four_ways(found))
    stated = usage(evaluation.material)
    more = (pairs_as_scored(evaluation), disagreements(found), *((stated,) if stated is not None else ()))
    return {one.name: one for one in chain(made, more)}


def as_json(evaluation: Evaluation, bands: Bands, found: Instruments, provenance: Provenance) -> str:
    """Everything as one JSON document: `provenance`, `cells`, `pages`, `fields`, `instruments`, `pairs`, then what is ours."""
    made = files(evaluation, bands, found)
    named = {"cells": "scores_summary", "pages": "scores_pages", "fields": "scores_fields", "instruments": "instruments", "pairs": "pairs"}
    chosen = {key: made[name] for key, name in named.items()}
    rest = {name: table for name, table in made.items() if name not in named.values()}
    return json_tables({**chosen, **rest}, [("provenance", provenance.as_dict())])
