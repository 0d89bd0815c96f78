"""Keys typed faster than a dialog opens: they go into it, in order, and never fire the keys of the screen behind it.

Textual hands a key to the screen in front when it reads the key, which may be before the key that opens a dialog was worked on; such
keys come back to the app when the dialog is there already, and would be lost. And a field that has the focus takes its keys from a
queue of its own, so that two keys to dialog and field may change places: a dialog therefore takes the first keys itself, and gives
its field the focus a moment later.
"""

from __future__ import annotations

from textual import events
from textual.widgets import Input, TextArea

FOCUS_AFTER = 0.15


class TypedInto:
    """To be mixed into a dialog with something to type into: what comes before that has the focus is typed all the same."""

    AUTO_FOCUS = ""
    _ready = False
    _ahead: tuple[events.Key, ...] = ()

    def on_mount(self) -> None:
        """Type what came before; the focus goes to the field when the keys typed ahead are done."""
        self._ready = True
        ahead, self._ahead = self._ahead, ()
        for at, event in enumerate(ahead):
            if not self.is_current:
                for rest in ahead[at:]:
                    self.app.post_message(events.Key(rest.key, rest.character))
                return
            self.type_key(event)
        self.set_timer(FOCUS_AFTER, self._field().focus)

    def take_ahead(self, event: events.Key) -> None:
        """A key that was read before the dialog was in front."""
        if self._ready:
            self.type_key(event)
        else:
            self._ahead += (event,)

    def on_key(self, event: events.Key) -> None:
        """Type it, where nothing has the focus yet."""
        if self.focused is None and self.type_key(event):
            event.stop()
            event.prevent_default()

    def _field(self) -> Input | TextArea:
        return self.query(Input).first() if self.query(Input) else self.query_one(TextArea)

    def type_key(self, event: events.Key) -> bool:
        """Do what the field would do with a key; whether it is one to type."""
        entry = self._field()
        if event.key == "backspace":
            entry.action_delete_left()
        elif event.key == "enter" and isinstance(entry, Input):
            self.entered(entry.value)
        elif event.key == "enter":
            entry.insert("\n")
        elif event.is_printable and event.character is not None:
            entry.insert(event.character, entry.cursor_position) if isinstance(entry, Input) else entry.insert(event.character)
        else:
            return False
        return True

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter takes the text as it was then, whatever was typed since."""
        if self.is_current:
            self.entered(event.value)

    def entered(self, text: str) -> None:
        """The line typed was ended by Enter."""
