"""The foot of a screen: its keys, made from the registry, on as many lines as it has. A click is the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.events import Resize
from textual.widgets import Static

from tui.keys.actions import Action
from tui.keys.names import shown

# How many lines the foot has on a screen of at least so many.
LINES = ((30, 3), (18, 2), (0, 1))
Entry = tuple[str, str, str]
"""The key as shown, the label, and the action a click runs (empty: none)."""


class KeyLine(Static):
    """Shows the acts that are offered, most needed first; the last entry says how many more the help lists."""

    DEFAULT_CSS = """
    KeyLine { height: auto; max-height: 3; background: $panel; color: $foreground; }
    KeyLine { link-style: none; link-background: $panel; link-color: $foreground; }
    """

    def __init__(self, actions: Callable[[], Sequence[Action]], keys: Mapping[str, Sequence[str]], **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._actions, self._keys = actions, keys
        self._drawn: tuple[object, ...] = ()
        self._lines = 0

    def on_mount(self) -> None:
        """Draw once the width is known."""
        self.renew()

    def on_resize(self, _: Resize) -> None:
        """Another width breaks the lines elsewhere."""
        self.renew()

    def renew(self) -> None:
        """Show the acts that are offered now; nothing is drawn where they are those shown already."""
        width = self.size.width or self.app.size.width or 80
        most = next(lines for height, lines in LINES if self.app.size.height >= height)
        acts = tuple(self._actions())
        if self._drawn == (width, most, acts):
            return
        self._drawn = (width, most, acts)
        lines = laid_out(entries_of(acts, self._keys), width, most)
        text = Text()
        for at, line in enumerate(lines):
            text.append("\n" if at else "")
            for key, label, call in line:
                meta = Style.from_meta({"@click": call if call.startswith("app.") else f"screen.{call}"}) if call else Style()
                text.append(f"{key} ", Style(bold=True) + meta)
                text.append(f"{label} ", Style(dim=True) + meta)
        # The screen is laid out anew only where the foot grows or shrinks.
        self.update(text, layout=len(lines) != self._lines)
        self._lines = len(lines)


def entries_of(actions: Sequence[Action], keys: Mapping[str, Sequence[str]]) -> list[Entry]:
    """What the foot shows of acts. Acts that are numbered share one entry where their keys are the digits."""
    found: list[Entry] = []
    for action in actions:
        name, _, number = action.id.rpartition(".")
        if number.isdecimal() and keys[action.id][0] == number:
            if number == "1":
                digits = [one for one in actions if one.id.startswith(f"{name}.") and keys[one.id][0] == one.id.rpartition(".")[2]]
                found.append((f"1-{len(digits)}" if len(digits) > 1 else "1", action.label.rpartition(" ")[0], ""))
            continue
        found.append((shown(keys[action.id][0]), action.label, action.call))
    return found


def laid_out(entries: Sequence[Entry], width: int, most: int) -> list[list[Entry]]:
    """The entries on at most `most` lines of `width` cells; where not all fit, the help's entry comes last and counts the others."""
    lines = _filled(entries, width, most, 0)
    if sum(map(len, lines)) == len(entries):
        return lines
    at = next((at for at, entry in enumerate(entries) if entry[2] == "app.help"), None)
    if at is None:
        return lines
    key, _, call = entries[at]
    others = [*entries[:at], *entries[at + 1 :]]
    reserved = cell_len(key) + len(f" {len(others)} more ")
    lines = _filled(others, width, most, reserved) or [[]]
    lines[-1].append((key, f"{len(others) - sum(map(len, lines))} more", call))
    return lines


def _filled(entries: Sequence[Entry], width: int, most: int, reserved: int) -> list[list[Entry]]:
    """Entries in order, as many as there is room for; `reserved` cells of the last line are left free."""
    lines: list[list[Entry]] = []
    used = 0
    for entry in entries:
        size = cell_len(entry[0]) + cell_len(entry[1]) + 2
        room = width - (reserved if len(lines) == most else 0)
        if not lines or (used + size > room and len(lines) < most):
            lines.append([])
            used = 0
            room = width - (reserved if len(lines) == most else 0)
        if used + size > room and (used or reserved):
            break
        lines[-1].append(entry)
        used += size
    return lines
