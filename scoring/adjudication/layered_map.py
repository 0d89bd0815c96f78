"""A large immutable mapping that can be changed at each key press."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
_GONE: Any = object()
_LAYER = 512


class LayeredMap(Mapping[K, V], Generic[K, V]):
    """An immutable mapping from which a changed one is made without copying it whole: a large base under a small layer of changes."""

    __slots__ = ("_base", "_layer", "_size")

    def __init__(self, base: dict[K, V], layer: dict[K, V] | None = None) -> None:
        self._base, self._layer = base, layer or {}
        self._size = len(base) + sum((value is not _GONE) - (key in base) for key, value in self._layer.items())

    def __getitem__(self, key: K) -> V:
        value = self._layer.get(key) if self._layer else None
        if value is None:
            return self._base[key]
        if value is _GONE:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[K]:
        return iter(self._flat() if self._layer else self._base)

    def __len__(self) -> int:
        return self._size

    def _flat(self) -> dict[K, V]:
        flat = self._base.copy()
        for key, value in self._layer.items():
            if value is _GONE:
                flat.pop(key, None)
            else:
                flat[key] = value
        return flat

    def changed(self, put: Mapping[K, V], remove: Iterable[K] = ()) -> LayeredMap[K, V]:
        """The mapping with `put` put and `remove` removed. Values must not be None."""
        layer = self._layer | dict.fromkeys(remove, _GONE) | dict(put)
        changed = LayeredMap(self._base, layer)
        return changed if len(layer) <= _LAYER else LayeredMap(changed._flat())
