"""The palette: every act of every screen by its name, and the places to go. Made when it is opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Matcher, Provider
from textual.content import Content

from scoring.texts.forms import visible
from tui.keys.actions import SCREENS, Action, of_screen
from tui.keys.names import shown
from tui.navigation.places import Place, cases_like, places

# Acts of these are done on a screen that is looked at, never from another one.
JUDGING = ("Verdicts", "Batch", "Stale verdicts", "Rules", "Agreement", "Pointing", "Moving")
# How many names are compared before a key may come in between.
_STEP = 100


class PaletteEntry(NamedTuple):
    """An entry of the palette."""

    name: str
    help: str
    run: Callable[[], Any]


class _Named(Provider):
    """Finds entries by their names; names from data are text, and no markup."""

    def entries(self) -> Iterator[PaletteEntry]:
        """What there is."""
        raise NotImplementedError

    def also(self, query: str) -> Iterator[PaletteEntry]:
        """What only the query leads to."""
        yield from ()

    async def discover(self) -> Hits:
        for name, text, run in self.entries():
            yield DiscoveryHit(Content(name), run, name, text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for found in self.also(query):
            yield Hit(1.0, Content(found.name), found.run, found.name, found.help)
        for at, (name, text, run) in enumerate(self.entries()):
            score = matcher.match(name)
            if score > 0:
                yield Hit(score, marked(matcher, name), run, name, text)
            if at % _STEP == _STEP - 1:
                await asyncio.sleep(0)


class ActionCommands(_Named):
    """The acts of the screen, then those of the other screens: these go there, and are done where nothing is judged by them."""

    def entries(self) -> Iterator[PaletteEntry]:
        here, task = getattr(self.screen, "kind", ""), self._task
        keys = self.app.action_keys  # type: ignore[attr-defined]
        for action in of_screen(here, task):
            yield PaletteEntry(_named(action, keys), action.help, self._doing(action))
        others = [screen for screen in SCREENS if screen != here] if here in SCREENS else []
        known = {action.id for action in of_screen(here, task)}
        for screen in others:
            for action in of_screen(screen, task):
                if action.id not in known and action.group != "Pointing":
                    yield PaletteEntry(f"{screen.capitalize()}: {_named(action, keys)}", action.help, self._elsewhere(screen, action))

    @property
    def _task(self) -> str | None:
        session = getattr(self.app, "session", None)
        return session.task.name if session is not None else None

    def _doing(self, action: Action) -> Callable[[], Any]:
        async def do() -> None:
            await self.screen.run_action(action.call)

        return do

    def _elsewhere(self, screen: str, action: Action) -> Callable[[], Any]:
        app = self.app

        async def go() -> None:
            await app.switch_mode(screen)
            if action.group in JUDGING:
                key = shown(app.action_keys[action.id][0])  # type: ignore[attr-defined]
                app.notify(f"{key} is `{action.label}` here. {action.help}", markup=False)
            else:
                app.call_after_refresh(app.screen.run_action, action.call)

        return go


class PlaceCommands(_Named):
    """Queues, pages, cells, runs; and cases by the beginning of their ids."""

    def entries(self) -> Iterator[PaletteEntry]:
        yield from map(self._to, places(self.app.session))  # type: ignore[attr-defined]

    def also(self, query: str) -> Iterator[PaletteEntry]:
        yield from map(self._to, cases_like(self.app.session, query.lower().removeprefix("go to ").removeprefix("case ")))  # type: ignore[attr-defined]

    def _to(self, place: Place) -> PaletteEntry:
        app = self.app
        return PaletteEntry(visible(f"go to {place.name}"), visible(place.help), lambda: app.go_to(place))  # type: ignore[attr-defined]


def marked(matcher: Matcher, name: str) -> Content:
    """The name with what the query found in it marked."""
    content = Content(name)
    for offset in matcher.fuzzy_search.match(matcher.query, name)[1]:
        if not name[offset].isspace():
            content = content.stylize(matcher.match_style, offset, offset + 1)
    return content


def _named(action: Action, keys: dict[str, tuple[str, ...]]) -> str:
    return f"{action.label} ({' '.join(shown(key) for key in keys[action.id])})"
