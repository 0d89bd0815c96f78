"""The one shape of a case, and the blocks its evidence is shown in (`docs/adjudication.md#cases`).

Every task turns its scores into `Case` values; the review screen, the command line, the log and the
progress count deal with these alone. What a case looks like is a tuple of blocks, plain values that a
screen draws, `adjudicate show` prints, and JSON carries. All text in them is data: it is made safe where it
is drawn, never here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from scoring.foundations.hashing import content_hash


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where a case occurs: the run (`MODEL/PHASE/RUN`) and the ROW targets judged there."""

    run: str
    targets: tuple[str, ...]


Status = Literal["open", "decided", "stale", "conflict"]


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to decide.

    `id` is stable while the judged rows are unchanged. `basis` is what the log keeps of the evidence (content
    hashes of the rows judged, their texts, similarity and gate seen). `targets` are the ROWs a verdict names
    unless the verifier points elsewhere. `leverage` orders the queue, greatest first; ties by `order`. `note` says
    what a verifier should know before anything else: why a verdict is stale, how many occurrences are new since it.
    """

    id: str
    task: str
    queue: str
    page: str
    title: str
    question: str
    suggestion: str | None
    verdicts: tuple[str, ...]
    occurrences: tuple[Occurrence, ...]
    leverage: float
    targets: tuple[str, ...] = ()
    basis: Mapping[str, object] = field(default_factory=dict)
    order: tuple[object, ...] = ()
    status: Status = "open"
    note: str = ""


def case_id(prefix: str, *key: object) -> str:
    """A short id from what is judged: `t-5f3a91c2`. Equal keys give equal ids on every machine."""
    return f"{prefix}-{content_hash(list(key))}"


def in_seeded_order(cases: Iterable[Case], seed: int) -> list[Case]:
    """Greatest leverage first, then most occurrences, ties in an order drawn from the seed.

    So two verifiers can be given the same order, or different ones.
    """
    return sorted(cases, key=lambda case: (-case.leverage, -len(case.occurrences), content_hash([seed, case.id])))


def in_queue_order(cases: Iterable[Case]) -> list[Case]:
    """Greatest leverage first, ties by the task's own order (in tables occurrences, page and row).

    Sorted in many small parts: to sort a hundred thousand cases at one stroke would stop every other thread for half a second.
    """
    parts: dict[tuple[float, tuple[object, ...]], list[Case]] = {}
    for case in cases:
        parts.setdefault((-case.leverage, case.order[:2]), []).append(case)
    return [case for part in sorted(parts) for case in sorted(parts[part], key=lambda case: case.order)]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a verdict says, checked by the task: the parts of a log line that depend on the case.

    `case` is the id it is said of, which is another case than the one shown when the verifier points to another row.
    """

    case: str
    verdict: str
    targets: tuple[str, ...]
    value: object
    scope: Literal["reading", "row"]
    run: str | None
    basis: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A field of the rows of a case, which a doubt or a rule may name.

    Attributes:
        field: its name.
        key: whether it is what records are matched by.
        expected: what the ground truth has.
        read: what the model row shown has; `None` where none is shown.
        agreed, models, of: what most models read, how many of how many; "" where most do not agree.
        ruled: whether an equivalence of `read` and `expected` says anything: rules apply, both are filled and compared as different.
    """

    field: str
    key: bool
    expected: str
    read: str | None
    agreed: str
    models: int
    of: int
    ruled: bool

    @property
    def proposal(self) -> str:
        """The text a doubt starts from: what most models read, else what the ground truth has. One model's misreading is no proposal."""
        return self.agreed or self.expected


@dataclass(frozen=True, slots=True)
class RuleDraft:
    """An equivalence that a case suggests: both sides mean the same in `field`; `witness` says where."""

    form: str
    canonical: str
    field: str
    witness: str


# What a case shows: blocks of evidence, drawn in order.


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts one above the other, differing characters marked; `upper` is the reference side."""

    upper_label: str
    upper: str
    lower_label: str
    lower: str


@dataclass(frozen=True, slots=True)
class Gauge:
    """A figure on a bar from 0 to 1 with the gate marked."""

    title: str
    value: float
    gate: float


@dataclass(frozen=True, slots=True)
class Facts:
    """Named facts, a line each."""

    title: str
    rows: tuple[tuple[str, str], ...]


# Marks of lines: a row pointed to that is none of those offered; figures that the other lines are measured against.
OTHER, REFERENCE = "+", "•"


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a `Grid`: its cells, a one-letter mark (state never by colour alone), the ROW a digit key would point to.

    Where it has fewer cells than the header, the last of them takes the rest of the width.
    """

    cells: tuple[str, ...]
    mark: str = ""
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """A small table. Rows with a `target` are numbered 1 to 9 when `numbered`, to be pointed at by digit."""

    title: str
    header: tuple[str, ...]
    lines: tuple[Line, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Stack:
    """Readings of one text stacked under it, aligned by grapheme; `★` marks the majority.

    A line's cells are who reads so, the reading, how often.
    """

    title: str
    reference: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of document text with spans (start, end in characters, kind) to highlight."""

    title: str
    text: str
    spans: tuple[tuple[int, int, str], ...] = ()


Block = Comparison | Gauge | Facts | Grid | Stack | Passage
Evidence = Sequence[Block]


def with_later(blocks: Evidence, later: Evidence) -> list[Block]:
    """The evidence with what was worked out after it: behind the numbered grid, stacked readings last."""
    at = next((at + 1 for at, block in enumerate(blocks) if isinstance(block, Grid) and block.numbered), len(blocks))
    stacks = [block for block in later if isinstance(block, Stack)]
    return [*blocks[:at], *(block for block in later if not isinstance(block, Stack)), *blocks[at:], *stacks]
