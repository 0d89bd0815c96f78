"""What the tables task works on: ground truth, runs, schema, rules and settings of a workspace (`1-tables`, Material)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from scoring.problems import Problem
from scoring.rules import Rules
from scoring.schema import Schema
from scoring.settings import Settings
from scoring.workspace import Workspace

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
    """One pass of one model under one phase over the pages: a page of every GT page id, in the order of the GT."""

    model: str
    phase: str
    name: str
    pages: Mapping[str, RunPage]
    generated: str | None = None

    @property
    def key(self) -> str:
        return f"{self.model}/{self.phase}/{self.name}"

    @property
    def cell(self) -> tuple[str, str]:
        return self.model, self.phase


@dataclass(frozen=True)
class Material:
    """A workspace's tables, read. Pages in natural order, runs by model, phase and name."""

    workspace: Workspace
    schema: Schema
    settings: Settings
    rules: Rules
    pages: tuple[GTPage, ...]
    runs: tuple[Run, ...]
    problems: tuple[Problem, ...]


def load(workspace: Workspace, *, progress: Callable[[int, int], None] | None = None) -> Material:
    """Read a workspace's tables."""
    raise NotImplementedError
