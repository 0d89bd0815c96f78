"""Imports that `import.json` of a workspace records, as a table of the report."""

from __future__ import annotations

import json
from typing import Any, Final

from scoring.files import read_bytes
from scoring.problems import InputError
from scoring.reports.tables import Column, Table, columns, table
from scoring.workspace import Workspace

NAME: Final = "import.json"
_HINT = "restore it from a backup, or remove it: the report then names no import"


def imports(workspace: Workspace) -> Table | None:
    """`imports`: source, kind, date and number of files of each import; None where the workspace records none.

    Raises:
        InputError: `import.json` cannot be read, or is not of the form that `adjudicate import` writes.
    """
    path = workspace.root / NAME
    if not path.exists():
        return None
    try:
        document = json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"the record of imports is not readable JSON ({fault})", where=path, hint=_HINT) from fault
    listed = document.get("imports") if isinstance(document, dict) and document.get("schema") == 1 else None
    if not isinstance(listed, list):
        raise InputError('the record of imports has no `"schema": 1` with a list `imports`', where=path, hint=_HINT)
    rows = []
    for number, one in enumerate(listed, 1):
        if not _sound(one):
            what = f"import {number} of the record lacks one of source, kind, date (texts) and files (a list of objects)"
            raise InputError(what, where=path, hint=_HINT)
        rows.append((one["source"], one["kind"], one["date"], len(one["files"])))
    head = (*columns("text", "source", "kind", "date"), Column("files", "count"))
    return table("imports", "Imports", head, rows, f"From {NAME}, which holds the SHA-256 of each file.") if rows else None


def _sound(one: Any) -> bool:
    return (
        isinstance(one, dict)
        and all(isinstance(one.get(name), str) for name in ("source", "kind", "date"))
        and isinstance(one.get("files"), list)
        and all(isinstance(file, dict) for file in one["files"])
    )
