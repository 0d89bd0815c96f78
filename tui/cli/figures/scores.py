"""`adjudicate score` and `adjudicate report`: results in the terminal and in files."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

import click

from scoring.foundations.problems import InputError, Severity
from scoring.reports.contents.sources import ScoredTables, score_tables
from scoring.reports.formats.tables import Table
from scoring.texts.forms import visible
from scoring.workspace.layout import open_workspace
from scoring.workspace.provenance import generation_date, provenance_line
from tui.cli import Invocation
from tui.cli.common.output_date import date_option

APPLY_BY = click.option(
    "--apply-by",
    multiple=True,
    type=click.Choice(["human", "model", "rule"]),
    default=("human",),
    show_default=True,
    help="Whose verdicts apply; may be given several times.",
)


class ProgressLine:
    """Progress on standard error: one line, drawn over, only in a terminal and only once something takes longer than a second."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._drawn = ""
        self._last = 0.0

    def __call__(self, what: str, done: int, whole: int) -> None:
        """Tell how far something is."""
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._start > 1 and (now - self._last > 0.1 or done == whole):
            self._last = now
            line = f"{what}: {done} of {whole}"
            click.echo("\r" + line.ljust(len(self._drawn)), err=True, nl=False)
            self._drawn = line

    def end(self) -> None:
        """Clear the line."""
        if self._drawn:
            click.echo("\r" + " " * len(self._drawn) + "\r", err=True, nl=False)
            self._drawn = ""


def scored_tables(folder: Path, apply_by: tuple[str, ...], tell: ProgressLine, dask: str | None = None) -> ScoredTables:
    """The tables of a workspace, scored; what reading found is told on standard error."""
    engine = None
    if dask is not None:
        from scoring.tables.execution.dask_workers import dask_engine

        engine = dask_engine(dask)
    workspace = open_workspace(folder)
    if not workspace.gt.is_dir():
        raise InputError(
            "there is no `gt/` here, so there are no tables to score",
            where=folder,
            hint="questions, campaigns and records have commands of their own: see `adjudicate --help`",
        )
    scored = score_tables(workspace, apply_by=apply_by, progress=tell, engine=engine)
    tell.end()
    for problem in scored.problems:
        if problem.severity is not Severity.NOTE:
            click.echo(visible(str(problem)), err=True)
    repaired = sum(1 for problem in scored.evaluation.material.problems if problem.severity is not Severity.NOTE)
    if repaired:
        click.echo(f"{repaired} repairs and warnings in the inputs; `adjudicate check` lists them.", err=True)
    return scored


def _require_scored(scored: ScoredTables) -> None:
    """Refuse success where no page was scored; the outputs that there are have been printed or written.

    Raises:
        InputError: no page of any run was scored.
    """
    evaluation = scored.evaluation
    if any(score.counts is not None for score in evaluation.pages.values()):
        return
    material = evaluation.material
    if not material.runs:
        folder = material.workspace.relative(material.workspace.runs)
        raise InputError(f"no page was scored: no run could be read in `{folder}/`", hint="`adjudicate check` names what lies there")
    states = Counter(score.status for score in evaluation.pages.values())
    said = " and ".join(f"{states[status]} {status}" for status in sorted(states))
    raise InputError(f"no page was scored: {said}", hint="`adjudicate check` gives the reasons")


@click.command()
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "csv", "md"]), default="text", show_default=True, help="Form of the output."
)
@click.option("--output", metavar="DIR", type=click.Path(path_type=Path), help="Write all tables there as CSV, with their provenance.")
@click.option("--instruments", "with_instruments", is_flag=True, help="Also score the runs under the other instruments.")
@click.option("--cell", metavar="MODEL/PHASE", help="Look into this cell: its runs.")
@click.option("--run", metavar="RUN", help="With --cell: the pages of this run.")
@click.option("--page", metavar="PAGE", help="With --run: this page side by side, and its books.")
@click.option("--dask", metavar="ADDRESS", help="Score the pages on the workers of this Dask scheduler (extra `dask`).")
@date_option
@APPLY_BY
@click.pass_obj
def score(
    invocation: Invocation,
    form: str,
    output: Path | None,
    with_instruments: bool,
    cell: str | None,
    run: str | None,
    page: str | None,
    dask: str | None,
    date: str | None,
    apply_by: tuple[str, ...],
) -> None:
    """Score all runs; automatic beside adjudicated.

    --format csv prints the cells (with --instruments those of instruments.csv).

    Example: adjudicate score --cell alfa/naive --run run_01
    """
    from dataclasses import replace

    from scoring.reports.contents import overview, score_files
    from scoring.reports.formats import text_formats as render
    from scoring.tables.cases.f1_band import bands

    tell = ProgressLine()
    if cell is not None or run is not None or page is not None:
        from tui.cli.figures.score_level import score_level

        if output is not None or with_instruments:
            raise InputError("--output and --instruments are of all runs together", hint="leave them out, or --cell")
        score_level(invocation, cell, run, page, form, apply_by, lambda: scored_tables(invocation.folder, apply_by, tell, dask))
        return
    scored = scored_tables(invocation.folder, apply_by, tell, dask)
    evaluation, provenance = scored.evaluation, replace(scored.provenance, generated=generation_date(date))
    band = bands(evaluation)
    found = None
    if with_instruments or output is not None or form == "json":
        from scoring.tables.figures.instruments import instruments

        found = instruments(evaluation, progress=lambda done, whole: tell("the other instruments", done, whole))
        tell.end()
    if output is not None:
        from scoring.reports.formats.output_files import write_files

        assert found is not None
        files = score_files.files(evaluation, band, found)
        contents = {f"{name}.csv": render.to_csv(table).encode("utf-8", "backslashreplace") for name, table in files.items()}
        contents["provenance.txt"] = (provenance_line(provenance) + f"\nGenerated {provenance.generated}\n").encode()
        contents["provenance.json"] = render.to_json(provenance.as_dict()).encode()
        for path in write_files(output, contents):
            click.echo(visible(f"wrote {path}"), err=True)
    if form == "json":
        assert found is not None
        click.echo(score_files.as_json(evaluation, band, found, provenance), nl=False)
    elif form == "csv":
        cells = score_files.four_ways(found) if found is not None and with_instruments else score_files.summary(evaluation, band)
        click.echo(render.to_csv(cells), nl=False)
    else:
        tables: list[Table] = [overview.detection(evaluation, band), overview.transcription(evaluation)]
        tables += [overview.left_over(evaluation), overview.by_field(evaluation), overview.decisions(evaluation)]
        if found is not None and with_instruments:
            tables.append(overview.ways(found))
        if form == "md":
            for table in tables:
                click.echo(render.to_markdown(table))
            click.echo(render.escaped(provenance_line(provenance)))
        else:
            from tui.cli.common.table_view import print_tables

            print_tables(tables)
            click.echo(provenance_line(provenance))
    _require_scored(scored)


@click.command()
@click.option(
    "--output", metavar="DIR", type=click.Path(path_type=Path), default=Path("report"), show_default=True, help="Where to write it."
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(["html", "md", "xlsx", "tex"]),
    default=("html", "md"),
    show_default=True,
    help="Formats to write; may be given several times.",
)
@date_option
@click.option("--title", metavar="TEXT", help="The title of the report.")
@APPLY_BY
@click.pass_obj
def report(
    invocation: Invocation, output: Path, formats: tuple[str, ...], date: str | None, title: str | None, apply_by: tuple[str, ...]
) -> None:
    """Write the report as HTML, Markdown, XLSX or LaTeX, with compare pages and the figures as CSV.

    Example: adjudicate report --output report --format html --format xlsx
    """
    from dataclasses import replace

    from scoring.reports import report as reports
    from scoring.reports.contents.tables_sections import gather
    from scoring.reports.formats.output_files import write_files
    from scoring.reports.other_tasks import with_other_tasks
    from scoring.tables.figures.instruments import instruments

    tell = ProgressLine()
    scored = scored_tables(invocation.folder, apply_by, tell)
    found = instruments(scored.evaluation, progress=lambda done, whole: tell("the other instruments", done, whole))
    provenance = replace(scored.provenance, generated=generation_date(date))
    made = reports.tables_report(gather(scored.evaluation, found, scored.problems), provenance, title or reports.TITLE)
    made = with_other_tasks(made, scored.evaluation.material.workspace, apply_by)
    for name, content in reports.files(made, formats, progress=tell):
        write_files(output, {name: content})
    tell.end()
    for form in formats:
        click.echo(visible(str(output / ("tex/all.tex" if form == "tex" else f"report.{form}"))))
    _require_scored(scored)
