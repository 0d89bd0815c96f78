"""Tokens, cost and duration of the answers, as their envelopes state them, per cell."""

from __future__ import annotations

from dataclasses import astuple

from scoring.model_run import Usage
from scoring.reports.tables import Column, Table, columns, table
from scoring.tables.material import Material


def usage(material: Material) -> Table | None:
    """`usage`: sums over the answers of a cell; None where no answer states any. A figure that no answer states is undefined."""
    stated: dict[tuple[str, str], list[Usage]] = {}
    answers: dict[tuple[str, str], int] = {}
    for run in material.runs:
        given = [
            page.usage for page in run.pages.values() if page.usage is not None and any(one is not None for one in astuple(page.usage))
        ]
        stated.setdefault(run.cell, []).extend(given)
        answers[run.cell] = answers.get(run.cell, 0) + sum(page.status != "missing" for page in run.pages.values())
    if not any(stated.values()):
        return None
    rows = [
        (*cell, answers[cell], len(given), *(_sum([getattr(one, name) for one in given]) for name in Usage.__dataclass_fields__))
        for cell, given in stated.items()
    ]
    head = (*columns("text", "model", "phase"), *columns("count", "answers", "stated", "input_tokens", "output_tokens"))
    note = "Sums over the answers that state a figure; cost in the currency of the source, usually US dollars."
    return table("usage", "Tokens, cost and duration", (*head, Column("cost", "error"), Column("seconds", "number")), rows, note)


def _sum(values: list[int | float | None]) -> int | float | None:
    given = [value for value in values if value is not None]
    return sum(given) if given else None
