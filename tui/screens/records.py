"""The Records screens: the list of documents, and one document with its records, form, evidence and history."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Static

from scoring.problems import InputError
from tui.actions import DOCUMENTS, RECORD, Action, of_screen
from tui.records_sitting import RecordsSitting
from tui.screens.dialogs import AskText, Choose, Pages
from tui.widgets.drawing import Look, drawn, fitted
from tui.widgets.keyline import KeyLine
from tui.widgets.lines import LineList, LineView, theme_look

STATES = {"open": "○", "accepted": "●", "edited": "✎", "deleted": "✗", "added": "+"}


class RecordsScreen(Screen[None]):
    """What both screens share."""

    kind = ""
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    DEFAULT_CSS = """
    RecordsScreen { layout: vertical; }
    RecordsScreen #head { height: 1; background: $panel; text-style: bold; }
    RecordsScreen #status { height: 1; background: $panel; }
    """

    @property
    def sitting(self) -> RecordsSitting:
        """The sitting shown."""
        sitting: RecordsSitting = self.app.sitting  # type: ignore[attr-defined]
        return sitting

    @property
    def look(self) -> Look:
        """The styles of the theme."""
        return theme_look(self.app)

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield from self.body()
        yield Static("", id="status", markup=False)
        yield KeyLine(self._footer, self.app.action_keys, id="keys")  # type: ignore[attr-defined]

    def body(self) -> ComposeResult:
        """The widgets between head and foot."""
        yield from ()

    def _footer(self) -> tuple[Action, ...]:
        return tuple(action for action in of_screen(self.kind) if action.footer)

    def head(self, text: str) -> None:
        """Write the head line."""
        self.query_one("#head", Static).update(fitted(text, self.size.width or 80), layout=False)

    def say(self, text: str) -> None:
        """Write the status line."""
        self.query_one("#status", Static).update(fitted(text, self.size.width or 80), layout=False)

    def on_screen_resume(self) -> None:
        """Show what has changed meanwhile."""
        self.refresh_all()

    def on_resize(self) -> None:
        """Another size draws everything again."""
        self.call_after_refresh(self.refresh_all)

    def refresh_all(self) -> None:
        """Show the sitting as it is now."""

    def act(self, what: Callable[[], str]) -> bool:
        """Give a verdict and say what it did, or why it cannot be given; whether it was given."""
        try:
            said = what()
        except InputError as fault:
            self.sitting_again()
            self.say(str(fault))
            self.app.bell()
            return False
        self.refresh_all()
        self.say(said)
        return True

    def sitting_again(self) -> None:
        """Read what others changed meanwhile."""
        if self.sitting.sight is not None:
            self.sitting.open_again()
        self.refresh_all()

    def action_undo(self) -> None:
        """Take one's last verdict back."""
        self.act(self.sitting.undo)

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self.act(self.sitting.redo)

    def action_mark_reviewed(self) -> None:
        """The document is done, or not after all."""
        self.act(self.sitting.mark_reviewed)

    def action_accuracy(self) -> None:
        """The accuracy figures of the database."""
        self.app.show_accuracy()  # type: ignore[attr-defined]


class DocumentsScreen(RecordsScreen):
    """The documents of the database."""

    kind = DOCUMENTS
    DEFAULT_CSS = "DocumentsScreen #columns { height: 1; } DocumentsScreen #list { height: 1fr; }"

    def body(self) -> ComposeResult:
        yield Static("", id="columns", markup=False)
        yield LineList(self._line, id="list")

    def refresh_all(self) -> None:
        sitting = self.sitting
        done = sum(line.reviewed for line in sitting.documents.values())
        found = f"  “{sitting.wanted}” fits {len(sitting.listed)}" if sitting.wanted else ""
        self.head(
            f"{sitting.review.store.path.name}  {done} of {len(sitting.documents)} documents reviewed{found}  {sitting.review.verifier}"
        )
        width = self.size.width or 80
        self.query_one("#columns", Static).update(
            self._cells(("id", "title", "author", "year", "records", "edits", "reviewed"), width), layout=False
        )
        at = sitting.listed.index(sitting.document) if sitting.document in sitting.listed else -1
        self.query_one("#list", LineList).show(len(sitting.listed), at)
        self.say("Enter opens the document, / finds, v marks it reviewed, n goes to the next that is not")

    def _cells(self, cells: Sequence[str], width: int, mark: str = " ") -> str:
        title = max(10, width - 64)
        sizes = (6, title, 14, 4, 12, 5, 16)
        return f"{mark} " + " ".join(fitted(cell, size) for cell, size in zip(cells, sizes, strict=True))

    def _line(self, index: int, width: int) -> Text:
        line = self.sitting.documents[self.sitting.listed[index]]
        counts = f"{line.records}" + (f" -{line.deleted}" if line.deleted else "") + (f" +{line.added}" if line.added else "")
        cells = (
            str(line.id),
            line.title or line.name,
            line.author,
            line.year,
            counts,
            str(line.edits or ""),
            (line.reviewed_at or "")[:16],
        )
        return Text(self._cells(cells, width, "●" if line.reviewed else "○"))

    def action_move(self, by: int) -> None:
        """Move over the documents."""
        self.sitting.move_document(by)
        sitting = self.sitting
        self.query_one("#list", LineList).put(sitting.listed.index(sitting.document) if sitting.document in sitting.listed else -1)

    def action_page(self, by: int) -> None:
        """Move a screenful."""
        self.action_move(by * max(1, self.query_one("#list", LineList).size.height - 1))

    def action_edge(self, to: int) -> None:
        """To the first or last document."""
        self.action_move(to * len(self.sitting.listed))

    def action_next_open(self) -> None:
        """To the next document that is not reviewed."""
        found = self.sitting.next_unreviewed()
        self.refresh_all()
        if not found:
            self.say("Every document listed is reviewed.")

    def action_enter(self) -> None:
        """Open the document."""
        if self.sitting.document is not None:
            self.sitting.open()
            self.app.switch_mode(RECORD)

    @work
    async def action_filter(self) -> None:
        """Find documents by words of id, name, title, author, year."""
        words = await self.app.push_screen_wait(
            AskText("Find documents", self.sitting.wanted, "words of id, name, title, author, year; empty lists all")
        )
        if words is not None:
            self.sitting.find(words)
            self.refresh_all()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click opens."""
        at = self.sitting.listed.index(self.sitting.document) if self.sitting.document in self.sitting.listed else 0
        self.action_move(message.position - at)
        if message.times > 1:
            self.action_enter()


class RecordScreen(RecordsScreen):
    """One document: its records as a table, the record of the cursor as a form, and the text that says so."""

    kind = RECORD
    DEFAULT_CSS = """
    RecordScreen #desk { height: 1fr; layout: vertical; }
    RecordScreen #list { height: 5; border-bottom: solid $panel; }
    RecordScreen #paper { height: 1fr; layout: vertical; }
    RecordScreen #form { height: 1fr; padding: 0 1; }
    RecordScreen #text { height: 1fr; padding: 0 1; border-top: solid $panel; }
    RecordScreen.-wide #desk { layout: horizontal; }
    RecordScreen.-wide #list { width: 44; height: 100%; border-bottom: none; border-right: solid $panel; }
    RecordScreen.-wide #paper { width: 1fr; height: 100%; }
    """

    def body(self) -> ComposeResult:
        with Container(id="desk"):
            yield LineList(self._line, id="list")
            with Container(id="paper"):
                yield LineView(self._form, id="form")
                yield LineView(self._text, id="text")

    def refresh_all(self) -> None:
        sitting = self.sitting
        line = sitting.line
        if line is None or sitting.sight is None:
            return
        waiting = sum(record.state == "open" for record in sitting.records)
        state = f"reviewed {line.reviewed_at}" if line.reviewed else "not reviewed"
        self.head(f"document {line.id}  {line.title or line.name}  {len(sitting.records)} records, {waiting} open  {state}")
        self.query_one("#list", LineList).show(len(sitting.records), sitting.position)
        self._show_record()

    def _show_record(self) -> None:
        self.query_one("#form", LineView).renew(keep_place=True)
        self.query_one("#text", LineView).renew()
        record = self.sitting.current
        self.say(f"{record.name}  {record.state}" if record is not None else "No record: + adds one the model missed")

    def _line(self, index: int, width: int) -> Text:
        record = self.sitting.records[index]
        values = "  ".join(str(value) for value in record.values.values() if value not in (None, ""))
        return Text(f"{STATES.get(record.state, '?')} " + fitted(f"{record.name}  {values}", width - 2))

    def _form(self, width: int) -> Sequence[Text]:
        return drawn(self.sitting.form(), width, self.look)

    def _text(self, width: int) -> Sequence[Text]:
        return drawn(self.sitting.beside(), width, self.look)

    # Moving

    def action_move(self, by: int) -> None:
        """Move over the records."""
        self.sitting.move_record(by)
        self.query_one("#list", LineList).put(self.sitting.position)
        self._show_record()

    def action_page(self, by: int) -> None:
        """Scroll the text."""
        self.query_one("#text", LineView).scroll_pages(by)

    def action_edge(self, to: int) -> None:
        """To the first or last record."""
        self.action_move(to * len(self.sitting.records))

    def action_field(self, by: int) -> None:
        """Move over the fields."""
        self.sitting.move_field(by)
        self.query_one("#form", LineView).renew(keep_place=True)

    def action_evidence(self, by: int) -> None:
        """To another place of the evidence."""
        self.sitting.step_evidence(by)
        self.query_one("#text", LineView).renew()

    def action_next_open(self) -> None:
        """To the next record nobody has judged."""
        found = self.sitting.next_open()
        self.query_one("#list", LineList).put(self.sitting.position)
        self._show_record()
        if not found:
            self.say("Every record here is judged: v marks the document reviewed, b goes back to the list.")

    def action_back(self) -> None:
        """Back to the list of documents."""
        self.sitting.close()
        self.app.switch_mode(DOCUMENTS)

    # Verdicts

    def _judged(self, what: Callable[[], str]) -> None:
        if self.act(what):
            said = self.query_one("#status", Static)
            message = said.content
            if self.sitting.next_open():
                self.query_one("#list", LineList).put(self.sitting.position)
                self._show_record()
            said.update(message, layout=False)

    def action_accept(self) -> None:
        """The record is right as it stands."""
        self._judged(self.sitting.accept)

    def action_delete(self) -> None:
        """The record is a hallucination."""
        self._judged(self.sitting.delete)

    def action_restore(self) -> None:
        """The record was deleted and is one after all."""
        self.act(self.sitting.restore)

    def action_withdraw(self) -> None:
        """One's own edits of the field, as if they had never been."""
        self.act(self.sitting.withdraw)

    @work
    async def action_edit(self) -> None:
        """Edit the field: a value of the wrong type is refused and asked again."""
        sitting = self.sitting
        if sitting.column is None or sitting.current is None:
            return
        column, record, text = sitting.column, sitting.record, sitting.value_text()
        try:
            hint = sitting.kind_of(column)
        except InputError as fault:
            self.say(str(fault))
            return
        while True:
            answer = await self.app.push_screen_wait(AskText(f"{column} (empty clears it)", text, hint))
            if answer is None:
                return
            sitting.record, sitting.column = record, column
            try:
                said = sitting.edit(answer)
            except InputError as fault:
                text, hint = answer, str(fault)
                continue
            self.refresh_all()
            self.say(said)
            return

    @work
    async def action_add(self) -> None:
        """A record the model missed: its fields one after another."""
        values: dict[str, str] = {}
        sitting = self.sitting
        for column in sitting.review.fields():
            answer = await self.app.push_screen_wait(
                AskText(f"New record: {column} (empty leaves it so, Escape gives up)", hint=sitting.kind_of(column))
            )
            if answer is None:
                return
            if answer:
                values[column] = answer
        self.act(lambda: sitting.add(values))

    @work
    async def action_describe(self) -> None:
        """Mend a field of the document's description."""
        columns = ("title", "first_author_lastname", "authors", "publication_year", "doi", "journal")
        choice = await self.app.push_screen_wait(Choose("Which field of the document?", columns))
        if choice is None:
            return
        value = await self.app.push_screen_wait(AskText(columns[choice], hint="authors parted by semicolons"))
        if value is not None:
            self.act(lambda: self.sitting.describe(columns[choice], value))

    def action_history(self) -> None:
        """What was done to the record: old value beside new, who and when."""
        self.app.push_screen(Pages("History", drawn(self.sitting.history(), max(40, self.size.width - 8), self.look)))

    def action_whole_text(self) -> None:
        """The document's text, with what no record cites."""
        self.app.push_screen(Pages("Text no record cites", drawn(self.sitting.whole_text(), max(40, self.size.width - 8), self.look)))

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor."""
        self.action_move(message.position - self.sitting.position)
