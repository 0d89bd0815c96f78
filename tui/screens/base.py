"""What the screens have in common: keys from the registry, the head line, the foot, and how text from data gets in."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from tui.actions import of_screen
from tui.session import Session
from tui.widgets.drawing import Look, fitted
from tui.widgets.keyline import KeyLine
from tui.widgets.lines import theme_look


def bindings_of(screen: str) -> list[BindingType]:
    """The bindings of a screen, made from the registry."""
    return [
        Binding(",".join(action.keys), action.call, action.label, show=action.footer, id=action.id, tooltip=action.help)
        for action in of_screen(screen)
    ]


class BenchScreen(Screen[None]):
    """A screen of the workbench; `kind` names it in the registry."""

    kind = ""
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012

    DEFAULT_CSS = """
    BenchScreen { layout: vertical; }
    BenchScreen #head { height: 1; background: $panel; color: $foreground; text-style: bold; }
    """

    @property
    def session(self) -> Session:
        """The sitting this screen shows."""
        session: Session = self.app.session  # type: ignore[attr-defined]
        return session

    @property
    def look(self) -> Look:
        """The styles of the theme."""
        return theme_look(self.app)

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield from self.body()
        keys = self.app.action_keys  # type: ignore[attr-defined]
        yield KeyLine(tuple(action for action in of_screen(self.kind) if action.footer), keys, id="keys")

    def body(self) -> ComposeResult:
        """The widgets between head and foot."""
        yield from ()

    def head(self, text: str) -> None:
        """Write the head line; data text in it is made visible."""
        self.query_one("#head", Static).update(fitted(text, self.size.width or 80), layout=False)

    def on_screen_resume(self) -> None:
        """A screen that comes back shows what has changed meanwhile."""
        self.refresh_all()

    def on_resize(self) -> None:
        """Another size draws the head again."""
        self.call_after_refresh(self.refresh_all)

    def refresh_all(self) -> None:
        """Show the session as it is now."""

    def settled(self) -> None:
        """Consequences of verdicts were worked out: show them without losing the place."""
        self.refresh_all()
