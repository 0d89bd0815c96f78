"""The shapes of the tables material: rows, pages and runs as values (`1-tables`, Material). Read by `material`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "truncated", "failed", "missing"]


@dataclass(frozen=True, slots=True)
class Row:
    """A record: its number (from 1, file order) and its values, every schema field present, "" where blank."""

    number: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GTPage:
    """A page of ground truth: its id, its rows and the file it was read from, from the workspace root."""

    id: str
    rows: tuple[Row, ...]
    file: str


@dataclass(frozen=True, slots=True)
class RunPage:
    """What a run has for a GT page. `failed` and `missing` pages have no rows and are left out of every pooled figure."""

    page: str
    status: Status
    rows: tuple[Row, ...]
    error: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One pass of one model under one phase over the pages: a page for every GT page id, in the order of the GT."""

    model: str
    phase: str
    name: str
    pages: Mapping[str, RunPage]
    generated: str | None = None

    @property
    def key(self) -> str:
        """`model/phase/run`, as cases and log lines name it."""
        return f"{self.model}/{self.phase}/{self.name}"

    @property
    def cell(self) -> tuple[str, str]:
        """The (model, phase) whose runs are pooled."""
        return self.model, self.phase
