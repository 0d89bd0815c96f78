"""Agreement: conflicts one by one with a ruling that resolves them, and how far verifiers agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text
from textual import work
from textual.app import ComposeResult

from scoring.adjudication.cases import Block, Facts, Grid, Line
from scoring.foundations.problems import InputError
from tui.bench.case_view import HIDDEN
from tui.bench.evaluation_reference import LastEvaluation
from tui.environment.subprocess_json import ask_json
from tui.keys.actions import AGREEMENT
from tui.screens.base import BenchScreen
from tui.widgets.drawing import drawn, fitted
from tui.widgets.lines import LineList, LineView


class AgreementScreen(BenchScreen):
    """The conflicts above, the figures below; Enter opens a conflict, where any verdict is the ruling."""

    kind = AGREEMENT

    DEFAULT_CSS = """
    AgreementScreen #conflicts { height: 40%; border-bottom: solid $panel; }
    AgreementScreen #figures { height: 1fr; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._at = 0
        self._conflicts: list[str] = []
        self._figures: Sequence[Block] = (Facts("Agreement", (("", "working it out …"),)),)
        self._origin = LastEvaluation()

    def body(self) -> ComposeResult:
        yield LineList(self._line, id="conflicts")
        yield LineView(self._content, id="figures")

    def refresh_all(self) -> None:
        session = self.session
        if session.blind:
            # Figures and conflicts are nothing but what others said.
            self._conflicts, self._figures = [], ()
            self._origin.forget()
            self.head(f"Agreement is {HIDDEN}.")
            self.query_one("#conflicts", LineList).show(0, 0)
            self.query_one("#figures", LineView).renew()
            return
        self._conflicts = session.in_queue("conflicts")
        self._at = min(self._at, max(0, len(self._conflicts) - 1))
        self.head(f"Agreement   conflicts: {len(self._conflicts)}   Enter opens one; your verdict there is the ruling")
        self.query_one("#conflicts", LineList).show(len(self._conflicts), self._at)
        self.query_one("#figures", LineView).renew(keep_place=True)
        if self._origin.is_another(session.decisions):
            self._find_figures()

    def _line(self, index: int, width: int) -> Text:
        case = self.session.cases[self._conflicts[index]]
        tail = f"  {case.note}"
        return Text(fitted(f"⚡ {case.page} {case.title}", max(20, width - len(tail) - 1)) + fitted(tail, max(0, width - 22)))

    def _content(self, width: int) -> Sequence[Text]:
        return drawn(self._figures, width, self.look)

    @work(exclusive=True, group="agreement", exit_on_error=False)
    async def _find_figures(self) -> None:
        try:
            found = await ask_json(self.app.workspace, "agreement", "--task", self.session.task.name)  # type: ignore[attr-defined]
        except InputError as fault:
            self._figures = (Facts("Agreement", (("", str(fault)),)),)
        else:
            self._figures = agreement_blocks(found or {})
        self.query_one("#figures", LineView).renew()

    def action_move(self, by: int) -> None:
        """Move over the conflicts."""
        self._at = min(max(self._at + by, 0), max(0, len(self._conflicts) - 1))
        self.query_one("#conflicts", LineList).put(self._at)

    def action_page(self, by: int) -> None:
        """Scroll the figures."""
        self.query_one("#figures", LineView).scroll_pages(by)

    def action_edge(self, to: int) -> None:
        """To the first or last conflict."""
        self.action_move(to * len(self._conflicts))

    def action_enter(self) -> None:
        """Open the conflict, to give the ruling."""
        if self._conflicts:
            self.session.open_queue("conflicts")
            self.session.show_case(self._conflicts[self._at])
            self.app.switch_mode("review")

    def action_undo(self) -> None:
        """Take the last verdict back."""
        self.app.undo()  # type: ignore[attr-defined]

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """A click moves the cursor, a double click opens."""
        self.action_move(message.position - self._at)
        if message.times > 1:
            self.action_enter()


def agreement_blocks(found: dict[str, Any]) -> tuple[Block, ...]:
    """What `adjudicate agreement --format json` prints, as blocks."""
    kinds = found.get("kinds") or []
    header = ("", "cases", "agree", "pairs", "percent [95 %]", "kappa [95 %]", "alpha [95 %]")
    blocks: list[Block] = [Facts("Agreement", (("", "No case has been judged by two verifiers yet."),))]
    if kinds:
        blocks = [
            Facts("Verifiers", tuple(("", name) for name in found.get("verifiers", ()))),
            Grid("By verdict", header, tuple(_row(kind["kind"] or "all", kind) for kind in kinds)),
        ]
    pairs = found.get("by_pair") or []
    if len(pairs) > 1:
        blocks.append(Grid("Between two", header, tuple(_row(f"{one} and {other}", kind) for one, other, kind in pairs)))
    own = found.get("with_self") or []
    if own:
        lines = tuple(Line((one["verifier"], str(one["repeats"]), str(one["agreed"]), _figure(one["percent"], 1))) for one in own)
        blocks.append(Grid("With oneself, on cases shown again", ("verifier", "repeats", "agree", "percent"), lines))
    return tuple(blocks)


def _row(name: str, kind: dict[str, Any]) -> Line:
    counts = (str(kind[key]) for key in ("cases", "agreed", "pairs"))
    percent = _figure(kind["percent"], 1)
    if kind["percent_low"] is not None:
        percent += f" [{_figure(kind['percent_low'], 1)}, {_figure(kind['percent_high'], 1)}]"
    return Line((name, *counts, percent, _estimate(kind["kappa"], kind["few"]), _estimate(kind["alpha"], kind["few"])))


def _figure(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _estimate(estimate: dict[str, float | None] | None, few: bool) -> str:
    if estimate is None:
        return "–"
    low, high = estimate["low"], estimate["high"]
    unknown = " (too few)" if few else ""
    return _figure(estimate["value"]) + (f" [{_figure(low)}, {_figure(high)}]" if low is not None and high is not None else unknown)
