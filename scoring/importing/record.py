"""Writing an import, and `import.json`, the record of what came in."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from scoring.files import read_bytes, write_whole
from scoring.importing.plan import Plan
from scoring.problems import InputError

RECORD: Final = "import.json"


def carry_out(plan: Plan, root: Path, date: str) -> list[Path]:
    """Write the new files of a plan, each whole, then the record. Files that are there stay as they are.

    Args:
        plan: compared with the workspace.
        root: the workspace.
        date: the day, `2026-11-29`.

    Raises:
        InputError: the record that is there cannot be read; a file of the source cannot be read.
        OSError: a file cannot be written.
    """
    document = _record(root)
    written: list[Path] = []
    files: list[dict[str, str]] = []
    for item in plan.of("new"):
        assert item.data is not None
        content = item.data()
        path = root / item.target
        write_whole(path, content)
        written.append(path)
        digest = hashlib.sha256(content).hexdigest()
        files.append({"from": item.source, "sha256": digest, "to": item.target, "kind": item.taken})
    if files:
        document["imports"].append({"source": plan.source, "kind": plan.kind, "date": date, "files": files})
        text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
        write_whole(root / RECORD, text.encode("utf-8", "backslashreplace"))
        written.append(root / RECORD)
    return written


def _record(root: Path) -> dict[str, Any]:
    path = root / RECORD
    if not path.exists():
        return {"schema": 1, "imports": []}
    try:
        document = json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise InputError(f"the record of imports is not readable JSON ({fault})", where=path, hint="restore it, or remove it") from fault
    if not isinstance(document, dict) or document.get("schema") != 1 or not isinstance(document.get("imports"), list):
        raise InputError("the record of imports has another form", where=path, hint="restore it, or remove it")
    return document
