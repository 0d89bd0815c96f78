"""The case large: its evidence, what each verdict would change, its earlier verdicts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from rich.text import Text
from textual.timer import Timer

from scoring.adjudication.cases import Block
from scoring.foundations.incremental import Steps
from scoring.texts.forms import visible
from tui.bench.session import Session
from tui.widgets.compact import laid_out, room_for
from tui.widgets.drawing import DrawingStyles
from tui.widgets.lines import LineView

REST, SLICE = 0.25, 0.008
EMPTY = "Nothing here. Tab opens the next queue, / changes the filter, O shows the overview."


class CaseView(LineView):
    """Draws the case under the session's cursor.

    What a verdict would change is worked out when the keys rest, a slice at a time, so that no key waits for it.
    """

    DEFAULT_CSS = "CaseView { padding: 0 1; }"

    def __init__(self, session: Callable[[], Session], look: Callable[[], DrawingStyles], **options: object) -> None:
        super().__init__(self._drawn, **options)
        self._session, self._look = session, look
        self._effects: Sequence[Block] = ()
        self._working: Steps[Sequence[Block]] | None = None
        self._pause: Timer | None = None

    def show_case(self, *, keep_place: bool = False) -> None:
        """Show the case as it is now; its effects follow."""
        self._effects, self._working = (), None
        if self._pause is not None:
            self._pause.stop()
        self._pause = self.set_timer(REST, self._begin)
        self.renew(keep_place=keep_place)

    def _drawn(self, width: int) -> Sequence[Text]:
        session, look = self._session(), self._look()
        case = session.current
        if case is None:
            return [Text(EMPTY)]
        lines = laid_out(session.evidence(), self._effects, width, room_for(self.size.height), look, session.picked)
        history = session.history_lines(case)
        if history:
            lines.extend_lazily([Text(""), Text("Earlier verdicts", look.title), *(Text("  " + visible(line)) for line in history)])
        return lines

    @property
    def later(self) -> Sequence[Block]:
        """What was worked out about the case after its evidence, as far as it stands on the screen."""
        return self._effects

    def on_resize(self) -> None:
        """Another width or height lays the case out anew."""
        self.renew(keep_place=True)

    @property
    def resting(self) -> bool:
        """Whether all that is to be worked out about the case stands on the screen."""
        return self._pause is None and self._working is None

    def _begin(self) -> None:
        self._pause = None
        session = self._session()
        case = session.current
        if case is not None and not session.hides(case) and case.status != "stale":
            narrowed = session.narrowed_to()
            self._working = session.task.effects(session.evaluation, case, session.occurrence, tuple(session.picked), narrowed)
            self._go_on()

    def _go_on(self) -> None:
        self._pause = None
        end = time.monotonic() + SLICE
        while self._working is not None:
            try:
                next(self._working)
            except StopIteration as done:
                self._working, self._effects = None, done.value
                if self._effects:
                    self.renew(keep_place=True)
                return
            if time.monotonic() >= end:
                self._pause = self.set_timer(SLICE, self._go_on)
                return
