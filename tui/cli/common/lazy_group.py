"""A group of commands, each in a module that is imported when the command is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from scoring.foundations.memory import garbage_kept


class LazyGroup(click.Group):
    """The group.

    Args:
        modules: command -> `module:attribute`.
        purposes: what its `--help` lists: commands and a line on each.
        heading: over that list.
    """

    def __init__(
        self,
        *args: Any,
        modules: Mapping[str, str],
        purposes: Sequence[tuple[str, str]],
        heading: str = "Commands",
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self._modules, self._purposes, self._heading = modules, purposes, heading

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._modules:
            return None
        module, attribute = self._modules[cmd_name].split(":")
        # What modules define stays: a search for garbage among it is a tenth of the time they take.
        with garbage_kept():
            command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(self._heading):
            formatter.write_dl(self._purposes)


def listed(commands: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """The arguments of a group whose commands are given as name -> (`module:attribute`, line)."""
    return {
        "modules": {name: module for name, (module, _) in commands.items()},
        "purposes": [(name, line) for name, (_, line) in commands.items()],
    }
