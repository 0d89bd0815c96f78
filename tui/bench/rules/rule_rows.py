"""Rows of EQUIVALENCES.md as the commands print them and the Rules screen lists them: plain values, what they say, which are listed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from scoring.foundations.problems import InputError
from scoring.rules import EquivalenceRow, IgnoreRow, Row

Document = Mapping[str, Any]
KINDS = {"ignore": "ignore", "equivalence": "equivalence", "nearmiss": "near miss"}
STATUSES = ("OPEN", "settled", "near miss")
_TERM = re.compile(r'(-?)(?:(status|field|kind):)?(?:"([^"]*)"|(\S+))')


def says(row: Row) -> str:
    """What a row says, in words."""
    return said(row_document(row))


def said(row: Document) -> str:
    """What a row says, in words, from its plain values."""
    if row["kind"] == "ignore":
        return f"ignore `{row['token']}` {row['position']} ({row['side']} side)"
    if row["kind"] == "equivalence":
        return f"`{row['form']}` = `{row['canonical']}`"
    return f"never `{row['form']}` = `{row['not']}`" if row["not"] else f"never touch `{row['form']}`"


def row_document(row: Row) -> dict[str, Any]:
    """A row as plain values, with its kind: `ignore`, `equivalence`, `nearmiss`."""
    kind = "ignore" if isinstance(row, IgnoreRow) else "equivalence" if isinstance(row, EquivalenceRow) else "nearmiss"
    return {name.rstrip("_"): value for name, value in {"kind": kind, **asdict(row)}.items()}


def status_of(row: Document) -> str:
    """`OPEN`, `settled`, or `near miss`, which is neither."""
    return str(row.get("status") or "near miss")


def says_what(row: Document) -> tuple[object, ...]:
    """What a row says, whatever its status and notes: by this it is found again when those were changed elsewhere."""
    return row["kind"], said(row), tuple(row["fields"])


def row_filter(text: str) -> Callable[[Document], bool]:
    """Which rows are listed: terms separated by blanks, all of which must hold.

    `wien` (in any cell), `field:name`, `status:open`, `status:settled`, `kind:ignore`, `kind:equivalence`, `kind:near`;
    `-term` negates, quotes hold blanks together.

    Raises:
        InputError: no such status or kind.
    """
    terms: list[tuple[bool, Callable[[Document], bool]]] = []
    for minus, key, quoted, bare in _TERM.findall(text):
        terms.append((not minus, _term(key, (quoted or bare).casefold())))
    return lambda row: all(holds(row) is wanted for wanted, holds in terms)


def _term(key: str, text: str) -> Callable[[Document], bool]:
    if key == "field":
        return lambda row: text in (name.casefold() for name in row["fields"])
    if key in ("status", "kind"):
        known = STATUSES if key == "status" else tuple(KINDS.values())
        found = [name for name in known if text and name.casefold().startswith(text)]
        if not found:
            raise InputError(f"there is no {key} `{text}`", hint=f"{key} is one of {', '.join(known)}")
        return lambda row: (status_of(row) if key == "status" else KINDS[row["kind"]]) in found
    cells = ("token", "form", "canonical", "not", "witness", "note", "why")
    return lambda row: any(text in str(row.get(cell) or "").casefold() for cell in cells)


def parsed_draft(text: str, field: str) -> tuple[str, str, str]:
    """`form = canonical [field]` taken apart.

    Raises:
        InputError: it is not of that form.
    """
    body, _, named = text.rstrip().removesuffix("]").partition("[")
    form, equals, canonical = (part.strip() for part in body.partition("="))
    field = named.strip() or field
    if not equals or not form or not canonical or not field:
        raise InputError(f"`{text}` is no draft", hint="write form = canonical [field]")
    return form, canonical, field
