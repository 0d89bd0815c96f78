"""`adjudicate truth list | patch | apply`: doubts about the ground truth (`docs/adjudication.md#doubts`)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scoring.foundations.problems import InputError
from tui.cli import EXIT_FOUND, Invocation
from tui.cli.common.output import counted, format_option, progress, say, say_json, say_table, tell
from tui.cli.common.output_date import dateless

if TYPE_CHECKING:
    from scoring.adjudication.decisions import Decisions
    from scoring.adjudication.doubts import Correction, Doubt
    from scoring.workspace.layout import Workspace

# The tasks whose verdicts can doubt ground truth; each has a module `verdicts.doubts`.
DOUBTING = ("tables", "questions")


@click.group(name="truth", context_settings={"help_option_names": ["-h", "--help"]})
def truth() -> None:
    """Doubts about the ground truth: see them, export them, write the agreed ones.

    Verdicts never change gt/ or questions/ by themselves. Example: adjudicate truth list
    """


_task = click.option("--task", type=click.Choice(DOUBTING), help="The ground truth of this task alone.")


@dataclass(frozen=True, slots=True)
class _Doubted:
    """A task's doubts, the pages (documents) its ground truth has, and how to write doubts into its files."""

    task: str
    doubts: tuple[Doubt, ...]
    pages: tuple[str, ...]
    corrections: Callable[[Iterable[Doubt]], tuple[Correction, ...]]


def _doubted(invocation: Invocation, task: str | None, pages: tuple[str, ...] = ()) -> list[_Doubted]:
    """What is doubted, task by task. A task that nobody doubts is not scored, unless its pages are asked for.

    Raises:
        InputError: nothing to doubt in the workspace, or a page that none of its ground truth has.
    """
    from scoring.tasks import task_named
    from scoring.workspace.layout import natural_key, open_workspace
    from tui.bench.opening import sound_log, task_of

    workspace = open_workspace(invocation.folder)
    decisions = sound_log(workspace).decisions()
    task_of(workspace, task)
    present = [name for name in DOUBTING if task in (None, name) and task_named(name).present(workspace)]
    judged = {entry.task for entry in decisions.entries if entry.verdict.startswith("gt-")}
    found: list[_Doubted] = []
    for name in sorted(present, key=lambda name: name not in judged):
        known = {page for one in found for page in one.pages}
        if name in judged or not known.issuperset(pages):
            found.append(_scored(workspace, decisions, name))
    known = {page for one in found for page in one.pages}
    if unknown := [page for page in pages if page not in known]:
        raise InputError(f"there is no page {unknown[0]}", hint=f"pages are {', '.join(sorted(known, key=natural_key)[:20])}")
    return found


def _scored(workspace: Workspace, decisions: Decisions, name: str) -> _Doubted:
    from tui.bench.opening import task_of

    of = task_of(workspace, name)
    with progress() as step:
        material = of.load(workspace, progress=partial(step, "reading runs") if step else None)
        evaluation = of.evaluate(material, decisions, progress=partial(step, "scoring pages") if step else None)
    module = import_module(f"scoring.{name}.verdicts.doubts")
    pages = tuple(page.id for page in (material.pages if name == "tables" else material.documents))
    return _Doubted(name, module.doubts(evaluation), pages, partial(module.corrections, evaluation))


@truth.command(name="list")
@_task
@format_option
@click.pass_obj
def list_doubts(invocation: Invocation, task: str | None, form: str) -> None:
    """List every doubt with who said what, and whether it is agreed.

    A doubt about one value of a row begins with the name of its field.

    Example: adjudicate truth list --format json
    """
    found = [(one.task, doubt) for one in _doubted(invocation, task) for doubt in one.doubts]
    if form == "json":
        say_json([document(name, doubt) for name, doubt in found])
        return
    if not found:
        say("Nobody doubts the ground truth.")
        return
    asked = any(doubt.question for _, doubt in found)
    rows = []
    for _, doubt in found:
        told = f"{what(doubt)}   {'; '.join(_said(entry) for entry in doubt.said)}{f'   ({doubt.why})' if doubt.why else ''}"
        question = (doubt.question,) if asked else ()
        rows.append((doubt.state, doubt.page, *question, "" if doubt.row is None else doubt.row, doubt.verdict, told))
    header = ("state", "page", *(("question",) if asked else ()), "row", "verdict", "doubt   who")
    say_table(header, rows, right=(len(header) - 3,))
    agreed = sum(doubt.state == "agreed" for _, doubt in found)
    tell(f"{counted(len(found), 'doubt')}, {agreed} agreed. `adjudicate truth patch` shows what they would change.")


def what(doubt: Doubt) -> str:
    """A doubt in words."""
    if doubt.verdict == "gt-missing-row":
        return f"add “{doubt.value or '?'}” after row {doubt.row}"
    if doubt.verdict == "gt-extra-row":
        return f"take “{doubt.text}” out"
    named = f"{doubt.field} " if doubt.field else ""
    text, value = (f"“{one}”" if one or not doubt.field else "(blank)" for one in (doubt.text, doubt.value))
    return f"{named}{text} → {value}" if doubt.value is not None else f"{named}{text}"


def _said(entry: Any) -> str:
    certainty = f", certainty {entry.certainty}" if entry.certainty is not None else ""
    note = f": {entry.note}" if entry.note else ""
    return f"{entry.verifier} {entry.at[:10]}{certainty}{note}"


def document(task: str, doubt: Doubt) -> dict[str, Any]:
    """A doubt as plain values."""
    said = [
        {"id": e.id, "at": e.at, "verifier": e.verifier, "case": e.case, "note": e.note, "certainty": e.certainty, "blind": e.blind}
        for e in doubt.said
    ]
    return {
        "task": task,
        "state": doubt.state,
        "why": doubt.why or None,
        "verdict": doubt.verdict,
        "page": doubt.page,
        "file": doubt.file,
        "question": doubt.question or None,
        "row": doubt.row,
        "field": doubt.field or None,
        "text": doubt.text,
        "value": doubt.value,
        "said": said,
    }


def _corrections(invocation: Invocation, pages: tuple[str, ...], task: str | None) -> tuple[tuple[Correction, ...], tuple[Doubt, ...]]:
    """The files as the agreed doubts would have them, and the doubts left out."""
    found: list[Correction] = []
    left: list[Doubt] = []
    for one in _doubted(invocation, task, pages):
        chosen = [doubt for doubt in one.doubts if not pages or doubt.page in pages]
        found += one.corrections(chosen)
        left += [doubt for doubt in chosen if doubt.state not in ("agreed", "done")]
    return tuple(found), tuple(left)


_pages = click.option("--page", "pages", metavar="PAGE", multiple=True, help="The doubts of this page (document) alone; again for more.")


@truth.command()
@_task
@_pages
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it there instead of printing it.")
@dateless
@click.pass_obj
def patch(invocation: Invocation, task: str | None, pages: tuple[str, ...], output: Path | None) -> None:
    """What the agreed doubts would change, as a unified diff of their files.

    Example: adjudicate truth patch --output gt.patch && git apply gt.patch
    """
    from scoring.adjudication.doubts import patch_of

    found, left = _corrections(invocation, pages, task)
    _tell_left(left)
    data = b"".join(patch_of(one) for one in found)
    if output is None:
        if sys.stdout.isatty():
            from scoring.texts.forms import visible

            # Text from data is drawn visible on a terminal; a pipe gets the patch byte for byte.
            for line in data.decode("utf-8").split("\n")[:-1]:
                click.echo(visible(line))
        else:
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        return
    try:
        output.write_bytes(data)
    except OSError as fault:
        raise InputError(f"the patch cannot be written ({fault.strerror})", where=output, hint="give another file with --output") from fault
    tell(f"wrote {output}: {counted(sum(len(one.doubts) for one in found), 'doubt')} in {counted(len(found), 'file')}")


@truth.command()
@_task
@_pages
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.pass_obj
def apply(invocation: Invocation, task: str | None, pages: tuple[str, ...], dry_run: bool) -> None:
    """Write the agreed doubts into the ground truth, every other byte kept.

    That is gt/, and questions/ground_truth.csv.

    Doubts in conflict, stale ones and those without a proposed text are left
    out and told; exit code 1 then. A verdict on a row whose name changes is
    stale afterwards, the doubt's own among them.

    Example: adjudicate truth apply --page 28
    """
    from scoring.adjudication.doubts import write

    found, left = _corrections(invocation, pages, task)
    if not dry_run:
        write(found)
    for one in found:
        say(f"{one.name}: {'would change' if dry_run else 'changed'}")
        for doubt in one.doubts:
            say(f"  {_place(doubt)}: {doubt.verdict}, {what(doubt)}")
    if not found:
        say("Nothing agreed to write.")
    _tell_left(left)
    if left:
        raise SystemExit(EXIT_FOUND)


def _place(doubt: Doubt) -> str:
    """Where a doubt stands within its file."""
    if doubt.question:
        return f"document {doubt.page}, {doubt.question}" + (f" entry {doubt.row}" if doubt.row is not None else "")
    return f"row {doubt.row}" if doubt.row is not None else "no row"


def _tell_left(left: tuple[Doubt, ...]) -> None:
    for doubt in left:
        page = "" if doubt.question else f"page {doubt.page} "
        tell(f"left out ({doubt.state}): {page}{_place(doubt)}, {doubt.verdict}, {what(doubt)}: {doubt.why}")
