"""Tables of the report that gather figures for reading: per page, over the runs, the disagreements (`docs/outputs.md`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from scoring.foundations.wording import counted, gate_text
from scoring.reports.formats.tables import DASH, Cell, Column, Table, columns, shown, table
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.figures.gates import STEPS
from scoring.tables.figures.instruments import WAYS, Instruments
from scoring.tables.measures.counts import Counts, total
from scoring.tables.measures.surplus_labels import CHANCE_LIMIT

CELL = columns("text", "model", "phase")


def span(values: Iterable[int]) -> str:
    """Whole numbers over runs: `9–10`, `10` where all are one."""
    numbers = list(values)
    if not numbers:
        return DASH
    return str(min(numbers)) if min(numbers) == max(numbers) else f"{min(numbers)}–{max(numbers)}"


def by_page(evaluation: Evaluation) -> list[Table]:
    """A table a page: counts over the runs as whole numbers against the GT count, transcription pooled over the runs."""
    gate = evaluation.material.settings.gate
    one, many = evaluation.material.schema.record.one, evaluation.material.schema.record.many
    tables = []
    for page in evaluation.material.pages:
        rows: list[tuple[Cell, ...]] = []
        for as_scored, cell in zip(evaluation.as_scored.cells, evaluation.cells, strict=True):
            automatic = [score.counts for score in as_scored.pages if score.page == page.id and score.counts is not None]
            decided = [score.counts for score in cell.pages if score.page == page.id and score.counts is not None]
            rows.append((cell.model, cell.phase, len(automatic), *_counted(automatic, decided), *_read(total(automatic), total(decided))))
        head = (
            *(*CELL, Column("runs", "count")),
            *(Column("travelers", "span", many), Column("adjudicated_travelers", "span", f"adj. {many}")),
            *columns("span", "model_rows", "matched", "adjudicated_matched"),
            *(
                Column("name_cer", "error", "CER"),
                Column("adjudicated_name_cer", "error", "adj. CER"),
                Column("exact_share", "share", "exact"),
            ),
            Column("gated_name_cer", "error", f"CER at gate {gate_text(gate)}"),
        )
        distinct = len({form for form in evaluation.prepared.pages[page.id].forms if form})
        title = f"Page {page.id}: {distinct} distinct {one if distinct == 1 else many} in {counted(len(page.rows), 'row')}"
        tables.append(table(f"page_{page.id}", title, head, rows))
    return tables


def _counted(automatic: Sequence[Counts], decided: Sequence[Counts]) -> tuple[Cell, ...]:
    if not automatic:
        return (None,) * 5
    distinct, rows = automatic[0].gt_distinct, automatic[0].gt_rows
    return (
        f"{span(one.distinct_travelers for one in automatic)} of {distinct}",
        f"{span(one.distinct_travelers for one in decided)} of {distinct}",
        span(one.model_rows for one in automatic),
        f"{span(one.matched for one in automatic)} of {rows}",
        f"{span(one.matched for one in decided)} of {rows}",
    )


def _read(a: Counts, d: Counts) -> tuple[Cell, ...]:
    return a.name_cer, d.name_cer, a.exact_share, a.gated_name_cer


def spread_shown(spread: Table, many: str) -> Table:
    """The spread over runs, a row a cell: least to greatest, the median in brackets; `many` names the rows of the data."""
    figures = list(dict.fromkeys(str(row[2]) for row in spread.rows))
    cells: dict[tuple[Cell, Cell], dict[str, str]] = {}
    runs: dict[tuple[Cell, Cell], Cell] = {}
    for model, phase, figure, count, least, median, greatest, _ in spread.rows:
        low, middle, high = (_of_figure(str(figure), value) for value in (least, median, greatest))
        cells.setdefault((model, phase), {})[str(figure)] = low if low == high else f"{low}–{high} ({middle})"
        runs[model, phase] = count
    rows = [(*cell, runs[cell], *(found.get(figure) for figure in figures)) for cell, found in cells.items()]
    note = "Least to greatest over the runs, each over all of its pages; the median in brackets."
    titles = {"distinct_travelers": f"distinct {many}"}
    head = (*CELL, Column("runs", "count"), *(Column(figure, "span", titles.get(figure, "")) for figure in figures))
    return table("spread_shown", "Spread over the runs of a cell", head, rows, note)


def _of_figure(figure: str, value: Cell) -> str:
    """A figure as people read it: counts (and their medians) without places they have not, error rates to four."""
    if figure in ("distinct_travelers", "model_rows") and isinstance(value, int | float):
        return f"{value:g}"
    return shown(value, "error" if "cer" in figure else "share")


def rows_overall(rows_found: Table) -> Table:
    """Each GT row over all cells: in how many of the scored runs it was found, and how many different readings it got there."""
    gathered: dict[tuple[Cell, Cell, Cell], tuple[list[int], set[str]]] = {}
    for page, number, name, _model, _phase, runs, found, _readings, names in rows_found.rows:
        counts, readings = gathered.setdefault((page, number, name), ([0, 0], set()))
        assert isinstance(runs, int)
        assert isinstance(found, int)
        counts[0] += runs
        counts[1] += found
        readings |= {one.rpartition(" ×")[0] for one in str(names).split("; ") if one}
    rows = [(*place, counts[0], counts[1], counts[1] / counts[0], len(readings)) for place, (counts, readings) in gathered.items()]
    head = (Column("page"), Column("gt_row", "count", "GT row"), Column("gt_name", heading="GT name"))
    more = (*columns("count", "runs", "found"), Column("found_share", "share", "share"), Column("readings", "count", "different readings"))
    return table("rows_overall", "GT rows over all runs", (*head, *more), rows, "A reading is a name normal form of a matched row.")


def disagreed(found: Instruments) -> Table:
    """The occurrences on which the four ways disagree, equal ones of several runs together, most frequent first."""
    prepared = found.evaluation.prepared
    counted: Counter[tuple[Cell, ...]] = Counter()
    order: dict[tuple[Cell, ...], int] = {}
    for one in found.disagreements:
        gt, answer = prepared.pages[one.page], prepared.run_page(one.run, one.page)
        for claim in one.claims:
            under = ", ".join(name.replace("_", " ") for name in claim.matched)
            key = (one.page, gt.page.rows[one.gt].number, gt.texts[one.gt], answer.texts[claim.row], *claim.similarities, under)
            counted[key] += 1
            order.setdefault(key, len(order))
    rows = [(times, *key) for key, times in sorted(counted.items(), key=lambda item: (-item[1], order[item[0]]))]
    head = (
        *(Column("times", "count"), Column("page"), Column("gt_row", "count", "GT row"), Column("gt_name", heading="GT name")),
        *(Column("model_name", heading="model name"), *columns("share", *WAYS), Column("matched_under", heading="matched under")),
    )
    note = "Similarity of the two names as each way measures it; a GT row that the ways give to different rows stands once for each."
    return table("disagreed", "Occurrences on which the four ways disagree", head, rows, note)


def chance_shown(chance: Table) -> Table:
    """Per cell: rows suggested as misread, how many of them read "misread or invention", and the chance rates of their pages."""
    cells: dict[tuple[Cell, Cell], list[tuple[int, float | None, str]]] = {}
    for model, phase, _run, _page, misread, rate, reads_as in chance.rows:
        assert isinstance(misread, int)
        assert rate is None or isinstance(rate, float)
        cells.setdefault((model, phase), []).append((misread, rate, str(reads_as)))
    rows = []
    for cell, found in cells.items():
        rates = [rate for _, rate, _ in found if rate is not None]
        doubtful = sum(misread for misread, _, reads_as in found if reads_as != "misread")
        ends = (min(rates), max(rates)) if rates else (None, None)
        rows.append((*cell, sum(misread for misread, _, _ in found), doubtful, *ends))
    head = (
        *(*CELL, Column("misread", "count"), Column("misread_or_invention", "count", "of them misread or invention")),
        *(Column("least", "share", "least chance"), Column("greatest", "share", "greatest chance")),
    )
    note = (
        f"Chance: the share of names from other pages' GT that would be called misread here. Above {CHANCE_LIMIT:.0%} the suggestion says "
    )
    note += "misread or invention."
    return table("chance_shown", "How much a suggested misread says", head, rows, note)


def gates_shown(curve: Table, gate: float) -> Table:
    """The pooled curve at some gates, the one in use among them."""
    marks = sorted({0.5, 0.6, 0.65, 0.75, 0.8, 0.9, 1.0, round(gate, 2)})
    rows = [row[2:] for row in curve.rows[-STEPS - 1 :] if any(abs(float(row[2] or 0.0) - mark) < 1e-9 for mark in marks)]
    return table("gates_shown", "All cells pooled, at some gates", curve.columns[2:], rows)
