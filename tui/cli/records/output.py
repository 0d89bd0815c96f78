"""What the records commands share: which database and log, whose verdict, and how tables and blocks are printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from scoring.foundations.problems import InputError
from tui.cli import Invocation

if TYPE_CHECKING:
    from scoring.adjudication.cases import Block
    from scoring.records.measures.tables import Table
    from scoring.records.review.review_session import Review


class InFolder(click.ParamType[Path]):
    """A file named from the current folder, or, where it is not there, from the workspace given with -C."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        path = Path(value)
        folder = ctx.find_root().params.get("folder") if ctx is not None else None
        return Path(folder) / path if folder is not None and not path.exists() and (Path(folder) / path).exists() else path


DATABASE = InFolder()


def schema_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--schema FILE`: the JSON Schema that types the fields."""
    return click.option("--schema", type=DATABASE, help="The JSON Schema; without it, the one beside the database.")(command)


def printed(tables: Iterable[Table], form: str) -> None:
    """Print tables as `text`, `csv` (a blank line between) or `md`."""
    from scoring.reports.formats.tables import Column
    from scoring.reports.formats.tables import Table as Rendered
    from scoring.reports.formats.text_formats import to_csv, to_markdown

    # Figures of several kinds in one column are shown to four places, which `error` columns are.
    made = [
        Rendered(
            table.name,
            table.title,
            tuple(Column(name, "error" if kind == "number" else kind) for name, kind in table.columns),
            table.rows,
            table.note,
        )
        for table in tables
    ]
    if form == "text":
        from tui.cli.common.table_view import print_tables

        print_tables(made)
        return
    click.echo("\n".join((to_csv if form == "csv" else to_markdown)(table) for table in made), nl=False)


def block_values(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """Blocks as JSON values, each with what it is."""
    return [{"block": type(block).__name__.lower(), **asdict(block)} for block in blocks]


def print_blocks(blocks: Iterable[Block]) -> None:
    """Blocks as lines."""
    from tui.cli.common.output import say_drawn, width
    from tui.widgets.drawing import drawn

    say_drawn(drawn(blocks, width()))


def log_folder(invocation: Invocation, database: Path) -> Path:
    """Where the log lies: in the workspace named with -C, or the one the database lies in, else beside the database."""
    said = click.get_current_context().find_root().get_parameter_source("folder") is not ParameterSource.DEFAULT
    folder = invocation.folder
    is_workspace = (folder / "adjudicate.toml").is_file() or (folder / "adjudications").is_dir()
    if said or (is_workspace and database.resolve().is_relative_to(folder.resolve())):
        return folder / "adjudications"
    return database.resolve().parent / "adjudications"


def open_review(invocation: Invocation, database: Path, schema: Path | None) -> Review:
    """The database opened for verdicts of the person at the keyboard; says what an interrupted save left.

    Raises:
        InputError: nobody said who the verifier is, or as `Review.open`.
    """
    from scoring.records.review.review_session import Review
    from tui.bench.opening import named_verifier
    from tui.cli.common.output import tell

    verifier = named_verifier(invocation.verifier)
    if not verifier:
        raise InputError("who is the verifier?", hint="give --verifier NAME, or set ADJUDICATE_VERIFIER")
    review = Review.open(database, log_folder(invocation, database), verifier, schema)
    pending = review.pending()
    if pending:
        tell(
            f"adjudicate: {len(pending)} verdicts of the log are not in the database (a save was interrupted);"
            f" `adjudicate records recover {database}` brings them in."
        )
    return review
