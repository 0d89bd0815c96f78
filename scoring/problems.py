"""What can be wrong with an input, and how it is said.

A fault the user can mend is an `InputError`: one sentence, where, what to do. It ends the command with
exit code 2 and is never shown as a traceback. What a reader forgave, or found and could work around, is a
`Problem`; readers return lists of them, `adjudicate check` prints them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


def place(where: object = None, line: int | None = None) -> str:
    """`file:line` of a fault, as far as it is known."""
    if where is None:
        return ""
    return f"{where}:{line}" if line is not None else str(where)


class InputError(Exception):
    """A fault in what the user gave. `str()` of it is the sentence to print.

    Args:
        what: what is wrong, a sentence without its full stop.
        where: the file (or other place) it is wrong in.
        line: the line there, from 1.
        hint: what to do about it, a sentence without its full stop.
    """

    def __init__(self, what: str, *, where: object = None, line: int | None = None, hint: str = "") -> None:
        self.what, self.where, self.line, self.hint = what, where, line, hint
        parts = [f"{place(where, line)}: " if where is not None else "", _ended(what)]
        if hint:
            parts += [" ", _ended(hint[0].upper() + hint[1:])]
        super().__init__("".join(parts))


def install_hint(extra: str, *libraries: str) -> str:
    """Name the two ways to install an optional extra: from the source code, and library by library for an installed wheel."""
    return f'run `pip install ".[{extra}]"` in the folder of the source code, or `pip install {" ".join(libraries)}`'


def _ended(sentence: str) -> str:
    """A sentence with its full stop, or with the question mark it has."""
    bare = sentence.rstrip(".")
    if bare.lower().startswith("did you mean"):
        return bare.rstrip("?") + "?"
    return bare if bare.endswith("?") else bare + "."


class Severity(StrEnum):
    """How much a problem matters: an error stops scoring, a warning asks for a look, a repair was made, a note informs."""

    ERROR = "error"
    WARNING = "warning"
    REPAIR = "repair"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something found in an input: where (file, line, page, row; rows count from 1) and a sentence on what."""

    severity: Severity
    message: str
    where: str = ""
    line: int | None = None
    page: str | None = None
    row: int | None = None

    def __str__(self) -> str:
        at = place(self.where or None, self.line)
        detail = ", ".join(
            part
            for part in (f"page {self.page}" if self.page is not None else "", f"row {self.row}" if self.row is not None else "")
            if part
        )
        head = f"{at} ({detail})" if at and detail else at or detail
        return f"{head}: {self.message}" if head else self.message


CONFLICT = "a git merge conflict was left in the file: keep the lines that are right and delete those of the markers"


def conflict_line(text: str) -> int | None:
    """The first line (from 1) of a merge conflict that git left in a text; `None` where there is none.

    A line of equals signs alone is Markdown's underline of a title as well; the two other markers are nothing else.
    """
    if "<<<<<<< " not in text and ">>>>>>> " not in text:
        return None
    lines = text.split("\n")
    return next((at for at, line in enumerate(lines, 1) if line.startswith(("<<<<<<< ", ">>>>>>> "))), None)
