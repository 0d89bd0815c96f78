"""Keys of answers that mean fields: the aliases declared, and aliases to propose, from the values under unknown keys."""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from scoring.cells import cell_text, plain_key
from scoring.problems import InputError, Problem, Severity
from scoring.schema import Schema
from scoring.tables.shapes import GTPage
from scoring.text import straightened, visible
from scoring.toml_text import line_of, read_toml
from scoring.workspace import Workspace

SHARE: Final = 0.5
_LEAST_LENGTH, _MOST_KEYS, _MOST_VALUES, _LONGEST = 4, 200, 5_000, 200
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def declared_aliases(workspace: Workspace, schema: Schema) -> dict[str, str]:
    """Return the declared aliases, key of an answer -> field. The settings win over the schema.

    Raises:
        InputError: an alias of the settings means no field, or is a field itself.
    """
    fields = {plain_key(name): name for name in schema.names}
    for key, name in workspace.settings.aliases.items():
        wrong = ""
        if name not in schema.names:
            near = difflib.get_close_matches(name, schema.names, n=1)
            wrong = f"`[aliases]` maps {visible(key)!r} to `{visible(name)}`, which is no field"
            hint = f"did you mean `{near[0]}`" if near else f"the fields are {', '.join(schema.names)}"
        elif fields.get(plain_key(key), name) != name:
            wrong = f"`[aliases]` maps {visible(key)!r} to `{name}`, and `{fields[plain_key(key)]}` is a field itself"
            hint = "remove the line"
        if wrong:
            found = read_toml(workspace.settings_file, "the settings are")
            line = line_of(found[1], key, ("aliases",)) if found else None
            raise InputError(wrong, where=workspace.settings_file, line=line, hint=hint)
    own = {plain_key(key) for key in workspace.settings.aliases}
    return {**{key: name for key, name in schema.aliases.items() if plain_key(key) not in own}, **workspace.settings.aliases}


@dataclass(slots=True)
class UnknownValues:
    """The values under a key that is no field, each with its count, and the other keys and fields of its records."""

    values: Counter[str] = field(default_factory=Counter)
    beside: set[str] = field(default_factory=set)

    def add(self, value: object, beside: Iterable[str]) -> None:
        """Add the value of one record. Lists, objects and long texts are nobody's alias."""
        text = value if isinstance(value, str) else cell_text(value)[0] if isinstance(value, int | float) else ""
        if text and len(text) <= _LONGEST and (text in self.values or len(self.values) < _MOST_VALUES):
            self.values[text] += 1
            self.beside.update(beside)


class UnknownKeys(dict[str, UnknownValues]):
    """The unknown keys of all runs with their values; the first 200 of them."""

    def add(self, key: str, value: object, beside: Iterable[str]) -> None:
        """Add the value of one record under an unknown key."""
        entry = self.get(key)
        if entry is None:
            if len(self) >= _MOST_KEYS:
                return
            entry = self[key] = UnknownValues()
        entry.add(value, beside)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A key whose values look like those of a field: `equal` of `filled` values are values of the field in the ground truth."""

    key: str
    field: str
    equal: int
    filled: int

    @property
    def line(self) -> str:
        """The line for `[aliases]` in `adjudicate.toml`."""
        key = self.key if _BARE.fullmatch(self.key) else _quoted(self.key)
        return f"{key} = {_quoted(self.field)}"

    @property
    def problem(self) -> Problem:
        """The proposal as a line of `adjudicate check`."""
        return Problem(
            Severity.WARNING,
            f"key {visible(self.key)!r} is no field, yet {self.equal} of {self.filled} values under it are values of "
            f"`{visible(self.field)}`; if it means that field, add under [aliases] in adjudicate.toml: {visible(self.line)}",
            "runs",
        )


class AliasFinder:
    """Finds the fields that unknown keys mean, by the values of the ground truth.

    A key is proposed for a field where at least half of its filled values are values of that field, no other field has as many,
    and no record has both. They must be two distinct values, or the only one the key has, of four characters or more.
    """

    def __init__(self, pages: Iterable[GTPage], blank_words: Iterable[str]) -> None:
        self._blank = frozenset(word.strip().casefold() for word in blank_words)
        self._fields: dict[str, dict[str, None]] = {}
        for page in pages:
            for row in page.rows:
                for name, value in row.values.items():
                    if value:
                        self._fields.setdefault(_normal(value), {})[name] = None

    def proposals(self, keys: Mapping[str, UnknownValues]) -> tuple[Proposal, ...]:
        """The proposals for some keys, in their order."""
        ranked = sorted((found for key, seen in keys.items() if (found := self._proposal(key, seen))), key=_rank)
        chosen: list[Proposal] = []
        for one in ranked:
            if not any(other.field == one.field and other.key in keys[one.key].beside for other in chosen):
                chosen.append(one)
        order = {key: at for at, key in enumerate(keys)}
        return tuple(sorted(chosen, key=lambda one: order[one.key]))

    def _proposal(self, key: str, seen: UnknownValues) -> Proposal | None:
        equal: Counter[str] = Counter()
        distinct: dict[str, set[str]] = {}
        filled, known = 0, set()
        for text, count in seen.values.items():
            normal = _normal(text)
            if not normal or normal in self._blank:
                continue
            filled += count
            known.add(normal)
            for name in self._fields.get(normal, ()):
                equal[name] += count
                distinct.setdefault(name, set()).add(normal)
        best = equal.most_common(2)
        if not best or (len(best) > 1 and best[0][1] == best[1][1]):
            return None
        name, most = best[0]
        telling = len(distinct[name]) > 1 or (len(known) == 1 and len(min(known)) >= _LEAST_LENGTH)
        if most < SHARE * filled or not telling or name in seen.beside:
            return None
        return Proposal(key, name, most, filled)


def _rank(found: Proposal) -> tuple[float, str]:
    return -found.equal / found.filled, found.key


def _normal(value: str) -> str:
    return " ".join(straightened(cell_text(value)[0]).casefold().split())


def _quoted(text: str) -> str:
    """A text as a basic string of TOML."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
