"""The files of a data package: contents of all tasks, decisions, rules, settings, and the two descriptions of them."""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from typing import Any, Final

from scoring.adjudication import log_export
from scoring.adjudication.log_reading import LogContents
from scoring.deposit import crate
from scoring.deposit.contents import OTHERS, Contents, of_tables, unlike
from scoring.deposit.inputs import inputs
from scoring.deposit.resources import Resource, resources
from scoring.files import read_bytes
from scoring.provenance import engine_fingerprint
from scoring.reports.render import escaped, to_json
from scoring.reports.tables import Column, Table, table
from scoring.reports.tables_sections import Figures
from scoring.tasks import tasks_in
from scoring.workspace import Workspace

TITLE: Final = "What the models read: ground truth, scores and decisions"
_ABOUT: Final = "Ground truth as agreed by verifiers, figures of model runs scored against it, and the decisions behind them."


def package(
    workspace: Workspace,
    log: LogContents,
    figures: Figures | None,
    *,
    apply_by: Collection[str],
    generated: str,
    title: str = TITLE,
    parquet: bool = True,
) -> dict[str, bytes]:
    """The files by path from the folder of the package; the same inputs give the same bytes.

    Args:
        log: a sound log.
        figures: those of the tables task; None where the workspace has no tables.
        apply_by: whose verdicts apply to the other tasks.
        generated: the moment of generation.
        parquet: whether each table comes as Parquet too.

    Raises:
        InputError: as reading the material of another task does; a file cannot be read.
    """
    fingerprints = {"engine": engine_fingerprint(), "decisions": log.decisions(apply_by=apply_by).fingerprint}
    found = [of_tables(figures)] if figures is not None else []
    if figures is not None:
        parts = figures.evaluation.material.provenance(fingerprints["decisions"]).as_dict()
        fingerprints = {name: str(parts[name]) for name in ("ground_truth", "engine", "rules", "runs", "settings", "decisions")}
    found += _others(workspace, log, apply_by, fingerprints)
    listed = inputs(workspace)
    tables = [*(one for contents in found for one in contents.tables), _decisions(log), listed]
    parts_of = [made for one in unlike(tables) for made in resources(one, parquet=parquet)]
    parts_of += [file for contents in found for file in contents.files]
    parts_of += [_log_lines(log), *_copies(workspace, fingerprints)]
    parts_of.append(Resource("readme", "README.md", "About this package", _readme(title, generated, parts_of).encode(), "text/markdown"))
    verifiers = {entry.verifier: entry.by for entry in log.entries}
    described = Resource(
        *("datapackage", "datapackage.json", "Frictionless Data Package"),
        *(to_json(_datapackage(parts_of, verifiers, fingerprints, title, generated)).encode(), "application/json"),
    )
    document = crate.crate(
        *([*parts_of, described], listed, dict(sorted(verifiers.items())), fingerprints),
        title=title,
        description=_ABOUT,
        version=_version(),
        generated=generated,
    )
    files = {one.path: one.data for one in (*parts_of, described)}
    return {**files, crate.NAME: to_json(document).encode()}


def _others(workspace: Workspace, log: LogContents, apply_by: Collection[str], fingerprints: dict[str, str]) -> Iterable[Contents]:
    """Contents of every task but tables; their fingerprints are added to those given."""
    for task in tasks_in(workspace):
        if task.name in OTHERS:
            material = task.load(workspace)
            evaluation = task.evaluate(material, log.decisions(apply_by=apply_by), automatic=task.evaluate(material))
            for name, value in getattr(material, "fingerprints", {}).items():
                fingerprints[f"{task.name}_{name.replace(' ', '_')}"] = value
            yield OTHERS[task.name](evaluation)


def _decisions(log: LogContents) -> Table:
    head = [Column(name) for name in log_export.HEADER]
    note = "An entry a row; live: not taken back by a later entry. log.jsonl holds the lines as they were written."
    return table("log", "Decisions of the verifiers", head, log_export.rows(log.decisions()), note)


def _log_lines(log: LogContents) -> Resource:
    stream = io.BytesIO()
    log_export.export(log, "jsonl", stream)
    return Resource("log_lines", "log.jsonl", "Lines of the log, in the order of their ids", stream.getvalue(), "application/jsonl")


def _copies(workspace: Workspace, fingerprints: Mapping[str, str]) -> Iterable[Resource]:
    """Rules, settings and schema, byte for byte, where the workspace has them."""
    known = (
        (
            workspace.rules_file,
            Resource("rules", "EQUIVALENCES.md", "Rules", b"", "text/markdown", fingerprint=fingerprints.get("rules", "")),
        ),
        (workspace.settings_file, Resource("settings", "adjudicate.toml", "Settings", b"", "application/toml")),
        (workspace.schema_file, Resource("schema", "schema.json", "Schema of the ground truth", b"", "application/schema+json")),
        (workspace.questions / "questions.toml", Resource("questions", "questions.toml", "The questions", b"", "application/toml")),
    )
    for path, described in known:
        if path.is_file():
            yield replace(described, data=read_bytes(path))


def _datapackage(
    parts: Iterable[Resource], verifiers: Mapping[str, str], fingerprints: Mapping[str, str], title: str, generated: str
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "profile": "data-package",
        "name": "adjudicated-scores",
        "title": title,
        "description": f"{_ABOUT} {crate.LICENCE}",
        "created": generated,
        "fingerprints": dict(fingerprints),
    }
    if verifiers:
        found["contributors"] = [{"title": name, "role": "verifier"} for name in sorted(verifiers)]
    return {**found, "resources": [one.descriptor() for one in parts]}


def _readme(title: str, generated: str, parts: Iterable[Resource]) -> str:
    lines = [
        *(f"# {escaped(title)}", "", _ABOUT, "", f"Generated {generated}.", "", f"{crate.LICENCE}", ""),
        "CSV files are UTF-8; a missing value is empty. A text that a spreadsheet would take for a formula begins with an apostrophe, and",
        "control characters are drawn as marks. Parquet files hold texts as they are, except those of `log`.",
        *("", "| file | what |", "|---|---|"),
        *(f"| `{one.path}` | {escaped(one.title)} |" for one in parts),
    ]
    return "\n".join(lines) + "\n"


def _version() -> str:
    """The version of the program, whatever its distribution is called; `unknown` in a checkout that is not installed."""
    names = packages_distributions().get("scoring", [])
    try:
        return version(names[0]) if names else "unknown"
    except PackageNotFoundError:
        return "unknown"
