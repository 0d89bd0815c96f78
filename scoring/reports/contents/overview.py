"""The tables a person reads first: cells as scored beside as adjudicated, what is left over, fields.

See `docs/method.md#adjudicated-figures`.
"""

from __future__ import annotations

from scoring.foundations.wording import gate_text
from scoring.reports.formats.tables import Column, Table, columns, shown, table
from scoring.tables.cases.f1_band import Bands
from scoring.tables.execution.evaluation import CellScore, Evaluation
from scoring.tables.figures.instruments import WAYS, Instruments
from scoring.tables.measures.counts import LABELS
from scoring.texts.forms import visible


def detection(evaluation: Evaluation, bands: Bands) -> Table:
    """Per cell: pages, rows, matches, precision, recall and F1, as scored and as adjudicated, with the band of F1."""
    rows = []
    for as_scored, cell in zip(evaluation.as_scored.cells, evaluation.cells, strict=True):
        a = as_scored.counts
        band = bands.cells[cell.model, cell.phase]
        rows.append(
            (
                *(cell.model, cell.phase, cell.runs, _pages(cell), a.gt_rows, a.model_rows, a.matched, a.precision, a.recall, a.f1),
                *(cell.counts.matched, cell.counts.precision, cell.counts.recall, cell.counts.f1, *band),
            )
        )
    head = (
        *(Column("model"), Column("phase"), Column("runs", "count"), Column("pages", "span")),
        *(Column("gt_rows", "count", "GT rows"), Column("model_rows", "count", "model rows"), Column("matched", "count")),
        *(Column("precision", "share", "P"), Column("recall", "share", "R"), Column("f1", "share", "F1")),
        *(Column("adjudicated_matched", "count", "adj. matched"), Column("adjudicated_precision", "share", "adj. P")),
        *(Column("adjudicated_recall", "share", "adj. R"), Column("adjudicated_f1", "share", "adj. F1")),
        *(Column("adjudicated_f1_low", "share", "low"), Column("adjudicated_f1_high", "share", "high")),
    )
    gate = evaluation.material.settings.gate
    undecided = sum(bands.undecided.values())
    note = f"Matched at similarity {gate_text(gate)} and above. adj.: as adjudicated; low and high: F1 with the {undecided} open or stale "
    note += "borderline cases resolved different, then same."
    return table("detection", f"Which {evaluation.material.schema.record.many} were found", head, rows, note)


def transcription(evaluation: Evaluation) -> Table:
    """Per cell: name CER, exact share and gated CER, records counted; each as scored and as adjudicated."""
    rows = []
    many = evaluation.material.schema.record.many
    for as_scored, cell in zip(evaluation.as_scored.cells, evaluation.cells, strict=True):
        a, d = as_scored.counts, cell.counts
        rows.append(
            (
                *(cell.model, cell.phase, a.name_cer, d.name_cer, a.exact_share, d.exact_share, a.gated_name_cer, d.gated_name_cer),
                *(a.distinct_travelers, d.distinct_travelers, a.gt_distinct),
            )
        )
    head = (
        *columns("text", "model", "phase"),
        *(Column("name_cer", "error", "CER"), Column("adjudicated_name_cer", "error", "adj. CER")),
        *(Column("exact_share", "share", "exact"), Column("adjudicated_exact_share", "share", "adj. exact")),
        *(Column("gated_name_cer", "error", "gated CER"), Column("adjudicated_gated_name_cer", "error", "adj. gated CER")),
        *(Column("distinct_travelers", "count", many), Column("adjudicated_distinct_travelers", "count", f"adj. {many}")),
        Column("gt_distinct", "count", f"GT {many}"),
    )
    gate = evaluation.material.settings.gate
    note = "Name CER over the pairing without floor, every name in the pool; "
    note += f"gated CER over matched pairs alone (gate {gate_text(gate)}), which flatters. "
    note += f"{many}: distinct names, added up over pages and runs."
    return table("transcription", f"How well the names were read, and how many {many} were counted", head, rows, note)


def _pages(cell: CellScore) -> str:
    """Pages scored, and those that count in no figure."""
    parts = [f"{cell.having('failed')} failed"] if cell.having("failed") else []
    parts += [f"{cell.having('missing')} missing"] if cell.having("missing") else []
    return f"{len(cell.scored)}" + (f" ({', '.join(parts)})" if parts else "")


def left_over(evaluation: Evaluation) -> Table:
    """Per cell: rows not matched on either side, and the surplus by label: automatic, and after the decisions where that differs."""
    rows: list[tuple[str | int, ...]] = []
    for as_scored, cell in zip(evaluation.as_scored.cells, evaluation.cells, strict=True):
        a, d = as_scored.counts, cell.counts
        numbers = [
            f"{one}" if one == other else f"{one} → {other}"
            for one, other in ((getattr(a, name), getattr(d, name)) for name in ("below_gate", "missed", "surplus", *LABELS))
        ]
        rows.append((cell.model, cell.phase, *numbers, d.settled))
    numbered = columns("span", "below_gate", "missed", "surplus", *LABELS)
    head = (*columns("text", "model", "phase"), *numbered, Column("settled", "count"))
    note = "Surplus rows by automatic label; an arrow leads to the figure after the decisions, settled counts the labels a verifier gave."
    return table("left_over", "Rows without a match, and surplus by label", head, rows, note)


def by_field(evaluation: Evaluation) -> Table:
    """Per cell: accuracy of each value field on matched pairs, as scored and, where that differs, as adjudicated."""
    names = [field.name for field in evaluation.material.schema.scored]
    rows = []
    for cell, before, after in zip(evaluation.cells, evaluation.as_scored.cell_fields, evaluation.cell_fields, strict=True):
        pairs = [(shown(one.accuracy, "share"), shown(other.accuracy, "share")) for one, other in zip(before, after, strict=True)]
        told = [one if one == other else f"{one} → {other}" for one, other in pairs]
        rows.append((cell.model, cell.phase, *(told or (None,) * len(names))))
    note = "On matched pairs, over values that can be scored; `scores_fields.csv` counts them. An arrow leads to the figure as adjudicated."
    note += without_path(evaluation)
    return table("fields", "Per-field accuracy", (*columns("text", "model", "phase"), *columns("span", *names)), rows, note)


def without_path(evaluation: Evaluation) -> str:
    """A sentence on the nested values that no declared path makes scorable; empty where there are none."""
    columns_of = zip(evaluation.material.schema.scored, zip(*(cell for cell in evaluation.cell_fields if cell), strict=True), strict=False)
    counts = [(field.name, sum(one.no_path for one in column)) for field, column in columns_of]
    told = ", ".join(f"{number} of {visible(name)}" for name, number in counts if number)
    return f" Not scored, nested without a declared path: {told}; `adjudicate check` proposes paths." if told else ""


def decisions(evaluation: Evaluation) -> Table:
    """The decisions of the log: how many stand and apply, are stale, are in conflict."""
    binding = evaluation.binding
    head = columns("count", "applied", "stale", "in_conflict")
    return table("decisions", "Decisions", head, [(len(binding.applied), len(binding.stale), len(binding.conflicts))])


def ways(found: Instruments) -> Table:
    """F1 per cell under each instrument."""
    rows = [
        (
            *(cell.model, cell.phase, *(cell.f1(name) for name in (*WAYS, "without_wildcard", "optimal"))),
            *(cell.matches("adopted") - cell.matches("without_wildcard"), *cell.wildcard_moves, cell.unlike),
        )
        for cell in found.cells
    ]
    head = (
        *columns("text", "model", "phase"),
        *(Column("original", "share"), Column("adopted", "share"), Column("cer_gate", "share"), Column("order_preserving", "share")),
        *(Column("without_wildcard", "share"), Column("optimal", "share"), Column("wildcard_matches", "count", "matches by ?")),
        *(Column("wildcard_runs_up", "count", "runs up"), Column("wildcard_runs_down", "count", "runs down")),
        Column("greedy_unlike_optimal", "count", "greedy ≠ optimal"),
    )
    unlike = len(found.disagreements)
    note = f"F1. The four ways disagree on {unlike} of {found.occurrences} occurrences (one GT row in one scored page)."
    return table("four_ways", "The same runs, scored four ways", head, rows, note)
