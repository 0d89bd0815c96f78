"""Keys: how they are named, which of them a terminal can send, and which are spoken for (facts of terminals and of Textual 8)."""

from __future__ import annotations

from typing import Final

NAMED: Final = frozenset(
    ["up", "down", "left", "right", "home", "end", "pageup", "pagedown", "tab", "enter", "escape", "backspace", "delete", "insert", "space"]
) | {f"f{n}" for n in range(1, 13)}  # fmt: skip

# In a terminal Ctrl and a letter is the control character of that letter, and these are the characters of other keys.
SAME_AS: Final = {"ctrl+i": "Tab", "ctrl+m": "Enter", "ctrl+j": "Enter", "ctrl+h": "Backspace"}
# Textual binds these before any screen is asked (`App.BINDINGS`, `Screen.BINDINGS`), or whoever sits at a terminal expects them of it.
TAKEN: Final = {
    "ctrl+q": "with which Textual ends every program",
    "ctrl+c": "which copies what is selected",
    "ctrl+z": "with which terminals put a program into the background",
}
# With these, Ctrl or Shift makes a key of its own in the terminals that are common; with no other named key it does.
_WITH_CTRL_OR_SHIFT: Final = frozenset(["up", "down", "left", "right", "home", "end", "delete"])
_FUNCTION: Final = frozenset(f"f{n}" for n in range(1, 13))
# What a line of text that is being typed needs for itself.
_EDITING: Final = frozenset(
    ["left", "right", "home", "end", "backspace", "delete", "enter", "tab", "shift+tab", "space", "ctrl+left", "ctrl+right"]
    + ["shift+left", "shift+right", "shift+home", "shift+end"]
    + [f"ctrl+{letter}" for letter in "aedfkuwvx"]
)


def key_name(key: str) -> str:
    """Textual's name of a key as a person writes it: `?` is `question_mark`."""
    from textual.binding import Binding

    if key == ",":  # which separates keys there
        return "comma"
    return next(iter(Binding.make_bindings([Binding(key, "", "")]))).key


def shown(key: str) -> str:
    """A key as it stands on the keyboard."""
    from textual.keys import format_key

    return format_key(key)


def is_key(key: str) -> bool:
    """Whether a terminal can send this key, Textual tell it from others, and nobody else has it."""
    return not why_not(key)


def why_not(key: str) -> str:
    """Why nothing can be bound to a key, as what follows "the key `x`, "; empty where something can be."""
    if len(key) <= 1:
        return "" if key.isprintable() and key else "which is none"
    *modifiers, last = key.split("+")
    name = "+".join([*sorted(modifiers), last.lower() if modifiers else last])
    if name in ("ctrl+[", "ctrl+left_square_bracket"):
        return "which is Escape in a terminal"
    if name in SAME_AS:
        return f"which is {SAME_AS[name]} in a terminal"
    if name in TAKEN:
        return TAKEN[name]
    if not modifiers:
        return "" if last in NAMED or last in _printable_names() else "which is none"
    if any(modifier not in ("ctrl", "shift", "alt") for modifier in modifiers):
        return "which is none"
    if len(last) == 1:
        sent = modifiers == ["ctrl"] and last.isascii() and last.isalpha()
        return _unsent(modifiers, last) if not sent else "" if last.islower() else f"which is written `{key.lower()}`"
    with_one = (modifiers[0], last) if len(modifiers) == 1 else ("", last)
    if with_one == ("shift", "tab") or (with_one[0] in ("ctrl", "shift") and last in _WITH_CTRL_OR_SHIFT):
        return ""
    if with_one[0] == "ctrl" and last in _FUNCTION:
        return ""
    return _unsent(modifiers, last) if last in NAMED or last in _printable_names() else "which is none"


def _unsent(modifiers: list[str], last: str) -> str:
    if modifiers == ["shift"] and len(last) == 1 and last.isalpha():
        return f"which is none: the capital letter is written `{last.upper()}`"
    if last in ("pageup", "pagedown"):
        return "with which terminals scroll and change their tabs"
    return "which most terminals do not send"


def is_typed(key: str) -> bool:
    """Whether a line of text takes the key: it writes a character, or moves and deletes there."""
    return len(key) == 1 or key in _EDITING or key in _printable_names()


def _printable_names() -> frozenset[str]:
    """The names of the keys that write a visible ASCII character."""
    if not _PRINTABLE:
        _PRINTABLE.update(key_name(chr(code)) for code in range(0x21, 0x7F))
    return frozenset(_PRINTABLE)


_PRINTABLE: set[str] = set()
