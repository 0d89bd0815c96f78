"""Values that are many: made without looking for garbage among them, and let go without holding anybody up."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_MANY = 200_000  # containers made since the last collection


@contextmanager
def garbage_kept() -> Iterator[None]:
    """No garbage collection while many values are made: a fifth of the time it takes to load a large workspace, half of that of a log.

    Where they are many they are set aside (`set_aside`), or the first collection would go through all of them at once.
    """
    keeper = object()
    keep_garbage(keeper)
    try:
        yield
    finally:
        if keeper in _keepers and gc.get_count()[0] > _MANY:
            set_aside()
        collect_again(keeper)


# Who wants no collection now. Several may at the same time, in several threads, and each ends when it is done.
_keepers: set[object] = set()


def keep_garbage(keeper: object) -> None:
    """No garbage collection until the keeper, and all others, allow it again. Where collection is off anyway it stays off."""
    if _keepers or gc.isenabled():
        _keepers.add(keeper)
        gc.disable()


def collect_again(keeper: object) -> None:
    """What `keep_garbage` began has ended; of a keeper that never began nothing follows."""
    if keeper in _keepers:
        _keepers.discard(keeper)
        if not _keepers:
            gc.enable()


def set_aside() -> None:
    """Put all there is now out of the collector's sight: to search a hundred thousand cases would stop a screen for half a second."""
    gc.freeze()


_DEPTH = 7
_OURS = 2  # the name in `let_go`, and the argument of `getrefcount`


def let_go(values: list[object]) -> None:
    """Empty a list of values piece by piece, each freed alone.

    Freeing a large value at one stroke, a session of a hundred thousand cases, would stop every thread for a third of a second. Here
    what it consists of is held while it goes, and let go in its turn, a few levels down. What others hold too is left as it is.
    """
    depths = [0] * len(values)
    while values:
        value, depth = values.pop(), depths.pop()
        if depth < _DEPTH and gc.is_tracked(value) and sys.getrefcount(value) == _OURS:
            parts = gc.get_referents(value)
            values += parts
            depths += [depth + 1] * len(parts)
            del parts
        del value
