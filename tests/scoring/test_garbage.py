"""Values let go piece by piece."""

from __future__ import annotations

import gc
import weakref

import pytest

from scoring.foundations import memory as garbage
from scoring.foundations.memory import collect_again, garbage_kept, keep_garbage, let_go


class Held:
    """Something that can be watched."""

    def __init__(self, *parts: object) -> None:
        self.parts = parts


def test_all_that_nobody_else_holds_is_freed() -> None:
    leaves = [Held() for _ in range(100)]
    watched = [weakref.ref(leaf) for leaf in leaves]
    values: list[object] = [Held({number: [leaf] for number, leaf in enumerate(leaves)})]
    del leaves
    gc.disable()
    try:
        let_go(values)
        assert values == []
        assert [one() for one in watched if one() is not None] == []
    finally:
        gc.enable()


def test_what_others_hold_is_left_as_it_is() -> None:
    shared = {"a": Held(), "b": [1, 2, 3]}
    let_go([Held(shared, [shared])])
    assert set(shared) == {"a", "b"}
    assert shared["b"] == [1, 2, 3]


def test_a_level_far_down_goes_with_its_owner() -> None:
    deep: object = Held()
    watched = weakref.ref(deep)
    for _ in range(40):
        deep = [deep]
    let_go([deep])
    deep = None
    assert watched() is None


def test_collection_is_as_it_was_afterwards() -> None:
    assert gc.isenabled()
    with garbage_kept(), garbage_kept():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_whoever_ends_first_does_not_end_it_for_the_others() -> None:
    one, two = object(), object()
    keep_garbage(one)
    with garbage_kept():
        keep_garbage(two)
    assert not gc.isenabled()
    collect_again(one)
    collect_again(one)
    assert not gc.isenabled()
    collect_again(two)
    assert gc.isenabled()


def test_collection_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        with garbage_kept():
            keep_garbage("somebody")
        collect_again("somebody")
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_many_values_are_set_aside_before_anything_looks_through_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "_MANY", 1000)
    before = gc.get_freeze_count()
    with garbage_kept():
        few = [[number] for number in range(10)]
    assert gc.get_freeze_count() == before
    with garbage_kept():
        many = [[number] for number in range(5000)]
    assert gc.get_freeze_count() >= before + 5000
    gc.unfreeze()
    assert (len(few), len(many)) == (10, 5000)
