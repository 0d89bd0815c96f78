"""What the parts of the Review screen share: what goes with the next verdict, and the line that says what was done."""

from __future__ import annotations

from rich.cells import cell_len
from textual.widgets import Static

from scoring.adjudication.log.write import LogWriteError
from scoring.foundations.problems import InputError
from scoring.foundations.wording import row_in_words
from scoring.texts.forms import visible
from tui.screens.base import BenchScreen
from tui.widgets.case_view import CaseView
from tui.widgets.drawing import fitted
from tui.widgets.lines import LineList


class CaseScreen(BenchScreen):
    """A screen with a case under the cursor, before any act on it is known."""

    def __init__(self) -> None:
        super().__init__()
        self._note: str | None = None
        self._certainty: int | None = None
        self._message = ""

    def say(self, message: str) -> None:
        """Show a sentence on the status line until the next key that changes something."""
        self._message = message
        self._draw_status()

    def refuse(self, fault: InputError) -> None:
        """Say why something was not done; a verdict that could not be written is said so that nobody overlooks it."""
        line, said = f"{fault.what}. {fault.hint}" if fault.hint else fault.what, visible(str(fault))
        self.say(line)
        if isinstance(fault, LogWriteError):
            self.app.notify(said, severity="error", markup=False, timeout=15)
        elif cell_len(line) > self.size.width:
            # What to do about it stands at the end, which the line would cut off.
            self.app.notify(said, severity="warning", markup=False, timeout=8)
        self.app.bell()

    def _draw_status(self) -> None:
        self.renew_keys()
        case = self.session.current
        parts = []
        if self._message:
            parts.append(self._message)
        if self.session.picked:
            hidden = case is not None and self.session.hides(case)
            names = (f"row {row.rsplit(':', 1)[1]}" if hidden else row_in_words(row) for row in self.session.picked)
            parts.append(f"points to {', '.join(names)}  (Escape: to none)")
        if self._note:
            parts.append(f"note: {self._note}")
        if self._certainty:
            parts.append(f"certainty {self._certainty}")
        if self.session.narrow:
            parts.append("this run only")
        if not parts and case is not None and case.occurrences:
            where = "" if self.session.hides(case) else f"  occurrence {self.session.occurrence + 1} of {len(case.occurrences)}"
            parts.append(f"{case.id}  page {case.page}{where}")
        self.query_one("#status", Static).update(fitted("  ".join(parts), self.size.width or 80), layout=False)

    def action_unpoint(self) -> None:
        """Let the next verdict point where it is proposed to, and forget what was typed for it."""
        self.session.point_to(())
        self._note, self._certainty, self.session.narrow = None, None, False
        self._show_pointing()

    def _show_pointing(self) -> None:
        """Show the case as it is pointed to now, where it is scrolled to."""
        self._message = ""
        self.query_one(CaseView).show_case(keep_place=True)
        self._draw_status()

    def _moved(self) -> None:
        """Show the case the cursor moved to."""
        self.query_one("#list", LineList).put(self.session.position)
        self._show_case()

    def _show_case(self) -> None:
        """Show the case under the cursor."""
        raise NotImplementedError

    def _after_verdict(self) -> None:
        """Show what a verdict changed."""
        raise NotImplementedError
