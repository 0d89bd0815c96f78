"""`adjudicate export`: a data package to deposit."""

from __future__ import annotations

from pathlib import Path

import click

from scoring.foundations.wording import counted
from scoring.texts.forms import visible
from tui.cli import Invocation
from tui.cli.common.output_date import date_option
from tui.cli.figures.scores import APPLY_BY, ProgressLine, scored_tables


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--title", metavar="TEXT", help="The title of the package.")
@date_option
@APPLY_BY
@click.pass_obj
def export(invocation: Invocation, folder: Path, title: str | None, date: str | None, apply_by: tuple[str, ...]) -> None:
    """Write a data package to deposit into DIR, a new or empty folder.

    It holds the ground truth as agreed, every figure as CSV and Parquet, the
    decisions, rules and settings, and describes them in datapackage.json and
    ro-crate-metadata.json. No licence is chosen: write yours into both.

    Example: adjudicate export deposit --date 2026-11-29
    """
    from scoring.adjudication.log.read import read_log, require_sound
    from scoring.deposit.folder import refuse, write_folder
    from scoring.deposit.package import TITLE, package
    from scoring.deposit.resources import has_parquet
    from scoring.workspace.layout import open_workspace
    from scoring.workspace.provenance import generation_date

    workspace = open_workspace(invocation.folder)
    refuse(folder, workspace)
    tell = ProgressLine()
    figures = None
    if workspace.gt.is_dir():
        from scoring.reports.contents.tables_sections import gather
        from scoring.tables.figures.instruments import instruments

        scored = scored_tables(invocation.folder, apply_by, tell)
        found = instruments(scored.evaluation, progress=lambda done, whole: tell("the other instruments", done, whole))
        figures = gather(scored.evaluation, found, scored.problems)
        tell.end()
    log = require_sound(read_log(workspace.adjudications), workspace.settings.exclude_log_lines)
    parquet = has_parquet()
    files = package(
        *(workspace, log, figures),
        apply_by=apply_by,
        generated=generation_date(date),
        title=title or TITLE,
        parquet=parquet,
    )
    write_folder(folder, files)
    if not parquet:
        click.echo("Figures are written as CSV only: Parquet needs the extra `parquet` (the package pyarrow).", err=True)
    click.echo("No licence is chosen: write yours into datapackage.json and ro-crate-metadata.json before you deposit.", err=True)
    click.echo(visible(f"wrote {counted(len(files), 'file')} to {folder}"))
