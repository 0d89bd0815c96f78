"""`adjudicate init | example`: a workspace for one's own data, and the example written out."""

from __future__ import annotations

from pathlib import Path

import click

from tui.cli import Invocation
from tui.cli.output import counted, say, tell

GUIDE = """\
This is now a workspace: {folder}
What to do next:

  1. Ground truth: put a CSV for each page into gt/, named gt_page_<id>.csv. The
     first line names the columns; the first column is the name that rows are
     matched by, unless gt/schema.json says otherwise.
  2. Runs: put each run of a model into runs/<model>/<phase>/, as a folder
     run_01/ of page_<id>.json (.jsonl, .csv, .txt) as the model returned it,
     or as one file run_01.json: {{"pages": {{"<id>": [{{"name": "..."}}], ...}}}}
  3. `adjudicate check` tells what was read, repaired and could not be read.
  4. `adjudicate score` scores all runs.
  5. `adjudicate` opens the workbench: what the scorer cannot settle is listed
     there, and every verdict is one key. `?` shows the keys.

`adjudicate example DIR` writes out a small workspace to look at first.
"""


@click.command()
@click.argument("folder", required=False, metavar="[DIR]", type=click.Path(path_type=Path))
@click.option("--template", is_flag=True, help="Also a CSV with one column for each way of scoring, and a schema to change.")
@click.pass_obj
def init(invocation: Invocation, folder: Path | None, template: bool) -> None:
    """Start a workspace for your own data in DIR (the current folder).

    What is there already is kept as it is; nothing is overwritten.

    Example: adjudicate init my-data --template
    """
    from scoring.problems import InputError
    from tui.new_workspace import create

    target = folder if folder is not None else invocation.folder
    try:
        made = create(target, template=template)
    except OSError as fault:
        raise InputError(
            f"the workspace cannot be made ({fault.strerror or fault})",
            where=fault.filename or target,
            hint="choose a folder you may write to",
        ) from fault
    for path in made.written:
        tell(f"wrote {path}")
    for path in made.kept:
        tell(f"kept {path}, which was there already")
    for sentence in made.advice:
        tell(sentence)
    for line in GUIDE.format(folder=target.resolve()).splitlines():
        say(line)


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.pass_obj
def example(_invocation: Invocation, folder: Path) -> None:
    """Write the example workspace out to DIR, which must be new or empty.

    It is constructed: three pages, fifteen cells, every queue filled.

    Example: adjudicate example try-it
    """
    from scoring.example import write_example

    written = write_example(folder)
    say(f"The example lies in {folder} ({counted(len(written), 'file')}). Open it with: adjudicate -C {folder}")
