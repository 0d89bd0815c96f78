"""Looking closer at the case: its characters by name, the scan of its page, its run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from scoring.adjudication.cases import Block
from scoring.adjudication.characters import Character, character, names_of, notable, texts_of
from scoring.foundations.problems import InputError
from scoring.tasks import ComparesRunPages, OpensDesk
from scoring.texts.forms import visible
from tui.bench.case_view import HIDDEN
from tui.screens.dialogs import Pages
from tui.screens.review.case_screen import CaseScreen
from tui.widgets.case_view import CaseView
from tui.widgets.drawing import DrawingStyles


class InspectionActions(CaseScreen):
    """The looking acts of the Review screen."""

    def action_scroll_case(self, by: int) -> None:
        """Scroll the case."""
        self.query_one(CaseView).scroll_pages(by * 0.5)

    def action_enter(self) -> None:
        """See the case in its run, or a record at its desk."""
        case, task = self.session.current, self.session.task
        if case is not None and isinstance(task, OpensDesk):
            self.app.open_desk(task.desk(self.session.evaluation, case))  # type: ignore[attr-defined]
        else:
            self.action_open_run()

    def action_open_run(self) -> None:
        """See the case in its run and page, side by side."""
        case = self.session.current
        if self.session.blind and isinstance(self.session.task, ComparesRunPages):
            self.say(f"The run is {HIDDEN}.")
        elif case is not None and case.occurrences and isinstance(self.session.task, ComparesRunPages):
            occurrence = case.occurrences[self.session.occurrence]
            self.app.show_run(occurrence.run, case.page, case.id)  # type: ignore[attr-defined]

    def action_scan(self) -> None:
        """Open the scan of the page, or the line of it, outside."""
        case = self.session.current
        if case is None:
            return
        shown = case.occurrences[self.session.occurrence].targets if case.occurrences else ()
        # The line of the row picked, else of the one asked about, else of the one proposed, unless that is hidden.
        rows = (*reversed(self.session.picked), *shown, *self.session.shown(case).targets)
        row = next((target for target in rows if target.startswith("gt:")), None)
        number = int(row.rsplit(":", 1)[1]) if row is not None else None
        try:
            self.say(self.app.open_scan(case.page, number))  # type: ignore[attr-defined]
        except InputError as fault:
            self.refuse(fault)

    def action_invisible(self) -> None:
        """Name the characters of the case by their code points, and those that are not what they seem."""
        case = self.session.current
        if case is not None:
            blocks = [*self.session.evidence(), *self.query_one(CaseView).later]
            self.app.push_screen(Pages("Characters", list(character_lines(blocks, case.title, self.look))))


def character_lines(blocks: Sequence[Block], title: str, look: DrawingStyles) -> Iterator[Text]:
    """What is invisible or alike on a case and where it stands, then the characters of its names, one a line."""
    texts = list(texts_of(blocks)) or [("case", title)]
    found: dict[Character, list[str]] = {}
    for where, text in texts:
        for one in notable(text):
            found.setdefault(one, []).append(where)
    yield Text("Invisible, combined or alike", look.title)
    for one, places in found.items():
        yield Text(f"{one.glyph:>6}  {one.name}: {one.note}").append(f"  in {_places(places)}", look.faint)
    if not found:
        yield Text("  none, in any text of this case", look.faint)
    for where, text in dict.fromkeys(names_of(blocks)) or [("case", title)]:
        yield Text("")
        yield Text(visible(f"{where}: {text}"), look.title)
        for glyph in text:
            known = character(glyph)
            yield Text(f"{known.glyph:>6}  {known.name}").append(f"  {known.note}" if known.note else "", look.doubtful)
    others = [(where, text) for where, text in texts if not text.isascii()]
    if others:
        yield Text("")
        yield Text("Every text that is not plain ASCII", look.title)
        for where, text in others:
            codes = ", ".join(f"{known.glyph} {known.name}" for known in map(character, dict.fromkeys(text)) if not known.glyph.isascii())
            yield Text(f"  {visible(text)}").append(f"  {codes}  ({visible(where)})", look.faint)


def _places(places: Sequence[str]) -> str:
    """Where something stands, in few words."""
    shown = visible("; ".join(dict.fromkeys(places[:3])))
    return f"{shown} and {len(places) - 3} more" if places[3:] else shown
