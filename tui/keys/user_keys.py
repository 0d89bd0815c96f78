"""Key maps of users: checked, and laid over the keys of the registry (`docs/settings.md#keys`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from scoring.foundations.problems import InputError
from scoring.foundations.toml_files import line_of, read_toml
from tui.keys.actions import BY_ID, DESK, DIALOGS, SCREENS, TASKS, TYPING, of_screen
from tui.keys.names import is_typed, key_name, why_not

if TYPE_CHECKING:
    from scoring.workspace.layout import Workspace

Keys = dict[str, tuple[str, ...]]
TAKES, ENTER = "text.take", "enter"
INSTEAD = "give it another, such as `a`, `A`, `f5`, `ctrl+k` or `question_mark`"


def keymap_of(workspace: Workspace | None) -> dict[str, str]:
    """The key map of the workspace (where there is one) with the person's own laid over it, both checked.

    Raises:
        InputError: one of them is faulty; the file and the line.
    """
    from tui.environment.user_settings import read_user, user_file

    common: Mapping[str, str] = {}
    if workspace is not None:
        common = workspace.settings.keys
        with_keymap(common, workspace.relative(workspace.settings_file), workspace.settings_file)
    own = read_user().keys
    with_keymap({**common, **own}, user_file(), user_file(), own=frozenset(own))
    return {**common, **own}


def with_keymap(keymap: Mapping[str, str], where: object = None, file: Path | None = None, *, own: frozenset[str] | None = None) -> Keys:
    """The keys of every action, a user's key map laid over them (`action = "key"` or `"key, other"`).

    Args:
        keymap: what the user wrote.
        where, file: the name of the file it stands in, and the file itself, whose lines are looked up when there is a fault.
        own: the actions that this file names, where the map has others from elsewhere; a clash is laid to these.

    Raises:
        InputError: an unknown action, a key that no terminal sends or that is spoken for, a key given to two actions of one screen or
            dialog, a letter to leave a line of text with, or an action left without a key.
    """
    keys: Keys = {action.id: action.keys for action in BY_ID.values()}
    named = own if own is not None else frozenset(keymap)

    def refused(action: str, what: str, hint: str) -> InputError:
        line = _line_of(file, action) if file is not None else None
        return InputError(f"the key map {what}", where=where, line=line, hint=hint)

    for action, wanted in keymap.items():
        if action not in keys:
            near = get_close_matches(action, keys, n=1)
            raise refused(action, f"names no action `{action}`", f"did you mean `{near[0]}`" if near else "`?` lists them")
        given = tuple(part.strip() for part in wanted.split(",") if part.strip())
        if not given:
            raise refused(action, f"leaves `{action}` without a key", "every act needs one")
        for key in given:
            if reason := why_not(key):
                raise refused(action, f"gives `{action}` the key `{key}`, {reason}", INSTEAD)
            if is_typed(key_name(key)) and key not in BY_ID[action].keys and (set(BY_ID[action].screens) & set(TYPING)):
                raise refused(
                    action, f"gives `{action}` the key `{key}`, which is typed into the text there", "give it `escape`, `f4` or another"
                )
        if action == TAKES and ENTER not in given:
            raise refused(action, f"takes `{ENTER}` from `{action}`", "a line of text keeps it; give other keys besides")
        keys[action] = tuple(dict.fromkeys(key_name(key) for key in given))
    for screen, key, first, second in _clashes(keys):
        moved, kept = (second, first) if second in named else (first, second)
        hint = "give one of them another key"
        raise refused(moved, f"gives `{key}` to `{moved}`, but `{kept}` has it {_place(screen)}", hint)
    return keys


def _clashes(keys: Keys) -> Iterator[tuple[str, str, str, str]]:
    """(screen, key, action, other action) where two acts of one screen and task have the same key."""
    for screen in (*SCREENS, *DESK, *DIALOGS):
        for task in TASKS:
            taken: dict[str, str] = {}
            for action in (one.id for one in of_screen(screen, task)):
                for key in keys[action]:
                    other = taken.setdefault(key, action)
                    if other != action:
                        yield screen, key, other, action


def _place(screen: str) -> str:
    return "in the same question" if screen in DIALOGS else f"on the {screen} screen"


def _line_of(file: Path, action: str) -> int | None:
    """The line of a file's `[keys]` on which an action is given its key; of a file that says nothing of it none."""
    found = read_toml(file, "the key map is")
    return line_of(found[1], action, ("keys",)) if found is not None else None


def changed(keys: Keys) -> dict[str, str]:
    """The keys of dialogs that differ from those of the registry, as Textual's `App.set_keymap` takes them."""
    return {
        action.id: ",".join(keys[action.id])
        for action in BY_ID.values()
        if keys[action.id] != action.keys and set(action.screens) & set(DIALOGS)
    }
