"""What stands behind the adjudicated figures: the entries of the log, by their ids.

See `docs/outputs.md#what-stands-behind-an-adjudicated-figure`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoring.adjudication.decisions import LogEntry
from scoring.reports.formats.tables import Cell, Column, Table, columns, table
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.execution.page_score import PageScore

PAIRING, COUNT, LABELS = GROUPS = ("pairing", "count", "labels")
# The figures of a group, as the columns of scores_summary.csv and scores_fields.csv call them, each with `adjudicated_` before it.
FIGURES = {
    PAIRING: "matched, precision, recall, f1, name_cer, exact_share, gated_name_cer, below_gate, missed, surplus; accuracy of fields",
    COUNT: "distinct_travelers",
    LABELS: "duplicate, merge, fragment, misread, invention",
}
# The beginning of an id, as `log list` prints it and `undo` takes it.
SHORT = 18
LISTED = 12


def groups(entry: LogEntry) -> tuple[str, ...]:
    """The groups of figures a verdict can move where it binds a row."""
    if entry.verdict in ("same", "different"):
        # Who is paired also tells who is counted, and what is left over to be labelled.
        return GROUPS
    return (COUNT, LABELS) if entry.verdict in ("duplicate", "fragment", "merge") else (LABELS,)


def behind(evaluation: Evaluation) -> Table:
    """`behind`: each page of a run with each entry that binds a row of it, and the figures the entry bears on."""
    rows: list[tuple[Cell, ...]] = []
    for score in evaluation.pages.values():
        run = evaluation.prepared.runs[score.run]
        for entry in _entries(evaluation, [score]):
            place = (run.model, run.phase, run.name, score.page)
            rows.append((*place, entry.id, entry.verifier, entry.case, entry.verdict, " ".join(groups(entry))))
    head = columns("text", "model", "phase", "run", "page", "entry", "verifier", "case", "verdict", "figures")
    figures = "; ".join(f"{group}: {named}" for group, named in FIGURES.items())
    return table("behind", "Log entries behind the adjudicated figures", head, rows, f"Figures, each as adjudicated. {figures}.")


def behind_cells(evaluation: Evaluation) -> Table:
    """Per cell and group of figures: how many entries stand behind them, and their ids (the first of many)."""
    rows = []
    for cell in evaluation.cells:
        entries = list(_entries(evaluation, cell.scored))
        for group in GROUPS:
            ids = [entry.id[:SHORT] for entry in entries if group in groups(entry)]
            more = f" and {len(ids) - LISTED} more" if len(ids) > LISTED else ""
            if ids:
                rows.append((cell.model, cell.phase, FIGURES[group].replace("_", " "), len(ids), ", ".join(ids[:LISTED]) + more))
    head = (*columns("text", "model", "phase", "figures"), Column("entries", "count"), Column("ids"))
    note = f"The first {SHORT} characters of each id, which `adjudicate log list` shows. Every page of every run stands in `behind.csv`."
    return table("behind_cells", "Entries behind the adjudicated figures", head, rows, note)


def _entries(evaluation: Evaluation, scores: Iterable[PageScore]) -> Iterator[LogEntry]:
    """The entries that bind rows of these pages, in the order they were given."""
    for one in sorted({one for score in scores if score.counts is not None for one in score.bound.entries}):
        entry = evaluation.decisions.entry(one)
        if entry is not None:
            yield entry
