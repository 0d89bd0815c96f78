"""Opening a workspace: material, decisions, scores and cases, as a session. What every command that adjudicates starts from."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path

from scoring.adjudication.decisions import HUMAN
from scoring.adjudication.log.read import LogContents, read_log, require_sound
from scoring.adjudication.log.write import Log
from scoring.foundations.incremental import finished
from scoring.foundations.memory import garbage_kept
from scoring.foundations.problems import InputError
from scoring.tasks import AnyTask, task_named, tasks_in
from scoring.workspace.layout import Workspace, open_workspace
from tui.bench.session import Session
from tui.environment.user_settings import read_user

Step = Callable[[str, int, int], None]
"""Told of progress: what is being done, how many are done, how many there are."""


def named_verifier(given: str | None) -> str | None:
    """The verifier: as given, else from the per-user settings."""
    return given or read_user().verifier or None


def exclusions(workspace: Workspace) -> tuple[str, ...]:
    """The faulty lines of the log that the settings leave out by name."""
    return workspace.settings.exclude_log_lines


def sound_log(workspace: Workspace) -> LogContents:
    """The workspace's log, less the lines that its settings exclude by name.

    Raises:
        InputError: a faulty line that is not excluded.
    """
    return require_sound(read_log(workspace.adjudications), exclusions(workspace))


def task_of(workspace: Workspace, name: str | None = None) -> AnyTask:
    """The task named, else the first the workspace has material for.

    Raises:
        InputError: no such task, or no material.
    """
    if name is not None:
        task = task_named(name)
        if not task.present(workspace):
            raise InputError(f"the workspace has no material for `{name}`", where=workspace.root)
        return task
    found = tasks_in(workspace)
    if not found:
        raise InputError(
            "there is nothing to adjudicate here", where=workspace.root, hint="put ground truth into `gt/` and runs into `runs/`"
        )
    return found[0]


@garbage_kept()
def open_session(
    folder: Path,
    verifier: str | None,
    *,
    task: str | None = None,
    blind: bool = False,
    apply_by: Collection[str] = HUMAN,
    progress: Step | None = None,
) -> Session:
    """Everything a sitting needs. Without a verifier the session can look, and asks before the first verdict.

    Raises:
        InputError: the workspace, its inputs or its log are not usable.
    """
    workspace = open_workspace(folder)
    of = task_of(workspace, task)
    decisions = sound_log(workspace).decisions(apply_by=apply_by)
    reading = partial(progress, "reading runs") if progress is not None else None
    scoring = partial(progress, "scoring pages") if progress is not None else None
    material = of.load(workspace, progress=reading)
    automatic = of.evaluate(material, progress=scoring)
    counted = decisions.of_verifier(verifier) if blind else decisions
    evaluation = of.evaluate(material, counted, automatic=automatic) if counted.entries else automatic
    log = Log.open(workspace.adjudications, verifier) if verifier is not None else None
    session = Session(of, evaluation, decisions, log, blind=blind, _own=(verifier, counted) if blind else None)
    session.load_cases(finished(of.gathering(evaluation)))
    return session
