"""The Review: the queue beside the case, one key a verdict, the next case at once."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Static

from scoring.adjudication.cases import Case
from scoring.adjudication.filters import parse_filter
from scoring.adjudication.log_entry import field_of
from scoring.foundations.problems import InputError
from scoring.foundations.wording import counted, similarity_text
from scoring.texts.forms import visible
from tui.bench.case_fields import values_of
from tui.bench.position.saved_position import keep_place
from tui.bench.rules.rule_rows import parsed_draft
from tui.bench.verdict_text import left_in_words, reach_in_words, standing_in_words
from tui.environment.subprocess_json import ask
from tui.keys.actions import REVIEW
from tui.keys.names import shown
from tui.screens.dialogs import AskText, Choose
from tui.screens.key_buffer import asks
from tui.screens.review.batch import Batches
from tui.screens.review.field_chooser import which_rule, which_value
from tui.screens.review.inspection import InspectionActions
from tui.screens.review.pointing import PointingActions
from tui.widgets.case_view import CaseView
from tui.widgets.drawing import fitted
from tui.widgets.lines import LineList

MARKS = {"open": "○", "decided": "●", "stale": "◌", "conflict": "⚡"}
TRUTH = (
    ("gt-wrong", "the ground truth is wrong: propose another text"),
    ("gt-illegible", "the ground truth reads what cannot be read"),
    ("gt-missing-row", "the ground truth lacks a row"),
    ("gt-extra-row", "the ground truth has a row too many"),
)


class ReviewScreen(Batches, PointingActions, InspectionActions):
    """One case large, the queue beside it (above it on a narrow screen)."""

    kind = REVIEW
    # On a low screen the list gives its lines to the case, so that the effects of the verdicts are seen without scrolling.
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012

    DEFAULT_CSS = """
    ReviewScreen #bench { height: 1fr; layout: vertical; }
    ReviewScreen #list { height: 5; border-bottom: solid $panel; }
    ReviewScreen #case { height: 1fr; }
    ReviewScreen #asked { height: 1; padding: 0 1; text-style: bold; }
    ReviewScreen #status { height: 1; background: $panel; }
    ReviewScreen.-short #list { height: 2; border-bottom: none; }
    ReviewScreen.-short #asked { background: $panel; }
    ReviewScreen.-wide #bench { layout: horizontal; }
    ReviewScreen.-wide #list { width: 46; height: 100%; border-bottom: none; border-right: solid $panel; }
    ReviewScreen.-wide #paper { width: 1fr; height: 100%; }
    ReviewScreen #paper { height: 1fr; layout: vertical; }
    """

    def body(self) -> ComposeResult:
        with Container(id="bench"):
            yield LineList(self._line, id="list")
            with Container(id="paper"):
                yield Static("", id="asked", markup=False)
                yield CaseView(lambda: self.session, lambda: self.look, id="case")
        yield Static("", id="status", markup=False)

    # Drawing

    def _line(self, index: int, width: int) -> Text:
        case = self.session.cases[self.session.order[index]]
        hidden = self.session.hides(case)
        times = f"×{len(case.occurrences)}" if len(case.occurrences) > 1 and not hidden else ""
        similarity = case.basis.get("similarity")
        shown = similarity_text(similarity, self.session.gate, 2) if isinstance(similarity, float) and not hidden else ""
        tail = f" {shown:>4} {times:>5}"
        mark = "*" if case.id in self.session.marked else MARKS[self.session.shown(case).status]
        head = f"{mark} {fitted(case.page, min(6, max(2, len(case.page))))} "
        # A mark may be two cells wide; what is cut off the end would be the number of times.
        return Text(head + fitted(visible(case.title), max(4, width - cell_len(head) - len(tail))) + tail)

    def refresh_all(self) -> None:
        session = self.session
        self.query_one("#list", LineList).show(len(session.order), session.position)
        self._show_case()

    def settled(self) -> None:
        session = self.session
        self.query_one("#list", LineList).show(len(session.order), session.position)
        self._draw_head()
        self._draw_asked()
        self.renew_keys()
        self.query_one(CaseView).show_case(keep_place=True)

    def _show_case(self) -> None:
        self._draw_head()
        self._draw_asked()
        self.query_one(CaseView).show_case()
        self._draw_status()

    def _draw_asked(self) -> None:
        case, asked = self.session.current, self.query_one("#asked", Static)
        asked.update(fitted(self._question(case), max(10, asked.size.width or 76)) if case else "", layout=False)

    def _question(self, case: Case) -> str:
        seen, settled = self.session.shown(case), self.session.settles(case)
        if settled:
            return f"A ruling here settles {len(settled)} ({seen.note}).  {case.question}"
        said = standing_in_words(self.session, case)
        note = f"  {seen.note}" if seen.note else ""
        if said:
            # First on the line, which may be cut: what was said is what one comes back to see.
            return f"[{visible(said)}]{note}  {case.question}"
        proposal = f"  [{seen.suggestion}?]" if seen.suggestion is not None else ""
        return f"{case.question}{note}{proposal}" if seen.basis.get("new") else f"{case.question}{proposal}{note}"

    def _draw_head(self) -> None:
        session = self.session
        progress = session.progress()
        parts = [
            f"{session.queue}  {session.position + 1}/{len(session.order)}",
            f"{progress.open} open, {progress.decided} decided",
        ]
        if progress.stale or progress.conflict:
            parts.append(f"{progress.stale} stale, {progress.conflict} in conflict")
        minutes = session.minutes_left()
        if minutes is not None and progress.open:
            parts.append(f"about {max(1, round(minutes))} min left")
        if session.filter.text:
            parts.append(f"filter {session.filter.text}")
        parts.append(session.verifier or "no verifier")
        if session.blind:
            case = session.current
            seen = case is not None and case.status == "open" and not session.hides(case)
            parts.append("blind, but this case you have seen" if seen else "blind")
        self.head("  ".join(parts))

    # Verdicts

    def action_verdict(self, verdict: str) -> None:
        """Give a verdict; it is on disk before the cursor moves on."""
        if verdict == "equivalent":
            self._draft_equivalence()
        else:
            self._give(verdict)

    @asks
    async def _draft_equivalence(self) -> None:
        """Draft an OPEN row with this pair as witness, then say `equivalent` of the case. The checks run before anything is written."""
        session, case = self.session, self.session.current
        field = await which_rule(self.app, session)
        if field is None:
            return
        try:
            proposed = session.draft(field)
        except InputError as fault:
            self.refuse(fault)
            return
        if proposed is None:
            self.say("This case has no two writings to make equal.")
            return
        hint = f"form = canonical [field]; it stays OPEN until it is settled. Witness: {proposed.witness}"
        start = f"{proposed.form} = {proposed.canonical} [{proposed.field}]"
        while text := await self.app.push_screen_wait(AskText("Draft an equivalence", start, hint)):
            try:
                form, canonical, named = parsed_draft(text, proposed.field)
                session.judge("equivalent", field=field)
                said = ("rules", "draft", "--form", form, "--canonical", canonical, "--field", named, "--witness", proposed.witness)
                await ask(self.app.workspace, *said)  # type: ignore[attr-defined]
            except InputError as fault:
                # Asked again, with the reason: what is typed to mend it must not be taken for verdicts.
                start, hint = text, str(fault)
                continue
            if session.current is case:
                self._give("equivalent", {"form": form, "canonical": canonical, "field": named})
            return

    def _give(self, verdict: str, value: object = None, field: str = "") -> None:
        session, case = self.session, self.session.current
        if session.log is None:
            self._name_verifier(verdict, value, field)
            return
        run = session.narrowed_to()
        try:
            entry = session.give(verdict, value=value, note=self._note, certainty=self._certainty, run=run, field=field)
        except InputError as fault:
            self.refuse(fault)
            return
        self._note, self._certainty, session.narrow = None, None, False
        assert case is not None
        left = session.left
        told = [reach_in_words(entry, on_pair=left is not None)]
        if entry.resolves:
            told.append(f"a ruling: it settles {counted(len(entry.resolves), 'verdict')}")
        aside = bool(field_of(entry)) and entry.case != case.id
        if left is not None:
            told.append(left_in_words(case, left))
        elif aside:
            told.append("this case is as it was")
        if session.blind and not aside:
            # First, since the line may be cut: a blind case does not make way for the next by itself.
            told.insert(0, f"{shown(self.app.action_keys['next_open'][0])} goes on; shown as it is")  # type: ignore[attr-defined]
        elif not aside and (left is None or left == len(case.occurrences)) and not session.next_open():
            session.move(1)
        told.append(f"{shown(self.app.action_keys['undo'][0])} takes it back")  # type: ignore[attr-defined]
        self._message = f"{'; '.join(told)}  {entry.id[:13]}"
        self._after_verdict()

    def _after_verdict(self) -> None:
        keep_place(self.app.workspace, self.session)  # type: ignore[attr-defined]
        self.query_one("#list", LineList).show(len(self.session.order), self.session.position)
        self._show_case()
        self.app.work_soon()  # type: ignore[attr-defined]

    @asks
    async def _name_verifier(self, verdict: str, value: object, field: str = "") -> None:
        if await self.app.ask_verifier():  # type: ignore[attr-defined]
            self._give(verdict, value, field)

    @asks
    async def action_truth(self) -> None:
        """Doubt the ground truth."""
        case = self.session.current
        known = case.verdicts if case is not None else ()
        offered = [(verdict, text) for verdict, text in TRUTH if verdict in known]
        choice = await self.app.push_screen_wait(Choose("What about the ground truth?", [text for _, text in offered]))
        if choice is None:
            return
        verdict = offered[choice][0]
        if verdict in ("gt-wrong", "gt-illegible") and values_of(self.session):
            doubted = await which_value(self.app, self.session, verdict)
            if doubted is not None:
                self._give(verdict, doubted.proposed, doubted.field)
            return
        if verdict in ("gt-illegible", "gt-extra-row"):
            self._give(verdict)
            return
        proposal = await self.app.push_screen_wait(AskText("The text you propose", self.session.proposal(verdict)))
        if proposal is not None:
            self._give(verdict, proposal)

    def action_undo(self) -> None:
        """Take the last verdict back."""
        session = self.session
        if session.log is None:
            self.say("There is nothing of yours to undo.")
            return
        try:
            undone = session.undo()
        except InputError as fault:
            self.refuse(fault)
            return
        self._message = self.app.undone_in_words(undone)  # type: ignore[attr-defined]
        self._after_verdict()

    def action_keep(self) -> None:
        """A stale verdict still holds."""
        self._about_stale(lambda: self.session.keep(note=self._note, certainty=self._certainty))

    def action_revisit(self) -> None:
        """A stale verdict is taken back."""
        self._about_stale(lambda: self.session.revisit(note=self._note))

    def action_uncover(self) -> None:
        """A verdict is taken back from the occurrences that are new since."""
        self._about_stale(lambda: self.session.uncover(note=self._note))

    def _about_stale(self, act: Callable[[], str]) -> None:
        try:
            self._message = act()
        except InputError as fault:
            self.refuse(fault)
            return
        self._note, self._certainty = None, None
        self._after_verdict()

    @asks
    async def action_note(self) -> None:
        """Write the note of the next verdict."""
        note = await self.app.push_screen_wait(AskText("Note for the next verdict on this case", self._note or ""))
        if note is not None:
            self._note = note or None
            self._message = ""
            self._draw_status()

    def action_certainty(self) -> None:
        """Step the certainty of the next verdict: 1 to 5, then none."""
        self._certainty = 1 if self._certainty is None else self._certainty + 1 if self._certainty < 5 else None
        self._message = ""
        self._draw_status()

    def action_narrow(self) -> None:
        """Let the next verdict speak of this run's row alone, or of all again."""
        self.session.narrow = not self.session.narrow
        self._show_pointing()

    # Moving

    def action_move(self, by: int) -> None:
        """Move over the queue."""
        self._message = ""
        self.session.move(by)
        self._moved()

    def action_page(self, by: int) -> None:
        """Move a screenful of the queue."""
        self.action_move(by * max(1, self.query_one("#list", LineList).size.height - 1))

    def action_edge(self, to: int) -> None:
        """To the first or last case."""
        self.action_move(to * len(self.session.order))

    def action_next_open(self) -> None:
        """To the next case that is not decided."""
        self._message = "" if self.session.next_open() else "Every case here is decided. Tab opens the next queue."
        self.query_one("#list", LineList).show(len(self.session.order), self.session.position)
        self._show_case()

    def action_back(self) -> None:
        """Back to the case looked at before."""
        self._message = ""
        self.session.back()
        self.refresh_all()

    def action_queue(self, by: int) -> None:
        """Open the next queue."""
        queues = (*self.session.task.queues, "all")
        at = queues.index(self.session.queue) if self.session.queue in queues else 0
        self.session.open_queue(queues[(at + by) % len(queues)])
        self._message = ""
        self.refresh_all()

    @asks
    async def action_filter(self) -> None:
        """Filter the queue."""
        hint = "page:28 status:open mine:no by:mp model:alfa field:title similarity>=0.65 times>3 -word; empty shows all"
        text = await self.app.push_screen_wait(AskText("Filter", self.session.filter.text, hint))
        if text is None:
            return
        try:
            self.session.open_queue(self.session.queue, parse_filter(text))
        except InputError as fault:
            self.refuse(fault)
            return
        self._message = ""
        self.refresh_all()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click puts the cursor there, a double click opens."""
        self.action_move(message.position - self.session.position)
        if message.times > 1:
            self.action_enter()
