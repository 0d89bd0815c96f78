"""The `adjudicate` command: a file a command group, each imported only when it is called.

Conventions: output goes to standard output, progress and messages to standard error; exit code 0 done, 1 done
and something the user asked to be told about was found, 2 bad input or usage, 130 interrupted.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from scoring.problems import InputError

EXIT_FOUND, EXIT_BAD_INPUT, EXIT_INTERRUPTED = 1, 2, 130

# Command name -> (module:attribute, one line for `--help`). Nothing is imported before its command is called.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("tui.cli.workspace:init", "Start a workspace for your own data."),
    "example": ("tui.cli.workspace:example", "Write the example workspace out."),
    "check": ("tui.cli.workspace:check", "Check the inputs: repairs, failed and missing pages, schema, rules, log."),
    "score": ("tui.cli.scores:score", "Score all runs; automatic beside adjudicated."),
    "report": ("tui.cli.scores:report", "Write the report as one HTML file and as Markdown."),
    "review": ("tui.cli.review:review", "Open the workbench at a queue."),
    "next": ("tui.cli.review:next_case", "Show the next open case."),
    "show": ("tui.cli.review:show", "Show one case."),
    "decide": ("tui.cli.review:decide", "Give a verdict on a case."),
    "undo": ("tui.cli.review:undo", "Retract the last verdict, or one by its id."),
    "log": ("tui.cli.log:log", "List, check, export and import the decisions."),
    "truth": ("tui.cli.truth:truth", "Doubts about the ground truth: list, patch, apply."),
    "agreement": ("tui.cli.log:agreement", "Agreement between verifiers."),
    "rules": ("tui.cli.rules:rules", "Check, preview, draft and settle equivalences."),
    "questions": ("tui.cli.questions:questions", "Answers to a fixed list of questions."),
    "campaign": ("tui.cli.campaign:campaign", "A HIPE-2026 campaign: validate, score, rank, adjudicate."),
    "records": ("tui.cli.records:records", "Review an EcoExtract database; accuracy from the edits."),
    "serve": ("tui.cli.serve:serve", "Open the workbench in a browser on this machine."),
}


@dataclass(slots=True)
class Invocation:
    """What every command is given: the folder it works in, and who the verifier is, if that was said."""

    folder: Path
    verifier: str | None


class Commands(click.Group):
    """The command group: loads a command's module when it is called, takes `-C` on either side of the command's name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute = COMMANDS[cmd_name][0].split(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, shared_options_first(args))


def shared_options_first(args: list[str]) -> list[str]:
    """Move `-C DIR` and `--verifier NAME` to the front, so that they are accepted anywhere before `--`."""
    front: list[str] = []
    rest: list[str] = []
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
        if (word.startswith("-C") and len(word) > 2) or word.startswith("--verifier="):
            front.append(word)
        else:
            rest.append(word)
        position += 1
    return front + rest


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-C", "folder", metavar="DIR", default=".", show_default="the current folder", help="The workspace to work in.")
@click.option("--verifier", metavar="NAME", envvar="ADJUDICATE_VERIFIER", help="Who gives the verdicts.")
@click.version_option(package_name="adjudicate", prog_name="adjudicate")
@click.pass_context
def adjudicate(ctx: click.Context, folder: str, verifier: str | None) -> None:
    """Judge what models extracted from historical documents.

    Without a command the workbench opens on the workspace. Example: adjudicate -C my-register score
    """
    ctx.obj = Invocation(Path(folder), verifier)
    if ctx.invoked_subcommand is None:
        from tui.cli.review import review

        ctx.invoke(review)


def main(args: list[str] | None = None) -> Any:
    """Run the command; a fault of the input is a sentence on standard error and exit code 2."""
    try:
        return adjudicate.main(args=args, prog_name="adjudicate", standalone_mode=True)
    except InputError as fault:
        click.echo(f"adjudicate: {fault}", err=True)
        sys.exit(EXIT_BAD_INPUT)
