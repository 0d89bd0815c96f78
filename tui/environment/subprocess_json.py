"""Long computations behind a screen: our own command in a process of its own, its JSON read back.

A process, not a thread: Python work in a thread makes every key wait. Not a pool: one started inside a running Textual app
fails, since the app stands in for the standard error stream (Textualize/textual#3593).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from scoring.foundations.problems import InputError


async def ask_json(workspace: Path, *arguments: str) -> Any:
    """The JSON that `adjudicate -C workspace ... --format json` prints; `None` when it printed none. Errors as `ask`."""
    out = await ask(workspace, *arguments, "--format", "json")
    return json.loads(out) if out.strip() else None


async def ask(workspace: Path, *arguments: str) -> str:
    """What `adjudicate -C workspace ...` prints on standard output. Cancelled, it ends the process and returns when that is gone.

    Raises:
        InputError: the command refused; its sentence.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tui",
        "-C",
        str(workspace.resolve()),
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError):
            process.kill()
        # Read to the end, not only waited for: asyncio tells of a process's end when its pipes are at theirs.
        await process.communicate()
        raise
    if process.returncode not in (0, 1):
        lines = err.decode("utf-8", "replace").strip().splitlines()
        raise InputError(lines[-1] if lines else f"the command ended with {process.returncode}")
    return out.decode("utf-8", "replace")
