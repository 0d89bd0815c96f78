"""`--date`, the option of every command that writes files: the date of generation that they state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def _checked(_ctx: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Refuse what is no date before any work is done."""
    if value is not None:
        from scoring.provenance import stated_date

        stated_date(value)
    return value


def date_option(command: Command) -> Command:
    """`--date`, passed to the command as `date`."""
    told = "The date of generation that outputs state."
    return click.option("--date", metavar="YYYY-MM-DD", callback=_checked, help=told)(command)


def dateless(command: Command) -> Command:
    """`--date` of a command whose files state no date: it is checked and changes nothing."""
    told = "Accepted; the files state no date."
    return click.option("--date", metavar="YYYY-MM-DD", callback=_checked, expose_value=False, help=told)(command)
