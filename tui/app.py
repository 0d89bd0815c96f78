"""The Textual app: a factory and wiring, nothing else. Screens draw the session, the registry gives the keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual import work
from textual.events import Event, Key
from textual.timer import Timer

from scoring.adjudication.decisions import LogEntry
from scoring.adjudication.log.write import Log, checked_verifier
from scoring.foundations.memory import collect_again, keep_garbage, let_go, set_aside
from scoring.foundations.problems import InputError
from scoring.tasks import tasks_in
from scoring.workspace.layout import open_workspace
from tui.bench.idle_bands import IdleBands
from tui.bench.opening import open_session, sound_log
from tui.bench.position.autosave import EVERY, PlaceSaver
from tui.bench.position.saved_position import RULES_FILE, keep_place, place_of, read_sitting, restamped, resume, return_to, stamp
from tui.bench.rules.rulebook import drafts_left
from tui.bench.session import Session
from tui.bench.verdict_text import undone_in_words
from tui.environment.theme import change_mode, wanted_theme
from tui.environment.user_settings import remember
from tui.keys.actions import OVERVIEW, SCREENS
from tui.keys.names import shown
from tui.keys.user_keys import changed, with_keymap
from tui.navigation.palette import ActionCommands, PlaceCommands
from tui.screens import screen_named
from tui.screens.base import BenchScreen, with_keys
from tui.screens.dialogs import AskText, Pages
from tui.screens.key_buffer import KeyBufferApp, asks

if TYPE_CHECKING:
    from tui.navigation.places import Place

NAMING = "Letters, digits, - and _. It names your log file."
LOOK = f"{NAMING} You are asked once; left, you can look around, and the first verdict asks again."
# Consequences are worked out a slice of seconds at a time, once no key has come for so long.
SLICE, REST = 0.005, 0.12
WATCH = 2.0


class Workbench(KeyBufferApp):
    """The workbench on one session.

    Consequences of verdicts are worked out when the keys rest, in short slices, so that no key waits.
    """

    TITLE = "adjudicate"
    DEFAULT_MODE = "overview"
    # Textual would bind a key of its own to the palette, before all others; the registry names the keys.
    ENABLE_COMMAND_PALETTE = False
    COMMANDS = {ActionCommands, PlaceCommands}  # noqa: RUF012

    def __init__(
        self,
        session: Session,
        workspace: Path,
        *,
        keymap: Mapping[str, str] | None = None,
        start: str = "overview",
        theme: str | None = None,
        ask: bool = False,
    ) -> None:
        self.session = session
        self.workspace = workspace
        self.workspace_name = workspace.resolve().name
        self.action_keys = with_keymap(keymap or {})
        # Textual opens this mode's screen first, and no other screen is worked out before it.
        self.DEFAULT_MODE = start  # type: ignore[misc]
        self._others: dict[str, Session] = {}
        self._stamp: frozenset[tuple[str, int, int]] | None = None
        self._reading = self._reading_wanted = False
        # How often everything was read again; whether a screen is writing the rules; the row the Rules screen is to go to.
        self.readings = 0
        self.writing_rules = False
        self.rule_wanted: str | None = None
        self._ask = ask
        self._keeper = PlaceSaver(workspace)
        self.bands = IdleBands(self)
        super().__init__()
        self.use_command_palette = True
        self.set_keymap(changed(self.action_keys))
        self._theme_wanted = wanted_theme(self, theme)
        for kind in SCREENS:
            # What a start waits for is its first screen: the others are imported and made when they are first shown.
            self.add_mode(kind, partial(self._made, kind))
        self._timer: Timer | None = None
        self._last_key = 0.0
        self._told = False

    def _made(self, kind: str) -> BenchScreen:
        return with_keys(screen_named(kind), self.action_keys)()

    async def on_event(self, event: Event) -> None:
        """Note when the last key came; what was told before it has been seen, and would lie over the next case."""
        if isinstance(event, Key) and not event.is_forwarded:
            self._last_key = time.monotonic()
            if self._told:
                self._told = False
                self.clear_notifications()
        await super().on_event(event)

    def notify(self, *args: Any, **options: Any) -> None:
        """Tell something beside the screen, until the next key."""
        self._told = True
        super().notify(*args, **options)

    def on_mount(self) -> None:
        """Open the first screen."""
        set_aside()
        self.theme = self._theme_wanted
        self.set_interval(WATCH, self._watch)
        self.set_interval(EVERY, self._keep)
        if self._ask:
            self._introduce()

    def on_unmount(self) -> None:
        """Nothing more is worked out."""
        self.bands.forget()
        collect_again(self)

    def on_ready(self) -> None:
        """Go on where one stopped on the screen itself."""
        kept = read_sitting(self.workspace, self.session.verifier)
        place = kept["places"].get(self.session.task.name)
        shown = place.get("shown") if isinstance(place, dict) else None
        if kept.get("screen") == self.current_mode and isinstance(shown, dict) and isinstance(self.screen, BenchScreen):
            self.screen.return_to(shown)
            self.screen.refresh_all()

    # The place, and who is here

    @property
    def _shown(self) -> dict[str, object]:
        below = self.screen_stack[0] if self.screen_stack else None
        return below.place() if isinstance(below, BenchScreen) else {}

    def _keep(self) -> None:
        """Write the place down when keys rest: in a thread, so that no key waits for the disk."""
        kept = self._keeper.due(self.session, self.current_mode, self._shown, now=time.monotonic(), last_key=self._last_key)
        if kept is not None:
            self.run_worker(asyncio.to_thread(self._keeper.write, kept), group="place", exit_on_error=False)

    @asks
    async def _introduce(self) -> None:
        """Ask at the first start who is there; whoever only wants to look around is asked again at the first verdict alone."""
        self._ask = False
        if not await self.ask_verifier(LOOK):
            remember(verifier="")
            return
        resume(self.workspace, self.session)
        if isinstance(self.screen, BenchScreen):
            self.screen.another_session()

    # Files that change, tasks that change

    @work(exclusive=True, group="watch", exit_on_error=False)
    async def _watch(self) -> None:
        """Look whether files changed on disk; what others wrote, or we in another terminal, is taken in, and the place is kept."""
        if time.monotonic() - self._last_key < REST or self.writing_rules:
            return
        log, known = self.session.log, self._stamp
        appended = log.appended if log is not None else 0
        found = await asyncio.to_thread(stamp, self.workspace)
        if self.writing_rules or self._stamp is not known:
            # A screen writes the rules, or has just written them: no news, and the next look tells what is.
            return
        if log is not self.session.log or (log is not None and log.appended != appended):
            # A verdict was given while we looked: the next look tells it from what came from elsewhere.
            return
        own = log.path.relative_to(self.workspace).as_posix() if log is not None else None
        now = frozenset((name, 0, size - appended) if name == own else (name, at, size) for name, at, size in found)
        before, self._stamp = self._stamp, now
        if before is not None and before != now:
            changed = sorted({one[0] for one in before ^ now})
            self._others.clear()
            if all(name.startswith("adjudications/") for name in changed) and await self._take_in_others():
                return
            self.notify(f"changed on disk: {', '.join(changed[:3])}{' …' if len(changed) > 3 else ''}; reading again", markup=False)
            # Not here: the next look, two seconds on, would end a reading that takes longer.
            self._reload_soon()

    async def _take_in_others(self) -> bool:
        """Let verdicts count that others wrote meanwhile; whether that was all that happened to the log."""
        try:
            contents = await asyncio.to_thread(lambda: sound_log(open_workspace(self.workspace)))
        except InputError as fault:
            self.notify(f"{fault} What is shown is as it was before.", severity="error", markup=False, timeout=10)
            return True
        known = self.session.decisions
        there = {entry.id for entry in contents.entries}
        if any(entry.id not in there for entry in known.entries):
            return False
        new = [entry for entry in contents.entries if known.entry(entry.id) is None]
        if new:
            self.session.take_in(new)
            whose = ", ".join(sorted({entry.verifier for entry in new}))
            self.notify(f"{len(new)} verdict{'s' if len(new) > 1 else ''} of {whose} taken in", markup=False)
            self.work_soon()
        return True

    def rules_changed(self) -> None:
        """The rules were written by a screen: read and score again, and do not tell of it as of another's change."""
        self._others.clear()
        if self._stamp is not None:
            self._stamp = restamped(self.workspace, self._stamp, RULES_FILE)
        self._reload_soon()

    def action_reload(self) -> None:
        """Read everything again."""
        self._reload_soon()

    def _reload_soon(self) -> None:
        """Read everything again, once more where that is going on already: a reading begun before the change may have missed it."""
        self._reading_wanted = True
        if not self._reading:
            self._read_again()

    @work(group="reading", exit_on_error=False)
    async def _read_again(self) -> None:
        self._reading = True
        try:
            while self._reading_wanted:
                self._reading_wanted = False
                await self._reload(self.session.task.name)
        finally:
            self._reading = False

    async def _reload(self, task: str) -> None:
        old, known = self.session, self.session.decisions.greatest_id
        keep_place(self.workspace, old)
        try:
            fresh = await asyncio.to_thread(open_session, self.workspace, old.verifier, task=task, blind=old.blind)
        except InputError as fault:
            self.notify(f"{fault} What is shown is as it was before.", severity="error", markup=False, timeout=10)
            return
        if self.session is not old:
            # Another task was opened meanwhile: it is that one which is to be read.
            self._reading_wanted = True
            return
        # Verdicts were perhaps given while everything was read again.
        fresh.continue_from(old, known)
        return_to(fresh, {**place_of(old), "occurrence": 0, "picked": [], "seed": 0})
        fresh.keep_pointing(old)
        self._take(fresh)
        gone: list[object] = [old]
        del old, fresh
        await asyncio.to_thread(let_go, gone)

    def _take(self, session: Session) -> None:
        if self.session.log is not None:
            session.log = self.session.log
        self.session = session
        self.bands.forget()
        self.readings += 1
        if isinstance(self.screen, BenchScreen):
            self.screen.another_session()

    @work(exclusive=True, group="reload", exit_on_error=False)
    async def action_next_task(self) -> None:
        """Change to the next task the workspace has material for."""
        names = [task.name for task in tasks_in(open_workspace(self.workspace))]
        here = self.session.task.name
        if len(names) < 2:
            self.notify(f"This workspace has material for {here} alone.", markup=False)
            return
        name = names[(names.index(here) + 1) % len(names)]
        keep_place(self.workspace, self.session)
        self._others[here] = self.session
        known = self._others.pop(name, None)
        if known is None:
            self.notify(f"opening {name} …", markup=False, timeout=2)
            try:
                known = await asyncio.to_thread(open_session, self.workspace, self.session.verifier, task=name, blind=self.session.blind)
                resume(self.workspace, known)
            except InputError as fault:
                self.notify(str(fault), severity="error", markup=False, timeout=10)
                return
            if self.session.seed:
                known.order_by_seed(self.session.seed)
        self._take(known)
        self.switch_mode("overview")

    def open_desk(self, database: Path) -> None:
        """Leave the terminal to the Records desk on a database, and read everything again when it is closed."""
        from tui.screens.review.external_programs import open_desk

        open_desk(self, self.workspace, self.session.verifier, database)
        self._reload_soon()

    def action_leave(self) -> None:
        """Leave, remembering the place."""
        self._keeper.keep(self.session, self.current_mode, self._shown)
        self.exit()

    async def action_quit(self) -> None:
        """Textual's own key to quit leaves in the same way."""
        self.action_leave()

    # Consequences

    def work_soon(self) -> None:
        """Work out consequences when no key is waiting."""
        if self._timer is None and self.session.unsettled:
            self._timer = self.set_timer(REST, self._work)

    def _work(self) -> None:
        self._timer = None
        if not self.screen_stack:
            # On the way out: what is in the log is worked out at the next start.
            return
        if time.monotonic() - self._last_key < REST:
            self.work_soon()
            return
        # Consequences make many values that stay: a search for garbage among them would be the longest wait of all, so there is
        # none until they are done, and then they are set aside as loaded.
        keep_garbage(self)
        changed = self.session.settle(SLICE)
        if changed and isinstance(self.screen, BenchScreen):
            self.screen.settled()
        if self.session.unsettled:
            self._timer = self.set_timer(0.001, self._work)
        else:
            set_aside()
            collect_again(self)

    # What several screens offer

    def action_show(self, mode: str) -> None:
        """Change to another screen."""
        self.switch_mode(mode)

    def show_run(self, run: str | None, page: str | None, case: str | None = None) -> None:
        """See a page of a run side by side; what is not named is as it was there, or the first."""
        self.switch_mode("run")

        def place() -> None:
            from tui.screens.run import RunScreen

            if isinstance(self.screen, RunScreen):
                self.screen.show_place(run, page, case)

        self.call_after_refresh(place)

    def go_to(self, place: Place) -> None:
        """Go to a place by name."""
        if place.screen == "run":
            self.show_run(place.run, place.page)
            return
        if place.queue is not None:
            self.session.open_queue(place.queue)
        elif place.case is not None:
            self.session.show_case(place.case)
        elif place.page is not None:
            self.session.show_case(self.session.case_or_page(place.page).id)
        self.switch_mode(place.screen)
        if isinstance(self.screen, BenchScreen):
            self.call_after_refresh(self.screen.another_session)

    def action_change_mode(self) -> None:
        """Between dark and light; the next start is so too."""
        change_mode(self)
        if isinstance(self.screen, BenchScreen):
            self.screen.refresh_all()

    def action_help(self) -> None:
        """All keys of the screen."""
        from tui.navigation.help_text import INDENT, help_lines

        kind = getattr(self.screen, "kind", OVERVIEW)
        self.push_screen(Pages("Keys", help_lines(kind, self.action_keys, self.session.task.name), indent=INDENT))

    def undone_in_words(self, undone: Sequence[LogEntry]) -> str:
        """What an undo took back, and what it did not: the OPEN row that an `equivalent` had drafted, where the Rules screen goes next."""
        said = undone_in_words(undone)
        left = drafts_left(open_workspace(self.workspace), undone, self.session.decisions)
        for row, name in left:
            self.rule_wanted = name
            keys = [shown(self.action_keys[action][0]) for action in ("screen.rules", "rule.remove")]
            said += f"; its OPEN row `{row.form}` = `{row.canonical}` stays: {keys[0]} goes there, {keys[1]} removes it"
        return said

    def undo(self) -> None:
        """Take the last verdict back, from any screen."""
        try:
            undone = self.session.undo() if self.session.log is not None else ()
        except InputError as fault:
            self.notify(str(fault), severity="error", markup=False)
            return
        self.notify(self.undone_in_words(undone), markup=False, timeout=4)
        self.work_soon()
        if isinstance(self.screen, BenchScreen):
            self.screen.refresh_all()

    def action_undo(self) -> None:
        """Take the last verdict back."""
        self.undo()

    def open_scan(self, page: str, row: int | None) -> str:
        """Open the scan of a page, or its line where boxes are given, outside; what was done, in words."""
        from tui.screens.review.external_programs import open_scan

        return open_scan(self, self.workspace, page, row)

    async def ask_verifier(self, hint: str = NAMING) -> bool:
        """Ask who gives the verdicts; whether there is one now."""
        while self.session.log is None:
            name = await self.push_screen_wait(AskText("Who are you?", hint=hint))
            if not name:
                return False
            try:
                self.session.log = Log.open(self.workspace / "adjudications", checked_verifier(name.strip()))
            except InputError as fault:
                hint = str(fault)
        remember(verifier=self.session.log.verifier)
        if self.session.blind:
            # Until now nobody's verdicts counted; the verifier's own do.
            self._reload_soon()
        return True


def make_app(
    session: Session,
    workspace: Path,
    *,
    keymap: Mapping[str, str] | None = None,
    start: str = "overview",
    theme: str | None = None,
    ask: bool = False,
) -> Workbench:
    """The app on a session: the same for the command, for tests and for a browser. `ask`: at the start, who is there.

    Raises:
        InputError: the key map is faulty, or there is no such theme.
    """
    return Workbench(session, workspace, keymap=keymap, start=start, theme=theme, ask=ask)
