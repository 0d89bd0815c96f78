"""What a row of EQUIVALENCES.md is called: its line, or a name made of its content, which it keeps wherever it is moved to.

A line number alone names another row once the file was edited; a name made of content names this row or none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict

import regex

from scoring.foundations.hashing import content_hash
from scoring.foundations.problems import InputError
from scoring.rules.rows import Row, Rules

_NAME = regex.compile(r"r-[0-9a-f]{8}")


def row_names(rules: Rules) -> dict[int, str]:
    """Line of a row -> its name, `r-` and 8 hex digits over its kind and cells. Of rows word for word alike each has another name."""
    seen: Counter[str] = Counter()
    found: dict[int, str] = {}
    for row in rules.rows:
        cells = {name: value for name, value in asdict(row).items() if name != "line"}
        content = content_hash([type(row).__name__, cells])
        found[row.line] = f"r-{content}" if not seen[content] else f"r-{content_hash([content, seen[content]])}"
        seen[content] += 1
    return found


def line_named(rules: Rules, name: str) -> int:
    """The line (from 1) of the row called so, by its line or by its name. Whether a row stands on a line is for the caller to see.

    Raises:
        InputError: neither a line nor a name, or no row has this name: it has changed, or is gone.
    """
    if name.isascii() and name.isdigit() and int(name):
        return int(name)
    if not _NAME.fullmatch(name):
        raise InputError(f"`{name}` names no row", hint="give its line in the file, or its name, as `adjudicate rules list` shows them")
    lines = [line for line, known in row_names(rules).items() if known == name]
    if len(lines) != 1:
        what = f"no row is called {name} now: it has changed or is gone" if not lines else f"{len(lines)} rows are called {name}"
        raise InputError(what, where=rules.path, hint="read the rules again" if not lines else "name the row by its line")
    return lines[0]


def row_named(rules: Rules, name: str) -> Row:
    """The row called so.

    Raises:
        InputError: there is none.
    """
    line = line_named(rules, name)
    row = rules.row_at(line)
    if row is None:
        raise InputError("no row of a table of rules stands on this line", where=rules.path, line=line)
    return row
