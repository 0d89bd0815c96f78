"""What the screens have in common: keys from the registry, the head line, the foot, and how text from data gets in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from tui.actions import Action, of_screen
from tui.session import Session
from tui.widgets.drawing import Look, fitted
from tui.widgets.keyline import KeyLine
from tui.widgets.lines import theme_look

Kinded = TypeVar("Kinded", bound=Screen[None])


def with_keys(screen: type[Kinded], keys: Mapping[str, tuple[str, ...]]) -> type[Kinded]:
    """The screen class with its bindings, made from the registry under the keys of a user."""
    bindings: list[BindingType] = [
        Binding(",".join(keys[action.id]), action.call, action.label, show=action.footer, id=action.id, tooltip=action.help)
        for action in of_screen(screen.kind)  # type: ignore[attr-defined]
    ]
    return type(screen.__name__, (screen,), {"BINDINGS": bindings, "__doc__": screen.__doc__, "__module__": screen.__module__})


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
        yield KeyLine(self._footer, self.app.action_keys, id="keys")  # type: ignore[attr-defined]

    def _footer(self) -> tuple[Action, ...]:
        """What the foot offers: what the task has, least of all the verdicts of others."""
        return tuple(action for action in of_screen(self.kind, self.session.task.name) if action.footer)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A verdict that the task does not know is not offered, and its key is free for another."""
        verdicts = self.session.task.verdicts
        if action == "verdict":
            return parameters[0] in verdicts
        if action == "truth":
            return any(verdict.startswith("gt-") for verdict in verdicts)
        if action in ("open_run", "scan", "step", "other_row"):
            return hasattr(self.session.task, "side_by_side")
        return True

    def body(self) -> ComposeResult:
        """The widgets between head and foot."""
        yield from ()

    def head(self, text: str) -> None:
        """Write the head line; data text in it is made visible."""
        self.query_one("#head", Static).update(fitted(text, self.size.width or 80), layout=False)

    def on_screen_resume(self) -> None:
        """A screen that comes back shows what has changed meanwhile."""
        self.another_session()

    def on_resize(self) -> None:
        """Another size draws the head again."""
        self.call_after_refresh(self.refresh_all)

    def refresh_all(self) -> None:
        """Show the session as it is now."""

    def another_session(self) -> None:
        """Another session is shown: another task offers other keys."""
        self.query_one(KeyLine).renew()
        self.refresh_bindings()
        self.refresh_all()

    def settled(self) -> None:
        """Consequences of verdicts were worked out: show them without losing the place."""
        self.refresh_all()
