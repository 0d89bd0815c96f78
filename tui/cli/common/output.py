"""Printing, shared by the commands: tables, JSON, sentences, progress. Text from data is drawn visible here, at the last moment.

What a command was asked for goes to standard output; what it says beside that, and progress, to standard error.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from scoring.foundations.wording import counted as counted
from scoring.texts.forms import visible

if TYPE_CHECKING:
    from rich.text import Text

Cell = str | int | float | None
Step = Callable[[str, int, int], None]
"""Told of progress: what is being done, how many are done, how many there are."""

PLAIN_WIDTH = 100
FORMATS = ("text", "json")
# What JSON may carry as it is but a terminal must not be sent: escaped, so that it reads back as it was.
_UNSAFE = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\U000e0000-\U000e007f]")


def format_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--format text|json`, handed to the command as `form`."""
    choice = click.Choice(FORMATS)
    return click.option("--format", "form", type=choice, default="text", show_default=True, help="How to print.")(command)


def width() -> int:
    """Columns to print in: the terminal's, a fixed number where there is none, so that a file is the same everywhere."""
    return max(40, get_terminal_size((PLAIN_WIDTH, 24)).columns) if sys.stdout.isatty() else PLAIN_WIDTH


def say(text: str = "") -> None:
    """A line to standard output."""
    click.echo(visible(text))


def tell(text: str) -> None:
    """A message to standard error."""
    click.echo(visible(text), err=True)


def say_json(value: object) -> None:
    """A JSON document to standard output; nothing in it can move a terminal, everything reads back as it was."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False, default=_plain)
    click.echo(_UNSAFE.sub(_escaped, text))


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match.group())[1:-1]


def _plain(value: object) -> object:
    if isinstance(value, set | frozenset):
        return sorted(value)
    if hasattr(value, "__fspath__"):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def figure(value: float | None, digits: int = 3) -> str:
    """A figure for the eye; a dash where it is undefined."""
    return "–" if value is None else f"{value:.{digits}f}"


def table(header: Sequence[str], rows: Iterable[Sequence[Cell]], *, right: Iterable[int] = (), wrap: bool = True) -> Iterator[str]:
    """The lines of a table: columns aligned, `right` ones to the right. A last column that does not fit is continued below itself."""
    from rich.cells import cell_len

    from tui.widgets.drawing import fitted

    lines = [[visible("" if cell is None else str(cell)) for cell in row] for row in rows]
    widths = [max([cell_len(name), *(cell_len(line[at]) for line in lines)]) for at, name in enumerate(header)]
    flush = set(right)
    lead = sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = max(20, width() - lead)

    def drawn(line: Sequence[str]) -> Iterator[str]:
        head = [fitted(cell, widths[at], right=at in flush) for at, cell in enumerate(line[:-1])]
        last = folded(line[-1], room) if wrap and len(widths) - 1 not in flush else [fitted(line[-1], widths[-1], right=True)]
        yield "  ".join((*head, last[0])).rstrip()
        for more in last[1:]:
            yield " " * lead + more

    yield from drawn(header)
    for line in lines:
        yield from drawn(line)


def folded(text: str, room: int) -> list[str]:
    """Text in lines of at most `room` cells, broken at blanks where there are some."""
    from rich.cells import cell_len, chop_cells

    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(joined) <= room:
            lines[-1] = joined
            continue
        pieces = chop_cells(word, room) or [""]
        lines = [*(lines if lines[-1] else lines[:-1]), *pieces]
    return lines


def say_table(header: Sequence[str], rows: Iterable[Sequence[Cell]], *, right: Iterable[int] = ()) -> None:
    """Print a table."""
    for line in table(header, rows, right=right):
        click.echo(line)


def say_drawn(lines: Iterable[Text]) -> None:
    """Print drawn lines: styled on a terminal that takes it, plain elsewhere and under NO_COLOR."""
    from rich.console import Console

    if not sys.stdout.isatty():
        for line in lines:
            click.echo(line.plain.rstrip())
        return
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False, legacy_windows=False)
    for line in lines:
        console.print(line, soft_wrap=True)


@contextmanager
def progress() -> Iterator[Step | None]:
    """A progress bar on standard error while something long goes on; None, and nothing drawn, where that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True, legacy_windows=False), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def step(what: str, done: int, whole: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=whole)
            bar.update(tasks[what], completed=done)

        yield step
