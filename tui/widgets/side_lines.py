"""One page of one run side by side, as lines: what the Run screen and `adjudicate show RUN PAGE` draw."""

from __future__ import annotations

from collections.abc import Mapping

from rich.text import Text

from scoring.adjudication.cases import Case
from scoring.foundations.wording import similarity_text
from scoring.tables.display.side_by_side import SideBySide, SideLine
from tui.widgets.drawing import DrawingStyles, fitted

LEGEND = "= matched  ~ below gate  ! missed  + surplus  ● decided  ○ open  fields: = ~ ≠ ·"
"""The marks of a line in one line of 80 cells; `MARKS` says more."""
MARKS = (
    ("=", "matched: the model row is that GT row"),
    ("~", "below the gate: the nearest pair, and no match"),
    ("!", "missed: no model row is left for the GT row"),
    ("+", "surplus: no GT row is left for the model row"),
    ("●", "a verdict stands behind the line"),
    ("○", "a case asks about the line, which Enter opens"),
    ("= ~ ≠ ·", "one a field: equal, partly, wrong, not scored"),
)

STATUS = {"matched": "=", "below_gate": "~", "missed": "!", "surplus": "+"}


def widths_of(width: int, fields: int) -> tuple[int, int]:
    """The widths of the two names on a line of `width` cells that ends with so many marks of fields."""
    room = max(16, width - 22 - fields)
    return room // 2, room - room // 2


def side_header(width: int, fields: int) -> str:
    """What stands over the lines."""
    gt, model = widths_of(width, fields)
    return f"   {'GT':>3} {fitted('ground truth', gt)} {'row':>3} {fitted('model', model)} {'sim':>5} {'ed':>2} fields"


def side_line(line: SideLine, cases: Mapping[str, Case], width: int, fields: int, look: DrawingStyles, gate: float | None = None) -> Text:
    """A line: `=` matched, `~` below the gate, `!` missed, `+` surplus; `●` decided, `○` a case asks about it."""
    gt, model = widths_of(width, fields)
    style = {"matched": look.good, "below_gate": look.doubtful, "missed": look.bad, "surplus": look.doubtful}[line.status]
    asked = line.case is not None and cases[line.case].status != "decided"
    text = Text()
    text.append(f"{STATUS[line.status]}{'●' if line.decided else '○' if asked else ' '} ", style)
    text.append(f"{line.gt or '':>3} {fitted(line.gt_text, gt)} {line.model or '':>3} {fitted(line.model_text, model)}")
    if line.status == "surplus":
        text.append(f" {line.label}", style)
    else:
        similarity = "" if line.similarity is None else similarity_text(line.similarity, gate)
        text.append(f" {similarity:>5} {'' if line.edits is None else line.edits:>2} {line.fields}")
    return text


def books_line(shown: SideBySide) -> str:
    """The books of the page and whether it is done; of a page without figures, why it has none."""
    if shown.books is None:
        return f"page {shown.status}: {fitted(shown.error, 200).strip() or 'no answer'}; it counts in no figure"
    return f"{shown.books.sentence()}   {shown.books.state()}"
