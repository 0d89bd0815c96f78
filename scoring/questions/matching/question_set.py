"""A question set as data: `questions/questions.toml` (`docs/questions.md#material`).

What kind of answer each question takes, when it is asked, and what is particular about its scoring is data;
a set of one's own needs no code.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from scoring.foundations.problems import InputError
from scoring.foundations.toml_files import read_toml

Type = Literal["boolean", "integer", "paired_integer", "string", "text_array"]
Order = Literal["free", "document"]
BlankBlank = Literal["excluded", "correct"]

# What a blank answer to a question whose ground truth is blank counts as, unless the set says otherwise.
BLANK_BLANK: dict[Type, BlankBlank] = {
    "boolean": "excluded",
    "integer": "excluded",
    "paired_integer": "excluded",
    "string": "correct",
    "text_array": "correct",
}
TEXT_TYPES: frozenset[Type] = frozenset({"string", "text_array"})

_SET_KEYS = ("title", "review_below", "question")
_QUESTION_KEYS = ("id", "type", "text", "asked_when", "illegible", "words", "order", "blank_blank")
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_CONDITION = re.compile(r"\s*(\S+)\s+(is\s+not|is|!=|=)\s+(\S.*?)\s*")


@dataclass(frozen=True, slots=True)
class Condition:
    """When a question is asked: the ground truth of `question` is `value`, or (`negated`) is anything else but blank."""

    question: str
    value: str
    negated: bool = False

    def __str__(self) -> str:
        return f"{self.question} is {'not ' if self.negated else ''}{self.value}"


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        illegible: a boolean that a model may answer with `illegible`, which is counted apart.
        words: only so many first words of each entry count; None for all.
        order: entries of a text array are matched in any order (`free`) or must keep the document's (`document`).
        blank_blank: what a blank answer against a blank ground truth is.
    """

    id: str
    type: Type
    text: str
    condition: Condition | None = None
    illegible: bool = False
    words: int | None = None
    order: Order = "free"
    blank_blank: BlankBlank = "excluded"

    @property
    def graded(self) -> bool:
        """Scored by characters, from 0 to 1, rather than right or wrong."""
        return self.type in TEXT_TYPES


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions in order. Entries read with a character accuracy under `review_below` are offered for review."""

    questions: tuple[Question, ...]
    title: str = ""
    review_below: float = 1.0

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(question.id for question in self.questions)

    @property
    def rule_fields(self) -> tuple[str, ...]:
        """Fields that rows of EQUIVALENCES.md may name: the questions whose answers are text."""
        return tuple(question.id for question in self.questions if question.graded)

    def parsed(self) -> list[object]:
        """What changes figures, as plain values, for the fingerprint."""
        return [
            [q.id, q.type, str(q.condition) if q.condition else None, q.illegible, q.words, q.order, q.blank_blank] for q in self.questions
        ]


def read_questions(path: Path) -> QuestionSet:
    """Read a question set.

    Raises:
        InputError: no such file, not TOML, or what `question_set` refuses.
    """
    found = read_toml(path, "the question set is")
    if found is None:
        raise InputError("there is no question set", where=path, hint="write it as docs/questions.md shows")
    return question_set(found[0], path)


def question_set(document: Mapping[str, Any], where: object) -> QuestionSet:
    """The set that a parsed questions.toml declares.

    Raises:
        InputError: no question, an unknown key, type or value, an id twice, a condition on a question that does not
            come earlier, or a key that does not go with the question's type.
    """
    _known(document, _SET_KEYS, "the question set", where)
    declared = document.get("question")
    if not isinstance(declared, list) or not declared or not all(isinstance(entry, dict) for entry in declared):
        raise InputError("the question set has no questions", where=where, hint="give each a table `[[question]]` with id, type and text")
    title = document.get("title", "")
    if not isinstance(title, str):
        raise InputError(f"`title` must be a text, not {title!r}", where=where)
    below = document.get("review_below", 1.0)
    if isinstance(below, bool) or not isinstance(below, int | float) or not 0 <= below <= 1:
        raise InputError(f"`review_below` must be a number from 0 to 1, not {below!r}", where=where)
    questions: list[Question] = []
    for number, entry in enumerate(declared, 1):
        questions.append(_question(entry, number, {question.id: question for question in questions}, where))
    return QuestionSet(tuple(questions), title, float(below))


def _question(entry: Mapping[str, Any], number: int, earlier: Mapping[str, Question], where: object) -> Question:
    name = entry.get("id")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise InputError(f"question {number} has the id {name!r}", where=where, hint="begin with a letter, then letters, digits, `-_.`")
    if name.casefold() in {known.casefold() for known in earlier}:
        raise InputError(f"two questions have the id {name}", where=where, hint="give each its own")
    _known(entry, _QUESTION_KEYS, name, where)
    kind: Any = _one_of(entry.get("type"), get_args(Type), f"`type` of {name}", where)
    text = entry.get("text", "")
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"{name} has no text", where=where, hint="`text` is the question as the models were asked it")
    illegible = entry.get("illegible", False)
    if not isinstance(illegible, bool):
        raise InputError(f"`illegible` of {name} must be true or false, not {illegible!r}", where=where)
    if illegible and kind != "boolean":
        raise InputError(f"{name} is no boolean; there `illegible` is an ordinary wrong answer", where=where, hint="take it out")
    words = entry.get("words")
    if words is not None and (isinstance(words, bool) or not isinstance(words, int) or words < 1):
        raise InputError(f"`words` of {name} must be a whole number from 1, not {words!r}", where=where)
    if words is not None and kind not in TEXT_TYPES:
        raise InputError(f"{name} is no text, so `words` means nothing there", where=where, hint="take `words` out")
    if "order" in entry and kind != "text_array":
        raise InputError(f"{name} is no text_array, so `order` means nothing there", where=where, hint="take `order` out")
    order: Any = _one_of(entry.get("order", "free"), get_args(Order), f"`order` of {name}", where)
    blank: Any = _one_of(entry.get("blank_blank", BLANK_BLANK[kind]), get_args(BlankBlank), f"`blank_blank` of {name}", where)
    return Question(name, kind, text.strip(), _condition(entry.get("asked_when"), name, earlier, where), illegible, words, order, blank)


def _condition(text: object, name: str, earlier: Mapping[str, Question], where: object) -> Condition | None:
    if text is None:
        return None
    found = _CONDITION.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise InputError(f"`asked_when` of {name} is {text!r}", where=where, hint='write it like "Q1 is Y" or "Q19 is not 0"')
    asked, relation, value = found.groups()
    if asked not in earlier:
        raise InputError(f"{name} is asked depending on {asked}, which is no earlier question", where=where, hint="name one before it")
    if earlier[asked].type in ("paired_integer", "text_array"):
        raise InputError(f"{name} is asked depending on {asked}, which has more than one value", where=where, hint="name another")
    return Condition(asked, value, relation not in ("is", "="))


def _known(entry: Mapping[str, Any], keys: tuple[str, ...], what: str, where: object) -> None:
    for key in entry:
        if key not in keys:
            near = difflib.get_close_matches(key, keys, n=1)
            hint = f"did you mean `{near[0]}`" if near else f"known keys are {', '.join(keys)}"
            raise InputError(f"unknown key `{key}` in {what}", where=where, hint=hint)


def _one_of(value: object, allowed: tuple[str, ...], what: str, where: object) -> str:
    if value not in allowed:
        raise InputError(f"{what} is {value!r}", where=where, hint=f"use one of {', '.join(allowed)}")
    return str(value)
