"""An answer without its envelope and its thinking: a value, or the text that is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scoring.answers.envelopes import Envelope, unwrap
from scoring.answers.json_text import Block, Parsed, containers, joined_lines, outside_text, parse_strict, sentences
from scoring.answers.thinking import without_thinking
from scoring.model_run import Usage

_NESTED: Final = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said, out of all that was put around it.

    Attributes:
        text: the text of the answer; empty where it is a value.
        value: the parsed value, where the answer is one strict JSON value (`is_value`).
        repairs, warnings: liberties taken.
        truncated: whether the provider stopped before its end.
        usage: what it took.
    """

    text: str
    value: Any = None
    is_value: bool = False
    repairs: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    truncated: bool = False
    usage: Usage | None = None


def open_answer(text: str, *, lines: bool = False) -> Answer:
    """Take an answer out of response envelopes, texts written as JSON and thinking blocks, however they are nested.

    Args:
        text: what was saved of a response.
        lines: the text is known to be JSON Lines.

    Raises:
        InputError: the response holds an error or a refusal; `what` is the reason.
    """
    answer = Answer(text)
    for _ in range(_NESTED):
        bare = answer.text.strip(" \t\r\n\ufeff")
        strict = parse_strict(bare) if bare[:1] in ("{", "[", '"') else None
        if strict is None:
            following = _out_of_lines(answer, bare, lines) or _without_thinking(answer)
            if following is None:
                return answer
            answer = following
        elif isinstance(strict.value, str):
            answer = replace(answer, text=strict.value, repairs=(*answer.repairs, "JSON written as a text"))
        else:
            envelope = unwrap(strict.value)
            if envelope is None:
                return _as_value(answer, strict)
            answer = _unwrapped(answer, envelope)
            if answer.is_value:
                return answer
    return answer


def _as_value(answer: Answer, parsed: Parsed) -> Answer:
    return replace(answer, text="", value=parsed.value, is_value=True, repairs=(*answer.repairs, *parsed.repairs))


def _unwrapped(answer: Answer, envelope: Envelope) -> Answer:
    is_text = isinstance(envelope.content, str)
    return Answer(
        envelope.content if is_text else "",
        None if is_text else envelope.content,
        not is_text,
        (*answer.repairs, *envelope.repairs),
        (*answer.warnings, *envelope.warnings),
        answer.truncated or envelope.truncated,
        envelope.usage or answer.usage,
    )


def _without_thinking(answer: Answer) -> Answer | None:
    text, repairs = without_thinking(answer.text)
    return replace(answer, text=text, repairs=(*answer.repairs, *repairs)) if repairs else None


def _out_of_lines(answer: Answer, bare: str, lines: bool) -> Answer | None:
    """The answer in lines of a stream (`data: {...}`, or an object a line), or in a response that is cut off."""
    if not bare.startswith(("data:", "event:", "{")):
        return None
    blocks = list(containers(bare))
    events = bare.startswith(("data:", "event:"))
    joined = joined_lines(bare, blocks, lines or events)
    if len(joined) != 1:
        return None
    envelope = unwrap(joined[0].value)
    if envelope is None:
        return None
    opened = _unwrapped(answer, envelope)
    return replace(opened, truncated=opened.truncated or joined[0].cut)


def json_values(answer: Answer) -> list[Block]:
    """Return the JSON values of an opened answer, in order."""
    if answer.is_value:
        return [Block(0, 0, answer.value, Counter(), False)]
    return joined_lines(answer.text, list(containers(answer.text)), False)


def repairs_of(answer: Answer, values: Sequence[Block], chosen: Sequence[Block]) -> tuple[str, ...]:
    """Return the repairs made in reading the chosen values of an answer, and what lies around them."""
    around = outside_text(answer.text, values, chosen) if chosen and not answer.is_value else []
    return (*answer.repairs, *around, *(sentence for block in chosen for sentence in sentences(block.notes)))
