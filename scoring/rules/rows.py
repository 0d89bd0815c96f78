"""The rows of EQUIVALENCES.md as values, and the compiled rules the text pipeline applies (`docs/rules.md`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import regex

from scoring.foundations.hashing import content_hash
from scoring.foundations.problems import InputError, Problem
from scoring.texts.forms import NAME_STRIPPED, TABLE_STRIPPED, FieldRules, Ignore, Position, Replacement, name_form, straightened, tokens

Status = Literal["settled", "OPEN"]
IgnoreSide = Literal["model", "both"]

PLACEHOLDER = regex.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class IgnoreRow:
    """A row of section 1: `token` is left out at `position` on `side`."""

    line: int
    token: str
    fields: tuple[str, ...]
    position: Position
    side: IgnoreSide
    status: Status
    witness: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class EquivalenceRow:
    """A row of section 2: `form` is rewritten to `canonical` on both sides."""

    line: int
    form: str
    canonical: str
    fields: tuple[str, ...]
    status: Status
    witness: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class NearMissRow:
    """A row of section 3: `form` must never come to equal `not_`; with a blank `not_` no rule may touch `form`."""

    line: int
    form: str
    not_: str
    fields: tuple[str, ...]
    why: str = ""


RuleRow = IgnoreRow | EquivalenceRow
Row = RuleRow | NearMissRow


def _longest_first(form: tuple[str, ...]) -> tuple[int, int, tuple[str, ...]]:
    return (-len(form), -sum(map(len, form)), form)


def compile_replacements(pairs: Iterable[tuple[str, str]], stripped: str, *, name: bool = False) -> tuple[Replacement, ...]:
    """Forms and canonicals as the pipeline's own tokens, longest first, one for each form (the first in the file).

    Multi-token forms pass through the single-token ones too, because they are looked for after them; a name
    replaces all its forms in one pass, so there they stay as written.
    """
    parts = [(tokens(form, stripped), tokens(canonical, stripped)) for form, canonical in pairs]
    parts = [(form, canonical) for form, canonical in parts if form and canonical]
    singles: dict[str, tuple[str, ...]] = {}
    for form, canonical in parts:
        if len(form) == 1:
            singles.setdefault(form[0], canonical)
    compiled: dict[tuple[str, ...], tuple[str, ...]] = {}
    for form, canonical in parts:
        if len(form) > 1 and not name:
            form = tuple(part for word in form for part in singles.get(word, (word,)))
        compiled.setdefault(form, canonical)
    return tuple(Replacement(form, compiled[form]) for form in sorted(compiled, key=_longest_first))


def ignore_tokens(token: str, stripped: str = TABLE_STRIPPED) -> tuple[str, ...]:
    """The tokens of an ignore rule of a scored field."""
    return tokens(token, stripped)


def name_ignore_tokens(token: str, rules: FieldRules) -> tuple[str, ...]:
    """The tokens of an ignore rule of a name, in name normal form; `{field}` stands as it is for the row's own value."""
    words: list[str] = []
    for at, part in enumerate(PLACEHOLDER.split(token)):
        words += [f"{{{straightened(part.strip())}}}"] if at % 2 else name_form(part, rules).split()
    return tuple(words)


def _compile_ignores(rows: Iterable[IgnoreRow], tokenised: Callable[[str], tuple[str, ...]]) -> tuple[Ignore, ...]:
    compiled: dict[Ignore, None] = {}
    for row in rows:
        form = tokenised(row.token)
        if form:
            compiled.setdefault(Ignore(form, row.position, row.side == "both"))
    return tuple(sorted(compiled, key=lambda rule: -len(rule.form)))


@dataclass(frozen=True)
class Rules:
    """What one EQUIVALENCES.md says. `content` is the SHA-256 of the file as read: a writer refuses to write over another."""

    path: Path | None = None
    ignores: tuple[IgnoreRow, ...] = ()
    equivalences: tuple[EquivalenceRow, ...] = ()
    near_misses: tuple[NearMissRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    content: str = ""
    _compiled: dict[tuple[object, ...], FieldRules] = field(default_factory=dict, init=False, repr=False, compare=False)

    def _active(self, name: str, open_lines: Collection[int]) -> tuple[list[EquivalenceRow], list[IgnoreRow]]:
        return (
            [row for row in self.equivalences if name in row.fields and (row.status == "settled" or row.line in open_lines)],
            [row for row in self.ignores if name in row.fields and (row.status == "settled" or row.line in open_lines)],
        )

    def field(self, field: str, *, stripped: str = TABLE_STRIPPED, open_lines: Collection[int] = ()) -> FieldRules:
        """The settled rows of a scored field, with the OPEN rows on `open_lines`, as base normalisation applies them."""
        key = ("field", field, stripped, frozenset(open_lines))
        if key not in self._compiled:
            equivalences, ignores = self._active(field, open_lines)
            self._compiled[key] = FieldRules(
                compile_replacements(((row.form, row.canonical) for row in equivalences), stripped),
                _compile_ignores(ignores, lambda token: ignore_tokens(token, stripped)),
            )
        return self._compiled[key]

    def name(self, field: str = "name", *, open_lines: Collection[int] = ()) -> FieldRules:
        """The settled rows of a name, with the OPEN rows on `open_lines`: replacements for its normal form, ignores for its readings."""
        key = ("name", field, frozenset(open_lines))
        if key not in self._compiled:
            equivalences, ignores = self._active(field, open_lines)
            replacing = FieldRules(compile_replacements(((row.form, row.canonical) for row in equivalences), NAME_STRIPPED, name=True))
            stepping = _compile_ignores(ignores, lambda token: name_ignore_tokens(token, replacing))
            self._compiled[key] = FieldRules(replacing.replacements, stepping)
        return self._compiled[key]

    @property
    def fingerprint(self) -> str:
        """8 hex digits over the rows as parsed, not over where they stand."""
        return content_hash(
            {
                "ignores": [[r.token, list(r.fields), r.position, r.side, r.status, r.witness, r.note] for r in self.ignores],
                "equivalences": [[r.form, r.canonical, list(r.fields), r.status, r.witness, r.note] for r in self.equivalences],
                "near_misses": [[r.form, r.not_, list(r.fields), r.why] for r in self.near_misses],
            }
        )

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows in the order of the file."""
        return tuple(sorted((*self.ignores, *self.equivalences, *self.near_misses), key=lambda row: row.line))

    @property
    def rules(self) -> tuple[RuleRow, ...]:
        """The rows that are applied once settled: the ignore rules, then the equivalences."""
        return (*self.ignores, *self.equivalences)

    def equivalence_saying(self, form: str, canonical: str, fields: Collection[str]) -> EquivalenceRow | None:
        """The row that says word for word that `form` is `canonical` in all these fields, whatever its status; None if there is none."""

        def plain(text: str) -> str:
            return " ".join(text.split()).casefold()

        wanted = (plain(form), plain(canonical))
        return next((r for r in self.equivalences if (plain(r.form), plain(r.canonical)) == wanted and set(fields) <= set(r.fields)), None)

    @property
    def open_lines(self) -> tuple[int, ...]:
        """The lines of the OPEN rows, ascending."""
        return tuple(sorted(row.line for row in self.rules if row.status == "OPEN"))

    def row_at(self, line: int) -> Row | None:
        """The row on a line of the file, if one was read there."""
        return next((row for row in self.rows if row.line == line), None)

    def with_open(self, lines: Collection[int]) -> Rules:
        """These rules with the OPEN rows on `lines` counted as settled, for a preview.

        Raises:
            InputError: a line that holds no OPEN row.
        """
        for line in sorted(lines):
            if line not in self.open_lines:
                raise InputError("no OPEN row stands on this line", where=self.path, line=line)
        return replace(
            self,
            ignores=tuple(replace(row, status="settled") if row.line in lines else row for row in self.ignores),
            equivalences=tuple(replace(row, status="settled") if row.line in lines else row for row in self.equivalences),
        )

    def switched(self, lines: Collection[int]) -> Rules:
        """These rules with the OPEN rows on `lines` counted as settled and the settled ones as OPEN, for a preview.

        Raises:
            InputError: a line that holds no rule.
        """

        def status(row: RuleRow) -> Status:
            return row.status if row.line not in lines else "settled" if row.status == "OPEN" else "OPEN"

        known = {row.line for row in self.rules}
        for line in sorted(lines):
            if line not in known:
                raise InputError("no rule stands on this line", where=self.path, line=line)
        return replace(
            self,
            ignores=tuple(replace(row, status=status(row)) for row in self.ignores),
            equivalences=tuple(replace(row, status=status(row)) for row in self.equivalences),
        )


NO_RULES_FILE = Rules()
"""The rules of a workspace without EQUIVALENCES.md: none."""
