"""The shapes of the tables material: rows, pages and runs as values (`docs/method.md#material`). Read by `material`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.foundations.model_run import ModelRun, Status, Usage


@dataclass(frozen=True, slots=True)
class Row:
    """A record: its number (from 1, file order) and its values, every schema field present, "" where blank.

    A list is the text of its entries (`scoring.texts.nested_paths.list_text`), a nested value without a path its JSON.
    """

    number: int
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GTPage:
    """A page of ground truth.

    Attributes:
        id: its id, in composed Unicode.
        rows: in file order.
        file: the file it was read from as messages name it, with its sheet where it has sheets.
        path: that file from the workspace root; empty: `file` is the path.
    """

    id: str
    rows: tuple[Row, ...]
    file: str
    path: str = ""

    @property
    def source(self) -> str:
        """The file it was read from, from the workspace root."""
        return self.path or self.file


@dataclass(frozen=True, slots=True)
class RunPage:
    """What a run has for a GT page. `failed` and `missing` pages have no rows and are left out of every pooled figure."""

    page: str
    status: Status
    rows: tuple[Row, ...]
    error: str = ""
    usage: Usage | None = None


class Run(ModelRun[RunPage]):
    """A run over the pages of ground truth."""

    __slots__ = ()
