"""The report's sections on tables: which figures stand where, and the words around them (`docs/outputs.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.adjudication.agreement import Agreement, agreement
from scoring.foundations.problems import Problem
from scoring.foundations.wording import gate_text
from scoring.reports.contents import agreement_tables as agreements
from scoring.reports.contents import overview, page_tables, report_files, score_files
from scoring.reports.contents import source_entries as behind
from scoring.reports.contents.imports import imports
from scoring.reports.formats import plots
from scoring.reports.formats.sections import Block, Plot, Prose, ReportTable, Section, prose
from scoring.reports.formats.tables import Table
from scoring.tables.cases.f1_band import Bands, bands
from scoring.tables.execution.evaluation import Evaluation
from scoring.tables.figures.instruments import Instruments
from scoring.tables.measures.counts import LABELS


@dataclass(frozen=True)
class Figures:
    """Everything the sections show: tables of figures by name, and what they were made from; `agreement` of the verifiers on tables."""

    evaluation: Evaluation
    bands: Bands
    instruments: Instruments
    tables: dict[str, Table]
    agreement: Agreement


def gather(evaluation: Evaluation, instruments: Instruments, log_problems: Sequence[Problem] = ()) -> Figures:
    """All figures of the report. `tables` are what is written beside it as CSV."""
    found = bands(evaluation)
    material = evaluation.material
    made = dict(score_files.files(evaluation, found, instruments))
    more = (
        *(report_files.spread(evaluation), report_files.rows_found(evaluation), report_files.curve(evaluation)),
        *(report_files.bootstrap(evaluation), report_files.decisions_by(evaluation), report_files.states(evaluation)),
        *(report_files.problems((*material.problems, *material.rules.problems, *log_problems)), report_files.worked_cases(evaluation)),
        *(report_files.misread_chance(evaluation), behind.behind(evaluation)),
    )
    made |= {one.name: one for one in more}
    imported = imports(material.workspace)
    made |= {imported.name: imported} if imported is not None else {}
    agreed = agreement(evaluation.decisions.entries, task="tables")
    of_agreement = (agreements.by_verdict(agreed), agreements.between(agreed), agreements.with_self(agreed))
    made |= {one.name: one for one in of_agreement}
    return Figures(evaluation, found, instruments, made, agreed)


def sections(figures: Figures) -> tuple[Section, ...]:
    """The sections, in the order they are read."""
    return (
        _results(figures),
        _method(figures),
        _pages(figures),
        _surplus(figures),
        _ways(figures),
        _fields(figures),
        _consistency(figures),
        _gates(figures),
        _adjudication(figures),
        _agreement(figures),
        _inputs(figures),
    )


def _named(figures: Figures, name: str, *, folded: bool = False) -> ReportTable:
    return ReportTable(figures.tables[name], f"{name}.csv", folded or len(figures.tables[name].rows) > 60)


def _results(figures: Figures) -> Section:
    record = figures.evaluation.material.schema.record
    evaluation = figures.evaluation
    cells = len(evaluation.cells)
    scored = sum(len(cell.scored) for cell in evaluation.cells)
    binding = evaluation.binding
    picture = Plot(
        "detection",
        "F1 and name CER of each cell. A circle is the cell's pooled figure as scored, a diamond F1 as adjudicated where it differs, "
        "a line the spread of its runs.",
        "Two dot plots side by side, a line a cell: F1 on the left, name CER on the right, with the spread of the runs. "
        "The figures stand in the tables of this section.",
        lambda: plots.detection(figures.tables["scores_summary"], figures.tables["spread"], "p-detection", picture.alt),
    )
    return Section(
        "results",
        "Results",
        (
            prose(
                f"{len(evaluation.material.runs)} runs in {cells} cells over {len(evaluation.material.pages)} pages: {scored} page "
                f"scorings. {len(binding.applied)} decisions apply, {len(binding.stale)} are stale, {len(binding.conflicts)} in conflict. "
                "Every figure stands as scored, which needs no decision, and as adjudicated (adj.) beside it; ",
                ("the log entries behind those", "#adjudication"),
                " are listed by their ids. Detection and "
                f"transcription are two questions and get two figures: F1 says which {record.many} were found, name CER how well their "
                "names were read. Neither can be told from the other.",
            ),
            ReportTable(overview.detection(evaluation, figures.bands), "scores_summary.csv"),
            ReportTable(overview.transcription(evaluation), "scores_summary.csv"),
            picture,
            _named(figures, "intervals", folded=True),
            *([_named(figures, "usage")] if "usage" in figures.tables else []),
        ),
    )


def _method(figures: Figures) -> Section:
    settings, record = figures.evaluation.material.settings, figures.evaluation.material.schema.record
    gate, floor = gate_text(settings.gate), gate_text(settings.misread_floor)
    paragraphs: tuple[Prose, ...] = (
        prose(
            ("Count.", "#pages"),
            " Distinct names on a page, model against ground truth (GT). No name is compared with another: a model that misreads "
            f"every name still counts right when it reports the right number of {record.many}.",
        ),
        prose(
            ("Align.", "#four-ways"),
            " Each model row is paired with the GT row it is most like, best pair first, one to one, blind to order. Similarity is the "
            "larger of the Ratcliff-Obershelp ratio and the overlap of tokens. A model name is also read without titles, articles "
            "and places of origin that the rules name; the best reading counts and the whole name is always among them, so that "
            "stepping over words can reveal a name and never lower a score. A ? in a GT name is one glyph that nobody can read and "
            f"fits any. Pairs at similarity {gate} and above match; precision, recall and F1 count them, pooled over pages and runs.",
        ),
        prose(
            ("Measure transcription.", "#results"),
            " The same pairing without a floor keeps badly read names in the pool. Name CER is the sum of character edits over "
            f"the sum of GT characters. CER over the matched pairs alone (gate {gate}) stands beside it, because a gate flatters it. "
            "A pair far below the gate is bookkeeping: it places a row where its errors are counted, and claims no identity.",
        ),
        prose(
            ("Say what is left over.", "#surplus"),
            f" Model rows without a GT row are a duplicate, a merge of {record.many}, a fragment of a name, a misread name (from "
            f"similarity {floor} to one that no other row holds) or an invention. The label is a suggestion until a verifier settles it.",
        ),
        prose(
            ("Score the other fields.", "#fields"),
            " On matched pairs, each value in [0, 1] by its field's own measure; a blank GT value cannot be scored and is counted apart.",
        ),
        prose(
            ("Adjudicate.", "#adjudication"),
            " A verifier's verdict is a statement about rows: same pairs are taken first, different pairs are barred, and the "
            "automatic pairing does the rest. While borderline cases are open, adjudicated F1 has a low and a high: all of them "
            "resolved different, then all same.",
        ),
    )
    return Section("method", "The method in brief", (*paragraphs, _named(figures, "worked_cases")))


def _pages(figures: Figures) -> Section:
    shown = [ReportTable(one, "scores_pages.csv") for one in page_tables.by_page(figures.evaluation)]
    words = prose(
        "Counts over the runs of a cell as whole numbers against the GT count: 9–10 of 10 means that one run counted nine, "
        "another ten. CER and exact share are pooled over the runs."
    )
    many = len(shown) > 12
    return Section(
        "pages", "Counting and transcription, page by page", (words, *(ReportTable(one.table, one.source, many) for one in shown))
    )


def _surplus(figures: Figures) -> Section:
    picture = Plot(
        "surplus",
        "Surplus rows of each cell by automatic label.",
        "Stacked bars, one a cell: rows labelled duplicate, merge, fragment, misread and invention. The figures stand in the table below.",
        lambda: plots.surplus(figures.tables["scores_summary"], LABELS, "p-surplus", picture.alt),
    )
    chance = page_tables.chance_shown(figures.tables["misread_chance"])
    shown = (ReportTable(overview.left_over(figures.evaluation), "scores_summary.csv"), ReportTable(chance, "misread_chance.csv"))
    return Section("surplus", "What is left over", (picture, *shown))


def _ways(figures: Figures) -> Section:
    words = prose(
        "How much of a score is the instrument's doing. Original: the gate without stepping over words. Adopted: the method of "
        "this report. CER gate: one less the character error rate of the whole name decides, at the same threshold. "
        "Order-preserving: rows must follow GT order. Without wildcard: a ? in GT is a letter. Optimal: the assignment with the "
        "largest total similarity in place of the greedy one. All as scored: an instrument is compared with an instrument."
    )
    return Section(
        "four-ways",
        "The same runs, scored four ways",
        (
            words,
            ReportTable(overview.ways(figures.instruments), "instruments.csv"),
            ReportTable(page_tables.disagreed(figures.instruments), "disagreements.csv", folded=True),
        ),
    )


def _fields(figures: Figures) -> Section:
    if not figures.evaluation.material.schema.scored:
        return Section("fields", "Field by field", (prose("The schema has no field but the name."),))
    picture = Plot(
        "fields",
        "Accuracy by field and cell, as scored; brighter is better, a dash where nothing could be scored.",
        "A grid of cells and fields with the accuracy written in each square. The figures stand in the table below.",
        lambda: plots.heat_map(figures.tables["scores_fields"], "p-fields", picture.alt),
    )
    return Section("fields", "Field by field", (picture, _named(figures, "scores_fields", folded=True)))


def _consistency(figures: Figures) -> Section:
    spread = page_tables.spread_shown(figures.tables["spread"], figures.evaluation.material.schema.record.many)
    overall = page_tables.rows_overall(figures.tables["rows_found"])
    return Section(
        "consistency",
        "Run to run",
        (ReportTable(spread, "spread.csv"), ReportTable(overall, "rows_found.csv", folded=len(overall.rows) > 20)),
    )


def _gates(figures: Figures) -> Section:
    gate = figures.evaluation.material.settings.gate
    similarities = [pair.similarity.value for score in figures.evaluation.as_scored.pages.values() for pair in score.pairs]
    curve = Plot(
        "gates",
        "Precision, recall and F1 of all cells pooled, at every gate; dashed as adjudicated, where that differs.",
        "Three curves over the gate from 0 to 1, falling as the gate rises, with the gate in use marked.",
        lambda: plots.gates(figures.tables["gate_curve"], gate, "p-gates", curve.alt),
    )
    bars = Plot(
        "histogram",
        "Similarities of the pairs without floor, all cells, as scored; hatched below the gate.",
        "A histogram of similarities in steps of 0.02, with the gate marked.",
        lambda: plots.histogram(similarities, gate, "p-histogram", bars.alt),
    )
    shown = ReportTable(page_tables.gates_shown(figures.tables["gate_curve"], gate), "gate_curve.csv")
    return Section("gates", "Other gates", (curve, shown, bars))


def _adjudication(figures: Figures) -> Section:
    undecided = sum(figures.bands.undecided.values())
    blocks: list[Block] = [
        prose(f"{undecided} borderline cases are open or stale; the bands of the results show what they may still move."),
        ReportTable(overview.decisions(figures.evaluation), "decisions.csv"),
        _named(figures, "decisions"),
    ]
    cells = behind.behind_cells(figures.evaluation)
    if cells.rows:
        blocks.append(ReportTable(cells, "behind.csv", folded=len(cells.rows) > 6))
    return Section("adjudication", "Decisions, and what stands behind the figures", tuple(blocks))


def _agreement(figures: Figures) -> Section:
    found = figures.agreement
    who = ", ".join(found.verifiers)
    said = [f"{who} have judged the same cases." if who else "No case has been judged by two verifiers."]
    if not found.with_self:
        said.append("Nobody has judged a case shown again unannounced.")
    shown = (_named(figures, name) for name in ("agreement", "agreement_between", "agreement_self") if figures.tables[name].rows)
    return Section("agreement", "How far verifiers agree", (prose(" ".join(said)), *shown))


def _inputs(figures: Figures) -> Section:
    found = [_named(figures, "pages_unscored"), _named(figures, "problems", folded=True)]
    if "imports" in figures.tables:
        found.insert(0, _named(figures, "imports"))
    return Section("inputs", "Inputs: what failed and what was repaired", tuple(found))
