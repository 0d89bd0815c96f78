"""Paths that nested values of a workspace would need, ready to paste into its schema."""

from __future__ import annotations

import json
from collections.abc import Iterator

from scoring.paths import LIST, is_list, leaf_paths, parsed_nested, steps_of
from scoring.problems import Problem, Severity
from scoring.schema import REGISTER_METHODS
from scoring.tables.counts import total_fields
from scoring.tables.evaluate import Evaluation
from scoring.tables.material import Material
from scoring.text import visible
from scoring.words import counted

MOST_PATHS = 20
MOST_STEPS = 5


def paths_to_declare(evaluation: Evaluation) -> tuple[Problem, ...]:
    """Return a warning for each field with nested values that have no path: how many are not scored, and the paths seen."""
    found = _paths_seen(evaluation.material)
    cells = [cell for cell in evaluation.cell_fields if cell]
    scored = [field.name for field in evaluation.material.schema.scored]
    left_out = dict(zip(scored, (total_fields(column).no_path for column in zip(*cells, strict=True)), strict=False))
    where = evaluation.material.workspace.relative(evaluation.material.workspace.schema_file)
    return tuple(Problem(Severity.WARNING, _sentence(name, left_out.get(name, 0), paths), where) for name, paths in found.items())


def _sentence(name: str, left_out: int, paths: dict[str, None]) -> str:
    found = [path for path in paths if path != name]
    shown = [path for path in found if path.count(".") < MOST_STEPS][:MOST_PATHS]
    parts = [declaration(path) for path in shown]
    if len(shown) < len(found):
        parts.append(f"{counted(len(found) - len(shown), 'more path')} not listed")
    sentence = f"`{visible(name)}` holds nested values, {counted(left_out, 'value')} of matched pairs not scored for want of a path"
    return sentence + (f"; fields for `properties`: {', '.join(parts)}" if parts else "")


def declaration(path: str) -> str:
    """Return the line of a schema that declares a path."""
    last = path.removesuffix(LIST).rsplit(".", 1)[-1]
    method = REGISTER_METHODS.get(last, ("text", ""))[0]
    kind = '["array"]' if is_list(path) else '"string"'
    return f'{visible(json.dumps(path, ensure_ascii=False))}: {{"type": {kind}, "x-method": "{method}"}}'


def _paths_seen(material: Material) -> dict[str, dict[str, None]]:
    """The paths to the plain values in nested values, by field, in the order they are met."""
    found: dict[str, dict[str, None]] = {}
    seen: set[tuple[str, str]] = set()
    for name, text in _nested_values(material):
        if (name, text) in seen:
            continue
        seen.add((name, text))
        value = parsed_nested(text)
        if value is None:
            continue
        paths = found.setdefault(name, {})
        if steps_of(name) is None:
            paths |= dict.fromkeys(leaf_paths(value, name))
        elif isinstance(value, dict):
            # A value that does not lie at its path is kept under the key it was given under.
            paths |= {path: None for key, inner in value.items() for path in leaf_paths(inner, str(key))}
    return found


def _nested_values(material: Material) -> Iterator[tuple[str, str]]:
    """Field and text of each value that may be nested."""
    rows = [page.rows for page in material.pages]
    rows += [page.rows for run in material.runs for page in run.pages.values()]
    for row in (row for page in rows for row in page):
        for name, text in row.values.items():
            if text[:1] in ("[", "{"):
                yield name, text
