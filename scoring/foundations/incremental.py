"""Long computations in short steps, so that a screen can draw between them and a script can run them through."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")
Steps = Generator[None, None, Result]


def finished(steps: Steps[Result]) -> Result:
    """Run a stepwise computation to its end and give its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
