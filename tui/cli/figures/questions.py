"""`adjudicate questions check | score | report` (`docs/questions.md#reports`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scoring.foundations.problems import InputError, Problem, Severity
from tui.cli import EXIT_FOUND, Invocation
from tui.cli.common.output_date import date_option, dateless

if TYPE_CHECKING:
    from scoring.questions.execution.evaluation import Evaluation
    from scoring.questions.inputs.material import Material
    from scoring.questions.measures.tables import QuestionTable

DEFAULT = ("cells", "types", "questions")
NAMED = (*DEFAULT, "booleans", "integers", "texts", "consistency", "illegibility", "confusion", "differences")


@click.group(name="questions", context_settings={"help_option_names": ["-h", "--help"]})
def questions() -> None:
    """Answers to a fixed list of questions about each document.

    The folder questions/ of the workspace holds questions.toml, ground_truth.csv and runs/. Example: adjudicate questions score
    """


@questions.command()
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="How to print.")
@click.pass_obj
def check(invocation: Invocation, form: str) -> None:
    """Check the set, the ground truth and the runs: doubts, repairs, failed and missing pages.

    Exit code 1 when there is anything but notes. Example: adjudicate questions check
    """
    from scoring.foundations.wording import counted
    from scoring.questions.measures.report import size

    material = _loaded(invocation)
    if form == "json":
        found = [
            {"severity": p.severity, "where": p.where, "line": p.line, "page": p.page, "message": p.message} for p in material.problems
        ]
        click.echo(json.dumps({"fingerprints": material.fingerprints, "problems": found}, ensure_ascii=False, indent=2))
    else:
        for line in _grouped(material.problems, material.questions.ids):
            click.echo(line)
        counts = {severity: sum(problem.severity is severity for problem in material.problems) for severity in Severity}
        told = ", ".join(counted(count, severity) for severity, count in counts.items() if count)
        click.echo(f"{size(material)}: {told or 'nothing to report'}.")
    if any(problem.severity is not Severity.NOTE for problem in material.problems):
        raise SystemExit(EXIT_FOUND)


@dataclass(slots=True)
class _Group:
    """What was found several times in one file: on which pages, in which questions."""

    pages: dict[str, None] = field(default_factory=dict)
    ids: dict[str, None] = field(default_factory=dict)


_ABOUT = re.compile(r"((?:[A-Za-z][\w.-]*(?:, )?)+): (.*)", re.DOTALL)


def _grouped(problems: Iterable[Problem], ids: Collection[str]) -> list[str]:
    """One line for what was found on several pages of a file, in the order of first sight."""
    from scoring.texts.forms import visible

    groups: dict[tuple[Severity, str, int | None, str], _Group] = {}
    for problem in problems:
        message = problem.message
        about: tuple[str, ...] = ()
        if (found := _ABOUT.fullmatch(message)) and set(named := found[1].split(", ")) <= set(ids):
            message, about = found[2], tuple(named)
        group = groups.setdefault((problem.severity, problem.where, problem.line, message), _Group())
        group.ids.update(dict.fromkeys(about))
        if problem.page:
            group.pages[problem.page] = None
    lines = []
    for (severity, where, line, message), group in groups.items():
        pages = f" ({'page' if len(group.pages) == 1 else 'pages'} {_ranges(list(group.pages))})" if group.pages else ""
        names = f"{', '.join(name for name in ids if name in group.ids)}: " if group.ids else ""
        lines.append(visible(f"{severity}: {where}{f':{line}' if line is not None else ''}{pages}: {names}{message}"))
    return lines


def _ranges(pages: list[str]) -> str:
    """`1 to 4, 7, 9`: pages whose names are successive numbers drawn together."""
    runs: list[list[str]] = []
    for page in pages:
        if runs and page.isdecimal() and runs[-1][-1].isdecimal() and int(page) == int(runs[-1][-1]) + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


@questions.command()
@click.option("--format", "form", type=click.Choice(["text", "json", "csv", "md"]), default="text", show_default=True, help="How to print.")
@click.option(
    "--table",
    "names",
    metavar="NAME",
    type=click.Choice([*NAMED, "all"]),
    multiple=True,
    help=f"This table; may be given again: {', '.join(NAMED)}, or all.",
)
@click.option("--output", metavar="DIR", type=click.Path(path_type=Path), help="Write the files for further work there.")
@dateless
@click.pass_obj
def score(invocation: Invocation, form: str, names: tuple[str, ...], output: Path | None) -> None:
    """Score all runs: per question, model and phase; automatic beside adjudicated.

    Without --table: cells, types and questions; csv: the full summary. Example: adjudicate questions score --table booleans
    """
    from scoring.questions.measures import report as rendering
    from scoring.questions.measures import tables as made

    evaluation = _evaluated(invocation)
    if output is not None:
        _write_files(output, evaluation)
    if form == "csv" and not names:
        click.echo(rendering.csv_text(made.summary_rows(evaluation)), nl=False)
        return
    every = dict(zip(NAMED, made.tables(evaluation), strict=True))
    chosen: list[QuestionTable] = [every[name] for name in (NAMED if "all" in names else names or DEFAULT)]
    if form == "json":
        document = {"provenance": rendering.provenance(evaluation), "tables": [_plain(table) for table in chosen]}
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return
    draw: dict[str, Callable[[QuestionTable], str]] = {
        "text": rendering.text_table,
        "csv": rendering.csv_text,
        "md": lambda table: f"## {table.title}\n\n{rendering.markdown_table(table)}",
    }
    click.echo("\n\n".join(draw[form](table).rstrip("\n") for table in chosen))
    click.echo(f"{rendering.summary(evaluation)}\n{rendering.provenance(evaluation)}", err=form == "csv")


def _plain(table: QuestionTable) -> dict[str, object]:
    return {"title": table.title, "rows": [dict(zip(table.header, row, strict=True)) for row in table.rows]}


def _write_files(folder: Path, evaluation: Evaluation) -> None:
    from scoring.questions.measures import report as rendering
    from scoring.questions.measures import tables as made

    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in (made.summary_rows(evaluation), made.answer_rows(evaluation), made.consistency_rows(evaluation)):
            path = folder / f"{table.title}.csv"
            path.write_text(rendering.csv_text(table), encoding="utf-8", newline="")
            click.echo(f"wrote {path}", err=True)
    except OSError as fault:
        raise InputError(
            f"the files cannot be written ({fault.strerror})", where=folder, hint="give another folder with --output"
        ) from fault


@questions.command()
@click.option("--format", "form", type=click.Choice(["md", "html"]), default="md", show_default=True, help="Markdown, or a page of HTML.")
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it there instead of printing it.")
@date_option
@click.pass_obj
def report(invocation: Invocation, form: str, output: Path | None, date: str | None) -> None:
    """The report's section on questions: method, tables, what the figures rest on.

    Example: adjudicate questions report --format html --output questions.html
    """
    from scoring.questions.measures import report as rendering
    from scoring.workspace.provenance import stated_date

    evaluation = _evaluated(invocation)
    made = stated_date(date)
    text = rendering.html_page(evaluation, made) if form == "html" else rendering.markdown(evaluation, made)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as fault:
        raise InputError(
            f"the report cannot be written ({fault.strerror})", where=output, hint="give another file with --output"
        ) from fault
    click.echo(f"wrote {output}", err=True)


def _loaded(invocation: Invocation) -> Material:
    from scoring.questions.inputs.material import load
    from scoring.workspace.layout import open_workspace

    return load(open_workspace(invocation.folder))


def _evaluated(invocation: Invocation) -> Evaluation:
    from scoring.adjudication.log.read import read_log, require_sound
    from scoring.questions.execution.evaluation import evaluate

    material = _loaded(invocation)
    decisions = require_sound(read_log(material.workspace.adjudications)).decisions()
    found = [problem for problem in material.problems if problem.severity is not Severity.NOTE]
    if found:
        click.echo(f"{len(found)} things were found in the inputs: `adjudicate questions check` lists them.", err=True)
    return evaluate(material, decisions)
