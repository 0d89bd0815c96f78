"""The Run: one page of one run, ground truth left and answer right, surplus below, and the books of the page."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from scoring.tables.display.side_by_side import SideBySide
from scoring.tasks import ComparesRunPages
from tui.bench.case_view import HIDDEN
from tui.keys.actions import RUN
from tui.screens.base import BenchScreen
from tui.widgets.lines import LineList
from tui.widgets.side_lines import LEGEND, books_line, side_header, side_line


class RunScreen(BenchScreen):
    """Side by side; Enter opens the case of a line."""

    kind = RUN

    DEFAULT_CSS = """
    RunScreen #columns { height: 1; text-style: bold; }
    RunScreen #lines { height: 1fr; }
    RunScreen #legend { height: 1; color: $text-muted; }
    RunScreen #books { height: auto; max-height: 3; background: $panel; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._place: tuple[str, str] | None = None
        self._at = 0
        self._shown: SideBySide | None = None

    def body(self) -> ComposeResult:
        yield Static("", id="columns", markup=False)
        yield LineList(self._line, id="lines")
        yield Static("", id="books", markup=False)
        yield Static(LEGEND, id="legend", markup=False)

    def show_place(self, run: str | None, page: str | None, case: str | None = None) -> None:
        """Show a page of a run, the cursor on the line of a case, or of a row it speaks of. What is not named stays, else is the first."""
        first = next(iter(self.session.evaluation.pages), ("", ""))
        run = run or (self._place or first)[0]
        page = page or (self._place or first)[1]
        self._place, self._at = (run, page), 0
        self.refresh_all()
        if case is not None and self._shown is not None:
            occurrences = self.session.cases[case].occurrences if case in self.session.cases else ()
            rows = {target for one in occurrences if one.run == run for target in one.targets}
            of_line = ({f"gt:{page}:{line.gt}", f"model:{run}:{page}:{line.model}"} for line in self._shown.lines)
            near = next((at for at, here in enumerate(of_line) if here & rows), 0)
            self._at = next((at for at, line in enumerate(self._shown.lines) if line.case == case), near)
            self.query_one("#lines", LineList).put(self._at)

    def place(self) -> dict[str, object]:
        return {"run": self._place[0], "page": self._place[1], "line": self._at} if self._place is not None else {}

    def return_to(self, place: Mapping[str, object]) -> None:
        run, page, line = place.get("run"), place.get("page"), place.get("line")
        if isinstance(run, str) and isinstance(page, str):
            self._place, self._at = (run, page), line if isinstance(line, int) and line > 0 else 0

    @property
    def run_shown(self) -> str | None:
        return self._place[0] if self._place is not None else None

    def refresh_all(self) -> None:
        if self.session.blind:
            # Side by side, every line tells which model reads so, how like the rows are and what is proposed.
            self._shown = None
            self.head(f"The run is {HIDDEN}.")
            self.query_one("#lines", LineList).show(0, 0)
            return
        task, evaluation = self.session.task, self.session.evaluation
        if not isinstance(task, ComparesRunPages) or not evaluation.pages:
            self.head(f"{task.name}: there are no runs to see side by side")
            return
        if self._place is None or self._place not in evaluation.pages:
            self._place = next(iter(evaluation.pages))
        run, page = self._place
        self._shown = shown = task.side_by_side(evaluation, run, page, self.session.cases)
        self._at = min(self._at, max(0, len(shown.lines) - 1))
        self.head(f"{run}  page {page}  {shown.status}")
        self.query_one("#columns", Static).update(side_header(self.size.width or 80, self._fields), layout=False)
        self.query_one("#lines", LineList).show(len(shown.lines), self._at)
        self.query_one("#books", Static).update(books_line(shown))

    @property
    def _fields(self) -> int:
        return len(self.session.evaluation.material.schema.scored)

    def _line(self, index: int, width: int) -> Text:
        assert self._shown is not None
        return side_line(self._shown.lines[index], self.session.cases, width, self._fields, self.look, self.session.gate)

    def action_move(self, by: int) -> None:
        """Move over the lines."""
        if self._shown is not None and self._shown.lines:
            self._at = min(max(self._at + by, 0), len(self._shown.lines) - 1)
            self.query_one("#lines", LineList).put(self._at)

    def action_page(self, by: int) -> None:
        """Move a screenful."""
        self.action_move(by * max(1, self.query_one("#lines", LineList).size.height - 1))

    def action_edge(self, to: int) -> None:
        """To the first or last line."""
        if self._shown is not None:
            self.action_move(to * len(self._shown.lines))

    def action_step(self, what: str, by: int) -> None:
        """Another page, run or cell."""
        if self.session.blind:
            return
        evaluation = self.session.evaluation
        runs, pages = evaluation.material.runs, [page.id for page in evaluation.material.pages]
        if self._place is None or not runs:
            return
        run, page = self._place
        keys = [one.key for one in runs]
        if what == "page":
            page = pages[(pages.index(page) + by) % len(pages)]
        elif what == "run":
            run = keys[(keys.index(run) + by) % len(keys)]
        else:
            cells = list(dict.fromkeys(one.cell for one in runs))
            here = evaluation.prepared.runs[run].cell
            cell = cells[(cells.index(here) + by) % len(cells)]
            run = next(one.key for one in runs if one.cell == cell)
        self._place = (run, page)
        self._at = 0
        self.refresh_all()

    def action_enter(self) -> None:
        """Open the case of the line."""
        line = self._shown.lines[self._at] if self._shown is not None and self._shown.lines else None
        if line is None or line.case is None:
            self.app.notify("No case asks about this line.", markup=False, timeout=3)
            return
        self.session.show_case(line.case)
        self.app.switch_mode("review")

    def action_undo(self) -> None:
        """Take the last verdict back."""
        self.app.undo()  # type: ignore[attr-defined]

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click opens."""
        self.action_move(message.position - self._at)
        if message.times > 1:
            self.action_enter()
