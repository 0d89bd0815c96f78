"""A model run, whatever its pages hold: the shape that tables and questions share (`docs/architecture.md#words`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Page = TypeVar("Page")
Status = Literal["ok", "truncated", "failed", "missing"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Resources that one answer took, as its envelope states them; None where it does not.

    `cost` is in the currency of the source (usually US dollars), `seconds` is wall-clock time.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


def split_key(key: str) -> tuple[str, str, str]:
    """Split `model/phase/run` into its parts. Only the model's name may hold a `/`. A name of one part is model and run."""
    parts = key.rsplit("/", 2)
    return parts[0], parts[1] if len(parts) > 1 else "", parts[-1]


@dataclass(frozen=True, slots=True)
class ModelRun(Generic[Page]):
    """One pass of one model under one phase over the pages: a page for every page of the ground truth, in its order."""

    model: str
    phase: str
    name: str
    pages: Mapping[str, Page]
    generated: str | None = None

    @property
    def key(self) -> str:
        """`model/phase/run`, as cases and log lines name it."""
        return f"{self.model}/{self.phase}/{self.name}"

    @property
    def cell(self) -> tuple[str, str]:
        """The (model, phase) whose runs are pooled."""
        return self.model, self.phase
