"""The foot of a screen: its keys, made from the registry, on as many lines as they need. A click is the key."""

from __future__ import annotations

from collections.abc import Callable

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual.widgets import Static

from tui.actions import Action, shown


class KeyLine(Static):
    """Shows the footer actions of a screen, at most `most` lines of them."""

    DEFAULT_CSS = """
    KeyLine { height: auto; max-height: 3; background: $panel; color: $foreground; }
    KeyLine { link-style: none; link-background: $panel; link-color: $foreground; }
    """

    def __init__(self, actions: Callable[[], tuple[Action, ...]], keys: dict[str, tuple[str, ...]], **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._actions, self._keys = actions, keys

    def on_mount(self) -> None:
        """Draw once the width is known."""
        self._draw()

    def on_resize(self) -> None:
        """Another width breaks the lines elsewhere."""
        self._draw()

    def renew(self) -> None:
        """Other actions are offered now."""
        self._draw()

    def _draw(self) -> None:
        width = self.size.width or 80
        text, used = Text(), 0
        for action in self._actions():
            key, label = shown(self._keys[action.id][0]), action.label
            size = cell_len(key) + cell_len(label) + 2
            if used and used + size > width:
                text.append("\n")
                used = 0
            meta = Style.from_meta({"@click": action.call if action.call.startswith("app.") else f"screen.{action.call}"})
            text.append(f"{key} ", Style(bold=True) + meta)
            text.append(f"{label} ", Style(dim=True) + meta)
            used += size
        self.update(text)
