"""Finding the answers in what a model returned (`docs/questions.md#material`). Pure; every liberty taken is told in `repairs`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.answers import Incomplete, IncompleteList, Part, json_values, open_answer, parts_that_count, repairs_of
from scoring.questions.matching.question_set import Question
from scoring.texts.cells import cell_text
from scoring.workspace.settings import Settings

_SEPARATORS = re.compile(r"[\s_-]+")
_NUMBER = re.compile(r"(?:question|q)?0*([0-9]+)")
_TEXT_LINE = re.compile(r"[\s*#>(-]*([A-Za-z][\w .-]*?|[0-9]+)[*)\s]*[:=.][*\s]*(.*)")
_NAME_KEYS = ("id", "question", "question_id", "key", "number", "q")
_VALUE_KEYS = ("answer", "value", "response", "a")


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one page: question id -> value as the model gave it; keys that are no question; what was put right."""

    values: Mapping[str, object]
    unknown: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


class QuestionNames:
    """The ids of a question set, looked up the forgiving way: case, space, hyphen, underscore and `Question 7` for `Q7`."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = tuple(ids)
        self._exact = {name: name for name in ids}
        self._loose = {_loose(name): name for name in ids}
        numbers: dict[str, list[str]] = {}
        for name in ids:
            if found := _NUMBER.fullmatch(_loose(name)):
                numbers.setdefault(found[1], []).append(name)
        self._numbers = {number: names[0] for number, names in numbers.items() if len(names) == 1}

    def find(self, key: str) -> str | None:
        """The id that a key means, or None."""
        if key in self._exact:
            return key
        loose = _loose(key)
        if loose in self._loose:
            return self._loose[loose]
        number = _NUMBER.fullmatch(loose)
        return self._numbers.get(number[1]) if number else None


def _loose(key: str) -> str:
    return _SEPARATORS.sub("", key.strip().casefold())


def find_answers(value: object, names: QuestionNames) -> Answers | None:
    """The answers in a parsed response: the object, wherever it lies, with the most question ids as keys; or a list of
    objects each naming a question and its answer. None when there is neither; an empty object is an answer that says nothing."""
    best: Answers | None = Answers({}) if value == {} else None
    for path, found in _walk(value, "$"):
        answers = _of_object(found, names) if isinstance(found, Mapping) else _of_list(found, names)
        if answers is not None and (best is None or len(answers.values) > len(best.values)):
            told = () if path == "$" else (f"the answers lay in {path}",)
            best = Answers(answers.values, answers.unknown, (*told, *answers.repairs))
    return best


def _walk(value: object, path: str) -> Iterator[tuple[str, Mapping[str, object] | Sequence[object]]]:
    """Every object and list inside a parsed response with its path, outer ones first."""
    level: list[tuple[str, object]] = [(path, value)]
    while level:
        inner: list[tuple[str, object]] = []
        for at, found in level:
            if isinstance(found, Mapping):
                yield at, found
                inner += [(f"{at}.{key}", part) for key, part in found.items()]
            elif isinstance(found, list):
                yield at, found
                inner += [(f"{at}[{index}]", part) for index, part in enumerate(found)]
        level = inner


def _of_object(found: Mapping[str, object], names: QuestionNames) -> Answers | None:
    return _gathered(((str(key), value) for key, value in found.items()), names)


def _of_list(found: Sequence[object], names: QuestionNames) -> Answers | None:
    pairs: list[tuple[str, object]] = []
    for part in found:
        if not isinstance(part, Mapping):
            return None
        keys = {_loose(str(key)): key for key in part}
        name = next((part[keys[_loose(key)]] for key in _NAME_KEYS if _loose(key) in keys), None)
        answer = next((key for key in _VALUE_KEYS if key in keys), None)
        if name is None or answer is None or isinstance(name, Mapping | list):
            return None
        pairs.append((str(name), part[keys[answer]]))
    answers = _gathered(iter(pairs), names)
    if answers is None:
        return None
    return Answers(answers.values, answers.unknown, ("a list of questions with answers was read as one object", *answers.repairs))


def _gathered(pairs: Iterator[tuple[str, object]], names: QuestionNames) -> Answers | None:
    values: dict[str, object] = {}
    unknown: list[str] = []
    repairs: list[str] = []
    renamed: list[str] = []
    for key, value in pairs:
        name = names.find(key)
        if name is None:
            unknown.append(key)
        elif name in values:
            repairs.append(f"{name} is answered twice; the first answer counts")
        else:
            if isinstance(value, Incomplete | IncompleteList):
                repairs.append(f"{name}: an answer that is cut off is left out")
                continue
            values[name] = value
            if name != key:
                renamed.append(f"{key} for {name}")
    if renamed:
        repairs.insert(0, f"keys written otherwise: {', '.join(renamed)}")
    return Answers(values, tuple(unknown), tuple(repairs)) if values else None


@dataclass(frozen=True, slots=True)
class Response:
    """The answers of one response, whether it was cut off, and the liberties on which figures depend."""

    answers: Answers
    truncated: bool = False
    warnings: tuple[str, ...] = ()


def read_response(text: str, names: QuestionNames) -> Response | None:
    """Return the answers in what a model returned for a document; None where there are none.

    Of several JSON values a later one revises or continues the earlier, as in every task.

    Raises:
        InputError: the response holds an error or a refusal; `what` is the reason.
    """
    opened = open_answer(text)
    values = json_values(opened)
    read = [(one, found) for one in values if (found := find_answers(one.value, names)) is not None]
    filled = [(one, found) for one, found in read if found.values] or read[-1:]
    parts = [Part(one.start, one.end, tuple(found.values.items()), tuple(found.values), one.cut) for one, found in filled]
    kept, warnings = parts_that_count(opened.text, parts, "answers")
    chosen = [pair for pair, part in zip(filled, parts, strict=True) if any(part is one for one in kept)]
    cut = opened.truncated or any(one.cut for one, _ in chosen)
    given = {name: value for _, found in chosen for name, value in found.values.items()}
    if not chosen or (cut and not given):
        in_lines = answers_in_text(opened.text, names)
        if in_lines is None:
            return None
        return Response(replace(in_lines, repairs=(*opened.repairs, *in_lines.repairs)), opened.truncated, opened.warnings)
    repairs = (*repairs_of(opened, values, [one for one, _ in chosen]), *(repair for _, found in chosen for repair in found.repairs))
    unknown = tuple(key for _, found in chosen for key in found.unknown)
    return Response(Answers(given, unknown, repairs), cut, (*opened.warnings, *warnings))


def answers_in_text(text: str, names: QuestionNames) -> Answers | None:
    """Answers written as lines, `Q1: Y`, where there is no JSON to be read."""
    pairs: list[tuple[str, object]] = []
    for line in text.splitlines():
        found = _TEXT_LINE.fullmatch(line.rstrip())
        if found and names.find(found[1]) is not None:
            pairs.append((found[1], found[2].rstrip("* ")))
    answers = _gathered(iter(pairs), names)
    if answers is None:
        return None
    return Answers(answers.values, (), ("no JSON was found; lines such as `Q1: Y` were read", *answers.repairs))


def answer_text(question: Question, value: object, blank_words: Collection[str]) -> tuple[str, str | None]:
    """One answer as text, with a note on what was put right. Lists and objects become pipe-separated where the type has several
    values. A whole answer that is a blank word (`blank_words`, case-folded) is the empty text."""
    note: str | None = None
    if question.type in ("text_array", "paired_integer") and isinstance(value, list | Mapping):
        parts = list(value.values()) if isinstance(value, Mapping) else value
        rendered = [cell_text(part) for part in parts]
        if any("|" in part for part, _ in rendered):
            note = "a list with a `|` inside an entry, which divides the entry"
        else:
            note = "an object joined with `|`" if isinstance(value, Mapping) else "a list joined with `|`"
        inner = sorted({told for _, told in rendered if told})
        text = " | ".join(part for part, _ in rendered)
        note = "; ".join([note, *inner])
    else:
        text, note = cell_text(value)
    if text.strip().casefold() in blank_words:
        return "", note
    return text, note


def folded(settings: Settings) -> frozenset[str]:
    """The blank words of a workspace, case-folded."""
    return frozenset(word.casefold() for word in settings.blank_words)
