"""Reading a workspace for an output: material, log and rules, with everything that must stop scoring raised as a sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from scoring.adjudication.decisions import HUMAN
from scoring.adjudication.log.read import read_log, require_sound
from scoring.foundations.memory import garbage_kept
from scoring.foundations.problems import InputError, Problem
from scoring.rules.checks.check import Witnesses, check, scoring_errors
from scoring.tables.execution.evaluation import Evaluation, evaluate, evaluate_workspace
from scoring.tables.execution.parallel import Engine
from scoring.tables.inputs.material import Material, load
from scoring.workspace.layout import Workspace
from scoring.workspace.provenance import Provenance

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is in all."""


@dataclass(frozen=True)
class ScoredTables:
    """The tables of a workspace, scored as automatic and as adjudicated; where the figures come from; what reading the log found."""

    evaluation: Evaluation
    provenance: Provenance
    problems: tuple[Problem, ...]


@garbage_kept()
def score_tables(
    workspace: Workspace, *, apply_by: Collection[str] = HUMAN, progress: Progress | None = None, engine: Engine | None = None
) -> ScoredTables:
    """Read and score the tables of a workspace under its log.

    Args:
        apply_by: whose verdicts apply: of `human`, `model`, `rule`.
        engine: who scores the pages where they are many; else all processors of this machine.

    Raises:
        InputError: an input that scoring must not pass over: ground truth, schema, rules or a line of the log.
    """

    def told(what: str) -> Callable[[int, int], None] | None:
        if progress is None:
            return None
        tell = progress
        return lambda done, whole: tell(what, done, whole)

    log = require_sound(read_log(workspace.adjudications), workspace.settings.exclude_log_lines)
    material = load(workspace, progress=told("reading runs"))
    require_rules(material)
    automatic = evaluate_workspace(material, progress=told("scoring"), engine=engine)
    decisions = log.decisions(apply_by=apply_by)
    evaluation = evaluate(material, decisions, automatic=automatic) if decisions.entries else automatic
    return ScoredTables(evaluation, material.provenance(decisions.fingerprint), log.notes)


def require_rules(material: Material) -> None:
    """Raises InputError for the first error of the rules: half the rules would be other rules."""
    fields = {field.name: field.method for field in material.schema.fields}
    known = {"name": "name", **fields, **{f"Q{number}": "question" for number in range(1, 100)}}
    recorded = {name: {row.values[name] for page in material.pages for row in page.rows} for name in fields}
    errors = scoring_errors(check(material.rules, Witnesses(recorded), known))
    if errors:
        first, more = errors[0], f" ({len(errors) - 1} more)" if len(errors) > 1 else ""
        hint = "`adjudicate rules check` lists everything"
        raise InputError(first.message + more, where=first.where or "EQUIVALENCES.md", line=first.line, hint=hint)
