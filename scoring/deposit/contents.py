"""What each task puts into a data package: its tables of figures, and its ground truth as agreed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.deposit.ground_truth import agreed, doubted
from scoring.deposit.resources import Resource
from scoring.reports.sections import plain_section
from scoring.reports.tables import Cell, Column, Table, table
from scoring.reports.tables_sections import Figures


@dataclass(frozen=True, slots=True)
class Contents:
    """Tables, and files that go in byte for byte."""

    tables: tuple[Table, ...] = ()
    files: tuple[Resource, ...] = ()


def of_tables(figures: Figures) -> Contents:
    """Ground truth as agreed, the doubts about it, and every figure of the report."""
    evaluation = figures.evaluation
    return Contents((agreed(evaluation), doubted(evaluation), *figures.tables.values()))


def of_questions(evaluation: Any) -> Contents:
    """The files of `questions score`, the tables of its report, and the ground truth with the agreed doubts applied."""
    from scoring.files import read_bytes
    from scoring.questions import tables as made
    from scoring.questions.doubts import corrections, doubts

    material = evaluation.material
    corrected = corrections(evaluation, doubts(evaluation))
    data = corrected[0].after if corrected else read_bytes(material.workspace.questions / "ground_truth.csv")
    truth = Resource("questions_ground_truth", "ground_truth/questions.csv", "Ground truth of the questions as agreed", data, "text/csv")
    files = (made.summary_rows(evaluation), made.answer_rows(evaluation), made.consistency_rows(evaluation))
    named = tuple(_plain(one.title, one.title, one.header, one.rows) for one in files)
    return Contents((*named, *plain_section("questions", made.tables(evaluation))[1]), (truth,))


def of_relations(evaluation: Any) -> Contents:
    """The official rankings as scored and as adjudicated, and the gold as adjudicated."""
    from scoring.relations.gold_export import gold_text
    from scoring.relations.rankings import tables

    rankings = [("", one) for one in evaluation.base.tables]
    if evaluation.gold:
        rankings += [("adjudicated_", one) for one in tables(evaluation.adjudicated.records)]
    made = []
    for prefix, one in rankings:
        name = f"{prefix}{one.file.removesuffix('.tsv')}"
        made.append(_plain(slug(name), name, one.columns, [[row.get(column) for column in one.columns] for row in one.rows]))
    files = [
        Resource(
            *(f"gold_{slug(held.stem)}", f"ground_truth/{slug(held.stem)}.jsonl", f"Gold of {held.stem} as adjudicated"),
            *(gold_text(evaluation, held).encode("utf-8", "surrogatepass"), "application/jsonl"),
        )
        for held in evaluation.material.references.values()
        if held.file.sound
    ]
    return Contents(tuple(made), tuple(files))


def of_records(evaluation: Any) -> Contents:
    """The accuracy of each database; the reviewed records themselves stay in the database."""
    from scoring.records.accuracy import assess, count
    from scoring.records.tables import tables

    made = []
    for source in evaluation.material.sources:
        for one in tables(assess(count(source.path), source.schema)):
            columns = [Column(name, kind) for name, kind in one.columns]
            named = slug(f"records_{source.path.stem}_{one.name}")
            made.append(table(named, f"{source.path.name}: {one.title}", columns, one.rows, one.note))
    return Contents(tuple(made))


# Task -> its contents, of its evaluation. Tables are not here: their figures need more than an evaluation.
OTHERS: dict[str, Callable[[Any], Contents]] = {"questions": of_questions, "relations": of_relations, "records": of_records}


def _plain(name: str, title: str, header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Table:
    return table(name, title, [Column(column) for column in header], rows)


def slug(text: str) -> str:
    """A name that Frictionless and every file system take."""
    return re.sub(r"[^a-z0-9._-]+", "_", text.casefold()).strip("._-") or "table"


def unlike(tables: Sequence[Table]) -> Iterator[Table]:
    """The tables, their names made fit for files and unlike each other."""
    taken: set[str] = set()
    for one in tables:
        base = name = slug(one.name)
        number = 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        yield Table(name, one.title, one.columns, one.rows, one.note)
