"""`adjudicate records accuracy` (`docs/records.md#accuracy`)."""

from __future__ import annotations

from pathlib import Path

import click

from scoring.foundations.problems import InputError
from tui.cli import EXIT_FOUND

SHOWN = ("ecoextract", "schema_only", "detection", "documents", "columns", "kinds")


def document_ids(ctx: click.Context, parameter: click.Parameter, value: str | None) -> list[int] | None:
    """`1,2,5-7` as ids."""
    if value is None:
        return None
    ids: list[int] = []
    for part in value.replace(" ", "").split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()) or (dash and int(last) - int(first) > 1_000_000):
            raise click.BadParameter(f"{part!r} is not a document id; give ids parted by commas, such as 1,2,5-7")
        ids += range(int(first), int(last) + 1) if dash else [int(first)]
    return ids


def thresholds(ctx: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> list[tuple[str, float]]:
    """`field_f1=0.9` as name and number."""
    found = []
    for text in value:
        name, _, number = text.rpartition("=")
        try:
            found.append((name.strip(), float(number)))
        except ValueError:
            name = ""
        if not name.strip():
            raise click.BadParameter(f"{text!r} is not a threshold; give one such as field_f1=0.9")
    return found


@click.command()
@click.argument("database", type=click.Path(path_type=Path))
@click.option("--documents", callback=document_ids, metavar="IDS", help="These documents only, such as 1,2,5-7.")
@click.option("--schema", type=click.Path(path_type=Path), help="The JSON Schema; without it, looked up as EcoExtract does.")
@click.option("--model", metavar="NAME", help="Documents extracted by this model only.")
@click.option("--table", "names", multiple=True, metavar="NAME", help=f"Print this table only: {', '.join((*SHOWN, 'heat_map', 'edits'))}.")
@click.option("--fail-under", "least", multiple=True, callback=thresholds, metavar="FIGURE=X", help="Exit 1 when a figure is under X.")
@click.option("--format", "form", type=click.Choice(["text", "json", "csv", "md"]), default="text", show_default=True)
def accuracy(
    database: Path,
    documents: list[int] | None,
    schema: Path | None,
    model: str | None,
    names: tuple[str, ...],
    least: list[tuple[str, float]],
    form: str,
) -> None:
    """Accuracy of the extraction, from the edits of the reviewed documents.

    EcoExtract's figures to the last digit, ours beside them. The database is only read.

    Example: adjudicate records accuracy my.db --fail-under field_f1=0.9
    """
    from scoring.records.measures.accuracy import accuracy as computed
    from scoring.records.measures.tables import TABLES, as_values, tables
    from tui.cli.common.output import say_json, tell
    from tui.cli.records.output import printed

    unknown = [name for name in names if name not in TABLES]
    if unknown:
        raise InputError(f"there is no table {unknown[0]!r}", hint=f"tables are {', '.join(TABLES)}")
    result = computed(database, documents, schema, model=model)
    missed = [fault for name, limit in least if (fault := _missed(name, result.figure(name), limit))]
    message = result.counts.message
    if form == "json":
        say_json(as_values(result))
    elif not message:
        printed(tables(result, names or (SHOWN if form != "csv" else SHOWN[:1])), form)
    for note in (*(f"note: {note}" for note in result.notes), *missed):
        tell(f"adjudicate: {note}.")
    if message:
        raise InputError(message, where=database, hint="give an EcoExtract database; nothing was counted")
    if missed:
        raise SystemExit(EXIT_FOUND)


def _missed(name: str, value: int | float | None, limit: float) -> str:
    """Why a threshold is missed; empty where it is held."""
    if value is None:
        return f"{name} is undefined, so it is not {limit:g} or more"
    return "" if value >= limit else f"{name} is {value:.6g}, under {limit:g}"
