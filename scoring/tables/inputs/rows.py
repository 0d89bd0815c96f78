"""Records to rows: keys matched to fields, cells to text, blank words to nothing; what was repaired is gathered.

See `docs/method.md#run-files`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.foundations.problems import Problem, Severity
from scoring.tables.inputs.aliases import UnknownKeys
from scoring.tables.inputs.character_references import References
from scoring.tables.inputs.nested_values import NestedValue, Paths, asks_for_a_look, nested_cell
from scoring.tables.inputs.rows_and_runs import Row
from scoring.texts.cells import cell_text, plain_key
from scoring.texts.forms import visible

CELL_LIMIT, KEY_LIMIT = 100_000, 2_000


@dataclass(slots=True)
class RowProblems:
    """Collects the problems of one file; those of cells are gathered by field and repair."""

    where: str
    problems: list[Problem] = field(default_factory=list)

    def add(
        self, severity: Severity, message: str, *, page: str | None = None, row: int | None = None, line: int | None = None, where: str = ""
    ) -> None:
        """One more problem of this file (or of `where`)."""
        self.problems.append(Problem(severity, message, where or self.where, line, page, row))

    def repairs(self, messages: Iterable[str], *, page: str | None = None, where: str = "") -> None:
        """Add repairs of the whole file or page."""
        for message in messages:
            self.add(Severity.REPAIR, message, page=page, where=where)

    def warnings(self, messages: Iterable[str], *, page: str | None = None, where: str = "") -> None:
        """Add warnings about the whole file or page: liberties on which figures depend."""
        for message in messages:
            self.add(Severity.WARNING, message, page=page, where=where)


@dataclass(slots=True)
class UnknownKey:
    """A key that is no field: how many records have it, and which first."""

    count: int
    page: str
    row: int


@dataclass(slots=True)
class KeyUse:
    """The keys met over the pages of a run: those that are no field, and the fields that some record has."""

    unknown: dict[str, UnknownKey] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)

    def add(self, key: str, page: str, row: int) -> None:
        """One more record that has an unknown key."""
        entry = self.unknown.get(key)
        if entry is None:
            self.unknown[key] = UnknownKey(1, page, row)
        else:
            entry.count += 1


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to do with records of one sequence of keys."""

    known: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    every: frozenset[str]


class RowReader:
    """Turns records into rows of a schema. Keeps what it has seen of keys and cells, so one reader serves all files.

    Args:
        names: the schema's fields, in order.
        blank_words: whole cells that mean "nothing", compared without case.
        key: the fields a record is matched by. Names are compared character by character, so that these are held shorter.
        aliases: keys of records, each with the field it means.
        references: decodes character references in cells; None leaves them.
        unknown: collects the values under unknown keys; None collects none.

    A cell longer than anything that can stand in a line of a page is cut and reported: a model that repeats itself to the end
    of its answer must not hold up everything else. The file keeps all of it.
    """

    def __init__(
        self,
        names: Sequence[str],
        blank_words: Iterable[str],
        key: Iterable[str] = (),
        *,
        aliases: Mapping[str, str] | None = None,
        references: References | None = None,
        unknown: UnknownKeys | None = None,
    ) -> None:
        self.names, self.key = tuple(names), tuple(key)
        aliases = aliases or {}
        self._alias_keys = tuple(aliases)
        self._references, self._unknown = references, unknown
        self._most = dict.fromkeys(names, CELL_LIMIT) | dict.fromkeys(self.key, KEY_LIMIT)
        self._fields: dict[str, str] = {}
        for name in names:
            self._fields.setdefault(plain_key(name), name)
            self._fields.setdefault(plain_key(name.replace("[]", "")), name)
        for alias, name in aliases.items():
            self._fields.setdefault(plain_key(alias), name)
        self._aliases = frozenset(map(plain_key, aliases))
        self._exact = {name: name for name in names}
        self._keyed = frozenset(self.key)
        self.paths = Paths(names, self.field_of, self.cell)
        self._blank = frozenset(word.strip().casefold() for word in blank_words)
        self._longest_blank = max(map(len, self._blank), default=0)
        self._plans: dict[tuple[str, ...], _Plan] = {}
        self._clean: dict[str, str] = {}
        # Runs of one page repeat whole rows, which are kept once: values are never changed.
        self._shared: dict[tuple[str, ...], dict[str, str]] = {}

    def field_of(self, key: str) -> str | None:
        """The field a key or column means, if any."""
        return self._exact.get(key) or self._fields.get(plain_key(key))

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys a record may have: the fields, those under which nested ones lie, and the aliases."""
        return (*self.names, *self.paths.tops, *self._alias_keys)

    def cell(self, value: object, *, key: bool = False) -> tuple[str, str | None]:
        """A value as the text of a cell, "" where it is blank or a blank word, and the repair made.

        `key`: the value is of a field records are matched by.
        """
        if value is None:
            return "", None
        if isinstance(value, NestedValue):
            return value.cell(key=key)
        text, note = cell_text(value)
        if text[:1] in ("[", "{") or isinstance(value, list):
            text, note = nested_cell(value, text, note, key=key)
        if self._references is not None and text[:1] not in ("[", "{") and ("&" in text or "\\u" in text):
            text, note = self._decoded(text, note)
        if text and len(text) <= self._longest_blank and text.casefold() in self._blank:
            return "", f"{text!r} read as nothing"
        return text, note

    def _decoded(self, text: str, note: str | None) -> tuple[str, str | None]:
        assert self._references is not None
        decoded, repair = self._references.decode(text)
        if repair is None:
            return text, note
        text, more = cell_text(decoded)
        return text, "; ".join(part for part in (note, repair, more) if part)

    def rows(
        self,
        records: Iterable[Mapping[str, object]],
        report: RowProblems,
        *,
        page: str,
        where: str = "",
        keys: KeyUse,
        lines: Sequence[int] = (),
    ) -> tuple[Row, ...]:
        """The rows of a page. A record with every field blank is dropped and reported; numbers are those of the records, from 1.

        `lines` are the lines of the records in their file, where that is known.
        """
        rows: list[Row] = []
        repaired: dict[tuple[str, str], list[int]] = {}
        dropped: list[int] = []
        cut: dict[str, list[int]] = {}
        renamed: dict[str, str] = {}
        renamed_rows: list[int] = []
        met: set[tuple[str, ...]] = set()
        blank = dict.fromkeys(self.names, "")
        clean = self._clean
        for number, record in enumerate(map(self.paths.flat, records), 1):
            given = tuple(record)
            plan = self._plans.get(given)
            if plan is None:
                plan = self._plans[given] = self._plan(given)
            values = blank.copy()
            filled = False
            for key, name in plan.known:
                value = record[key]
                text: str | None = None
                if type(value) is str:
                    text = clean.get(value)
                if text is None:
                    text, note = self.cell(value, key=name in self._keyed)
                    if note is not None:
                        repaired.setdefault((name, note), []).append(number)
                    elif type(value) is str:
                        clean[value] = text
                if text:
                    if len(text) > KEY_LIMIT and len(text) > self._most[name]:
                        cut.setdefault(name, []).append(number)
                        text = text[: self._most[name]]
                    if values[name]:
                        repaired.setdefault((name, f"given twice, {visible(text[:60])!r} left out"), []).append(number)
                        continue
                    values[name] = text
                    filled = True
            for key in plan.unknown:
                keys.add(key, page, number)
                if self._unknown is not None:
                    self._unknown.add(key, record[key], plan.every)
            if plan.renamed:
                renamed.update(plan.renamed)
                renamed_rows.append(number)
            if filled:
                rows.append(Row(number, self._shared.setdefault(tuple(values.values()), values)))
                met.add(given)
            else:
                dropped.append(number)
        keys.fields.update(name for given in met for _, name in self._plans[given].known)
        if renamed:
            pairs = ", ".join(f"{visible(key)!r} as `{name}`" for key, name in renamed.items())
            self._tell(report, f"keys read as fields: {pairs}", Severity.REPAIR, renamed_rows, page, where, lines)
        for (name, note), numbers in repaired.items():
            severity = Severity.WARNING if asks_for_a_look(note) else Severity.REPAIR
            self._tell(report, f"`{name}`: {visible(note)}", severity, numbers, page, where, lines)
        for name, numbers in cut.items():
            message = f"`{name}`: longer than {self._most[name]} characters, what follows was left out"
            self._tell(report, message, Severity.WARNING, numbers, page, where, lines)
        if dropped:
            self._tell(report, "every field blank, dropped", Severity.REPAIR, dropped, page, where, lines)
        return tuple(rows)

    @staticmethod
    def _tell(
        report: RowProblems, message: str, severity: Severity, numbers: Sequence[int], page: str, where: str, lines: Sequence[int]
    ) -> None:
        first = numbers[0]
        if len(numbers) > 1:
            message = f"{message} (rows {ranges(numbers)})"
        line = lines[first - 1] if first <= len(lines) else None
        report.add(severity, message, page=page, row=first, where=where, line=line)

    def _plan(self, keys: tuple[str, ...]) -> _Plan:
        known, unknown, renamed = [], [], []
        for key in keys:
            name = self.field_of(key)
            if name is None:
                unknown.append(key)
                continue
            known.append((key, name))
            if key != name and plain_key(key) not in self._aliases:
                renamed.append((key, name))
        # A key that is the field's very name goes first: it wins over one that only reads like it.
        known.sort(key=lambda pair: pair[0] != pair[1])
        return _Plan(tuple(known), tuple(unknown), tuple(renamed), frozenset((*unknown, *(name for _, name in known))))


def ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers, neighbours drawn together: `1-3, 7`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        elif not parts or number != parts[-1][1]:
            parts.append([number, number])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)
