"""`adjudicate records review`: the Records screens (`docs/records.md#the-screens`)."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tui.cli import Invocation
from tui.cli.records.output import DATABASE, open_review, schema_option


@click.command()
@click.argument("database", type=DATABASE)
@schema_option
@click.pass_obj
def review(invocation: Invocation, database: Path, schema: Path | None) -> None:
    """Review a database on screen: documents, records, evidence, typed edits.

    Where there is no terminal the documents are listed instead.

    Example: adjudicate --verifier mp records review my.db
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        from tui.cli.records.look import list_documents

        click.get_current_context().invoke(list_documents, database=database)
        click.echo("To open the screens, run `adjudicate records review` in a terminal.", err=True)
        return
    from scoring.workspace.layout import open_workspace
    from tui.environment.user_settings import read_user
    from tui.keys.user_keys import keymap_of
    from tui.records_desk.screens.app import make_records_app
    from tui.records_desk.session import RecordsSitting

    keymap = keymap_of(open_workspace(invocation.folder) if (invocation.folder / "adjudicate.toml").is_file() else None)
    with open_review(invocation, database, schema) as opened:
        make_records_app(RecordsSitting(opened), keymap=keymap, theme=read_user().theme).run()
