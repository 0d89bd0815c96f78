"""Where the next verdict points: a claimant by its digit, any row of the page by its name, another occurrence."""

from __future__ import annotations

from tui.screens.key_buffer import asks
from tui.screens.review.case_screen import CaseScreen
from tui.screens.review.row_chooser import RowChooser


class PointingActions(CaseScreen):
    """The pointing acts of the Review screen."""

    def action_pick(self, number: int) -> None:
        """Point the next verdict to a claimant."""
        if self.session.pick(number) is None:
            self.say(f"there is no claimant {number}")
            return
        self._show_pointing()

    @asks
    async def action_other_row(self) -> None:
        """Point the next verdict to any row of the page."""
        session, case = self.session, self.session.current
        rows = session.rows_of_page()
        if case is None or rows is None or not rows.lines:
            self.say("There is no other row to point to.")
            return
        target = await self.app.push_screen_wait(RowChooser(rows, veiled=session.hides(case)))
        # Files may have been read again meanwhile: the row is one of the case it was chosen for.
        if target is not None and self.session is session and session.current is case:
            session.point(target)
            self._show_pointing()

    def action_occurrence(self, by: int) -> None:
        """Show another place where the case occurs."""
        self.session.show_occurrence(by)
        self._show_pointing()
