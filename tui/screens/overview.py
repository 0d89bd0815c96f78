"""The Overview: queues with progress, inputs with their problems, every cell; and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from scoring.foundations.wording import counted
from tui.keys.actions import OVERVIEW
from tui.screens.base import BenchScreen
from tui.widgets.drawing import drawn, fitted
from tui.widgets.lines import LineList, LineView

BAR = 20
CONFLICTS = "conflicts"


class OverviewScreen(BenchScreen):
    """What there is, how far it is, and where to go on."""

    kind = OVERVIEW

    DEFAULT_CSS = """
    OverviewScreen #queues { height: auto; max-height: 10; margin: 0 0 1 0; }
    OverviewScreen #advice { height: 1; text-style: bold; }
    OverviewScreen #content { height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._at: int | None = None

    def body(self) -> ComposeResult:
        yield Static("", id="advice", markup=False)
        yield LineList(self._queue_line, id="queues")
        yield LineView(self._content, id="content")

    def _content(self, width: int) -> Sequence[Text]:
        bands = self.app.bands.of(self.session, self._bands_found)  # type: ignore[attr-defined]
        return drawn(self.session.overview(bands), width, self.look)

    def _bands_found(self) -> None:
        self.query_one("#content", LineView).renew(keep_place=True)

    @property
    def resting(self) -> bool:
        """Whether all that is to be worked out stands on the screen."""
        return self.app.bands.resting  # type: ignore[attr-defined, no-any-return]

    def _queue_line(self, index: int, width: int) -> Text:
        name = self.session.task.queues[index]
        progress = self.session.progress(name)
        done = round(BAR * progress.decided / progress.total) if progress.total else BAR
        line = Text(f" {fitted(name, 16)} ")
        line.append("█" * done, self.look.good)
        line.append("·" * (BAR - done), self.look.faint)
        line.append(f" {progress.open:5} open {progress.decided:5} decided")
        for count, word in ((progress.stale, "stale"), (progress.conflict, "in conflict")):
            if count:
                line.append(f" {count:3} {word}")
        return line

    def refresh_all(self) -> None:
        session = self.session
        workspace = self.app.workspace_name  # type: ignore[attr-defined]
        self.head(f"adjudicate  {workspace}  {session.task.name}  verifier {session.verifier or 'not named yet'}")
        if self._at is None:
            self._at = session.task.queues.index(self._next_queue() or session.task.queues[0])
        queues = self.query_one("#queues", LineList)
        queues.styles.height = len(session.task.queues)
        queues.show(len(session.task.queues), self._at)
        self.query_one("#advice", Static).update(self._advice(), layout=False)
        self.query_one("#content", LineView).renew(keep_place=True)

    def _advice(self) -> str:
        queue = self._next_queue()
        if queue is None:
            return "Nothing is open: every case is decided."
        progress = self.session.progress(queue)
        if queue == CONFLICTS:
            waits = "1 conflict waits" if progress.conflict == 1 else f"{progress.conflict} conflicts wait"
            return f"Next: {waits} for a ruling, in “{queue}”. Enter opens a queue."
        return f"Next: {counted(progress.open, 'open case')} in “{queue}”. Enter opens a queue."

    def _next_queue(self) -> str | None:
        """The queue to go on with: conflicts before all, then the first with open cases."""
        session = self.session
        if session.progress(CONFLICTS).conflict:
            return CONFLICTS
        return next((name for name in session.task.queues if session.progress(name).open), None)

    def action_move(self, by: int) -> None:
        """Move over the queues."""
        self._at = min(max((self._at or 0) + by, 0), len(self.session.task.queues) - 1)
        self.query_one("#queues", LineList).put(self._at)

    def action_page(self, by: int) -> None:
        """Scroll the cells."""
        self.query_one("#content", LineView).scroll_pages(by)

    def action_edge(self, to: int) -> None:
        """To the first or last queue."""
        self.action_move(to * len(self.session.task.queues))

    def action_enter(self) -> None:
        """Open the queue under the cursor."""
        self.session.open_queue(self.session.task.queues[self._at or 0])
        self.app.switch_mode("review")

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click opens."""
        self.action_move(message.position - (self._at or 0))
        if message.times > 1:
            self.action_enter()

    def action_undo(self) -> None:
        """Take the last verdict back."""
        self.app.undo()  # type: ignore[attr-defined]
