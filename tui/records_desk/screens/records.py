"""The Records screens: what they share, and the list of documents. One document is `tui.records_desk.screens.record`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from scoring.adjudication.cases import Block, Facts
from scoring.foundations.problems import InputError
from scoring.foundations.wording import counted
from scoring.records.inputs.operations import ConflictError
from scoring.texts.forms import visible
from tui.keys.actions import DOCUMENTS, VALUE, Action, by_need, of_screen
from tui.records_desk.session import RecordsSitting
from tui.screens.dialogs import AskText, Confirm, Pages, dialog_bindings
from tui.screens.key_buffer import TextDialog
from tui.widgets.drawing import DrawingStyles, drawn, fitted
from tui.widgets.entry import SafeInput
from tui.widgets.keyline import KeyLine
from tui.widgets.lines import LineList, theme_look

WATCH = 2.0


class Find(TextDialog, ModalScreen[str | None]):
    """Words typed at the foot, the list behind following every key; Escape brings back what was listed before."""

    DEFAULT_CSS = """
    Find { align: left bottom; background: transparent; }
    Find > Static { height: 1; background: $panel; }
    """
    BINDINGS = dialog_bindings(VALUE)

    def __init__(self, question: str, words: str, follow: Callable[[str], None]) -> None:
        super().__init__()
        self._question, self._words, self._list = question, words, follow

    def compose(self) -> ComposeResult:
        yield Static(visible(self._question), markup=False)
        yield SafeInput(self._words, select_on_focus=False)

    def follow(self, text: str) -> None:
        """The list follows."""
        self._list(text)

    def entered(self, text: str) -> None:
        """Keep what is listed."""
        self._list(text)
        self.dismiss(text)

    def action_cancel(self) -> None:
        """As it was before."""
        self._list(self._words)
        self.dismiss(None)


class RecordsScreen(Screen[None]):
    """What the screens share."""

    kind = ""
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    DEFAULT_CSS = """
    RecordsScreen { layout: vertical; }
    RecordsScreen #head { height: 1; background: $panel; text-style: bold; }
    RecordsScreen #status { height: 1; background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._message = ""

    @property
    def sitting(self) -> RecordsSitting:
        """The sitting shown."""
        sitting: RecordsSitting = self.app.sitting  # type: ignore[attr-defined]
        return sitting

    @property
    def look(self) -> DrawingStyles:
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
        return by_need(of_screen(self.kind))

    def on_mount(self) -> None:
        """Look now and then whether somebody else wrote to the database; the person decides when to read it."""
        self.set_interval(WATCH, self._watch)

    def _watch(self) -> None:
        if self.is_current and self.sitting.others_wrote():
            self.say("Somebody else has written to the database: F5 shows what.")

    def head(self, text: str) -> None:
        """Write the head line."""
        self.query_one("#head", Static).update(fitted(text, self.size.width or 80), layout=False)

    def say(self, text: str) -> None:
        """Say what was done, or why not; it stays until the next key."""
        self._message = text
        self.query_one("#status", Static).update(fitted(text, self.size.width or 80), layout=False)

    def tell(self, text: str) -> None:
        """Write where one stands, in the place of what was said."""
        self.say(text)
        self._message = ""

    def pages(self, title: str, blocks: Sequence[Block]) -> None:
        """Show blocks in front of the screen."""
        self.app.push_screen(Pages(title, drawn(blocks, max(30, int(self.size.width * 0.96) - 6), self.look)))

    def on_screen_resume(self) -> None:
        """Show what has changed meanwhile."""
        self._renew()

    def on_resize(self) -> None:
        """Another size draws everything again."""
        self.call_after_refresh(self._renew)

    def _renew(self) -> None:
        """Draw again; what was said while a dialog closed is still said."""
        said = self._message
        self.refresh_all()
        if said:
            self.say(said)

    def refresh_all(self) -> None:
        """Show the sitting as it is now."""

    def act(self, what: Callable[[], str]) -> bool:
        """Give a verdict and say what it did, or why it cannot be given; whether it was given."""
        try:
            said = what()
        except InputError as fault:
            self.refused(fault)
            return False
        self.refresh_all()
        self.say(said)
        return True

    def refused(self, fault: InputError) -> None:
        """Say why a verdict was not given; where somebody else was there first, what he did."""
        self.app.bell()
        if isinstance(fault, ConflictError):
            blocks = self.sitting.conflict(fault)
            self.refresh_all()
            self.say(f"Not written: {fault.what}")
            self.pages("Somebody else was here first", blocks)
            return
        self.refresh_all()
        self.say(f"Not written: {fault}")

    def action_undo(self) -> None:
        """Take one's last verdict back."""
        self.act(self.sitting.undo)

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self.act(self.sitting.redo)

    def action_mark_reviewed(self) -> None:
        """The document is done, or not after all; a question where records wait."""
        sitting = self.sitting
        if sitting.sight is not None and sitting.line is not None and not sitting.line.reviewed and sitting.waiting:
            waiting = [Text(visible(record.name)) for record in sitting.sight.records if record.state == "open"]
            question = f"{counted(len(waiting), 'record')} not judged. Reviewed, such a record counts as right. Mark the document reviewed?"

            def answered(yes: bool | None) -> None:
                if yes:
                    self._mark_reviewed()

            self.app.push_screen(Confirm(question, waiting), answered)
        else:
            self._mark_reviewed()

    def _mark_reviewed(self) -> None:
        sitting = self.sitting
        if self.act(sitting.mark_reviewed) and sitting.sight is not None and sitting.line is not None and sitting.line.reviewed:
            self.say(f"document {sitting.line.id} marked reviewed: > opens the next that is not, b goes back to the list")

    def action_describe(self) -> None:
        """Mend the description of the document, a field at a time."""
        if self.sitting.document is None:
            return
        from tui.records_desk.screens.record_forms import Description

        def mended(said: str | None) -> None:
            self.refresh_all()
            if said:
                self.say(said)

        self.app.push_screen(Description(self.sitting, self.refused), mended)

    def action_note(self) -> None:
        """A note for the next verdict."""

        def noted(note: str | None) -> None:
            if note is not None:
                self.sitting.note = note.strip()
                self.say(f"The next verdict carries the note: {note}" if note.strip() else "No note.")

        self.app.push_screen(AskText("Note for the next verdict", self.sitting.note), noted)

    def action_document_history(self) -> None:
        """What was done to the document and its records, the latest first."""
        line = self.sitting.line
        if line is not None:
            self.pages(f"History of document {line.id}", self.sitting.history(whole=True))

    def action_accuracy(self) -> None:
        """The accuracy figures of the database."""
        self.app.show_accuracy()  # type: ignore[attr-defined]

    def action_reload(self) -> None:
        """Read the database again; the cursor stays."""
        self.sitting.open_again() if self.sitting.sight is not None else self.sitting.read()
        self.refresh_all()
        self.say("Read again.")


class DocumentsScreen(RecordsScreen):
    """The documents of the database."""

    kind = DOCUMENTS
    DEFAULT_CSS = "DocumentsScreen #columns { height: 1; } DocumentsScreen #list { height: 1fr; }"

    def body(self) -> ComposeResult:
        yield Static("", id="columns", markup=False)
        yield LineList(self._line, id="list")

    def on_mount(self) -> None:
        """Ask about verdicts that an interrupted save left in the log alone."""
        pending = self.sitting.review.pending()
        if not pending:
            return

        def answered(yes: bool | None) -> None:
            if not yes:
                self.say(f"{counted(len(pending), 'verdict')} of the log not in the database; `adjudicate records recover` brings them in.")
                return
            done = self.sitting.review.recover()
            self.sitting.read()
            self.refresh_all()
            refused = tuple((f"{one.entry.verdict} {' '.join(one.entry.targets)}", one.refused) for one in done if one.refused)
            self.say(f"{counted(len(done) - len(refused), 'verdict')} brought in, {len(refused)} refused.")
            if refused:
                self.pages("Not brought in: the database has changed since", [Facts("Refused", refused)])

        lines = [Text(visible(f"{one.at}  {one.verifier}  {one.verdict}  {' '.join(one.targets)}")) for one in pending]
        question = "A save was interrupted: these verdicts are in the log, and the database lacks them. Bring them in?"
        self.app.push_screen(Confirm(question, lines), answered)

    def refresh_all(self) -> None:
        sitting = self.sitting
        done = sum(line.reviewed for line in sitting.documents.values())
        total = len(sitting.documents)
        filled = round(10 * done / total) if total else 0
        some = len(sitting.listed) != total
        found = f"  {len(sitting.listed)} listed" + (f" for “{sitting.wanted}”" if sitting.wanted else "") if some else ""
        only = "  not reviewed only" if sitting.only_open else ""
        ordered = "" if sitting.order == "id" else f"  by {sitting.order}"
        self.head(
            f"{sitting.review.store.path.name}  {'█' * filled}{'·' * (10 - filled)} {done} of {total} reviewed"
            f"{found}{only}{ordered}  {sitting.review.verifier}"
        )
        width = self.size.width or 80
        self.query_one("#columns", Static).update(
            self._cells(("id", "title", "author", "year", "records", "edits", "reviewed"), width), layout=False
        )
        self.query_one("#list", LineList).show(len(sitting.listed), sitting.place)
        line = sitting.line
        if line is None:
            self.tell("The database holds no documents." if not total else "No document fits: / and o change what is listed.")
        else:
            state = f"reviewed {line.reviewed_at}" if line.reviewed else "not reviewed"
            self.tell(f"{line.id}  {line.name}  {state}{f'  {line.model}' if line.model else ''}")

    def _cells(self, cells: Sequence[str], width: int, mark: str = " ") -> str:
        title = max(10, width - 66)
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
        self.refresh_all()

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
            try:
                self.sitting.open()
            except InputError as fault:
                self.sitting.read()
                self.refresh_all()
                self.say(str(fault))
                return
            self.app.show_record()  # type: ignore[attr-defined]

    def action_filter(self) -> None:
        """Find documents by words of id, name, title, author, year, while they are typed."""

        def follow(words: str) -> None:
            self.sitting.find(words)
            self.refresh_all()

        self.app.push_screen(Find("Words of id, file, title, author, year; spelling mistakes forgiven", self.sitting.wanted, follow))

    def action_sort(self) -> None:
        """Sort by another column."""
        order = self.sitting.sort()
        self.refresh_all()
        self.say(f"Sorted by {order}.")

    def action_only_open(self) -> None:
        """The documents that are not reviewed, or all."""
        self.sitting.switch_open()
        self.refresh_all()

    def action_jump(self) -> None:
        """Go to a document by its id."""

        def given(text: str | None) -> None:
            if text is None:
                return
            there = text.strip().isdecimal() and self.sitting.go_to(int(text))
            self.refresh_all()
            if not there:
                self.say(f"There is no document {text}.")

        self.app.push_screen(AskText("Go to the document of id"), given)

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click opens."""
        self.action_move(message.position - max(0, self.sitting.place))
        if message.times > 1:
            self.action_enter()
