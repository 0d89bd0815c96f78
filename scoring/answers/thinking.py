"""Thinking blocks of a model: passed over, for a list in one is never the answer."""

from __future__ import annotations

import re
from typing import Final

from scoring.answers.json_text import containers

_TAGS: Final = "think|thinking|thoughts?|reasoning|scratchpad|reflection|analysis"
_TAG = re.compile(rf"<(/?)({_TAGS})\b[^<>]{{0,200}}>", re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)


def without_thinking(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without its thinking blocks, and the repairs made.

    A block that is never closed ends at the first fence behind it, else where the last JSON value of the text begins, else at
    the end of the text. A closing tag without an opening one ends a block that began with the text.
    """
    tags = list(_TAG.finditer(text))
    if not tags:
        return text, ()
    kept: list[str] = []
    at, opened, depth, unclosed = 0, -1, 0, False
    for tag in tags:
        if tag.group(1):
            if depth == 0:
                kept.clear()
                at = tag.end()
            else:
                depth -= 1
                at = tag.end() if depth == 0 else at
        else:
            if depth == 0:
                kept.append(text[at : tag.start()])
                opened = tag.end()
            depth += 1
    if depth:
        unclosed = True
        at = _end_of_unclosed(text, opened)
    kept.append(text[at:])
    answer = "".join(kept)
    passed = f"thinking of the model passed over ({len(text) - len(answer)} characters)"
    return answer, (f"{passed}; it is not closed" if unclosed else passed,)


def _end_of_unclosed(text: str, opened: int) -> int:
    fence = _FENCE.search(text, opened)
    if fence is not None:
        return fence.start()
    last = len(text)
    for block in containers(text, opened):
        last = block.start
    return last
