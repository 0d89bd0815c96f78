"""The Rules: EQUIVALENCES.md as a table; draft, edit, settle, reopen, remove, with the checks run at once; preview before each change."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from typing import Any

from rich.text import Text
from textual import work
from textual.app import ComposeResult

from scoring.adjudication.cases import Block, Facts
from scoring.foundations.problems import InputError
from tui.bench.case_view import HIDDEN
from tui.bench.rules.rule_rows import row_filter, said, says_what, status_of
from tui.environment.subprocess_json import ask_json
from tui.keys.actions import RULES
from tui.screens.base import BenchScreen
from tui.screens.dialogs import AskText, Choose, Confirm
from tui.screens.key_buffer import asks
from tui.screens.rules.rule_form import RowForm, columns_of
from tui.screens.rules.rule_preview import preview_blocks, scoring_with
from tui.screens.rules.rule_table import RuleTable
from tui.widgets.drawing import DrawingStyles, drawn
from tui.widgets.lines import LineList, LineView

# Seconds between looks at the file, and how much of a preview a question shows: all of it stands below the table.
LOOK, MOST = 1.0, 300

Row = dict[str, Any]


class RulesScreen(BenchScreen):
    """The rows above; below them what a row would move, or what is wrong with the rules.

    Everything is asked of our own commands in a process of its own (`rules list`, `rules preview`, `rules settle` ...), so that a
    preview over many runs freezes no key, and screen and command line cannot differ. A row is named by what it says, never by its
    line alone: an act on a row that has changed meanwhile is refused, one on a row that has moved finds it.
    """

    kind = RULES

    DEFAULT_CSS = """
    RulesScreen #columns { height: 1; }
    RulesScreen #rows { height: 1fr; }
    RulesScreen #below { height: 1fr; border-top: solid $panel; scrollbar-gutter: stable; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._all: list[Row] = []
        self._rows: list[Row] = []
        self._table = RuleTable(())
        self._at = 0
        self._filter = ""
        self._below: Sequence[Block] = (Facts("Rules", (("", "reading EQUIVALENCES.md …"),)),)
        self._drawn: tuple[tuple[int, DrawingStyles], Sequence[Text]] | None = None
        self._read: tuple[object, ...] | None = None
        self._reading: tuple[object, ...] | None = None
        self._told: tuple[Block, ...] = ()
        self._go: str | None = None
        self._doing = ""
        self._previews = 0

    def body(self) -> ComposeResult:
        yield LineView(self._columns, id="columns")
        yield LineList(self._line, id="rows")
        yield LineView(self._content, id="below")

    def on_mount(self) -> None:
        """Look at the file now and then: a faulty one is no reason for the workbench to read everything again, but is one here."""
        self.set_interval(LOOK, self._look)

    # Drawing

    def refresh_all(self) -> None:
        self._draw_head()
        self.query_one("#rows", LineList).show(len(self._rows), self._at if self._rows else -1)
        self.query_one("#columns", LineView).renew()
        self.query_one("#below", LineView).renew(keep_place=True)
        self._look()

    def another_session(self) -> None:
        """Coming here, the cursor goes to the row that somebody is sent to."""
        if self.app.rule_wanted is not None and self._all:  # type: ignore[attr-defined]
            self._list(self._row)
        super().another_session()

    def _draw_head(self) -> None:
        waiting = sum(row.get("status") == "OPEN" for row in self._all)
        parts = [f"Rules  {self._at + 1 if self._rows else 0}/{len(self._rows)}", f"{len(self._all)} rows, {waiting} OPEN"]
        if self._doing:
            parts.append(self._doing)
        if self._filter:
            parts.append(f"filter {self._filter}")
        self.head("   ".join(parts))

    @property
    def _row(self) -> Row | None:
        return self._rows[self._at] if self._rows else None

    def _columns(self, width: int) -> Sequence[Text]:
        return [Text(self._table.header(width), self.look.title)]

    def _line(self, index: int, width: int) -> Text:
        return Text(self._table.line(index, width))

    def _content(self, width: int) -> Sequence[Text]:
        if self._drawn is None or self._drawn[0] != (width, self.look):
            self._drawn = (width, self.look), drawn(self._below, width, self.look)
        return self._drawn[1]

    def _tell(self, *blocks: Block) -> None:
        self._below, self._drawn = blocks, None
        self.query_one("#below", LineView).renew()

    def _say(self, title: str, *sentences: str) -> None:
        self._tell(Facts(title, tuple(("", sentence) for sentence in sentences)))

    def _work_on(self, what: str) -> None:
        """Say in the head what is going on; nothing when it is done."""
        self._doing = what
        self._draw_head()

    @property
    def _below_width(self) -> int:
        return self.query_one("#below", LineView).scrollable_content_region.width

    async def _show_blocks(self, blocks: Sequence[Block]) -> None:
        """Show blocks below, drawn beside the keys: a preview may have very many lines."""
        width, look = self._below_width, self.look
        self._drawn = (width, look), await asyncio.to_thread(drawn, blocks, width, look)
        self._below = tuple(blocks)
        self.query_one("#below", LineView).renew()

    # Reading

    def _state(self) -> tuple[object, ...]:
        """What the table was read from: the file as it lies there, and the reading of all else."""
        try:
            found = os.stat(self.app.workspace / "EQUIVALENCES.md")  # type: ignore[attr-defined]
        except OSError:
            return (self.app.readings,)  # type: ignore[attr-defined]
        return self.app.readings, found.st_mtime_ns, found.st_size, found.st_ino  # type: ignore[attr-defined]

    def _look(self) -> None:
        """Read the rules again where they are not what was read."""
        state = self._state()
        if self.is_attached and state not in (self._read, self._reading) and self in self.app.screen_stack:
            self._reading = state
            self._read_rows(state)

    @work(exclusive=True, group="rules-list", exit_on_error=False)
    async def _read_rows(self, state: tuple[object, ...]) -> None:
        known = self._read
        try:
            found = await ask_json(self.app.workspace, "rules", "list", "--checked")  # type: ignore[attr-defined]
        except InputError as fault:
            self._read, self._reading = state, None
            self._say("Rules", self._plain(str(fault)))
            return
        self._read, self._reading = state, None
        here, self._all = self._row, found["rows"]
        self._list(here)
        problems = tuple(
            (one["severity"], f"{os.path.basename(one['where'])}:{one['line']}: {one['message']}") for one in found["problems"]
        )
        check = Facts("Check", problems or (("", "nothing to report"),))
        told, self._told = self._told, ()
        if told:
            self._tell(*told, check)
        elif known is None or known[1:] != state[1:]:
            # What a preview said was said of other rules.
            self._tell(check)
        self.refresh_all()

    def _list(self, here: Row | None) -> None:
        """List the rows that pass the filter, the cursor on the row it was on, as far as that is there."""
        passes = row_filter(self._filter)
        self._rows = [row for row in self._all if passes(row)]
        wanted, self._go = self._go or self.app.rule_wanted, None  # type: ignore[attr-defined]
        self.app.rule_wanted = None  # type: ignore[attr-defined]
        if wanted is not None and all(row["name"] != wanted for row in self._rows):
            self._rows, self._filter = (
                (list(self._all), "") if any(row["name"] == wanted for row in self._all) else (self._rows, self._filter)
            )
        self._table = RuleTable(self._rows)
        places = {row["name"]: at for at, row in enumerate(self._rows)}
        alike = {says_what(row): at for at, row in reversed(list(enumerate(self._rows)))}
        at = places.get(wanted or "")
        if at is None and here is not None:
            at = places.get(here["name"], alike.get(says_what(here)))
        self._at = min(self._at, max(0, len(self._rows) - 1)) if at is None else at

    # Previews

    @work(exclusive=True, group="rules", exit_on_error=False)
    async def action_preview(self) -> None:
        """What the OPEN rows would move, alone and together."""
        await self._previewed("scoring: each OPEN row …")

    @work(exclusive=True, group="rules", exit_on_error=False)
    async def action_preview_row(self) -> None:
        """What the row under the cursor would move, settled or made OPEN again."""
        row = self._row
        if row is None or row["kind"] == "nearmiss":
            self._say("Preview", "A near miss moves nothing: it forbids rules.")
            return
        await self._previewed(scoring_with(row), row["name"])

    async def _previewed(self, doing: str, *names: str) -> list[dict[str, Any]] | None:
        """Score and show what moves; what the command found, `None` where it was refused."""
        if self.session.blind:
            # A preview names the models of every pair that moves, and how like its names are.
            self._say("Preview", f"What rows move is {HIDDEN}.")
            return None
        self._previews += 1
        this = self._previews
        self._work_on(doing)
        try:
            found = await ask_json(self.app.workspace, "rules", "preview", *names)  # type: ignore[attr-defined]
        except InputError as fault:
            self._refused(fault)
            return None
        finally:
            # One that gave way to another ends after that has begun.
            if this == self._previews:
                self._work_on("")
        await self._show_blocks(await asyncio.to_thread(preview_blocks, found))
        return list(found or ())

    # Acts

    @work(exclusive=True, group="rules", exit_on_error=False)
    async def action_settle(self) -> None:
        """Settle the OPEN row under the cursor, once what it would move has been seen; the checks run first."""
        await self._switch("OPEN", "settle", "Only an OPEN row can be settled.")

    @work(exclusive=True, group="rules", exit_on_error=False)
    async def action_reopen(self) -> None:
        """Make the settled row under the cursor OPEN again, once what that would move has been seen."""
        await self._switch("settled", "reopen", "Only a settled row can be made OPEN.")

    async def _switch(self, status: str, act: str, otherwise: str) -> None:
        row = self._row
        if row is None or row.get("status") != status:
            self._say(act.capitalize(), otherwise)
            return
        found = await self._previewed(scoring_with(row), row["name"])
        if not found:
            return
        (one,), lines = found, self._content(self._below_width)
        if one["blocked"]:
            # What is wrong stands below: there is nothing to ask.
            self.app.bell()
            return
        shown = list(lines[:MOST])
        if len(lines) > MOST:
            shown.append(Text(f"… {len(lines) - MOST} more lines: n leaves this, and all of them stand below the table"))
        if await self.app.push_screen_wait(Confirm(f"{act.capitalize()} line {one['lines'][0]}: {said(row)}?", shown)):
            self._write(act, row["name"])

    @asks
    async def action_remove(self) -> None:
        """Take the OPEN row, or the near miss, under the cursor out of the file."""
        row = self._row
        if row is None or row.get("status") == "settled":
            self._say("Remove", "A settled row is not taken out: make it OPEN first, and see what that moves.")
            return
        lines = [Text(f"{said(row)} in {', '.join(row['fields'])}"), Text("Every other byte of the file is kept.")]
        if await self.app.push_screen_wait(Confirm(f"Take line {row['line']} out of EQUIVALENCES.md?", lines)):
            self._write("remove", row["name"])

    @work(group="rules-write", exit_on_error=False)
    async def _write(self, *arguments: str) -> None:
        refusal = await self._written(*arguments)
        if refusal is not None:
            self._refused(refusal)

    async def _written(self, *arguments: str) -> str | None:
        """Have a command write the file and show what it says; why it refused, else nothing. One at a time."""
        if self.app.writing_rules:  # type: ignore[attr-defined]
            return "The change before is being written; once more, please."
        self.app.writing_rules = True  # type: ignore[attr-defined]
        try:
            done = await ask_json(self.app.workspace, "rules", *arguments)  # type: ignore[attr-defined]
        except InputError as fault:
            return self._plain(str(fault))
        else:
            self.app.rules_changed()  # type: ignore[attr-defined]
        finally:
            self.app.writing_rules = False  # type: ignore[attr-defined]
        hint = (("", "P shows what it would move, s settles it."),) if done["act"] == "drafted" and "--witnessed" in arguments else ()
        self._told, self._go = (Facts("Done", (("", self._plain(done["said"])), *hint)),), done["name"]
        self._reading = self._state()
        self._read_rows(self._reading)
        return None

    def _plain(self, sentence: str) -> str:
        """What a command says, its own name and the workspace's folder left out."""
        return sentence.removeprefix("adjudicate: ").replace(f"{self.app.workspace.resolve()}{os.sep}", "")  # type: ignore[attr-defined]

    def _refused(self, fault: InputError | str) -> None:
        """Say why something was not done; where the table was not what lies on disk, it is read again, and the sentence stays."""
        told = Facts("Refused", (("", self._plain(str(fault))),))
        self._tell(told)
        self.app.bell()
        self._look()
        if self._reading is not None:
            self._told = (told,)

    # Forms

    @asks
    async def action_draft(self) -> None:
        """Draft a row: an equivalence, a word to ignore, or a near miss."""
        offered = ("equivalence", "ignore", "nearmiss")
        texts = ["two writings that mean the same", "a word to step over", "a near miss, which no rule may cover"]
        choice = await self.app.push_screen_wait(Choose("What is to be drafted?", texts))
        if choice is None:
            return
        kind = offered[choice]
        schema = getattr(self.session.evaluation.material, "schema", None)
        start = {"field": schema.rule_field if schema is not None else "", "position": "leading", "side": "model"}

        async def write(values: dict[str, str]) -> str | None:
            named = {"token": "ignore"}
            given = [f"--{named.get(name, name)}={value}" for name, value in values.items()]
            return await self._written("draft", *given, *(() if kind == "nearmiss" else ("--witnessed",)))

        title = {"equivalence": "an OPEN equivalence", "ignore": "an OPEN ignore rule", "nearmiss": "a near miss, which holds at once"}[
            kind
        ]
        await self.app.push_screen_wait(RowForm(f"Draft {title}", columns_of(kind), start, write))

    @asks
    async def action_edit(self) -> None:
        """Edit the cells of the row."""
        row = self._row
        if row is None:
            return
        start = {name: str(value) for name, value in row.items() if isinstance(value, str)} | {"field": ", ".join(row["fields"])}

        async def write(values: dict[str, str]) -> str | None:
            changed = [f"{name}={value}" for name, value in values.items() if value != start.get(name, "")]
            return await self._written("edit", row["name"], *changed) if changed else None

        warning = (
            "" if row.get("status") == "OPEN" else "; it is applied, so scores change at once" if row.get("status") == "settled" else ""
        )
        await self.app.push_screen_wait(
            RowForm(f"Edit line {row['line']}, {status_of(row)}{warning}", columns_of(row["kind"]), start, write)
        )

    @asks
    async def action_filter(self) -> None:
        """List the rows that pass a filter."""
        hint = "status:open field:name kind:ignore wien -casa; nothing lists all rows"
        text = await self.app.push_screen_wait(AskText("Which rows?", self._filter, hint))
        if text is None:
            return
        try:
            row_filter(text)
        except InputError as fault:
            self._refused(fault)
            return
        here, self._filter = self._row, " ".join(text.split())
        self._list(here)
        self.refresh_all()

    # Moving

    def action_move(self, by: int) -> None:
        """Move over the rows."""
        self._at = min(max(self._at + by, 0), max(0, len(self._rows) - 1))
        self.query_one("#rows", LineList).put(self._at if self._rows else -1)
        self._draw_head()

    def action_page(self, by: int) -> None:
        """Scroll what is below."""
        self.query_one("#below", LineView).scroll_pages(by)

    def action_edge(self, to: int) -> None:
        """To the first or last row."""
        self.action_move(to * len(self._rows))

    def action_enter(self) -> None:
        """All of the row under the cursor."""
        row = self._row
        if row is not None:
            cells = ((key, ", ".join(value) if isinstance(value, list) else str(value)) for key, value in row.items() if value is not None)
            self._tell(Facts(f"Line {row['line']}: {said(row)}", tuple(cells)))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click shows the row."""
        self.action_move(message.position - self._at)
        if message.times > 1:
            self.action_enter()
