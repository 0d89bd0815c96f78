"""The `adjudicate` command: a file a command group, each imported only when it is called.

Conventions: output goes to standard output, progress and messages to standard error; exit code 0 done, 1 done
and something the user asked to be told about was found, 2 bad input or usage, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from scoring.problems import InputError
from tui.cli.lazy import LazyGroup

EXIT_FOUND, EXIT_BAD_INPUT, EXIT_INTERRUPTED = 1, 2, 130

# Command name -> (module:attribute, what it does). Nothing is imported before its command is called.
COMMANDS: dict[str, str] = {
    "init": "tui.cli.workspace:init",
    "example": "tui.cli.workspace:example",
    "import": "tui.cli.import_:import_files",
    "check": "tui.cli.check:check",
    "score": "tui.cli.scores:score",
    "report": "tui.cli.scores:report",
    "export": "tui.cli.export:export",
    "review": "tui.cli.review:review",
    "serve": "tui.cli.serve:serve",
    "next": "tui.cli.review:next_case",
    "show": "tui.cli.review:show",
    "decide": "tui.cli.decide:decide",
    "batch": "tui.cli.batch:batch",
    "undo": "tui.cli.decide:undo",
    "log": "tui.cli.log:log",
    "agreement": "tui.cli.agreement:agreement",
    "truth": "tui.cli.truth:truth",
    "rules": "tui.cli.rules:rules",
    "questions": "tui.cli.questions:questions",
    "campaign": "tui.cli.campaign:campaign",
    "records": "tui.cli.records:records",
}
# The overview in `--help`: one line a purpose, so that it fits a screen of 24 lines.
PURPOSES = (
    ("init, import, example", "Start a workspace; take in what you have; the example."),
    ("check", "Check inputs, rules, log and books."),
    ("score, report, export", "Score all runs; publish; deposit."),
    ("review, serve", "Open the workbench: here, or in a browser."),
    ("next, show, decide, batch, undo", "The same work without screens."),
    ("log, agreement", "The decisions; how far verifiers agree."),
    ("truth, rules", "Doubts about GT; the equivalences."),
    ("questions, campaign, records", "The other three tasks."),
)


@dataclass(slots=True)
class Invocation:
    """What every command is given: the folder it works in, and who the verifier is, if that was said."""

    folder: Path
    verifier: str | None


class Commands(LazyGroup):
    """The commands of `adjudicate`; takes `-C` on either side of the command's name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, shared_options_first(args, partial(valued_options, self, ctx)))


def shared_options_first(args: list[str], valued: Callable[[list[str]], frozenset[str]] = lambda _: frozenset()) -> list[str]:
    """Move `-C DIR` and `--verifier NAME` to the front, so that they are accepted anywhere before `--`.

    `valued` tells which options of the command take a value: the word behind one of those is its value, whatever it looks like.
    """
    if not any(word.startswith(("-C", "--verifier")) for word in args):
        return args
    front: list[str] = []
    rest: list[str] = []
    taking = valued(args)
    position = 0
    while position < len(args):
        word = args[position]
        if word == "--":
            rest += args[position:]
            break
        if word in ("-C", "--verifier") and position + 1 < len(args):
            front += args[position : position + 2]
            position += 2
            continue
        if word in taking:
            rest += args[position : position + 2]
            position += 2
            continue
        if (word.startswith("-C") and len(word) > 2) or word.startswith("--verifier="):
            front.append(word)
        else:
            rest.append(word)
        position += 1
    return front + rest


def valued_options(group: click.Group, ctx: click.Context, args: list[str]) -> frozenset[str]:
    """The options that take a value, of the command that the words name; the group's own left out."""
    command: click.Command = group
    taking: set[str] = set()
    words = iter(args)
    for word in words:
        if word == "--" or not isinstance(command, click.Group):
            break
        if word in ("-C", "--verifier") or word in taking:
            next(words, None)
        elif not word.startswith("-"):
            found = command.get_command(ctx, word)
            if found is None:
                break
            command = found
            options = (one for one in command.params if isinstance(one, click.Option) and not one.is_flag and not one.count)
            taking |= {name for one in options for name in one.opts}
    return frozenset(taking)


def _version(ctx: click.Context, _option: click.Parameter, asked: bool) -> None:
    if not asked:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        said = version("adjudicate-workbench")
    except PackageNotFoundError:
        said = "(a checkout that is not installed)"
    click.echo(f"adjudicate {said}")
    ctx.exit()


@click.group(
    cls=Commands,
    modules=COMMANDS,
    purposes=PURPOSES,
    heading="Commands (each has its own --help)",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option("-C", "folder", metavar="DIR", default=".", show_default="the current folder", help="The workspace to work in.")
@click.option("--verifier", metavar="NAME", envvar="ADJUDICATE_VERIFIER", help="Who gives the verdicts.")
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version and exit.")
@click.pass_context
def adjudicate(ctx: click.Context, folder: str, verifier: str | None) -> None:
    """Judge what models extracted from historical documents.

    Without a command the workbench opens on the workspace. Example: adjudicate -C my-data score
    """
    ctx.obj = Invocation(Path(folder), verifier)
    if ctx.invoked_subcommand is None:
        from tui.cli.review import review

        ctx.invoke(review)


def fail(sentence: str) -> NoReturn:
    """Say what is wrong with what was given, and end with exit code 2."""
    from scoring.text import visible

    click.echo(f"adjudicate: {visible(sentence)}", err=True)
    sys.exit(EXIT_BAD_INPUT)


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command and end with its exit code; a fault of the input is a sentence on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = adjudicate.main(args=args, prog_name="adjudicate", standalone_mode=False)
    except InputError as fault:
        fail(str(fault))
    except click.ClickException as fault:
        from scoring.text import visible

        fault.message = visible(fault.message)  # type: ignore[misc]
        fault.show()
        sys.exit(fault.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("adjudicate: interrupted.", err=True)
        sys.exit(EXIT_INTERRUPTED)
    except OSError as fault:
        # A file that vanished or a folder without rights, met where no sentence of its own was written for it.
        fail(str(InputError(fault.strerror or str(fault), where=fault.filename)))
    sys.exit(code if isinstance(code, int) else 0)
