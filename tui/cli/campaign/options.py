"""What the campaign commands share: the options that say where things lie, loading, progress, and how things are printed."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from scoring.foundations.problems import InputError, Problem, Severity
from scoring.texts.forms import visible

if TYPE_CHECKING:
    from scoring.adjudication.decisions import Decisions
    from scoring.relations.inputs.file_names import Mode
    from scoring.relations.inputs.material import CampaignPaths, Material, Progress
    from tui.cli import Invocation

Command = TypeVar("Command", bound=Callable[..., Any])

_PLACES = {
    "reference": "the gold files",
    "submissions": "the submissions",
    "results": "the root of all outputs",
    "per_run": "scores, a file a run",
    "rankings": "ranking tables",
    "diagnostics": "diagnostics",
    "gt_validation": "gold validation workbooks",
    "ensemble": "ensembles",
}


@dataclass(frozen=True, slots=True)
class Campaign:
    """What a campaign command was called with."""

    invocation: Invocation
    mode: Mode
    places: CampaignPaths


def campaign_options(command: Command) -> Command:
    """The options that say where a campaign's files lie, as the official Makefile's variables do; relative to the campaign folder."""
    options = [click.option("--binary", is_flag=True, help="PROBABLE counts as TRUE; results-binary.d unless said otherwise.")]
    mode = click.Choice(["TERNARY", "BINARY"])
    options.append(
        click.option("--at-label-mode", "at_label_mode", type=mode, metavar="MODE", help="TERNARY keeps PROBABLE; BINARY maps it to TRUE.")
    )
    for name, what in _PLACES.items():
        options.append(
            click.option(f"--{name.replace('_', '-')}-dir", f"{name}_dir", metavar="DIR", help=f"Where {what} lie.", hidden=True)
        )
    options.append(click.option("--results-md", "results_md", metavar="FILE", help="The results page.", hidden=True))
    options.append(click.option("--config", metavar="FILE", help="The competition's configuration.", hidden=True))
    options.append(click.option("--teams", metavar="FILE", help="Who the teams are.", hidden=True))
    for option in reversed(options):
        command = option(command)
    return command


def campaign_of(ctx: click.Context, options: Mapping[str, Any]) -> Campaign:
    """The campaign the options name. `--binary` also moves the default places, `--at-label-mode` does not, as in the official pipeline."""
    from scoring.relations.inputs.material import places

    given = {name.removesuffix("_dir"): value for name, value in options.items() if name not in ("binary", "at_label_mode")}
    binary = bool(options.get("binary"))
    if binary and options.get("at_label_mode") == "TERNARY":
        raise click.UsageError("--binary and --at-label-mode TERNARY contradict each other")
    mode: Mode = "BINARY" if binary or options.get("at_label_mode") == "BINARY" else "TERNARY"
    return Campaign(ctx.obj, mode, places(ctx.obj.folder, binary, **given))


def loaded(campaign: Campaign) -> Material:
    """The campaign read, with a progress bar; references that are not final are named on standard error."""
    from scoring.relations.inputs.material import load_campaign

    with progress("reading") as report:
        material = load_campaign(campaign.places, progress=report)
    for text in material.settings.restricted(reference.stem for reference in material.references.values()):
        say(f"not final: {text}; so is every figure from it")
    return material


def nothing_to_score(material: Material, stages: Sequence[str] = ()) -> bool:
    """Say that there are no submissions, where there are none, and remove what the stages wrote when there were."""
    from scoring.relations.outputs.result_files import Outputs

    if material.submissions:
        return False
    say(f"no submissions found in {material.places.submissions}")
    outputs = Outputs(material.places)
    if stages and outputs.manifest():
        outputs.settle(stages)
        for path in outputs.stale:
            say(f"removed, since no submission stands behind it any more: {path}")
    return True


def decisions_of(campaign: Campaign) -> Decisions:
    """What the log of the campaign folder says, less the lines its settings leave out by name."""
    from scoring.workspace.layout import Workspace
    from scoring.workspace.settings import read_settings
    from tui.bench.opening import sound_log

    folder = campaign.invocation.folder
    return sound_log(Workspace(folder, read_settings(folder / "adjudicate.toml"))).decisions()


@contextmanager
def progress(what: str) -> Iterator[Progress | None]:
    """A progress bar on standard error where that is a terminal; none otherwise."""
    if not sys.stderr.isatty():
        yield None
        return
    bar: Any = click.progressbar(length=1, label=f"{what:<12}", file=sys.stderr, item_show_func=lambda name: visible(name or "")[:40])
    with bar:

        def report(done: int, total: int, name: str) -> None:
            bar.length = total
            bar.current_item = name
            bar.update(done - bar.pos, name)

        yield report


def say(text: str) -> None:
    """A message, on standard error."""
    click.echo(visible(text), err=True)


def out(text: str) -> None:
    """A line of output."""
    click.echo(visible(text))


def as_json(value: Any) -> None:
    """Output as JSON, nothing in it able to move a terminal."""
    from tui.cli.common.output import say_json

    say_json(_finite(value))


def _finite(value: Any) -> Any:
    """Plain values in which what JSON has no number for (a size given as NaN) is a text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, Mapping):
        return {key: _finite(held) for key, held in value.items()}
    return [_finite(held) for held in value] if isinstance(value, list | tuple) else value


def text_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for a terminal, columns as wide as they must be; numbers to the right. Data is made safe here."""
    cells = [[_shown(value) for value in row] for row in rows]
    widths = [max(len(title), *(len(row[at]) for row in cells)) if cells else len(title) for at, title in enumerate(header)]
    numeric = [bool(cells) and all(_is_number(row[at]) or not row[at] for row in cells) for at in range(len(header))]

    def line(row: Sequence[str]) -> str:
        padded = (cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(row, widths, numeric, strict=True))
        return "  ".join(padded).rstrip()

    return "\n".join([line(header), line(["-" * width for width in widths]), *map(line, cells)])


def _shown(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else visible(str(value))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def print_problems(problems: Sequence[Problem], *, to_stderr: bool = False) -> None:
    """Problems, a line each, errors first within the order they came in."""
    order = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.REPAIR: 2, Severity.NOTE: 3}
    for problem in sorted(problems, key=lambda problem: order[problem.severity]):
        click.echo(visible(f"{problem.severity}: {problem}"), err=to_stderr)


def finish(failed: bool) -> None:
    """End with exit code 1 where something the user asked to be told of was found."""
    from tui.cli import EXIT_FOUND

    if failed:
        raise click.exceptions.Exit(EXIT_FOUND)


def verifier_of(campaign: Campaign) -> str:
    """Who gives the verdicts: as named, else from the per-user settings.

    Raises:
        InputError: nobody is known.
    """
    from tui.bench.opening import named_verifier

    name = named_verifier(campaign.invocation.verifier)
    if not name:
        raise InputError("who is the verifier?", hint="give --verifier NAME, or set ADJUDICATE_VERIFIER")
    return name
