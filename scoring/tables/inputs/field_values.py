"""Where the values of a field stand in the tables, for the witness of a rule (`docs/rules.md#witnesses`)."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.rules import ValueLocation
from scoring.tables.inputs.material import Material


def sightings(material: Material, field: str) -> Iterator[ValueLocation]:
    """The values of a field that are not blank: the ground truth, then the runs. The rule field of a joined key has joined values."""
    schema = material.schema
    if field not in (*schema.names, schema.rule_field):
        return
    joined = field not in schema.names
    for page in material.pages:
        for row in page.rows:
            if text := schema.key_text(row.values) if joined else row.values[field]:
                yield ValueLocation(text, "gt", page.id, f"gt:{page.id}:{row.number}")
    for run in material.runs:
        for answer in run.pages.values():
            for row in answer.rows:
                if text := schema.key_text(row.values) if joined else row.values[field]:
                    yield ValueLocation(text, "model", answer.page, f"model:{run.key}:{answer.page}:{row.number}")
