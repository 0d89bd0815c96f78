"""`adjudicate records ...`: the group; each command lies in a file of its own, imported when it is called (`docs/records.md`)."""

from __future__ import annotations

import click

from tui.cli.common.lazy_group import LazyGroup, listed

# Command name -> (module:attribute, one line for `--help`).
COMMANDS: dict[str, tuple[str, str]] = {
    "accuracy": ("tui.cli.records.accuracy:accuracy", "Accuracy of the extraction, read from the edits."),
    "review": ("tui.cli.records.review:review", "Review a database on screen."),
    "list": ("tui.cli.records.look:list_documents", "The documents of a database."),
    "next": ("tui.cli.records.look:next_record", "Show the next record to decide on."),
    "show": ("tui.cli.records.look:show", "Show a document or a record with its evidence."),
    "history": ("tui.cli.records.look:history", "What was done, by whom, old value beside new."),
    "decide": ("tui.cli.records.decide:decide", "Give a verdict on a record or a document."),
    "undo": ("tui.cli.records.decide:undo", "Take back your last verdict, or one by its id."),
    "recover": ("tui.cli.records.decide:recover", "Bring verdicts of the log that a save lost into the database."),
    "promote": ("tui.cli.records.files:promote", "Make ground truth of the reviewed documents."),
    "import": ("tui.cli.records.files:import_records", "Bring a CSV or JSON of records into a new database."),
    "split": ("tui.cli.records.files:split", "Split a database for several reviewers."),
    "combine": ("tui.cli.records.files:combine", "Put the parts together again; report conflicts."),
    "migrate": ("tui.cli.records.files:migrate", "Make a reviewable copy of an older database."),
}


@click.group(name="records", cls=LazyGroup, **listed(COMMANDS), context_settings={"help_option_names": ["-h", "--help"]})
def records() -> None:
    """Review an EcoExtract database; accuracy from the edits.

    Example: adjudicate records accuracy my.db
    """
