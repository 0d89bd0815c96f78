"""`adjudicate import`: what people have, taken into a workspace; the plan first."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from scoring.words import counted
from tui.cli import EXIT_FOUND, Invocation
from tui.cli.output import say, say_json, say_table, tell
from tui.cli.output_date import date_option

if TYPE_CHECKING:
    from scoring.importing.plan import Item, Plan

_LISTED = 40
_COLUMNS = ("source", "taken for", "goes to", "state", "why")


@click.command("import")
@click.argument("source", metavar="SOURCE", type=click.Path(path_type=Path))
@click.option("--into", metavar="DIR", type=click.Path(path_type=Path), help="The workspace; made where absent. Else that of -C.")
@click.option("--as", "kind", metavar="KIND", default="", help="workspace, benchmark, inspect, batch, pagexml, dataset or folder.")
@click.option("--benchmark", metavar="NAME", default="", help="The benchmark of a collection.")
@click.option("--pattern", metavar="TEXT", default="", help='Names of answers, such as "{model}_page{page}_run{run}".')
@click.option("--plan", "plan_only", is_flag=True, help="Print the plan and stop.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text", help="Form of the plan.")
@date_option
@click.pass_obj
def import_files(
    invocation: Invocation,
    source: Path,
    into: Path | None,
    kind: str,
    benchmark: str,
    pattern: str,
    plan_only: bool,
    yes: bool,
    form: str,
    date: str | None,
) -> None:
    """Take ground truth, answers and images of SOURCE into a workspace.

    The plan comes first, then a question. What is there is never changed;
    run again, it adds what is new. import.json keeps what came in.

    Example: adjudicate import my-files --into ../my-data
    """
    from scoring.importing.kinds import Options, plan_import
    from scoring.importing.plan import compared
    from scoring.importing.sources import open_source

    root = into if into is not None else invocation.folder
    plan = compared(plan_import(open_source(source), kind, Options(benchmark, pattern)), root)
    _show(plan, form)
    conflicts = plan.of("conflict")
    asked = not plan_only and (yes or _agreed(plan))
    if asked and plan.of("new"):
        _write(plan, root, date)
    elif not plan_only and not yes and plan.of("new") and not sys.stdin.isatty():
        tell("Nothing was written: --yes writes it.")
    if conflicts:
        tell(f"{counted(len(conflicts), 'file')} not taken: another content is there already. Rename or remove one of the two.")
        sys.exit(EXIT_FOUND)


def _agreed(plan: Plan) -> bool:
    return bool(plan.of("new")) and sys.stdin.isatty() and click.confirm("Write this?", default=False, err=True)


def _write(plan: Plan, root: Path, date: str | None) -> None:
    from scoring.importing.record import carry_out
    from scoring.problems import InputError
    from scoring.provenance import generation_date
    from tui.new_workspace import create

    day = generation_date(date)[:10]
    try:
        written = carry_out(plan, root, day)
        create(root)
    except OSError as fault:
        where = fault.filename or root
        hint = "what was written before stays; run the command again"
        raise InputError(f"cannot be written ({fault.strerror or fault})", where=where, hint=hint) from fault
    say(f"{counted(len(written) - 1, 'file')} written to {root}. What was read: adjudicate -C {root} check")


def _show(plan: Plan, form: str) -> None:
    rows = [_row(item) for item in plan.items]
    if form == "json":
        items = [dict(zip(("source", "taken_for", "goes_to", "state", "why"), row, strict=True)) for row in rows]
        say_json({"source": plan.source, "kind": plan.kind, "notes": list(plan.notes), "files": items})
        return
    if form == "csv":
        import csv

        from scoring.spreadsheet import safe_cell

        csv.writer(sys.stdout, lineterminator="\n").writerows([_COLUMNS, *([safe_cell(cell) for cell in row] for row in rows)])
        return
    say(f"{plan.source} is taken for: {plan.kind}")
    for note in plan.notes:
        say(f"  {note}")
    say_table(_COLUMNS, rows if len(rows) <= _LISTED else _summed(plan))
    if len(rows) > _LISTED:
        say(f"{counted(len(rows), 'file')} in all; --format csv lists each.")


def _row(item: Item) -> tuple[str, ...]:
    return item.source, item.taken or "-", item.target or "-", item.state, item.why


def _summed(plan: Plan) -> list[tuple[str, ...]]:
    """The plan by folder: how many files of a kind go where."""
    groups: Counter[tuple[str, str, str, str]] = Counter()
    whys: dict[tuple[str, str, str, str], str] = {}
    for item in plan.items:
        target = f"{PurePosixPath(item.target).parent}/" if item.target else "-"
        group = (str(PurePosixPath(item.source).parent), item.taken or "-", target, item.state)
        groups[group] += 1
        whys.setdefault(group, item.why)
    return [(f"{group[0]}/ ({counted(many, 'file')})", *group[1:], whys[group]) for group, many in groups.items()]
