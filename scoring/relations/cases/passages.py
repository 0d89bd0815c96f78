"""Where mentions stand in a document's text, and the sentence around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SENTENCE_END = re.compile(r"[.!?…]+[\"'»”)\]]*(?=\s|$)|\n\s*\n")


def mention_spans(text: str, mentions: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Every place where one of the mentions stands, in order, overlaps joined.

    A mention is looked for as a whole word first, then without regard to case; only one that never stands so is looked
    for inside words. Any white space stands for any other.
    """
    found: list[tuple[int, int]] = []
    for mention in mentions:
        if not mention.strip():
            continue
        pattern = r"\s+".join(map(re.escape, mention.split()))
        word = rf"(?<!\w){pattern}(?!\w)"
        for form, flags in ((word, 0), (word, re.IGNORECASE), (pattern, 0)):
            spans = [match.span() for match in re.finditer(form, text, flags)]
            if spans:
                found += spans
                break
    return joined(found)


def joined(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans in order, those that overlap made one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return tuple(out)


def sentence_around(text: str, span: tuple[int, int], width: int = 240) -> str:
    """The sentence a span stands in, on one line; cut to `width` characters on either side of the span."""
    start, end = span
    begin = max((match.end() for match in _SENTENCE_END.finditer(text, max(0, start - width), start)), default=max(0, start - width))
    close = _SENTENCE_END.search(text, end, min(len(text), end + width))
    stop = close.end() if close else min(len(text), end + width)
    cut_before = "…" if begin > 0 and begin == start - width else ""
    cut_after = "…" if stop < len(text) and stop == end + width else ""
    return f"{cut_before}{' '.join(text[begin:stop].split())}{cut_after}"


def context(text: str, mentions: Sequence[str], most: int = 3) -> str:
    """The sentences around the first mentions, each once, separated by a slash; empty where no mention is found."""
    sentences = dict.fromkeys(sentence_around(text, span) for span in mention_spans(text, mentions))
    return " / ".join(list(sentences)[:most])
