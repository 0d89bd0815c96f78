"""The registry of actions and key maps laid over it: no key twice, no action lost."""

from __future__ import annotations

import pytest

from scoring.problems import InputError
from tui.actions import BY_ID, SCREENS, lines_of_help, of_screen
from tui.keymap import with_keymap
from tui.keys import is_key


def test_the_registry_gives_no_key_twice_on_a_screen():
    keys = with_keymap({})
    for screen in SCREENS:
        for task in ("tables", "questions", "relations", "records"):
            taken = [key for action in of_screen(screen, task) for key in keys[action.id]]
            assert len(taken) == len(set(taken)), (screen, task)


def test_every_action_has_a_key_a_sentence_and_a_name_of_its_own():
    assert all(action.keys and action.label and action.help.endswith(".") for action in BY_ID.values())
    assert len({action.id for action in BY_ID.values()}) == len(BY_ID)
    assert all(is_key(key) for action in BY_ID.values() for key in action.keys)


@pytest.mark.parametrize(
    ("keymap", "said"),
    [
        ({"verdict.duplcate": "y"}, "Did you mean `verdict.duplicate`"),
        ({"nothing at all like it": "y"}, "names no action"),
        ({"verdict.duplicate": "m"}, "`verdict.merge` has it"),
        ({"verdict.duplicate": ""}, "without a key"),
        ({"verdict.duplicate": " , "}, "without a key"),
        ({"verdict.duplicate": "notakey+zz"}, "which is none"),
        ({"verdict.duplicate": "shift+d"}, "which is none"),
        ({"verdict.duplicate": "ctrl+1"}, "which is none"),
    ],
)
def test_a_faulty_key_map_is_refused_in_a_sentence(keymap: dict[str, str], said: str):
    with pytest.raises(InputError) as fault:
        with_keymap(keymap, "adjudicate.toml")
    assert said in str(fault.value)
    assert "adjudicate.toml" in str(fault.value)


def test_a_key_map_gives_several_keys_and_swaps_two():
    keys = with_keymap({"verdict.duplicate": "m", "verdict.merge": "d, f7"})
    assert keys["verdict.duplicate"] == ("m",)
    assert keys["verdict.merge"] == ("d", "f7")
    assert keys["verdict.same"] == ("s",)


@pytest.mark.parametrize("key", ["a", "A", "?", "f5", "ctrl+k", "question_mark", "comma", "greater_than_sign", "shift+tab"])
def test_keys_a_terminal_can_send(key: str):
    assert is_key(key)


@pytest.mark.parametrize("key", ["", "ctrl+", "hyper+a", "\x1b", "ab", "shift+a", "ctrl+é", "f13"])
def test_keys_no_terminal_sends(key: str):
    assert not is_key(key)


def test_the_help_says_every_action_with_its_keys():
    keys = with_keymap({})
    said = list(lines_of_help("review", keys))
    assert ("Verdicts", "s", BY_ID["verdict.same"].help) in said
    assert [sentence for _, _, sentence in said] == [action.help for action in of_screen("review")]
