"""What a screen worked something out of: known again when it comes, and not kept alive by the screen."""

from __future__ import annotations

import weakref
from typing import Any


class LastEvaluation:
    """The last value that something was worked out of. A screen that nobody looks at must not keep a whole evaluation from going."""

    def __init__(self) -> None:
        self._of: weakref.ref[Any] | None = None

    def is_another(self, value: object) -> bool:
        """Whether this is another value than the last one; from now on it is the last one."""
        if self._of is not None and self._of() is value:
            return False
        self._of = weakref.ref(value)
        return True

    def forget(self) -> None:
        """Know none: what comes next is another."""
        self._of = None
