"""`adjudicate log list | check | export | import`: the decisions (`docs/log.md`)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from scoring.foundations.problems import InputError, Severity
from tui.cli import EXIT_FOUND, Invocation
from tui.cli.common.output import counted, format_option, say, say_json, say_table, tell
from tui.cli.common.output_date import date_option

if TYPE_CHECKING:
    from scoring.adjudication.log.read import LogContents
    from scoring.adjudication.log_entry import LogEntry


@click.group(name="log", context_settings={"help_option_names": ["-h", "--help"]})
def log() -> None:
    """List, check, export and import the decisions.

    Example: adjudicate log list --verdict merge --since 2026-11-01
    """


def _contents(invocation: Invocation) -> LogContents:
    from scoring.workspace.layout import open_workspace
    from tui.bench.opening import sound_log

    return sound_log(open_workspace(invocation.folder))


@log.command(name="list")
@click.option("--verdict", metavar="VERDICT", help="This verdict alone; `retract` for what was undone.")
@click.option("--case", "case", metavar="ID", help="This case alone; the beginning of its id is enough.")
@click.option("--task", metavar="TASK", help="This task alone.")
@click.option("--since", metavar="TIME", help="From this day or time (UTC) on: 2026-11-29 or 2026-11-29T22:10.")
@click.option("--behind", metavar="PLACE", help="Those behind the figures of MODEL/PHASE[/RUN[/PAGE]]; of `all`.")
@click.option("--live", is_flag=True, help="Leave out retractions and what they took back.")
@format_option
@click.pass_context
def list_entries(
    ctx: click.Context,
    verdict: str | None,
    case: str | None,
    task: str | None,
    since: str | None,
    behind: str | None,
    live: bool,
    form: str,
) -> None:
    """List the entries, oldest first. --verifier NAME lists one person's.

    Example: adjudicate log list --verifier mp --verdict gt-wrong --live
    """
    invocation: Invocation = ctx.obj
    given = ctx.find_root().get_parameter_source("verifier") == ParameterSource.COMMANDLINE
    verifier = invocation.verifier if given else None
    moment = _moment(since) if since is not None else ""
    decisions = _contents(invocation).decisions()
    ids = _behind(invocation, task, behind) if behind is not None else None

    def wanted(entry: LogEntry) -> bool:
        return (
            (verifier is None or entry.verifier == verifier)
            and (verdict is None or entry.verdict == verdict)
            and (case is None or entry.case.startswith(case))
            and (task is None or entry.task == task)
            and entry.at >= moment
            and (ids is None or entry.id in ids)
            and (not live or (entry.retracts is None and decisions.is_live(entry)))
        )

    found = [entry for entry in decisions.entries if wanted(entry)]
    if form == "json":
        from tui.cli.cases.case_text import entry_document

        say_json([entry_document(entry, decisions.is_live(entry)) for entry in found])
        return
    from scoring.adjudication.log_entry import value_in_words, verdict_in_words

    rows = []
    for entry in found:
        said = f" “{value_in_words(entry.value)}”" if entry.value is not None else ""
        pointed = f" -> {', '.join(entry.targets)}" if entry.targets else ""
        undone = f" {entry.retracts[:18]}" if entry.retracts is not None else ""
        note = f"  ({entry.note})" if entry.note else ""
        state = "" if decisions.is_live(entry) else "undone"
        rows.append(
            (
                entry.id[:18],
                entry.at[:16].replace("T", " "),
                entry.verifier + ("" if entry.by == "human" else f" ({entry.by})"),
                entry.case,
                state,
                verdict_in_words(entry) + undone + pointed + said + note,
            )
        )
    say_table(("id", "at (UTC)", "verifier", "case", "", "verdict"), rows)
    tell(f"{counted(len(found), 'entry', 'entries')} of {len(decisions.entries)}.")


def _behind(invocation: Invocation, task: str | None, place: str) -> frozenset[str]:
    """The ids of the entries behind the adjudicated figures of a place of the Scores."""
    from tui.bench.opening import open_session
    from tui.bench.position.figure_paths import place_named
    from tui.cli.common.output import progress

    with progress() as step:
        session = open_session(invocation.folder, None, task=task, progress=step)
    path = place_named(session.task, session.evaluation, place)
    return frozenset(entry.id for entry in session.task.behind(session.evaluation, path))


def _moment(since: str) -> str:
    """The least `at` that counts."""
    from datetime import UTC, datetime

    from scoring.adjudication.log_entry import timestamp

    try:
        moment = datetime.fromisoformat(since.strip())
    except ValueError:
        raise InputError(f"`{since}` is no day or time", hint="write 2026-11-29 or 2026-11-29T22:10") from None
    return timestamp(moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC))


@log.command(name="check")
@format_option
@click.pass_obj
def check_log(invocation: Invocation, form: str) -> None:
    """Check every line of the log: faults with file and line, and how to deal with them.

    Exit code 1 when there is an error or a warning. A faulty line stops scoring
    until it is mended, or excluded by name in adjudicate.toml.

    Example: adjudicate log check
    """
    from collections import Counter

    from scoring.adjudication.log.read import read_log
    from scoring.workspace.layout import open_workspace
    from tui.bench.opening import sound_log

    workspace = open_workspace(invocation.folder)
    try:
        contents = sound_log(workspace)
    except InputError:
        contents = read_log(workspace.adjudications)
    decisions = contents.decisions()
    by_verifier = Counter(entry.verifier for entry in contents.entries)
    standing = [entry for entry in contents.entries if entry.retracts is None and decisions.is_live(entry)]
    if form == "json":
        say_json(
            {
                "files": [path.name for path in contents.files],
                "entries": len(contents.entries),
                "live": len(standing),
                "verifiers": dict(sorted(by_verifier.items())),
                "conflicts": len(decisions.conflicts),
                "fingerprint": contents.fingerprint if not contents.faults else None,
                "problems": [
                    {"severity": p.severity.value, "where": p.where or None, "line": p.line, "message": p.message}
                    for p in contents.problems
                ],
            }
        )
    else:
        for problem in contents.problems:
            say(f"{problem.severity.value}: {problem}")
        people = ", ".join(f"{name} {times}" for name, times in sorted(by_verifier.items()))
        say(
            f"{counted(len(contents.files), 'file')}, {counted(len(contents.entries), 'entry', 'entries')}"
            f"{f' ({people})' if people else ''}; {counted(len(standing), 'live verdict')}, "
            f"{counted(len(decisions.conflicts), 'case')} in conflict."
        )
    if any(problem.severity in (Severity.ERROR, Severity.WARNING) for problem in contents.problems):
        raise SystemExit(EXIT_FOUND)


@log.command(name="export")
@click.option("--format", "form", type=click.Choice(["csv", "xlsx", "jsonl"]), default="csv", show_default=True, help="How to write.")
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it there instead of printing it.")
@date_option
@click.pass_obj
def export_log(invocation: Invocation, form: str, output: Path | None, date: str | None) -> None:
    """Write all entries: a table to look at, or log lines to import elsewhere.

    Cells that a spreadsheet would take for a formula are written as text.

    Example: adjudicate log export --format xlsx --output decisions.xlsx
    """
    from scoring.adjudication.log.export import export
    from scoring.workspace.provenance import generation_date

    made = generation_date(date)
    contents = _contents(invocation)
    if output is None:
        if form == "xlsx" and sys.stdout.isatty():
            raise InputError("a workbook cannot be printed on a terminal", hint="give a file with --output FILE")
        sys.stdout.flush()
        export(contents, form, sys.stdout.buffer, made)  # type: ignore[arg-type]
        return
    export(contents, form, output, made)  # type: ignore[arg-type]
    tell(f"wrote {counted(len(contents.entries), 'entry', 'entries')} to {output}")


@log.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def import_log(invocation: Invocation, file: Path) -> None:
    """Take log lines from FILE: a checked union by id, all or nothing.

    For people without git. Doing it twice adds nothing.

    Example: adjudicate log import from-a-colleague.jsonl
    """
    from scoring.adjudication.log.write import import_lines
    from scoring.workspace.layout import open_workspace
    from tui.bench.opening import exclusions, sound_log

    workspace = open_workspace(invocation.folder)
    before = len(sound_log(workspace).decisions().conflicts)
    result = import_lines(workspace.adjudications, file, exclude=exclusions(workspace))
    for problem in result.problems:
        tell(f"{problem.severity.value}: {problem}")
    for verifier, added in sorted(result.added.items()):
        say(f"{verifier}: {counted(added, 'entry', 'entries')} added")
    say(f"{counted(sum(result.added.values()), 'entry', 'entries')} added, {result.known} known already.")
    now = len(sound_log(workspace).decisions().conflicts)
    if now > before:
        say(f"{counted(now - before, 'case')} came into conflict: `adjudicate review --queue conflicts` shows them.")
