"""The rules of a workspace with what their checks need: the fields of every task, and the values that stand in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.problems import InputError
from scoring.rules import NO_RULES_FILE, Rules, Witnesses, read_rules
from scoring.rules.write import Circumstances
from scoring.workspace import Workspace

if TYPE_CHECKING:
    from scoring.tables.material import Material


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Rules, the fields there are by method, and the witnesses."""

    path: Path
    workspace: Path
    rules: Rules
    known: Mapping[str, str]
    witnesses: Witnesses

    def circumstances(self) -> Circumstances:
        """What a change of the file is given, so that it is checked and never written over another change."""
        return {
            "witnesses": self.witnesses,
            "known_fields": self.known,
            "expected": self.rules.content,
            "workspace": self.workspace,
        }


def question_fields(workspace: Workspace) -> tuple[Mapping[str, str], Witnesses]:
    """The fields of the questions and their values; none where the workspace has no questions, or they cannot be read."""
    if not workspace.questions.is_dir():
        return {}, Witnesses()
    from scoring.questions.material import load
    from scoring.questions.rule_fields import known_fields, witnesses

    try:
        material = load(workspace)
    except InputError:
        return {}, Witnesses()
    return known_fields(material.questions), witnesses(material)


def rulebook(workspace: Workspace, material: Material | None = None) -> Rulebook:
    """The rules with fields and witnesses of the workspace's tables and questions.

    Args:
        material: the tables, where they are read already.

    Raises:
        InputError: the rules file or the tables cannot be read.
    """
    known, values = question_fields(workspace)
    rules = read_rules(workspace.rules_file) if workspace.rules_file.exists() else NO_RULES_FILE
    if material is None and workspace.gt.is_dir():
        from scoring.tables.material import load

        material = load(workspace)
    if material is not None:
        from scoring.tables import check

        seen = check.witnesses(material)
        known = {**check.known_fields(material), **known}
        values = Witnesses({**values.gt, **seen.gt}, {**values.runs, **seen.runs})
    return Rulebook(workspace.rules_file, workspace.root, rules, known, values)
