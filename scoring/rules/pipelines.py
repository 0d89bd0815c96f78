"""How the values of a field are normalised before its rules apply: the steps of `scoring.texts.forms`, chosen by the field's method."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import regex

from scoring.rules.rows import Rules, compile_replacements, ignore_tokens, name_ignore_tokens
from scoring.texts.forms import (
    NAME_STRIPPED,
    QUESTION_STRIPPED,
    TABLE_STRIPPED,
    FieldRules,
    Replacement,
    Side,
    base_tokens,
    date_form,
    name_form,
    place_tokens,
    ruled,
    tokens,
)

Fields = Collection[str] | Mapping[str, str]
"""The fields there are, or each with its method."""

_QUESTION = regex.compile(r"Q[1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The normalisation of one field."""

    field: str
    method: str

    @property
    def is_name(self) -> bool:
        """Whether the field is matched by the name normal form."""
        return self.method == "name"

    @property
    def stripped(self) -> str:
        """What is stripped from the end of each token."""
        return NAME_STRIPPED if self.is_name else QUESTION_STRIPPED if self.method == "question" else TABLE_STRIPPED

    def form(self, text: str) -> tuple[str, ...]:
        """A form or canonical as tokens."""
        return tokens(text, self.stripped)

    def replacements(self, pairs: Collection[tuple[str, str]]) -> tuple[Replacement, ...]:
        """Pairs of form and canonical, compiled."""
        return compile_replacements(pairs, self.stripped, name=self.is_name)

    def ignored(self, token: str, rules: FieldRules) -> tuple[str, ...]:
        """The token of an ignore rule as tokens, under the field's `rules`."""
        return name_ignore_tokens(token, rules) if self.is_name else ignore_tokens(token, self.stripped)

    def compiled(self, rules: Rules, open_lines: Collection[int] = ()) -> FieldRules:
        """The field's rules."""
        return (
            rules.name(self.field, open_lines=open_lines)
            if self.is_name
            else rules.field(self.field, stripped=self.stripped, open_lines=open_lines)
        )

    def _base(self, text: str, side: Side) -> tuple[str, ...]:
        words = base_tokens(text, side, self.stripped)
        return place_tokens(words) if self.method == "place" else words

    def rewritten(self, text: str, rules: FieldRules, side: Side = "gt") -> tuple[str, ...]:
        """A value's tokens when its equivalences have been applied and its ignore rules not."""
        if self.is_name:
            return tuple(name_form(text, rules).split())
        return ruled(self._base(text, side), side, FieldRules(rules.replacements))

    def normal(self, text: str, rules: FieldRules, side: Side) -> str:
        """A value's normal form, as it is scored."""
        if self.is_name:
            return name_form(text, rules)
        if self.method == "date":
            return date_form(text, side, rules)
        return " ".join(ruled(self._base(text, side), side, rules))

    def written(self, text: str, side: Side, *, ignoring: bool = False) -> tuple[tuple[str, ...], ...]:
        """A value's tokens as a form (or, `ignoring`, the token of an ignore rule) may be met in them, before any rule."""
        if self.is_name:
            return (tuple(name_form(text).split()) if ignoring else tokens(text, NAME_STRIPPED),)
        words = base_tokens(text, side, self.stripped)
        return (words, place_tokens(words)) if self.method == "place" else (words,)


def pipeline_of(field: str, known: Fields | None) -> Pipeline:
    """The pipeline of a field: by its method where `known` says it, else by its name."""
    if isinstance(known, Mapping) and field in known:
        return Pipeline(field, known[field])
    return Pipeline(field, "name" if field == "name" else "question" if _QUESTION.fullmatch(field) else "text")
