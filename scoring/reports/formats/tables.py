"""The one table every output is made of: terminal, CSV, JSON, Markdown, HTML and XLSX render the same object."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.texts.forms import visible

Cell = str | int | float | bool | None
Kind = Literal["text", "count", "share", "error", "number", "span"]
DASH = "–"
_WRITTEN = {"f1": "F1", "cer": "CER", "gt": "GT", "adjudicated": "adj."}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: the name in files.
        heading: the words people see; the name with spaces, unless given.
        kind: `text`; `count`, a whole number; `share`, in [0, 1], shown to three places; `error`, an error rate, to four;
            `number`, any number, to two; `span`, figures written out as text (`9–10 of 10`).
    """

    name: str
    kind: Kind = "text"
    heading: str = ""

    @property
    def title(self) -> str:
        """The words over the column."""
        return self.heading or " ".join(_WRITTEN.get(word, word) for word in self.name.split("_"))


@dataclass(frozen=True, slots=True)
class Table:
    """A table of figures at full precision. A row is as long as `columns`; an undefined figure is `None`.

    `note` says what a reader must know to read it, in a sentence or two.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        width = len(self.columns)
        for row in self.rows:
            if len(row) != width:
                raise ValueError(f"table {self.name}: a row of {len(row)} cells under {width} columns")

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    def records(self) -> list[dict[str, Cell]]:
        """The rows by column name."""
        header = self.header
        return [dict(zip(header, row, strict=True)) for row in self.rows]

    def shown(self) -> list[list[str]]:
        """The rows as people read them."""
        return [[shown(cell, column.kind) for cell, column in zip(row, self.columns, strict=True)] for row in self.rows]


def columns(kind: Kind, *names: str) -> tuple[Column, ...]:
    """Columns of one kind."""
    return tuple(Column(name, kind) for name in names)


def shown(cell: Cell, kind: Kind = "text") -> str:
    """A cell as people read it: rounded, a dash where undefined; text from data with invisible characters made visible."""
    if cell is None:
        return DASH
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return visible(cell)
    if isinstance(cell, int):
        return str(cell)
    return f"{cell:.{ {'share': 3, 'error': 4, 'number': 2}.get(kind, 3) }f}"


def is_numeric(column: Column) -> bool:
    """Whether a column holds figures, which stand to the right."""
    return column.kind != "text"


def table(name: str, title: str, columns: Sequence[Column], rows: Iterable[Sequence[Cell]], note: str = "") -> Table:
    """A table of rows of any sequence."""
    return Table(name, title, tuple(columns), tuple(tuple(row) for row in rows), note)
