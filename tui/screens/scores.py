"""The Scores: cells, runs, pages; as scored beside as adjudicated; and the log entries behind a figure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from rich.text import Text
from textual import work
from textual.app import ComposeResult

from scoring.adjudication.cases import Grid, Line
from scoring.foundations.problems import InputError
from scoring.foundations.wording import counted
from scoring.tasks import ComparesRunPages
from scoring.texts.forms import visible
from tui.bench.case_view import HIDDEN
from tui.bench.evaluation_reference import LastEvaluation
from tui.environment.subprocess_json import ask
from tui.keys.actions import SCORES
from tui.screens.base import BenchScreen
from tui.screens.dialogs import Pages
from tui.widgets.columns import Columns, columns_in_view, stepped
from tui.widgets.drawing import drawn, fitted
from tui.widgets.lines import LineList, LineView

# Of a line: its mark, and the sign that there are more columns.
MARGIN = 4


class ScoresScreen(BenchScreen):
    """A table of figures; Enter goes down, Backspace up."""

    kind = SCORES

    DEFAULT_CSS = """
    ScoresScreen #columns { height: 1; }
    ScoresScreen #lines { height: 1fr; }
    ScoresScreen #beside { height: 1fr; border-top: solid $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._path: tuple[str, ...] = ()
        self._at: dict[tuple[str, ...], int] = {}
        self._grid = Grid("", (), ())
        self._beside: Sequence[object] = ()
        self._first = 0
        self._origin = LastEvaluation()
        self._figures_of: tuple[tuple[str, ...], object] = ((), None)
        self._figures: tuple[Grid, Sequence[object]] = (self._grid, ())
        self._columns_of: tuple[int, int] | None = None
        self._columns_seen = Columns((), 0, 0)
        self._ways: Grid | None = None
        self._ways_origin = LastEvaluation()

    def body(self) -> ComposeResult:
        yield LineView(self._columns, id="columns")
        yield LineList(self._line, id="lines")
        yield LineView(self._content, id="beside")

    def refresh_all(self) -> None:
        session = self.session
        if session.blind:
            # From the cells the figures lead down to pages and to single pairs, and their bands follow from what others said.
            self._grid, self._beside, self._columns_of = Grid("", (), ()), (), None
            self._origin.forget()
            self.head(f"Scores are {HIDDEN}.")
            self.query_one("#lines", LineList).show(0, 0)
            self.query_one("#columns", LineView).renew()
            self.query_one("#beside", LineView).display = False
            return
        bands = self.app.bands.of(session, self.refresh_all)  # type: ignore[attr-defined]
        # Worked out once while nothing changes: a screen is drawn anew more often than that.
        path, of_bands = self._figures_of
        if self._origin.is_another(session.evaluation) or path != self._path or of_bands is not bands:
            self._figures_of = self._path, bands
            self._figures = session.task.figures(session.evaluation, *self._figures_of)
            self._columns_of = None
        self._grid, self._beside = self._figures
        if self._ways is not None and not self._path and isinstance(session.task, ComparesRunPages):
            self._beside = (self._ways, *self._beside)
        self.head(f"{self._grid.title}   {session.decisions_in_words()}")
        self.query_one("#lines", LineList).show(len(self._grid.lines), self._position)
        self.query_one("#columns", LineView).renew()
        beside = self.query_one("#beside", LineView)
        beside.display = bool(self._beside)
        beside.renew(keep_place=True)
        if isinstance(session.task, ComparesRunPages) and self._ways_origin.is_another(session.evaluation.material):
            self._find_ways()

    @property
    def resting(self) -> bool:
        """Whether all that is to be worked out stands on the screen."""
        return self.app.bands.resting  # type: ignore[attr-defined, no-any-return]

    @property
    def _position(self) -> int:
        return min(self._at.get(self._path, 0), max(0, len(self._grid.lines) - 1))

    @work(exclusive=True, group="ways", exit_on_error=False)
    async def _find_ways(self) -> None:
        """The same runs under the other instruments, which no verdict changes: once a sitting."""
        try:
            found = await ask(self.app.workspace, "score", "--format", "csv", "--instruments")  # type: ignore[attr-defined]
        except InputError as fault:
            self.notify(str(fault), severity="warning", markup=False)
            return
        self._ways = ways_grid(csv.DictReader(io.StringIO(found)))
        self.refresh_all()

    def _in_view(self, width: int) -> Columns:
        key = (width, self._first)
        if self._columns_of != key:
            self._columns_of, self._columns_seen = key, columns_in_view(self._grid, width - MARGIN, self._first)
        return self._columns_seen

    def _cells(self, cells: Sequence[str], width: int) -> str:
        return " ".join(fitted(cells[at] if at < len(cells) else "", size) for at, size in self._in_view(width).shown)

    def _columns(self, width: int) -> Sequence[Text]:
        columns = self._in_view(width)
        line = (" ‹ " if columns.before else "   ") + self._cells(self._grid.header, width)
        if columns.after:
            line = fitted(line, width - 1) + "›"
        return [Text(line, self.look.title)]

    def _line(self, index: int, width: int) -> Text:
        line = self._grid.lines[index]
        return Text(f" {line.mark or ' '} " + self._cells(line.cells, width))

    def _content(self, width: int) -> Sequence[Text]:
        return drawn(self._beside, width, self.look)  # type: ignore[arg-type]

    def action_move(self, by: int) -> None:
        """Move over the lines."""
        self._at[self._path] = min(max(self._position + by, 0), max(0, len(self._grid.lines) - 1))
        self.query_one("#lines", LineList).put(self._position)

    def action_page(self, by: int) -> None:
        """Move a screenful."""
        self.action_move(by * max(1, self.query_one("#lines", LineList).size.height - 1))

    def action_scroll_case(self, by: int) -> None:
        """Scroll the tables below."""
        self.query_one("#beside", LineView).scroll_pages(by * 0.5)

    def action_columns(self, by: int) -> None:
        """Step through the figures that do not fit the screen."""
        width = self.query_one("#columns", LineView).scrollable_content_region.width or 80
        self._first = stepped(self._grid, width - MARGIN, self._first, by)
        self.query_one("#columns", LineView).renew()
        self.query_one("#lines", LineList).show(len(self._grid.lines), self._position)

    def action_edge(self, to: int) -> None:
        """To the first or last line."""
        self.action_move(to * len(self._grid.lines))

    def action_enter(self) -> None:
        """One level down; a page opens side by side."""
        if not self._grid.lines:
            return
        target = self._grid.lines[self._position].target
        if target is None:
            return
        if len(self._path) == 3:
            self.app.show_run(self._path[2], target)  # type: ignore[attr-defined]
            return
        self._path = (*self._path, *target.split("\t"))
        self.refresh_all()

    def action_back(self) -> None:
        """One level up."""
        self._path = self._path[:2] if len(self._path) == 3 else ()
        self.refresh_all()

    def action_behind(self) -> None:
        """The log entries behind the figures of the line."""
        if self.session.blind:
            return
        target = self._grid.lines[self._position].target if self._grid.lines else None
        path = (*self._path, *target.split("\t")) if target else self._path
        entries = self.session.task.behind(self.session.evaluation, path)
        lines = [Text(visible(self.session.in_words(entry))) for entry in entries] or [Text("None: these figures are as scored.")]
        self.app.push_screen(Pages(f"{counted(len(entries), 'entry', 'entries')} behind {' '.join(path) or 'all figures'}", lines))

    def action_undo(self) -> None:
        """Take the last verdict back."""
        self.app.undo()  # type: ignore[attr-defined]

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click goes down."""
        self.action_move(message.position - self._position)
        if message.times > 1:
            self.action_enter()


WAYS = ("original", "adopted", "cer_gate", "order_preserving", "without_wildcard")


def ways_grid(rows: Iterable[dict[str, str]]) -> Grid:
    """`instruments.csv` as a table: F1 of each cell, the same runs scored four ways, and without the wildcard."""
    lines = tuple(Line((row["model"], row["phase"], *(f"{float(row[way]):.3f}" if row[way] else "–" for way in WAYS))) for row in rows)
    return Grid("F1, the same runs scored four ways", ("model", "phase", *(way.replace("_", " ") for way in WAYS)), lines)
