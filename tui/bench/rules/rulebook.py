"""The rules of a workspace with what their checks need: the fields of every task, the values that stand in them, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.adjudication.decisions import Decisions, LogEntry
from scoring.foundations.problems import InputError
from scoring.rules import NO_RULES_FILE, EquivalenceRow, Rules, ValueLocation, Witnesses, read_rules, row_names
from scoring.rules.file.write import ChangeOptions
from scoring.workspace.layout import Workspace

if TYPE_CHECKING:
    from scoring.questions.inputs.material import Material as Questions
    from scoring.tables.inputs.material import Material


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Rules, the fields there are by method, and the witnesses."""

    path: Path
    workspace: Path
    rules: Rules
    known: Mapping[str, str]
    witnesses: Witnesses
    tables: Material | None = None
    questions: Questions | None = None

    def circumstances(self) -> ChangeOptions:
        """What a change of the file is given, so that it is checked and never written over another change."""
        return {
            "witnesses": self.witnesses,
            "known_fields": self.known,
            "expected": self.rules.content,
            "workspace": self.workspace,
        }

    def sightings(self, field: str) -> Iterator[ValueLocation]:
        """The values of a field, each where it stands."""
        if self.tables is not None:
            from scoring.tables.inputs.field_values import sightings

            yield from sightings(self.tables, field)
        if self.questions is not None:
            from scoring.questions.inputs import field_values as rule_fields

            yield from rule_fields.sightings(self.questions, field)


def question_fields(workspace: Workspace) -> tuple[Mapping[str, str], Witnesses]:
    """The fields of the questions and their values; none where the workspace has no questions, or they cannot be read."""
    return _of_questions(_questions(workspace))


def _questions(workspace: Workspace) -> Questions | None:
    if not workspace.questions.is_dir():
        return None
    from scoring.questions.inputs.material import load

    try:
        return load(workspace)
    except InputError:
        return None


def _of_questions(material: Questions | None) -> tuple[Mapping[str, str], Witnesses]:
    if material is None:
        return {}, Witnesses()
    from scoring.questions.inputs.field_values import known_fields, witnesses

    return known_fields(material.questions), witnesses(material)


def rulebook(workspace: Workspace, material: Material | None = None) -> Rulebook:
    """The rules with fields and witnesses of the workspace's tables and questions.

    Args:
        material: the tables, where they are read already.

    Raises:
        InputError: the rules file or the tables cannot be read.
    """
    questions = _questions(workspace)
    known, values = _of_questions(questions)
    rules = read_rules(workspace.rules_file) if workspace.rules_file.exists() else NO_RULES_FILE
    if material is None and workspace.gt.is_dir():
        from scoring.tables.inputs.material import load

        material = load(workspace)
    if material is not None:
        from scoring.tables import check

        seen = check.witnesses(material)
        known = {**check.known_fields(material), **known}
        values = Witnesses({**values.gt, **seen.gt}, {**values.runs, **seen.runs})
    return Rulebook(workspace.rules_file, workspace.root, rules, known, values, material, questions)


def drafts_left(workspace: Workspace, undone: Sequence[LogEntry], decisions: Decisions) -> tuple[tuple[EquivalenceRow, str], ...]:
    """The OPEN rows, each with its name, that `equivalent` verdicts just undone had drafted and that stay in EQUIVALENCES.md.

    An undo is a statement about a verdict and takes no row out of the file. Rows that another verdict still stands for are
    none of them, and a rules file that cannot be read has none to speak of.

    Args:
        workspace: where the file lies.
        undone: the entries retracted.
        decisions: the log, with the retractions.
    """
    gone = [entry.value for entry in undone if entry.retracts is None and entry.verdict == "equivalent"]
    if not gone:
        return ()
    alive = [entry.value for entry in decisions.entries if entry.verdict == "equivalent" and decisions.is_live(entry)]
    said = [value for value in gone if isinstance(value, Mapping) and value not in alive]
    if not said or not workspace.rules_file.exists():
        return ()
    try:
        rules = read_rules(workspace.rules_file)
    except InputError:
        return ()
    names = row_names(rules)
    found = {}
    for value in said:
        fields = [name.strip() for name in str(value.get("field", "")).split(",")]
        row = rules.equivalence_saying(str(value.get("form", "")), str(value.get("canonical", "")), fields)
        if row is not None and row.status == "OPEN":
            found[row.line] = (row, names[row.line])
    return tuple(found.values())
