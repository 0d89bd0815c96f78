"""The filter language of screens and commands: terms separated by blanks, all of which must hold.

`anna` (the title contains it), `page:28`, `status:open`, `queue:surplus`, `suggestion:merge`, `model:alfa`, `phase:naive`,
`run:run_01`, `field:arrival_date`, `new:yes` (occurrences came since the verdict), `mine:no` (you have given no verdict on it),
`by:mp` (that verifier has), `similarity>=0.65`, `times>3`; `-term` negates. Quotes hold blanks together, and what they begin a
term with is text to look for, whatever it looks like: `"anna e bruno"`, `model:"my model"`, `"page:28"`. Without regard to case.
A case without a similarity passes no comparison of it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import get_args

import regex

from scoring.adjudication.cases import Case, Status
from scoring.foundations.model_run import split_key
from scoring.foundations.problems import InputError
from scoring.texts.forms import straightened


@dataclass(frozen=True, slots=True)
class VerifiersByCase:
    """Who has given verdicts: `of` a case, the verifiers with a live one on it; `me` is who asks."""

    of: Callable[[Case], Collection[str]] = lambda _: ()
    me: str | None = None


NOBODY = VerifiersByCase()
Test = Callable[[Case, VerifiersByCase], bool]

_NUMBERS: dict[str, Callable[[Case], float | None]] = {
    "similarity": lambda case: _number(case.basis.get("similarity")),
    "times": lambda case: float(len(case.occurrences)),
    "leverage": lambda case: case.leverage,
}
_WORDS: dict[str, Callable[[Case, str], bool]] = {
    "page": lambda case, value: case.page.casefold() == value,
    "queue": lambda case, value: case.queue.casefold().startswith(value),
    "status": lambda case, value: case.status == value,
    "suggestion": lambda case, value: (case.suggestion or "") == value,
    "model": lambda case, value: any(split_key(occurrence.run.casefold())[0] == value for occurrence in case.occurrences),
    "phase": lambda case, value: any(split_key(occurrence.run.casefold())[1] == value for occurrence in case.occurrences),
    "run": lambda case, value: any(value in (run := occurrence.run.casefold(), split_key(run)[2]) for occurrence in case.occurrences),
    "new": lambda case, value: (value == "yes") == bool(case.basis.get("new")),
    "id": lambda case, value: case.id.startswith(value),
    "field": lambda case, value: str(case.basis.get("field", "")).casefold() == value,
}
_JUDGES: dict[str, Callable[[Case, VerifiersByCase, str], bool]] = {
    "mine": lambda case, judges, value: (judges.me in judges.of(case)) == (value == "yes"),
    "by": lambda case, judges, value: any(judge.casefold() == value for judge in judges.of(case)),
}
_OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq}
_COMPARISON = regex.compile(r"([a-z]+)(>=|<=|>|<|=)(.*)")
_TERM = regex.compile(r"""(-?)(?:([^\s":]+:)?"([^"]*)"(?=\s|$)|(\S+))""")
_STATUSES = get_args(Status)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


@dataclass(frozen=True, slots=True)
class Filter:
    """A parsed filter; `text` is what was typed, `keys` what it asks by. An empty one lets everything pass."""

    text: str = ""
    tests: tuple[Test, ...] = ()
    keys: frozenset[str] = frozenset()

    def __call__(self, case: Case, judges: VerifiersByCase = NOBODY) -> bool:
        return all(test(case, judges) for test in self.tests)


EVERYTHING = Filter()


def parse_filter(text: str) -> Filter:
    """Parse a filter.

    Raises:
        InputError: an unknown key, a number that is none, or an open quotation mark.
    """
    tests: list[Test] = []
    keys: set[str] = set()
    for term in _TERM.finditer(text):
        minus, key, quoted, word = term.groups()
        if word is not None and '"' in word:
            raise InputError(f"the filter {text!r} has an open quotation mark", hint='close it with `"`')
        if word is not None:
            test, asks = _test(word)
            keys |= asks
        elif key is not None:
            test = _keyed(key[:-1], quoted)
            keys.add(key[:-1])
        else:
            test = _contains(quoted)
        tests.append(_not(test) if minus else test)
    return Filter(text.strip(), tuple(tests), frozenset(keys))


def _not(test: Test) -> Test:
    return lambda case, judges: not test(case, judges)


def _contains(text: str) -> Test:
    needle = straightened(text).casefold()
    return lambda case, judges: needle in straightened(case.title).casefold()


def _test(word: str) -> tuple[Test, set[str]]:
    compared = _COMPARISON.fullmatch(word)
    if compared:
        return _compared(*compared.groups()), {compared[1]}
    key, colon, value = word.partition(":")
    if colon and key.isalpha() and key.islower() and value:
        return _keyed(key, value), {key}
    contains = _contains(word)
    return lambda case, judges: contains(case, judges) or word == case.id, set()


def _compared(key: str, sign: str, value: str) -> Test:
    if key not in _NUMBERS:
        raise InputError(f"`{key}` cannot be compared", hint=f"numbers are {', '.join(_NUMBERS)}; put text in quotes to search it")
    try:
        bound = float(value)
    except ValueError:
        bound = float("nan")
    if bound != bound:
        raise InputError(f"`{value}` in the filter is no number", hint=f"write {key}{sign}0.65")
    number, compare = _NUMBERS[key], _OPERATORS[sign]

    def test(case: Case, judges: VerifiersByCase) -> bool:
        found = number(case)
        return found is not None and bool(compare(found, bound))

    return test


def _keyed(key: str, value: str) -> Test:
    if key not in _WORDS and key not in _JUDGES:
        raise InputError(
            f"the filter has no key `{key}`", hint=f"keys are {', '.join((*_WORDS, *_JUDGES, *_NUMBERS))}; put text in quotes to search it"
        )
    wanted = straightened(value).casefold()
    if key == "status" and wanted not in _STATUSES:
        raise InputError(f"there is no status `{value}`", hint=f"a case is {', '.join(_STATUSES)}")
    if key == "mine" and wanted not in ("yes", "no"):
        raise InputError(f"a case is mine:yes or mine:no, not mine:{value}", hint="by:NAME asks for another verifier's")
    if key == "new" and wanted not in ("yes", "no"):
        raise InputError(f"`{value}` does not say whether anything is new", hint="write new:yes or new:no")
    if key in _JUDGES:
        judged = _JUDGES[key]
        return lambda case, judges: judged(case, judges, wanted)
    test = _WORDS[key]
    return lambda case, judges: test(case, wanted)
