"""What the screens have in common: keys from the registry, the head line, the foot, and how text from data gets in."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import Static

from scoring.foundations.problems import InputError
from scoring.tasks import ComparesRunPages
from scoring.texts.forms import visible
from tui.bench.offered_actions import offered
from tui.bench.session import Session
from tui.keys.actions import LINES, VALUE, Action, of_screen
from tui.navigation.places import find_place
from tui.screens.key_buffer import asks
from tui.widgets.drawing import DrawingStyles, fitted
from tui.widgets.keyline import KeyLine
from tui.widgets.lines import theme_look

Kinded = TypeVar("Kinded", bound=Screen[None])


def bindings_of(screen: str, keys: Mapping[str, tuple[str, ...]]) -> list[BindingType]:
    """The bindings of a screen or dialog, made from the registry under the keys of a user."""
    return [
        Binding(
            ",".join(keys[action.id]),
            action.call,
            action.label,
            show=action.footer,
            id=action.id,
            tooltip=action.help,
            # What lines of text are taken with would else be typed into them.
            priority=screen == LINES and action.call == "take",
        )
        for action in of_screen(screen)
        # Bound, Enter would come before the letters typed in front of it; the line itself takes it.
        if not (screen == VALUE and action.call == "take")
    ]


def with_keys(screen: type[Kinded], keys: Mapping[str, tuple[str, ...]]) -> type[Kinded]:
    """The screen class with its bindings."""
    bindings = bindings_of(screen.kind, keys)  # type: ignore[attr-defined]
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
    def look(self) -> DrawingStyles:
        """The styles of the theme."""
        return theme_look(self.app)

    def compose(self) -> ComposeResult:
        yield Static("", id="head", markup=False)
        yield from self.body()
        yield KeyLine(self._footer, self.app.action_keys, id="keys")  # type: ignore[attr-defined]

    def _footer(self) -> tuple[Action, ...]:
        """What the foot offers: what the task has and can be done now, least of all the verdicts of others."""
        known = of_screen(self.kind, self.session.task.name)
        return offered((action for action in known if self.knows(action)), self.session, self.kind)

    def knows(self, action: Action) -> bool:
        """Whether the task at hand has the act."""
        name, _, parameters = action.call.partition("(")
        return self.check_action(name, tuple(part.strip(" '") for part in parameters.rstrip(")").split(","))) is not False

    def renew_keys(self) -> None:
        """Show at the foot what can be done now."""
        with suppress(NoMatches):
            self.query_one("#keys", KeyLine).renew()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A verdict that the task does not know is not offered, and its key is free for another."""
        verdicts = self.session.task.verdicts
        if action == "verdict":
            return parameters[0] in verdicts
        if action == "truth":
            return any(verdict.startswith("gt-") for verdict in verdicts)
        if action in ("open_run", "scan", "step", "other_row"):
            return isinstance(self.session.task, ComparesRunPages)
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
        self.call_after_refresh(self.renew_keys)

    def refresh_all(self) -> None:
        """Show the session as it is now."""

    def another_session(self) -> None:
        """Another session is shown: another task offers other keys."""
        self.renew_keys()
        self.refresh_bindings()
        self.refresh_all()

    def settled(self) -> None:
        """Consequences of verdicts were worked out: show them without losing the place."""
        self.refresh_all()

    # Places to go to

    def place(self) -> dict[str, object]:
        """Where the person is on this screen, beyond what the session knows: for the next sitting."""
        return {}

    def return_to(self, place: Mapping[str, object]) -> None:
        """Go where `place` told of, as far as it is still there."""

    @property
    def run_shown(self) -> str | None:
        """The run that this screen shows, if it shows one."""
        return None

    @asks
    async def action_jump(self) -> None:
        """Go to a place by its name."""
        from tui.screens.dialogs import AskText

        queues = ", ".join(self.session.task.queues)
        hint = f"A case (the beginning of its id), a page, one of the queues {queues}, a cell, a run, or a run and a page."
        text = await self.app.push_screen_wait(AskText("Go to", hint=hint))
        if not text or not text.strip():
            return
        try:
            found = find_place(self.session, text, run=self.run_shown)
        except InputError as fault:
            self.refuse(fault)
            return
        self.app.go_to(found)  # type: ignore[attr-defined]

    def refuse(self, fault: InputError) -> None:
        """Say why something was not done."""
        self.app.notify(visible(str(fault)), severity="error", markup=False)
        self.app.bell()
