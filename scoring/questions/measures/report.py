"""The section of the report on questions, as Markdown and as HTML (`docs/questions.md#reports`). Text from data is never markup."""

from __future__ import annotations

import csv
import io
import re
from html import escape

from scoring.foundations.wording import counted
from scoring.questions.execution.evaluation import Evaluation
from scoring.questions.inputs.material import Material
from scoring.questions.measures.tables import Cell, QuestionTable, tables
from scoring.texts.forms import visible
from scoring.texts.spreadsheet_output import safe_cell
from scoring.workspace.provenance import Provenance, engine_fingerprint, provenance_line, run_dates

TITLE = "Questions"

METHOD = (
    "Each answer is compared with the ground truth after pre-processing: white space trimmed, trailing , . ; : ) ] taken off each "
    "word, case ignored, settled equivalences written out on both sides, and a ? at the end of a word of the ground truth (an "
    "annotator's doubt) taken off; a ? of a model is a character like any other.",
    "Booleans are right or wrong. The answer illegible is a claim, counted apart: conditional accuracy leaves claims out, combined "
    "accuracy counts them as not answered, the claim rate is their share of the documents asked. Integers and pairs of integers are "
    "exact, the year too: no partial credit is given for a digit left open as ?.",
    "Texts are scored by characters. Lists are matched entry by entry, in the best order or in the document's own, and scored by F1, "
    "so that entries left out and entries made up both cost; the mean over documents is the score, the pooled figures stand beside it.",
    "A question is asked where its condition holds in the ground truth. Not asked and not answered is left out (of texts: right); an "
    "answer where none was asked for, such as a year for a page without one, is wrong. Failed and missing pages are left out of every "
    "figure and counted.",
)

# What a reader should know of a table, by its title's beginning.
NOTES = {
    "Scores by cell": "score: right 1, wrong and claims 0, texts their accuracy or F1; adjudicated: the same under the verdicts in force.",
    "Booleans": "asked: documents asked in all runs; excluded: not asked and left blank.",
    "Integers and": "accuracy: correct / (correct + incorrect).",
    "Strings and": "score: mean over documents; precision, recall and F1: pooled over all entries.",
    "Consistency": "1: all runs of the cell say the same of every document, right or wrong.",
    "Illegibility": "said_illegible: the word as an answer; only booleans may say it, elsewhere it is an ordinary wrong answer.",
    "Integers: difference": "under: less than the ground truth. no_number: one side is blank or no whole number.",
}
LONG = 30


def note_of(table: QuestionTable) -> str:
    """The sentence that goes with a table; the longest beginning of its title decides."""
    found = max((start for start in NOTES if table.title.startswith(start)), key=len, default=None)
    return NOTES[found] if found else ""


def shown(cell: Cell) -> str:
    """A cell as it is read: shares and means with three decimals, undefined as a dash, data text made safe."""
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return visible(str(cell))


def provenance(evaluation: Evaluation) -> str:
    """The line that says what the figures rest on."""
    prints = evaluation.material.fingerprints
    first, last = run_dates(run.generated for run in evaluation.material.runs)
    decisions = evaluation.decisions.fingerprint
    found = Provenance(
        prints["ground truth"], engine_fingerprint(), prints["rules"], prints["runs"], prints["settings"], decisions, first, last
    )
    return f"{provenance_line(found)}; questions {prints['questions']}"


def size(material: Material) -> str:
    """How much there is: questions, documents, runs."""
    parts = ((material.questions.questions, "question"), (material.documents, "document"), (material.runs, "run"))
    return ", ".join(counted(len(found), thing) for found, thing in parts)


def summary(evaluation: Evaluation) -> str:
    """What was scored, in a sentence or two."""
    material = evaluation.material
    cells = len({run.cell for run in material.runs})
    line = f"{size(material)} in {counted(cells, 'cell')}."
    verdicts = len(evaluation.applied), len(evaluation.stale), len(evaluation.conflicts)
    return f"{line} Verdicts: {verdicts[0]} applied, {verdicts[1]} stale, {verdicts[2]} in conflict."


def text_table(table: QuestionTable) -> str:
    """A table in aligned columns, numbers to the right."""
    lines = [table.header, *(tuple(shown(cell) for cell in row) for row in table.rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(table.header))]
    right = [all(not isinstance(row[at], str) for row in table.rows) for at in range(len(table.header))]
    drawn = ["  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(line, widths, right, strict=True)).rstrip() for line in lines]
    return "\n".join([table.title, *drawn])


_MARKDOWN = re.compile(r"([\\`*_\[\]<>|&~#$])")


def _in_markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)


def markdown_table(table: QuestionTable) -> str:
    """A table in Markdown; numbers to the right."""
    right = [all(not isinstance(row[at], str) for row in table.rows) for at in range(len(table.header))]
    lines = [" | ".join(map(_in_markdown, table.header)), " | ".join("---:" if one else "---" for one in right)]
    lines += [" | ".join(_in_markdown(shown(cell)) for cell in row) for row in table.rows]
    return "\n".join(f"| {line} |" for line in lines)


def markdown(evaluation: Evaluation, generated: str = "") -> str:
    """The section as Markdown, ending in a line end; it states `generated`, a moment, where that is given."""
    title = evaluation.material.questions.title
    parts = [f"# {TITLE}" + (f": {_in_markdown(visible(title))}" if title else ""), summary(evaluation), *METHOD]
    for table in tables(evaluation):
        parts += [f"## {_in_markdown(table.title)}", *([note_of(table)] if note_of(table) else []), markdown_table(table)]
    parts += ["## The questions", "\n".join(f"- {_in_markdown(one)}" for one in _questions(evaluation)), provenance(evaluation)]
    parts += [f"Generated {generated}."] if generated else []
    return "\n\n".join(parts) + "\n"


def _questions(evaluation: Evaluation) -> list[str]:
    return [
        f"{question.id} ({question.type}{f', asked when {question.condition}' if question.condition else ''}): {visible(question.text)}"
        for question in evaluation.material.questions.questions
    ]


def html_table(table: QuestionTable) -> str:
    """A table in HTML; a long one folded up."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in table.header)
    rows = [
        "".join(f"<td>{escape(shown(cell))}</td>" if isinstance(cell, str) else f'<td class="n">{escape(shown(cell))}</td>' for cell in row)
        for row in table.rows
    ]
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    drawn = f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
    return f"<details><summary>{len(rows)} rows</summary>\n{drawn}\n</details>" if len(rows) > LONG else drawn


def html_section(evaluation: Evaluation) -> str:
    """The section as one `<section id="questions">`, to stand in a page; it brings no style and fetches nothing."""
    title = evaluation.material.questions.title
    parts = [f"<h2>{TITLE}{': ' + escape(visible(title)) if title else ''}</h2>", f"<p>{escape(summary(evaluation))}</p>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in METHOD]
    for table in tables(evaluation):
        parts.append(f"<h3>{escape(table.title)}</h3>")
        parts += [f"<p>{escape(note_of(table))}</p>"] if note_of(table) else []
        parts.append(html_table(table))
    parts += ["<h3>The questions</h3>", "<ul>", *(f"<li>{escape(one)}</li>" for one in _questions(evaluation)), "</ul>"]
    parts.append(f'<p class="provenance">{escape(provenance(evaluation))}</p>')
    return '<section id="questions">\n' + "\n".join(parts) + "\n</section>\n"


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;font-size:.9rem;margin:.5rem 0 1.5rem}"
    "th,td{padding:.15rem .6rem;border-bottom:1px solid #ccc;text-align:left}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}.provenance{color:#555;font-size:.85rem}summary{cursor:pointer}"
)


def html_page(evaluation: Evaluation, generated: str = "") -> str:
    """The section as a page of its own, self-contained; it states `generated`, a moment, where that is given."""
    date = f"<p>Generated {escape(generated)}.</p>\n" if generated else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{TITLE}</title>\n<style>{_STYLE}</style>\n</head>\n'
        f"<body>\n{html_section(evaluation)}{date}</body>\n</html>\n"
    )


def csv_text(table: QuestionTable) -> str:
    """A table as CSV: full precision, undefined empty; a text that a spreadsheet would take for a formula gets an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.header)
    for row in table.rows:
        writer.writerow([_in_csv(cell) for cell in row])
    return out.getvalue()


def _in_csv(cell: Cell) -> str:
    if cell is None:
        return ""
    return safe_cell(cell) if isinstance(cell, str) else repr(cell)
