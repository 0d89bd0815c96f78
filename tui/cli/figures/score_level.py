"""`adjudicate score --cell`: down from a cell to its runs, their pages, and a page side by side (`docs/adjudication.md#scores`)."""

from __future__ import annotations

from collections.abc import Callable

import click

from scoring.foundations.problems import InputError
from scoring.reports.contents.sources import ScoredTables
from tui.cli import Invocation
from tui.cli.common.output import say, say_drawn, say_table, width


def score_level(
    invocation: Invocation,
    cell: str | None,
    run: str | None,
    page: str | None,
    form: str,
    apply_by: tuple[str, ...],
    scored: Callable[[], ScoredTables],
) -> None:
    """Print the runs of a cell, the pages of a run, or a page of a run.

    Raises:
        InputError: a step is left out, or there is no such cell, run or page.
    """
    if cell is None or (page is not None and run is None):
        raise InputError("--run is of a --cell, and --page of a --run", hint="such as --cell alfa/naive --run run_01 --page 28")
    if page is not None:
        if form not in ("text", "json"):
            raise InputError("a page side by side is printed as text or json", hint="pairs.csv of --output has all pages as CSV")
        from tui.bench.opening import open_session
        from tui.cli.figures.inspection import print_run_page

        session = open_session(invocation.folder, None, task="tables", apply_by=apply_by)
        print_run_page(session, f"{cell}/{run}", page, form)
        return
    from scoring.reports.contents.score_files import level
    from scoring.reports.formats import text_formats as render
    from scoring.tables.cases.f1_band import bands
    from scoring.tables.figures.levels import figures
    from scoring.tasks import task_named
    from tui.bench.position.figure_paths import place_named

    evaluation = scored().evaluation
    path = place_named(task_named("tables"), evaluation, "/".join((cell, run) if run is not None else (cell,)))
    if len(path) != (2 if run is None else 3):
        raise InputError(f"`{cell}` is no cell", hint="a cell is MODEL/PHASE; a run of it is named with --run")
    found = bands(evaluation)
    if form == "text":
        from tui.widgets.drawing import drawn

        grid, beside = figures(evaluation, path, found)
        say(grid.title)
        say_table(("", *grid.header), [(line.mark, *line.cells) for line in grid.lines], right=range(2, len(grid.header) + 1))
        say()
        say_drawn(drawn(beside, width()))
        return
    made = level(evaluation, found, path)
    if form == "csv":
        click.echo(render.to_csv(made), nl=False)
    elif form == "md":
        click.echo(render.to_markdown(made))
    else:
        click.echo(render.json_tables({"figures": made}, []), nl=False)
