"""What `adjudicate show` can show beside a case: a page of a run side by side, the case's characters, its scan."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.adjudication.cases import Case
from scoring.foundations.problems import InputError
from scoring.tasks import ComparesRunPages
from tui.cli.common.output import say, say_drawn, say_json, say_table, width

if TYPE_CHECKING:
    from tui.bench.session import Session


def print_run_page(session: Session, run: str, page: str, form: str) -> None:
    """One page of one run, ground truth beside the answer, and its books: what the Run screen shows.

    Raises:
        InputError: no such run or page.
    """
    from rich.text import Text

    from tui.bench.case_view import HIDDEN
    from tui.widgets.drawing import PLAIN
    from tui.widgets.side_lines import books_line, side_header, side_line

    task = task_of_runs(session)
    if session.blind:
        raise InputError(f"the run is {HIDDEN}", hint="leave --blind out to see it")
    evaluation = session.evaluation
    runs, pages = [one.key for one in evaluation.material.runs], [one.id for one in evaluation.material.pages]
    if run not in runs:
        raise InputError(f"there is no run `{run}`", hint=f"a run is MODEL/PHASE/RUN, such as {runs[0]}" if runs else "there are no runs")
    if page not in pages:
        raise InputError(f"there is no page `{page}`", hint=f"pages are {', '.join(pages[:10])}{' ...' if len(pages) > 10 else ''}")
    shown = task.side_by_side(evaluation, run, page, session.cases)
    if form == "json":
        books = shown.books
        told = None if books is None else {**asdict(books), "labels": dict(books.labels), "balanced": books.balanced, "done": books.done}
        say_json({**asdict(shown), "books": told})
        return
    fields = len(evaluation.material.schema.scored)
    say_drawn([Text(f"{run}  page {page}  {shown.status}", "bold"), Text(side_header(width(), fields), "bold")])
    say_drawn(side_line(line, session.cases, width(), fields, PLAIN, session.gate) for line in shown.lines)
    say()
    say(books_line(shown))
    asked = [line for line in shown.lines if line.case is not None]
    if asked:
        say()
        rows = ((line.case, line.gt, line.model, session.cases[line.case or ""].status, line.gt_text or line.model_text) for line in asked)
        say_table(("case", "GT", "row", "status", "name"), rows, right=(1, 2))


def task_of_runs(session: Session) -> ComparesRunPages:
    """Return the session's task. Raises InputError where it has no runs to see side by side."""
    if not isinstance(session.task, ComparesRunPages):
        raise InputError(f"the task `{session.task.name}` has no runs to see side by side", hint="give --task tables")
    return session.task


def print_codes(session: Session, case: Case, form: str) -> None:
    """Every character of a case's names by its code point, and what is not what it seems in any text that is shown of it."""
    from scoring.adjudication.characters import Character, notable, texts_of
    from scoring.texts.forms import character_names

    names = character_names(case.title)
    alike: dict[Character, list[str]] = {}
    for where, text in texts_of(session.evidence()):
        for one in notable(text):
            alike.setdefault(one, []).append(where)
    if form == "json":
        found = [{"shown": one.glyph, "name": one.name, "note": one.note, "in": places} for one, places in alike.items()]
        characters = [{"shown": shown, "name": name} for shown, name in names]
        say_json({"id": case.id, "title": case.title, "characters": characters, "alike": found})
        return
    say_table(("", "character"), names, right=(0,))
    say()
    if alike:
        rows = [(one.glyph, one.name, one.note, places[0]) for one, places in alike.items()]
        say_table(("", "invisible, combined or alike", "why", "in"), rows, right=(0,))
    else:
        say("Nothing is invisible, combined or alike in any text of this case.")


def print_scan(folder: Path, case: Case, form: str) -> None:
    """Where the scan of a case's page lies, and the box of its GT row in it where one is given.

    Raises:
        InputError: there is no scan of the page, or its boxes cannot be read.
    """
    from scoring.workspace.layout import open_workspace
    from scoring.workspace.scans import find_scan

    row = next((target for target in case.targets if target.startswith("gt:")), None)
    scan = find_scan(open_workspace(folder), case.page, int(row.rsplit(":", 1)[1]) if row is not None else None)
    if scan is None:
        raise InputError(f"there is no scan of page {case.page}", hint=f"put one at images/page_{case.page}.png")
    if form == "json":
        say_json({"id": case.id, "page": case.page, "scan": str(scan.path), "box": list(scan.box) if scan.box is not None else None})
        return
    say(str(scan.path))
    if scan.box is not None:
        left, top, right, bottom = scan.box
        say(f"row {(row or '').rsplit(':', 1)[1]}: left {left}, top {top}, right {right}, bottom {bottom}")
