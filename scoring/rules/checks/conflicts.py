"""Equivalences of one field that contradict each other: one form with two canonicals, chains, cycles (`docs/rules.md#checks`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoring.rules.pipelines import Pipeline
from scoring.rules.rows import EquivalenceRow

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two rows that disagree, told at one's line. Not `harmful`: they say the same twice."""

    line: int
    message: str
    is_open: bool
    harmful: bool = True


@dataclass(frozen=True, slots=True)
class _Compiled:
    row: EquivalenceRow
    form: Tokens
    canonical: Tokens

    @property
    def is_open(self) -> bool:
        return self.row.status == "OPEN"


def contains(words: Sequence[str], form: Sequence[str]) -> bool:
    """Whether the form stands in the words, its tokens side by side."""
    size = len(form)
    return any(tuple(words[at : at + size]) == tuple(form) for at in range(len(words) - size + 1))


def _compiled(rows: Sequence[EquivalenceRow], pipeline: Pipeline) -> list[_Compiled]:
    # As `compile_replacements` does it for the settled rows, but row by row; an OPEN row is seen beside the settled ones.
    parts = [_Compiled(row, pipeline.form(row.form), pipeline.form(row.canonical)) for row in rows]
    parts = [part for part in parts if part.form and part.canonical]
    if pipeline.is_name:
        return parts
    singles: dict[str, Tokens] = {}
    for part in parts:
        if len(part.form) == 1 and not part.is_open:
            singles.setdefault(part.form[0], part.canonical)
    return [
        part
        if len(part.form) == 1
        else _Compiled(part.row, tuple(new for word in part.form for new in singles.get(word, (word,))), part.canonical)
        for part in parts
    ]


def doubles(rows: Sequence[EquivalenceRow], pipeline: Pipeline) -> Iterator[Conflict]:
    """Rows whose form an earlier row has already: with another canonical an error, with the same one superfluous."""
    by_form: dict[Tokens, list[_Compiled]] = {}
    for part in _compiled(rows, pipeline):
        earlier = by_form.setdefault(part.form, [])
        others = [other for other in earlier if other.canonical != part.canonical]
        # A settled row is held against settled rows first: that pair stops scoring.
        others.sort(key=lambda other: (other.is_open, other.row.line))
        if others:
            other = others[0]
            subject = other if other.is_open and not part.is_open else part
            partner = part if subject is other else other
            yield Conflict(
                subject.row.line,
                f"in `{pipeline.field}` the form `{subject.row.form}` becomes `{subject.row.canonical}` here "
                f"and `{partner.row.canonical}` on line {partner.row.line}",
                part.is_open or other.is_open,
            )
        elif earlier:
            yield Conflict(
                part.row.line, f"in `{pipeline.field}` this says the same as line {earlier[0].row.line}", is_open=False, harmful=False
            )
        earlier.append(part)


def chains(rows: Sequence[EquivalenceRow], pipeline: Pipeline) -> Iterator[Conflict]:
    """Rows whose canonical a row would rewrite again, so that the canonical itself and the rewritten form come out different."""
    parts = [part for part in _compiled(rows, pipeline) if part.form != part.canonical]
    starting: dict[str, list[int]] = {}
    for at, part in enumerate(parts):
        starting.setdefault(part.form[0], []).append(at)
    following = [
        sorted({at for word in dict.fromkeys(part.canonical) for at in starting.get(word, ()) if contains(part.canonical, parts[at].form)})
        for part in parts
    ]
    for at, part in enumerate(parts):
        for wanted in (False, True):
            next_at = next((then for then in following[at] if (part.is_open or parts[then].is_open) is wanted), None)
            if next_at is not None:
                yield Conflict(*_chain(parts, following, at, next_at, pipeline.field), is_open=wanted)


def _chain(parts: Sequence[_Compiled], following: Sequence[Sequence[int]], at: int, then: int, field: str) -> tuple[int, str]:
    part, other = parts[at], parts[then]
    says = f"in `{field}` `{part.row.form}` becomes `{part.row.canonical}`"
    if at == then:
        return part.row.line, f"{says}, in which the form stands again: the row would rewrite its own canonical"
    seen, waiting = {then}, [then]
    while waiting:
        for later in following[waiting.pop()]:
            if later not in seen:
                seen.add(later)
                waiting.append(later)
    kind = "a cycle" if at in seen else "a chain"
    line = part.row.line
    if other.is_open and not part.is_open:
        line = other.row.line
        return (
            line,
            f"{kind}: in `{field}` the settled line {part.row.line} gives `{part.row.canonical}`, which this row would rewrite again",
        )
    return line, f"{kind}: {says}, which line {other.row.line} rewrites again to `{other.row.canonical}`"
