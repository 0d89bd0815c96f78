"""One verdict for several cases, after a list and a count to confirm."""

from __future__ import annotations

from rich.text import Text

from scoring.foundations.problems import InputError
from scoring.foundations.wording import counted
from tui.bench.batches import batch_lines, batch_question, batch_verdicts, batch_written
from tui.screens.dialogs import Choose, Confirm, Pages
from tui.screens.key_buffer import asks
from tui.screens.review.case_screen import CaseScreen
from tui.widgets.lines import LineList


class Batches(CaseScreen):
    """The batch acts of the Review screen."""

    def action_mark(self) -> None:
        """Choose the case for a batch, or let it go again."""
        chosen = self.session.mark()
        self._message = f"{'marked' if chosen else 'no longer marked'}; {len(self.session.marked)} marked, B gives them one verdict"
        self.query_one("#list", LineList).refresh()
        self.action_move_silently(1)

    def action_move_silently(self, by: int) -> None:
        """Move on, keeping what was said."""
        self.session.move(by)
        self._moved()

    @asks
    async def action_batch(self) -> None:
        """One verdict for several cases, after a list and a count to confirm."""
        session = self.session
        cases = tuple(session.marked) or session.alike()
        if not cases:
            self.say("Nothing is marked, and no open case reads the same.")
            return
        if session.log is None and not await self.app.ask_verifier():  # type: ignore[attr-defined]
            return
        what = counted(len(cases), "marked case") if session.marked else f"{counted(len(cases), 'open case')} that read the same"
        offered = batch_verdicts(session.task)
        choice = await self.app.push_screen_wait(Choose(f"One verdict for {what}", offered))
        if choice is None:
            return
        batch = session.plan(offered[choice], cases)
        lines = [Text(line, self.look.faint if left_out else "") for line, left_out in batch_lines(session, batch)]
        if not batch.judged:
            await self.app.push_screen_wait(Pages(f"{batch.verdict} can be said of none of them", lines))
            return
        if await self.app.push_screen_wait(Confirm(batch_question(batch), lines)):
            try:
                written = session.give_batch(batch, note=self._note, certainty=self._certainty)
            except InputError as fault:
                self.refuse(fault)
                return
            self._note, self._certainty = None, None
            self._message = f"{batch_written(batch, len(written))}; z takes all of them back"
            session.next_open()
            self._after_verdict()
