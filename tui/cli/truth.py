"""`adjudicate truth list | patch | apply`: doubts about the ground truth (`4-adjudication`, Verdicts)."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scoring.problems import InputError
from tui.cli import EXIT_FOUND, Invocation
from tui.cli.output import counted, format_option, progress, say, say_json, say_table, tell

if TYPE_CHECKING:
    from scoring.tables.doubts import Correction, Doubt
    from scoring.tables.evaluate import Evaluation


@click.group(name="truth", context_settings={"help_option_names": ["-h", "--help"]})
def truth() -> None:
    """Doubts about the ground truth: see them, export them, write the agreed ones.

    Verdicts never change gt/ by themselves. Example: adjudicate truth list
    """


def _doubts(invocation: Invocation) -> tuple[Evaluation, tuple[Doubt, ...]]:
    from scoring.tables.doubts import doubts
    from scoring.tables.evaluate import evaluate
    from scoring.tables.material import load
    from scoring.workspace import open_workspace
    from tui.opening import sound_log

    workspace = open_workspace(invocation.folder)
    decisions = sound_log(workspace).decisions()
    with progress() as step:
        material = load(workspace, progress=partial(step, "reading runs") if step else None)
        evaluation = evaluate(material, decisions, progress=partial(step, "scoring pages") if step else None)
    return evaluation, doubts(evaluation)


@truth.command(name="list")
@format_option
@click.pass_obj
def list_doubts(invocation: Invocation, form: str) -> None:
    """List every doubt with who said what, and whether it is agreed.

    Example: adjudicate truth list --format json
    """
    _, found = _doubts(invocation)
    if form == "json":
        say_json([document(doubt) for doubt in found])
        return
    if not found:
        say("Nobody doubts the ground truth.")
        return
    rows = []
    for doubt in found:
        told = f"{what(doubt)}   {'; '.join(_said(entry) for entry in doubt.said)}{f'   ({doubt.why})' if doubt.why else ''}"
        rows.append((doubt.state, doubt.page, "" if doubt.row is None else doubt.row, doubt.verdict, told))
    say_table(("state", "page", "row", "verdict", "doubt   who"), rows, right=(2,))
    agreed = sum(doubt.state == "agreed" for doubt in found)
    tell(f"{counted(len(found), 'doubt')}, {agreed} agreed. `adjudicate truth patch` shows what they would change.")


def what(doubt: Doubt) -> str:
    """A doubt in words."""
    if doubt.verdict == "gt-missing-row":
        return f"add “{doubt.value or '?'}” after row {doubt.row}"
    if doubt.verdict == "gt-extra-row":
        return f"take “{doubt.text}” out"
    return f"“{doubt.text}” → “{doubt.value}”" if doubt.value is not None else f"“{doubt.text}”"


def _said(entry: Any) -> str:
    certainty = f", certainty {entry.certainty}" if entry.certainty is not None else ""
    note = f": {entry.note}" if entry.note else ""
    return f"{entry.verifier} {entry.at[:10]}{certainty}{note}"


def document(doubt: Doubt) -> dict[str, Any]:
    """A doubt as plain values."""
    said = [
        {"id": e.id, "at": e.at, "verifier": e.verifier, "case": e.case, "note": e.note, "certainty": e.certainty, "blind": e.blind}
        for e in doubt.said
    ]
    return {
        "state": doubt.state,
        "why": doubt.why or None,
        "verdict": doubt.verdict,
        "page": doubt.page,
        "file": doubt.file,
        "row": doubt.row,
        "text": doubt.text,
        "value": doubt.value,
        "said": said,
    }


def _corrections(invocation: Invocation, pages: tuple[str, ...]) -> tuple[tuple[Correction, ...], tuple[Doubt, ...]]:
    from scoring.tables.doubts import corrections

    evaluation, found = _doubts(invocation)
    known = {page.id for page in evaluation.material.pages}
    for page in pages:
        if page not in known:
            raise InputError(f"there is no page {page}", hint=f"pages are {', '.join(sorted(known)[:20])}")
    chosen = tuple(doubt for doubt in found if not pages or doubt.page in pages)
    return corrections(evaluation, chosen), tuple(doubt for doubt in chosen if doubt.state not in ("agreed", "done"))


_pages = click.option("--page", "pages", metavar="PAGE", multiple=True, help="The doubts of this page alone; again for more.")


@truth.command()
@_pages
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it there instead of printing it.")
@click.pass_obj
def patch(invocation: Invocation, pages: tuple[str, ...], output: Path | None) -> None:
    """What the agreed doubts would change, as a unified diff of the files in gt/.

    Example: adjudicate truth patch --output gt.patch && git apply gt.patch
    """
    from scoring.tables.doubts import patch_of

    found, left = _corrections(invocation, pages)
    _tell_left(left)
    data = b"".join(patch_of(one) for one in found)
    if output is None:
        if sys.stdout.isatty():
            from scoring.text import visible

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
@_pages
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@click.pass_obj
def apply(invocation: Invocation, pages: tuple[str, ...], dry_run: bool) -> None:
    """Write the agreed doubts into the files of gt/, every other byte kept.

    Doubts in conflict, stale ones and those without a proposed text are left
    out and told; exit code 1 then. A verdict on a row whose name changes is
    stale afterwards, the doubt's own among them.

    Example: adjudicate truth apply --page 28
    """
    from scoring.tables.doubts import write

    found, left = _corrections(invocation, pages)
    if not dry_run:
        write(found)
    for one in found:
        say(f"{one.name}: {'would change' if dry_run else 'changed'}")
        for doubt in one.doubts:
            say(f"  row {doubt.row}: {doubt.verdict}, {what(doubt)}")
    if not found:
        say("Nothing agreed to write.")
    _tell_left(left)
    if left:
        raise SystemExit(EXIT_FOUND)


def _tell_left(left: tuple[Doubt, ...]) -> None:
    for doubt in left:
        row = f" row {doubt.row}" if doubt.row is not None else ""
        tell(f"left out ({doubt.state}): page {doubt.page}{row}, {doubt.verdict}, {what(doubt)}: {doubt.why}")
