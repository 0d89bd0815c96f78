"""One document: its records as a list, a form or a table, the field of the cursor, and the document's whole text beside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Static

from scoring.adjudication.log.write import LogWriteError
from scoring.foundations.problems import InputError
from scoring.foundations.wording import counted
from scoring.records.inputs.operations import ConflictError
from scoring.texts.forms import visible
from tui.keys.actions import DOCUMENTS, RECORD
from tui.records_desk.open_document import key_of
from tui.records_desk.screens.records import Find, RecordsScreen
from tui.records_desk.session import SAME
from tui.records_desk.view import STATES, coverage, document_words
from tui.screens.dialogs import Confirm
from tui.widgets.drawing import drawn, fitted
from tui.widgets.lines import LineList, LineView
from tui.widgets.paper import Broken, Mark, Paper

NAME, CELL = 18, 16
SLICE = 0.01
FORM, TABLE, READING = "form", "table", "reading"


class RecordScreen(RecordsScreen):
    """Three layouts: form (list, form and text), table (records by fields), reading (the text alone)."""

    kind = RECORD
    DEFAULT_CSS = """
    RecordScreen #desk { height: 1fr; layout: vertical; }
    RecordScreen #columns { height: 1; display: none; text-style: bold; }
    RecordScreen #list { height: 4; }
    RecordScreen #paper { height: 1fr; layout: vertical; }
    RecordScreen #form { height: 1fr; padding: 0 1; border-top: solid $panel; }
    RecordScreen #cell { height: 3; padding: 0 1; }
    RecordScreen #place { height: 2; padding: 0 1; background: $panel; }
    RecordScreen #text { height: 1fr; padding: 0 1; }
    RecordScreen.-wide #desk { layout: horizontal; }
    RecordScreen.-wide #list { width: 40; height: 100%; border-right: solid $panel; }
    RecordScreen.-wide #paper { width: 1fr; height: 100%; }
    RecordScreen.-wide #form { border-top: none; }
    RecordScreen.-wide #cell { height: 7; border-top: solid $panel; }
    RecordScreen.-table #desk { layout: vertical; }
    RecordScreen.-table #columns { display: block; }
    RecordScreen.-table #list { width: 100%; height: 1fr; border-right: none; }
    RecordScreen.-table #paper { width: 100%; height: 1fr; border-top: solid $panel; }
    RecordScreen.-table #form { display: none; }
    RecordScreen.-table #cell { height: 4; }
    RecordScreen.-reading #list { display: none; }
    RecordScreen.-reading #form { display: none; }
    RecordScreen.-reading #cell { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._layout = FORM
        self._first_column = 0
        self._form_height: int | str = 0
        self._broken: Broken | None = None
        self._at: object = None

    def body(self) -> ComposeResult:
        with Container(id="desk"):
            yield Static("", id="columns", markup=False)
            yield LineList(self._line, id="list")
            with Container(id="paper"):
                yield LineView(self._form, id="form")
                yield LineView(self._cell, id="cell")
                yield Static("", id="place", markup=False)
                yield LineView(self._text, id="text")

    def on_mount(self) -> None:
        """While the keys rest, find out what the other records cite."""
        self.set_interval(0.1, self._search)

    def _search(self) -> None:
        if self.is_current and self.sitting.sight is not None and self.sitting.search_rest(SLICE):
            self.query_one("#place", Static).update(visible(self.sitting.place_words()), layout=False)

    def refresh_all(self) -> None:
        sitting = self.sitting
        line = sitting.line
        if line is None or sitting.sight is None:
            return
        state = f"reviewed {line.reviewed_at}" if line.reviewed else "not reviewed"
        listed = f"  {len(sitting.records)} listed for “{sitting.words}”" if sitting.words else ""
        chosen = f"  {len(sitting.marked)} marked" if sitting.marked else ""
        self.head(
            f"{document_words(line)}  {counted(len(sitting.sight.records), 'record')}, {sitting.waiting} open{listed}{chosen}  {state}"
        )
        self._show_list()
        self._show_record()

    def on_resize(self) -> None:
        """Another size breaks the text elsewhere: look for the place again."""
        self._at = None

    # Drawing

    def _show_list(self) -> None:
        sitting = self.sitting
        if self._layout == TABLE:
            self._show_columns()
        self.query_one("#list", LineList).show(len(sitting.records), sitting.position)

    def _show_columns(self) -> None:
        """Scroll the columns so that the field of the cursor is among those shown, and name them."""
        columns = self.sitting.columns
        at = columns.index(self.sitting.column) if self.sitting.column in columns else 0
        room = max(1, ((self.size.width or 80) - NAME - 5) // (CELL + 1))
        self._first_column = min(max(self._first_column, at - room + 1), at)
        names = (("▸" if name == self.sitting.column else " ") + name for name in columns[self._first_column :])
        head = " " * 4 + fitted("record", NAME) + "".join(" " + fitted(name, CELL) for name in names)
        self.query_one("#columns", Static).update(fitted(head, self.size.width or 80), layout=False)

    def _line(self, index: int, width: int) -> Text:
        sitting = self.sitting
        record = sitting.records[index]
        marked = "*" if key_of(record) in sitting.marked else " "
        if self._layout != TABLE:
            values = "  ".join(text for name in record.values if (text := sitting.shown(record, name)))
            return Text(f"{STATES[record.state]}{marked} " + fitted(f"{record.name}  {values}", width - 3))
        line = Text(f"{STATES[record.state]}{marked}  " + fitted(record.name, NAME))
        gone = Style(strike=True) if record.state == "deleted" else Style()
        for name in sitting.columns[self._first_column :]:
            line.append(" ")
            style = gone + Style(underline=True) if name == sitting.column else gone
            mark = "✎" if name in record.edited else ""
            line.append(fitted(mark + sitting.shown(record, name), CELL), style)
        return line

    def _show_record(self) -> None:
        sitting = self.sitting
        form = self.query_one("#form", LineView)
        height: int | str = min(len(sitting.columns) + 1, max(6, self.size.height // 3)) if self.has_class("-wide") else "1fr"
        if height != self._form_height:
            # Set only where it changes: every setting lays the screen out anew.
            self._form_height = form.styles.height = height
        form.renew(keep_place=True)
        self._keep_field()
        self.query_one("#cell", LineView).renew()
        self._show_text()
        record = sitting.current
        if record is None:
            self.tell("No record here: + adds one the model missed" if not sitting.words else "No record fits: / changes what is listed")
        else:
            note = f"  note: {sitting.note}" if sitting.note else ""
            self.tell(f"{sitting.position + 1}/{len(sitting.records)}  {record.name}  {record.state}  {sitting.column}{note}")

    def _keep_field(self) -> None:
        """Scroll the form so that the field of the cursor is in view."""
        form, columns = self.query_one("#form", LineView), self.sitting.columns
        line = columns.index(self.sitting.column) + 1 if self.sitting.column in columns else 0
        top, height = form.scroll_offset.y, max(1, form.size.height)
        if line < top + 1 or line >= top + height:
            form.scroll_to(y=max(0, line - 1 if line < top + 1 else line - height + 1), animate=False, immediate=True)

    def _show_text(self) -> None:
        """Draw the text; where another place is looked at, go there, a third down the pane."""
        text, stop = self.query_one("#text", LineView), self.sitting.place_in_text()
        self.query_one("#place", Static).update(visible(self.sitting.place_words()), layout=False)
        text.renew(keep_place=True)
        at = (self.sitting.document, self.sitting.record, stop)
        if at != self._at and self._broken is not None and text.size.height:
            self._at = at
            line = self._broken.line_of(stop.start) if stop is not None and stop.found else 0
            text.scroll_to(y=max(0, line - text.size.height // 3), animate=False, immediate=True)

    def _form(self, width: int) -> Sequence[Text]:
        return drawn(self.sitting.form(), width, self.look)

    def _cell(self, width: int) -> Sequence[Text]:
        return drawn(self.sitting.cell(), width, self.look)

    def _text(self, width: int) -> Sequence[Text]:
        sitting, look = self.sitting, self.look
        if sitting.sight is None:
            return ()
        if self._broken is None or self._broken.text is not sitting.sight.text or self._broken.width != width:
            self._broken = Broken(sitting.sight.text, width)
        marks: list[Mark] = []
        if sitting.uncited:
            marks += [(start, end, look.doubtful + look.highlight) for start, end in sitting.uncited_spans()]
        else:
            marks += [(stop.start, stop.end, look.highlight) for stop in sitting.stops() if stop.found]
        stop = sitting.place_in_text()
        if stop is not None and stop.found:
            marks.append((stop.start, stop.end, look.picked))
        return Paper(self._broken, marks, look)

    def _arrange(self, layout: str) -> None:
        self._layout = FORM if self._layout == layout else layout
        self.set_class(self._layout == TABLE, "-table")
        self.set_class(self._layout == READING, "-reading")
        self._at = None
        self.query_one("#list", LineList).refresh()
        self.call_after_refresh(self.refresh_all)

    # Moving

    def action_move(self, by: int) -> None:
        """Move over the records; while the text alone is shown, over its lines."""
        if self._layout == READING:
            text = self.query_one("#text", LineView)
            text.scroll_to(y=text.scroll_offset.y + by, animate=False, immediate=True)
            return
        self.sitting.move_record(by)
        self.query_one("#list", LineList).put(self.sitting.position)
        self._show_record()

    def action_page(self, by: int) -> None:
        """Scroll the text."""
        self.query_one("#text", LineView).scroll_pages(by)

    def action_edge(self, to: int) -> None:
        """To the first or last record."""
        self.action_move(to * max(len(self.sitting.records), 1 if self._layout != READING else 10_000_000))

    def action_field(self, by: int) -> None:
        """Move over the fields."""
        self.sitting.move_field(by)
        if self._layout == TABLE:
            self._show_list()
        self._show_record()

    def action_evidence(self, by: int) -> None:
        """To another place of the evidence."""
        self.sitting.step(by)
        self._show_text()

    def action_uncited(self, by: int) -> None:
        """To another passage no record cites."""
        self.sitting.step(by, uncited=True)
        self._show_text()
        if self.sitting.sight is not None:
            self.say(coverage(self.sitting.sight, self.sitting.uncited_spans()))

    def action_next_open(self) -> None:
        """To the next record nobody has judged."""
        found = self.sitting.next_open()
        self._show_list()
        self._show_record()
        if not found:
            self.say("Every record here is judged: v marks the document reviewed, > opens the next document that is not.")

    def action_document(self, by: int) -> None:
        """To the next document that is not reviewed, or to the one before in the list."""
        sitting = self.sitting
        before = sitting.document
        found = sitting.next_unreviewed() if by > 0 else sitting.place > 0
        if by < 0:
            sitting.move_document(-1)
        if not found or sitting.document == before:
            self.say("No other document here is open." if by > 0 else "This is the first document listed.")
            return
        sitting.open()
        self.refresh_all()

    def action_back(self) -> None:
        """Back from the text alone or the table to the form, from there to the list of documents."""
        if self._layout != FORM:
            self._arrange(self._layout)
            return
        self.sitting.close()
        self.app.switch_mode(DOCUMENTS)

    def action_table(self) -> None:
        """The records as a table, or as a form again."""
        self._arrange(TABLE)

    def action_read(self) -> None:
        """The text alone, or beside the record again."""
        self._arrange(READING)

    def action_sort(self) -> None:
        """Sort the records by the field of the cursor."""
        said = self.sitting.sort_records()
        self.refresh_all()
        self.say(f"Records {said}.")

    def action_filter(self) -> None:
        """Find records by words, or by `field:word`, while they are typed."""

        def follow(words: str) -> None:
            self.sitting.find_records(words)
            self.refresh_all()

        self.app.push_screen(
            Find("Records that hold the words; field:word looks in one field; a state such as open", self.sitting.words, follow)
        )

    def action_mark(self) -> None:
        """Choose the record for one verdict on several, or let it go."""
        self.sitting.mark()
        self.sitting.move_record(1)
        self.refresh_all()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click edits."""
        self.sitting.move_record(message.position - self.sitting.position)
        self.refresh_all()
        if message.times > 1:
            self.action_edit()

    # Verdicts

    def _judge(self, verdict: str, one: Callable[[], str]) -> None:
        """One verdict, then on to the next open record; of marked records, all after a list to confirm.

        At once and not in a worker: a key typed ahead must find the cursor where it was when the verdict was given.
        """
        sitting = self.sitting
        if sitting.marked:
            chosen = [Text(visible(f"{record.name}  {record.state}")) for record in sitting.chosen()]

            def confirmed(yes: bool | None) -> None:
                if yes:
                    self.act(lambda: sitting.give_all(verdict))

            self.app.push_screen(Confirm(f"{verdict} {counted(len(chosen), 'record')}?", chosen), confirmed)
            return
        if self.act(one) and verdict != "restore":
            said = self._message
            if sitting.next_open():
                self._show_list()
                self._show_record()
            self.say(said)

    def action_accept(self) -> None:
        """The record is right as it stands."""
        self._judge("accept", self.sitting.accept)

    def action_delete(self) -> None:
        """The record is a hallucination."""
        self._judge("delete", self.sitting.delete)

    def action_restore(self) -> None:
        """The record was deleted and is one after all."""
        self._judge("restore", self.sitting.restore)

    def action_withdraw(self) -> None:
        """One's own edits of the field, as if they had never been."""
        self.act(self.sitting.withdraw)

    def action_edit(self) -> None:
        """Edit the field by its type: a value of the wrong type is refused and asked again."""
        self._ask(self.sitting.value_text())

    def _ask(self, text: str, said: str = "") -> None:
        sitting = self.sitting
        column, record = sitting.column, sitting.current
        if column is None or record is None:
            return
        try:
            about, declared, empty = sitting.kind_of(column), sitting.field_of(column), sitting.may_be_empty(column)
        except InputError as fault:
            self.say(str(fault))
            return
        from tui.records_desk.screens.typed_editors import editor

        def answered(answer: str | None) -> None:
            if answer is None:
                return
            try:
                done = sitting.edit(answer)
            except ConflictError as fault:
                # What the other did is shown first; typed again, the value is based on what is there now.
                self.refused(fault)
            except LogWriteError as fault:
                self.refused(fault)
            except InputError as fault:
                self._ask(answer, f"✗ {fault}")
            else:
                self.refresh_all()
                self.say("Nothing was changed: " + done if done == SAME else done)

        dialog = editor(declared, text, about, lambda given: sitting.check(column, given), empty=empty, said=said)
        self.app.push_screen(dialog, answered)

    def action_add(self) -> None:
        """A record the model missed; from a passage no record cites, with that passage as its evidence."""
        self._add(self.sitting.proposal())

    def action_add_like(self) -> None:
        """A new record that begins with the values of this one."""
        self._add(self.sitting.proposal(like=True))

    def _add(self, values: dict[str, str]) -> None:
        from tui.records_desk.screens.record_forms import NewRecord

        sitting = self.sitting
        names = sitting.review.fields()
        if not names:
            self.say("No JSON Schema fits this database, so no record can be typed: give one with --schema.")
            return

        def added(said: str | None) -> None:
            self.refresh_all()
            if said:
                self.say(said)

        self.app.push_screen(NewRecord(sitting, names, values), added)

    def action_history(self) -> None:
        """What was done to the record, the latest first: old value above new, who and when."""
        record = self.sitting.current
        self.pages(f"History of {record.name}" if record is not None else "History", self.sitting.history())
