"""Keys typed faster than a dialog opens, or closes: each is worked on before the next, and goes where it was meant to go.

Textual hands a key to the screen in front when it reads the key, and there it waits in a queue: of the screen, or of the field that
has the focus. So keys behind the one that opens a dialog would be lost, or fire what the screen behind it does with them; keys behind
the Enter that ends a line would be typed into a line that is gone. The app therefore works on the keys of such dialogs itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.events import Event, Key, Paste
from textual.screen import Screen
from textual.widgets import Input, TextArea

# Mixed in, it must not be a screen of its own: Textual would leave out the style sheets of the dialog's other bases.
_Mixin = Screen[Any] if TYPE_CHECKING else object


class TypedInto(_Mixin):
    """To be mixed into a dialog with one field to type into."""

    AUTO_FOCUS = ""
    ready = False
    _followed = ""

    def on_mount(self) -> None:
        """Take what was typed before the field was there, and go on."""
        self.set_focus(self.field)
        self._followed = self._typed_text
        app = self.app
        assert isinstance(app, TypingAhead)
        app.call_later(app.type_held, self)

    @property
    def field(self) -> Input | TextArea:
        """What is typed into."""
        return self.query(Input).first() if self.query(Input) else self.query_one(TextArea)

    @property
    def _typed_text(self) -> str:
        field = self.field
        return field.value if isinstance(field, Input) else field.text

    async def take(self, event: Key | Paste) -> None:
        """Do what a key is for, at once and in the order they come."""
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


class TypingAhead(App[None]):
    """To be mixed into an app that has such dialogs."""

    _held: tuple[Key | Paste, ...] = ()

    async def on_event(self, event: Event) -> None:
        """Give what is typed to the dialog in front."""
        if isinstance(event, Key | Paste) and not event.is_forwarded:
            if self._held and not isinstance(self.screen, TypedInto):
                await self._type_on()
            if await self._typed(event):
                return
        await super().on_event(event)

    async def on_key(self, event: Key) -> None:
        """A key that was read before the dialog was in front comes back from the screen behind it."""
        if await self._typed(event):
            event.prevent_default()

    async def _typed(self, event: Key | Paste) -> bool:
        """Give an event to the dialog in front, now or when it is there; whether there is one to take it."""
        dialog = self.screen
        if not isinstance(dialog, TypedInto) or (dialog.ready and dialog.focused not in (None, dialog.field)):
            return False
        # The event's own journey ends here: it is worked on as one that was never sent anywhere.
        fresh = Key(event.key, event.character) if isinstance(event, Key) else Paste(event.text)
        if dialog.ready:
            await dialog.take(fresh)
        else:
            self._held += (fresh,)
        return True

    async def type_held(self, dialog: TypedInto) -> None:
        """The dialog is there: type what was held for it."""
        dialog.ready = True
        await self._type_on()

    async def _type_on(self) -> None:
        held, self._held = self._held, ()
        for event in held:
            await self.on_event(event)
