r"""Character references that a model left in a cell: `&amp;`, `&#233;` of HTML, `\u00e9` of JSON."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterable
from html.entities import html5
from typing import Final

ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
ESCAPE: Final = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")


class References:
    """Decodes character references, once. Kinds that the ground truth holds itself stay as they are.

    A reference is well formed: it ends with `;`, and its name is one of HTML. An `&` alone stays.
    """

    def __init__(self, ground_truth: Iterable[str]) -> None:
        entities = escapes = True
        for value in ground_truth:
            entities = entities and not ("&" in value and _found(value))
            escapes = escapes and not ("\\u" in value and ESCAPE.search(value))
        self._entities, self._escapes = entities, escapes

    def decode(self, text: str) -> tuple[str, str | None]:
        """Return the text decoded and the repair made."""
        notes = []
        for applies, sign, pattern, replace, note in (
            (self._entities, "&", ENTITY, _entity, "HTML entities decoded"),
            (self._escapes, "\\u", ESCAPE, _escape, "\\u escapes decoded"),
        ):
            if applies and sign in text:
                decoded = _replaced(pattern, replace, text)
                if decoded != text:
                    text = decoded
                    notes.append(note)
        return text, "; ".join(notes) or None


def _replaced(pattern: re.Pattern[str], replace: Callable[[str], str], text: str) -> str:
    return pattern.sub(lambda match: replace(match.group()), text)


def _found(text: str) -> bool:
    return any(_entity(match) != match for match in ENTITY.findall(text))


def _entity(reference: str) -> str:
    return html.unescape(reference) if reference[1] == "#" or reference[1:] in html5 else reference


def _escape(escapes: str) -> str:
    return str(json.loads(f'"{escapes}"'))
