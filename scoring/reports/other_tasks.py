"""What other tasks add to a report: tables they offer, found by the name of the task."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module

from scoring.adjudication.decisions import HUMAN
from scoring.adjudication.log.read import read_log, require_sound
from scoring.reports.report import Report, with_task
from scoring.tasks import tasks_in
from scoring.workspace.layout import Workspace

# Task -> module:function that gives its tables (title, header, rows) of an evaluation. A task that is not here adds nothing.
TABLES = {"questions": "scoring.questions.measures.tables:tables"}


def with_other_tasks(report: Report, workspace: Workspace, apply_by: Collection[str] = HUMAN) -> Report:
    """The report with a section for every other task that the workspace has material of and that offers tables.

    Raises:
        InputError: as reading that task's material or the log does.
    """
    for task in tasks_in(workspace):
        if task.name not in TABLES:
            continue
        module, _, attribute = TABLES[task.name].partition(":")
        log = require_sound(read_log(workspace.adjudications), workspace.settings.exclude_log_lines)
        material = task.load(workspace)
        automatic = task.evaluate(material)
        evaluation = task.evaluate(material, log.decisions(apply_by=apply_by), automatic=automatic)
        report = with_task(report, task.name, getattr(import_module(module), attribute)(evaluation))
    return report
