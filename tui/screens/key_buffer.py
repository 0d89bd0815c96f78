"""Keys typed faster than a dialog opens, or closes: each is worked on before the next, and goes where it was meant to go.

Textual hands a key to the screen in front when it reads the key, and there it waits in a queue: of the screen, or of the field that
has the focus. So keys behind the one that opens a dialog would be lost, or fire what the screen behind it does with them; keys behind
the Enter that ends a line would be typed into a line that is gone. The app therefore works on the keys of such dialogs itself.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec

from textual.app import App
from textual.css.query import DOMQuery
from textual.dom import DOMNode
from textual.events import Event, Key, Paste
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, TextArea

Given = ParamSpec("Given")
if TYPE_CHECKING:
    _Mixin = Screen[Any]
else:
    # Textual leaves out the style sheets of a dialog's other bases if this mixin is a screen.
    _Mixin = object


class TextDialog(_Mixin):
    """To be mixed into a dialog with one field to type into."""

    AUTO_FOCUS: ClassVar[str | None] = ""
    ready = False
    _followed = ""

    def on_mount(self) -> None:
        """Take what was typed before the field was there, and go on."""
        self.set_focus(self.field)
        self._followed = self._typed_text
        app = _app_of(self)
        app.call_later(app.type_held, self)

    @property
    def field(self) -> Input | TextArea:
        """What is typed into."""
        lines: DOMQuery[Input] = self.query(Input)
        return lines.first() if lines else self.query_one(TextArea)

    @property
    def _typed_text(self) -> str:
        field = self.field
        return field.value if isinstance(field, Input) else field.text

    async def take(self, event: Key | Paste) -> None:
        """Do what a key is for, at once and in the order they come."""
        # Its journey ends here: come back through the parents of the field, it would be typed once more.
        event.stop()
        field = self.field
        if isinstance(event, Key) and event.key == "enter" and isinstance(field, Input):
            self.entered(field.value)
        elif isinstance(event, Paste) or event.is_printable or event.key == "enter":
            await field.on_event(event)
            self._follow()
        else:
            # As Textual does with a key that no field has taken, without its journey through the queues.
            await self.app._check_bindings(event.key, priority=True) or await self.app._check_bindings(event.key)
            self._follow()

    def on_input_changed(self) -> None:
        """What a mouse has changed is followed as well."""
        self._follow()

    def on_text_area_changed(self) -> None:
        """As on a line."""
        self._follow()

    def _follow(self) -> None:
        if self.is_current and self._typed_text != self._followed:
            self._followed = self._typed_text
            self.follow(self._followed)

    def follow(self, text: str) -> None:
        """The text is another than it was; told at once, so that the key behind it meets what it has led to."""

    def entered(self, text: str) -> None:
        """The line typed was ended by Enter."""


Act = Callable[Concatenate[Any, Given], Coroutine[Any, Any, None]]


def asks(act: Act[Given]) -> Callable[Concatenate[Any, Given], None]:
    """An act of a screen or of the app that asks something, as a worker: what is typed before the question is there is its answer.

    What is typed behind the last answer waits until the act is done.
    """

    async def asking(node: DOMNode, *args: Given.args, **options: Given.kwargs) -> None:
        try:
            await act(node, *args, **options)
        finally:
            _app_of(node).asked()

    @wraps(act)
    def begin(node: DOMNode, /, *args: Given.args, **options: Given.kwargs) -> None:
        _app_of(node).asking()
        node.run_worker(asking(node, *args, **options))

    return begin


class KeyBufferApp(App[None]):
    """To be mixed into an app that has such dialogs, and acts that ask."""

    _held: tuple[Key | Paste, ...] = ()
    _asking = 0
    _typing_on = False

    async def on_event(self, event: Event) -> None:
        """Give what is typed to the dialog in front, or hold it for the one to come."""
        if not (isinstance(event, Key | Paste) and not event.is_forwarded and await self._typed(event)):
            await super().on_event(event)

    async def on_key(self, event: Key) -> None:
        """A key that was read before the dialog was in front comes back from the screen behind it."""
        if await self._typed(event):
            event.prevent_default()

    def asking(self) -> None:
        """An act has begun that asks something."""
        self._asking += 1

    def asked(self) -> None:
        """The act is done, whether it asked or not."""
        self._asking -= 1
        self.call_later(self._type_on)

    def push_screen(self, *args: Any, **options: Any) -> Any:
        """As ever; a question that is answered by single keys takes those that were held."""
        pushed = super().push_screen(*args, **options)
        if not isinstance(self.screen, TextDialog):
            self.call_later(self._type_on)
        return pushed

    async def type_held(self, dialog: TextDialog) -> None:
        """The dialog is there: type what was held for it."""
        dialog.ready = True
        await self._type_on()

    async def _typed(self, event: Key | Paste) -> bool:
        """Give an event to the dialog in front, or hold it; whether it needs to go nowhere else."""
        # To be worked on as one that was never sent anywhere.
        fresh = Key(event.key, event.character) if isinstance(event, Key) else Paste(event.text)
        fresh.time = event.time
        dialog = self.screen
        if self._waits or (self._held and not self._typing_on):
            # One that comes back from a screen is older than those that were not sent there.
            self._held = tuple(sorted((*self._held, fresh), key=lambda one: one.time))
            return True
        if isinstance(dialog, TextDialog) and dialog.focused in (None, dialog.field):
            await dialog.take(fresh)
            return True
        return False

    @property
    def _waits(self) -> bool:
        """Whether what is typed now is for a dialog that is not there yet."""
        front = self.screen
        return not front.ready if isinstance(front, TextDialog) else self._asking > 0 and not isinstance(front, ModalScreen)

    async def _type_on(self) -> None:
        self._typing_on = True
        while self._held and not self._waits:
            first, *rest = self._held
            self._held = tuple(rest)
            await self.on_event(first)
        self._typing_on = False


def _app_of(node: DOMNode) -> KeyBufferApp:
    app = node.app
    assert isinstance(app, KeyBufferApp)
    return app
