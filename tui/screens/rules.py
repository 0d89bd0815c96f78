"""The Rules: EQUIVALENCES.md as a table; draft, edit, settle, reopen, with the checks run at once; preview before switching on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.text import Text
from textual import work
from textual.app import ComposeResult

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.problems import InputError
from scoring.words import counted
from tui.actions import RULES
from tui.headless import ask, ask_json
from tui.screens.base import BenchScreen
from tui.screens.dialogs import AskText, Confirm
from tui.widgets.drawing import drawn, fitted, squeezed
from tui.widgets.lines import LineList, LineView

HEADER = ("line", "rule", "canonical", "field", "status", "witness", "reach", "note")


class RulesScreen(BenchScreen):
    """The rows above; below them what a row would move, or what is wrong with it.

    Everything is asked of our own commands in a process of its own (`rules list`, `rules preview`, `rules settle` ...), so that a
    preview over many runs freezes no key, and screen and command line cannot differ.
    """

    kind = RULES

    DEFAULT_CSS = """
    RulesScreen #columns { height: 1; }
    RulesScreen #rows { height: 1fr; }
    RulesScreen #below { height: 1fr; border-top: solid $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[dict[str, Any]] = []
        self._at = 0
        self._below: Sequence[Block] = (Facts("Rules", (("", "reading EQUIVALENCES.md …"),)),)
        self._read = False

    def body(self) -> ComposeResult:
        yield LineView(self._columns, id="columns")
        yield LineList(self._line, id="rows")
        yield LineView(self._content, id="below")

    def refresh_all(self) -> None:
        waiting = sum(row.get("status") == "OPEN" for row in self._rows)
        self.head(f"Rules   {counted(len(self._rows), 'row')}, {waiting} OPEN   p previews, s settles, r reopens, d drafts")
        self.query_one("#rows", LineList).show(len(self._rows), self._at if self._rows else -1)
        self.query_one("#columns", LineView).renew()
        self.query_one("#below", LineView).renew(keep_place=True)
        if not self._read:
            self._read = True
            self._read_rows()

    @property
    def _row(self) -> dict[str, Any] | None:
        return self._rows[self._at] if self._rows else None

    def _cells(self, row: dict[str, Any]) -> tuple[str, ...]:
        form = row.get("form") or row.get("token") or ""
        canonical = row.get("canonical") or row.get("not") or ""
        if row.get("position"):
            canonical = f"ignored {row['position']}, {row.get('side', '')}"
        fields = row.get("fields") or row.get("field") or ()
        named = fields if isinstance(fields, str) else ", ".join(fields)
        status = row.get("status") or "near miss"
        reach = row.get("reach")
        return (
            str(row.get("line", "")),
            form,
            canonical,
            named,
            status,
            row.get("witness") or "",
            "" if reach is None else str(reach),
            row.get("note") or row.get("why") or "",
        )

    def _widths(self, width: int) -> list[int]:
        rows = [HEADER, *map(self._cells, self._rows)]
        return squeezed([min(28, max(len(row[at]) for row in rows)) for at in range(len(HEADER))], width - 2 - len(HEADER))

    def _columns(self, width: int) -> Sequence[Text]:
        return [Text("  " + " ".join(map(fitted, HEADER, self._widths(width))), self.look.title)]

    def _line(self, index: int, width: int) -> Text:
        cells = self._cells(self._rows[index])
        mark = {"OPEN": "○", "settled": "●"}.get(cells[4], "✗")
        return Text(f"{mark} " + " ".join(map(fitted, cells, self._widths(width))))

    def _content(self, width: int) -> Sequence[Text]:
        return drawn(self._below, width, self.look)

    def _tell(self, *blocks: Block) -> None:
        self._below = blocks
        self.query_one("#below", LineView).renew()

    # Asking the commands

    @work(exclusive=True, group="rules", exit_on_error=False)
    async def _read_rows(self, then: Callable[[], None] | None = None) -> None:
        try:
            found = await ask_json(self.app.workspace, "rules", "list")  # type: ignore[attr-defined]
            problems = await ask_json(self.app.workspace, "rules", "check")  # type: ignore[attr-defined]
        except InputError as fault:
            self._tell(Facts("Rules", (("", str(fault)),)))
            return
        self._rows = found["rows"] if isinstance(found, dict) else found or []
        self._at = min(self._at, max(0, len(self._rows) - 1))
        listed = problems.get("problems", []) if isinstance(problems, dict) else problems or []
        lines = tuple(
            (str(one.get("severity", "")), f"{one.get('where', '')}:{one.get('line', '')}: {one.get('message', '')}") for one in listed
        )
        self._below = (Facts("Check", lines or (("", "nothing to report"),)),)
        self.refresh_all()
        if then is not None:
            then()

    def action_preview(self) -> None:
        """What the OPEN rows would move, alone and together."""
        self._tell(Facts("Preview", (("", "scoring with each OPEN row …"),)))
        self._preview()

    @work(exclusive=True, group="rules", exit_on_error=False)
    async def _preview(self) -> None:
        try:
            found = await ask_json(self.app.workspace, "rules", "preview")  # type: ignore[attr-defined]
        except InputError as fault:
            self._tell(Facts("Preview", (("", str(fault)),)))
            return
        self._tell(*preview_blocks(found))

    def _act(self, *arguments: str) -> None:
        self._run(arguments)

    @work(exclusive=True, group="rules", exit_on_error=False)
    async def _run(self, arguments: Sequence[str]) -> None:
        try:
            said = await ask(self.app.workspace, "rules", *arguments)  # type: ignore[attr-defined]
        except InputError as fault:
            self._tell(Facts("Refused", (("", str(fault)),)))
            self.app.bell()
            return
        self._read_rows(lambda: self._tell(Facts("Done", (("", said.strip()),))))
        self.app.rules_changed()  # type: ignore[attr-defined]

    @work(exclusive=True, group="rules", exit_on_error=False)
    async def action_settle(self) -> None:
        """Settle the OPEN row under the cursor, once what it would move has been seen; the checks run first."""
        row = self._row
        if row is None or row.get("status") != "OPEN":
            self._tell(Facts("Settle", (("", "Only an OPEN row can be settled."),)))
            return
        line = str(row["line"])
        self._tell(Facts("Settle", (("", "scoring with the row …"),)))
        try:
            found = await ask_json(self.app.workspace, "rules", "preview", line)  # type: ignore[attr-defined]
        except InputError as fault:
            self._tell(Facts("Refused", (("", str(fault)),)))
            return
        blocks = preview_blocks(found)
        self._tell(*blocks)
        if await self.app.push_screen_wait(Confirm(f"Settle line {line}?", drawn(blocks, self.size.width - 8, self.look))):
            self._act("settle", line)

    def action_reopen(self) -> None:
        """Make the settled row OPEN again."""
        row = self._row
        if row is not None and row.get("status") == "settled":
            self._act("reopen", str(row["line"]))
        else:
            self._tell(Facts("Reopen", (("", "Only a settled row can be made OPEN."),)))

    @work
    async def action_draft(self) -> None:
        """Draft an OPEN row."""
        name = self.session.evaluation.material.schema.rule_field if hasattr(self.session.evaluation.material, "schema") else ""
        text = await self.app.push_screen_wait(
            AskText("Draft an OPEN equivalence", hint=f"form = canonical [field], e.g. q.m = qm [{name or 'name'}]")
        )
        if not text:
            return
        try:
            form, canonical, field = parsed_draft(text, name)
        except InputError as fault:
            self._tell(Facts("Draft", (("", str(fault)),)))
            return
        self._act("draft", "--form", form, "--canonical", canonical, "--field", field)

    @work
    async def action_edit(self) -> None:
        """Edit a cell of the row."""
        row = self._row
        if row is None:
            return
        text = await self.app.push_screen_wait(AskText("Edit a cell", hint="column = text, e.g. note = the canonical, short"))
        if not text or "=" not in text:
            return
        column, value = (part.strip() for part in text.split("=", 1))
        self._act("edit", str(row["line"]), f"--{column}", value)

    # Moving

    def action_move(self, by: int) -> None:
        """Move over the rows."""
        self._at = min(max(self._at + by, 0), max(0, len(self._rows) - 1))
        self.query_one("#rows", LineList).put(self._at)

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
            self._tell(
                Facts(
                    f"Line {row.get('line')}",
                    tuple((key, ", ".join(value) if isinstance(value, list) else str(value)) for key, value in row.items()),
                )
            )

    def action_undo(self) -> None:
        """Take the last verdict back."""
        self.app.undo()  # type: ignore[attr-defined]

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click shows the row."""
        self.action_move(message.position - self._at)
        if message.times > 1:
            self.action_enter()


def parsed_draft(text: str, field: str) -> tuple[str, str, str]:
    """`form = canonical [field]` taken apart.

    Raises:
        InputError: it is not of that form.
    """
    body, _, named = text.rstrip().removesuffix("]").partition("[")
    form, equals, canonical = (part.strip() for part in body.partition("="))
    field = named.strip() or field
    if not equals or not form or not canonical or not field:
        raise InputError(f"`{text}` is no draft", hint="write form = canonical [field]")
    return form, canonical, field


def preview_blocks(found: Sequence[dict[str, Any]] | None) -> tuple[Block, ...]:
    """What `adjudicate rules preview --format json` prints, as blocks: each row alone, then all together, with all that moves."""
    return tuple(block for one in found or () for block in _moves(one)) or (Facts("Preview", (("", "No row is OPEN."),)),)


def _moves(one: dict[str, Any]) -> Iterator[Block]:
    rows = one["rows"]
    named = (
        f"line {rows[0]['line']}: {rows[0].get('form') or rows[0].get('token')}"
        if len(rows) == 1
        else f"all {len(rows)} OPEN rows together"
    )
    facts = [("blocked", sentence) for sentence in one["blocked"]]
    if not one["moves"] and not facts:
        facts = [("", "moves nothing")]
    elif one["moves"]:
        facts.append(
            (
                "moves",
                f"{counted(len(one['gained']), 'pair')} gained, {len(one['lost'])} lost, on {counted(len(one['pages']), 'page')} of runs",
            )
        )
    yield Facts(f"If switched on: {named}", tuple(facts))
    if one["cells"]:
        figures = ("f1", "precision", "recall", "name_cer")
        lines = tuple(Line((cell["model"], cell["phase"], *(_change(cell[name]) for name in figures))) for cell in one["cells"])
        yield Grid("Cells", ("model", "phase", "F1", "P", "R", "CER"), lines)
    pairs = [*one["gained"], *one["lost"]]
    if pairs:
        lines = tuple(
            Line(
                (pair["run"], pair["page"], pair["gt_name"], pair["model_name"], _change(pair)),
                "+" if pair["gained"] else "-",
            )
            for pair in pairs
        )
        yield Grid("Pairs gained (+) and lost (-)", ("run", "page", "ground truth", "model", "similarity"), lines)
    if one["values"]:
        lines = tuple(Line((v["field"], v["gt"], v["model"], _change(v), str(v["times"]))) for v in one["values"])
        yield Grid("Values", ("field", "ground truth", "model", "score", "times"), lines)
    if one["answers"]:
        lines = tuple(Line((a["run"], a["document"], a["question"], _change(a))) for a in one["answers"])
        yield Grid("Answers", ("run", "document", "question", "score"), lines)


def _change(moved: dict[str, float | None]) -> str:
    before, after = (("–" if value is None else f"{value:.3f}") for value in (moved["before"], moved["after"]))
    return before if before == after else f"{before} → {after}"
