"""The filter language of screens and commands: terms separated by blanks, all of which must hold.

`anna` (the title contains it), `page:28`, `status:open`, `queue:surplus`, `suggestion:merge`, `model:alfa`, `phase:naive`,
`run:run_01`, `similarity>=0.65`, `times>3`; `-term` negates, quotes hold blanks together: `"anna e bruno"`.
"""

from __future__ import annotations

import operator
import shlex
from collections.abc import Callable
from dataclasses import dataclass

import regex

from scoring.adjudication.cases import Case
from scoring.problems import InputError

Test = Callable[[Case], bool]

_NUMBERS: dict[str, Callable[[Case], float]] = {
    "similarity": lambda case: _number(case.basis.get("similarity")),
    "times": lambda case: float(len(case.occurrences)),
    "leverage": lambda case: case.leverage,
}
_WORDS: dict[str, Callable[[Case, str], bool]] = {
    "page": lambda case, value: case.page.casefold() == value,
    "queue": lambda case, value: case.queue.casefold().startswith(value),
    "status": lambda case, value: case.status == value,
    "suggestion": lambda case, value: (case.suggestion or "") == value,
    "model": lambda case, value: any(occurrence.run.casefold().split("/")[0] == value for occurrence in case.occurrences),
    "phase": lambda case, value: any(occurrence.run.casefold().split("/")[1:2] == [value] for occurrence in case.occurrences),
    "run": lambda case, value: any(occurrence.run.casefold().endswith(value) for occurrence in case.occurrences),
    "id": lambda case, value: case.id.startswith(value),
}
_OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq}
_COMPARISON = regex.compile(r"([a-z]+)(>=|<=|>|<|=)(.*)")


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


@dataclass(frozen=True, slots=True)
class Filter:
    """A parsed filter; `text` is what was typed. An empty one lets everything pass."""

    text: str = ""
    tests: tuple[Test, ...] = ()

    def __call__(self, case: Case) -> bool:
        return all(test(case) for test in self.tests)


EVERYTHING = Filter()


def parse_filter(text: str) -> Filter:
    """Parse a filter.

    Raises:
        InputError: an unknown key, a number that is none, or an open quotation mark.
    """
    lexer = shlex.shlex(text, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.quotes = True, "", '"'
    try:
        words = list(lexer)
    except ValueError as fault:
        raise InputError(f"the filter {text!r} has an open quotation mark", hint='close it with `"`') from fault
    return Filter(text.strip(), tuple(_test(word) for word in words))


def _test(word: str) -> Test:
    if word.startswith("-") and len(word) > 1:
        inner = _test(word[1:])
        return lambda case: not inner(case)
    compared = _COMPARISON.fullmatch(word)
    if compared:
        key, sign, value = compared.groups()
        if key not in _NUMBERS:
            raise InputError(f"`{key}` cannot be compared", hint=f"numbers are {', '.join(_NUMBERS)}")
        try:
            bound = float(value)
        except ValueError:
            raise InputError(f"`{value}` in the filter is no number", hint=f"write {key}{sign}0.65") from None
        return lambda case: bool(_OPERATORS[sign](_NUMBERS[key](case), bound))
    key, colon, value = word.partition(":")
    if colon and key in _WORDS:
        wanted = value.casefold()
        return lambda case: _WORDS[key](case, wanted)
    if colon and key.isalpha() and key.islower() and value:
        raise InputError(
            f"the filter has no key `{key}`", hint=f"keys are {', '.join((*_WORDS, *_NUMBERS))}; put text in quotes to search it"
        )
    needle = word.casefold()
    return lambda case: needle in case.title.casefold() or needle == case.id
