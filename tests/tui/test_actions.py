"""The registry of actions and key maps laid over it: no key twice, no action lost, no key that cannot arrive."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.app import App
from textual.binding import Binding
from textual.screen import Screen

from scoring.foundations.problems import InputError
from scoring.workspace.layout import open_workspace
from tui.keys.actions import ASKED, BY_ID, DESK, DIALOGS, SCREENS, TASKS, by_need, of_dialogs, of_screen
from tui.keys.names import NAMED, SAME_AS, TAKEN, is_key, why_not
from tui.keys.user_keys import changed, keymap_of, with_keymap


def test_the_registry_gives_no_key_twice_on_a_screen_or_in_a_question():
    keys = with_keymap({})
    for screen in (*SCREENS, *DESK, *DIALOGS):
        for task in TASKS:
            taken = [key for action in of_screen(screen, task) for key in keys[action.id]]
            assert len(taken) == len(set(taken)), (screen, task)
            assert taken, screen


def test_every_action_has_a_key_a_sentence_and_a_name_of_its_own():
    assert all(action.keys and action.label and action.help.endswith(".") for action in BY_ID.values())
    assert len({action.id for action in BY_ID.values()}) == len(BY_ID)
    assert all(is_key(key) for action in BY_ID.values() for key in action.keys)


@pytest.mark.parametrize(
    ("keymap", "said"),
    [
        ({"verdict.duplcate": "y"}, "Did you mean `verdict.duplicate`"),
        ({"nothing at all like it": "y"}, "names no action"),
        ({"verdict.duplicate": "m"}, "gives `m` to `verdict.duplicate`, but `verdict.merge` has it on the review screen"),
        ({"verdict.duplicate": ""}, "without a key"),
        ({"verdict.duplicate": " , "}, "without a key"),
        ({"verdict.duplicate": "notakey+zz"}, "which is none"),
        ({"verdict.duplicate": "shift+d"}, "which is none: the capital letter is written `D`"),
        ({"verdict.duplicate": "ctrl+1"}, "which most terminals do not send"),
        ({"verdict.same": "ctrl+i"}, "the key `ctrl+i`, which is Tab in a terminal. Give it another"),
        ({"verdict.same": "ctrl+m"}, "which is Enter in a terminal"),
        ({"verdict.same": "ctrl+j"}, "which is Enter in a terminal"),
        ({"verdict.same": "ctrl+h"}, "which is Backspace in a terminal"),
        ({"verdict.same": "ctrl+["}, "which is Escape in a terminal"),
        ({"undo": "ctrl+q"}, "with which Textual ends every program"),
        ({"undo": "ctrl+c"}, "which copies what is selected"),
        ({"undo": "ctrl+z"}, "with which terminals put a program into the background"),
        ({"undo": "ctrl+enter"}, "which most terminals do not send"),
        ({"undo": "ctrl+K"}, "which is written `ctrl+k`"),
        ({"undo": "shift+pageup"}, "with which terminals scroll"),
        ({"undo": "alt+u"}, "which most terminals do not send"),
        ({"undo": "ctrl+p"}, "gives `ctrl+p` to `undo`, but `palette` has it"),
        ({"undo": "f1"}, "gives `f1` to `undo`, but `help` has it"),
        ({"undo": "q"}, "gives `q` to `undo`, but `quit` has it"),
        ({"confirm.yes": "n"}, "gives `n` to `confirm.yes`, but `confirm.no` has it in the same question"),
        ({"choice.2": "q"}, "gives `q` to `choice.2`, but `choice.leave` has it in the same question"),
        ({"text.leave": "x"}, "the key `x`, which is typed into the text there"),
        ({"text.leave": "backspace"}, "which is typed into the text there"),
        ({"text.take": "f4"}, "takes `enter` from `text.take`"),
    ],
)
def test_a_faulty_key_map_is_refused_in_a_sentence(keymap: dict[str, str], said: str):
    with pytest.raises(InputError) as fault:
        with_keymap(keymap, "adjudicate.toml")
    assert said in str(fault.value)
    assert str(fault.value).startswith("adjudicate.toml: the key map ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('gate = 0.7\n\n[keys]\nundo = "Z"\n"verdict.same" = "ctrl+i"\n', 5),
        ("# verdict.same =\n[keys]\n'verdict.same'='ctrl+i'\n", 3),
        ('keys = { undo = "Z", "verdict.same" = "ctrl+i" }\n', 1),
        ('[keys]\n"verdict.same2" = "a"\n', 2),
    ],
)
def test_a_fault_of_a_key_map_names_its_line(text: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    (tmp_path / "gt").mkdir()
    (tmp_path / "adjudicate.toml").write_text(text, "utf-8")
    with pytest.raises(InputError, match=rf"^adjudicate\.toml:{line}: the key map "):
        keymap_of(open_workspace(tmp_path))


def test_a_clash_of_ones_own_key_map_names_ones_own_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ADJUDICATE_CONFIG", str(tmp_path / "config"))
    (tmp_path / "gt").mkdir()
    (tmp_path / "config").mkdir()
    (tmp_path / "adjudicate.toml").write_text('[keys]\nundo = "Z"\n', "utf-8")
    own = tmp_path / "config" / "user.toml"
    own.write_text('theme = "textual-dark"\n[keys]\nnote = "Z"\n', "utf-8")
    with pytest.raises(InputError) as fault:
        keymap_of(open_workspace(tmp_path))
    said = f"{own}:3: the key map gives `Z` to `note`, but `undo` has it on the review screen. Give one of them another key."
    assert str(fault.value) == said
    own.write_text('[keys]\nundo = "f7"\n', "utf-8")
    assert keymap_of(open_workspace(tmp_path)) == {"undo": "f7"}


def test_a_key_map_gives_several_keys_and_swaps_two():
    keys = with_keymap({"verdict.duplicate": "m", "verdict.merge": "d, f7"})
    assert keys["verdict.duplicate"] == ("m",)
    assert keys["verdict.merge"] == ("d", "f7")
    assert keys["verdict.same"] == ("s",)
    swapped = with_keymap({"confirm.yes": "n", "confirm.no": "y, escape"})
    assert changed(swapped) == {"confirm.yes": "n", "confirm.no": "y,escape"}
    assert changed(keys) == {}


KEYS = [
    *("a", "A", "?", "f5", "ctrl+k", "question_mark", "comma", "greater_than_sign", "shift+tab", "ctrl+left", "shift+end", "ctrl+f5"),
]


@pytest.mark.parametrize("key", KEYS)
def test_keys_a_terminal_can_send(key: str):
    assert is_key(key)


@pytest.mark.parametrize("key", ["", "ctrl+", "hyper+a", "\x1b", "ab", "shift+a", "ctrl+é", "f13", "ctrl+tab", "ctrl+space", "alt+enter"])
def test_keys_no_terminal_sends(key: str):
    assert not is_key(key)


def test_every_key_that_is_let_through_is_one_of_textuals_for_a_terminal_without_a_protocol_of_its_own():
    sent = {key.value for keys in ANSI_SEQUENCES_KEYS.values() if isinstance(keys, tuple) for key in keys}
    modified = {f"{modifier}+{key}" for modifier in ("ctrl", "shift") for key in (*NAMED, *map(chr, range(97, 123)))}
    assert {key for key in modified if is_key(key)} - sent == set()
    assert {key for key in NAMED if is_key(key)} - sent - {"space"} == set()


def test_what_textual_binds_itself_is_refused_or_bound_by_the_registry():
    bound = {key for one in (*App.BINDINGS, *Screen.BINDINGS) if isinstance(one, Binding) for key in one.key.split(",")}
    ours = {key for action in BY_ID.values() for key in action.keys}
    assert {key for key in bound if is_key(key)} - ours == set()
    assert all(why_not(key) for key in (*SAME_AS, *TAKEN))


def test_what_a_screen_is_for_comes_before_moving_about():
    order = [action.id for action in by_need(of_screen("run", "tables"))]
    assert order[:5] == ["undo", "enter", "page_next", "run_next", "cell_next"]
    assert set(order[-6:]) == {"next", "previous", "page_down", "page_up", "first", "last"}


def test_the_acts_of_questions_are_in_the_registry():
    assert {action.group for action in of_dialogs()} == {ASKED}
    assert {action.id for action in of_screen("confirm")} >= {"confirm.yes", "confirm.no", "dialog.next"}
