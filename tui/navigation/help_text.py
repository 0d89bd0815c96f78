"""What `?` shows: every act of the screen with its keys, and those of the questions in front of it, from the one registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from tui.keys.actions import ASKED, RUN, Action, of_dialogs, of_screen
from tui.keys.names import shown
from tui.widgets.side_lines import MARKS

INDENT = 16


def help_lines(screen: str, keys: Mapping[str, Sequence[str]], task: str | None = None) -> list[Text]:
    """A line an act under the headings of their groups: what is judged first, what is in front of a screen last."""
    lines: list[Text] = []
    group = ""
    acts: list[Action] = sorted(of_screen(screen, task), key=lambda one: one.group != "Verdicts")
    for action in (*acts, *of_dialogs()):
        if action.group != group:
            group = action.group
            lines += [Text(""), Text("In a question, a list or a form in front of a screen" if group == ASKED else group, "bold")]
        lines.append(Text(f"  {' '.join(shown(key) for key in keys[action.id]):<{INDENT - 2}}{action.help}"))
    if screen == RUN:
        marks = [Text(f"  {mark:<{INDENT - 2}}{meaning}") for mark, meaning in MARKS]
        lines = [Text(""), Text("Marks of a line", "bold"), *marks, *lines]
    return lines[1:]
